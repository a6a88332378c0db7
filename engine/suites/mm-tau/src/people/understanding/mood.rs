//! Whether a clause tells the user to do something, asks, tells not to, or only says how things are.

use super::phrase::{begins, has};
use super::words::Clause;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Command,
    Question,
    /// It names something to be done as a condition or a time.
    Weak,
    /// It tells how things are, what the agent does, or what is not to be done.
    Statement,
}

/// Words that mean nothing at the beginning of a clause.
const OPENERS: &[&str] = &[
    "please",
    "now",
    "next",
    "first",
    "second",
    "third",
    "okay",
    "ok",
    "great",
    "thanks",
    "thank",
    "you're",
    "alright",
    "also",
    "finally",
    "again",
    "just",
    "lastly",
    "step",
    "perfect",
    "good",
    "sure",
    "right",
    "all",
    "yes",
    "no",
    "well",
    "here",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "kindly",
    "start",
    "quickly",
    "simply",
    "go",
    "ahead",
    "today",
    "instead",
    "afterwards",
    "meanwhile",
    "of",
    "course",
    "still",
    "only",
    "maybe",
    "perhaps",
    "hello",
    "hi",
];

/// What looks like a negation and is none.
const NO_NEGATIONS: &[&str] = &[
    "don't forget to",
    "do not forget to",
    "why don't you",
    "why not",
    "why don't we",
    "if not",
    "not only",
    "can't you",
    "couldn't you",
    "whether or not",
    "or not",
    "don't worry",
    "do not worry",
    "make sure not",
    "no problem",
];

const NEGATIONS: &[&str] = &[
    "don't",
    "do not",
    "not",
    "never",
    "no need to",
    "no need",
    "without",
    "instead of",
    "avoid",
    "rather than",
    "needn't",
    "stop short of",
    "shouldn't",
    "mustn't",
    "won't",
    "can't",
    "cannot",
    "isn't",
    "aren't",
    "doesn't",
    "hasn't",
    "haven't",
    "didn't",
    "unnecessary",
];

/// Subordinate clauses whose deed is not wanted now.
const NOT_NOW: &[&str] = &["before", "until", "unless", "because", "since", "while", "although", "if", "whenever"];

/// What tells the user to do something, wherever it stands.
const URGES: &[&str] = &[
    "you to",
    "please",
    "recommend",
    "suggest",
    "advise",
    "could you",
    "can you",
    "would you",
    "will you",
    "need to",
    "needs to",
    "should be",
    "must be",
    "has to be",
    "have to",
    "needs a",
    "would help",
    "may help",
    "might help",
    "may want to",
    "might want to",
    "you should",
    "you must",
    "you can",
    "you could",
    "step is to",
    "is to",
    "would be to",
    "let's",
    "let us",
    "let me know",
    "tell me",
    "show me",
    "we should",
    "we can",
    "we could",
    "we must",
    "we'll",
    "time to",
    "go ahead and",
    "try to",
    "best to",
    "have you tried",
];

/// What says only what is to be expected, though it looks like an urge.
const EXPECTATIONS: &[&str] = &[
    "should see",
    "should now",
    "will see",
    "will be able",
    "should be able",
    "can expect",
    "can see that",
    "will need to wait",
    "should work",
    "should have",
    "you can always",
    "later",
    "anytime",
    "any time",
];

/// Beginnings of what the agent says of itself or of others.
const TOLD: &[&str] = &[
    "i", "i'm", "i've", "i'll", "i'd", "we", "we've", "we're", "my", "our", "your", "the", "this", "that", "these",
    "those", "it", "it's", "that's", "there", "there's", "you", "you've", "you'll", "a", "an", "some", "let", "he",
    "she", "they", "customer", "as",
];

/// Beginnings of a question about how something is; `tell me` and its like are commands.
const ASKED: &[&str] = &[
    "is",
    "are",
    "does",
    "do",
    "has",
    "have",
    "was",
    "were",
    "did",
    "what",
    "what's",
    "which",
    "how",
    "where",
    "any",
    "do you",
    "can you see",
    "could you see",
    "who",
    "am",
];

/// The mood of a clause, in a sentence that is a question or is none.
pub(super) fn mood(clause: &Clause, is_question: bool) -> Mood {
    let words = body(&clause.words);
    if is_negated(&clause.words) {
        return Mood::Statement;
    }
    if clause.is_subordinate {
        return if begins(words, NOT_NOW) { Mood::Statement } else { Mood::Weak };
    }
    if begins(words, &["to"]) || (!is_question && begins(words, &["which"])) {
        return Mood::Statement;
    }
    let is_urged = has(&clause.words, URGES) && !has(&clause.words, EXPECTATIONS);
    // Outside a question, "which" carries on what was said.
    if (is_question || begins(words, &["what", "how"])) && begins(words, ASKED) {
        return if has(&clause.words, &["have you tried", "did you try"]) { Mood::Weak } else { Mood::Question };
    }
    if !is_urged && begins(words, TOLD) { Mood::Statement } else { Mood::Command }
}

/// The words without those at the beginning that mean nothing.
fn body(words: &[String]) -> &[String] {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        if !OPENERS.contains(&first.as_str()) || after.is_empty() {
            break;
        }
        rest = after;
    }
    rest
}

/// Whether the clause says that something is not, or is not to be.
pub(crate) fn is_negated(words: &[String]) -> bool {
    has(words, NEGATIONS) && !has(words, NO_NEGATIONS)
}
