//! Scorers: pure functions of a task and a trace. A scorer runs tools only by replaying the trace.

pub mod clarification;
pub mod discipline;
pub mod episode;
pub mod failure_mode;
pub mod honesty;
pub mod replayed;
pub mod success;
