//! Parts of a planned run made one: each unit's record once, wherever it was played.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use super::config::RunConfig;
use super::episodes::{PlaceReader, parse};
use super::error::{RunError, failed};
use super::journal::{self, LineSpan, Lines};
use super::record::EpisodeRecord;
use super::replay::parting;
use super::unit::{USER_UNIT, Unit, Units};
use crate::agent::spec::AgentSpec;
use crate::provider::cassette::{self, Entries};
use probity_engine::{Hash, ListHasher, read::read_named};

/// Files that are held open at most while lines are copied.
const MAX_OPEN: usize = 200;

/// A record of a part: whose it is, by the unit's number, and where it stands.
#[derive(Clone, Copy)]
struct Held {
    number: usize,
    place: LineSpan,
    /// The number of its file.
    part: u32,
    /// Nobody could be asked: any other record of the unit is better.
    is_unreached: bool,
}

/// What was found in the file of a part.
pub struct Taken {
    /// How many records.
    pub episodes: usize,
    /// What [`PartEnd`](super::part::PartEnd) says of its lines.
    pub lines: Hash,
    /// Line numbers (from 1) with what is wrong; their units are played again, or missing.
    pub damaged: Vec<(usize, String)>,
    /// Whether the last line was cut off, as by a kill.
    pub is_torn: bool,
}

/// Two records of one unit that say different things.
pub struct Parting {
    /// The unit.
    pub unit: String,
    /// Their files, in the order in which they were given.
    pub files: [PathBuf; 2],
    /// Where they part first: a path into the trace, and what each says there.
    pub first: String,
    /// Whether its agent or its user may say something else each time, so that neither is wrong.
    pub is_free: bool,
    apart: Held,
}

/// The records of a plan's units, wherever they stand.
pub struct Merge<'a> {
    units: &'a Units,
    files: Vec<PathBuf>,
    held: Vec<Held>,
}

impl<'a> Merge<'a> {
    /// None yet, of these units.
    pub fn new(units: &'a Units) -> Merge<'a> {
        Merge { units, files: Vec::new(), held: Vec::new() }
    }

    /// Takes in a file of episodes. Each is held against its unit and its digest; none is kept in memory.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn add(&mut self, path: &Path) -> Result<Taken, RunError> {
        let part = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(path.to_owned());
        let units = self.units;
        let held = |line: &[u8], place| held(&parse(line)?, units, (part, place));
        let file = journal::open(path).map_err(|error| failed(path, &error))?;
        let mut lines = ListHasher::default();
        let mut taken = Taken { episodes: 0, lines: Hash::of_bytes(b""), damaged: Vec::new(), is_torn: false };
        for batch in journal::batches(BufReader::new(file), held) {
            let Lines { records, damaged, is_torn } = batch.map_err(|error| failed(path, &error))?;
            records.iter().for_each(|held| lines.add(&held.place.hash.to_string()));
            taken.episodes += records.len();
            self.held.extend(records);
            taken.damaged.extend(damaged);
            taken.is_torn |= is_torn;
        }
        Ok(Taken { lines: lines.hash(), ..taken })
    }

    /// Leaves one record of each unit: of those that say something the first that was taken in. Those that say something
    /// else than it are told.
    ///
    /// # Errors
    /// A file cannot be read, or was changed meanwhile.
    pub fn settle(&mut self, config: &RunConfig) -> Result<Vec<Parting>, RunError> {
        self.held.sort_unstable_by_key(|held| (held.number, held.is_unreached, held.part, held.place.offset));
        let mut readers = Readers::of(&self.files);
        let mut partings = Vec::new();
        for doubles in self.held.chunk_by(|a, b| a.number == b.number) {
            let Some((kept, others)) = doubles.split_first() else { continue };
            let is_other = |other: &&Held| other.place.hash != kept.place.hash && !other.is_unreached;
            for other in others.iter().filter(is_other) {
                let Some(unit) = self.units.get(kept.number) else { continue };
                let records = [readers.record(kept, &unit)?, readers.record(other, &unit)?];
                if let Some(first) = parting(&records[0], &records[1]) {
                    let files =
                        [kept, other].map(|held| self.files.get(held.part as usize).cloned().unwrap_or_default());
                    let is_free = !config.is_deterministic(&unit.agent);
                    partings.push(Parting { unit: unit.name(), files, first, is_free, apart: *other });
                }
            }
        }
        self.held.dedup_by_key(|held| held.number);
        Ok(partings)
    }

    /// How many units have a record.
    pub fn recorded(&self) -> usize {
        self.held.len()
    }

