//! A run directory opened for a command that reads it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::exit::Exit;
use super::finish::PlayedRun;
use super::stopped::Stopped;
use super::{Global, output};
use probity_behaviour::{benchmark::NAME, suite::Suite};
use probity_bench::run::config;
use probity_bench::run::config::MAX_EPISODES;
use probity_bench::{
    AgentSpec, Benchmark, Client, Coverage, EpisodeRecord, Episodes, Interrupt, Quarters, RunConfig, RunDirectory,
    RunError, Units,
};
use probity_engine::Hash;
use probity_local::Failure;

pub struct Opened {
    pub directory: RunDirectory,
    pub config: RunConfig,
    /// What it was played on, from its own inputs.
    pub benchmark: Arc<dyn Benchmark>,
    /// Where its episodes stand, in unit order.
    pub episodes: Episodes,
}

/// A run directory whose episodes were not read yet.
pub struct Unread {
    directory: RunDirectory,
    pub config: RunConfig,
    pub benchmark: Arc<dyn Benchmark>,
}

impl Unread {
    /// Opens a run directory.
    pub fn open(global: &Global, path: &Path) -> Result<Unread, Failure> {
        Unread::of(global, path).map_err(named)
    }

    fn of(global: &Global, path: &Path) -> Result<Unread, RunError> {
        let (directory, config) = RunDirectory::open(path)?;
        let benchmark = directory.benchmark(&config, global.suites)?;
        Ok(Unread { directory, config, benchmark })
    }

    /// The units of the run.
    pub fn units(&self) -> Result<Units, RunError> {
        Units::of(&self.benchmark, &self.config)
    }

    fn with(self, episodes: Episodes) -> Opened {
        let Unread { directory, config, benchmark } = self;
        Opened { directory, config, benchmark, episodes }
    }

    /// Reads the episodes, in one go where they stand in unit order: `take` is handed a batch at a time. What it made of
    /// them so far may be begun again.
    pub fn read<R>(
        self,
        begin: impl Fn() -> R,
        take: impl FnMut(&mut R, Vec<EpisodeRecord>),
    ) -> Result<(Opened, R), RunError> {
        let (episodes, read) = self.directory.pass(begin, take)?;
        Ok((self.with(episodes), read))
    }
}

fn named(error: RunError) -> Failure {
    let help =
        if matches!(error, RunError::Part(_)) { error.help() } else { "name a directory that `probity run` wrote" };
    Failure::new(error.to_string(), help)
}

/// Agents of a run that play nothing: they only tell where they could play.
pub fn mute(
    config: &RunConfig,
    input: &dyn Fn(&Hash) -> Result<String, RunError>,
) -> Result<BTreeMap<String, AgentSpec>, RunError> {
    let mute = config.provider.clone().map(|config| Arc::new(Client::mute(config)));
    let (never, nowhere) = (Arc::new(Interrupt::default()), Arc::new(Quarters::default()));
    config::specs(config, &never, Some(&nowhere), mute.as_ref(), input)
}

impl Opened {
    /// Opens a run directory and finds its episodes.
    pub fn open(global: &Global, path: &Path) -> Result<Opened, Failure> {
        let unread = Unread::open(global, path)?;
        let episodes = unread.directory.episodes().map_err(named)?;
        Ok(unread.with(episodes))
    }

    /// The tasks it was played on, for those who read more of a task than a benchmark tells.
    /// An error, a line and what to do: it is a run of another suite, or its inputs cannot be read.
    pub fn suite(&self) -> Result<Suite, Failure> {
        if self.config.suite != NAME {
            let message = format!("this is a run of the suite `{}`; judges know `{NAME}` alone", self.config.suite);
            return Err(Failure::new(message, "name a run of that suite"));
        }
        Ok(Suite::from_files(self.directory.files(&self.config)?, Vec::new()))
    }

    /// Its units, and which of them have a record.
    pub fn coverage(&self) -> Result<(Units, Coverage), RunError> {
        let units = Units::of(&self.benchmark, &self.config)?;
        // A `run.json` can say anything: what is missing is named.
        let missing = units.len().saturating_sub(self.episodes.entries.len());
        if missing > MAX_EPISODES {
            return Err(RunError::TooLarge(format!("{missing} episodes are missing, and {MAX_EPISODES} are named")));
        }
        let agents = mute(&self.config, &|hash| self.directory.input(hash))?;
        let coverage = Coverage::of(&units, &agents, &self.episodes.entries);
        Ok((units, coverage))
    }

    pub fn finished(&self) -> PlayedRun<'_> {
        PlayedRun::of(&self.directory, &self.config, self.benchmark.as_ref())
    }

    /// How much of the run is there, and how to go on: `37 of 224 episodes; go on with ..`.
    pub fn progress(&self, coverage: &Coverage) -> String {
        let (recorded, path) = (coverage.recorded(), self.directory.path().display());
        format!("{recorded} of {} episodes; go on with `probity run --resume {path}`", coverage.expected)
    }

    /// Its units, and whether each has a record; says on standard error when not.
    /// An error: some unit has more than one, so that none can be counted.
    pub(crate) fn note_gaps(&self) -> Result<(Units, bool), Stopped> {
        let (units, coverage) = self.coverage()?;
        if !coverage.missing.is_empty() {
            output::note(&format!("note: the run is not complete: {}", self.progress(&coverage)));
        }
        if let Some(doubled) = self.doubled(&coverage) {
            output::error(&doubled.message, &doubled.help);
            return Err(Exit::Failed.into());
        }
        Ok((units, coverage.missing.is_empty()))
    }

    /// That some unit has more than one record, so that none can be counted.
    pub(super) fn doubled(&self, coverage: &Coverage) -> Option<Failure> {
        let count = output::count(coverage.doubled.len(), "episode");
        let message = format!("{count} recorded more than once, first: {}", coverage.doubled.first()?);
        let path = self.directory.path().display();
        Some(Failure::new(message, format!("`probity run --resume {path}` keeps the last record of each")))
    }

    /// Prints lines that cannot be read; true when there are some.
    pub(crate) fn is_damaged(&self) -> bool {
        for (line, what) in &self.episodes.damaged {
            output::note(&format!("error: line {line} of episodes.jsonl cannot be read: {what}"));
        }
        if self.episodes.is_torn {
            output::note("note: the last line of episodes.jsonl is cut off; `probity run --resume` plays it again");
        }
        !self.episodes.damaged.is_empty()
    }
}
