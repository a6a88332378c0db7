//! Whether the agent said what it had to: as tau2-bench looks for it, and as words and numbers.

use probity_bench::Trace;

/// Whether a text stands in some message of the agent, anywhere: in lower case, and commas of messages left out
/// (COMMUNICATE).
pub fn contains(trace: &Trace, needle: &str) -> bool {
    let needle = needle.to_lowercase();
    replies(trace).any(|text| text.to_lowercase().replace(',', "").contains(&needle))
}

/// Whether a fact was told in some message of the agent: a number as that number, anything else as whole words.
pub fn tells(trace: &Trace, fact: &str) -> bool {
    let fact = plain(fact);
    match fact.parse::<f64>() {
        Ok(number) => replies(trace).any(|text| numbers(&plain(text)).any(|told| (told - number).abs() < 1e-9)),
        Err(_) => replies(trace).any(|text| has_words(&plain(text), &fact)),
    }
}

fn replies(trace: &Trace) -> impl Iterator<Item = &str> {
    trace.events.iter().filter_map(|event| event.reply().map(|(_, text)| text))
}

/// Lower case, blanks single, no commas.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(',', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The numbers in a text that stand alone or behind a sign of money; `12b` is none, and `a12` neither.
fn numbers(text: &str) -> impl Iterator<Item = f64> {
    let is_of_one = |c: char| c.is_alphanumeric() || c == '.';
    text.split(move |c: char| !is_of_one(c)).filter_map(|piece| piece.trim_matches('.').parse().ok())
}

/// Whether words stand in a text, and no longer word around them.
fn has_words(text: &str, words: &str) -> bool {
    !words.is_empty()
        && text.match_indices(words).any(|(at, found)| {
            let (before, behind) =
                (text.get(..at).unwrap_or_default(), text.get(at + found.len()..).unwrap_or_default());
            !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_numbers() {
        let found = |text: &str| numbers(&plain(text)).collect::<Vec<f64>>();
        assert_eq!(found("It is $1,286.00, or 14. Seat 4a, gate b7."), [1286.0, 14.0]);
        assert_eq!(found("(4) and 481.5!"), [4.0, 481.5]);
    }

    #[test]
    fn words_are_whole() {
        assert!(has_words("the camera costs 5", "camera"));
        assert!(!has_words("the cameras cost 5", "camera"));
        assert!(has_words("at 943 maple drive.", "943 maple drive"));
    }
}
