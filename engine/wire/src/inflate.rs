//! What was packed with DEFLATE or zstd, unpacked as it is read.

use std::io::{self, BufRead, Read};

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Unpacks one stream without a header of its own.
pub struct Inflate<R> {
    input: R,
    state: Box<InflateState>,
    is_done: bool,
}

impl<R: BufRead> Inflate<R> {
    /// A stream that begins here.
    pub fn new(input: R) -> Self {
        Inflate { input, state: InflateState::new_boxed(DataFormat::Raw), is_done: false }
    }

    /// What stands behind the stream, once it was read to its end.
    fn into_rest(self) -> R {
        self.input
    }
}

impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !self.is_done && !out.is_empty() {
            let packed = self.input.fill_buf()?;
            let is_end = packed.is_empty();
            let made = inflate(&mut self.state, packed, out, MZFlush::None);
            self.input.consume(made.bytes_consumed);
            match made.status {
                Ok(MZStatus::StreamEnd) => self.is_done = true,
                Ok(MZStatus::Ok | MZStatus::NeedDict) => {}
                Err(_) if made.bytes_written > 0 => {}
                Err(_) => return Err(wrong(if is_end { "it ends too early" } else { "its packed data are damaged" })),
            }
            if made.bytes_written > 0 {
                return Ok(made.bytes_written);
            }
            if is_end && !self.is_done {
                return Err(wrong("it ends too early"));
            }
        }
        Ok(0)
    }
}

/// Unpacks the members of a gzip file, one after the other.
pub struct Gunzip<R> {
    member: Option<Inflate<R>>,
    sum: Crc,
}

impl<R: BufRead> Gunzip<R> {
    /// A file that begins here.
    ///
    /// # Errors
    /// What is read has no header of gzip.
    pub fn new(mut input: R) -> io::Result<Self> {
        header(&mut input)?;
        Ok(Gunzip { member: Some(Inflate::new(input)), sum: Crc::default() })
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(mut member) = self.member.take() {
            let made = member.read(out)?;
            if made > 0 || out.is_empty() {
                self.sum.add(out.get(..made).unwrap_or_default());
                self.member = Some(member);
                return Ok(made);
            }
            let mut input = member.into_rest();
            let mut trailer = [0_u8; 8];
            input.read_exact(&mut trailer).map_err(|_| wrong("it ends too early"))?;
            let [a, b, c, d, ..] = trailer;
            if u32::from_le_bytes([a, b, c, d]) != std::mem::take(&mut self.sum).sum() {
                return Err(wrong("its checksum is not that of what it holds"));
            }
            if input.fill_buf()?.first() == Some(&0x1F) {
                header(&mut input)?;
                self.member = Some(Inflate::new(input));
            }
        }
        Ok(0)
    }
}

/// Unpacks the frames of a zstd file, one after the other.
pub struct Zstd<R: BufRead> {
    frame: Option<StreamingDecoder<R, FrameDecoder>>,
}

impl<R: BufRead> Zstd<R> {
    /// A file that begins here.
    ///
    /// # Errors
    /// What is read does not begin as zstd does.
    pub fn new(input: R) -> io::Result<Self> {
        Ok(Zstd { frame: Some(frame(input)?) })
    }
}

fn frame<R: BufRead>(input: R) -> io::Result<StreamingDecoder<R, FrameDecoder>> {
    StreamingDecoder::new(input).map_err(|error| wrong(&error.to_string()))
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(mut decoder) = self.frame.take() {
            let made = decoder.read(out).map_err(|error| wrong(&error.to_string()))?;
            if made > 0 || out.is_empty() {
                self.frame = Some(decoder);
                return Ok(made);
            }
            let mut input = decoder.into_inner();
            if !input.fill_buf()?.is_empty() {
                self.frame = Some(frame(input)?);
            }
        }
        Ok(0)
    }
}

fn header(input: &mut impl BufRead) -> io::Result<()> {
    let mut fixed = [0_u8; 10];
    input.read_exact(&mut fixed).map_err(|_| wrong("it ends too early"))?;
    let [0x1F, 0x8B, 8, flags, ..] = fixed else { return Err(wrong("its header is not that of gzip")) };
    if flags & 4 != 0 {
        let mut length = [0_u8; 2];
        input.read_exact(&mut length)?;
        pass(input, usize::from(u16::from_le_bytes(length)))?;
    }
    for _ in 0..(u32::from(flags & 8 != 0) + u32::from(flags & 16 != 0)) {
        input.skip_until(0)?;
    }
    pass(input, if flags & 2 != 0 { 2 } else { 0 })
}

fn pass(input: &mut impl BufRead, bytes: usize) -> io::Result<()> {
    io::copy(&mut input.take(bytes as u64), &mut io::sink()).map(drop)
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The checksum of gzip and zip, as far as it was told.
#[derive(Clone, Copy)]
pub struct Crc(u32);

const CRC: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        let (mut sum, mut bit) = (byte as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
            bit += 1;
        }
        #[allow(
            clippy::indexing_slicing,
            reason = "the loop keeps to the table, and a constant is made by the compiler"
        )]
        {
            table[byte] = sum;
        }
        byte += 1;
    }
    table
}

impl Default for Crc {
    fn default() -> Self {
        Crc(u32::MAX)
    }
}

impl Crc {
    /// Tells it more.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = (self.0 >> 8) ^ CRC.get(usize::from(low ^ byte)).copied().unwrap_or_default();
        }
    }

    /// The checksum of what it was told.
    pub fn sum(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut sum = Crc::default();
        sum.add(text);
        let mut file = vec![0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3];
        file.extend(b"name\0");
        file.extend(miniz_oxide::deflate::compress_to_vec(text, 6));
        file.extend(sum.sum().to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file
    }

    fn unpacked(file: &[u8]) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let read = Gunzip::new(file).and_then(|mut input| input.read_to_end(&mut out));
        read.map(|_| out).map_err(|error| error.to_string())
    }

    #[test]
    fn members_are_unpacked_and_damage_is_told() {
        let text = b"{\"a\": 1}\n".repeat(10_000);
        let file = gzip(&text);
        assert_eq!(unpacked(&[file.clone(), file.clone()].concat()).unwrap(), text.repeat(2));
        assert_eq!(unpacked(&file[..file.len() / 2]).unwrap_err(), "it ends too early");
        let mut other = file.clone();
        let at = other.len() - 8;
        other[at] ^= 1;
        assert_eq!(unpacked(&other).unwrap_err(), "its checksum is not that of what it holds");
        let mut damaged = file;
        damaged[15..40].fill(0xFF);
        assert!(unpacked(&damaged).is_err());
    }

    #[test]
    fn the_checksum_is_the_known_one() {
        let mut sum = Crc::default();
        sum.add(b"123456789");
        assert_eq!(sum.sum(), 0xCBF4_3926);
    }
}
