//! The bytes of an answer: unpacked where a server packs them unasked, never more than allowed, and put together where
//! they come as a stream of events.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::{Value, json};

use super::form::Form;
use super::signals::is_told;
use super::transport::{Broken, MAX_BODY};
use probity_wire::inflate::{Gunzip, Inflate, Zstd};
use probity_wire::lenient;

/// Bytes that are read at a time.
const PIECE: usize = 16 << 10;
/// Packings one within the other at most.
const MAX_LAYERS: usize = 4;

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1F, 0x8B];

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

/// Reads a body that is packed as `encoding` says, or as its first bytes show; a `stream` of events only to its end.
pub(super) fn read_body<'a>(
    input: impl Read + 'a,
    encoding: Option<&str>,
    stream: Option<Form>,
) -> Result<Vec<u8>, Unread> {
    let encodings: Vec<String> = encoding.unwrap_or_default().split(',').map(|one| one.trim().to_lowercase()).collect();
    if encodings.len() > MAX_LAYERS {
        return Err(Unread::Broken(Broken::Connection("the answer is packed too often".to_owned())));
    }
    let mut input: Box<dyn BufRead + 'a> = Box::new(BufReader::new(input));
    for encoding in encodings.iter().rev() {
        input = unpacked(input, encoding)?;
    }
    // Some pack what they say nothing of.
    let (start, mut input) = begun(input)?;
    if start == GZIP {
        input = Box::new(BufReader::new(Gunzip::new(input)?));
    }
    let (mut body, mut watch) = (Vec::new(), stream.map(StreamWatch::of));
    loop {
        let read = read_piece(&mut input, &mut body)?;
        if body.len() as u64 > MAX_BODY {
            return Err(Unread::Broken(Broken::TooLong(MAX_BODY)));
        }
        if read == 0 || watch.as_mut().is_some_and(|watch| watch.has_ended(&body)) {
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

/// The first two bytes, as far as there are any, and all with them.
fn begun<'a>(mut input: Box<dyn BufRead + 'a>) -> io::Result<(Vec<u8>, Box<dyn BufRead + 'a>)> {
    let mut start = Vec::new();
    input.as_mut().take(GZIP.len() as u64).read_to_end(&mut start)?;
    let whole = io::Cursor::new(start.clone()).chain(input);
    Ok((start, Box::new(whole)))
}

fn unpacked<'a>(input: Box<dyn BufRead + 'a>, encoding: &str) -> Result<Box<dyn BufRead + 'a>, Unread> {
    let (start, mut input) = begun(input)?;
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

/// The event that ends a stream.
const DONE: &str = "[DONE]";
/// Bytes of a line with it at most.
const MARK: usize = 32;

/// Whether a body that is no JSON is a stream of events.
pub(super) fn is_stream(content_type: Option<&str>, text: &str) -> bool {
    let start = text.trim_start_matches(['\u{feff}', '\r', '\n']);
    content_type.is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("text/event-stream"))
        || ["data:", "event:", ": "].iter().any(|field| start.starts_with(field))
}

/// Watches for the end of a stream while its bytes come.
pub(super) struct StreamWatch {
    form: Form,
    /// Where the last line begins.
    line: usize,
    /// How much was looked at.
    seen: usize,
}

impl StreamWatch {
    pub(super) fn of(form: Form) -> StreamWatch {
        StreamWatch { form, line: 0, seen: 0 }
    }

    /// Whether the end stands in these bytes, which begin with those it was shown before.
    pub(super) fn has_ended(&mut self, bytes: &[u8]) -> bool {
        let breaks = bytes.iter().enumerate().skip(self.seen).filter(|(_, byte)| matches!(byte, b'\n' | b'\r'));
        for (at, _) in breaks {
            let line = bytes.get(self.line..at).unwrap_or_default();
            self.line = at + 1;
            if self.is_end(line) {
                return true;
            }
        }
        self.seen = bytes.len();
        // The line of the mark may never end.
        bytes.get(self.line..).is_some_and(|rest| rest.len() < MARK && self.is_end(rest))
    }

    fn is_end(&self, line: &[u8]) -> bool {
        let Some(data) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else { return false };
        data == DONE.as_bytes() || lenient::read(data).is_ok_and(|read| (self.form.is_end)(&read.value))
    }
}

