//! JSON as programs and models write it: halves of characters, bytes that are no text, numbers that are none.

use std::borrow::Cow;

use serde_json::Value;

/// A value with how much of its text was mended to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// What was read.
    pub value: Value,
    /// Places that were mended; none where the text is JSON as it stands.
    pub mended: u64,
}

/// Reads a value. Halves of characters and bytes that are no UTF-8 become U+FFFD, numbers that are none or beyond those of
/// 64 bits (`1e999`) become null, control characters within words become blanks, and a byte order mark is passed over: a reply or a log is not to be
/// lost for them. Of a key that stands in an object twice the last counts.
///
/// # Errors
/// It is no JSON for another reason; the place is one of the mended text.
pub fn read(bytes: &[u8]) -> Result<Read, serde_json::Error> {
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok(Read { value, mended: 0 }),
        Err(error) => match mended(bytes) {
            (_, 0) => Err(error),
            (text, mended) => Ok(Read { value: serde_json::from_slice(&text)?, mended }),
        },
    }
}

/// Why a text cannot be read, in words of those who write JSON; where, the error knows.
pub fn in_words(error: &serde_json::Error) -> String {
    let what = error.to_string();
    match what.split(" at line ").next().unwrap_or_default() {
        "expected ident" | "expected value" => "this is no JSON".to_owned(),
        "recursion limit exceeded" => "the values are nested more than 127 deep".to_owned(),
        what => format!("this is no JSON: {what}"),
    }
}

/// A text of JSON that a strict reader is given: as it is, or with U+FFFD for each half of a character that is escaped
/// in it, and how many these were.
pub fn whole_characters(text: &str) -> (Cow<'_, str>, u64) {
    if !text.contains("\\u") {
        return (Cow::Borrowed(text), 0);
    }
    let (mut kept, mut count, mut rest) = (String::with_capacity(text.len()), 0, text);
    while let Some((before, escaped)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        let (_, taken, is_half) = escape(escaped.as_bytes());
        // What follows a backslash may be a character of several bytes.
        let taken = (taken..=escaped.len()).find(|at| escaped.is_char_boundary(*at)).unwrap_or(escaped.len());
        let (escaped, behind) = escaped.split_at(taken);
        kept.push_str(before);
        kept.push_str(if is_half { "\\ufffd" } else { escaped });
        count += u64::from(is_half);
        rest = behind;
    }
    kept.push_str(rest);
    (Cow::Owned(kept), count)
}

/// Bytes as a text, with U+FFFD for what is none, and how many places these were.
pub fn text(bytes: &[u8]) -> (Cow<'_, str>, u64) {
    match String::from_utf8_lossy(bytes) {
        whole @ Cow::Borrowed(_) => (whole, 0),
        mended @ Cow::Owned(_) => {
            (mended, bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64)
        }
    }
}

fn mended(bytes: &[u8]) -> (Vec<u8>, u64) {
    let (text, mut mended) = text(bytes);
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut in_string) = (text.as_bytes(), false);
    if let Some(behind) = rest.strip_prefix(b"\xEF\xBB\xBF") {
        (rest, mended) = (behind, mended + 1);
    }
    while let Some(&byte) = rest.first() {
        let (kept, taken, is_mended): (&[u8], usize, bool) = match (in_string, byte) {
            (true, b'\\') => escape(rest),
            (true, 0..0x20) => (b" ", 1, true),
            (false, b'N') if rest.starts_with(b"NaN") => (b"null", 3, true),
            (false, b'I') if rest.starts_with(b"Infinity") => (b"null", 8, true),
            (false, b'-') if rest.starts_with(b"-Infinity") => (b"null", 9, true),
            (false, b'-' | b'0'..=b'9') => number(rest),
            _ => (rest.get(..1).unwrap_or_default(), 1, false),
        };
        in_string ^= byte == b'"';
        mended += u64::from(is_mended);
        out.extend_from_slice(kept);
        rest = rest.get(taken..).unwrap_or_default();
    }
    (out, mended)
}

/// What to write for a number, how much of the text it takes, and whether it is beyond all that 64 bits hold.
fn number(rest: &[u8]) -> (&[u8], usize, bool) {
    let is_of_it = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let taken = rest.iter().position(|byte| !is_of_it(byte)).unwrap_or(rest.len());
    let written = rest.get(..taken).unwrap_or_default();
    let number = std::str::from_utf8(written).ok().and_then(|text| text.parse::<f64>().ok());
    if number.is_some_and(f64::is_infinite) { (b"null", taken, true) } else { (written, taken, false) }
}

/// What to write for an escape, how much of the text it takes, and whether it is half a character.
fn escape(rest: &[u8]) -> (&[u8], usize, bool) {
    let unit = |at: usize| {
        let text = rest.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()
    };
    let taken = match (unit(0), unit(6)) {
        (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
        (Some(0xD800..0xE000), _) => return (b"\\ufffd", 6, true),
        _ => 2,
    };
    let taken = taken.min(rest.len());
    (rest.get(..taken).unwrap_or_default(), taken, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};
    use proptest::prelude::*;
    use std::fmt::Display;

    /// What is read and how much of it was mended.
    fn told<T: Display>(value: T, mended: u64) -> String {
        format!("{mended}: {value}")
    }

    #[test]
    fn texts_are_read_as_the_cases_say() {
        let readers: [(&str, Reader); 3] = [
            ("read", |text| read(text.as_bytes()).map_or("refused".to_owned(), |read| told(read.value, read.mended))),
            ("told", |text| in_words(&read(text.as_bytes()).unwrap_err())),
            ("whole", |text| told(whole_characters(text).0, whole_characters(text).1)),
        ];
        hold(include_str!("lenient_cases.txt"), &readers);
        assert_eq!(read(b"\"a\xff\xffb\"").unwrap(), Read { value: "a\u{fffd}\u{fffd}b".into(), mended: 2 });
        let deep = in_words(&read("[".repeat(300).as_bytes()).unwrap_err());
        assert_eq!(deep, "the values are nested more than 127 deep");
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[\\\\u\"dD8cC0aé{}\\[\\],: \u{0}-\u{1f}]{0,40}") {
            let (whole, count) = whole_characters(&text);
            prop_assert!(count > 0 || whole == text);
            let _ = read(text.as_bytes());
        }
    }
}
