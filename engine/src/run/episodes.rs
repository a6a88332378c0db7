//! `episodes.jsonl`: one record a line.

use std::io::BufRead;

use serde::Deserialize;

use super::journal::{self, Lines};
use super::record::{EpisodeRecord, FORMAT};
use crate::trace;

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
        let Lines { records, damaged, is_torn } = journal::read(&mut reader, parse)?;
        Ok(Episodes { records, damaged, is_torn })
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

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::super::journal::{MAX_LINE, line};
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
}
