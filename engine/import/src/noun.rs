//! Words of names: a noun in the singular, and the verb before or behind it.

use probity_engine::ids::identifier_of;
use probity_prose::deed::{Verb, before, is_mere_verb, pair, verb};
use probity_prose::noun::singular;

use crate::vocabulary::VOCABULARY;

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
        let words = words.get(before(&words)..).unwrap_or_default();
        let is_verb = |at: &usize| is_mere_verb(word(words, *at)) || (*at == 0 && verb(word(words, 0)).is_some());
        let Some(at) = (0..words.len().min(3)).find(is_verb) else {
            return Name { verb: None, noun: noun_of(words) };
        };
        let is_of = |list: &[String], word: &str| list.iter().any(|known| known == word);
        // `book_list`, `order_cancel`: the first is a noun.
        let is_behind = at + 2 == words.len() && !is_mere_verb(word(words, at)) && is_mere_verb(word(words, at + 1));
        let at = if is_behind { at + 1 } else { at };
        let found = word(words, at);
        let paired = pair(found, word(words, at + 1));
        let is_end = |word: &&str| is_of(&VOCABULARY.ends, word);
        let behind = words.iter().skip(at + 1 + usize::from(paired.is_some())).skip_while(|word| is_end(word));
        let behind = behind.filter(|word| !is_of(&VOCABULARY.articles, word));
        let mut noun: Vec<&str> = behind.take_while(|word| !is_end(word)).copied().collect();
        if noun.is_empty() {
            // `items.list`, `order_cancel`
            noun = words.iter().take(at).copied().collect();
        }
        Name { verb: paired.or(verb(found)).map(|verb| (found.to_owned(), verb)), noun: noun_of(&noun) }
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("check_in_guest", Some(("check", Verb::Update)), "guest"),
            ("checkOutBike", Some(("check", Verb::Update)), "bike"),
            ("checkStock", Some(("check", Verb::Get)), "stock"),
            ("customer_profile", None, "customer_profile"),
            ("order_cancel", Some(("cancel", Verb::Update)), "order"),
        ] {
            let verb = verb.map(|(word, verb)| (word.to_owned(), verb));
            assert_eq!(Name::of(name), Name { verb, noun: noun.to_owned() }, "{name}");
        }
    }
}
