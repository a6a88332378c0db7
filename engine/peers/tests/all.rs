//! The tests of the program, in one binary: `cargo test -p probity-peers`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops")]

mod cirrus;
mod conform;
mod sessions;
mod support;
mod tau2;
