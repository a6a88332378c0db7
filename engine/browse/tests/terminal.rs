//! A program at a terminal, typed at.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{code, out, skipped};

/// Runs a command in a pseudo-terminal and types each text once the one before it is answered by its word.
const TERMINAL: &str = include_str!("../../cli/tests/cases/terminal.py");

/// What a terminal shows while keys are typed: each after a text has appeared. Nothing where there is no python3.
pub fn at_a_terminal(
    program: &str,
    at: &Path,
    arguments: &[&str],
    pager: &str,
    keys: &[(&str, &str)],
) -> Option<(String, i32)> {
    let typed: Vec<String> = keys.iter().map(|(after, keys)| format!("{after}\\x00{keys}")).collect();
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, &typed.join("\\x00"), program]).args(arguments);
    match command.env("PAGER", pager).current_dir(at).stdin(Stdio::null()).output() {
        Ok(output) => Some((out(&output), code(&output))),
        Err(error) => {
            skipped(format_args!("no terminal without python3: {error}"));
            None
        }
    }
}
