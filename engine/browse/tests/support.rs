//! The program that this one stands beside, and what the tests of both share.

use std::ffi::OsString;
use std::path::Path;

use probity::cli::SUITES;
use probity::cli::exit::Exit;

#[allow(dead_code, reason = "another program's tests use the rest")]
#[path = "../../cli/tests/support/basics.rs"]
mod basics;
#[allow(dead_code, reason = "another program's tests use the rest")]
#[path = "../../cli/tests/support/outside.rs"]
mod outside;

pub use basics::*;
pub use outside::skipped;

/// What `probity` does below a root, in this process: Cargo builds no program of another package for a test.
pub fn played(root: &Path, arguments: &[&str]) {
    let start = ["probity", "--quiet", "--root"].map(OsString::from).into_iter().chain([root.into()]);
    let exit = probity::cli::run(start.chain(arguments.iter().map(OsString::from)), SUITES);
    assert_eq!(exit, Exit::Clean);
}
