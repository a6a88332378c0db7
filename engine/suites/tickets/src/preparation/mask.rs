//! Personal data is replaced by what tells nothing and stays the same wherever it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A text without credentials, e-mail addresses, numbers of phones, cards and papers, and the names that are given.
/// What is masked stays as it is when it is masked again.
pub fn mask(text: &str, names: &[String]) -> String {
    let text = credentials(text);
    let text = addresses(&text);
    let text = numbers(&text);
    // Few of them stand in any one text, and one of stars alone would mask masks.
    let is_here = |name: &&String| name.contains(char::is_alphanumeric) && text.contains(name.as_str());
    let mut names: Vec<&String> = names.iter().filter(is_here).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.chars().count()));
    names.into_iter().fold(text, |text, name| named(&text, name))
}

/// Notes for each mask of e-mail addresses, numbers and names in some texts what it hides.
pub(super) fn masks(texts: &[String], names: &[String], hidden: &mut BTreeMap<String, BTreeSet<String>>) {
    static WORD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}|[0-9]{11,19}").ok());
    for text in texts {
        let words = WORD.iter().flat_map(|word| word.find_iter(text)).map(|found| found.as_str());
        let named = names.iter().map(String::as_str).filter(|name| text.contains(name));
        for word in words.chain(named).filter(|word| !word.is_empty()) {
            let masked = mask(word, names);
            if masked != word {
                hidden.entry(masked).or_default().insert(word.to_owned());
            }
        }
    }
}

/// A text without a name, where it is a word of its own; what is the start of a masked name stays.
fn named(text: &str, name: &str) -> String {
    let is_start = name.chars().count() <= KEPT;
    words_replaced(text, name, |after| (!(is_start && after.starts_with("***"))).then(|| started(name)))
}

/// A text with another in place of a word, where it is a word of its own. What stands after it says what, or that it
/// stays.
pub(super) fn words_replaced(text: &str, word: &str, with: impl Fn(&str) -> Option<String>) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let (first, last) = (is_letter(word.chars().next()), is_letter(word.chars().next_back()));
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        masked.push_str(before);
        let is_within = (first && is_letter(masked.chars().next_back())) || (last && is_letter(after.chars().next()));
        let replaced = if is_within { None } else { with(after) };
        masked.push_str(replaced.as_deref().unwrap_or(word));
        rest = after;
    }
    masked + rest
}

/// Characters of a name that stay.
const KEPT: usize = 2;

/// The first two characters, or one where there are no more, and stars.
pub(super) fn started(word: &str) -> String {
    let kept = if word.chars().count() <= KEPT { 1 } else { KEPT };
    format!("{}***", word.chars().take(kept).collect::<String>())
}

/// What a credential is called; the last word decides: `access_token`, `db password`.
fn names_of_credentials() -> impl Iterator<Item = &'static str> {
    include_str!("credentials.txt").lines()
}

/// The names as a pattern, their words apart or together: `api key`, `api_key`, `api-key`, `apiKey`.
pub(super) fn credential_names() -> String {
    format!("(?:{})", names_of_credentials().collect::<Vec<_>>().join("|").replace(' ', "[ _-]?"))
}

/// What closes a name or opens a value; in JSON within JSON a backslash stands before it. Stars only close: a mask is
/// of stars.
const CLOSES: &str = "(?:\\\\*[\"'`*“”‘’\\[\\]])*";
const OPENS: &str = "(?:\\\\*[\"'`“”‘’\\[\\]])*";
/// What stands between a name and its value.
pub(super) const SEPARATOR: &str = r"(?:\s*(?:[-=~]+>|:=|[:=→⇒|>]|–|—)|\s-+(?:\s))+";

pub(super) const HIDDEN: &str = "******";

/// Whether the value of a field of this name is a credential: `token`, `access_token`, `apiKey`.
pub(super) fn is_credential(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    names_of_credentials().any(|field| name.ends_with(&field.replace(' ', "")))
}

