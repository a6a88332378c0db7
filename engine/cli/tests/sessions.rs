//! Sessions as people have them: each file of `cases/sessions` is typed line by line in a folder of its own, where what
//! stands in the folder of its name lies already. Its snapshot has each line with all that was said: a line of standard
//! error begins with `!`, and an exit code that is not 0 stands behind `?`.

#![cfg(target_os = "linux")]

use std::path::Path;

use rayon::prelude::*;

use crate::support::{cases, code, contents, copy, err, files, out, scratch, shell, snapshots};

/// `edit FILE SCRIPT`, where the script of `sed` must change something.
const EDIT: &str =
    "edit() { sed \"$2\" \"$1\" > ../edited.$$; ! cmp -s ../edited.$$ \"$1\" && mv ../edited.$$ \"$1\"; }";

fn typed(session: &Path) -> String {
    let name = session.file_stem().unwrap().to_str().unwrap();
    let at = scratch(&format!("session-{name}"));
    let given = session.with_extension("");
    if given.is_dir() {
        copy(&given, &at);
    }
    let mut told = String::new();
    for line in contents(session).lines() {
        if line.is_empty() || line.starts_with('#') {
            told.push_str(&format!("{line}\n"));
            continue;
        }
        let output = shell(&format!("{EDIT}\n{line}"), &at).env("CASES", cases("")).output().unwrap();
        told.push_str(&format!("$ {line}\n{}", out(&output)));
        told.extend(err(&output).lines().map(|line| format!("! {line}\n")));
        if code(&output) != 0 {
            told.push_str(&format!("? {}\n", code(&output)));
        }
    }
    told
}

#[test]
fn what_is_typed_is_answered_as_it_was() {
    let sessions: Vec<_> =
        files(&cases("sessions")).into_iter().filter(|path| path.extension().is_some_and(|end| end == "sh")).collect();
    let told: Vec<String> = sessions.par_iter().map(|session| typed(session)).collect();
    snapshots("sessions").bind(|| {
        for (session, told) in sessions.iter().zip(told) {
            insta::assert_snapshot!(session.file_stem().unwrap().to_str().unwrap(), told);
        }
    });
}
