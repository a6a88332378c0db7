//! A zip archive, written as it comes: every entry packed, none with a time of its own.

use std::io::{self, Write};

use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params};
use probity_wire::inflate::Crc;

const LEVEL: i32 = 6;
/// DEFLATE without a header of its own.
const RAW: i32 = -15;
/// The version that can read it, names in UTF-8, packed by DEFLATE, at midnight of the first day of 1980.
const KIND: [u16; 5] = [45, 1 << 11, 8, 0, (1 << 5) | 1];
/// What stands for a number that has its place among the long ones.
const LONG: u32 = u32::MAX;

/// A text while it is being packed.
pub(crate) struct Packed {
    deflate: Box<CompressorOxide>,
    sum: Crc,
    size: u64,
    bytes: Vec<u8>,
}

impl Packed {
    pub fn new() -> Packed {
        let flags = create_comp_flags_from_zip_params(LEVEL, RAW, 0);
        Packed { deflate: Box::new(CompressorOxide::new(flags)), sum: Crc::default(), size: 0, bytes: Vec::new() }
    }

    /// Adds to the text, as long as it is no longer than an entry may be.
    pub fn add(&mut self, text: &str) -> io::Result<()> {
        self.size += text.len() as u64;
        short(self.size)?;
        self.sum.add(text.as_bytes());
        self.feed(text.as_bytes(), TDEFLFlush::None);
        Ok(())
    }

    fn feed(&mut self, text: &[u8], flush: TDEFLFlush) {
        let bytes = &mut self.bytes;
        compress_to_output(&mut self.deflate, text, flush, |out| {
            bytes.extend_from_slice(out);
            true
        });
    }
}

/// An archive with its directory.
pub(crate) struct Archive<'w, W> {
    out: &'w mut W,
    at: u64,
    count: u64,
    directory: Vec<u8>,
}

impl<'w, W: Write> Archive<'w, W> {
    pub fn new(out: &'w mut W) -> Self {
        Archive { out, at: 0, count: 0, directory: Vec::new() }
    }

    /// Writes an entry.
    pub fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let mut packed = Packed::new();
        packed.add(text)?;
        self.entry(name, packed)
    }

    /// Writes an entry that is packed.
    pub fn entry(&mut self, name: &str, mut packed: Packed) -> io::Result<()> {
        packed.feed(&[], TDEFLFlush::Finish);
        let Packed { sum, size, bytes, .. } = packed;
        let name_size = u16::try_from(name.len()).map_err(io::Error::other)?;
        let mut about = joined(&KIND);
        for number in [sum.sum(), short(bytes.len() as u64)?, short(size)?] {
            about.extend(number.to_le_bytes());
        }
        about.extend(name_size.to_le_bytes());
        let begin = [b"PK\x03\x04".as_slice(), &about, &[0; 2], name.as_bytes()].concat();
        // A place beyond four gigabytes stands among the long numbers.
        let far = [[1, 0, 8, 0].as_slice(), &self.at.to_le_bytes()].concat();
        let (near, far) = u32::try_from(self.at).map_or((LONG, far), |near| (near, Vec::new()));
        let extra = [u8::try_from(far.len()).unwrap_or_default(), 0];
        let own = [b"PK\x01\x02".as_slice(), &[45, 0], &about, &extra, &[0; 10], &near.to_le_bytes()];
        self.directory.extend([own.concat().as_slice(), name.as_bytes(), &far].concat());
        self.count += 1;
        self.put(&begin)?;
        self.put(&bytes)
    }

    /// Writes the directory, and where it stands.
    pub fn finish(mut self) -> io::Result<()> {
        let (start, count) = (self.at.to_le_bytes(), self.count.to_le_bytes());
        let directory = std::mem::take(&mut self.directory);
        self.put(&directory)?;
        let (end, size) = (self.at.to_le_bytes(), (directory.len() as u64).to_le_bytes());
        let long =
            [b"PK\x06\x06".as_slice(), &44_u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8], &count, &count, &size, &start];
        self.put(&long.concat())?;
        self.put(&[b"PK\x06\x07".as_slice(), &[0; 4], &end, &[1, 0, 0, 0]].concat())?;
        let few = u16::try_from(self.count).unwrap_or(u16::MAX).to_le_bytes();
        let near = |place: [u8; 8]| u32::try_from(u64::from_le_bytes(place)).unwrap_or(LONG).to_le_bytes();
        let last = [b"PK\x05\x06".as_slice(), &[0; 4], &few, &few, &near(size), &near(start), &[0; 2]];
        self.put(&last.concat())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// A size of an entry.
fn short(size: u64) -> io::Result<u32> {
    let what = "an entry of the archive is larger than 4 GiB: write to a file that ends in `.json`, or fewer episodes";
    u32::try_from(size).map_err(|_| io::Error::other(what))
}

fn joined(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_grows_too_large_is_refused_at_once() {
        let mut packed = Packed { size: u64::from(u32::MAX) - 1, ..Packed::new() };
        packed.add("a").unwrap();
        let error = packed.add("b").unwrap_err().to_string();
        assert!(error.contains("`.json`"), "{error}");
    }
}
