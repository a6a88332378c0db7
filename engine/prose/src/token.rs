//! Text as tokens: words, numbers and ids, without regard to case, accents and punctuation.

use compact_str::CompactString;

use super::glyph::{seen, seen_in, without_accent};
use super::lexicon::{WordClass, is, lexicon};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Word,
    /// Digits, with `.`, `,` or `:` between them.
    Number,
    /// `2026-06-12`.
    IsoDate,
    /// Letters and digits: `B0031`, `12th`, `3pm`.
    Mixed,
}

#[derive(Clone, Debug)]
pub struct Token {
    /// Lower case, without accents.
    pub folded: CompactString,
    pub raw: CompactString,
    pub shape: Shape,
    /// What stood between it and the token before, white space as one blank.
    pub gap: CompactString,
    /// What follows it up to the next token, at most a few characters.
    pub after: CompactString,
    /// Whether a sentence, a line, a quotation or a heading's text starts with it.
    pub starts: bool,
    /// Whether a number, a day or a time may begin with it.
    pub opens_value: bool,
    /// Its first character in the text, and the one after its last.
    pub span: (usize, usize),
}

impl Token {
    /// Whether it follows the token before directly or over blanks.
    pub fn is_adjacent(&self) -> bool {
        self.gap.chars().all(char::is_whitespace)
    }

    pub fn is_capitalised(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }
}

/// The word at a place among tokens; nothing beyond the ends.
pub fn word_at(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.folded.as_str())
}

pub fn word_before(tokens: &[Token], at: usize) -> &str {
    at.checked_sub(1).map_or("", |at| word_at(tokens, at))
}

/// Most characters read of one text.
const MAX_TEXT: usize = 64 * 1024;

/// Whether a text is longer than what is read of it as tokens.
pub fn is_cut(text: &str) -> bool {
    text.len() > MAX_TEXT && text.chars().nth(MAX_TEXT).is_some()
}

/// Splits a text into tokens, reading at most the first 64 Ki characters.
pub fn tokens(text: &str) -> Vec<Token> {
    read(text, MAX_TEXT)
}

/// The characters of a text as people see them, and of each its place where some are not seen.
struct Seen<'t> {
    text: &'t str,
    chars: Vec<char>,
    /// Empty where the text is of ASCII alone, as most are: each character is a byte that is seen.
    places: Vec<usize>,
    written: Vec<char>,
}