/// The body that the events of a stream come to in a wire form: a message, or an error.
///
/// # Errors
/// It is no such stream, or it broke off.
pub(super) fn gathered(text: &str, form: Form) -> Result<Value, String> {
    let (mut values, mut is_done) = (Vec::new(), false);
    for event in events(text) {
        is_done = event.data.trim() == DONE;
        if is_done {
            break;
        }
        let value =
            lenient::read(event.data.as_bytes()).map_err(|_| "an event of the stream is no JSON".to_owned())?.value;
        let is_error = event.is_error
            || value.get("error").is_some_and(is_told)
            || value.get("type").and_then(Value::as_str) == Some("error");
        if is_error {
            return Ok(if value.is_object() { value } else { json!({"error": value}) });
        }
        values.push(value);
    }
    (form.gathered)(&values, is_done).ok_or_else(|| "the stream of events broke off".to_owned())
}

struct StreamEvent {
    is_error: bool,
    data: String,
}

fn events(text: &str) -> Vec<StreamEvent> {
    let (mut events, mut open) = (Vec::new(), None::<StreamEvent>);
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            events.extend(open.take().filter(|event| !event.data.trim().is_empty()));
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        let event = open.get_or_insert_with(|| StreamEvent { is_error: false, data: String::new() });
        match field {
            "event" => event.is_error = value.trim() == "error",
            "data" => {
                if !event.data.is_empty() {
                    event.data.push('\n');
                }
                event.data.push_str(value);
            }
            _ => {}
        }
    }
    events
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
        match read_body(bytes, encoding, None) {
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
        // One block of fixed codes: an `x`, then 258 of what stood before, over and over.
        let runs = usize::try_from(MAX_BODY).unwrap() / 258 + 1;
        let block = ["1", "10", "10101000"].concat() + &"1100010100000".repeat(runs) + "0000000";
        let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte * 2 + (bit - b'0'));
        let packed: Vec<u8> = block.as_bytes().chunks(8).map(byte).collect();
        let gzip = [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..], &packed].concat();
        assert!((gzip.len() as u64) < MAX_BODY / 100);
        for encoding in [None, Some("gzip")] {
            let broken = read_body(gzip.as_slice(), encoding, None).unwrap_err();
            assert!(matches!(broken, Unread::Broken(Broken::TooLong(_))), "{broken:?}");
        }
        let broken = read_body(io::repeat(b'x'), None, None).unwrap_err();
        assert!(matches!(broken, Unread::Broken(Broken::TooLong(_))));
    }

    #[test]
    fn what_comes_byte_by_byte_is_known_all_the_same() {
        let zlib = [&[0x78, 0x9C][..], &stored(b"{}")].concat();
        let body = read_body(OneByOne(&zlib), Some("deflate"), None).unwrap();
        assert_eq!(body, b"{}");
        let cut = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        assert!(read_body(OneByOne(&cut), None, None).is_err());
    }

    #[test]
    fn a_stream_is_read_to_its_end_and_no_further() {
        let ends = [
            ("openai", "data: {}\n\ndata: [DONE]"),
            ("openai", "data: {}\n\ndata: [DONE]\n\n"),
            ("anthropic", "event: ping\ndata: {\"type\":\"ping\"}\n\ndata: {\"type\": \"message_stop\"}\n\n"),
            ("responses", "data: {\"type\":\"response.completed\",\"response\":{\"output\":[]}}\r\n\r\n"),
            ("gemini", "data: {\"candidates\":[{\"content\":{},\"finishReason\":\"STOP\"}]}\n\n"),
        ];
        for (form, text) in ends {
            let form = Some(form.parse().unwrap());
            let whole = text.as_bytes().chain(FailsIfRead);
            assert_eq!(read_body(whole, None, form).unwrap(), text.as_bytes(), "{text}");
            let one_by_one =
                read_body(OneByOne(text.trim_end().as_bytes()).chain(OneByOne(b"\n")).chain(FailsIfRead), None, form);
            assert!(one_by_one.is_ok_and(|body| text.as_bytes().starts_with(body.trim_ascii_end())), "{text}");
            let open = text.as_bytes().get(..text.trim_end().len() - 1).unwrap().chain(FailsIfRead);
            assert!(read_body(open, None, form).is_err(), "{text}");
        }
    }

    struct OneByOne<'a>(&'a [u8]);

    impl Read for OneByOne<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(1);
            self.0.read(&mut out[..most])
        }
    }

    struct FailsIfRead;

    impl Read for FailsIfRead {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::TimedOut))
        }
    }
}
