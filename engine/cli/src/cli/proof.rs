//! The records of a run held against what their traces give: what a command reports is derived, never believed.

use super::opened::Opened;
use super::output;
use probity_bench::{Benchmark, Divergence, EpisodeRecord, Replayer, RunError, Units, run::execute::threads};

/// Most records that are named one by one.
const NAMED: usize = 3;

/// Records that say something else than their traces give.
#[derive(Default)]
pub struct Doubts {
    count: usize,
    named: Vec<Divergence>,
}

impl Doubts {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// In a line: how many, and the first.
    pub fn line(&self) -> Option<String> {
        let first = self.named.first()?;
        let records = output::count(self.count, "record");
        Some(format!("{records} not what the trace gives, first: {first}"))
    }

    pub fn add(&mut self, divergence: Option<Divergence>) {
        self.count += usize::from(divergence.is_some());
        self.named.extend(divergence.filter(|_| self.named.len() < NAMED));
    }

    /// Names the first of them on standard error.
    pub fn say(&self, directory: &std::path::Path) {
        if self.is_empty() {
            return;
        }
        self.named.iter().for_each(|divergence| output::note(&format!("error: {divergence}")));
        let more = output::more(self.count, NAMED);
        let path = directory.display();
        output::note(&format!(
            "  help: {more}what stands here was scored anew from the traces; `probity replay {path}` names every record, and the run must be played again to be believed"
        ));
    }

    /// The records with the scores that their traces give, a batch at a time; what differs is kept here.
    pub fn proved<'a>(
        &'a mut self,
        units: &'a Units,
        benchmark: &dyn Benchmark,
        batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>> + 'a,
    ) -> Result<impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>> + 'a, RunError> {
        let replayer = Replayer::new(units, benchmark.card());
        // Scripts take the stack of such a thread.
        let threads = threads(0)?;
        Ok(batches.map(move |batch| {
            let proved = threads.install(|| batch.map(|batch| replayer.prove(batch)))?;
            let kept = proved.into_iter().map(|proved| {
                self.add(proved.divergence);
                proved.record
            });
            Ok(kept.collect())
        }))
    }
}

impl Opened {
    /// All its episodes at once, in unit order, scored anew.
    pub(crate) fn load_proved(&self, units: &Units) -> Result<(Vec<EpisodeRecord>, Doubts), RunError> {
        let mut doubts = Doubts::default();
        let mut records = Vec::with_capacity(self.episodes.entries.len());
        for batch in doubts.proved(units, self.benchmark.as_ref(), self.episodes.batches())? {
            records.extend(batch?);
        }
        Ok((records, doubts))
    }
}
