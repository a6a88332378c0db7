//! Users by their names, as they stand in traces.

use probity_bench::MODEL_USER;

pub const SCRIPTED: &str = "scripted";

/// The fixed turns, and answers to the agent's questions from the facts of the task.
pub const CONTRACT: &str = "contract";

/// A control: the fixed turns of the next task. Who still succeeds does not listen.
pub const SCRIPTED_SWAPPED: &str = "scripted_swapped";

/// Somebody typed the turns; they stand in the trace alone.
pub const TYPED: &str = "typed";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserKind<'a> {
    Scripted,
    Swapped,
    Contract,
    /// `model:MODEL`.
    Model(&'a str),
    Typed,
}

impl UserKind<'_> {
    /// The user of this name; nothing where there is none.
    pub fn parse(name: &str) -> Option<UserKind<'_>> {
        match name {
            SCRIPTED => Some(UserKind::Scripted),
            SCRIPTED_SWAPPED => Some(UserKind::Swapped),
            CONTRACT => Some(UserKind::Contract),
            TYPED => Some(UserKind::Typed),
            _ => name.strip_prefix(MODEL_USER)?.strip_prefix(':').map(UserKind::Model),
        }
    }
}
