//! Tables and sets that are only looked up. They cannot be walked, so that no order of theirs reaches a result.
#![expect(clippy::disallowed_types, reason = "what is only looked up has no order")]

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use compact_str::CompactString;
use foldhash::fast::FixedState;
use hashbrown::HashTable;

#[derive(Clone, Debug)]
pub struct Lookup<K, V>(HashMap<K, V, FixedState>);

#[derive(Clone, Debug, Default)]
pub struct Words(HashTable<CompactString>);

/// A word to be looked for in many sets, its place in them found once.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    word: &'a str,
    hash: u64,
}

impl<K, V> Default for Lookup<K, V> {
    fn default() -> Self {
        Lookup(HashMap::default())
    }
}

impl<K: Eq + Hash, V> Lookup<K, V> {
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, value);
    }

    /// The value of a key: the one it has, or else this.
    pub fn or_insert(&mut self, key: K, value: V) -> &V {
        self.0.entry(key).or_insert(value)
    }

    /// The value of a key, which there is from now on.
    pub fn make(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.0.entry(key).or_default()
    }
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for Lookup<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(values: I) -> Self {
        Lookup(values.into_iter().collect())
    }
}

impl<'a, T: AsRef<str> + ?Sized> From<&'a T> for Wanted<'a> {
    fn from(word: &'a T) -> Self {
        Wanted { word: word.as_ref(), hash: hash(word.as_ref()) }
    }
}

fn hash(word: &str) -> u64 {
    FixedState::default().hash_one(word)
}

impl Words {
    pub fn contains<'a>(&self, word: impl Into<Wanted<'a>>) -> bool {
        let Wanted { word, hash } = word.into();
        self.0.find(hash, |own| own == word).is_some()
    }

    pub fn insert(&mut self, word: CompactString) {
        let hash_of_word = hash(&word);
        if self.0.find(hash_of_word, |own| *own == word).is_none() {
            self.0.insert_unique(hash_of_word, word, |own| hash(own));
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<CompactString> for Words {
    fn extend<I: IntoIterator<Item = CompactString>>(&mut self, words: I) {
        words.into_iter().for_each(|word| self.insert(word));
    }
}

impl FromIterator<CompactString> for Words {
    fn from_iter<I: IntoIterator<Item = CompactString>>(words: I) -> Self {
        let mut found = Words::default();
        found.extend(words);
        found
    }
}
