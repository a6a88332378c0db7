//! Files of other people: JSON and JSON lines anywhere on the disk, numbers as they are written.

use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::position::Positions;
use super::scan::{Numbers, Scanned, scan};
use crate::model::diagnostic::Diagnostic;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// A value of a file, where it stands, and the line it starts after.
#[derive(Debug)]
pub struct Located {
    /// The value, numbers as they are written.
    pub value: Value,
    /// Where its parts stand, counted from the line.
    pub positions: Positions,
    /// Lines of the file before the text of this value.
    pub lines_before: usize,
    /// JSON Pointers of integers beyond 64 bits, of which the value holds only the nearest float.
    pub wide: Vec<String>,
}

/// Reads a file as text.
///
/// # Errors
/// One diagnostic: missing, unreadable, too large, or not UTF-8.
pub fn read(path: &Path) -> Result<String, Diagnostic> {
    let file = path.to_string_lossy();
    let mut bytes = super::read::bytes(path, &file, MAX_BYTES)?;
    let mark = "\u{feff}".as_bytes();
    if bytes.starts_with(mark) {
        bytes.drain(..mark.len());
    }
    super::read::decode(&file, bytes)
}

/// Parses a text that is one JSON value.
///
/// # Errors
/// The syntax error.
pub fn json(file: &str, text: &str) -> Result<Located, Diagnostic> {
    parse(file, text, 0)
}

/// Parses a text of one JSON value a line; empty lines are passed over.
///
/// # Errors
/// The syntax error of every line that has one, or that there is no value at all.
pub fn json_lines(file: &str, text: &str) -> Result<Vec<Located>, Vec<Diagnostic>> {
    let (values, problems) = each_line(file, text);
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

/// As [`json_lines`], with the values of all lines that can be read beside the problems of the others.
pub fn each_line(file: &str, text: &str) -> (Vec<Located>, Vec<Diagnostic>) {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for (before, line) in lines {
        match parse(file, line, before) {
            Ok(value) => values.push(value),
            Err(problem) if values.is_empty() && problems.is_empty() && is_laid_out(text) => {
                let message = "a JSON value is laid out over several lines; here each line is a value of its own";
                let help = "write each value on one line";
                let refused = Diagnostic::file(file, "not_json_lines", message).help(help);
                return (values, vec![Diagnostic { line: problem.line, column: 1, ..refused }]);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if values.is_empty() && problems.is_empty() {
        problems.push(Diagnostic::file(file, "empty_file", "the file is empty").help("write one JSON value a line"));
    }
    (values, problems)
}

/// Whether a text is JSON values one after the other, wherever its lines break.
fn is_laid_out(text: &str) -> bool {
    serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>().all(|value| value.is_ok())
}

fn parse(file: &str, text: &str, lines_before: usize) -> Result<Located, Diagnostic> {
    let Scanned { tree, wide, .. } = scan(file, text, Numbers::Written, lines_before)
        .map_err(|problem| Diagnostic { line: problem.line + lines_before, ..problem })?;
    let (value, positions) = Positions::beside(tree);
    Ok(Located { value, positions, lines_before, wide })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_broken_line_is_told_with_its_number() {
        let text = "{\"a\": 1}\n\n{\"a\": \n{\"a\": 2.0, \"a\": 99999999999999999}\n[1,]\n";
        let problems = json_lines("v.jsonl", text).unwrap_err();
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let expected = [
            "v.jsonl:3:6: error[bad_json]: the file ends too early\n  help: what opens at line 3, column 1 is not closed",
            "v.jsonl:5:3: error[bad_json]: a comma with nothing after it\n  help: remove the comma",
        ];
        assert_eq!(texts, expected);
        assert_eq!(json_lines("v.jsonl", "\n").unwrap_err().len(), 1);
    }

    #[test]
    fn a_value_over_several_lines_is_told_as_one() {
        for text in ["\n{\n  \"a\": [\n    1\n  ]\n}\n", "\n{\n}\n{\n}\n"] {
            let problems = json_lines("v.jsonl", text).unwrap_err();
            let found: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line)).collect();
            assert_eq!(found, [("not_json_lines", 2)], "{text}");
        }
    }

    #[test]
    fn integers_that_a_float_would_stand_for_are_known() {
        let text = r#"{"a/b": [18446744073709551615, 18446744073709551616, -0], "c": -9223372036854775809, "d": 1e30}"#;
        let located = json("v.json", text).unwrap();
        assert_eq!(located.wide, ["/a~1b/1", "/c"]);
        assert_eq!(located.value.pointer("/a~1b/2").unwrap().to_string(), "0");
    }

    #[test]
    fn numbers_stay_as_they_are_written() {
        let values = json_lines("v.jsonl", "[7.0, 99999999999999999]\n").unwrap();
        assert_eq!(values[0].value.to_string(), "[7.0,99999999999999999]");
    }
}
