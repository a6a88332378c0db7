//! Playing the units of a run in parallel, each recorded as it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::directory::RunDirectory;
use super::episodes::Episodes;
use super::error::{RunError, failed};
use super::journal::{Appender, LineSpan};
use super::record::EpisodeRecord;
use super::unit::{Unit, Units};
use crate::agent::process::Interrupt;
use crate::agent::spec::AgentSpec;
use crate::event::EndReason;

/// Stack of a worker thread: tool scripts may nest 32 calls deep.
const STACK: usize = 16 << 20;

/// How a run went.
pub struct Executed {
    /// All episodes, those of an earlier part included.
    pub episodes: Episodes,
    /// Units that an agent has nothing to play in (a fault that does not apply).
    pub not_played: usize,
    /// Whether it was interrupted before its end.
    pub is_interrupted: bool,
}

/// Threads with a stack on which whatever a run plays can be played, so many or as many as there are cores (0).
///
/// # Errors
/// They cannot be made.
pub fn threads(jobs: usize) -> Result<ThreadPool, RunError> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
    pool.map_err(|error| RunError::File { path: "threads".to_owned(), what: error.to_string() })
}

/// What goes on while units are played.
pub struct Watch<'a> {
    /// Set from outside to stop after the units that are being played.
    pub stop: &'a Interrupt,
    /// Called after each unit that was played now, with what was recorded of it.
    pub on_unit: &'a (dyn Fn(&Unit, Option<&EpisodeRecord>) + Sync),
}

/// Plays all units that `finished` does not hold yet, on `jobs` threads; each record is written as its episode ends,
/// and not kept.
///
/// Results do not depend on `jobs`: each unit is played on its own, and the records are put in unit order.
///
/// # Errors
/// There is nobody to be a unit's user, or the directory can no longer be written; what was recorded is kept.
pub fn execute(
    units: &Units,
    agents: &BTreeMap<String, AgentSpec>,
    finished: &Finished,
    directory: &RunDirectory,
    jobs: usize,
    watch: &Watch,
) -> Result<Executed, RunError> {
    let path = directory.file("episodes.jsonl");
    let writer = Mutex::new(Writer { appender: directory.append()?, failure: None });
    let fail = |error: RunError| {
        writer.lock().unwrap_or_else(PoisonError::into_inner).failure.get_or_insert(error);
        watch.stop.set();
    };
    let play = |index: usize| -> Option<LineSpan> {
        if let Some(place) = finished.place(index) {
            return Some(place);
        }
        if watch.stop.is_set() {
            return None;
        }
        let unit = units.get(index)?;
        let played = agents.get(&*unit.agent).map_or(Ok(None), |agent| unit.play(agent));
        let record = played.map_err(fail).unwrap_or_default();
        // What failed while the run is stopped may have failed because of it: it is played again.
        let record = record.filter(|record| !(watch.stop.is_set() && has_failed(record)));
        let place = record.as_ref().and_then(|record| {
            let pushed = writer.lock().unwrap_or_else(PoisonError::into_inner).push(record);
            pushed.map_err(|error| fail(failed(&path, &error))).ok().flatten()
        });
        (watch.on_unit)(&unit, record.as_ref());
        place
    };
    // One by one: what a model plays takes its time, and who has nothing left takes the next from the others.
    let all = (0..units.len()).into_par_iter().with_max_len(1);
    let places: Vec<Option<LineSpan>> = threads(jobs)?.install(|| all.map(play).collect());
    let Writer { appender, failure } = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    directory.check()?;
    let is_interrupted = watch.stop.is_set();
    let entries = units.iter().zip(places).filter_map(|(unit, place)| Some(unit.entry(place?)));
    let episodes = Episodes::at(path, entries.collect());
    let not_played = if is_interrupted { 0 } else { units.len() - episodes.entries.len() };
    let episodes = match is_interrupted {
        true => {
            let same = episodes.copy(&mut std::io::sink(), Some(&appender));
            same.map(|_| episodes).map_err(|error| directory.failed("episodes.jsonl", &error))?
        }
        false => directory.rewrite(&episodes, Some(&appender))?,
    };
    Ok(Executed { episodes, not_played, is_interrupted })
}

/// The one who writes: after a failure nothing more is written.
struct Writer {
    appender: Appender,
    failure: Option<RunError>,
}

impl Writer {
    fn push(&mut self, record: &EpisodeRecord) -> std::io::Result<Option<LineSpan>> {
        self.failure.is_none().then(|| self.appender.push(record)).transpose()
    }
}

fn has_failed(record: &EpisodeRecord) -> bool {
    matches!(record.trace.end(), Some((EndReason::AgentFailed, _)))
}

/// The places of the episodes that need not be played again, each beside its unit.
pub struct Finished {
    places: Vec<Option<LineSpan>>,
    /// Line numbers (from 1) that cannot be read, with what is wrong: their episodes are played again.
    pub damaged: Vec<(usize, String)>,
}

impl Finished {
    /// Looks at what the directory holds of these units; episodes whose provider could not be reached are taken out of it.
    ///
    /// # Errors
    /// The file of episodes cannot be read, or not be written where some are taken out.
    pub fn of(units: &Units, directory: &RunDirectory) -> Result<Finished, RunError> {
        let mut episodes = directory.episodes()?;
        let damaged = std::mem::take(&mut episodes.damaged);
        let (mut places, unreached) = look(units, &episodes)?;
        if !unreached.is_empty() {
            let mut number = 0..;
            episodes.entries.retain(|_| number.next().is_none_or(|number: usize| !unreached.contains(&number)));
            (places, _) = look(units, &directory.rewrite(&episodes, None)?)?;
        }
        Ok(Finished { places, damaged })
    }

    /// Where the record of the unit with this number stands.
    pub(super) fn place(&self, unit: usize) -> Option<LineSpan> {
        self.places.get(unit).copied().flatten()
    }
}

/// The places of the units' records, of doubles the last, and the numbers of the records that say nothing.
fn look(units: &Units, episodes: &Episodes) -> Result<(Vec<Option<LineSpan>>, BTreeSet<usize>), RunError> {
    let (mut places, mut unreached) = (vec![None; units.len()], BTreeSet::new());
    let mut entries = episodes.entries.iter().enumerate();
    for batch in episodes.batches() {
        for (record, (number, entry)) in batch?.iter().zip(&mut entries) {
            if record.is_unreached() {
                unreached.insert(number);
                continue;
            }
            let Some(number) = units.place(entry.order()) else { continue };
            let unit = units.get(number).filter(|unit| unit.is_recorded_in(record));
            if let Some(place) = places.get_mut(number) {
                *place = unit.map(|_| entry.place);
            }
        }
    }
    Ok((places, unreached))
}
