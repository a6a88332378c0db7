//! The numbers of an episode, from its trace alone (`mm-tau-p2.md` f.3).

mod fields;
mod handover;
mod numbers;
mod retold;
mod scores;

pub use fields::{key, written};
pub use numbers::numbers;
pub use scores::{scores, word};
