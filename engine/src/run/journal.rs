//! Files of one record a line, written whole or not at all, and read within limits whatever they hold.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, Read as _, Result, Write};
use std::path::Path;

use serde::Serialize;

/// Longest line, in bytes.
pub const MAX_LINE: usize = 64 << 20;

/// The records that could be read, and the lines that could not.
#[derive(Debug)]
pub struct Lines<T> {
    /// The records, in the order of the file.
    pub records: Vec<T>,
    /// Line numbers (from 1) with what is wrong; a torn last line is not among them.
    pub damaged: Vec<(usize, String)>,
    /// Whether the last line was cut off, as by a kill.
    pub is_torn: bool,
}

/// Reads records line by line; no line takes more memory than the longest that is allowed.
///
/// # Errors
/// The file cannot be read.
pub fn read<T, E>(reader: &mut impl BufRead, parse: impl Fn(&[u8]) -> std::result::Result<T, E>) -> Result<Lines<T>>
where
    E: ToString,
{
    let mut lines = Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false };
    for number in 1.. {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        let is_too_long = line.len() > MAX_LINE;
        let is_whole = line.ends_with(b"\n") || (is_too_long && reader.skip_until(b'\n')? > 0);
        let parsed = match is_too_long {
            true => Err(format!("longer than {MAX_LINE} bytes")),
            false => parse(&line).map_err(|error| error.to_string()),
        };
        match parsed {
            Ok(record) if is_whole => lines.records.push(record),
            Ok(_) => lines.is_torn = true,
            Err(_) if !is_whole => lines.is_torn = true,
            Err(what) => lines.damaged.push((number, what)),
        }
    }
    Ok(lines)
}

/// A record as its line.
pub fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// Writes a file whole: beside it first, then into its place.
///
/// # Errors
/// It cannot be written; what was there before is still there.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    let beside = Path::new(&beside);
    let written = File::create(beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(beside, path)).inspect_err(|_| {
        // What is left of a failed write is of no use to anybody.
        let _ = fs::remove_file(beside);
    })
}

/// Such a file, open for appending.
pub struct Appender {
    file: File,
    whole: u64,
}

impl Appender {
    /// Opens the file, a torn last line cut off.
    ///
    /// # Errors
    /// It cannot be read, opened or cut.
    pub fn open(path: &Path) -> Result<Appender> {
        let whole = whole_length(&mut std::io::BufReader::new(File::open(path)?))?;
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(whole)?;
        Ok(Appender { file, whole })
    }

    /// Writes one record and hands it to the system at once.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full; no part of it stays.
    pub fn push(&mut self, record: &impl Serialize) -> Result<()> {
        let line = line(record);
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // When even that fails, the torn line is cut off by whoever goes on with the file.
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }
}

/// How long the file is up to its last line break.
fn whole_length(reader: &mut impl BufRead) -> Result<u64> {
    let (mut whole, mut length) = (0, 0);
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(whole);
        }
        if let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') {
            whole = length + last as u64 + 1;
        }
        let read = bytes.len();
        length += read as u64;
        reader.consume(read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_length_ends_at_the_last_line_break() {
        for (text, expected) in [("", 0), ("a", 0), ("a\n", 2), ("a\n\nbc", 3), ("ab\ncd\ne", 6)] {
            let mut reader = std::io::BufReader::with_capacity(2, text.as_bytes());
            assert_eq!(whole_length(&mut reader).unwrap(), expected, "{text:?}");
        }
    }
}
