//! What lies outside the repository, and what is said where it does not.

use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Says why the running test, or the rest of it, is skipped: to the process itself, whose output is not captured.
pub fn skipped(why: impl Display) {
    let test = std::thread::current();
    let line = format!("skipped: {}: {why}\n", test.name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// A place beside the repository, if it is there. Where it is not, the test is skipped, and with
/// `PROBITY_REQUIRE_VECTORS=1` it fails.
#[expect(clippy::disallowed_methods, reason = "a test may be told what to require")]
pub fn outside(path: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap();
    let place = root.join("..").join(path);
    if place.exists() {
        return Some(place);
    }
    assert!(!std::env::var("PROBITY_REQUIRE_VECTORS").is_ok_and(|value| value == "1"), "../{path} is not here");
    skipped(format_args!("../{path} is not here"));
    None
}
