//! Phrases of fixed words, found in a list of words.

pub(crate) fn has(words: &[String], phrases: &[&str]) -> bool {
    let begun = words.iter().fold(0, |begun, word| begun | beginning(word));
    phrases.iter().any(|phrase| begun & beginning(phrase) != 0 && place(words, phrase).is_some())
}

pub(crate) fn begins(words: &[String], phrases: &[&str]) -> bool {
    let begun = words.first().map_or(0, |word| beginning(word));
    phrases.iter().any(|phrase| begun == beginning(phrase) && is_at(words, phrase))
}

/// Where a phrase (words with single spaces between) stands first.
pub(crate) fn place(words: &[String], phrase: &str) -> Option<usize> {
    (0..words.len()).find(|at| words.get(*at..).is_some_and(|rest| is_at(rest, phrase)))
}

fn is_at(words: &[String], phrase: &str) -> bool {
    let mut parts = words.iter();
    // Most phrases begin with another word: these are not taken apart.
    words.first().is_some_and(|first| phrase.starts_with(first.as_str()))
        && phrase.split(' ').all(|part| parts.next().is_some_and(|word| word == part))
}

/// One of 64 bits for the first two bytes of a text's first word: of most phrases no word has that of their first.
fn beginning(text: &str) -> u64 {
    let mut first = text.bytes().take_while(|byte| *byte != b' ').take(2);
    let mut next = || u32::from(first.next().unwrap_or(0));
    1 << ((next() * 7 + next()) % 64)
}
