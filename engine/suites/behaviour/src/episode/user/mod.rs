//! The user's side of a dialogue: fixed turns, an automaton that answers questions, or a model that rephrases it.

mod answer;
mod asked;
mod confirmation;
mod consent;
pub mod contract;
mod decision;
mod exchange;
mod hearing;
mod identity;
mod kept_text;
pub(crate) mod manner;
pub mod model;
mod objection;
mod own_record;
mod progress;
mod proposal;
#[cfg(test)]
mod reading_tests;
mod sibling;
mod telling;
mod told;
mod utterance;
mod wish;

pub use contract::ContractUser;
pub use model::{CONTRACT, ModelUser, SCRIPTED, SCRIPTED_SWAPPED, TYPED, UserKind};
pub use probity_bench::{ScriptedUser, User, UserFault, Utterance};
