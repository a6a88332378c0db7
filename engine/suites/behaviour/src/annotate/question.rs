//! What an agent's reply does to the turn before it: asks for what was left out, denies what is not there, or puts two
//! wishes against each other.

use std::collections::BTreeSet;

use compact_str::CompactString;
use probity_prose::token::whole_words;
use probity_prose::{WordClass, lexicon::is};

use crate::annotate::cue::{Cue, heard};

/// Shorter words say nothing of what is spoken of.
const SHORTEST: usize = 4;
const STEM: usize = 5;

pub(super) fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    reply.split_inclusive(['.', '?', '!', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

fn says(text: &str, cue: Cue) -> bool {
    heard(&whole_words(text)).has(cue)
}

pub(super) fn asks(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| {
        let heard = heard(&whole_words(sentence));
        sentence.ends_with('?') && heard.has(Cue::Asks) && !heard.has(Cue::Prefers)
    })
}

/// The first sentence that says of something the user spoke of that it is not there.
pub(super) fn denies<'r>(reply: &'r str, spoken: &str) -> Option<&'r str> {
    let known = content(&whole_words(spoken));
    sentences(reply).find(|sentence| {
        let words = whole_words(sentence);
        let heard = heard(&words);
        let denied = heard.iter().filter(|mention| *mention.list == Cue::Denies);
        let mut after = denied.filter_map(|mention| words.get(mention.at + mention.length..));
        after.any(|after| !content(after).is_disjoint(&known))
    })
}

pub(super) fn offers_choice(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| sentence.ends_with('?') && says(sentence, Cue::Choices))
}

/// Whether the reply says that something cannot be had, or not with something else.
pub(super) fn limits(reply: &str) -> bool {
    says(reply, Cue::Cannots)
}

pub(super) fn leaves_undone(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| !sentence.ends_with('?') && says(sentence, Cue::Nothings))
}

/// The beginnings of the words that say what is spoken of.
pub(super) fn content(words: &[CompactString]) -> BTreeSet<CompactString> {
    let telling = words.iter().filter(|word| word.chars().count() >= SHORTEST && !is(WordClass::Plain, word));
    telling.map(|word| word.chars().take(STEM).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_tell_of_the_turn_before_them() {
        assert_eq!(asks("Thank you. Which stay do you mean?"), Some("Which stay do you mean?"));
        assert_eq!(asks("It costs 15 EUR. Shall I go ahead?"), None);
        assert_eq!(asks("Would you rather have the room, or what else?"), None);
        let reply = "Your stay is moved. There is no priority move.";
        assert_eq!(denies(reply, "Use the priority move!"), Some("There is no priority move."));
        assert_eq!(denies(reply, "Cancel the order."), None);
        assert_eq!(offers_choice("Would you rather stay?"), Some("Would you rather stay?"));
        assert!(limits("I cannot waive it.") && !limits("It is done."));
        assert_eq!(leaves_undone("I am sorry. Nothing has been moved."), Some("Nothing has been moved."));
    }
}
