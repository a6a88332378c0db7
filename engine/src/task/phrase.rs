//! Phrases that replies must contain: plain text, or a regular expression after `re:`.

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

    /// Whether `text` contains the phrase.
    pub fn is_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

fn plain(source: &str) -> Result<String, String> {
    let words: Vec<String> = source.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return Err("a phrase cannot be empty".to_owned());
    }
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let trimmed = source.trim();
    let start = if is_word(trimmed.chars().next()) { r"\b" } else { "" };
    // A number is not found inside a longer one, a day or a time: `15` is in none of `150`, `15.50`, `-15`,
    // `2026-06-15` and `15:30`.
    let ends_in_digit = trimmed.ends_with(|c: char| c.is_ascii_digit());
    let end = match (ends_in_digit, is_word(trimmed.chars().last())) {
        (true, _) => r"(?:$|[^\w.,:/-]|[.,:/-](?:$|\D))",
        (false, true) => r"\b",
        (false, false) => "",
    };
    let start = match trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        true => r"(?:^|[^\w.,:/-]|(?:^|\D)[.,:/])",
        false => start,
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
