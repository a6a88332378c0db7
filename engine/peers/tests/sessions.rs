//! Sessions of `probity-peers`, as `support` types them.

#![cfg(target_os = "linux")]

use crate::support::{sessions, snapshots, typed};

#[test]
fn what_is_typed_is_answered_as_it_was() {
    for session in sessions() {
        let told = typed(env!("CARGO_BIN_EXE_probity-peers"), &session);
        let name = session.file_stem().unwrap().to_str().unwrap();
        snapshots("sessions/peers").bind(|| insta::assert_snapshot!(name, told));
    }
}
