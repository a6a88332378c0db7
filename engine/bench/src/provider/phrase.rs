//! Whole phrases in what a provider says of its troubles, with the numbers that stand in them.

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
