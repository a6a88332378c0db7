//! Scorers: pure functions of a task and a trace. A scorer runs tools only by replaying the trace.

mod answer_size;
pub mod blame;
pub mod clarification;
pub mod discipline;
pub(crate) mod efficiency;
pub mod episode;
pub mod failure_mode;
pub mod honesty;
mod missing;
pub mod order;
pub mod replayed;
pub mod success;
