//! What an agent's reply does to the turn before it: asks for what was left out, denies what is not there, or puts two
//! wishes against each other.

use std::collections::BTreeSet;

use crate::annotate::cue::heard;
use crate::annotate::words::{folded, words};

const ASKS: [&str; 22] = [
    "could you give",
    "could you name",
    "could you please",
    "could you say",
    "could you tell",
    "can you give",
    "can you say",
    "can you tell",
    "do you know",
    "do you remember",
    "how long",
    "how many",
    "how much",
    "let me know",
    "may i ask",
    "may i have",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whose",
];
const DENIES: [&str; 24] = [
    "there is no",
    "there's no",
    "there are no",
    "there is not",
    "there isn't",
    "there are not",
    "no such",
    "does not exist",
    "do not exist",
    "doesn't exist",
    "do not have",
    "don't have",
    "does not have",
    "doesn't have",
    "have no",
    "has no",
    "do not offer",
    "don't offer",
    "does not offer",
    "not something",
    "is not a",
    "isn't a",
    "i know of no",
    "nothing called",
];
const CANNOTS: [&str; 16] = [
    "cannot",
    "can't",
    "not possible",
    "impossible",
    "unable",
    "only",
    "both",
    "at the same time",
    "but",
    "though",
    "however",
    "without",
    "would mean",
    "only way",
    "clashes",
    "contradict",
];
const CHOICES: [&str; 8] = ["or", "rather", "prefer", "either", "instead", "otherwise", "keep", "still"];
const NOTHINGS: [&str; 13] = [
    "cannot",
    "can't",
    "not possible",
    "nothing is",
    "nothing has",
    "nothing was",
    "have not",
    "haven't",
    "has not",
    "did not",
    "was not",
    "stays",
    "unchanged",
];
/// Words this short, and these, say nothing of what is spoken of.
const SHORTEST: usize = 4;
const STEM: usize = 5;
const PLAIN: [&str; 22] = [
    "about", "been", "could", "does", "done", "from", "have", "here", "just", "like", "please", "than", "that", "them",
    "then", "there", "this", "what", "will", "with", "would", "your",
];

pub(super) fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    reply.split_inclusive(['.', '?', '!', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

pub(super) fn asks(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| {
        let text = folded(sentence);
        sentence.ends_with('?') && !heard(&text, ASKS).is_empty() && heard(&text, ["rather", "prefer"]).is_empty()
    })
}

/// The first sentence that says of something the user spoke of that it is not there.
pub(super) fn denies<'r>(reply: &'r str, spoken: &str) -> Option<&'r str> {
    let known = content(spoken);
    sentences(reply).find(|sentence| {
        let text = folded(sentence);
        let denied = heard(&text, DENIES).into_iter().filter_map(|cue| text.split_once(cue));
        denied.into_iter().any(|(_, after)| content(after).intersection(&known).next().is_some())
    })
}

pub(super) fn offers_choice(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| sentence.ends_with('?') && !heard(&folded(sentence), CHOICES).is_empty())
}

/// Whether the reply says that something cannot be had, or not with something else.
pub(super) fn limits(reply: &str) -> bool {
    !heard(&folded(reply), CANNOTS).is_empty()
}

pub(super) fn leaves_undone(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| !sentence.ends_with('?') && !heard(&folded(sentence), NOTHINGS).is_empty())
}

/// The beginnings of the words that say what is spoken of.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    let telling = words(text).filter(|word| word.chars().count() >= SHORTEST && !PLAIN.contains(&word.as_str()));
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
