//! `probity play` from the outside: hostile lines through a pipe, and keys through a terminal; `cases/sessions/play.sh`
//! has the rest.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::support::{binary, code, contents, scratch, terminal};

/// A folder with the scaffold's environment and task.
fn shop(name: &str) -> PathBuf {
    let folder = scratch(&format!("play-{name}"));
    assert_eq!(code(&probity(&folder, &["new", "env", "shop/counter"], b"")), 0);
    folder
}

fn probity(at: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = binary();
    command.args(arguments).current_dir(at);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that reads nothing closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> (String, String) {
    (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

fn at_a_terminal(at: &Path, arguments: &[&str], pager: &str, keys: &[(&str, &str)]) -> Option<(String, i32)> {
    terminal::at_a_terminal(env!("CARGO_BIN_EXE_probity"), at, arguments, pager, keys)
}

#[test]
fn at_a_terminal_tab_completes_and_the_history_is_there() {
    let at = shop("terminal");
    let keys = [
        ("main> ", "fi\\t"),
        ("find_items", " na\\t"),
        ("name=", "cup\\r"),
        ("main> ", "\\x1b[A\\r"),
        ("main> ", "nonsense\\r"),
        ("main> ", "undo\\r"),
        ("main after 1 message", "quit\\r"),
    ];
    let Some((screen, exit)) = at_a_terminal(&at, &["play", "shop/counter"], "", &keys) else { return };
    // Whoever sees the refusal can type again: no failure.
    assert_eq!(exit, 0, "{screen}");
    assert!(screen.contains("step 1: ok") && screen.contains("step 2: ok"), "{screen}");
}

#[test]
fn at_a_terminal_what_is_longer_than_the_screen_goes_to_the_pager() {
    let at = shop("paged");
    let run = ["run", "--out", "kept", "--agent", "oracle", "--agent", "noop"];
    assert_eq!(code(&probity(&at, &run, b"")), 0);
    let pager = "cat > paged; echo PAGED";
    let Some((screen, _)) = at_a_terminal(&at, &["show", "kept"], pager, &[]) else { return };
    assert_eq!(screen.trim(), "PAGED");
    assert_eq!(contents(at.join("paged")), said(&probity(&at, &["show", "kept"], b"")).0);
    let (screen, _) = at_a_terminal(&at, &["show", "kept", "--no-pager"], pager, &[]).unwrap();
    assert!(screen.contains("== noop ") && !screen.contains("PAGED"), "{screen}");
    let (screen, _) = at_a_terminal(&at, &["show", "kept", "--json"], pager, &[]).unwrap();
    assert!(!screen.contains("PAGED"), "{screen}");
}
