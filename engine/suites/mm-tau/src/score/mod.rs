//! The numbers of an episode, from its trace alone (docs/MM_TAU.md, "Numbers").

mod fields;
mod played_task;
mod retold;
mod scores;

pub use fields::{CriticalFields, key, written};
pub use played_task::{Person, PlayedTask};
pub use retold::{Retold, StagedCall};
pub use scores::{broken, not_ended, scores};
