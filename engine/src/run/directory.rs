//! The run directory: everything a run leaves, and everything it takes to replay it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::config::{FORMAT, RunConfig};
use super::record::EpisodeRecord;
use crate::load::suite::{Files, Suite};
use crate::model::canonical::Hash;

/// Longest line of `episodes.jsonl`, in bytes.
const MAX_LINE: usize = 64 << 20;

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
            RunError::File { .. } => "look at the path, its permissions and the free space; finished episodes are kept",
        }
    }
}

/// The episodes that could be read, and the lines that could not.
#[derive(Debug, Default)]
pub struct Episodes {
    /// The records, in the order of the file.
    pub records: Vec<EpisodeRecord>,
    /// Line numbers (from 1) with what is wrong; a torn last line is not among them.
    pub damaged: Vec<(usize, String)>,
    /// Whether the last line was cut off, as by a kill.
    pub is_torn: bool,
}

impl RunDirectory {
    /// Makes a new directory with `run.json` and the inputs.
    ///
    /// # Errors
    /// It exists already, or cannot be written.
    pub fn create(path: &Path, config: &RunConfig, files: &Files) -> Result<RunDirectory, RunError> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        }
        fs::create_dir(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => RunError::Exists(path.display().to_string()),
            _ => failed(path, &error),
        })?;
        let directory = RunDirectory { path: path.to_owned() };
        let inputs = directory.file("inputs");
        fs::create_dir(&inputs).map_err(|error| failed(&inputs, &error))?;
        for text in files.values() {
            let file = inputs.join(Hash::of_bytes(text.as_bytes()).hex());
            fs::write(&file, text).map_err(|error| failed(&file, &error))?;
        }
        let text = serde_json::to_string_pretty(config).unwrap_or_default();
        directory.write("run.json", &format!("{text}\n"))?;
        directory.write("episodes.jsonl", "")?;
        Ok(directory)
    }

    /// Opens a directory and reads its `run.json`.
    ///
    /// # Errors
    /// It is no run directory of a format this build reads.
    pub fn open(path: &Path) -> Result<(RunDirectory, RunConfig), RunError> {
        let directory = RunDirectory { path: path.to_owned() };
        let text = directory.read("run.json")?;
        let config: RunConfig =
            serde_json::from_str(&text).map_err(|error| directory.bad("run.json", &error.to_string()))?;
        if config.format != FORMAT {
            return Err(
                directory.bad("run.json", &format!("format {} is not known; this build reads {FORMAT}", config.format))
            );
        }
        Ok((directory, config))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of one of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The suite it was played on, from its own inputs.
    ///
    /// # Errors
    /// An input is missing or is not what its hash says, or the inputs do not load.
    pub fn suite(&self, config: &RunConfig) -> Result<Suite, RunError> {
        let mut files = Files::new();
        for (path, hash) in &config.inputs {
            let name = format!("inputs/{}", hash.hex());
            let text = self.read(&name)?;
            if Hash::of_bytes(text.as_bytes()) != *hash {
                return Err(self.bad(&name, "its content is not what its name says: the file was changed"));
            }
            files.insert(path.clone(), text);
        }
        let suite = Suite::from_files(files, Vec::new());
        match suite.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            Some(first) => Err(self.bad("inputs", &format!("they do not load: {first}"))),
            None => Ok(suite),
        }
    }

    /// Opens `episodes.jsonl` for appending, a torn last line cut off.
    ///
    /// # Errors
    /// It cannot be opened or cut.
    pub fn append(&self) -> Result<Appender, RunError> {
        let path = self.file("episodes.jsonl");
        let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let opened = OpenOptions::new().append(true).open(&path).and_then(|file| {
            file.set_len(whole as u64)?;
            Ok(file)
        });
        opened.map(|file| Appender { file, path: path.clone() }).map_err(|error| failed(&path, &error))
    }

    /// Reads `episodes.jsonl`.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn episodes(&self) -> Result<Episodes, RunError> {
        let path = self.file("episodes.jsonl");
        let file = File::open(&path).map_err(|error| failed(&path, &error))?;
        let mut reader = BufReader::new(file);
        let mut episodes = Episodes::default();
        for number in 1.. {
            let mut line = Vec::new();
            let read = reader.read_until(b'\n', &mut line).map_err(|error| failed(&path, &error))?;
            if read == 0 {
                break;
            }
            let parsed = match line.len() <= MAX_LINE {
                true => serde_json::from_slice::<EpisodeRecord>(&line).map_err(|error| error.to_string()),
                false => Err(format!("longer than {MAX_LINE} bytes")),
            };
            match parsed {
                Ok(record) if line.ends_with(b"\n") => episodes.records.push(record),
                Ok(_) => episodes.is_torn = true,
                Err(_) if !line.ends_with(b"\n") => episodes.is_torn = true,
                Err(what) => episodes.damaged.push((number, what)),
            }
        }
        Ok(episodes)
    }

    /// Puts the episodes into unit order.
    ///
    /// # Errors
    /// They cannot be written; the old file is still there.
    pub fn rewrite(&self, records: &[EpisodeRecord]) -> Result<(), RunError> {
        let mut text = String::new();
        for record in records {
            text.push_str(&line(record));
        }
        self.write("episodes.jsonl", &text)
    }

    /// Writes a file whole: beside it first, then into its place.
    ///
    /// # Errors
    /// It cannot be written; what was there before is still there.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        let path = self.file(name);
        let beside = self.file(&format!("{name}.tmp"));
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&beside, &path)).map_err(|error| {
            // What is left of a failed write is of no use to anybody.
            let _ = fs::remove_file(&beside);
            failed(&path, &error)
        })
    }

    fn read(&self, name: &str) -> Result<String, RunError> {
        let path = self.file(name);
        fs::read_to_string(&path).map_err(|error| failed(&path, &error))
    }

    fn bad(&self, name: &str, what: &str) -> RunError {
        RunError::File { path: self.file(name).display().to_string(), what: what.to_owned() }
    }
}

/// `episodes.jsonl`, open for appending.
pub struct Appender {
    file: File,
    path: PathBuf,
}

impl Appender {
    /// Writes one episode and hands it to the system at once.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full.
    pub fn push(&mut self, record: &EpisodeRecord) -> Result<(), RunError> {
        self.file.write_all(line(record).as_bytes()).map_err(|error| failed(&self.path, &error))
    }
}

fn line(record: &EpisodeRecord) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

fn failed(path: &Path, error: &std::io::Error) -> RunError {
    RunError::File { path: path.display().to_string(), what: error.to_string() }
}

/// The files of a suite that some of its tasks need, with their hashes.
pub fn needed_files(suite: &Suite, tasks: &[String]) -> (Files, BTreeMap<String, Hash>) {
    let mut files = Files::new();
    for id in tasks {
        let Some(loaded) = suite.tasks.get(id) else { continue };
        files.insert(loaded.file.path.clone(), loaded.file.text.clone());
        let environment = loaded.task.environment();
        if let Some(file) = suite.files.get(environment.id()) {
            files.insert(file.path.clone(), file.text.clone());
        }
        let sources = environment.sources();
        for source in std::iter::once(&sources.main).chain(sources.libraries.values()) {
            files.insert(source.file.clone(), source.text.clone());
        }
    }
    let hashes = files.iter().map(|(path, text)| (path.clone(), Hash::of_bytes(text.as_bytes()))).collect();
    (files, hashes)
}
