//! `episodes.jsonl`: one record a line. A file may hold more than memory: its index is kept, its records are read a
//! batch at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;

use super::error::{RunError, failed};
use super::journal::{self, Appender, BATCH, BATCH_BYTES, LineSpan, Lines};
use super::record::{EpisodeRecord, FORMAT, Order, name};
use crate::instance::Levels;
use crate::trace;
use probity_engine::Hash;

/// One readable line of a file: whose record it is, and where it stands.
#[derive(Clone, Debug)]
pub struct EpisodeLine {
    /// The agent's name in the report.
    pub agent: String,
    /// The task.
    pub task: String,
    /// The levels of the settings.
    pub levels: Levels,
    /// Which repetition, from 0.
    pub trial: u32,
    /// Where the line stands.
    pub place: LineSpan,
}

impl EpisodeLine {
    fn of(record: &EpisodeRecord, place: LineSpan) -> EpisodeLine {
        EpisodeLine::at(record.order(), place)
    }

    pub(super) fn at((agent, task, levels, trial): Order<'_>, place: LineSpan) -> EpisodeLine {
        EpisodeLine { agent: agent.to_owned(), task: task.to_owned(), levels: levels.clone(), trial, place }
    }

    /// The order of episodes in files and digests, as [`EpisodeRecord::order`] has it.
    pub fn order(&self) -> Order<'_> {
        (&self.agent, &self.task, &self.levels, self.trial)
    }

    /// `agent task levels #trial`, as [`EpisodeRecord::name`] has it.
    pub fn name(&self) -> String {
        name(self.order())
    }
}

/// The episodes of a file that could be read, and the lines that could not.
#[derive(Clone, Debug)]
pub struct Episodes {
    path: PathBuf,
    /// Whose records there are, in unit order; doubles in the order of the file.
    pub entries: Vec<EpisodeLine>,
    /// Line numbers (from 1) with what is wrong; a torn last line is not among them.
    pub damaged: Vec<(usize, String)>,
    /// Whether the last line was cut off, as by a kill.
    pub is_torn: bool,
}

