//! What is wrong with a label file, and what to do about it.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelProblem {
    /// Line from 1; 0 when the whole file is meant.
    pub line: usize,
    /// The place within the line as a JSON pointer; empty when the whole line is meant.
    pub place: String,
    /// A stable code, `snake_case`.
    pub code: &'static str,
    /// One line, lower case, no full stop.
    pub message: String,
    pub help: String,
}

impl fmt::Display for LabelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LabelProblem { line, place, code, message, help } = self;
        match (line, place.is_empty()) {
            (0, _) => {}
            (_, true) => write!(f, "line {line}: ")?,
            (_, false) => write!(f, "line {line}, {place}: ")?,
        }
        write!(f, "error[{code}]: {message}\n  help: {help}")
    }
}
