//! Phrases that texts are searched for: plain text, or a regular expression after `re:`.

use regex::{Regex, RegexBuilder};

/// One phrase, compiled.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The phrase as authored.
    pub source: String,
    regex: Regex,
}

impl Phrase {
    /// Compiles a phrase. Plain text is looked for as whole words, without regard to case and white space.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn parse(source: &str) -> Result<Phrase, String> {
        let pattern = match source.strip_prefix("re:") {
            Some(pattern) => pattern.to_owned(),
            None => plain(source)?,
        };
        let regex = RegexBuilder::new(&pattern).case_insensitive(true).size_limit(1 << 20).build();
        let regex = regex.map_err(|error| super::assertion::last_line(&error.to_string()).to_owned())?;
        if regex.is_match("") {
            return Err("it is found in everything, even where nothing is said".to_owned());
        }
        Ok(Phrase { source: source.to_owned(), regex })
    }

    /// Whether it was given as a regular expression.
    pub fn is_expression(&self) -> bool {
        self.source.starts_with("re:")
    }

    /// How `text` says the phrase, each time: the character at which its first word starts, and the phrase itself or
    /// the whole words that an expression finds.
    pub fn ways_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, String)> + 'a {
        self.regex.find_iter(text).map(move |found| {
            let (before, rest) = text.split_at(found.start());
            let (within, after) = rest.split_at(found.end() - found.start());
            let is_word = |c: &char| c.is_alphanumeric();
            let lead = within.chars().position(|c| c.is_alphanumeric()).unwrap_or_default();
            let at = before.chars().count() + lead;
            if !self.is_expression() {
                return (at, self.source.clone());
            }
            let head: Vec<char> = before.chars().rev().take_while(is_word).collect();
            let tail: String = after.chars().take_while(is_word).collect();
            let words: String = head.into_iter().rev().chain(within.chars()).chain(tail.chars()).collect();
            (at, words.trim().to_owned())
        })
    }

    /// Whether `text` contains the phrase.
    pub fn is_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// What may stand before a number: it is not found inside a longer one, a day or a time (`15` is in none of
/// `115`, `1.15`, `-15`, `2026-06-15` and `11:15`), but at the end of a range such as `10-15`.
const BEFORE_NUMBER: &str = r"(?:^|[^\w.,:/-]|(?:^|\D)[.,:/]|(?:^|[^\d-])\d{1,3}-)";
/// What may stand after a number.
const AFTER_NUMBER: &str = r"(?:$|[^\w.,:/-]|[.,:/-](?:$|\D)|-\d{1,3}(?:$|[^\d-]))";

fn plain(source: &str) -> Result<String, String> {
    let words: Vec<String> = source.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return Err("a phrase cannot be empty".to_owned());
    }
    let trimmed = source.trim();
    let is_digit = |c: char| c.is_ascii_digit();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    // Days and times have their own marks within, and may be the ends of a range.
    let is_plain_number = !trimmed.contains([':', '/', '-']);
    let start = match (trimmed.starts_with(is_digit), is_plain_number) {
        (true, true) => BEFORE_NUMBER,
        (true, false) => r"(?:^|[^\w.,]|(?:^|\D)[.,])",
        (false, _) if trimmed.starts_with(is_word) => r"\b",
        (false, _) => "",
    };
    let end = match (trimmed.ends_with(is_digit), is_plain_number) {
        (true, true) => AFTER_NUMBER,
        (true, false) => r"(?:$|[^\w.,]|[.,](?:$|\D))",
        (false, _) if trimmed.ends_with(is_word) => r"\b",
        (false, _) => "",
    };
    Ok(format!("{start}{}{end}", words.join(r"\s+")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(phrase: &str, text: &str) -> bool {
        Phrase::parse(phrase).unwrap().is_in(text)
    }

    #[test]
    fn plain_text_is_found_as_whole_words() {
        assert!(found("15 EUR", "It costs 15  eur."));
        assert!(found("fee", "A FEE applies"));
        assert!(!found("fee", "coffee"));
        assert!(!found("fee", "fees"));
    }

    #[test]
    fn numbers_are_not_found_in_longer_numbers() {
        for text in
            ["15", "it is 15.", "15, then", "(15)", "€15", "costs 15 EUR", "15.\nThen", "a 15-day stay", "by 15:"]
        {
            assert!(found("15", text), "{text}");
        }
        for text in ["150", "15.50", "1.15", "115", "15,000", "B15", "2026-06-15", "15:30", "at 11:15", "-15", "15/06"]
        {
            assert!(!found("15", text), "{text}");
        }
        assert!(found("15.00", "15.00 EUR"));
        for (phrase, text) in [
            ("23:30", "23:30-00:15 UTC"),
            ("00:15", "23:30-00:15 UTC"),
            ("3 nights", "for 1-3 nights"),
            ("10", "rooms 10-11"),
            ("2026-06-15", "2026-06-15/2026-06-18"),
        ] {
            assert!(found(phrase, text), "{phrase} in {text}");
        }
        assert!(!found("2026", "on 2026-06-15") && !found("06", "on 2026-06-15") && !found("555", "call 555-0123"));
    }

    #[test]
    fn what_an_expression_finds_is_widened_to_whole_words() {
        let found = |phrase: &str, text: &str| Phrase::parse(phrase).unwrap().ways_in(text).collect::<Vec<_>>();
        assert_eq!(found("re:declin", "It was declined, declined!"), [(7, "declined".into()), (17, "declined".into())]);
        assert_eq!(found("15 EUR", "Zoë: 15  eur."), [(5, "15 EUR".to_owned())]);
        assert!(found("re:fee", "nothing").is_empty());
    }

    #[test]
    fn expressions_are_taken_as_they_are() {
        assert!(found("re:within (two|2) days", "Within 2 days"));
        assert!(Phrase::parse("re:(").is_err());
        assert!(Phrase::parse("  ").is_err());
        assert!(Phrase::parse("re:").is_err());
        assert!(Phrase::parse("re:(a|b)*").is_err());
    }
}
