//! Phrases of fixed words, found in a list of words.

/// Whether one of the phrases stands in the words.
pub(crate) fn has(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| place(words, phrase).is_some())
}

/// Whether the words begin with one of the phrases.
pub(crate) fn begins(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| is_at(words, phrase))
}

/// Where a phrase (words with single spaces between) stands first.
pub(crate) fn place(words: &[String], phrase: &str) -> Option<usize> {
    let mut rest = words;
    let mut at = 0;
    while let Some((_, after)) = rest.split_first() {
        if is_at(rest, phrase) {
            return Some(at);
        }
        rest = after;
        at += 1;
    }
    None
}

fn is_at(words: &[String], phrase: &str) -> bool {
    let mut parts = words.iter();
    // Most phrases begin with another word: these are not taken apart.
    words.first().is_some_and(|first| phrase.starts_with(first.as_str()))
        && phrase.split(' ').all(|part| parts.next().is_some_and(|word| word == part))
}
