//! The run directory: everything a run leaves, and everything it takes to replay it.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::config::{FORMAT, RunConfig};
use super::episodes::Episodes;
use super::error::{RunError, failed};
use super::journal::{self, Appender, Spool};
use super::record::EpisodeRecord;
use crate::benchmark::{Benchmark, Files, Registered};
use probity_engine::{Hash, Held, clear_unfinished, is_unfinished, suggest, write_whole};

/// A run directory on disk.
#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
    /// What `run.json` held when the directory was made or opened.
    begun: Hash,
    inputs: Arc<[Hash]>,
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
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !is_unbegun(path) && !is_empty(path) => {
                return Err(RunError::Exists(path.display().to_string()));
            }
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(path, &error)),
            Ok(()) | Err(_) => {}
        }
        let text = format!("{}\n", serde_json::to_string_pretty(config)?);
        let of = |text: &String| Hash::of_text(text);
        let named = files.values().chain(recorded).map(of).collect();
        let directory = RunDirectory { path: path.to_owned(), begun: of(&text), inputs: named };
        clear_unfinished(path, None);
        let inputs = directory.file("inputs");
        fs::create_dir_all(&inputs).map_err(|error| failed(&inputs, &error))?;
        for text in files.values().chain(recorded) {
            let file = inputs.join(Hash::of_text(text).hex());
            fs::write(&file, text).map_err(|error| failed(&file, &error))?;
        }
        directory.write(ATTRIBUTES, "# What is recorded stays as it is, byte for byte.\n* -text\n")?;
        directory.write("episodes.jsonl", "")?;
        // What makes it a run comes last: without it the directory can be begun again.
        directory.write("run.json", &text)?;
        Ok(directory)
    }

    /// Opens a directory and reads its `run.json`.
    ///
    /// # Errors
    /// It is no run directory of a format this build reads, or a part of one.
    pub fn open(path: &Path) -> Result<(RunDirectory, RunConfig), RunError> {
        match RunDirectory::open_any(path)? {
            (_, RunConfig { part: Some(_), .. }) => Err(RunError::Part(path.display().to_string())),
            whole => Ok(whole),
        }
    }

    /// The same where it may be a part, which has no inputs: they are its plan's.
    ///
    /// # Errors
    /// It is no run directory of a format this build reads.
    pub fn open_any(path: &Path) -> Result<(RunDirectory, RunConfig), RunError> {
        if is_unbegun(path) {
            return Err(RunError::Unbegun(path.display().to_string()));
        }
        clear_unfinished(path, None);
        let text = read(&path.join("run.json"))?;
        let begun = Hash::of_text(&text);
        let mut directory = RunDirectory { path: path.to_owned(), begun, inputs: Arc::from([]) };
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
        let recorded = config.agents.iter().filter_map(|agent| agent.recorded);
        if config.part.is_none() {
            directory.inputs = config.inputs.values().copied().chain(recorded).collect();
        }
        Ok((directory, config))
    }

    /// Whether a run of just this description is there that was stopped before its `last` file was written.
    pub fn is_stopped(path: &Path, config: &RunConfig, last: &str) -> bool {
        let is_same = |text: String| serde_json::to_string_pretty(config).is_ok_and(|own| text == format!("{own}\n"));
        read(&path.join("run.json")).is_ok_and(is_same) && !path.join(last).exists()
    }

    /// Keeps other processes from playing or judging the run for as long as what it gives is held.
    ///
    /// # Errors
    /// Another process plays or judges it, or it cannot be locked; where there are no locks at all, nothing is kept out.
    pub fn lock(&self) -> Result<Held, RunError> {
        let path = self.file("run.json");
        let file = File::open(&path).map_err(|error| failed(&path, &error))?;
        Held::of(file).map_err(|error| match error {
            TryLockError::WouldBlock => RunError::Busy(self.path.display().to_string()),
            TryLockError::Error(error) => failed(&path, &error),
        })
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
        let registered = registered(config, suites).map_err(|what| self.bad("run.json", &what))?;
        open_inputs(registered, self.files(config)?).map_err(|what| self.bad("inputs", &what))
    }

    /// The text of an input.
    ///
    /// # Errors
    /// It is missing or is not what its hash says.
    pub fn input(&self, hash: &Hash) -> Result<String, RunError> {
        let name = format!("inputs/{}", hash.hex());
        let text = read(&self.file(&name))?;
        // Runs of earlier versions were named by their bytes.
        match Hash::of_text(&text) == *hash || Hash::of_bytes(text.as_bytes()) == *hash {
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

    /// The same, handed on as they are read ([`Episodes::pass`]).
    ///
    /// # Errors
    /// The file cannot be read, or was changed meanwhile.
    pub fn pass<R>(
        &self,
        begin: impl Fn() -> R,
        take: impl FnMut(&mut R, Vec<EpisodeRecord>),
    ) -> Result<(Episodes, R), RunError> {
        Episodes::pass(&self.file("episodes.jsonl"), begin, take)
    }

    /// Puts these episodes in unit order, and no others, into `episodes.jsonl`; line by line from where they stand.
    ///
    /// # Errors
    /// They cannot be written, or the file is not what was `written`; it is still there.
    pub fn rewrite(&self, episodes: &Episodes, written: Option<&Appender>) -> Result<Episodes, RunError> {
        let path = self.file("episodes.jsonl");
        let moved = write_whole(&path, |file| episodes.copy(file, written)).map_err(|error| failed(&path, &error))?;
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

    /// Whether nobody changed, while the run went, what it says of itself: `run.json` and the inputs.
    ///
    /// # Errors
    /// One of them is not what it was, or cannot be read.
    pub fn check(&self) -> Result<(), RunError> {
        let path = self.file("run.json");
        if Hash::of_text(&read(&path)?) != self.begun {
            let what = "it is not what it was when the run began".to_owned();
            return Err(RunError::Changed { path: path.display().to_string(), what });
        }
        self.inputs.iter().try_for_each(|hash| self.input(hash).map(drop))
    }

    /// What went wrong with one of its files.
    pub fn failed(&self, name: &str, error: &std::io::Error) -> RunError {
        failed(&self.file(name), error)
    }

    fn bad(&self, name: &str, what: &str) -> RunError {
        RunError::File { path: self.file(name).display().to_string(), what: what.to_owned() }
    }
}

/// The benchmark that a run names.
///
/// # Errors
/// There is none of this name.
pub(super) fn registered<'a>(config: &RunConfig, suites: &'a [Registered]) -> Result<&'a Registered, String> {
    suites.iter().find(|registered| registered.name == config.suite).ok_or_else(|| {
        let help = suggest::help(&config.suite, suites.iter().map(|registered| registered.name));
        format!("this build has no suite `{}`; {help}", config.suite)
    })
}

