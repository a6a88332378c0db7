//! The program, the one that it stands beside, and what the tests of both share.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use probity::cli::SUITES;
use probity::cli::exit::Exit;

#[allow(dead_code, reason = "another program's tests use the rest")]
#[path = "../../cli/tests/support/basics.rs"]
mod basics;
#[path = "../../cli/tests/support/outside.rs"]
mod outside;

pub use basics::*;
pub use outside::outside;

pub fn peers(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity-peers"));
    command.stdin(Stdio::null()).arg("--root").arg(root()).args(arguments).output().unwrap()
}

/// `probity` on what a command has written, in this process: Cargo builds no program of another package for a test.
pub fn probity(root: &Path, arguments: &[&str]) -> Exit {
    let start = ["probity", "--quiet", "--root"].map(OsString::from).into_iter().chain([root.into()]);
    probity::cli::run(start.chain(arguments.iter().map(OsString::from)), SUITES)
}
