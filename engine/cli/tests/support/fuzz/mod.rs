//! What is fuzzed, and what must hold for every input: each target is one function of bytes that must not panic.
//!
//! The fuzz targets (`fuzz/`, docs/FUZZING.md) and the test over the kept inputs (`fuzzed.rs`) share it.

#![allow(dead_code, reason = "each target takes of it what it needs")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a property that does not hold stops the target"
)]

mod edit;
pub mod loader;
pub mod provider;
pub mod script;
mod suite;
pub mod trace;

/// The first line of an input, and the rest.
fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
