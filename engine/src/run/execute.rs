//! Playing the units of a run in parallel, each recorded as it ends.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::directory::{RunDirectory, RunError, failed};
use super::journal::Appender;
use super::plan::Unit;
use super::record::EpisodeRecord;
use crate::episode::interrupt::Interrupt;
use crate::episode::spec::AgentSpec;
use crate::model::event::EndReason;

/// Stack of a worker thread: tool scripts may nest 32 calls deep.
pub const STACK: usize = 16 << 20;

/// How a run went.
pub struct Executed {
    /// All episodes, in unit order; those of an earlier part included.
    pub records: Vec<EpisodeRecord>,
    /// Units that an agent has nothing to play in (a fault that does not apply).
    pub not_played: usize,
    /// Whether it was interrupted before its end.
    pub is_interrupted: bool,
}

/// What goes on while units are played.
pub struct Watch<'a> {
    /// Set from outside to stop after the units that are being played.
    pub stop: &'a Interrupt,
    /// Called after each unit that was played now, with what was recorded of it.
    pub on_unit: &'a (dyn Fn(&Unit, Option<&EpisodeRecord>) + Sync),
}

/// Plays all units that `finished` does not hold yet, on `jobs` threads.
///
/// Results do not depend on `jobs`: each unit is played on its own, and the records are put in unit order.
///
/// # Errors
/// The directory can no longer be written; what was recorded is kept.
pub fn execute(
    units: &[Unit],
    agents: &BTreeMap<String, AgentSpec>,
    finished: Vec<EpisodeRecord>,
    directory: &RunDirectory,
    jobs: usize,
    watch: &Watch,
) -> Result<Executed, RunError> {
    let writer = Mutex::new(Writer { appender: directory.append()?, failure: None });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
    let pool = pool.map_err(|error| RunError::File { path: "threads".to_owned(), what: error.to_string() })?;
    let by_order: BTreeMap<_, &EpisodeRecord> = finished.iter().map(|record| (record.order(), record)).collect();
    let play = |unit: &Unit| -> Option<EpisodeRecord> {
        if let Some(record) = by_order.get(&unit.order()).filter(|record| unit.is_recorded_in(record)) {
            return Some((*record).clone());
        }
        if watch.stop.is_set() {
            return None;
        }
        let record = agents.get(&unit.agent).and_then(|agent| unit.play(agent));
        // What failed while the run is stopped may have failed because of it: it is played again.
        let record = record.filter(|record| !(watch.stop.is_set() && has_failed(record)));
        if let Some(record) = &record {
            writer.lock().unwrap_or_else(PoisonError::into_inner).push(record, watch.stop);
        }
        (watch.on_unit)(unit, record.as_ref());
        record
    };
    let played: Vec<Option<EpisodeRecord>> = pool.install(|| units.par_iter().map(play).collect());
    if let Some(error) = writer.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        return Err(failed(&directory.file("episodes.jsonl"), &error));
    }
    let is_interrupted = watch.stop.is_set();
    let records: Vec<EpisodeRecord> = played.into_iter().flatten().collect();
    let not_played = if is_interrupted { 0 } else { units.len() - records.len() };
    if !is_interrupted {
        directory.rewrite(&records)?;
    }
    Ok(Executed { records, not_played, is_interrupted })
}

/// The one who writes: after a failure nothing more is written.
struct Writer {
    appender: Appender,
    failure: Option<std::io::Error>,
}

impl Writer {
    fn push(&mut self, record: &EpisodeRecord, stop: &Interrupt) {
        if self.failure.is_none() {
            self.failure = self.appender.push(record).err();
        }
        if self.failure.is_some() {
            stop.set();
        }
    }
}

fn has_failed(record: &EpisodeRecord) -> bool {
    matches!(record.trace.end(), Some((EndReason::AgentFailed, _)))
}
