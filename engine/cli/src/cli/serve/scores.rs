//! Where the scores of served episodes go.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::cli::output;
use crate::failure::Failure;
use probity_doors::Episode;

/// A file of scores, a line an episode; or nowhere.
pub struct Scores {
    file: Option<Mutex<File>>,
}

impl Scores {
    /// A file that did not exist.
    ///
    /// # Errors
    /// It exists, or cannot be made.
    pub fn create(path: Option<&Path>) -> Result<Scores, Failure> {
        let make = |path: &Path| {
            let made = OpenOptions::new().write(true).create_new(true).open(path);
            made.map_err(|error| {
                Failure::new(format!("cannot make {}: {error}", path.display()), "name a file that does not exist")
            })
        };
        Ok(Scores { file: path.map(make).transpose()?.map(Mutex::new) })
    }

    /// Writes what an episode that is over is worth. That it could not is told, and the episodes go on.
    pub fn add(&self, name: &str, episode: &Episode) {
        let (Some(file), Ok(record)) = (&self.file, episode.record()) else { return };
        let scored: Value = json!({
            "episode": name,
            "task": record.task(),
            "levels": record.trace.header.levels,
            "reward": episode.reward(&record),
            "digest": record.digest,
            "end": record.trace.end().map(|(reason, _)| reason),
            "scores": record.scores,
        });
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(file, "{scored}").and_then(|()| file.flush()) {
            output::error(&format!("the scores of `{name}` could not be written: {error}"), "free some space");
        }
    }
}
