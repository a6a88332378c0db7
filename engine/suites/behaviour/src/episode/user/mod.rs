//! The user's side of a dialogue: fixed turns, an automaton that answers questions, or a model that rephrases it.

mod asked;
pub mod checker;
mod confirmation;
mod consent;
pub mod contract;
mod decision;
mod exchange;
mod hearing;
mod identity;
mod kept_text;
pub(crate) mod manner;
pub(crate) mod model;
mod names;
mod objection;
mod option;
mod patience;
mod progress;
mod proposal;
#[cfg(test)]
mod reading_tests;
mod recall;
mod record;
mod sibling;
mod telling;
mod told;
mod utterance;
mod wish;
mod wording;

pub use contract::ContractUser;
pub use model::ModelUser;
pub use names::{CONTRACT, SCRIPTED, SCRIPTED_SWAPPED, TYPED, UserKind};
pub use probity_bench::{ScriptedUser, User, UserFault, Utterance};
