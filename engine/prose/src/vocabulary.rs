//! Lists of phrases, each by what it says, read from `vocabulary.toml`; one automaton finds all of them in some words
//! at once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use serde::de::DeserializeOwned;

use super::lookup::Lookup;
use super::token::whole_words;

static FILE: LazyLock<toml::Table> =
    LazyLock::new(|| toml::from_str(include_str!("vocabulary.toml")).unwrap_or_default());

/// The lists of one section, named by `T`.
pub struct Vocabulary<T> {
    lists: Vec<T>,
    /// Each phrase as it is written, with its list.
    phrases: Vec<(usize, String)>,
    words: Lookup<CompactString, usize>,
    /// The state that a word leads to.
    next: Lookup<(usize, usize), usize>,
    /// Of each state, the phrases that end there.
    ends: Vec<Vec<usize>>,
}

/// A phrase that stands in some words.
#[derive(Clone, Copy, Debug)]
pub struct Mention<'v, T> {
    pub list: &'v T,
    pub phrase: &'v str,
    /// Its place among all phrases: lists in their order, phrases as they are listed.
    pub order: usize,
    /// Its first word, and how many it has.
    pub at: usize,
    pub length: usize,
}

/// All phrases that stand in some words, in order; of those that begin together the longest comes last.
#[derive(Clone, Debug)]
pub struct Heard<'v, T>(Vec<Mention<'v, T>>);

impl<T: DeserializeOwned + Ord> Vocabulary<T> {
    /// Reads a section; empty where the file does not have it with just these lists.
    pub fn of(section: &str) -> Vocabulary<T> {
        let lists = FILE.get(section).and_then(|lists| lists.clone().try_into::<BTreeMap<T, String>>().ok());
        let (words, next) = (Lookup::default(), Lookup::default());
        let mut read = Vocabulary { lists: Vec::new(), phrases: Vec::new(), words, next, ends: vec![Vec::new()] };
        for (list, phrases) in lists.unwrap_or_default() {
            phrases.split(',').flat_map(variants).for_each(|phrase| read.add(&phrase));
            read.lists.push(list);
        }
        read
    }
}

/// The phrases that one with alternatives stands for: `may|can i now| go` is four, as nothing may stand for `now`.
pub(super) fn variants(phrase: &str) -> Vec<String> {
    phrase.split_whitespace().fold(vec![String::new()], |begun, words| {
        let longer = begun.iter().flat_map(|begun| words.split('|').map(move |word| format!("{begun} {word}")));
        longer.map(|phrase| phrase.trim().to_owned()).collect()
    })
}

impl<T> Vocabulary<T> {
    fn add(&mut self, phrase: &str) {
        let mut state = 0;
        for word in whole_words(phrase) {
            let known = self.words.len();
            let word = *self.words.or_insert(word, known);
            let fresh = self.ends.len();
            state = *self.next.or_insert((state, word), fresh);
            if state == fresh {
                self.ends.push(Vec::new());
            }
        }
        if let Some(ends) = self.ends.get_mut(state) {
            ends.push(self.phrases.len());
        }
        self.phrases.push((self.lists.len(), phrase.to_owned()));
    }

    pub fn lists(&self) -> &[T] {
        &self.lists
    }

    /// The phrases of a list, as they are written.
    pub fn phrases(&self, list: &T) -> impl Iterator<Item = &str>
    where
        T: PartialEq,
    {
        self.phrases.iter().filter(|(of, _)| self.lists.get(*of) == Some(list)).map(|(_, phrase)| phrase.as_str())
    }

    /// The phrases that stand in words, split by [`whole_words`].
    pub fn heard(&self, words: &[CompactString]) -> Heard<'_, T> {
        let known: Vec<Option<usize>> = words.iter().map(|word| self.words.get(word).copied()).collect();
        let mut mentions = Vec::new();
        for at in 0..known.len() {
            let mut state = 0;
            for (length, word) in (1..).zip(known.iter().skip(at).map_while(|word| *word)) {
                let Some(next) = self.next.get(&(state, word)) else { break };
                state = *next;
                let phrases = self.ends.get(state).into_iter().flatten();
                mentions.extend(phrases.filter_map(|order| {
                    let (list, phrase) = self.phrases.get(*order)?;
                    Some(Mention { list: self.lists.get(*list)?, phrase, order: *order, at, length })
                }));
            }
        }
        Heard(mentions)
    }
}

impl<'v, T: PartialEq> Heard<'v, T> {
    pub fn iter(&self) -> impl Iterator<Item = &Mention<'v, T>> {
        self.0.iter()
    }

    fn of(&self, list: T) -> impl Iterator<Item = &Mention<'v, T>> {
        self.0.iter().filter(move |mention| *mention.list == list)
    }

    pub fn has(&self, list: T) -> bool {
        self.of(list).next().is_some()
    }

    /// Whether a list has a phrase from a word on.
    pub fn has_from(&self, at: usize, list: T) -> bool {
        self.of(list).any(|mention| mention.at >= at)
    }

    /// Whether a phrase of a list begins with a word.
    pub fn begins(&self, at: usize, list: T) -> bool {
        self.of(list).any(|mention| mention.at == at)
    }

    /// The first word of a list's first phrase.
    pub fn place(&self, list: T) -> Option<usize> {
        self.of(list).next().map(|mention| mention.at)
    }

    /// The longest phrase that begins with a word.
    pub fn longest(&self, at: usize) -> Option<&Mention<'v, T>> {
        self.0.iter().rev().find(|mention| mention.at == at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_has_words() {
        for section in FILE.keys() {
            let vocabulary = Vocabulary::<String>::of(section);
            assert!(!vocabulary.lists().is_empty(), "{section}");
            assert!(vocabulary.ends.first().is_some_and(Vec::is_empty), "{section} has a phrase without words");
        }
    }
}
