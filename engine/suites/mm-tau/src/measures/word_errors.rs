//! The word error rate of a transcript.

use super::field::is_silent;
use super::ratio::Ratio;
use probity_prose::SMALL_IN_WORDS;

/// How far a transcript is from what was said, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordErrors {
    /// Words put in, left out or replaced, at least.
    pub distance: u64,
    /// Words that were said.
    pub reference_length: u64,
}

impl WordErrors {
    pub fn between(reference: &str, transcript: &str) -> WordErrors {
        let (reference, transcript) = (words(reference), words(transcript));
        WordErrors { distance: distance(&reference, &transcript), reference_length: reference.len() as u64 }
    }

    /// The word error rate, errors over words said; it exceeds 1 where much was put in.
    pub fn rate(self) -> Option<f64> {
        Ratio::new(self.distance, self.reference_length).value()
    }
}

/// The words as they are spoken: letters in runs, digits one by one, the signs of addresses by name.
fn words(text: &str) -> Vec<String> {
    let signs: Vec<char> = text.to_lowercase().chars().filter(|sign| !is_silent(*sign)).collect();
    let mut words: Vec<String> = Vec::new();
    let mut run = String::new();
    for (at, sign) in signs.iter().enumerate() {
        if sign.is_alphabetic() {
            run.push(*sign);
            continue;
        }
        end_run(&mut run, &mut words);
        let follows = signs.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        words.extend(spoken(*sign, follows).map(str::to_owned));
    }
    end_run(&mut run, &mut words);
    words
}

fn end_run(run: &mut String, words: &mut Vec<String>) {
    match std::mem::take(run) {
        empty if empty.is_empty() => {}
        oh if oh == "oh" => words.push("zero".to_owned()),
        word => words.push(word),
    }
}

/// The word for a sign that is no letter, if it is spoken; a dot is only before a letter or digit.
fn spoken(sign: char, is_before_word: bool) -> Option<&'static str> {
    match sign {
        '.' if is_before_word => Some("dot"),
        '@' => Some("at"),
        '_' => Some("underscore"),
        _ => SMALL_IN_WORDS.get(usize::try_from(sign.to_digit(10)?).ok()?).copied(),
    }
}

/// The least number of insertions, deletions and replacements, a row of the table at a time.
pub fn distance<T: PartialEq>(from: &[T], to: &[T]) -> u64 {
    let mut row: Vec<u64> = (0..=to.len() as u64).collect();
    for (gone, word) in (1_u64..).zip(from) {
        let (mut next, mut left) = (vec![gone], gone);
        for (other, (diagonal, above)) in to.iter().zip(row.iter().zip(row.iter().skip(1))) {
            let replaced = diagonal + u64::from(word != other);
            left = replaced.min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
