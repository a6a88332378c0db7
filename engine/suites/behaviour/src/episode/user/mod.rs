//! The user's side of a dialogue: fixed turns, an automaton that answers questions, or a model that rephrases it.

pub mod checker;
mod choice;
mod confirmation;
pub mod contract;
pub mod manner;
pub mod model;
mod recall;
mod told;
mod utterance;

pub use contract::ContractUser;
pub use model::ModelUser;
pub use probity_bench::{ScriptedUser, User, UserFault, Utterance};

/// The fixed turns of the task.
pub const SCRIPTED: &str = "scripted";
/// The fixed turns, and answers to the agent's questions from the facts of the task.
pub const CONTRACT: &str = "contract";
/// A control: the fixed turns of the next task. Who still succeeds does not listen.
pub const SCRIPTED_SWAPPED: &str = "scripted_swapped";
/// Somebody typed the turns; they stand in the trace alone.
pub const TYPED: &str = "typed";
