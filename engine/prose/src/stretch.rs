//! What the rules ask of some words of a sentence: whether a closed class has one of them, and whether they ask.

use compact_str::CompactString;

use super::class::WordClass;
use super::sentence::Sentence;

impl Sentence {
    pub fn is(&self, class: WordClass, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is(class))
    }

    pub fn has(&self, class: WordClass, from: usize, to: usize) -> bool {
        self.words.iter().take(to).skip(from).any(|word| word.is(class))
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

    /// The words from which on a phrase stands in it.
    pub fn find(&self, phrase: &[CompactString]) -> Vec<usize> {
        let is_at = |at: &usize| phrase.iter().zip(*at..).all(|(word, at)| self.word(at) == word);
        (0..self.words.len()).filter(|at| !phrase.is_empty() && is_at(at)).collect()
    }
}
