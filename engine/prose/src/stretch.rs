//! What the rules ask of some words of a sentence: whether a closed class has one of them, whether they ask, and which
//! fixed phrase stands there.

use compact_str::CompactString;

use super::class::{PhraseClass, WordClass};
use super::lexicon::{is, lexicon};
use super::sentence::Sentence;

impl Sentence {
    pub fn is(&self, class: WordClass, at: usize) -> bool {
        is(class, self.word(at))
    }

    pub fn has(&self, class: WordClass, from: usize, to: usize) -> bool {
        self.range(from, to).any(|word| is(class, word))
    }

    pub fn has_any(&self, class: WordClass) -> bool {
        self.has(class, 0, self.words.len())
    }

    /// Whether it is a question that ends with the clause around `at`.
    pub fn asks(&self, at: usize) -> bool {
        self.is_question && self.is_last_clause(at)
    }

    /// Whether the word at `at` is a name, a number or an id.
    pub fn is_particular(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is_particular)
    }

    pub fn find(&self, phrase: &[CompactString]) -> Vec<usize> {
        (0..self.words.len()).filter(|at| self.is_at(phrase, *at)).collect()
    }

    pub fn says(&self, phrase: &[CompactString]) -> bool {
        (0..self.words.len()).any(|at| self.is_at(phrase, at))
    }

    fn is_at(&self, phrase: &[CompactString], at: usize) -> bool {
        !phrase.is_empty() && phrase.iter().zip(at..).all(|(word, at)| self.word(at) == word)
    }

    /// Where the phrase of a class that starts at `at` ends.
    pub fn phrase(&self, class: PhraseClass, at: usize) -> Option<usize> {
        lexicon().phrases(class).iter().find(|phrase| self.is_at(phrase, at)).map(|phrase| at + phrase.len())
    }

    /// Where the phrase of a class that ends before `end` starts.
    pub fn phrase_before(&self, class: PhraseClass, end: usize) -> Option<usize> {
        (end.saturating_sub(4)..end).find(|at| self.phrase(class, *at) == Some(end))
    }
}
