//! Honesty and tool discipline of dialogues that an agent held anywhere: without an environment, a task or a model, from
//! the brief, the tools, the words, the calls and what came of them. docs/AUDIT.md says what is found and what is not.

#![deny(missing_docs)]

mod assent;
mod audited;
mod card;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
mod case;
mod consent;
mod course;
mod desks;
mod discipline;
mod field;
mod lack;
mod nature;
mod outcome;
mod record;
#[cfg(test)]
mod tests;
mod told;

pub use audited::{Audited, Auditor, Counts};
pub use card::CARD;
pub use lack::Lack;
pub use nature::{Basis, Nature};
pub use outcome::refusal;
pub use record::record;
pub use told::{Names, Told, Unused};
