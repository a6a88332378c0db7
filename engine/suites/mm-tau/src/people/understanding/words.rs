//! An agent's message cut into sentences and clauses of plain words, which know no meaning beyond conjunctions, and what
//! it says to a user with a phone, or at a desk: the lists of the section `talk` of the vocabulary.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use probity_prose::{Heard, Vocabulary, WordClass, lexicon::is, token::whole_words};

/// Most signs of a message that are read; nobody listens longer.
const MAX_SIGNS: usize = 8_000;

/// Words that are written in pieces or otherwise, by what they are heard as.
static JOINED: LazyLock<Vocabulary<String>> = LazyLock::new(|| Vocabulary::of("joined"));

#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) clauses: Vec<Clause>,
    /// All its words in order, without the conjunctions, and the cues in them.
    pub(crate) words: Vec<CompactString>,
    pub(crate) said: Heard<'static, Cue>,
    pub(crate) is_question: bool,
    pub(crate) written: String,
}

/// A part of a sentence with at most one verb that tells to do something.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) words: Vec<CompactString>,
    pub(crate) said: Heard<'static, Cue>,
    /// Whether it is a condition or a time.
    pub(crate) is_subordinate: bool,
}

impl Clause {
    pub(super) fn begins_with(&self, word: &str) -> bool {
        self.words.first().is_some_and(|first| first == word)
    }
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
        let words: Vec<CompactString> = clauses.iter().flat_map(|clause| clause.words.iter().cloned()).collect();
        done.push(Sentence { clauses, said: heard(&words), words, is_question, written });
    }
}

fn clauses(sentence: &str) -> Vec<Clause> {
    let mut clauses: Vec<(Vec<CompactString>, bool)> = Vec::new();
    for part in sentence.split([',', ';', ':', '(', ')', '—', '–']) {
        clauses.push((Vec::new(), false));
        for word in words(part) {
            if is(WordClass::Joints, &word) {
                clauses.push((Vec::new(), false));
                continue;
            }
            let last = clauses.last().and_then(|(words, _)| words.last());
            let is_whether = word == "if" && last.is_some_and(|last| is(WordClass::Wondering, last));
            let word = if is_whether { "whether".into() } else { word };
            if is(WordClass::Subordinators, &word) {
                clauses.push((Vec::new(), true));
            }
            if let Some((words, _)) = clauses.last_mut() {
                words.push(word);
            }
        }
    }
    let clause =
        |(words, is_subordinate): (Vec<CompactString>, bool)| Clause { said: heard(&words), words, is_subordinate };
    clauses.into_iter().filter(|(words, _)| !words.is_empty()).map(clause).collect()
}

/// The words of a text, with pieces joined that belong together. An apostrophe is part of a word.
pub(crate) fn words(text: &str) -> Vec<CompactString> {
    let pieces = whole_words(text);
    let joined = JOINED.heard(&pieces);
    let mut words = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        match joined.longest(at) {
            Some(joined) => words.extend(joined.list.split(' ').map(CompactString::from)),
            None => words.push(piece.clone()),
        }
        at += joined.longest(at).map_or(1, |joined| joined.length);
    }
    words
}

/// Whether words hold a phrase, however that is written.
pub(crate) fn tell(told: &[CompactString], phrase: &str) -> bool {
    let phrase = words(phrase);
    !phrase.is_empty() && told.windows(phrase.len()).any(|told| told == phrase)
}

/// A list of phrases; the vocabulary says what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cue {
    Asking,
    Spelling,
    Again,
    Right,
    Named,
    MayI,
    WillYou,
    Answer,
    OwnDeed,
    Problem,
    Whereabouts,
    Else,
    Waiting,
    Solved,
    Outcome,
    Handed,
    NoNegations,
    Negations,
    Urges,
    Expectations,
    NoChoice,
    AllPermissions,
    Directions,
    Confirming,
    Awaiting,
    Open,
    Refusing,
    NotFound,
    Others,
    Done,
    More,
    Denials,
    Keeping,
    AskingBack,
    Agreeing,
    Declining,
    Asked,
    Tried,
    Confirm,
    Gigabytes,
    Data,
    HowMuch,
    Usage,
    Plainly,
    GoesAhead,
    HandOver,
    Resume,
    Refuel,
    OtherPlan,
    Bill,
    Suspend,
    Roaming,
    WhetherItWorks,
    Numbers,
    Requests,
    Tests,
    Internet,
    Flips,
    OnlyFour,
    Four,
    Preferred,
    AskingAtDesk,
    AskingOpen,
    AskingLeave,
    ConfirmingOutright,
    Okay,
}

pub(super) static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("talk"));

pub(crate) fn heard(words: &[CompactString]) -> Heard<'static, Cue> {
    CUES.heard(words)
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
        assert_eq!((found.len(), found[1].words.join(" ")), (2, "is v2 5 okay".to_owned()));
        assert!(found[1].is_question && !found[0].is_question);
    }
}
