//! RUT-Bench, a benchmark of ours' kind by other people: its rules as they are, our reading beside them, and drafts
//! from its samples.
//!
//! The rules are written after the description of what its published code does. Paragraphs such as "B.3" in these
//! files are those of that description, which docs/RUT_BENCH.md sums up.

pub(crate) mod assertion;
pub(crate) mod blueprint;
pub(crate) mod browse;
pub(crate) mod completion;
pub(crate) mod conduct;
pub(crate) mod draft;
pub(crate) mod efficiency;
pub(crate) mod host;
pub(crate) mod kind;
pub(crate) mod leak;
pub(crate) mod matching;
pub(crate) mod ours;
pub(crate) mod path;
pub(crate) mod peer;
pub(crate) mod relaxed;
pub(crate) mod state_diff;
