//! What a raw ticket tells of its own secrets, so that they are masked where nothing says any more what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::mask::{
    HIDDEN, SEPARATOR, credential_names, credentials, is_credential, mask, masks, paper, started, words_replaced,
};

/// Masks the texts of one ticket: as [`mask`] does, and before it what the ticket calls a credential somewhere, numbers
/// in groups, papers that end in a letter, and addresses in any script. Names are met in any case.
pub(super) struct Masker {
    names: Vec<String>,
    /// What is masked, and what stands in its place; the longest first.
    known: Vec<(String, String)>,
}

/// Characters from which a value is masked, or a name met in any case.
const LEAST: usize = 4;

impl Masker {
    pub(super) fn of(texts: &[String], names: &[String]) -> Masker {
        let mut known = BTreeMap::new();
        for text in texts {
            credentials_said(text, &mut known);
            forms(text, &mut known);
            if let Ok(value) = serde_json::from_str(text) {
                credential_fields(&value, false, &mut known);
            }
        }
        let mut known: Vec<(String, String)> = known.into_iter().collect();
        known.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        Masker { names: spellings(texts, names), known }
    }

    /// A text without personal data. What is masked stays as it is when it is masked again.
    pub(super) fn mask(&self, text: &str) -> String {
        let here: Vec<_> = self.known.iter().filter(|(value, _)| text.contains(value.as_str())).collect();
        // A pair of a key and a value ends with the value's quote or at a blank, whatever is known of its parts.
        let unquoted = here.iter().fold(text.to_owned(), |text, (value, with)| {
            let quotes = [('"', '"'), ('\'', '\''), ('“', '”')];
            quotes.iter().fold(text, |text, (open, close)| {
                text.replace(&format!("{open}{value}{close}"), &format!("{open}{with}{close}"))
            })
        });
        let paired = credentials(&unquoted);
        let bare =
            |text: String, (value, with): &(String, String)| words_replaced(&text, value, |_| Some(with.clone()));
        mask(&here.into_iter().fold(paired, bare), &self.names)
    }

    /// Notes for each mask of e-mail addresses, numbers and names in some texts what it hides.
    pub(super) fn masks(&self, texts: &[String], hidden: &mut BTreeMap<String, BTreeSet<String>>) {
        masks(texts, &self.names, hidden);
        for (value, with) in self.known.iter().filter(|(_, with)| with != HIDDEN) {
            let bare = if value.contains('@') { value.clone() } else { without_gaps(value) };
            hidden.entry(with.clone()).or_default().insert(bare);
        }
    }
}

/// The names as they are given, and as the texts write them.
fn spellings(texts: &[String], names: &[String]) -> Vec<String> {
    let mut all: BTreeSet<String> = names.iter().cloned().collect();
    for name in names.iter().filter(|name| name.chars().count() >= LEAST) {
        let Ok(pattern) = Regex::new(&format!("(?i){}", regex::escape(name))) else { continue };
        all.extend(texts.iter().flat_map(|text| pattern.find_iter(text)).map(|found| found.as_str().to_owned()));
    }
    all.into_iter().collect()
}

/// Values that are called a credential in words: `password: X`, `my password is "two words"`. A word that is nothing
/// but letters is no value after `is`: the password is *wrong*.
fn credentials_said(text: &str, known: &mut BTreeMap<String, String>) {
    static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let key = format!("(?i){}", credential_names());
        let sign = format!(r#"["']?\s*(?:{SEPARATOR}|\s(?:is|was|are)(?:\s+now)?[\s:]\s*)\s*"#);
        let value = r#"(?:"(?P<double>[^"\n]{1,200})"|'(?P<single>[^'\n]{1,200})'|“(?P<curly>[^”\n]{1,200})”|(?P<bare>[^\s"'“]+))"#;
        Regex::new(&format!("{key}{sign}{value}")).ok()
    });
    for found in SAID.iter().flat_map(|pattern| pattern.captures_iter(text)) {
        let quoted = ["double", "single", "curly"].iter().find_map(|name| found.name(name));
        let bare =
            found.name("bare").map(|bare| bare.as_str().trim_end_matches(['.', ',', ';', '!', '?', ')', '}', ']']));
        let is_value = |value: &&str| value.chars().any(|c| !c.is_alphabetic());
        if let Some(value) = quoted.map(|quoted| quoted.as_str()).or(bare.filter(is_value)) {
            add_credential(value, known);
        }
    }
}

