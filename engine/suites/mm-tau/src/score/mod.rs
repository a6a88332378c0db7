//! The numbers of an episode, from its trace alone (`mm-tau-p2.md` f.3).

mod fields;
mod handover;
mod numbers;

pub use fields::{CriticalFields, key};
pub use handover::{StagedCall, handover};
pub use numbers::numbers;