    /// The units that have no record although their agents have something to play there.
    pub fn missing<'s>(&'s self, agents: &'s BTreeMap<String, AgentSpec>) -> impl Iterator<Item = Unit> + 's {
        let mut held = self.held.iter().map(|held| held.number).peekable();
        let open = (0..self.units.len()).filter(move |number| held.next_if_eq(number).is_none());
        open.filter_map(|number| self.units.get(number)).filter(|unit| unit.is_played_by(agents))
    }

    /// Copies the records in unit order; each is held against what was found there before.
    ///
    /// # Errors
    /// A file was changed meanwhile, or the copy cannot be written.
    pub fn copy(&self, out: &mut impl Write) -> std::io::Result<()> {
        self.copy_lines(self.held.iter(), out)
    }

    /// The same of the records that were not kept.
    ///
    /// # Errors
    /// As [`Merge::copy`].
    pub fn copy_apart(&self, partings: &[Parting], out: &mut impl Write) -> std::io::Result<()> {
        self.copy_lines(partings.iter().map(|parting| &parting.apart), out)
    }

    fn copy_lines<'h>(&self, mut held: impl Iterator<Item = &'h Held>, out: &mut impl Write) -> std::io::Result<()> {
        let mut readers = Readers::of(&self.files);
        held.try_for_each(|held| {
            let name = || self.units.get(held.number).map(|unit| unit.name()).unwrap_or_default();
            out.write_all(&readers.line(held, name)?)
        })
    }

    /// The traffic of all records that are kept, from the cassettes beside them that are so called; nothing where there
    /// is none.
    ///
    /// # Errors
    /// A cassette cannot be read.
    pub fn cassette(&self, name: &str) -> Result<Option<Entries>, RunError> {
        let mut owned: Vec<(u32, usize)> = self.held.iter().map(|held| (held.part, held.number)).collect();
        owned.sort_unstable();
        let mut all = None;
        for (part, file) in (0..).zip(&self.files) {
            let path = file.with_file_name(name);
            if !path.exists() {
                continue;
            }
            let bad = |what: String| RunError::File { path: path.display().to_string(), what };
            let text = read_named(&path, cassette::MAX_BYTES).map_err(bad)?;
            let entries = cassette::read(&text).map_err(bad)?;
            drop(text);
            let own = owned.get(owned.partition_point(|(of, _)| *of < part)..).unwrap_or_default();
            let own = own.iter().take_while(|(of, _)| *of == part);
            let kept: BTreeSet<String> =
                own.filter_map(|(_, number)| Some(self.units.get(*number)?.asking())).collect();
            let is_kept = |unit: &str| kept.contains(unit.strip_prefix(USER_UNIT).unwrap_or(unit));
            all.get_or_insert_with(Entries::new).extend(entries.into_iter().filter(|((unit, _), _)| is_kept(unit)));
        }
        Ok(all)
    }
}

/// Whose record it is; an error where it is not what its unit gives.
fn held(record: &EpisodeRecord, units: &Units, (part, place): (u32, LineSpan)) -> Result<Held, String> {
    let number = units.place(record.order()).ok_or_else(|| format!("the plan has no unit `{}`", record.name()))?;
    if !units.get(number).is_some_and(|unit| unit.is_recorded_in(record)) {
        return Err(format!("`{}` was played otherwise than the plan says", record.name()));
    }
    match record.trace.digest() == record.digest {
        true => Ok(Held { number, place, part, is_unreached: record.is_unreached() }),
        false => Err(format!("the digest of `{}` is not that of its trace", record.name())),
    }
}

/// Readers of the parts' files; where there are many none stays open.
struct Readers<'f> {
    readers: Vec<PlaceReader<'f>>,
}

impl<'f> Readers<'f> {
    fn of(files: &'f [PathBuf]) -> Readers<'f> {
        Readers { readers: files.iter().map(|path| PlaceReader::new(path)).collect() }
    }

    fn line(&mut self, held: &Held, name: impl FnOnce() -> String) -> std::io::Result<Vec<u8>> {
        let is_closed = self.readers.len() > MAX_OPEN;
        let gone = || std::io::Error::other("there is no such part");
        let reader = self.readers.get_mut(held.part as usize).ok_or_else(gone)?;
        let line = reader.line(held.place, name);
        if is_closed {
            reader.close();
        }
        line
    }

    fn record(&mut self, held: &Held, unit: &Unit) -> Result<EpisodeRecord, RunError> {
        let unread = |what: String| RunError::Changed { path: unit.name(), what };
        let line = self.line(held, || unit.name()).map_err(|error| unread(error.to_string()))?;
        parse(&line).map_err(unread)
    }
}
