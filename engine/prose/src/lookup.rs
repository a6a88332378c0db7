//! Tables and sets that are only looked up. They cannot be walked, so that no order of theirs reaches a result.
#![expect(clippy::disallowed_types, reason = "what is only looked up has no order")]

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use compact_str::CompactString;
use foldhash::fast::FixedState;

#[derive(Clone, Debug)]
pub struct Lookup<K, V>(HashMap<K, V, FixedState>);

/// A set of words.
#[derive(Clone, Debug, Default)]
pub struct Words(HashSet<CompactString, FixedState>);

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

impl Words {
    pub fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    pub fn insert(&mut self, word: CompactString) {
        self.0.insert(word);
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
        self.0.extend(words);
    }
}

impl FromIterator<CompactString> for Words {
    fn from_iter<I: IntoIterator<Item = CompactString>>(words: I) -> Self {
        Words(words.into_iter().collect())
    }
}
