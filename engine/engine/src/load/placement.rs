//! The line and column of a problem.

use super::position::Positions;
use crate::model::diagnostic::{Diagnostic, Place, Problem};

/// Gives a problem found in `file` its line and column. A problem of a script keeps its own place.
pub fn diagnose(file: &str, positions: &Positions, problem: Problem) -> Diagnostic {
    let (line, column) = positions.locate(&problem.place);
    let file = match problem.place {
        Place::Pointer(_) | Place::Key(_) => file.to_owned(),
        Place::Script { file, .. } => file,
    };
    let Problem { severity, code, message, help, .. } = problem;
    Diagnostic { file, line, column, severity, code: code.to_owned(), message, help }
}

/// [`diagnose`] for a list, in the order of files, lines and columns.
pub fn diagnose_all(file: &str, positions: &Positions, problems: impl IntoIterator<Item = Problem>) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> =
        problems.into_iter().map(|problem| diagnose(file, positions, problem)).collect();
    diagnostics.sort();
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::position;

    #[test]
    fn problems_are_placed_in_their_file_or_script() {
        let (_, positions) = position::parse("a.json", "{\n  \"tools\": [ 1 ]\n}").unwrap();
        let mut key = Problem::error("/tools", "bad_value", "no").as_warning();
        key.place = Place::Key("/tools".to_owned());
        let problems = [
            Problem::script("a.rhai", (7, 3), "bad_script", "no").help("yes"),
            Problem::error("/tools/0", "bad_value", "no"),
            Problem::error("/tools/4/name", "bad_value", "no"),
            key,
        ];
        let texts: Vec<String> = diagnose_all("a.json", &positions, problems).iter().map(ToString::to_string).collect();
        let expected = [
            "a.json:2:3: warning[bad_value]: no",
            "a.json:2:12: error[bad_value]: no",
            "a.json:2:14: error[bad_value]: no",
            "a.rhai:7:3: error[bad_script]: no\n  help: yes",
        ];
        assert_eq!(texts, expected);
    }
}