/// A benchmark of the inputs of a run.
///
/// # Errors
/// They do not load.
pub(super) fn open_inputs(registered: &Registered, files: Files) -> Result<Arc<dyn Benchmark>, String> {
    let loaded = registered.open(files);
    match loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(first) => Err(format!("they do not load: {first}")),
        None => Ok(loaded.benchmark),
    }
}

/// What tells git how to treat the files of a run.
const ATTRIBUTES: &str = ".gitattributes";

/// The text of a regular file: a pipe or a device has no end.
fn read(path: &Path) -> Result<String, RunError> {
    let is_file = fs::metadata(path).map_err(|error| failed(path, &error))?.is_file();
    let what = || RunError::File { path: path.display().to_string(), what: "it is no regular file".to_owned() };
    if is_file { fs::read_to_string(path).map_err(|error| failed(path, &error)) } else { Err(what()) }
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
        ATTRIBUTES => true,
        name => [ATTRIBUTES, "episodes.jsonl", "run.json"].into_iter().any(|of| is_unfinished(name, of)),
    };
    names(path).is_some_and(|found| found.contains(&"inputs".to_owned()) && found.iter().all(is_first))
}

/// Whether a folder is there with nothing in it: it says nothing either.
fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// The content hashes of files, as `run.json` has them.
pub fn hashes(files: &Files) -> BTreeMap<String, Hash> {
    files.iter().map(|(path, text)| (path.clone(), Hash::of_text(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_stopped_before_it_began_can_be_begun_again() {
        let path = std::env::temp_dir().join(format!("probity-unbegun-{}", std::process::id()));
        fs::create_dir_all(path.join("inputs")).unwrap();
        for name in [ATTRIBUTES, "episodes.jsonl", "episodes.jsonl.7-0.tmp", "run.json.7-0.tmp"] {
            fs::write(path.join(name), "").unwrap();
            assert!(is_unbegun(&path), "{name}");
        }
        fs::write(path.join("run.json.bak"), "").unwrap();
        assert!(!is_unbegun(&path));
        fs::remove_dir_all(path).unwrap();
    }
}
