//! Syntax errors of JSON in an author's words: where, what, and the usual slip behind it.

use serde_json::Error;
use serde_json::error::Category;

use super::tree::Spot;
use crate::model::diagnostic::Diagnostic;
use crate::model::visible::named;

/// What is wrong with a text that is not JSON. `open` is where the innermost object or array
/// starts that is never closed.
pub(super) fn diagnose(file: &str, text: &str, error: &Error, open: Option<Spot>) -> Diagnostic {
    if text.trim().is_empty() {
        return Diagnostic::file(file, "bad_json", "the file is empty").help("an authored file holds one JSON object");
    }
    let offset = offset(text, error);
    let found = text.get(offset..).unwrap_or_default();
    let full = error.to_string();
    let reason = full.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&full);
    let (offset, message, help) = if error.classify() == Category::Eof {
        let help = open.map(|(line, column)| format!("what opens at line {line}, column {column} is not closed"));
        (text.trim_end().len(), "the file ends too early".to_owned(), help)
    } else if reason == "trailing comma" {
        let comma = text.get(..offset).and_then(|before| before.rfind(','));
        (comma.unwrap_or(offset), "a comma with nothing after it".to_owned(), Some("remove the comma".to_owned()))
    } else {
        (offset, message(reason), help(reason, text, offset, found))
    };
    let before = text.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Diagnostic { line, column, help, ..Diagnostic::file(file, "bad_json", message) }
}

/// The byte offset of the character at fault. `serde_json` counts columns in bytes, and after a
/// line break that it did not want it stands at column 0 of the next line.
fn offset(text: &str, error: &Error) -> usize {
    let start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut offset = (start + error.column()).saturating_sub(1).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn message(reason: &str) -> String {
    match reason {
        "expected value" | "expected ident" => "expected a value".to_owned(),
        "key must be a string" => "expected a key in double quotes".to_owned(),
        "trailing characters" => "there is text after the end of the value".to_owned(),
        "number out of range" => "the number is too large".to_owned(),
        _ if reason.starts_with("control character") => {
            "a string holds a line break or another control character".to_owned()
        }
        _ => reason.to_owned(),
    }
}

fn help(reason: &str, text: &str, offset: usize, found: &str) -> Option<String> {
    if is_merge_marker(text, offset) {
        return Some(MERGE.to_owned());
    }
    if let Some(foreign) = found.chars().next().filter(|c| !c.is_ascii() || c.is_ascii_control())
        && !reason.starts_with("control character")
    {
        return Some(foreign_help(foreign));
    }
    let help = match reason {
        "trailing characters" => "a file holds one value; remove what follows, or a `}` or `]` too many",
        "invalid escape" => "write a backslash as `\\\\`",
        _ if reason.starts_with("control character") => {
            "close the string on the line where it starts; a line break inside is written `\\n`"
        }
        _ if found.starts_with("/*") && !text.get(offset..).is_some_and(|rest| rest.contains("*/")) => {
            "close it with `*/`"
        }
        _ if found.starts_with("//") || found.starts_with("/*") => "JSON has no comments; remove it",
        _ if found.starts_with('#') => "this begins no comment; remove it",
        _ if found.starts_with('\'') => "use double quotes",
        _ => match word(text, offset) {
            "NaN" | "nan" | "Infinity" | "inf" => "JSON has no such number; write `null` or a text",
            "True" => "write `true`",
            "False" => "write `false`",
            "None" | "undefined" | "nil" | "Null" => "write `null`",
            _ if reason.starts_with("expected `,`") => {
                "a comma is missing before it, or a `\"` inside a string is not written `\\\"`"
            }
            "" => return None,
            _ if reason == "key must be a string" => "put the key in double quotes",
            _ if matches!(reason, "expected value" | "expected ident") => "put text in double quotes",
            _ => return None,
        },
    };
    Some(help.to_owned())
}

/// What to do about a character that JSON does not know outside of texts.
fn foreign_help(found: char) -> String {
    let name = named(found);
    match found {
        '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => {
            format!("here stands {name}; JSON knows the straight `\"` alone")
        }
        _ if found.is_alphanumeric() => format!("here stands {name}; put text in double quotes"),
        _ => format!("here stands {name}; remove it, or put an ordinary blank or sign in its place"),
    }
}

/// Whether a line that a merge has left stands at an offset, or right before what a parser stumbled over.
fn is_merge_marker(text: &str, offset: usize) -> bool {
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    text.get(start..).is_some_and(begins_with_marker)
}

/// Whether a text begins with a line that a merge leaves where both sides changed a file.
pub(crate) fn begins_with_marker(text: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|marker| {
        text.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n', '\r']))
    })
}

/// What to do about such a line.
pub(crate) const MERGE: &str = "a merge is not finished here: choose what is to stay between `<<<<<<<` and `>>>>>>>`, and \
                         remove these lines";

fn word(text: &str, offset: usize) -> &str {
    let (before, after) = text.split_at_checked(offset).unwrap_or_default();
    let start = before.len() - before.chars().rev().take_while(char::is_ascii_alphabetic).count();
    let end = offset + after.chars().take_while(char::is_ascii_alphabetic).count();
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::position::parse;
    use crate::case::hold;

    fn refused(text: &str) -> String {
        let found = parse("", text).unwrap_err();
        found[0].to_string().replace("\n  help: ", " / ")
    }

    #[test]
    fn what_is_no_json_is_told_as_the_cases_say() {
        hold(include_str!("syntax_cases.txt"), &[("refused", refused as fn(&str) -> String)]);
    }
}
