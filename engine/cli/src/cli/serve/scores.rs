//! Where the scores of served episodes go.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use crate::cli::output;
use probity_doors::Episode;
use probity_local::Failure;

/// A file of scores, a line an episode; or nowhere.
pub struct Scores {
    file: Option<Mutex<File>>,
    is_lost: AtomicBool,
}

impl Scores {
    /// A file to which lines are added; a program is started again for each session of its client.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: Option<&Path>) -> Result<Scores, Failure> {
        let make = |path: &Path| {
            let made = OpenOptions::new().append(true).create(true).open(path);
            made.map_err(|error| Failure::new(format!("cannot open {}: {error}", path.display()), "name another file"))
        };
        Ok(Scores { file: path.map(make).transpose()?.map(Mutex::new), is_lost: AtomicBool::new(false) })
    }

    /// Writes what an episode is worth. One in which the agent said nothing was not begun, and one that is not over has no
    /// reward. That it could not be written is told, and the episodes go on.
    pub fn add(&self, name: &str, episode: &Episode) {
        let Some(file) = self.file.as_ref().filter(|_| episode.messages() > 0) else { return };
        let at = episode.instance();
        let mut scored = json!({"episode": name, "task": at.task, "levels": at.setting, "reward": null, "end": null, "digest": null, "scores": null});
        if let Ok(record) = episode.record() {
            scored["reward"] = json!(episode.reward(&record));
            scored["end"] = json!(record.trace.end().map(|(reason, _)| reason));
            scored["digest"] = json!(record.digest);
            scored["scores"] = json!(record.scores);
        }
        let line = format!("{scored}\n");
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(line.as_bytes()).and_then(|()| file.flush()) {
            self.is_lost.store(true, Ordering::SeqCst);
            output::error(&format!("the scores of `{name}` could not be written: {error}"), "free some space");
        }
    }

    /// Whether all was written.
    ///
    /// # Errors
    /// It was not.
    pub fn finished(&self) -> Result<(), Failure> {
        match self.is_lost.load(Ordering::SeqCst) {
            true => Err(Failure::new("not all scores were written", "what stands above says which; free some space")),
            false => Ok(()),
        }
    }
}
