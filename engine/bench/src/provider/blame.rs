//! Whose fault an answer is that is no message: the table `blame.toml`, read once, and its phrases, with the numbers
//! that stand in them.

use std::sync::LazyLock;

use serde::Deserialize;

use super::signals::Signals;

/// Whose fault an answer is, and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Blame {
    Again,
    Model,
    Refused,
    Filtered,
    Settings,
    Share,
    TooLong,
    Unreadable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    row: Vec<WrittenRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    #[serde(default)]
    status: Vec<String>,
    #[serde(default)]
    code: Vec<String>,
    #[serde(default)]
    finish: Vec<String>,
    /// Whether it is of messages alone in which nothing is said.
    #[serde(default)]
    silent: bool,
    #[serde(default)]
    phrase: Vec<String>,
    blame: Blame,
    /// What of ours to look at.
    #[serde(default)]
    flag: String,
    #[expect(dead_code, reason = "for people, and so that no row stands without one")]
    source: String,
}

struct Row {
    written: WrittenRow,
    phrases: Vec<Phrase>,
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let written = toml::from_str::<Written>(include_str!("blame.toml")).map(|table| table.row).unwrap_or_default();
    let row = |written: WrittenRow| {
        let phrases = written.phrase.iter().map(|text| Phrase::read(text)).collect();
        Row { written, phrases }
    };
    written.into_iter().map(row).collect()
});

/// What the table says, with what of ours to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub blame: Blame,
    pub flag: &'static str,
    /// Whether it is why the message ended.
    pub is_of_end: bool,
    /// Which row says so, from 0.
    #[cfg(test)]
    pub row: usize,
}

/// The first row that holds; nothing where none does.
pub(super) fn find(signals: &Signals) -> Option<Decided> {
    let words = plain_words(&signals.message);
    TABLE.iter().find_map(|row| {
        let counts = row.holds(signals, &words)?;
        let (mut blame, mut flag) = (row.written.blame, row.written.flag.as_str());
        if blame == Blame::Share {
            (blame, flag) = if is_ours(counts) { (Blame::Settings, SHARE) } else { (Blame::TooLong, "") };
        }
        Some(Decided {
            blame,
            flag,
            is_of_end: !row.written.finish.is_empty() || row.written.silent,
            #[cfg(test)]
            row: TABLE.iter().position(|one| std::ptr::eq(one, row)).unwrap_or_default(),
        })
    })
}

const SHARE: &str = "--max-tokens asks for more than the model may read and write together";

/// Whether what was asked for is what is too long, and not the dialogue.
fn is_ours(counts: Counts) -> bool {
    let Some(asked) = counts.asked else { return false };
    counts.limit.is_some_and(|limit| asked >= limit) || counts.input.is_some_and(|input| asked > input)
}

impl Row {
    fn holds(&self, signals: &Signals, words: &str) -> Option<Counts> {
        let WrittenRow { status, code, finish, silent, phrase, .. } = &self.written;
        let is_status = |pattern: &String| {
            let digits = signals.status.to_string();
            pattern
                .strip_suffix("xx")
                .map_or(*pattern == digits, |first| digits.len() == 3 && digits.starts_with(first))
        };
        let is_held = (status.is_empty() || status.iter().any(is_status))
            && (code.is_empty() || code.iter().any(|code| is_among(code, signals)))
            && (!silent || signals.is_silent)
            && (finish.is_empty() || finish.iter().any(|finish| signals.finish.as_ref() == Some(finish)));
        if !is_held {
            return None;
        }
        if phrase.is_empty() {
            return Some(Counts::default());
        }
        self.phrases.iter().find_map(|phrase| phrase.find(words))
    }
}

/// Whether there is such a code; one that is written between `*` may stand in another.
fn is_among(code: &str, signals: &Signals) -> bool {
    match code.strip_prefix('*').and_then(|code| code.strip_suffix('*')) {
        Some(part) => signals.codes.iter().any(|code| code.contains(part)),
        None => signals.codes.contains(code),
    }
}

#[cfg(test)]
pub(super) fn rows() -> usize {
    TABLE.len()
}

/// Characters of a message that are looked at.
const MAX_TEXT: usize = 8000;
/// The names that servers have for how much a model may write.
const MAX_TOKENS: [&str; 8] = [
    "max_completion_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "maxoutputtokens",
    "max_tokens_to_sample",
    "max_tokens",
    "maxtokens",
    "max tokens",
];

/// A phrase: parts that follow each other with any words between them.
#[derive(Clone, Debug)]
pub(super) struct Phrase(Vec<Vec<Piece>>);

