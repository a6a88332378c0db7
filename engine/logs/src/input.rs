//! The bytes of a log: unpacked, entry by entry where it is a zip archive, and told to be lines or one text.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use serde_json::Value;

use super::document::{Document, MAX_HELD, is_message, unreadable};
use super::json;
use super::unread::{Fault, Place, Unit};
use probity_wire::inflate::{Crc, Gunzip, Inflate, Zstd};

/// The longest line that is read, in bytes.
pub const MAX_LINE: u64 = 256 * 1024 * 1024;
/// The largest file that is read whole: an archive, or an object that is not written line by line.
pub const MAX_WHOLE: u64 = MAX_HELD;
/// The most that is unpacked of one file.
pub const MAX_UNPACKED: u64 = 16 * 1024 * 1024 * 1024;

/// How many blank lines may stand before the first value for it to be looked at.
const MAX_BLANK: usize = 1000;
/// How much of a first line is read to see whether a list begins there.
const MAX_FIRST: usize = 1 << 20;
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a log is made of.
pub(crate) enum Input<'a> {
    /// Values one after the other, wherever its lines break.
    Whole(Document<'a>),
    /// A value on each line.
    Lines(Lines<'a>),
    /// An archive, of which entries are read.
    Archive(Archive),
}

/// The lines of a log.
pub(crate) struct Lines<'a> {
    /// Lines that were read to see what they are.
    ahead: VecDeque<Vec<u8>>,
    input: Box<dyn BufRead + 'a>,
    number: usize,
    document: Option<Document<'a>>,
    is_over: bool,
}

/// Looks at what a log is.
///
/// # Errors
/// It cannot be read or unpacked, or is too large.
pub(crate) fn open<'a>(input: impl Read + 'a) -> Result<Input<'a>, Fault> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut magic = [0; 4];
    let mut filled = 0;
    while let Some(free) = magic.get_mut(filled..).filter(|free| !free.is_empty()) {
        match input.read(free).map_err(|error| unreadable(&error))? {
            0 => break,
            read => filled += read,
        }
    }
    let magic = magic.get(..filled).unwrap_or_default().to_vec();
    let kind = magic.clone();
    let input = io::Cursor::new(magic).chain(input);
    match kind.as_slice() {
        [b'P', b'K', 3 | 5, ..] => {
            let bytes = whole(input, Vec::new())?;
            let help = "copy the archive again; one that is still being written has no directory yet";
            Archive::new(bytes).map(Input::Archive).map_err(|what| Fault::file(what, help))
        }
        [0x1F, 0x8B, ..] => {
            let input = Gunzip::new(input).map_err(|error| unreadable(&error))?;
            texts(Box::new(BufReader::new(input.take(MAX_UNPACKED))))
        }
        [0x28, 0xB5, 0x2F, 0xFD] => {
            let input = Zstd::new(input).map_err(|error| unreadable(&error))?;
            texts(Box::new(BufReader::new(input.take(MAX_UNPACKED))))
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            Err(Fault::file("it is written in UTF-16", "write it as UTF-8: `iconv -f UTF-16 -t UTF-8`"))
        }
        _ => texts(Box::new(input)),
    }
}

/// Whether a text holds a value a line, or values that run over lines.
fn texts<'a>(input: Box<dyn BufRead + 'a>) -> Result<Input<'a>, Fault> {
    let mut lines = Lines { ahead: VecDeque::new(), input, number: 0, document: None, is_over: false };
    let mut read = Vec::new();
    let first = loop {
        let number = read.len();
        let Some(mut line) = lines.begin()? else { break &[][..] };
        let is_cut = line.len() >= MAX_FIRST;
        if read.is_empty() && line.starts_with(MARK) {
            line.drain(..MARK.len());
        }
        if is_cut && is_list_of_dialogues(&line) {
            read.push(line);
            return Ok(Input::Whole(Document::begun(read.concat(), lines.input)));
        }
        if is_cut {
            lines.go_on(&mut line, MAX_WHOLE)?;
        }
        let is_blank = line.trim_ascii().is_empty();
        read.push(line);
        if !is_blank || read.len() > MAX_BLANK {
            break read.get(number).map(Vec::as_slice).unwrap_or_default();
        }
    };
    let start = json::skip_blank(first, 0);
    let opens = matches!(first.get(start), Some(b'{' | b'['));
    let closes = json::end(first, start).is_some();
    if opens && !closes {
        // A second line that is complete says that the first one is broken, unless it is the only item of a list.
        let is_list = first.trim_ascii().ends_with(b"[") || first.trim_ascii().ends_with(b"{");
        let second = lines.pull(MAX_WHOLE)?;
        let is_second = second.as_deref().is_some_and(is_object);
        read.extend(second);
        if !is_second || is_list {
            return Ok(Input::Whole(Document::begun(read.concat(), lines.input)));
        }
    }
    lines.ahead = read.into();
    Ok(Input::Lines(lines))
}

