//! The names of users, as they stand in traces.

/// The fixed turns of the task.
pub const SCRIPTED: &str = "scripted";

/// The fixed turns, and answers to the agent's questions from the facts of the task.
pub const CONTRACT: &str = "contract";

/// A control: the fixed turns of the next task. Who still succeeds does not listen.
pub const SCRIPTED_SWAPPED: &str = "scripted_swapped";

/// Somebody typed the turns; they stand in the trace alone.
pub const TYPED: &str = "typed";
