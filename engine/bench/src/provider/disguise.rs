//! The ways in which secrets may stand in a text, and where they do: one automaton that reads the text once as it is,
//! and once for each layer of escapes: JSON's, percent-encoding and HTML entities. White space, control characters,
//! backslashes and all that is no ASCII are left out: no key has them.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// So many characters of a secret in a row are a part of it that must not be told.
const RUN: usize = 16;
/// Characters of base64 that so many bytes in a row determine, wherever they stand.
const RUN_BASE64: usize = 20;
/// How often escapes are undone: JSON may stand in JSON, percent-encoding in either.
const LAYERS: usize = 3;

/// What stands in texts where a secret was.
pub(super) const BLOT: &str = "[key]";

pub(super) struct Disguises {
    forms: NFA,
    longest: usize,
}

impl Disguises {
    /// The forms of secrets; nothing when they are too many.
    pub(super) fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Option<Disguises> {
        let mut forms = BTreeSet::new();
        secrets.into_iter().for_each(|secret| add(&mut forms, secret));
        // White space alone gives nothing away.
        forms.retain(|form| form.iter().any(|byte| *byte != 0));
        let longest = forms.iter().map(Vec::len).max().unwrap_or_default();
        Some(Disguises { forms: NFA::new(&forms).ok()?, longest })
    }

    /// Whether one of them stands in a text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// The text without them.
    pub(super) fn blot(&self, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut end = 0;
        for place in self.find(text) {
            kept.push_str(text.get(end..place.start).unwrap_or_default());
            kept.push_str(BLOT);
            end = place.end;
        }
        kept.push_str(text.get(end..).unwrap_or_default());
        kept
    }

    /// Where they stand, in order and apart from each other.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = (0..=LAYERS).flat_map(|depth| self.scan(layer(text, depth))).collect();
        found.sort_by_key(|place| (place.start, place.end));
        found.into_iter().fold(Vec::new(), joined)
    }

    fn scan(&self, glyphs: impl Iterator<Item = Glyph>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut starts = VecDeque::with_capacity(self.longest + 1);
        let Ok(mut state) = self.forms.start_state(Anchored::No) else { return found };
        for glyph in glyphs {
            state = self.forms.next_state(Anchored::No, state, fold(glyph));
            starts.push_front(glyph.start);
            starts.truncate(self.longest);
            if !self.forms.is_match(state) {
                continue;
            }
            let lengths = (0..self.forms.match_len(state))
                .map(|number| self.forms.pattern_len(self.forms.match_pattern(state, number)));
            let start = lengths.max().and_then(|length| starts.get(length.saturating_sub(1)));
            found = joined(found, start.copied().unwrap_or(glyph.start)..glyph.end);
        }
        found
    }
}

/// Adds the forms of a secret.
fn add(forms: &mut BTreeSet<Vec<u8>>, secret: &str) {
    let run = RUN.min(secret.len());
    // In other letters a key may hold an escape, or no longer: `\b` is one and `\B` is none.
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let swapped: String = secret.chars().map(swap).collect();
    let cases = [secret.to_owned(), secret.to_ascii_uppercase(), secret.to_ascii_lowercase(), swapped];
    for text in cases.into_iter().flat_map(|text| [text.chars().rev().collect(), text]) {
        for depth in 0..=LAYERS {
            let folded: Vec<u8> = layer(&text, depth).map(fold).collect();
            forms.extend(folded.windows(run.min(folded.len()).max(1)).map(<[u8]>::to_vec));
        }
    }
    let hex: Vec<u8> = secret.bytes().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect();
    forms.extend(hex.windows(2 * run).step_by(2).map(<[u8]>::to_vec));
    for before in 0..3 {
        let encoded = base64_after(before, secret.as_bytes());
        forms.extend(encoded.windows(RUN_BASE64.min(encoded.len()).max(1)).map(<[u8]>::to_vec));
    }
}

/// Puts a place behind those found before it, as one with the last where they overlap.
fn joined(mut found: Vec<Range<usize>>, place: Range<usize>) -> Vec<Range<usize>> {
    match found.last_mut() {
        Some(last) if place.start <= last.end => {
            *last = last.start.min(place.start)..last.end.max(place.end);
        }
        Some(_) | None => found.push(place),
    }
    found
}

/// The characters of a text with so many layers of escapes undone.
fn layer<'a>(text: &'a str, depth: usize) -> Box<dyn Iterator<Item = Glyph> + 'a> {
    let whole: Box<dyn Iterator<Item = Glyph> + 'a> = Box::new(raw(text));
    (0..depth).fold(whole, |inner, _| Box::new(Unfolded::new(inner)))
}

/// Letters of either case are one, and so are the two alphabets of base64.
fn fold(glyph: Glyph) -> u8 {
    match glyph.byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte.to_ascii_lowercase(),
    }
}

/// The characters of base64 that depend on these bytes alone when so many others (modulo 3) come before them.
fn base64_after(before: usize, bytes: &[u8]) -> Vec<u8> {
    let padded: Vec<u8> = std::iter::repeat_n(0, before).chain(bytes.iter().copied()).collect();
    let first = (before * 8).div_ceil(6);
    let whole = padded.len() * 8 / 6;
    let encoded = STANDARD.encode(&padded).into_bytes();
    let fold = |byte| fold(Glyph { byte, start: 0, end: 0 });
    encoded.into_iter().take(whole).skip(first).map(fold).collect()
}

/// How many characters the longest escape has, without its backslashes.
const LONGEST: usize = 24;
/// The entities that HTML must have, and those of characters that keys are made of.
const ENTITIES: [(&[u8], u8); 13] = [
    (b"amp;", b'&'),
    (b"lt;", b'<'),
    (b"gt;", b'>'),
    (b"quot;", b'"'),
    (b"apos;", b'\''),
    (b"lowbar;", b'_'),
    (b"UnderBar;", b'_'),
    (b"period;", b'.'),
    (b"plus;", b'+'),
    (b"sol;", b'/'),
    (b"equals;", b'='),
    (b"colon;", b':'),
    (b"commat;", b'@'),
];

