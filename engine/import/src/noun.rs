//! Words of names: verbs by what they do, nouns in the singular and the plural, participles.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use probity_engine::ids::identifier_of;
use serde::Deserialize;

/// What a verb does with things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    List,
    Get,
    Create,
    Update,
    Delete,
}

static WORDS: LazyLock<VerbWords> =
    LazyLock::new(|| serde_json::from_str(include_str!("verbs.json")).unwrap_or_default());

/// Verbs of names by what they do, and participles that do not follow from their verbs.
#[derive(Default, Deserialize)]
struct VerbWords {
    verbs: BTreeMap<Verb, Vec<String>>,
    participles: BTreeMap<String, String>,
}

/// Words that only say how a call is made.
const METHODS: [&str; 2] = ["api", "post"];
const ARTICLES: [&str; 5] = ["a", "an", "the", "all", "my"];
const ENDS: [&str; 9] = ["by", "in", "for", "of", "with", "from", "to", "on", "at"];

fn verb(word: &str) -> Option<Verb> {
    WORDS.verbs.iter().find(|(_, words)| words.iter().any(|known| known == word)).map(|(verb, _)| *verb)
}

pub fn is_verb(word: &str) -> bool {
    verb(word).is_some()
}

/// A name taken apart: `API-post-search`, `getOrderById`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The verb's word, and what it does; nothing where the name has no verb that is known.
    pub verb: Option<(String, Verb)>,
    /// What it is about, in the singular; empty where the name says nothing.
    pub noun: String,
}

impl Name {
    pub fn of(name: &str) -> Name {
        let identifier = identifier_of(name);
        let words: Vec<&str> = identifier.split('_').filter(|word| !word.is_empty()).collect();
        let verbs: Vec<usize> = (0..words.len().min(3)).filter(|at| verb(word(&words, *at)).is_some()).collect();
        let is_method = |at: &usize| METHODS.contains(&word(&words, *at));
        // `post_search` searches.
        let at =
            verbs.iter().find(|at| !is_method(at)).filter(|at| verbs.first().is_some_and(|first| **at <= first + 1));
        let Some(at) = at.or(verbs.first()).copied() else {
            return Name { verb: None, noun: noun_of(&words) };
        };
        // `book_list`, `file_read`: the first is a noun.
        let plain = |at: usize| ["list", "get", "read", "delete", "update", "create"].contains(&word(&words, at));
        let at = if at + 2 == words.len() && plain(at + 1) { at + 1 } else { at };
        let behind =
            words.iter().skip(at + 1).skip_while(|word| ENDS.contains(word)).filter(|word| !ARTICLES.contains(word));
        let mut noun: Vec<&str> = behind.take_while(|word| !ENDS.contains(word)).copied().collect();
        if noun.is_empty() {
            // `items.list`, `order_cancel`
            noun = words.iter().take(at).filter(|word| !METHODS.contains(word)).copied().collect();
        }
        let found = word(&words, at);
        Name { verb: verb(found).map(|verb| (found.to_owned(), verb)), noun: noun_of(&noun) }
    }
}

/// Most characters of a noun, so that there is room for `_not_found` behind it.
const MAX_NOUN: usize = 48;

fn noun_of(words: &[&str]) -> String {
    let noun: String = identifier_of(&words.join("_")).chars().take(MAX_NOUN).collect();
    singular(noun.trim_end_matches('_'))
}

fn word<'a>(words: &[&'a str], at: usize) -> &'a str {
    words.get(at).copied().unwrap_or_default()
}

pub fn singular(noun: &str) -> String {
    if noun.len() < 4 || noun.ends_with("ss") || noun.ends_with("us") || noun.ends_with("is") {
        return noun.to_owned();
    }
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")] {
        if let Some(rest) = noun.strip_suffix(ending) {
            return format!("{rest}{instead}");
        }
    }
    noun.to_owned()
}

/// What several are called, so that it is never what one is called.
pub fn plural(one: &str) -> String {
    let before = one.chars().rev().nth(1);
    if one.ends_with('y') && !before.is_some_and(|c| "aeiou".contains(c)) {
        return format!("{}ies", one.strip_suffix('y').unwrap_or(one));
    }
    let hisses = ["s", "x", "ch", "sh", "z"].iter().any(|end| one.ends_with(end));
    format!("{one}{}", if hisses { "es" } else { "s" })
}

/// `cancelled` of `cancel`: by what an agent says that it was done.
pub fn participle(verb: &str) -> String {
    if let Some(participle) = WORDS.participles.get(verb) {
        return participle.clone();
    }
    let stem = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o']));
    match stem {
        Some(stem) => format!("{stem}ied"),
        None => format!("{}ed", verb.strip_suffix('e').unwrap_or(verb)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read() {
        assert!(WORDS.verbs.len() == 5 && !WORDS.participles.is_empty());
    }

    #[test]
    fn names_are_taken_apart() {
        for (name, verb, noun) in [
            ("getOrderById", Some(("get", Verb::Get)), "order"),
            ("API-post-search", Some(("search", Verb::List)), ""),
            ("API-post-page", Some(("post", Verb::Create)), "page"),
            ("API-retrieve-a-comment", Some(("retrieve", Verb::Get)), "comment"),
            ("items.list", Some(("list", Verb::List)), "item"),
            ("list_directory_with_sizes", Some(("list", Verb::List)), "directory"),
            ("cancelSubscriptions", Some(("cancel", Verb::Update)), "subscription"),
            ("get_issue", Some(("get", Verb::Get)), "issue"),
            ("delete_file", Some(("delete", Verb::Delete)), "file"),
            ("get_file_info", Some(("get", Verb::Get)), "file_info"),
            ("book_list", Some(("list", Verb::List)), "book"),
            ("get_2fa", Some(("get", Verb::Get)), "x_2fa"),
            ("browser_hover", None, "browser_hover"),
        ] {
            let verb = verb.map(|(word, verb)| (word.to_owned(), verb));
            assert_eq!(Name::of(name), Name { verb, noun: noun.to_owned() }, "{name}");
        }
    }

    #[test]
    fn one_and_several_are_told_apart() {
        for (one, several) in
            [("order", "orders"), ("entry", "entries"), ("address", "addresses"), ("box", "boxes"), ("day", "days")]
        {
            assert_eq!((plural(one).as_str(), singular(several).as_str()), (several, one));
        }
        assert_eq!(
            [participle("cancel"), participle("update"), participle("apply"), participle("add")],
            ["cancelled", "updated", "applied", "added"]
        );
    }
}