impl<'t> Seen<'t> {
    fn of(text: &'t str, limit: usize) -> Seen<'t> {
        if text.is_ascii() {
            let chars = text.bytes().take(limit).map(char::from).collect();
            return Seen { text, chars, places: Vec::new(), written: Vec::new() };
        }
        let (places, chars) = seen_in(text).take_while(|(at, _)| *at < limit).unzip();
        Seen { text, chars, places, written: text.chars().take(limit).collect() }
    }

    /// Where a token stands in the text that takes the characters from `from` up to `to` of those that are seen.
    fn span(&self, (from, to): (usize, usize)) -> (usize, usize) {
        let place = |at: usize| self.places.get(at).copied().unwrap_or(at);
        (place(from), place(to.max(1) - 1) + 1)
    }

    fn raw(&self, (from, to): (usize, usize)) -> CompactString {
        match self.text.is_ascii() {
            true => CompactString::new(self.text.get(from..to).unwrap_or_default()),
            false => self.written.get(from..to).unwrap_or_default().iter().collect(),
        }
    }

    /// The first character of each token, and the one after its last.
    fn pieces(&self) -> impl Iterator<Item = (usize, usize)> {
        let (mut at, mut is_iso) = (0, false);
        std::iter::from_fn(move || {
            // `2026-06-12T09:30`
            at += usize::from(is_iso && self.chars.get(at) == Some(&'T'));
            at += self.chars.get(at..)?.iter().position(|c| c.is_alphanumeric())?;
            let start = at;
            (at, is_iso) = token_end(&self.chars, start);
            Some((start, at))
        })
    }
}

fn read(text: &str, limit: usize) -> Vec<Token> {
    let seen = Seen::of(text, limit);
    let mut found: Vec<Token> = Vec::with_capacity(seen.chars.len() / 5);
    let mut before = 0;
    for (at, end) in seen.pieces() {
        let gap = gap(seen.chars.get(before..at).unwrap_or_default());
        let span = seen.span((at, end));
        let raw = seen.raw(span);
        let starts = found.is_empty() || starts_anew(&gap, found.last());
        let folded = fold(&raw);
        close(&mut found, &gap);
        let shape = shape(&folded);
        let opens_value = shape != Shape::Word || lexicon().entry(&folded).opens_value();
        let after = CompactString::default();
        found.push(Token { shape, folded, raw, gap, after, starts, opens_value, span });
        before = end;
    }
    close(&mut found, &gap(seen.chars.get(before..).unwrap_or_default()));
    found
}

/// Most bytes that are kept of what stands between two tokens.
const MAX_GAP: usize = 64;

/// What stands between two tokens, white space as one blank.
fn gap(chars: &[char]) -> CompactString {
    let mut gap = CompactString::default();
    for c in chars {
        let blank = c.is_whitespace() && *c != '\n';
        if !(blank && gap.ends_with(' ')) && gap.len() < MAX_GAP {
            gap.push(if blank { ' ' } else { *c });
        }
    }
    gap
}

fn close(found: &mut [Token], gap: &CompactString) {
    if let Some(last) = found.last_mut() {
        last.after.clone_from(gap);
    }
}

/// The words as people count them: what an apostrophe joins is one word, `don't`.
pub fn whole_words(text: &str) -> Vec<CompactString> {
    let mut words: Vec<CompactString> = Vec::new();
    for token in read(text, usize::MAX) {
        match words.last_mut() {
            Some(last) if matches!(token.gap.as_str(), "'" | "’") => {
                last.push('\'');
                last.push_str(&token.folded);
            }
            _ => words.push(token.folded),
        }
    }
    words
}

pub fn words(text: &str) -> Vec<CompactString> {
    let seen = Seen::of(text, usize::MAX);
    seen.pieces().map(|piece| fold(&seen.raw(seen.span(piece)))).collect()
}

/// Where the token ends that starts at `at`, and whether it is an ISO date.
fn token_end(chars: &[char], at: usize) -> (usize, bool) {
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let is_iso = |i: usize| if matches!(i, 4 | 7) { chars.get(at + i) == Some(&'-') } else { digit(at + i) };
    if (0..10).all(is_iso) && !digit(at + 10) {
        return (at + 10, true);
    }
    let numeric = digit(at);
    let mut end = at;
    while let Some(c) = chars.get(end) {
        let joins = numeric && matches!(c, '.' | ',' | ':') && digit(end + 1) && end > at && digit(end - 1);
        if !c.is_alphanumeric() && !joins {
            break;
        }
        end += 1;
    }
    (end, false)
}

fn shape(folded: &str) -> Shape {
    let digits = folded.chars().filter(char::is_ascii_digit).count();
    let letters = folded.chars().any(char::is_alphabetic);
    match (digits, letters) {
        (0, _) => Shape::Word,
        (_, true) => Shape::Mixed,
        (8, false) if folded.split('-').count() == 3 => Shape::IsoDate,
        (_, false) => Shape::Number,
    }
}

fn starts_anew(gap: &str, before: Option<&Token>) -> bool {
    let stop = |c: char| matches!(c, '!' | '?' | '\n' | ':' | ';' | '"' | '“' | '„' | '*' | '•' | '|');
    let full_stop = gap.starts_with('.') && !before.is_some_and(|token| is(WordClass::Abbreviations, &token.folded));
    gap.contains(stop) || full_stop || gap.contains(" - ")
}

/// Lower case without accents, in the letters and digits that it looks like.
pub fn fold(text: &str) -> CompactString {
    if text.is_ascii() {
        let mut folded = CompactString::new(text);
        folded.make_ascii_lowercase();
        return folded;
    }
    let mut folded = CompactString::with_capacity(text.len());
    for c in text.chars().filter_map(seen).flat_map(char::to_lowercase) {
        match without_accent(c) {
            Some(plain) => folded.push_str(plain),
            None => folded.push(c),
        }
    }
    folded
}

/// A name with a blank before each of its humps: `invoice Number`; any other text as it is.
pub fn spaced(name: &str) -> String {
    let (mut spaced, mut before) = (String::with_capacity(name.len() + 4), ' ');
    for c in name.chars() {
        spaced.extend((c.is_uppercase() && before.is_lowercase()).then_some(' ').into_iter().chain([c]));
        before = c;
    }
    spaced
}

/// The words of a name in any style: `list_incidents`, `searchSlots`, `loans.renew`.
pub fn name_words(name: &str) -> Vec<CompactString> {
    words(&spaced(name))
        .iter()
        .flat_map(|word| word.split('_'))
        .filter(|word| !word.is_empty())
        .map(CompactString::new)
        .collect()
}

/// A word without its ending, so that `refunds`, `refunded` and `refund` are one; short words stay.
pub fn stem(word: &str) -> &str {
    if !word.ends_with(['s', 'n', 'g', 'd', 'e', 'y']) {
        return word;
    }
    for ending in ["ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 4
        {
            return stem;
        }
    }
    word
}