/// Whether something is a value behind a dash or a bar: `Password - please reset it` and `| Password | Status |` tell
/// none.
fn is_value(key: &str, value: &str) -> bool {
    let separator = key.trim_end_matches(|c: char| c.is_whitespace() || "\\\"'`*“”‘’[]".contains(c));
    let inner = value.trim_matches(|c: char| !c.is_alphanumeric());
    !separator.ends_with(['|', '-', '–', '—']) || inner.chars().any(|c| !c.is_alphabetic() && c != '|')
}

/// A text without the values that stand behind what a credential is called, whatever separates them.
pub(super) fn credentials(text: &str) -> String {
    static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
        // `**Password:** x`
        let name = credential_names();
        let key = format!("{name}{CLOSES}{SEPARATOR}(?:\\*{{1,3}}\\s)?\\s*{OPENS}");
        // A value goes on where another key stands in it; in JSON its quote ends it.
        Regex::new(&format!("(?i)((?:{key})+)((?:[^\\s\"'`“”‘’<\\\\]*?{key})*[^\\s\"'`“”‘’<\\\\]+)")).ok()
    });
    replaced(&PAIR, text, |found| match is_value(part(found, 1), part(found, 2)) {
        true => format!("{}{HIDDEN}", part(found, 1)),
        false => part(found, 0).to_owned(),
    })
}

fn addresses(text: &str) -> String {
    static ADDRESS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"([A-Za-z0-9._%+-]+)@[A-Za-z0-9.-]+\.([A-Za-z]{2,})").ok());
    replaced(&ADDRESS, text, |found| format!("{}@***.{}", started(part(found, 1)), part(found, 2)))
}

/// Numbers by their length; a number is as long as its digits go on.
fn numbers(text: &str) -> String {
    static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("[0-9]+").ok());
    replaced(&DIGITS, text, |found| {
        let digits = part(found, 0);
        let is_phone = digits.starts_with('1') && !matches!(digits.as_bytes().get(1), Some(b'0'..=b'2'));
        let (first, stars) = match digits.len() {
            11 if is_phone => (3, 4),
            18 => (3, 11),
            16 | 17 | 19 => (4, 4),
            _ => return digits.to_owned(),
        };
        starred(digits, first, stars)
    })
}

/// The first digits of a number and its last four, with stars between.
fn starred(number: &str, first: usize, stars: usize) -> String {
    let start = number.get(..first).unwrap_or_default();
    let end = number.len().checked_sub(4).and_then(|from| number.get(from..)).unwrap_or_default();
    format!("{start}{}{end}", "*".repeat(stars))
}

pub(super) fn paper(number: &str) -> String {
    starred(number, 3, 11)
}

fn replaced(pattern: &Option<Regex>, text: &str, with: impl Fn(&Captures<'_>) -> String) -> String {
    pattern.as_ref().map_or_else(|| text.to_owned(), |pattern| pattern.replace_all(text, with).into_owned())
}

fn part<'t>(found: &Captures<'t>, index: usize) -> &'t str {
    found.get(index).map_or("", |part| part.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_kind_is_masked_in_its_way() {
        let names = ["Jack".to_owned(), "Jack Smith".to_owned(), "Li".to_owned()];
        let cases: Vec<(String, String)> = serde_json::from_str(include_str!("masks.json")).unwrap();
        for (text, masked) in cases {
            assert_eq!(mask(&text, &names), masked);
        }
    }

    #[test]
    fn every_name_is_one_of_a_field_and_of_words() {
        for name in names_of_credentials() {
            let parts: Vec<&str> = name.split(' ').collect();
            for written in [name.to_owned(), parts.concat(), parts.join("_"), parts.join("-"), name.to_uppercase()] {
                assert!(is_credential(&written), "{written}");
                assert_eq!(mask(&format!("{written}: x"), &[]), format!("{written}: ******"));
            }
        }
    }

    proptest! {
        #[test]
        fn masking_twice_is_masking_once(text in "[a-zA-Z0-9@.:= *-]{0,60}", names in proptest::collection::vec("[A-Z][a-z]{0,5}", 0..3)) {
            let once = mask(&text, &names);
            prop_assert_eq!(mask(&once, &names), once);
        }
    }
}
