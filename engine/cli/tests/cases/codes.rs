//! `codes.txt` says what each code means and is complete: it is compared with the source and with the cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::contents;

/// What makes a problem, with the position of the code among the arguments.
const MAKERS: [(&str, usize); 9] = [
    ("Problem::error(", 1),
    ("Problem::warning(", 1),
    ("Problem::script(", 2),
    ("Diagnostic::file(", 1),
    (".error(", 1),
    (".warning(", 1),
    ("self.at(", 2),
    ("Flaw::new(", 1),
    ("uncertified(", 1),
];

/// Follows a meaning when no case can show the code, and says why.
const NO_CASE: &str = "; no case: ";

/// Code and meaning, and whether there is a case.
fn listed() -> BTreeMap<String, (String, bool)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/codes.txt");
    let text = contents(path);
    let lines: Vec<(&str, &str)> = text.lines().map(|line| line.split_once(": ").unwrap()).collect();
    assert!(lines.is_sorted(), "codes.txt is sorted");
    let listed: BTreeMap<String, (String, bool)> = lines
        .iter()
        .map(|(code, meaning)| {
            let (meaning, why) = meaning.split_once(NO_CASE).unwrap_or((meaning, ""));
            (code.to_string(), (meaning.to_owned(), why.is_empty()))
        })
        .collect();
    assert_eq!(listed.len(), lines.len(), "a code is listed twice");
    let meanings: BTreeSet<&String> = listed.values().map(|(meaning, _)| meaning).collect();
    assert_eq!(meanings.len(), listed.len(), "two codes mean the same");
    listed
}

/// Every code of a case is listed, and every listed code has a case or says why not.
pub fn check_cases(produced: &BTreeSet<&str>) {
    let listed = listed();
    let unlisted: Vec<&&str> = produced.iter().filter(|code| !listed.contains_key(**code)).collect();
    assert!(unlisted.is_empty(), "not in codes.txt: {unlisted:?}");
    let wrong = listed.iter().filter(|(code, (_, has_case))| produced.contains(code.as_str()) != *has_case);
    let wrong: Vec<&String> = wrong.map(|(code, _)| code).collect();
    assert!(wrong.is_empty(), "without a case, or with one though codes.txt says there is none: {wrong:?}");
}

#[test]
fn every_code_of_the_source_is_listed() {
    let mut texts = Vec::new();
    for part in ["prose", "engine", "bench", "suites/behaviour", "proof", "report", "peers", "cli"] {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(part).join("src"), &mut texts);
    }
    let constants: BTreeMap<&str, &str> = texts.iter().flat_map(|text| constants(text)).collect();
    let mut emitted: BTreeSet<&str> = texts.iter().flat_map(|text| emitted(text, &constants)).collect();
    emitted.extend(texts.iter().flat_map(|text| kinds(text)));
    let listed = listed();
    let listed: BTreeSet<&str> = listed.keys().map(String::as_str).collect();
    assert_eq!(emitted, listed);
}

fn read(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, texts);
        } else if !path.file_stem().unwrap().to_str().unwrap().ends_with("tests") {
            let text = contents(&path);
            texts.push(text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned());
        }
    }
}

/// `const NAME: &str = "value";`
fn constants(text: &str) -> Vec<(&str, &str)> {
    let named = text.split("const ").skip(1).filter_map(|rest| rest.split_once(": &str = \""));
    named.filter_map(|(name, rest)| Some((name, rest.split_once('"')?.0))).collect()
}

fn emitted<'a>(text: &'a str, constants: &BTreeMap<&'a str, &'a str>) -> Vec<&'a str> {
    let mut codes = Vec::new();
    for (maker, position) in MAKERS {
        for (start, _) in text.match_indices(maker) {
            let code = argument(&text[start + maker.len()..], position);
            let literal = code.strip_prefix('"').and_then(|code| code.strip_suffix('"'));
            codes.extend(literal.or_else(|| constants.get(code).copied()));
        }
    }
    let fields = text.split("Problem { code: \"").skip(1).filter_map(|rest| rest.split_once('"'));
    codes.extend(fields.map(|(code, _)| code));
    codes
}

/// The codes of `ViolationKind`.
fn kinds(text: &str) -> Vec<&str> {
    let arms = text.split("ViolationKind::").skip(1).filter_map(|rest| rest.split_once(" => \""));
    let arms = arms.filter(|(name, _)| name.chars().all(char::is_alphanumeric));
    arms.filter_map(|(_, rest)| Some(rest.split_once('"')?.0)).collect()
}

/// The argument at a position of the call whose arguments start here.
fn argument(call: &str, position: usize) -> &str {
    let (mut depth, mut seen, mut start, mut in_text, mut escaped) = (0, 0, 0, false, false);
    for (at, next) in call.char_indices() {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            ',' | ')' if depth == 0 => {
                if seen == position || next == ')' {
                    return if seen == position { call[start..at].trim() } else { "" };
                }
                (seen, start) = (seen + 1, at + 1);
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    ""
}