fn credential_fields(value: &Value, is_secret: bool, known: &mut BTreeMap<String, String>) {
    match value {
        Value::String(text) if is_secret => add_credential(text, known),
        Value::Array(items) => items.iter().for_each(|item| credential_fields(item, is_secret, known)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| credential_fields(item, is_secret || is_credential(name), known));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn add_credential(value: &str, known: &mut BTreeMap<String, String>) {
    if value.chars().count() >= LEAST && value.contains(char::is_alphanumeric) {
        known.insert(value.to_owned(), HIDDEN.to_owned());
    }
}

/// Numbers in groups, papers that end in a letter, and addresses that are not ASCII.
fn forms(text: &str, known: &mut BTreeMap<String, String>) {
    static GROUPS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\b(?:1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}",
            r"|[0-9]{4}(?:[ -][0-9]{4}){3}(?:[ -][0-9]{1,3})?",
            r"|[0-9]{6}[ -][0-9]{8}[ -][0-9]{3}[0-9Xx]|[0-9]{17}[Xx])\b",
        ))
        .ok()
    });
    static ADDRESS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"([\p{L}\p{N}._%+-]+)@(?:[\p{L}\p{N}-]+\.)+([\p{L}]{2,})").ok());
    for found in GROUPS.iter().flat_map(|pattern| pattern.find_iter(text)) {
        let number = without_gaps(found.as_str());
        let masked = match number.strip_suffix(['X', 'x']) {
            // As a paper of digits alone, with the letter at its end.
            Some(_) => paper(&number),
            None => mask(&number, &[]),
        };
        known.insert(found.as_str().to_owned(), masked);
    }
    for found in ADDRESS.iter().flat_map(|pattern| pattern.captures_iter(text)) {
        let part = |index: usize| found.get(index).map_or("", |part| part.as_str());
        if !part(0).is_ascii() {
            known.insert(part(0).to_owned(), format!("{}@***.{}", started(part(1)), part(2)));
        }
    }
}

fn without_gaps(number: &str) -> String {
    number.replace([' ', '-'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(texts: &[&str], names: &[&str]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let masker = Masker::of(&texts, &names);
        let once: Vec<String> = texts.iter().map(|text| masker.mask(text)).collect();
        let again = Masker::of(&once, &names);
        assert_eq!(once.iter().map(|text| again.mask(text)).collect::<Vec<_>>(), once, "masking twice is masking once");
        once
    }

    #[test]
    fn a_credential_is_masked_wherever_the_ticket_has_it() {
        let texts = ["My password is tulip-77.", "I typed tulip-77 twice", "my password is wrong", "xtulip-77"];
        assert_eq!(
            masked(&texts, &[]),
            ["My password is ******.", "I typed ****** twice", "my password is wrong", "xtulip-77"]
        );
        assert_eq!(
            masked(&[r#"the api key was "two words""#, "two words", r#"{"db_password": "plain"}"#, "plain"], &[]),
            [r#"the api key was "******""#, "******", r#"{"db_password": "******"}"#, "******"]
        );
    }

    #[test]
    fn forms_of_one_value_have_one_mask() {
        assert_eq!(
            masked(&["6222 0212 3456 7890", "6222021234567890", "157-1234-3190", "15712343190"], &[]),
            ["6222****7890", "6222****7890", "157****3190", "157****3190"]
        );
        assert_eq!(
            masked(&["11010119900307451X", "jörg.müller@post.example", "on 2026-11-05 1234 left"], &[]),
            ["110***********451X", "jö***@***.example", "on 2026-11-05 1234 left"]
        );
    }

    #[test]
    fn a_name_is_met_in_any_case() {
        assert_eq!(
            masked(&["MIRA HOLT and mira holt", "al Fine"], &["Mira Holt", "Al"]),
            ["MI*** and mi***", "al Fine"]
        );
    }
}
