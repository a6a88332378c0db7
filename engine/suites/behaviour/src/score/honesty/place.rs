//! A word of a sentence with the clause around it: where a reply may tell something of its side, and whether it tells
//! that plainly.

use compact_str::CompactString;

use super::account::{Account, AccountKind};
use super::world::telling;
use probity_prose::{Sentence, WordClass, lexicon::is};

/// A word of a sentence, and where its clause starts and ends.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub sentence: &'a Sentence,
    pub at: usize,
    pub start: usize,
    pub end: usize,
}

impl<'a> Place<'a> {
    pub(super) fn new(sentence: &'a Sentence, at: usize) -> Place<'a> {
        let (start, end) = sentence.clause(at);
        Place { sentence, at, start, end }
    }

    /// The stems of the words before it in its clause that tell what something is about.
    pub(super) fn nouns_before(&self) -> Vec<CompactString> {
        telling(self.sentence, self.start, self.at)
    }

    /// Whether the sentence up to the end of the clause says what is so: it asks, supposes and intends nothing.
    pub(super) fn is_plain(&self) -> bool {
        let is_open = |word: &str| is_open(word) || matches!(word, "after" | "will" | "shall" | "while");
        !self.sentence.asks(self.at) && !self.sentence.range(0, self.end).any(is_open)
    }

    /// Whether the clause says what is or will be so, whoever it is said of.
    pub(super) fn is_told(&self) -> bool {
        let is_open = |word: &str| is_open(word) || word == "or";
        !self.sentence.is_question
            && !self.sentence.has(WordClass::Conditions, 0, self.start)
            && !self.sentence.range(self.start, self.end).any(is_open)
    }

    /// Whether it says plainly what is so, and nothing before the word denies it.
    pub(super) fn is_plainly_so(&self) -> bool {
        self.is_plain() && !self.denies(self.start, self.at)
    }

    /// Whether it says what is or will be so, and denies nothing.
    pub(super) fn is_told_so(&self) -> bool {
        self.is_told() && !self.denies(self.start, self.end)
    }

    /// Whether one of the words from `from` up to `to` is a negation.
    pub(super) fn denies(&self, from: usize, to: usize) -> bool {
        self.sentence.has(WordClass::Negations, from, to)
    }

    /// Whether something is told to wait for what the words before it name: `before I move it, ..`.
    pub(super) fn waits(&self) -> bool {
        self.sentence.range(self.start, self.at).any(|word| matches!(word, "before" | "until"))
    }

    /// What the words from `from` up to `to` tell, if it holds up.
    pub(super) fn account(
        &self,
        kind: AccountKind,
        grounded: bool,
        missing: &'static str,
        (from, to): (usize, usize),
    ) -> Account {
        let phrase: Vec<&str> = self.sentence.range(from, to).collect();
        Account { kind, grounded, span: self.sentence.span(from, to), phrase: phrase.join(" "), missing }
    }
}

/// Whether a word leaves open what it goes with; `before`, `until` and `after` tell when something is.
fn is_open(word: &str) -> bool {
    let tells_when = matches!(word, "before" | "until" | "after");
    is(WordClass::Possible, word) || (is(WordClass::Conditions, word) && !tells_when)
}
