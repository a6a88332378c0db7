//! The run directory: everything a run leaves, and everything it takes to replay it.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::config::{FORMAT, RunConfig};
use super::episodes::{ChangedLine, Episodes};
use super::journal::{self, Appender};
use super::record::EpisodeRecord;
use super::spool::Spool;
use crate::benchmark::{Benchmark, Files, Registered};
use probity_engine::{Hash, suggest, write_whole};

/// A run directory on disk.
#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
}

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something is there already; runs are never overwritten.
    #[error("`{0}` exists already")]
    Exists(String),
    /// It was stopped before it was a run.
    #[error("`{0}` holds no run yet: it was stopped while its inputs were written")]
    Unbegun(String),
    /// Another process plays or judges it.
    #[error("another `probity run` or `probity judge` is writing to `{0}`")]
    Busy(String),
    /// An agent cannot be made.
    #[error("{0}")]
    Agent(String),
    /// There is nobody who could be the user.
    #[error("there is no user `{user}` in {unit}")]
    NoUser {
        /// The user.
        user: String,
        /// The unit that was to be played.
        unit: String,
    },
    /// It has more units than a run may have.
    #[error("{0}")]
    TooLarge(String),
    /// What was written to a file is no longer there.
    #[error("`{path}`: {what}")]
    Changed {
        /// The file.
        path: String,
        /// The episode whose line it is.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("`{path}`: {what}")]
    File {
        /// The file.
        path: String,
        /// What went wrong.
        what: String,
    },
}

impl RunError {
    /// What to do next.
    pub fn help(&self) -> &'static str {
        match self {
            RunError::Exists(_) => "choose another directory with `--out`, or go on with it by `--resume`",
            RunError::Unbegun(_) => "start it again with the same `--out`; nothing is lost",
            RunError::Busy(_) => "wait until it has ended, or stop it",
            RunError::Agent(_) => "name an agent that `probity run --list-agents` shows, and what it replays",
            RunError::NoUser { .. } => "name one of the suite's users with `--user`",
            RunError::TooLarge(_) => "play fewer trials, tasks or agents in one run",
            RunError::Changed { .. } => {
                "nothing of this run can be trusted: find out who wrote there (an agent without `--isolate always`?) and play it again"
            }
            RunError::File { .. } => "look at the path, its permissions and the free space; finished episodes are kept",
        }
    }
}

