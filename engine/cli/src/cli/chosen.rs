//! The episodes of a run that are to be shown.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::ThreadPool;

use super::filter::{Filter, none_selected};
use super::opened::Opened;
use super::stopped::Stopped;
use super::{Global, output};
use probity_bench::run::execute::threads;
use probity_bench::{Benchmark, Card, EpisodeRecord, Instance, Wanted};

/// What is wanted at the instances of some records, each found once.
type AllWanted = BTreeMap<Instance, Option<Wanted>>;

/// Episodes of a run, proved by playing them again, the failed first, each with what was wanted of it.
pub struct Chosen {
    pub(super) opened: Opened,
    pub(super) records: Vec<EpisodeRecord>,
    /// Whether there are lines that cannot be read, episodes that stand there twice or that play otherwise; it has been
    /// told.
    pub(super) is_doubtful: bool,
    wanted: AllWanted,
    threads: Option<ThreadPool>,
}

impl Chosen {
    /// The episodes of a run directory that a filter lets through.
    /// An error: the directory is no run, or the filter leaves nothing of it.
    pub fn open(global: &Global, path: &Path, filter: &Filter) -> Result<Chosen, Stopped> {
        let mut opened = Opened::open(global, path)?;
        let (card, is_damaged) = (opened.benchmark.card(), opened.is_damaged());
        filter.levels_are_known(card)?;
        let (units, coverage) = opened.coverage()?;
        // Both are shown: who looks for what went wrong sees what stands there.
        let doubled = opened.doubled(&coverage);
        if let Some(doubled) = &doubled {
            output::error(&doubled.message, &doubled.help);
        }
        opened.episodes.entries.retain(|entry| filter.may_be_wanted(entry));
        let (mut records, doubts) = opened.load_proved(&units)?;
        doubts.say(opened.directory.path());
        records.retain(|record| filter.is_wanted(card, record));
        records.sort_by_key(|record| card.outcome(&record.scores).urgency());
        if records.is_empty() {
            return Err(none_selected("`probity show RUNDIR` shows all").into());
        }
        let mut chosen = Chosen {
            is_doubtful: is_damaged || doubled.is_some() || !doubts.is_empty(),
            threads: threads(0).ok(),
            wanted: AllWanted::new(),
            opened,
            records,
        };
        chosen.wanted = chosen.played(|| all_wanted(chosen.opened.benchmark.as_ref(), &chosen.records));
        Ok(chosen)
    }

    /// How the suite of the run reads its scores.
    pub fn card(&self) -> &'static Card {
        self.opened.benchmark.card()
    }

    /// Each episode, and what was wanted of it, where its suite says so.
    pub fn told(&self) -> impl Iterator<Item = (&EpisodeRecord, Option<&Wanted>)> {
        self.records.iter().map(|record| (record, self.wanted.get(&record.instance()).and_then(Option::as_ref)))
    }

    /// Does what may play calls again, which takes the stack of such a thread; nothing where there is none.
    pub(super) fn played<T: Default + Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.threads.as_ref().map(|threads| threads.install(work)).unwrap_or_default()
    }
}

fn all_wanted(benchmark: &dyn Benchmark, records: &[EpisodeRecord]) -> AllWanted {
    let mut all = AllWanted::new();
    for record in records {
        all.entry(record.instance()).or_insert_with_key(|at| benchmark.wanted(at));
    }
    all
}
