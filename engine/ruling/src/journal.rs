//! The file that the answers of judges are kept in, one a line.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use probity_bench::{Appender, Lines, RunError, run::journal};
use serde::Serialize;

const MAX_BYTES: u64 = 1 << 30;

/// What a judge said of one thing: a line of a journal.
pub trait Record: Serialize + Send + Sync + Sized {
    /// Whose it is and of what: a journal holds one of each.
    type Key: Ord + Clone + Send + Sync;

    fn key(&self) -> Self::Key;

    /// An error: why a line is none.
    fn read(line: &[u8]) -> Result<Self, String>;

    /// Whether its judge could not be reached: it says nothing, and gives way to any other.
    fn is_unreached(&self) -> bool {
        false
    }
}

#[derive(Debug)]
pub struct Journal<R> {
    pub path: PathBuf,
    /// What it holds so far, in the order of keys, each once.
    pub records: Vec<R>,
    /// Lines that do not count because a later one has the same key.
    pub doubled: usize,
    /// Line numbers (from 1) with what is wrong.
    pub damaged: Vec<(usize, String)>,
}

impl<R: Record> Journal<R> {
    /// Reads the file at `path`; there need not be one.
    pub fn open(path: PathBuf) -> Result<Journal<R>, RunError> {
        let Lines { records, damaged, .. } = lines(&path).map_err(|error| failed(&path, &error))?;
        let (records, doubled) = in_order(records.into_iter());
        Ok(Journal { path, records, doubled, damaged })
    }

    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(crate) fn appender(&self) -> Result<Appender, RunError> {
        let made = File::options().append(true).create(true).open(&self.path);
        made.and_then(|_| Appender::open(&self.path)).map_err(|error| self.failed(&error))
    }

    pub(crate) fn rewrite(&self, records: &[R]) -> Result<(), RunError> {
        let text = records.iter().map(journal::line).collect::<io::Result<String>>();
        text.and_then(|text| journal::write(&self.path, &text)).map_err(|error| self.failed(&error))
    }

    pub(crate) fn failed(&self, error: &io::Error) -> RunError {
        failed(&self.path, error)
    }
}

fn lines<R: Record>(path: &Path) -> io::Result<Lines<R>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false })
        }
        Err(error) => Err(error),
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("not a regular file")),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            Err(io::Error::other(format!("the file has {} bytes; it may have {MAX_BYTES}", metadata.len())))
        }
        Ok(_) => {
            // Lines with nothing in them kept labels apart in files of earlier versions.
            let read = |line: &[u8], _| (!line.trim_ascii().is_empty()).then(|| R::read(line)).transpose();
            let Lines { records, damaged, is_torn } = journal::read(BufReader::new(File::open(path)?), read)?;
            Ok(Lines { records: records.into_iter().flatten().collect(), damaged, is_torn })
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> RunError {
    RunError::File { path: path.display().to_string(), what: error.to_string() }
}

/// In the order of keys, of records with one key the last; and how many do not count for that.
pub(crate) fn in_order<R: Record>(records: impl Iterator<Item = R>) -> (Vec<R>, usize) {
    let (mut places, mut doubled) = (BTreeMap::new(), 0);
    for record in records {
        match places.entry(record.key()) {
            Entry::Vacant(place) => drop(place.insert(record)),
            Entry::Occupied(_) if record.is_unreached() => {}
            Entry::Occupied(mut place) => doubled += usize::from(!place.insert(record).is_unreached()),
        }
    }
    (places.into_values().collect(), doubled)
}
