//! The numbers of an episode, from its trace alone (docs/MM_TAU.md, "Numbers").

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
