//! Printing: results on standard output, everything else on standard error.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Exit;
use probity_local::Failure;
pub use probity_report::text::count;

use probity_engine::plain::{plain_json, plain_lines};
use probity_engine::{Diagnostic, Severity};

/// Bytes that are printed at a time of many lines.
const PIECE: usize = 64 << 10;

static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether a result could not be written; the command then ends as one with bad input.
pub fn is_lost() -> bool {
    IS_LOST.load(Ordering::Relaxed)
}

/// Prints a result, fit for a terminal. A reader that has gone away is no error; anything else is told, once.
pub fn print(text: &str) {
    write(&plain_lines(text));
}

/// Prints many lines, a piece of them at a time.
pub(crate) fn print_lines(lines: impl Iterator<Item = String>) {
    let mut piece = String::new();
    for line in lines {
        piece.push_str(&line);
        piece.push('\n');
        if piece.len() > PIECE {
            print(&std::mem::take(&mut piece));
        }
    }
    print(&piece);
}

/// Prints commands to a build server, in which all words are escaped.
pub fn commands(text: &str) {
    write(text);
}

fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.unwrap_or_else(|failure| lose(&failure));
}

pub fn lose(failure: &std::io::Error) {
    let is_new = failure.kind() != std::io::ErrorKind::BrokenPipe && !IS_LOST.swap(true, Ordering::Relaxed);
    if is_new {
        error(&format!("cannot write to standard output: {failure}"), "look at the free space where it goes");
    }
}

/// Prints a note for people, fit for a terminal.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain_lines(text));
}

pub fn error(message: &str, help: &str) {
    note(&format!("error: {message}\n  help: {help}"));
}

/// Prints why a command fails, and gives the exit code of what cannot be done.
pub fn fail(failure: &Failure) -> Exit {
    error(&failure.message, &failure.help);
    Exit::BadInput
}

pub fn json(value: &serde_json::Value) {
    write(&plain_json(&format!("{value:#}\n")));
}

/// Prints a part of a JSON document that is too long to be held.
pub(crate) fn json_text(text: &str) {
    write(&plain_json(text));
}

pub(crate) fn json_line(value: &serde_json::Value) {
    write(&plain_json(&format!("{value}\n")));
}

/// `3 more; `, where fewer are shown than there are.
pub fn more(count: usize, shown: usize) -> String {
    let more = count.saturating_sub(shown);
    if more > 0 { format!("{more} more; ") } else { String::new() }
}

/// Diagnostics as text with a last line that counts them.
pub fn diagnostics(diagnostics: &[Diagnostic]) -> String {
    listed(diagnostics, usize::MAX)
}

fn listed(diagnostics: &[Diagnostic], limit: usize) -> String {
    let mut text: String = diagnostics.iter().take(limit).map(|diagnostic| format!("{diagnostic}\n")).collect();
    if diagnostics.len() > limit {
        text.push_str(&format!("and {} more\n", diagnostics.len() - limit));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let warnings = diagnostics.len() - errors;
    text.push_str(&format!("{}, {}\n", count(errors, "error"), count(warnings, "warning")));
    text
}

/// Tells what keeps a command from its work: as JSON where that is asked for, else as text for people.
pub fn refuse(is_json: bool, found: &[Diagnostic]) -> Exit {
    refuse_lines(is_json, found, usize::MAX)
}

/// [`refuse`] for a file that may be wrong in each of its many lines: people are told the first `limit`.
pub(crate) fn refuse_lines(is_json: bool, found: &[Diagnostic], limit: usize) -> Exit {
    match is_json {
        true => json(&serde_json::json!({"diagnostics": found})),
        false => note(listed(found, limit).trim_end()),
    }
    Exit::BadInput
}