/// Whether a list begins here whose first item is no message: the list is not one dialogue.
fn is_list_of_dialogues(line: &[u8]) -> bool {
    let start = json::skip_blank(line, 0);
    let first = json::skip_blank(line, start + 1);
    let item = json::end(line, first).and_then(|end| line.get(first..end));
    let is_message = |item: &[u8]| json::parse(item).is_ok_and(|item| is_message(&item));
    line.get(start) == Some(&b'[') && !item.is_some_and(is_message)
}

fn is_object(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"{") && json::end(line, 0) == Some(line.len())
}

fn whole(input: impl Read, mut bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    input.take(MAX_WHOLE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > MAX_WHOLE {
        let what = format!("it is larger than {} MiB and not written line by line", MAX_WHOLE >> 20);
        return Err(Fault::file(what, "write one dialogue a line (`jq -c '.[]'`), or several files"));
    }
    Ok(bytes)
}

impl Lines<'_> {
    /// The next unit, or what stands in its place.
    pub(crate) fn next(&mut self) -> Option<Result<Unit, Fault>> {
        loop {
            if let Some(unit) = self.document.as_mut().and_then(Document::next) {
                return Some(unit);
            }
            let line = match self.ahead.pop_front() {
                Some(line) => line,
                None if self.is_over => return None,
                None => match self.pull(MAX_LINE) {
                    Ok(line) => line?,
                    Err(fault) => {
                        self.number += 1;
                        return Some(Err(Fault { line: self.number, ..fault }));
                    }
                },
            };
            self.number += 1;
            self.document = Some(Document::new(line, self.number));
        }
    }

    /// The next line. One that is too long is passed over; what cannot be read is the end.
    fn pull(&mut self, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
        let Some(mut line) = self.begin()? else { return Ok(None) };
        if line.len() >= MAX_FIRST {
            self.go_on(&mut line, limit)?;
        }
        Ok(Some(line))
    }

    /// The beginning of the next line.
    fn begin(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let mut line = Vec::new();
        self.read(&mut line, MAX_FIRST as u64)?;
        Ok(Some(line).filter(|line| !line.is_empty()))
    }

    /// Reads the rest of a line that was begun.
    fn go_on(&mut self, line: &mut Vec<u8>, limit: u64) -> Result<(), Fault> {
        if line.ends_with(b"\n") {
            return Ok(());
        }
        self.read(line, limit + 1 - line.len() as u64)?;
        if line.len() as u64 > limit {
            self.input.skip_until(b'\n').map_err(|error| self.ended(&error))?;
            let what = format!("the line is longer than {} MiB", limit >> 20);
            return Err(Fault::file(what, "write smaller dialogues; the other lines were read"));
        }
        Ok(())
    }

    fn read(&mut self, line: &mut Vec<u8>, most: u64) -> Result<usize, Fault> {
        self.input.by_ref().take(most).read_until(b'\n', line).map_err(|error| self.ended(&error))
    }

    fn ended(&mut self, error: &io::Error) -> Fault {
        self.is_over = true;
        unreadable(error)
    }
}

/// The largest entry that is unpacked, in bytes.
const MAX_ENTRY: u64 = 512 * 1024 * 1024;
/// The most entries that are listed.
const MAX_ENTRIES: usize = 1_000_000;

/// A file of the archive.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    name: String,
    method: u16,
    sum: u32,
    packed: usize,
    offset: usize,
}

/// An archive with its entries in the order of its directory.
pub(crate) struct Archive {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// The entry that comes next.
    at: usize,
    /// How much may still be unpacked.
    left: u64,
    /// What is said of all of them.
    head: Option<Arc<Value>>,
}

