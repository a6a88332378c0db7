//! Phrases that texts are searched for: plain text, or a regular expression after `re:`.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder};

/// Most memory that an expression may take, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// One phrase, compiled.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The phrase as authored.
    pub source: String,
    /// Its words, or the expression.
    core: Regex,
    /// What may stand before and after it, where it begins or ends with a number. There are many phrases, and an
    /// expression that holds both takes ten times the memory of one that holds its words.
    before: Option<&'static Guard>,
    after: Option<&'static Guard>,
    /// All of it in one expression: made when it is asked where the phrase stands.
    whole: OnceLock<Option<Regex>>,
}

impl Phrase {
    /// Compiles a phrase. Plain text is looked for as whole words, without regard to case and white space.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn parse(source: &str) -> Result<Phrase, String> {
        let (before, core, after) = match source.strip_prefix("re:") {
            Some(pattern) => (None, pattern.to_owned(), None),
            None => plain(source)?,
        };
        let core = compiled(&core, MAX_SIZE);
        let core = core.map_err(|error| super::assertion::last_line(&error.to_string()).to_owned())?;
        if core.is_match("") {
            return Err("it is found in everything, even where nothing is said".to_owned());
        }
        Ok(Phrase { source: source.to_owned(), core, before, after, whole: OnceLock::new() })
    }

    /// Whether it was given as a regular expression.
    pub fn is_expression(&self) -> bool {
        self.source.starts_with("re:")
    }

    /// How `text` says the phrase, each time: the character at which its first word starts, and the phrase itself or
    /// the whole words that an expression finds.
    pub fn ways_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, String)> + 'a {
        let whole = self.whole().filter(|_| self.is_in(text));
        whole.into_iter().flat_map(|whole| whole.find_iter(text)).map(move |found| {
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
        if self.before.is_none() && self.after.is_none() {
            return self.core.is_match(text);
        }
        let mut from = 0;
        while let Some(found) = self.core.find_at(text, from) {
            let (lead, rest) = (text.split_at(found.start()).0, text.split_at(found.end()).1);
            if self.before.is_none_or(|guard| guard.lets(lead)) && self.after.is_none_or(|guard| guard.lets(rest)) {
                return true;
            }
            from = found.start() + found.as_str().chars().next().map_or(1, char::len_utf8);
        }
        false
    }

    fn whole(&self) -> Option<&Regex> {
        let pattern = |guard: Option<&Guard>| guard.map_or("", |guard| guard.pattern);
        let (before, after) = (pattern(self.before), pattern(self.after));
        if before.is_empty() && after.is_empty() {
            return Some(&self.core);
        }
        let whole = || compiled(&format!("{before}{}{after}", self.core.as_str()), 4 * MAX_SIZE).ok();
        self.whole.get_or_init(whole).as_ref()
    }
}

fn compiled(pattern: &str, size: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).case_insensitive(true).size_limit(size).build()
}

/// What may stand on one side of a number.
#[derive(Debug)]
struct Guard {
    pattern: &'static str,
    /// The same, held to the end of what stands before, or to the start of what stands after.
    edge: LazyLock<Option<Regex>>,
}

impl Guard {
    fn lets(&self, beside: &str) -> bool {
        self.edge.as_ref().is_some_and(|edge| edge.is_match(beside))
    }
}

/// What may stand before a number: it is not found inside a longer one, a day or a time (`15` is in none of
/// `115`, `1.15`, `-15`, `2026-06-15` and `11:15`), but at the end of a range such as `10-15`.
const BEFORE_NUMBER: &str = r"(?:^|[^\w.,:/-]|(?:^|\D)[.,:/]|(?:^|[^\d-])\d{1,3}-)";
/// What may stand after a number.
const AFTER_NUMBER: &str = r"(?:$|[^\w.,:/-]|[.,:/-](?:$|\D)|-\d{1,3}(?:$|[^\d-]))";
/// The same of days and times, which have their own marks within and may be the ends of a range.
const BEFORE_DAY: &str = r"(?:^|[^\w.,]|(?:^|\D)[.,])";
const AFTER_DAY: &str = r"(?:$|[^\w.,]|[.,](?:$|\D))";

static NUMBER: [Guard; 2] = [
    Guard { pattern: BEFORE_NUMBER, edge: LazyLock::new(|| ends_in(BEFORE_NUMBER)) },
    Guard { pattern: AFTER_NUMBER, edge: LazyLock::new(|| starts_with(AFTER_NUMBER)) },
];
static DAY: [Guard; 2] = [
    Guard { pattern: BEFORE_DAY, edge: LazyLock::new(|| ends_in(BEFORE_DAY)) },
    Guard { pattern: AFTER_DAY, edge: LazyLock::new(|| starts_with(AFTER_DAY)) },
];

fn ends_in(pattern: &str) -> Option<Regex> {
    Regex::new(&format!("{pattern}$")).ok()
}

fn starts_with(pattern: &str) -> Option<Regex> {
    Regex::new(&format!("^{pattern}")).ok()
}

/// Plain text as an expression, and what may stand around it where that is not part of the expression.
type Plain = (Option<&'static Guard>, String, Option<&'static Guard>);

fn plain(source: &str) -> Result<Plain, String> {
    let words: Vec<String> = source.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return Err("a phrase cannot be empty".to_owned());
    }
    let trimmed = source.trim();
    let is_digit = |c: char| c.is_ascii_digit();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let [before, after] = if trimmed.contains([':', '/', '-']) { &DAY } else { &NUMBER };
    let (starts, ends) = (trimmed.starts_with(is_digit), trimmed.ends_with(is_digit));
    let start = if !starts && trimmed.starts_with(is_word) { r"\b" } else { "" };
    let end = if !ends && trimmed.ends_with(is_word) { r"\b" } else { "" };
    Ok((starts.then_some(before), format!("{start}{}{end}", words.join(r"\s+")), ends.then_some(after)))
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
    proptest::proptest! {
        /// Whether a phrase is in a text and where it stands are two expressions of one rule.
        #[test]
        fn a_phrase_is_in_a_text_where_it_stands_there(
            phrase in "[15a][15a:/. -]{0,3}[15a]",
            text in "[15a:/., éB-]{0,12}",
            at in 0_usize..12,
        ) {
            let mut text: Vec<char> = text.chars().collect();
            text.splice(at.min(text.len())..at.min(text.len()), phrase.chars());
            let (text, phrase): (String, _) = (text.into_iter().collect(), Phrase::parse(&phrase).unwrap());
            proptest::prop_assert_eq!(phrase.is_in(&text), phrase.whole().unwrap().is_match(&text), "{}", text);
        }
    }
}
