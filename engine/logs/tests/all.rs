//! Tests of readers on files: the same dialogues in every form, the traps of each form, and hostile bytes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops, measures real time and hears from its environment what to do"
)]

mod forms;
mod hostile;
mod same;
mod schema;
mod support;
