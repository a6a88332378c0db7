//! Sessions of `probity`, as `support` types them.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::support::{PROGRAM, contents, sessions, shell, skipped, snapshots, typed};

/// Whether what a session needs is here: its head may say `# Needs THIS: COMMAND`, of a command that then ends well.
fn has_what_it_needs(session: &Path) -> bool {
    let text = contents(session);
    let needed = text.lines().next().and_then(|line| line.strip_prefix("# Needs ")?.split_once(": "));
    let is_met = |command: &str| shell(PROGRAM, command, Path::new(".")).output().unwrap().status.success();
    let Some((what, _)) = needed.filter(|(_, command)| !is_met(command)) else { return true };
    skipped(format!("{}: there is no {what}", session.display()));
    false
}

#[test]
fn what_is_typed_is_answered_as_it_was() {
    let sessions: Vec<PathBuf> = sessions().into_iter().filter(|session| has_what_it_needs(session)).collect();
    assert!(!sessions.is_empty(), "there is no such session");
    let told: Vec<String> = sessions.par_iter().map(|session| typed(PROGRAM, session)).collect();
    snapshots("sessions").bind(|| {
        for (session, told) in sessions.iter().zip(told) {
            insta::assert_snapshot!(session.file_stem().unwrap().to_str().unwrap(), told);
        }
    });
}
