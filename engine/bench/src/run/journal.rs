//! Files of one record a line, written whole or not at all, and read within limits whatever they hold; and what is
//! written before it is known what stands before it.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use probity_engine::{Hash, write_whole};

/// Longest line, in bytes.
pub const MAX_LINE: usize = 64 << 20;
/// Most lines that are held at a time while a file is read.
pub const BATCH: usize = 64;
/// Bytes after which no more lines are taken into a batch.
pub const BATCH_BYTES: u64 = 4 << 20;

/// Where a line stands in its file, and what it says there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSpan {
    /// Bytes before it.
    pub offset: u64,
    /// Its own bytes, the line break among them.
    pub length: u64,
    /// Their hash: a line that was changed is no longer this one.
    pub hash: Hash,
}

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

/// Opens a regular file: a pipe or a device has no end, and the first none to open it.
///
/// # Errors
/// It cannot be opened, or is none.
pub(super) fn open(path: &Path) -> Result<File> {
    let regular = |is_file| if is_file { Ok(()) } else { Err(std::io::Error::other("it is no regular file")) };
    regular(std::fs::metadata(path)?.is_file())?;
    let file = File::open(path)?;
    regular(file.metadata()?.is_file())?;
    Ok(file)
}

/// Reads a file of records batch by batch, the lines of a batch in parallel; what `parse` makes of each is kept, the
/// line is not.
///
/// # Errors
/// The file cannot be read.
pub fn read<T, E>(
    reader: impl BufRead,
    parse: impl Fn(&[u8], LineSpan) -> std::result::Result<T, E> + Sync,
) -> Result<Lines<T>>
where
    T: Send,
    E: ToString,
{
    let mut lines = Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false };
    for batch in batches(reader, parse) {
        let Lines { records, damaged, is_torn } = batch?;
        lines.records.extend(records);
        lines.damaged.extend(damaged);
        lines.is_torn |= is_torn;
    }
    Ok(lines)
}

/// The same, each batch by itself.
pub fn batches<T, E>(
    reader: impl BufRead,
    parse: impl Fn(&[u8], LineSpan) -> std::result::Result<T, E> + Sync,
) -> impl Iterator<Item = Result<Lines<T>>>
where
    T: Send,
    E: ToString,
{
    let mut raw = RawLines { reader, offset: 0, number: 0 };
    let batch = move || -> Result<Option<Lines<T>>> {
        let batch = raw.batch()?;
        let parsed = |line: &RawLine| match &line.text {
            None => Err(format!("longer than {MAX_LINE} bytes")),
            Some(text) => parse(text, line.place(text)).map_err(|error| error.to_string()),
        };
        let parsed: Vec<_> = batch.par_iter().map(parsed).collect();
        let mut lines = Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false };
        batch.iter().zip(parsed).for_each(|(line, parsed)| lines.add(line, parsed));
        Ok((!batch.is_empty()).then_some(lines))
    };
    std::iter::repeat_with(batch).map_while(Result::transpose)
}

impl<T> Lines<T> {
    fn add(&mut self, line: &RawLine, parsed: std::result::Result<T, String>) {
        match parsed {
            Ok(record) if line.is_whole => self.records.push(record),
            Ok(_) => self.is_torn = true,
            Err(_) if !line.is_whole => self.is_torn = true,
            Err(what) => self.damaged.push((line.number, what)),
        }
    }
}

struct RawLine {
    number: usize,
    offset: u64,
    length: u64,
    /// Nothing for a line longer than is allowed.
    text: Option<Vec<u8>>,
    is_whole: bool,
}

impl RawLine {
    fn place(&self, text: &[u8]) -> LineSpan {
        LineSpan { offset: self.offset, length: self.length, hash: Hash::of_bytes(text) }
    }
}

/// The lines of a file; none takes more memory than the longest that is allowed.
struct RawLines<R> {
    reader: R,
    offset: u64,
    number: usize,
}

impl<R: BufRead> RawLines<R> {
    fn batch(&mut self) -> Result<Vec<RawLine>> {
        let mut batch = Vec::new();
        let start = self.offset;
        while batch.len() < BATCH && self.offset - start < BATCH_BYTES {
            let Some(line) = self.line()? else { break };
            batch.push(line);
        }
        Ok(batch)
    }

