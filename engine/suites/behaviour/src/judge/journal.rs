//! The file that judgements are kept in.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::judgement::Judgement;
use probity_bench::{Appender, Lines, RunError, run::journal};

const MAX_BYTES: u64 = 1 << 30;

#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// What it holds so far, in order, each judgement once.
    pub judgements: Vec<Judgement>,
    /// Lines that do not count because a later one is of the same judge, repeat and episode.
    pub doubled: usize,
    /// Line numbers (from 1) with what is wrong.
    pub damaged: Vec<(usize, String)>,
}

impl Journal {
    /// Reads the file at `path`; there need not be one.
    pub fn open(path: PathBuf) -> Result<Journal, RunError> {
        let Lines { records, damaged, .. } = lines(&path).map_err(|error| failed(&path, &error))?;
        let (judgements, doubled) = in_order(records.into_iter());
        Ok(Journal { path, judgements, doubled, damaged })
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn appender(&self) -> Result<Appender, RunError> {
        let made = File::options().append(true).create(true).open(&self.path);
        made.and_then(|_| Appender::open(&self.path)).map_err(|error| self.failed(&error))
    }

    pub(super) fn rewrite(&self, judgements: &[Judgement]) -> Result<(), RunError> {
        let text = judgements.iter().map(journal::line).collect::<std::io::Result<String>>();
        text.and_then(|text| journal::write(&self.path, &text)).map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, error: &io::Error) -> RunError {
        failed(&self.path, error)
    }
}

fn lines(path: &Path) -> io::Result<Lines<Judgement>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false })
        }
        Err(error) => Err(error),
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("not a regular file")),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            Err(io::Error::other(format!("the file has {} bytes; it may have {MAX_BYTES}", metadata.len())))
        }
        Ok(_) => journal::read(BufReader::new(File::open(path)?), |line, _| Judgement::read(line)),
    }
}

fn failed(path: &Path, error: &io::Error) -> RunError {
    RunError::File { path: path.display().to_string(), what: error.to_string() }
}

/// In the order of files, of judgements with one place the last; and how many do not count for that.
///
/// One whose judge could not be reached says nothing: it gives way to any other and does not count as one given twice.
pub(super) fn in_order(judgements: impl Iterator<Item = Judgement>) -> (Vec<Judgement>, usize) {
    let (mut places, mut doubled) = (BTreeMap::new(), 0);
    for judgement in judgements {
        let (key, episode, repeat) = judgement.order();
        match places.entry((key, episode.clone(), repeat)) {
            Entry::Vacant(place) => drop(place.insert(judgement)),
            Entry::Occupied(_) if judgement.is_unreached() => {}
            Entry::Occupied(mut place) => {
                doubled += usize::from(!place.insert(judgement).is_unreached());
            }
        }
    }
    (places.into_values().collect(), doubled)
}