impl Episodes {
    /// Reads a file once, every line whole, and keeps none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn index(path: &Path) -> Result<Episodes, RunError> {
        let entry = |line: &[u8], place| parse(line).map(|record| EpisodeLine::of(&record, place));
        let read = journal::open(path).and_then(|file| journal::read(BufReader::new(file), entry));
        Ok(Episodes::of(path, read.map_err(|error| failed(path, &error))?))
    }

    fn of(path: &Path, Lines { records: mut entries, damaged, is_torn }: Lines<EpisodeLine>) -> Episodes {
        entries.sort_by(|a, b| a.order().cmp(&b.order()));
        for at in 1..entries.len() {
            if let Some((before, [entry, ..])) = entries.split_at_mut_checked(at) {
                share(before.last(), entry);
            }
        }
        Episodes { path: path.to_owned(), entries, damaged, is_torn }
    }

    /// Hands the records of a file on in unit order, a batch at a time, and says where they stand. A file that is in this
    /// order, as a run leaves it, is read once; of another an index is made, and what was begun is begun again.
    ///
    /// # Errors
    /// The file cannot be read, or was changed meanwhile.
    pub fn pass<R>(
        path: &Path,
        begin: impl Fn() -> R,
        mut take: impl FnMut(&mut R, Vec<EpisodeRecord>),
    ) -> Result<(Episodes, R), RunError> {
        if let Some(passed) = Episodes::pass_once(path, begin(), &mut take)? {
            return Ok(passed);
        }
        let (episodes, mut begun) = (Episodes::index(path)?, begin());
        for batch in episodes.batches() {
            take(&mut begun, batch?);
        }
        Ok((episodes, begun))
    }

    /// The same of a file that is whole and in unit order; nothing of another.
    fn pass_once<R>(
        path: &Path,
        mut begun: R,
        take: &mut impl FnMut(&mut R, Vec<EpisodeRecord>),
    ) -> Result<Option<(Episodes, R)>, RunError> {
        let file = journal::open(path).map_err(|error| failed(path, &error))?;
        let mut entries: Vec<EpisodeLine> = Vec::new();
        for batch in journal::batches(BufReader::new(file), |line, place| parse(line).map(|record| (record, place))) {
            let batch = batch.map_err(|error| failed(path, &error))?;
            let is_whole = batch.damaged.is_empty() && !batch.is_torn;
            let known = entries.len().saturating_sub(1);
            for (record, place) in &batch.records {
                let mut entry = EpisodeLine::of(record, *place);
                share(entries.last(), &mut entry);
                entries.push(entry);
            }
            let is_rising = |pair: &[EpisodeLine]| matches!(pair, [one, next] if one.order() < next.order());
            if !is_whole || !entries.get(known..).unwrap_or_default().windows(2).all(is_rising) {
                return Ok(None);
            }
            take(&mut begun, batch.records.into_iter().map(|(record, _)| record).collect());
        }
        Ok(Some((Episodes::at(path.to_owned(), entries), begun)))
    }

    /// Those whose lines stand in a file at these places, in unit order.
    pub(super) fn at(path: PathBuf, entries: Vec<EpisodeLine>) -> Episodes {
        Episodes { path, entries, damaged: Vec::new(), is_torn: false }
    }

    /// The records in unit order, so many at a time that memory does not grow with their number.
    pub fn batches(&self) -> impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>> + '_ {
        let mut reader = PlaceReader::new(&self.path);
        let mut rest = self.entries.as_slice();
        std::iter::from_fn(move || {
            let (batch, after) = rest.split_at_checked(batch_length(rest))?;
            rest = after;
            (!batch.is_empty()).then(|| read_batch(&mut reader, batch).map_err(|error| failed(&self.path, &error)))
        })
    }

    /// All records at once, in unit order: for what compares each with each.
    ///
    /// # Errors
    /// The file cannot be read, or was changed since its index was made.
    pub fn load(&self) -> Result<Vec<EpisodeRecord>, RunError> {
        let mut records = Vec::with_capacity(self.entries.len());
        for batch in self.batches() {
            records.extend(batch?);
        }
        Ok(records)
    }

    /// Copies the lines in unit order, and says where they stand then. Each is held against what was written, and the
    /// file against all that was, where that is known.
    pub(super) fn copy(&self, out: &mut impl Write, written: Option<&Appender>) -> io::Result<Vec<EpisodeLine>> {
        let mut reader = PlaceReader::new(&self.path);
        let mut offset = 0;
        let mut moved = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let line = reader.line(entry.place, || entry.name())?;
            out.write_all(&line)?;
            moved.push(EpisodeLine { place: LineSpan { offset, ..entry.place }, ..entry.clone() });
            offset += entry.place.length;
        }
        if written.is_some_and(|written| !written.is_all(&self.path).unwrap_or_default()) {
            return Err(io::Error::other(Tampered::File));
        }
        Ok(moved)
    }
}

/// The records of a file that is whole, in its order, a batch at a time and without an index.
///
/// # Errors
/// The file cannot be opened.
pub fn batches(path: &Path) -> Result<impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>> + '_, RunError> {
    let file = journal::open(path).map_err(|error| failed(path, &error))?;
    let batches = journal::batches(BufReader::new(file), |line, _| parse(line));
    Ok(batches.map(|batch| match batch.map_err(|error| failed(path, &error))? {
        Lines { records, damaged, is_torn: false } if damaged.is_empty() => Ok(records),
        Lines { .. } => Err(failed(path, &io::Error::other(Tampered::File))),
    }))
}

/// Reads all records line by line, in the order of the file.
///
/// # Errors
/// The file cannot be read.
pub fn read(reader: impl BufRead) -> io::Result<Lines<EpisodeRecord>> {
    journal::read(reader, |line, _| parse(line))
}

/// Those of one instance have its levels in common.
fn share(last: Option<&EpisodeLine>, entry: &mut EpisodeLine) {
    if let Some(last) = last.filter(|last| last.levels == entry.levels) {
        entry.levels = last.levels.clone();
    }
}

fn batch_length(entries: &[EpisodeLine]) -> usize {
    let mut bytes = 0;
    let is_room = |entry: &&EpisodeLine| {
        let is_room = bytes < BATCH_BYTES;
        bytes += entry.place.length;
        is_room
    };
    entries.iter().take(BATCH).take_while(is_room).count()
}

fn read_batch(reader: &mut PlaceReader, entries: &[EpisodeLine]) -> io::Result<Vec<EpisodeRecord>> {
    let lines =
        entries.iter().map(|entry| reader.line(entry.place, || entry.name())).collect::<io::Result<Vec<_>>>()?;
    let record = |(line, entry): (&Vec<u8>, &EpisodeLine)| {
        let record = parse(line).ok().filter(|record| record.order() == entry.order());
        record.ok_or_else(|| changed(entry.name()))
    };
    lines.par_iter().zip(entries).map(record).collect()
}

