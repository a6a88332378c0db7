//! Problems in authored files: all of them, each with a place, a code, a message and a help line.

use std::fmt;

use serde::Serialize;

use super::visible::visible;

/// Whether a diagnostic stops the file from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used; a person should look.
    Warning,
}

/// Where in an authored file a problem lies, before lines and columns are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A JSON Pointer into the file that is being checked.
    Pointer(String),
    /// The key at this JSON Pointer, rather than its value.
    Key(String),
    /// A line and column (from 1) of the named script.
    Script {
        /// The script's path below the root.
        file: String,
        /// Line from 1; 0 when unknown.
        line: usize,
        /// Column from 1; 0 when unknown.
        column: usize,
    },
}

/// The most characters that are told of one problem: authors' texts stand in messages.
const MAX_CHARACTERS: usize = 2000;

/// A text for people: everything in it can be seen, and it ends.
fn legible(text: &str) -> String {
    let shown = visible(text);
    match shown.char_indices().nth(MAX_CHARACTERS) {
        Some((cut, _)) => format!("{} .. (cut short)", shown.get(..cut).unwrap_or_default()),
        None => shown.into_owned(),
    }
}

/// A problem found by a check, placed by pointer; the loader turns it into a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// How bad.
    pub severity: Severity,
    /// A stable code, `snake_case`.
    pub code: &'static str,
    /// One line, lower case, no full stop.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
}

impl Problem {
    /// An error at a JSON Pointer.
    pub fn error(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Problem {
            place: Place::Pointer(pointer.into()),
            severity: Severity::Error,
            code,
            message: legible(&message.into()),
            help: None,
        }
    }

    /// A warning at a JSON Pointer.
    pub fn warning(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(pointer, code, message) }
    }

    /// An error at a place of a script.
    pub fn script(file: &str, (line, column): (usize, usize), code: &'static str, message: impl Into<String>) -> Self {
        Problem { place: Place::Script { file: file.to_owned(), line, column }, ..Problem::error("", code, message) }
    }

    /// Several problems on one line, each behind its place, for messages that quote them.
    pub fn lines(problems: &[Problem]) -> String {
        let line = |problem: &Problem| match &problem.place {
            Place::Pointer(at) | Place::Key(at) => format!("{at}: {}", problem.message),
            Place::Script { file, line, .. } => format!("{file}:{line}: {}", problem.message),
        };
        problems.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    /// The same problem with a help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(legible(&help.into()));
        self
    }

    /// The same problem as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The same problem, placed below `prefix` when it is placed by pointer.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        match &mut self.place {
            Place::Pointer(pointer) | Place::Key(pointer) => pointer.insert_str(0, prefix),
            Place::Script { .. } => {}
        }
        self
    }
}

/// A problem with its file, line and column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Diagnostic {
    /// Path below the root, with `/`.
    pub file: String,
    /// Line from 1; 0 when the whole file is meant.
    pub line: usize,
    /// Column in characters from 1; 0 when the whole line is meant.
    pub column: usize,
    /// How bad.
    pub severity: Severity,
    /// A stable code, `snake_case`.
    pub code: String,
    /// One line, lower case, no full stop.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error about a whole file.
    pub fn file(file: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Diagnostic {
            file: file.into(),
            line: 0,
            column: 0,
            severity: Severity::Error,
            code: code.to_owned(),
            message: legible(&message.into()),
            help: None,
        }
    }

    /// The same diagnostic with a help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(legible(&help.into()));
        self
    }

    /// Whether this diagnostic stops the file from being used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, ": {severity}[{}]: {}", self.code, self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}