    fn line(&mut self) -> Result<Option<RawLine>> {
        let mut text = Vec::new();
        let mut length = self.reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut text)?;
        if length == 0 {
            return Ok(None);
        }
        let is_too_long = length > MAX_LINE;
        let mut is_whole = text.ends_with(b"\n");
        if is_too_long && !is_whole {
            let rest = self.reader.skip_until(b'\n')?;
            (length, is_whole) = (length + rest, rest > 0);
        }
        let (offset, length) = (self.offset, length as u64);
        self.offset += length;
        self.number += 1;
        Ok(Some(RawLine { number: self.number, offset, length, text: (!is_too_long).then_some(text), is_whole }))
    }
}

/// A record as its line.
///
/// # Errors
/// It has no JSON form.
pub fn line(record: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

/// Writes a file whole: beside it first, then into its place.
///
/// # Errors
/// It cannot be written; what was there before is still there.
pub fn write(path: &Path, text: &str) -> Result<()> {
    write_whole(path, |file| file.write_all(text.as_bytes()))
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

    /// Writes one record and hands it to the system at once; says where it stands.
    ///
    /// # Errors
    /// It has no JSON form, or cannot be written, for instance because the disk is full; no part of it stays.
    pub fn push(&mut self, record: &impl Serialize) -> Result<LineSpan> {
        let line = line(record)?;
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // When even that fails, the torn line is cut off by whoever goes on with the file.
            let _ = self.file.set_len(self.whole);
            return Err(error);
        }
        let hash = Hash::of_bytes(line.as_bytes());
        let place = LineSpan { offset: self.whole, length: line.len() as u64, hash };
        self.whole += place.length;
        Ok(place)
    }

    /// Whether the file under its name is as long as what was written and found there.
    ///
    /// # Errors
    /// It is not there any more.
    pub fn is_all(&self, path: &Path) -> Result<bool> {
        Ok(std::fs::metadata(path)?.len() == self.whole)
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

/// A file to write and read again; it is gone with this.
#[derive(Debug)]
pub struct Spool {
    file: File,
    path: PathBuf,
}

impl Spool {
    /// One beside a file that is to be written.
    ///
    /// # Errors
    /// It cannot be made there.
    pub fn beside(path: &Path) -> Result<Spool> {
        let mut name = path.as_os_str().to_owned();
        name.push(".spool");
        Spool::create(Path::new(&name))
    }

    /// Makes the file, empty; what an earlier process left there is overwritten.
    pub(super) fn create(path: &Path) -> Result<Spool> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Spool { file, path: path.to_owned() })
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What stays is overwritten by the next one.
        let _ = fs::remove_file(&self.path);
    }
}

impl Read for Spool {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.file.read(buffer)
    }
}

impl Write for Spool {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.file.seek(to)
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
    #[test]
    fn no_more_lines_are_held_than_a_batch_has() {
        let raw = |text: &[u8]| {
            let mut raw = RawLines { reader: text, offset: 0, number: 0 };
            std::iter::from_fn(|| raw.batch().ok().filter(|batch| !batch.is_empty()).map(|b| b.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(raw("x\n".repeat(2 * BATCH + 1).as_bytes()), [BATCH, BATCH, 1]);
        let wide = "x".repeat(usize::try_from(BATCH_BYTES).unwrap() * 2 / 3) + "\n";
        assert_eq!(raw(wide.repeat(5).as_bytes()), [2, 2, 1]);
        assert!(raw(b"").is_empty());
    }

    #[test]
    fn places_say_where_lines_stand() {
        let text = "a\n\nbcd\ne";
        let lines = read(text.as_bytes(), |line, place| Ok::<_, String>((line.to_vec(), place))).unwrap();
        assert!(lines.is_torn && lines.records.len() == 3);
        for (line, LineSpan { offset, length, hash }) in lines.records {
            let start = usize::try_from(offset).unwrap();
            assert_eq!(text.as_bytes()[start..start + usize::try_from(length).unwrap()], line);
            assert_eq!(hash, Hash::of_bytes(&line));
        }
    }

    #[test]
    fn a_record_without_a_json_form_is_no_empty_line() {
        let path = std::env::temp_dir().join(format!("probity-unwritable-{}", std::process::id()));
        write(&path, "").unwrap();
        let unwritable = std::collections::BTreeMap::from([((), ())]);
        assert!(Appender::open(&path).unwrap().push(&unwritable).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        std::fs::remove_file(path).unwrap();
    }
}
