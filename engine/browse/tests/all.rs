//! The program at a terminal: `cargo test -p probity-browse`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops")]

mod support;
mod terminal;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support::{path, played, scratch, tells};
use crate::terminal::at_a_terminal;

const PROGRAM: &str = env!("CARGO_BIN_EXE_probity-browse");

/// A run of the small shop, in a folder of its own.
fn run_of_the_shop(name: &str) -> PathBuf {
    let folder = scratch(name);
    played(&folder, &["new", "env", "shop/counter"]);
    let kept = folder.join("kept");
    played(&folder, &["run", "--out", path(&kept), "--agent", "oracle", "--agent", "noop"]);
    folder
}

/// Nobody sits at a terminal.
fn piped(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_run_is_browsed_and_the_terminal_restored() {
    let at = run_of_the_shop("browsed");
    let keys = [("14 of 14", "f"), ("failed only", "/hostility\\r"), ("", "\\t"), ("", "q")];
    let Some((screen, exit)) = at_a_terminal(PROGRAM, &at, &["kept"], "", &keys) else { return };
    assert_eq!(exit, 0, "{screen}");
    let (enter, leave) = ("\u{1b}[?1049h", "\u{1b}[?1049l");
    assert!(screen.find(enter) < screen.rfind(leave), "{screen}");
    let keys = [("2 of 2", "q")];
    let one = ["--variant=impatience_and_hostility", "--trial=0", "kept"];
    let (screen, exit) = at_a_terminal(PROGRAM, &at, &one, "", &keys).unwrap();
    assert_eq!(exit, 0, "{screen}");
}

#[test]
fn what_cannot_be_browsed_says_so() {
    let at = run_of_the_shop("unbrowsed");
    let kept = at.join("kept");
    tells(piped(&[path(&kept)]), 2, support::err, &["a run is browsed in a terminal", "`probity show RUNDIR`"]);
    tells(piped(&[path(&kept), "--agent", "nobody"]), 2, support::err, &["no episode is selected"]);
    tells(piped(&[path(&at)]), 2, support::err, &["name a directory that `probity run` wrote"]);
}
