//! The numbers of an episode, from its trace alone (`mm-tau-p2.md` f.3).

mod fields;
mod forbidden;
mod handover;
mod numbers;
mod retold;
mod scores;
mod value_needs;

pub use fields::{key, written};
pub use forbidden::{forbidden, unidentified};
pub use numbers::numbers;
pub use scores::{scores, word};
pub use value_needs::ValueNeeds;
