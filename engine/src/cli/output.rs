//! Printing: results on standard output, everything else on standard error.

use std::io::Write;

use crate::model::diagnostic::{Diagnostic, Severity};

/// Prints a result. A reader that has gone away is no error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a note for people.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error with what to do next.
pub fn error(message: &str, help: &str) {
    note(&format!("error: {message}\n  help: {help}"));
}

/// Prints a value as JSON.
pub fn json(value: &serde_json::Value) {
    print(&format!("{}\n", serde_json::to_string_pretty(value).unwrap_or_default()));
}

/// Diagnostics as text with a last line that counts them.
pub fn diagnostics(diagnostics: &[Diagnostic]) -> String {
    let mut text: String = diagnostics.iter().map(|diagnostic| format!("{diagnostic}\n")).collect();
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let warnings = diagnostics.len() - errors;
    text.push_str(&format!("{}, {}\n", count(errors, "error"), count(warnings, "warning")));
    text
}

/// `1 task`, `2 tasks`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
