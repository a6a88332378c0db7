//! The bytes of an answer: unpacked where a server packs them unasked, and never more than allowed.

use std::io::{self, BufRead, BufReader, Read};

use probity_wire::inflate::{Gunzip, Inflate, Zstd};

use super::stream;
use super::transport::{Broken, MAX_BODY};

/// Bytes that are read at a time.
const PIECE: usize = 16 << 10;
/// Packings one within the other at most.
const MAX_LAYERS: usize = 4;

/// Why a body could not be read.
#[derive(Debug)]
pub(super) enum Unread {
    /// It is not to be had.
    Broken(Broken),
    /// Reading it failed.
    Read(io::Error),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData => {
                Unread::Broken(Broken::Connection(format!("the answer cannot be unpacked: {error}")))
            }
            _ => Unread::Read(error),
        }
    }
}

/// Reads a body that is packed as `encoding` says, or as its first bytes show; a stream of events only to its end.
pub(super) fn read_body<'a>(input: impl Read + 'a, encoding: Option<&str>, is_stream: bool) -> Result<Vec<u8>, Unread> {
    let encodings: Vec<String> = encoding.unwrap_or_default().split(',').map(|one| one.trim().to_lowercase()).collect();
    if encodings.len() > MAX_LAYERS {
        return Err(Unread::Broken(Broken::Connection("the answer is packed too often".to_owned())));
    }
    let mut input: Box<dyn BufRead + 'a> = Box::new(BufReader::new(input));
    for encoding in encodings.iter().rev() {
        input = unpacked(input, encoding)?;
    }
    // Some pack what they say nothing of.
    if input.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
        input = Box::new(BufReader::new(Gunzip::new(input)?));
    }
    let mut body = Vec::new();
    loop {
        let before = body.len();
        let read = read_piece(&mut input, &mut body)?;
        if body.len() as u64 > MAX_BODY {
            return Err(Unread::Broken(Broken::TooLong(MAX_BODY)));
        }
        // The mark of the end may have come in two pieces.
        let is_end = is_stream && stream::has_ended(body.get(before.saturating_sub(32)..).unwrap_or_default());
        if read == 0 || is_end {
            return Ok(body);
        }
    }
}

/// Reads what there is by now: who waits for more than the end of a stream may wait for ever.
fn read_piece(input: &mut impl Read, body: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; PIECE];
    let read = loop {
        match input.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    body.extend(piece.get(..read).unwrap_or_default());
    Ok(read)
}

fn unpacked<'a>(mut input: Box<dyn BufRead + 'a>, encoding: &str) -> Result<Box<dyn BufRead + 'a>, Unread> {
    let start: Vec<u8> = input.fill_buf()?.iter().take(2).copied().collect();
    Ok(match (encoding, start.as_slice()) {
        ("" | "identity", _) | (_, []) => input,
        // What says that it is packed and is not stands there as it is.
        ("gzip" | "x-gzip", [0x1F, 0x8B]) => Box::new(BufReader::new(Gunzip::new(input)?)),
        ("gzip" | "x-gzip", _) => input,
        ("deflate", [first, second]) if is_zlib(*first, *second) => {
            input.consume(2);
            Box::new(BufReader::new(Inflate::new(input)))
        }
        ("deflate", [b'{' | b'[' | b'd', _]) => input,
        ("deflate", _) => Box::new(BufReader::new(Inflate::new(input))),
        ("zstd", _) => Box::new(BufReader::new(Zstd::new(input)?)),
        (other, _) => {
            let name: String = other.chars().filter(char::is_ascii_graphic).take(20).collect();
            return Err(Unread::Broken(Broken::Connection(format!(
                "the answer is packed with `{name}`, which is not read"
            ))));
        }
    })
}

/// The header of zlib, which some leave out.
fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0F == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One stored block: DEFLATE that packs nothing.
    fn stored(text: &[u8]) -> Vec<u8> {
        let length = u16::try_from(text.len()).unwrap();
        [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), text].concat()
    }

    fn read(bytes: &[u8], encoding: Option<&str>) -> Result<String, String> {
        match read_body(bytes, encoding, false) {
            Ok(body) => Ok(String::from_utf8(body).unwrap()),
            Err(Unread::Broken(broken)) => Err(broken.to_string()),
            Err(Unread::Read(error)) => Err(error.to_string()),
        }
    }

    #[test]
    fn packed_bodies_are_unpacked() {
        let text = b"{\"a\": 1}";
        let raw = stored(text);
        assert_eq!(read(&raw, Some("deflate")).unwrap(), "{\"a\": 1}");
        assert_eq!(read(&[&[0x78, 0x9C][..], &raw].concat(), Some("Deflate")).unwrap(), "{\"a\": 1}");
        let mut sum = probity_wire::inflate::Crc::default();
        sum.add(text);
        let head = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        let gzip = [&head[..], &raw, &sum.sum().to_le_bytes(), &8_u32.to_le_bytes()].concat();
        for encoding in [Some("gzip"), Some("x-gzip"), None, Some("identity")] {
            assert_eq!(read(&gzip, encoding).unwrap(), "{\"a\": 1}");
        }
        let twice = [&[0x78, 0x9C][..], &stored(&gzip)].concat();
        assert_eq!(read(&twice, Some("gzip, deflate")).unwrap(), "{\"a\": 1}");
        for encoding in [None, Some(""), Some("gzip"), Some("deflate")] {
            assert_eq!(read(text, encoding).unwrap(), "{\"a\": 1}", "{encoding:?}");
        }
        assert!(read(&gzip[..12], Some("gzip")).unwrap_err().contains("cannot be unpacked"));
        assert!(read(text, Some("br")).unwrap_err().contains("`br`"));
        assert!(read(text, Some("gzip,gzip,gzip,gzip,gzip")).unwrap_err().contains("too often"));
    }

    #[test]
    fn no_more_is_unpacked_than_allowed() {
        let endless = io::repeat(b'x');
        let broken = read_body(endless, None, false).unwrap_err();
        assert!(matches!(broken, Unread::Broken(Broken::TooLong(_))));
    }

    #[test]
    fn a_stream_is_read_to_its_end_and_no_further() {
        let text = b"data: {}\n\ndata: [DONE]\n\n";
        let stuck = text.as_slice().chain(FailsIfRead);
        assert_eq!(read_body(stuck, None, true).unwrap(), text);
    }

    struct FailsIfRead;

    impl Read for FailsIfRead {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::TimedOut))
        }
    }
}