/// What is not what was written or found there before.
#[derive(Debug, thiserror::Error)]
pub(super) enum Tampered {
    #[error("the line of `{0}` was changed by somebody else")]
    Line(String),
    /// The file has more or less than was written.
    #[error("somebody else wrote to it while the run was played")]
    File,
}

fn changed(name: String) -> io::Error {
    io::Error::other(Tampered::Line(name))
}

/// Reads lines by their places; those that follow each other in one go.
pub(super) struct PlaceReader<'a> {
    path: &'a Path,
    open: Option<(BufReader<File>, u64)>,
}

impl<'a> PlaceReader<'a> {
    pub(super) fn new(path: &'a Path) -> PlaceReader<'a> {
        PlaceReader { path, open: None }
    }

    /// Closes the file until it is read again.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// The line at a place of the record that is so called.
    pub(super) fn line(&mut self, place: LineSpan, name: impl FnOnce() -> String) -> io::Result<Vec<u8>> {
        if self.open.is_none() {
            self.open = Some((BufReader::new(journal::open(self.path)?), 0));
        }
        let Some((reader, position)) = &mut self.open else { return Err(changed(name())) };
        reader.seek_relative(place.offset.cast_signed() - position.cast_signed())?;
        let mut line = Vec::new();
        *position = place.offset + reader.by_ref().take(place.length).read_to_end(&mut line)? as u64;
        if Hash::of_bytes(&line) == place.hash { Ok(line) } else { Err(changed(name())) }
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

pub(super) fn parse(line: &[u8]) -> Result<EpisodeRecord, String> {
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
    use super::super::journal::{self, MAX_LINE};
    use super::*;
    use crate::instance::Limits;
    use crate::scores::Scores;
    use crate::trace::{Header, Trace};

    fn line(record: &EpisodeRecord) -> String {
        journal::line(record).unwrap()
    }

    fn record(trial: u32) -> EpisodeRecord {
        let hash = Hash::of_bytes(b"");
        let header = Header {
            format: trace::FORMAT,
            engine: "0.1.0".to_owned(),
            benchmark: "toy".to_owned(),
            environment: "shop/counter".to_owned(),
            environment_hash: hash,
            scripts: Default::default(),
            task: "shop/counter/sell".to_owned(),
            task_hash: hash,
            levels: Levels::from_iter([("pace", "slow")]),
            seed: 7,
            limits: Limits::default(),
            options: Default::default(),
            user: "scripted".to_owned(),
            prompt: hash,
        };
        let trace = Trace { header, events: Vec::new(), final_state: hash };
        EpisodeRecord::new("oracle", trial, Levels::default(), trace, Scores::default())
    }

    #[test]
    fn the_instance_of_a_record_has_each_factor_once() {
        let properties = Levels::from_iter([("make", "brass")]);
        let factors = properties.with(&Levels::from_iter([("pace", "slow")]));
        let at = EpisodeRecord { factors: factors.clone(), ..record(0) }.instance();
        assert_eq!((at.factors(), at.properties), (factors, properties));
    }

    #[test]
    fn a_line_of_another_version_says_so() {
        let record = record(0);
        let newer = line(&EpisodeRecord { format: 3, ..record.clone() });
        let mut other = record.clone();
        other.trace.header.format = 7;
        let strange = line(&record).replacen("{\"format\":2", "{\"shape\":1,\"format\":4", 1);
        let text = [newer, line(&other), strange, line(&record)].concat();
        let episodes = read(text.as_bytes()).unwrap();
        assert_eq!(episodes.records, [record]);
        let said: Vec<&str> = episodes.damaged.iter().map(|(_, what)| what.split(';').next().unwrap()).collect();
        assert_eq!(
            said,
            ["episode format 3 is not known", "trace format 7 is not known", "episode format 4 is not known"]
        );
        assert!(episodes.damaged[0].1.ends_with("use the version that wrote it"));
    }

    #[test]
    fn an_endless_line_takes_no_endless_memory() {
        let record = line(&record(0));
        let long = std::io::repeat(b'x').take(MAX_LINE as u64 * 2);
        let text = std::io::BufReader::new(long.chain("\n".as_bytes()).chain(record.as_bytes()));
        let episodes = read(text).unwrap();
        assert_eq!(episodes.damaged, [(1, format!("longer than {MAX_LINE} bytes"))]);
        assert_eq!(episodes.records.len(), 1);
    }
    /// A file of some trials, in any order, and its index.
    fn indexed(name: &str, trials: impl Iterator<Item = u32>) -> Episodes {
        let path = std::env::temp_dir().join(format!("probity-{name}-{}", std::process::id()));
        let text: String = trials.map(|trial| line(&record(trial))).collect();
        std::fs::write(&path, text).unwrap();
        Episodes::index(&path).unwrap()
    }

    #[test]
    fn records_come_in_unit_order_and_no_more_at_a_time_than_a_batch_has() {
        let count = 2 * u32::try_from(BATCH).unwrap() + 5;
        let episodes = indexed("batches", (0..count).rev().chain([3]));
        let batches: Vec<Vec<u32>> =
            episodes.batches().map(|batch| batch.unwrap().iter().map(|record| record.trial).collect()).collect();
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [BATCH, BATCH, 6]);
        let mut expected: Vec<u32> = (0..count).chain([3]).collect();
        expected.sort_unstable();
        assert_eq!(batches.concat(), expected);
        assert_eq!(episodes.load().unwrap().len(), episodes.entries.len());
        std::fs::remove_file(&episodes.path).unwrap();
    }

    /// What is handed on in passing, how often that was begun, and whose lines were found.
    fn passed(path: &Path) -> (Vec<u32>, usize, Vec<u32>) {
        let begun = std::cell::Cell::new(0);
        let begin = || {
            begun.set(begun.get() + 1);
            Vec::new()
        };
        let take = |taken: &mut Vec<u32>, batch: Vec<EpisodeRecord>| {
            assert!((1..=BATCH).contains(&batch.len()));
            taken.extend(batch.iter().map(|record| record.trial));
        };
        let (episodes, taken) = Episodes::pass(path, begin, take).unwrap();
        let entries = episodes.entries.iter().map(|entry| entry.trial).collect();
        assert_eq!(episodes.load().unwrap().len(), taken.len());
        (taken, begun.get(), entries)
    }

    #[test]
    fn a_file_in_unit_order_is_read_once_and_any_other_comes_in_that_order_too() {
        let count = 2 * u32::try_from(BATCH).unwrap() + 5;
        let all: Vec<u32> = (0..count).collect();
        let last = count - 1;
        for (what, trials, times) in [
            ("in order", all.clone(), 1),
            ("the last first", [vec![last], all[..all.len() - 1].to_vec()].concat(), 2),
            (
                "two of two batches the wrong way round",
                {
                    let mut all = all.clone();
                    all.swap(BATCH - 1, BATCH);
                    all
                },
                2,
            ),
        ] {
            let path = indexed("passed", trials.into_iter()).path;
            assert_eq!(passed(&path), (all.clone(), times, all.clone()), "{what}");
        }
        // One recorded twice, and a line that is none.
        let path = indexed("passed", [0, 1, 1, 2].into_iter()).path;
        assert_eq!(passed(&path), (vec![0, 1, 1, 2], 2, vec![0, 1, 1, 2]));
        std::fs::write(&path, format!("{}no line\n{}", line(&record(4)), line(&record(5)))).unwrap();
        assert_eq!(passed(&path), (vec![4, 5], 2, vec![4, 5]));
        std::fs::write(&path, "").unwrap();
        assert_eq!(passed(&path), (vec![], 1, vec![]));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_batch_is_bounded_in_bytes_and_never_empty() {
        let entry = |length| EpisodeLine::of(&record(0), LineSpan { offset: 0, length, hash: Hash::of_bytes(b"") });
        let half = BATCH_BYTES / 2;
        assert_eq!(batch_length(&[entry(half), entry(half), entry(1)]), 2);
        assert_eq!(batch_length(&[entry(3 * BATCH_BYTES), entry(1)]), 1);
        assert_eq!(batch_length(&[]), 0);
    }

    #[test]
    fn a_file_that_changes_under_the_reader_is_told() {
        let episodes = indexed("changed", 0..3);
        let text = std::fs::read_to_string(&episodes.path).unwrap();
        let (end, digest) =
            (text[..text.len() / 2].to_owned(), text.replacen("\"engine\":\"0.1.0\"", "\"engine\":\"0.1.1\"", 1));
        for other in [text.replace("\"trial\":1", "\"trial\":7"), digest, end, String::new()] {
            std::fs::write(&episodes.path, other).unwrap();
            let error = episodes.load().unwrap_err();
            assert!(matches!(error, RunError::Changed { .. }) && error.to_string().contains("sell slow #"), "{error}");
        }
        std::fs::remove_file(&episodes.path).unwrap();
        assert!(episodes.load().is_err());
    }
}
