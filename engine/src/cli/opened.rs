//! A run directory opened for a command that reads it.

use std::path::Path;

use super::exit::Exit;
use super::output;
use crate::load::suite::Suite;
use crate::run::config::RunConfig;
use crate::run::directory::{Episodes, RunDirectory, RunError};
use crate::run::plan::{Unit, units};

/// A run directory with all that is in it.
pub struct Opened {
    /// Where it is.
    pub directory: RunDirectory,
    /// What it was asked to do.
    pub config: RunConfig,
    /// What it was played on, from its own inputs.
    pub suite: Suite,
    /// Its units.
    pub units: Vec<Unit>,
    /// Its episodes, in unit order.
    pub episodes: Episodes,
}

impl Opened {
    /// Opens a run directory; an error has been printed when this gives an exit code.
    ///
    /// # Errors
    /// The exit code to end with.
    pub fn open(path: &Path) -> Result<Opened, Exit> {
        Opened::read(path).map_err(|error| {
            output::error(&error.to_string(), "name a directory that `probity run` wrote");
            Exit::BadInput
        })
    }

    fn read(path: &Path) -> Result<Opened, RunError> {
        let (directory, config) = RunDirectory::open(path)?;
        let suite = directory.suite(&config)?;
        let units = units(&suite, &config);
        let mut episodes = directory.episodes()?;
        episodes.records.sort_by(|a, b| a.order().cmp(&b.order()));
        Ok(Opened { directory, config, suite, units, episodes })
    }

    /// Prints lines that cannot be read; true when there are some.
    pub fn is_damaged(&self) -> bool {
        for (line, what) in &self.episodes.damaged {
            output::note(&format!("error: line {line} of episodes.jsonl cannot be read: {what}"));
        }
        if self.episodes.is_torn {
            output::note("note: the last line of episodes.jsonl is cut off; `probity run --resume` plays it again");
        }
        !self.episodes.damaged.is_empty()
    }
}
