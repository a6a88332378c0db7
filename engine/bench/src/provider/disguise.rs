//! The ways in which secrets may stand in a text, and where they do: one automaton that reads the text once as it is,
//! and once for each layer of escapes.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::unfold::{Glyph, Unfolded, raw};

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
