//! An agent's message cut into sentences and clauses of plain words; knows no meaning beyond conjunctions.

/// Most signs of a message that are read; nobody listens longer.
const MAX_SIGNS: usize = 8_000;

/// Words at which a new clause begins. They are dropped.
const CONJUNCTIONS: &[&str] = &["and", "then", "but", "so", "or", "plus"];

/// Words at which a clause begins that tells a condition or a time, not what to do. They are kept.
const SUBORDINATORS: &[&str] =
    &["once", "after", "when", "if", "because", "until", "before", "unless", "while", "since", "whenever", "although"];

/// Words after which `if` asks whether.
const WONDERING: &[&str] = &["check", "see", "know", "me", "verify", "confirm", "out", "tell", "ask", "test", "report"];

/// Words that are written in two pieces, and as one.
const JOINED: &[(&str, &str, &str)] = &[
    ("wi", "fi", "wifi"),
    ("re", "insert", "reinsert"),
    ("re", "seat", "reseat"),
    ("re", "start", "restart"),
    ("re", "boot", "reboot"),
    ("air", "plane", "airplane"),
    ("aeroplane", "mode", "airplane mode"),
    ("flight", "mode", "airplane mode"),
    ("roll", "back", "rollback"),
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) clauses: Vec<Clause>,
    /// All its words in order, without the conjunctions.
    pub(crate) words: Vec<String>,
    pub(crate) is_question: bool,
    pub(crate) written: String,
}

/// A part of a sentence with at most one verb that tells to do something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Its words in lower case.
    pub(crate) words: Vec<String>,
    /// Whether it is a condition or a time.
    pub(crate) is_subordinate: bool,
}

pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut done = Vec::new();
    let mut written = String::new();
    let signs: Vec<char> = text.chars().take(MAX_SIGNS).collect();
    for (at, &sign) in signs.iter().enumerate() {
        written.push(sign);
        let next = signs.get(at + 1).copied();
        let is_point = sign == '.' && next.is_none_or(|next| !next.is_alphanumeric());
        if is_point || matches!(sign, '!' | '?' | '\n' | '…') {
            close(&mut done, std::mem::take(&mut written), sign == '?');
        }
    }
    close(&mut done, written, false);
    done
}

fn close(done: &mut Vec<Sentence>, written: String, is_question: bool) {
    let clauses = clauses(&written);
    if !clauses.is_empty() {
        let words = clauses.iter().flat_map(|clause| clause.words.iter().cloned()).collect();
        done.push(Sentence { clauses, words, is_question, written });
    }
}

fn clauses(sentence: &str) -> Vec<Clause> {
    let mut clauses = vec![Clause::default()];
    for part in sentence.split([',', ';', ':', '(', ')', '—', '–']) {
        clauses.push(Clause::default());
        for word in words(part) {
            if CONJUNCTIONS.contains(&word.as_str()) {
                clauses.push(Clause::default());
                continue;
            }
            let last = clauses.last().and_then(|clause| clause.words.last());
            let is_whether = word == "if" && last.is_some_and(|last| WONDERING.contains(&last.as_str()));
            let word = if is_whether { "whether".to_owned() } else { word };
            if SUBORDINATORS.contains(&word.as_str()) {
                clauses.push(Clause { words: Vec::new(), is_subordinate: true });
            }
            if let Some(clause) = clauses.last_mut() {
                clause.words.push(word);
            }
        }
    }
    clauses.retain(|clause| !clause.words.is_empty());
    clauses
}

/// The words of a text in lower case, with pieces joined that belong together. An apostrophe is part of a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '\'' | '.');
    let pieces = lower.split(|sign: char| !is_part(sign)).map(|piece| piece.trim_matches(['.', '\'']));
    let mut words: Vec<String> = Vec::new();
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let joined = words.last().and_then(|last| joined(last, piece));
        match (joined, words.last_mut()) {
            (Some(joined), Some(last)) => {
                let mut halves = joined.split(' ').map(str::to_owned);
                *last = halves.next().unwrap_or_default();
                words.extend(halves);
            }
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

fn joined(first: &str, second: &str) -> Option<&'static str> {
    JOINED.iter().find(|(left, right, _)| *left == first && *right == second).map(|(.., whole)| *whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_stand_apart() {
        let found = sentences("If Wi-Fi is on, turn it off and restart. Is v2.5 okay?");
        let clauses: Vec<(String, bool)> =
            found[0].clauses.iter().map(|clause| (clause.words.join(" "), clause.is_subordinate)).collect();
        let expected = [("if wifi is on", true), ("turn it off", false), ("restart", false)];
        assert_eq!(clauses, expected.map(|(words, is)| (words.to_owned(), is)));
        assert_eq!((found.len(), found[1].words.join(" ")), (2, "is v2.5 okay".to_owned()));
        assert!(found[1].is_question && !found[0].is_question);
    }
}
