//! Values in an agent's message: numbers that are read back, names, amounts of data.

use crate::measures::{FieldKind, canonical};

use compact_str::CompactString;
use probity_prose::token::fold;
use probity_prose::{WordClass, lexicon::is};

use super::cue::{Cue, heard};
use super::words::words;

const NUMBER_LENGTHS: std::ops::RangeInclusive<usize> = 9..=11;
/// Lengths that it may have where the sentence says that it is a number.
const NAMED_LENGTHS: std::ops::RangeInclusive<usize> = 5..=14;
/// Most words of a name.
const NAME_WORDS: usize = 3;

pub(super) fn phone_number(written: &str) -> Option<String> {
    let words = words(written);
    let lengths = if heard(&words).has(Cue::Numbers) { NAMED_LENGTHS } else { NUMBER_LENGTHS };
    runs(&words).into_iter().find(|run| lengths.contains(&run.len()))
}

/// The digits of each run of words that are numbers.
fn runs(words: &[CompactString]) -> Vec<String> {
    let mut runs = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for word in words.iter().map(CompactString::as_str).chain([""]) {
        let is_times = matches!(word, "double" | "triple");
        let digits = canonical(FieldKind::Digits, word);
        if is_times || (!digits.is_empty() && !word.contains('.') && digits == canonical(FieldKind::Id, word)) {
            run.push(word);
        } else if !run.is_empty() {
            runs.push(canonical(FieldKind::Digits, &run.join(" ")));
            run.clear();
        }
    }
    runs
}

/// The name that is repeated: the words that begin with a capital after what leads to it.
pub(crate) fn name(written: &str) -> Option<String> {
    let pieces: Vec<&str> = written.split_whitespace().collect();
    let lower: Vec<CompactString> = pieces.iter().map(|piece| fold(bare(piece))).collect();
    let heard = heard(&lower);
    let leads = heard.iter().filter(|mention| *mention.list == Cue::Named);
    let after = leads.min_by_key(|mention| mention.order).map(|mention| mention.at + mention.length)?;
    let is_name =
        |piece: &&&str| bare(piece).starts_with(char::is_uppercase) && !is(WordClass::NeverNames, &fold(bare(piece)));
    let mut name: Vec<&str> = Vec::new();
    for piece in pieces
        .iter()
        .skip(after)
        .skip_while(|piece| bare(piece).len() <= 3 && !is_name(piece))
        .take_while(is_name)
        .take(NAME_WORDS)
    {
        name.push(bare(piece));
        if piece.ends_with(['.', ',', '?', '!']) {
            break;
        }
    }
    (!name.is_empty()).then(|| name.join(" "))
}

fn bare(piece: &str) -> &str {
    piece.trim_matches(|sign: char| !sign.is_alphanumeric())
}

pub(super) fn gigabytes(words: &[CompactString]) -> Option<f64> {
    let said = heard(words);
    let mut before = "";
    for (at, word) in words.iter().enumerate() {
        if let Some(number) = word.strip_suffix("gb").filter(|number| !number.is_empty()) {
            return number.parse().ok();
        }
        if said.begins(at, Cue::Gigabytes) {
            let spoken = || canonical(FieldKind::Digits, before).parse().ok();
            return before.parse().ok().or_else(spoken).filter(|gb: &f64| gb.is_finite());
        }
        before = word;
    }
    None
}
