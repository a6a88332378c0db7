//! `episodes.jsonl`: one record a line, written whole or not at all, and read within limits whatever it holds.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, Read, Write};
use std::path::Path;

use serde::Deserialize;

use super::record::{EpisodeRecord, FORMAT};
use crate::trace;

/// Longest line, in bytes.
const MAX_LINE: usize = 64 << 20;

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

impl Episodes {
    /// Reads records line by line; no line takes more memory than the longest that is allowed.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(mut reader: impl BufRead) -> std::io::Result<Episodes> {
        let mut episodes = Episodes::default();
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
                false => parse(&line),
            };
            match parsed {
                Ok(record) if is_whole => episodes.records.push(record),
                Ok(_) => episodes.is_torn = true,
                Err(_) if !is_whole => episodes.is_torn = true,
                Err(what) => episodes.damaged.push((number, what)),
            }
        }
        Ok(episodes)
    }
}

/// The versions in a line, whatever else stands there.
#[derive(Deserialize)]
struct Versions {
    format: u32,
    trace: TraceVersions,
}

#[derive(Deserialize)]
struct TraceVersions {
    header: HeaderVersion,
}

#[derive(Deserialize)]
struct HeaderVersion {
    format: u32,
}

fn parse(line: &[u8]) -> Result<EpisodeRecord, String> {
    let parsed = serde_json::from_slice::<EpisodeRecord>(line);
    let versions = match &parsed {
        Ok(record) => Some((record.format, record.trace.header.format)),
        // A line of another version need not look like one of this.
        Err(_) => serde_json::from_slice(line).ok().map(|v: Versions| (v.format, v.trace.header.format)),
    };
    let unknown = |kind: &str, format: u32, known: u32| {
        Err(format!("{kind} format {format} is not known; this build reads {known}: use the version that wrote it"))
    };
    match versions {
        Some((format, _)) if format != FORMAT => unknown("episode", format, FORMAT),
        Some((_, format)) if format != trace::FORMAT => unknown("trace", format, trace::FORMAT),
        Some(_) | None => parsed.map_err(|error| error.to_string()),
    }
}

/// A record as its line.
pub fn line(record: &EpisodeRecord) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// `episodes.jsonl`, open for appending.
pub struct Appender {
    file: File,
    whole: u64,
}

impl Appender {
    /// Opens the file, a torn last line cut off.
    ///
    /// # Errors
    /// It cannot be read, opened or cut.
    pub fn open(path: &Path) -> std::io::Result<Appender> {
        let whole = whole_length(&mut std::io::BufReader::new(File::open(path)?))?;
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(whole)?;
        Ok(Appender { file, whole })
    }

    /// Writes one episode and hands it to the system at once.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full; no part of it stays.
    pub fn push(&mut self, record: &EpisodeRecord) -> std::io::Result<()> {
        let line = line(record);
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // When even that fails, the torn line is cut off by whoever goes on with the run.
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }
}

/// How long the file is up to its last line break.
fn whole_length(reader: &mut impl BufRead) -> std::io::Result<u64> {
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
    use crate::report::sample::Sketch;

    #[test]
    fn a_line_of_another_version_says_so() {
        let record = Sketch::default().record();
        let newer = line(&EpisodeRecord { format: 2, ..record.clone() });
        let mut other = record.clone();
        other.trace.header.format = 7;
        let strange = line(&record).replacen("{\"format\":1", "{\"shape\":1,\"format\":3", 1);
        let text = [newer, line(&other), strange, line(&record)].concat();
        let episodes = Episodes::read(text.as_bytes()).unwrap();
        assert_eq!(episodes.records, [record]);
        let said: Vec<&str> = episodes.damaged.iter().map(|(_, what)| what.split(';').next().unwrap()).collect();
        assert_eq!(
            said,
            ["episode format 2 is not known", "trace format 7 is not known", "episode format 3 is not known"]
        );
        assert!(episodes.damaged[0].1.ends_with("use the version that wrote it"));
    }

    #[test]
    fn an_endless_line_takes_no_endless_memory() {
        let record = line(&Sketch::default().record());
        let long = std::io::repeat(b'x').take(MAX_LINE as u64 * 2);
        let text = std::io::BufReader::new(long.chain("\n".as_bytes()).chain(record.as_bytes()));
        let episodes = Episodes::read(text).unwrap();
        assert_eq!(episodes.damaged, [(1, format!("longer than {MAX_LINE} bytes"))]);
        assert_eq!(episodes.records.len(), 1);
    }

    #[test]
    fn the_whole_length_ends_at_the_last_line_break() {
        for (text, expected) in [("", 0), ("a", 0), ("a\n", 2), ("a\n\nbc", 3), ("ab\ncd\ne", 6)] {
            let mut reader = std::io::BufReader::with_capacity(2, text.as_bytes());
            assert_eq!(whole_length(&mut reader).unwrap(), expected, "{text:?}");
        }
    }
}
