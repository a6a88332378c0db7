//! Long texts through a pager, where somebody looks.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use super::{output, signals};
use probity_engine::plain::plain_lines;

/// Prints texts; through `$PAGER` (or `less`) when they are longer than the screen they go to.
pub(super) fn print(texts: impl Iterator<Item = String>, is_wanted: bool) {
    if !is_wanted || !std::io::stdout().is_terminal() {
        return texts.for_each(|text| output::print(&text));
    }
    let text: String = texts.collect();
    let command = if is_longer_than_the_screen(&text) { pager() } else { None };
    if !command.is_some_and(|command| through(command, &text)) {
        output::print(&text);
    }
}

fn is_longer_than_the_screen(text: &str) -> bool {
    let Some((terminal_size::Width(width), terminal_size::Height(height))) = terminal_size::terminal_size() else {
        return false;
    };
    let rows = |line: &str| 1 + line.chars().count().saturating_sub(1) / usize::from(width.max(1));
    text.lines().map(rows).sum::<usize>() >= usize::from(height)
}

/// The pager's command; none when the user wants none.
#[expect(clippy::disallowed_methods, reason = "which pager to use is the terminal's business, not a result's")]
fn pager() -> Option<Command> {
    match std::env::var("PAGER") {
        Ok(named) if named.trim().is_empty() || named.trim() == "cat" => None,
        Ok(named) => {
            let mut command = Command::new("sh");
            command.args(["-c", &named]);
            Some(command)
        }
        Err(_) => {
            let mut command = Command::new("less");
            command.arg("-FRX");
            Some(command)
        }
    }
}

/// Whether the pager could be started; what it leaves unread is no error.
fn through(mut command: Command, text: &str) -> bool {
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return false };
    // Ctrl-C is the pager's while it runs.
    signals::ignore();
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(plain_lines(text).as_bytes());
    }
    let _ = child.wait();
    true
}
