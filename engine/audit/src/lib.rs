//! Honesty and tool discipline of dialogues that an agent held anywhere: without an environment, a task or a model, from
//! the brief, the tools, the words, the calls and what came of them. docs/AUDIT.md says what is found and what is not.

#![deny(missing_docs)]

mod card;
mod consent;
mod discipline;
mod held;
mod ledger;
mod nature;
mod outcome;
mod record;
mod told;

pub use card::CARD;
pub use held::{Auditor, Counts, Held, Lack};
pub use nature::{Ground, Nature};
pub use outcome::refusal;
pub use record::record;
pub use told::Told;
