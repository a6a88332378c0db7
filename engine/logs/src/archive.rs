//! A zip archive in memory: its entries by name, unpacked one at a time.

use std::io::Read;
use std::sync::Arc;

use serde_json::Value;

use crate::input::MAX_UNPACKED;
use crate::json;
use crate::place::{Place, Unit};
use crate::unread::Fault;
use probity_wire::inflate::{Crc, Inflate, Zstd};

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
