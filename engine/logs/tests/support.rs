//! What the tests share.

use std::path::{Path, PathBuf};

use probity_logs::{Dialogue, Found, Reader, Unread};

pub fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The files below a folder, in the order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// All that is read of some bytes.
pub fn read(name: &str, bytes: &[u8]) -> (Option<Found>, Vec<Dialogue>, Vec<Unread>) {
    let (mut dialogues, mut unread) = (Vec::new(), Vec::new());
    let mut reader = Reader::new(name, bytes, None);
    for item in reader.by_ref() {
        match item {
            Ok(dialogue) => dialogues.push(dialogue),
            Err(found) => unread.push(found),
        }
    }
    (reader.found(), dialogues, unread)
}