impl Archive {
    /// Reads the directory at the end of the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Archive, String> {
        let entries = directory(&bytes).ok_or("the directory at the end of the archive is missing or damaged")?;
        Ok(Archive { bytes, entries, at: 0, left: MAX_UNPACKED, head: None })
    }

    /// The next sample, or what stands in its place.
    pub(crate) fn next(&mut self) -> Option<Result<Unit, Fault>> {
        if self.head.is_none() {
            // An evaluation that did not end has its journal alone.
            let heads = ["header.json", "_journal/start.json"].iter();
            let heads = heads.filter_map(|name| self.entries.iter().find(|entry| entry.name == *name).cloned());
            let heads: Vec<Entry> = heads.collect();
            let head = heads.iter().find_map(|entry| json::parse(&self.unpack(entry).ok()?).ok());
            self.head = Some(Arc::new(head.unwrap_or_default()));
        }
        while let Some(entry) = self.entries.get(self.at).cloned() {
            self.at += 1;
            if !entry.name.starts_with("samples/") || !entry.name.ends_with(".json") {
                continue;
            }
            let place = Place { line: 0, column: 0, pointer: format!("{}#", entry.name) };
            let help = "copy the archive again; its other samples were read";
            let read = self.unpack(&entry).and_then(|bytes| {
                let value = json::parse(&bytes).map_err(|error| format!("this is no JSON: {error}"))?;
                Ok(Unit { value, head: self.head.clone(), place: place.clone(), size: bytes.len() })
            });
            return Some(read.map_err(|what| place.fault("", what, help)));
        }
        None
    }

    fn unpack(&mut self, entry: &Entry) -> Result<Vec<u8>, String> {
        // Entries may lie over each other, and be small and many.
        let limit = MAX_ENTRY.min(self.left);
        let packed = self.packed(entry).ok_or("it lies outside of the archive")?;
        let mut out = Vec::new();
        let read = match entry.method {
            0 => packed.take(limit + 1).read_to_end(&mut out).map_err(|error| error.to_string()),
            8 => Inflate::new(packed).take(limit + 1).read_to_end(&mut out).map_err(|error| error.to_string()),
            93 => Zstd::new(packed)
                .and_then(|input| input.take(limit + 1).read_to_end(&mut out))
                .map_err(|error| error.to_string()),
            other => Err(format!("it is packed by method {other}; deflate and zstd are read")),
        };
        self.left = self.left.saturating_sub(out.len() as u64);
        read?;
        let mut sum = Crc::default();
        sum.add(&out);
        match () {
            () if out.len() as u64 > limit => Err(format!("it is larger than {} MiB", limit >> 20)),
            () if sum.sum() != entry.sum => Err("its checksum is not that of what it holds".to_owned()),
            () => Ok(out),
        }
    }

    fn packed(&self, entry: &Entry) -> Option<&[u8]> {
        let local = self.bytes.get(entry.offset..)?;
        local.strip_prefix(b"PK\x03\x04")?;
        let start = 30 + usize::from(short(local, 26)?) + usize::from(short(local, 28)?);
        local.get(start..start.checked_add(entry.packed)?)
    }
}

fn directory(bytes: &[u8]) -> Option<Vec<Entry>> {
    // The record at the end is followed by a comment of at most 64 KiB.
    let from = bytes.len().saturating_sub(22 + 0xFFFF);
    let tail = bytes.get(from..)?;
    let at = from + tail.windows(4).rposition(|four| four == b"PK\x05\x06")?;
    let end = bytes.get(at..)?;
    let (count, mut at) = (usize::from(short(end, 10)?), usize::try_from(long(end, 16)?).ok()?);
    let mut entries = Vec::new();
    // An archive of more entries than the record can count says 65,535.
    while entries.len() < count || (count == 0xFFFF && entries.len() < MAX_ENTRIES) {
        let Some(head) = bytes.get(at..).filter(|head| head.starts_with(b"PK\x01\x02")) else { break };
        let [name, extra, comment] = [28, 30, 32].map(|place| short(head, place).map(usize::from));
        let (name, extra, comment) = (name?, extra?, comment?);
        entries.push(Entry {
            name: String::from_utf8_lossy(head.get(46..46 + name)?).into_owned(),
            method: short(head, 10)?,
            sum: long(head, 16)?,
            packed: usize::try_from(long(head, 20)?).ok()?,
            offset: usize::try_from(long(head, 42)?).ok()?,
        });
        at += 46 + name + extra + comment;
    }
    if entries.len() < count {
        return None;
    }
    Some(entries)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
