//! RUT-Bench, a benchmark of ours' kind by other people: its rules as they are, our reading beside them, and drafts
//! from its samples.
//!
//! The rules are written after the description of what its published code does. Paragraphs such as "B.3" in these
//! files are those of that description, which docs/RUT_BENCH.md sums up.

pub mod assertion;
pub mod blueprint;
pub mod browse;
pub mod completion;
pub mod conduct;
pub mod containment;
mod digit;
pub mod draft;
pub mod efficiency;
pub mod failure_mode;
pub mod forbidden;
pub mod host;
pub mod kind;
pub mod leak;
pub mod matching;
pub mod ours;
pub mod path;
pub mod peer;
pub mod relaxed;
mod search;
pub mod state_diff;
pub mod tool;