/// A character and the bytes of the text that stand for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    pub byte: u8,
    pub start: usize,
    pub end: usize,
}

/// The characters of a text as they are.
pub(super) fn raw(text: &str) -> impl Iterator<Item = Glyph> {
    text.char_indices().map(|(start, c)| Glyph { byte: byte(u32::from(c)), start, end: start + c.len_utf8() })
}

/// A character as a byte; NUL for one that is left out.
fn byte(code: u32) -> u8 {
    u8::try_from(plain_form(code)).ok().filter(u8::is_ascii_graphic).unwrap_or(0)
}

/// The code of the ASCII character of which another is a form: full-width, or one of those of mathematics.
fn plain_form(code: u32) -> u32 {
    match code {
        0xff01..=0xff5e => code - 0xfee0,
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            capital @ 0..26 => 0x41 + capital,
            small => 0x61 + small - 26,
        },
        0x1d7ce..=0x1d7ff => 0x30 + (code - 0x1d7ce) % 10,
        _ => code,
    }
}

/// The characters with one layer of escapes undone, and without those that cannot be seen.
pub(super) struct Unfolded<I> {
    inner: I,
    ahead: VecDeque<Glyph>,
}

impl<I: Iterator<Item = Glyph>> Unfolded<I> {
    pub(super) fn new(inner: I) -> Self {
        Unfolded { inner, ahead: VecDeque::with_capacity(LONGEST) }
    }

    /// What the escape says that comes next, and its length.
    fn escape(&self, is_after_slash: bool) -> Option<(u8, usize)> {
        match (is_after_slash, self.at(0)?) {
            (true, b'n' | b'r' | b't' | b'b' | b'f' | b'v') => Some((0, 1)),
            (true, b'u' | b'U') => Some((byte(self.number(1, 4, 16)?), 5)),
            (true, b'x') | (_, b'%') => Some((byte(self.number(1, 2, 16)?), 3)),
            (_, b'&') => self.entity(),
            _ => None,
        }
    }

    fn entity(&self) -> Option<(u8, usize)> {
        let is = |name: &[u8]| (1..).zip(name).all(|(place, byte)| self.at(place) == Some(*byte));
        if let Some((name, byte)) = ENTITIES.iter().find(|(name, _)| is(name)) {
            return Some((*byte, 1 + name.len()));
        }
        let (start, radix) = match (self.at(1)?, self.at(2)?) {
            (b'#', b'x' | b'X') => (3, 16),
            (b'#', _) => (2, 10),
            _ => return None,
        };
        let length = (start..LONGEST).find(|place| self.at(*place) == Some(b';'))? - start;
        Some((byte(self.number(start, length, radix)?), start + length + 1))
    }

    fn number(&self, start: usize, digits: usize, radix: u32) -> Option<u32> {
        let digit = |place| char::from(self.at(place)?).to_digit(radix);
        (start..start + digits).try_fold(0, |number, place| Some(number * radix + digit(place)?))
    }

    fn at(&self, place: usize) -> Option<u8> {
        self.ahead.get(place).map(|glyph| glyph.byte)
    }
}

impl<I: Iterator<Item = Glyph>> Iterator for Unfolded<I> {
    type Item = Glyph;

    fn next(&mut self) -> Option<Glyph> {
        let mut slash = None;
        loop {
            let missing = LONGEST.saturating_sub(self.ahead.len());
            // An escape may be split like anything else.
            self.ahead.extend(self.inner.by_ref().filter(|glyph| glyph.byte != 0).take(missing));
            let first = *self.ahead.front()?;
            let (byte, length) = self.escape(slash.is_some()).unwrap_or((first.byte, 1));
            let last = self.ahead.drain(..length.min(self.ahead.len())).next_back()?;
            match (byte, length) {
                // One that was itself escaped is of the next layer.
                (b'\\', 1) => slash = slash.or(Some(first.start)),
                (0, _) => slash = None,
                (byte, _) => return Some(Glyph { byte, start: slash.unwrap_or(first.start), end: last.end }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfolded(text: &str) -> String {
        Unfolded::new(raw(text)).map(|glyph| char::from(glyph.byte)).collect()
    }

    #[test]
    fn escapes_are_undone_and_what_is_not_seen_is_left_out() {
        for (text, expected) in [
            (r"a\u0062\\u0063\/d\x65", "abc/de"),
            ("%61%62 %zz%4", "ab%zz%4"),
            ("&#97;&#x62;&#0099;&amp;&quot;&#zz;&none;", "abc&\"&#zz;&none;"),
            ("a b\t\u{200b}c\u{feff}\0d\\n\\\\te", "abcde"),
            (r"\u200b\u00", "u00"),
            ("% 4\u{200b}1 \\ u 0 0 4 2", "AB"),
            ("%5Cu0041", "\\u0041"),
            ("é&#", "&#"),
            ("\u{ff53}\u{ff4b}\u{ff0d}\u{ff11}\u{1d400}\u{1d41b}\u{1d7d9}", "sk-1Ab1"),
            ("a\u{61c}b\u{e0100}c\u{301}d&lowbar;&#x0000000065;", "abcd_e"),
        ] {
            assert_eq!(unfolded(text), expected, "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = r" é\\u0061%62";
        let places: Vec<(usize, usize)> = Unfolded::new(raw(text)).map(|glyph| (glyph.start, glyph.end)).collect();
        assert_eq!(places, [(3, 10), (10, 13)]);
    }
}
