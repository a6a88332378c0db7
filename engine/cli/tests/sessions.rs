//! Sessions of `probity`, as `support` types them.

#![cfg(target_os = "linux")]

use rayon::prelude::*;

use crate::support::{PROGRAM, sessions, snapshots, typed};

#[test]
fn what_is_typed_is_answered_as_it_was() {
    let sessions = sessions();
    assert!(!sessions.is_empty(), "there is no such session");
    let told: Vec<String> = sessions.par_iter().map(|session| typed(PROGRAM, session)).collect();
    snapshots("sessions").bind(|| {
        for (session, told) in sessions.iter().zip(told) {
            insta::assert_snapshot!(session.file_stem().unwrap().to_str().unwrap(), told);
        }
    });
}