#[derive(Clone, Debug)]
enum Piece {
    Words(String),
    Number(Numbered),
    MaxTokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbered {
    Input,
    Asked,
    Limit,
    Other,
}

/// The tokens that a phrase names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub input: Option<u64>,
    pub asked: Option<u64>,
    pub limit: Option<u64>,
}

impl Phrase {
    pub(super) fn read(text: &str) -> Phrase {
        Phrase(plain_words(text).split('*').map(|part| pieces(part.trim())).collect())
    }

    /// The tokens that it names in a text of plain words; nothing where it does not stand there.
    pub(super) fn find(&self, text: &str) -> Option<Counts> {
        let mut counts = Counts::default();
        let mut from = 0;
        for part in &self.0 {
            let starts = text.get(from..)?.char_indices().map(|(at, _)| from + at);
            let (end, found) =
                starts.filter(|at| is_edge(text, *at)).find_map(|at| stands_at(part, text, at, counts))?;
            (from, counts) = (end, found);
        }
        Some(counts)
    }
}

/// A text in small letters, without quotation marks, with single blanks and without commas in its numbers.
pub(super) fn plain_words(text: &str) -> String {
    let lower: String = text.chars().take(MAX_TEXT).collect::<String>().to_lowercase();
    let is_quote = |c: &char| matches!(c, '\'' | '"' | '`' | '’' | '‘' | '“' | '”' | '\\');
    let words: String = lower.chars().filter(|c| !is_quote(c)).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut plain = String::with_capacity(words.len());
    let joined = words.join(" ");
    let mut before = ' ';
    let mut rest = joined.chars().peekable();
    while let Some(c) = rest.next() {
        let is_in_number = c == ',' && before.is_ascii_digit() && rest.peek().is_some_and(char::is_ascii_digit);
        if !is_in_number {
            plain.push(c);
        }
        before = c;
    }
    plain
}

fn pieces(part: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = part;
    while let Some((words, hole)) = rest.split_once('{') {
        let (name, after) = hole.split_once('}').unwrap_or((hole, ""));
        if !words.is_empty() {
            pieces.push(Piece::Words(words.to_owned()));
        }
        pieces.push(match name {
            "max_tokens" => Piece::MaxTokens,
            "input" => Piece::Number(Numbered::Input),
            "asked" => Piece::Number(Numbered::Asked),
            "limit" => Piece::Number(Numbered::Limit),
            _ => Piece::Number(Numbered::Other),
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest.to_owned()));
    }
    pieces
}

/// Where a part that begins here ends, with the numbers in it.
fn stands_at(part: &[Piece], text: &str, at: usize, mut counts: Counts) -> Option<(usize, Counts)> {
    let mut at = at;
    for piece in part {
        let rest = text.get(at..)?;
        at += match piece {
            Piece::Words(words) => rest.starts_with(words.as_str()).then_some(words.len())?,
            Piece::MaxTokens => MAX_TOKENS.iter().find(|name| rest.starts_with(**name))?.len(),
            Piece::Number(count) => {
                let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let number = rest.get(..length)?.parse().ok()?;
                match count {
                    Numbered::Input => counts.input = Some(number),
                    Numbered::Asked => counts.asked = Some(number),
                    Numbered::Limit => counts.limit = Some(number),
                    Numbered::Other => {}
                }
                length
            }
        };
    }
    is_edge(text, at).then_some((at, counts))
}

/// Whether no word goes on across this place.
fn is_edge(text: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at..).and_then(|after| after.chars().next());
    !(before.is_some_and(is_word) && after.is_some_and(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(phrase: &str, text: &str) -> Option<Counts> {
        Phrase::read(phrase).find(&plain_words(text))
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(find("parse", "sparse attention").is_none());
        assert!(find("maximum context length", "This model's Maximum  Context\nLength is 8").is_some());
        assert!(find("models/* is not found", "models/x-1 is not found for v1").is_some());
        assert!(find("a * b", "b a").is_none());
        assert!(find("{max_tokens} is too large", "`max_tokens` is too large: 9").is_some());
    }

    #[test]
    fn numbers_are_read_from_phrases() {
        let counts = find("limit: {input} + {asked} > {limit}", "exceed context limit: 197,202 + 300 > 200,000, so");
        assert_eq!(counts, Some(Counts { input: Some(197_202), asked: Some(300), limit: Some(200_000) }));
        assert!(find("{input} tokens", "many tokens").is_none());
    }
}
