//! The critical fields of a task (paper, 2.1), and one spelling for everything that names the same value, spoken or written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use probity_bench::named;
use probity_prose::quantity::small_number;

/// What kind of value a fact has.
// It says what of its spelling matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FactKind")]
pub enum FieldKind {
    /// Digits alone.
    Digits,
    /// Letters and digits.
    Id,
    /// An e-mail address, or a name of an account with its signs.
    Email,
    /// Words.
    #[serde(alias = "text")]
    Name,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalField {
    pub kind: FieldKind,
    pub value: String,
}

/// What the measures of a trace need to know of its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceTask {
    /// The critical fields that the oracle uses, by name.
    pub critical: BTreeMap<String, CriticalField>,
}

named! {
    /// Whether a channel lies between the parties.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Modality {
        /// None: what is heard is what was said.
        Text = "text",
        /// Speech out and speech recognition in.
        Voice = "voice",
    }
}

/// The canonical form of a text read as a value of a kind; empty where the text has nothing of that kind. Two values
/// are the same exactly when their forms are, so a difference of format is never an error.
pub fn canonical(kind: FieldKind, text: &str) -> String {
    let tokens = tokens(text, kind == FieldKind::Email);
    match kind {
        FieldKind::Digits => kept(&in_digits(&tokens), is_figure),
        FieldKind::Id => kept(&in_digits(&tokens), char::is_alphanumeric),
        FieldKind::Email => in_digits(&tokens).iter().map(|token| symbol(token)).collect(),
        FieldKind::Name => {
            let words = tokens.iter().map(|token| token.chars().filter(|sign| sign.is_alphabetic()).collect());
            words.filter(|word: &String| !word.is_empty()).collect::<Vec<_>>().join(" ")
        }
    }
}

impl FieldKind {
    /// Whether two texts name the same value of this kind.
    pub fn same(self, one: &str, other: &str) -> bool {
        canonical(self, one) == canonical(self, other)
    }
}

/// Whether a sign is an apostrophe or the mark before an order number: both vanish and part nothing.
pub(super) fn is_silent(sign: char) -> bool {
    matches!(sign, '#' | '\'' | '’' | '‘')
}

/// The words of a text in lower case, without their closing dots.
fn tokens(text: &str, keeps_hyphens: bool) -> Vec<String> {
    let parts = |sign: char| match sign {
        ',' | ';' | ':' | '!' | '?' | '(' | ')' | '"' => true,
        '-' => !keeps_hyphens,
        other => other.is_whitespace(),
    };
    let spoken: String = text.to_lowercase().chars().filter(|sign| !is_silent(*sign)).collect();
    let words = spoken.split(parts).map(|word| word.trim_end_matches('.'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn kept(tokens: &[String], keeps: fn(char) -> bool) -> String {
    tokens.iter().flat_map(|token| token.chars()).filter(|sign| keeps(*sign)).collect()
}

/// The symbol that a word of a spoken address stands for, or the word.
fn symbol(token: &str) -> &str {
    match token {
        "at" => "@",
        "dot" | "point" => ".",
        "underscore" => "_",
        "dash" | "hyphen" => "-",
        word => word,
    }
}

fn is_figure(sign: char) -> bool {
    sign.is_ascii_digit()
}

/// Whether what was heard contains the value, both in canonical form: a name as whole words, anything else anywhere. A
/// value that is empty in canonical form has nothing to be misheard.
pub fn is_heard(kind: FieldKind, value: &str, heard: &str) -> bool {
    let (value, heard) = (canonical(kind, value), canonical(kind, heard));
    match kind {
        FieldKind::Name => value.is_empty() || format!(" {heard} ").contains(&format!(" {value} ")),
        FieldKind::Digits | FieldKind::Id | FieldKind::Email => heard.contains(&value),
    }
}

/// The tokens with every number word in digits. Tokens that are no number words stay as they are.
fn in_digits(tokens: &[String]) -> Vec<String> {
    let mut left = tokens;
    let mut read = Vec::with_capacity(tokens.len());
    while let Some((first, rest)) = left.split_first() {
        let (piece, after) = piece(first, rest);
        read.push(piece);
        left = after;
    }
    read
}

/// What the first token comes to, with those that follow it, and what is left.
fn piece<'t>(first: &str, rest: &'t [String]) -> (String, &'t [String]) {
    let (next, after) = rest.split_first().map_or(("", rest), |(next, after)| (next.as_str(), after));
    if let (Some(times), Some(digit)) = (times(first), single(next)) {
        return (digit.to_string().repeat(times), after);
    }
    match (number(first), number(next)) {
        (Some(tens @ 20..), Some(unit @ 1..=9)) => ((tens + unit).to_string(), after),
        (Some(number), _) => (number.to_string(), rest),
        (None, _) => (first.to_owned(), rest),
    }
}

/// A single digit, as a word or in figures.
fn single(token: &str) -> Option<i64> {
    let is_figure = matches!(token.as_bytes(), [byte] if byte.is_ascii_digit());
    if is_figure { token.parse().ok() } else { number(token).filter(|number| *number < 10) }
}

fn times(token: &str) -> Option<usize> {
    match token {
        "double" => Some(2),
        "triple" => Some(3),
        _ => None,
    }
}

fn number(token: &str) -> Option<i64> {
    if matches!(token, "oh" | "o") { Some(0) } else { small_number(token) }
}
