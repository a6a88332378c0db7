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

#[test]
fn hostile_lines_are_refused_and_play_goes_on() {
    let at = shop("hostile");
    let mut input = vec![b'x'; 100_000];
    input.extend(b"\n\xff\xfe\nfind_items name=\"\\u001b[31m\x1b[2J\nfind_items name=\"\\u001b[31m\xe2\x80\xae\"\ncall \x1b[2J {}\n");
    input.extend("[".repeat(5000).bytes());
    input.extend(b"\nfind_items {\"name\": ");
    input.extend("[".repeat(5000).bytes());
    input.extend(b"\nstate /\nforks");
    let output = probity(&at, &["play", "shop/counter"], &input);
    let (out, err) = said(&output);
    assert_eq!(code(&output), 2, "{out}{err}");
    assert!(err.contains("a line longer than 65536 bytes") && err.contains("not UTF-8"), "{err}");
    assert!(out.ends_with("* main                 2\n"), "{out}");
    assert!((out + err.as_str()).chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')));
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
