//! Files of labels and of what is labelled: one JSON object a line, read strictly, all problems at their places.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use probity_engine::{Diagnostic, Problem, load::diagnose, strict};

/// Problems after which a file is read no further.
const MAX_WRONG: usize = 10_000;

/// Reads the lines of a file, of which each is an `F` that `of` makes something of; empty lines mean nothing.
/// An error: all that is wrong, each with its line and column; `empty` where the file holds nothing at all.
pub fn read<F: DeserializeOwned + JsonSchema, T>(
    file: &str,
    text: &str,
    empty: Problem,
    mut of: impl FnMut(F) -> Result<T, Vec<Problem>>,
) -> Result<Vec<T>, Vec<Diagnostic>> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if wrong.len() >= MAX_WRONG {
            break;
        }
        let parsed = strict::parse::<F>(file, line).and_then(|(parsed, positions)| {
            let told =
                |problems: Vec<Problem>| problems.into_iter().map(|one| diagnose(file, &positions, one)).collect();
            of(parsed).map_err(told)
        });
        match parsed {
            Ok(one) => read.push(one),
            Err(found) => wrong.extend(found.into_iter().map(|found| Diagnostic { line: at + 1, ..found })),
        }
    }
    if read.is_empty() && wrong.is_empty() {
        let told = Diagnostic::file(file, empty.code, empty.message);
        wrong.push(Diagnostic { help: empty.help, ..told });
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<u8>, Vec<String>> {
        let empty = Problem::error("", "no_numbers", "it holds no number").help("write one a line");
        let read = read("f.jsonl", text, empty, |number: u8| match number {
            7 => Err(vec![Problem::error("", "bad_value", "7 is unlucky")]),
            number => Ok(number),
        });
        read.map_err(|wrong| wrong.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_problem_is_told_at_its_line() {
        assert_eq!(numbers("1\n\n 2\r\n"), Ok(vec![1, 2]));
        let told = ["f.jsonl:1:1: error[bad_value]: 7 is unlucky", "f.jsonl:3:1: error[wrong_type]: "];
        let wrong = numbers("7\n1\n\"x\"").unwrap_err();
        assert!(wrong.len() == 2 && wrong.iter().zip(told).all(|(wrong, told)| wrong.starts_with(told)), "{wrong:?}");
        assert_eq!(
            numbers(" \n"),
            Err(vec!["f.jsonl: error[no_numbers]: it holds no number\n  help: write one a line".to_owned()])
        );
    }

    #[test]
    fn a_file_that_is_wrong_throughout_is_not_read_to_its_end() {
        assert_eq!(numbers(&"{}\n".repeat(MAX_WRONG + 5)).unwrap_err().len(), MAX_WRONG);
    }
}