impl RunDirectory {
    /// Makes a new directory with `run.json` and the inputs: authored files, and episodes that agents say again.
    ///
    /// # Errors
    /// It exists already, or cannot be written.
    pub fn create(
        path: &Path,
        config: &RunConfig,
        files: &Files,
        recorded: &[String],
    ) -> Result<RunDirectory, RunError> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        }
        match fs::create_dir(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !is_unbegun(path) => {
                return Err(RunError::Exists(path.display().to_string()));
            }
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(path, &error)),
            Ok(()) | Err(_) => {}
        }
        let directory = RunDirectory { path: path.to_owned() };
        let inputs = directory.file("inputs");
        fs::create_dir_all(&inputs).map_err(|error| failed(&inputs, &error))?;
        for text in files.values().chain(recorded) {
            let file = inputs.join(Hash::of_bytes(text.as_bytes()).hex());
            fs::write(&file, text).map_err(|error| failed(&file, &error))?;
        }
        directory.write("episodes.jsonl", "")?;
        // What makes it a run comes last: without it the directory can be begun again.
        let text =
            serde_json::to_string_pretty(config).map_err(|error| directory.bad("run.json", &error.to_string()))?;
        directory.write("run.json", &format!("{text}\n"))?;
        Ok(directory)
    }

    /// Opens a directory and reads its `run.json`.
    ///
    /// # Errors
    /// It is no run directory of a format this build reads.
    pub fn open(path: &Path) -> Result<(RunDirectory, RunConfig), RunError> {
        let directory = RunDirectory { path: path.to_owned() };
        if is_unbegun(path) {
            return Err(RunError::Unbegun(path.display().to_string()));
        }
        let text = directory.read("run.json")?;
        let bad = |what: &str| directory.bad("run.json", what);
        // A file of another version need not look like one of this.
        let value: Value = serde_json::from_str(&text).map_err(|error| bad(&error.to_string()))?;
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format < u64::from(FORMAT) => {
                let path = path.display();
                return Err(bad(&format!("it is of format {format}: `probity upgrade {path}` turns it into {FORMAT}")));
            }
            Some(format) if format > u64::from(FORMAT) => {
                return Err(bad(&format!("format {format} is not known; this build reads {FORMAT}")));
            }
            Some(_) | None => {}
        }
        let config: RunConfig = serde_json::from_str(&text).map_err(|error| bad(&error.to_string()))?;
        config.check().map_err(|what| bad(&what))?;
        Ok((directory, config))
    }

    /// Keeps other processes from playing or judging the run for as long as what it gives is held.
    ///
    /// # Errors
    /// Another process plays or judges it, or it cannot be locked; where there are no locks at all, nothing is kept out.
    pub fn lock(&self) -> Result<File, RunError> {
        let path = self.file("run.json");
        let file = File::open(&path).map_err(|error| failed(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(RunError::Busy(self.path.display().to_string())),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
            Err(TryLockError::Error(error)) => Err(failed(&path, &error)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of one of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The authored files among its inputs.
    ///
    /// # Errors
    /// One is missing or is not what its hash says.
    pub fn files(&self, config: &RunConfig) -> Result<Files, RunError> {
        config.inputs.iter().map(|(path, hash)| Ok((path.clone(), self.input(hash)?))).collect()
    }

    /// The benchmark it was played on, one of those given, from its own inputs.
    ///
    /// # Errors
    /// There is no such benchmark, an input is missing or is not what its hash says, or the inputs do not load.
    pub fn benchmark(&self, config: &RunConfig, suites: &[Registered]) -> Result<Arc<dyn Benchmark>, RunError> {
        let Some(registered) = suites.iter().find(|registered| registered.name == config.suite) else {
            let help = suggest::help(&config.suite, suites.iter().map(|registered| registered.name));
            return Err(self.bad("run.json", &format!("this build has no suite `{}`; {help}", config.suite)));
        };
        let loaded = registered.open(self.files(config)?);
        match loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            Some(first) => Err(self.bad("inputs", &format!("they do not load: {first}"))),
            None => Ok(loaded.benchmark),
        }
    }

    /// The text of an input.
    ///
    /// # Errors
    /// It is missing or is not what its hash says.
    pub fn input(&self, hash: &Hash) -> Result<String, RunError> {
        let name = format!("inputs/{}", hash.hex());
        let text = self.read(&name)?;
        match Hash::of_bytes(text.as_bytes()) == *hash {
            true => Ok(text),
            false => Err(self.bad(&name, "its content is not what its name says: the file was changed")),
        }
    }

    /// The text of `report.json`; `None` when there is none, as in a run that was stopped.
    ///
    /// # Errors
    /// It is there but cannot be read.
    pub fn report(&self) -> Result<Option<String>, RunError> {
        let path = self.file("report.json");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, &error)),
        }
    }

    /// Opens `episodes.jsonl` for appending, a torn last line cut off.
    ///
    /// # Errors
    /// It cannot be opened or cut.
    pub fn append(&self) -> Result<Appender, RunError> {
        let path = self.file("episodes.jsonl");
        Appender::open(&path).map_err(|error| failed(&path, &error))
    }

    /// Writes more episodes to the end of `episodes.jsonl`.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append_all(&self, records: &[EpisodeRecord]) -> Result<(), RunError> {
        let mut appender = self.append()?;
        let written = records.iter().try_for_each(|record| appender.push(record).map(drop));
        written.map_err(|error| self.failed("episodes.jsonl", &error))
    }

    /// The episodes of `episodes.jsonl`.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn episodes(&self) -> Result<Episodes, RunError> {
        Episodes::index(&self.file("episodes.jsonl"))
    }

    /// Puts these episodes in unit order, and no others, into `episodes.jsonl`; line by line from where they stand.
    ///
    /// # Errors
    /// They cannot be written; the old file is still there.
    pub fn rewrite(&self, episodes: &Episodes) -> Result<Episodes, RunError> {
        let path = self.file("episodes.jsonl");
        let moved = write_whole(&path, |file| episodes.copy(file)).map_err(|error| failed(&path, &error))?;
        Ok(Episodes::at(path, moved))
    }

    /// Writes a file whole: beside it first, then into its place.
    ///
    /// # Errors
    /// It cannot be written; what was there before is still there.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        let path = self.file(name);
        journal::write(&path, text).map_err(|error| failed(&path, &error))
    }

    /// The same of what is written piece by piece.
    ///
    /// # Errors
    /// It cannot be written, or `pieces` says so; what was there before is still there.
    pub fn write_with(
        &self,
        name: &str,
        pieces: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<(), RunError> {
        let path = self.file(name);
        write_whole(&path, pieces).map_err(|error| failed(&path, &error))
    }

    /// A spool beside one of its files.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn spool(&self, name: &str) -> Result<Spool, RunError> {
        let path = self.file(&format!("{name}.spool"));
        Spool::create(&path).map_err(|error| failed(&path, &error))
    }

    fn read(&self, name: &str) -> Result<String, RunError> {
        let path = self.file(name);
        fs::read_to_string(&path).map_err(|error| failed(&path, &error))
    }

    /// What went wrong with one of its files.
    pub fn failed(&self, name: &str, error: &std::io::Error) -> RunError {
        failed(&self.file(name), error)
    }

    fn bad(&self, name: &str, what: &str) -> RunError {
        RunError::File { path: self.file(name).display().to_string(), what: what.to_owned() }
    }
}

pub(super) fn failed(path: &Path, error: &std::io::Error) -> RunError {
    let (path, what) = (path.display().to_string(), error.to_string());
    match error.get_ref().is_some_and(|inner| inner.is::<ChangedLine>()) {
        true => RunError::Changed { path, what },
        false => RunError::File { path, what },
    }
}

/// Whether a directory holds only what is written before a run begins: one that was stopped by then says nothing.
fn is_unbegun(path: &Path) -> bool {
    let names = |folder: &Path| -> Option<Vec<String>> {
        fs::read_dir(folder).ok()?.map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    };
    let is_hash = |name: &String| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_first = |name: &String| match name.as_str() {
        "inputs" => names(&path.join("inputs")).is_some_and(|inputs| inputs.iter().all(is_hash)),
        "episodes.jsonl" => fs::metadata(path.join(name)).is_ok_and(|file| file.len() == 0),
        "episodes.jsonl.tmp" | "run.json.tmp" => true,
        _ => false,
    };
    names(path).is_some_and(|found| found.contains(&"inputs".to_owned()) && found.iter().all(is_first))
}

/// The content hashes of files, as `run.json` has them.
pub fn hashes(files: &Files) -> BTreeMap<String, Hash> {
    files.iter().map(|(path, text)| (path.clone(), Hash::of_bytes(text.as_bytes()))).collect()
}
