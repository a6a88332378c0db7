//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod constraint;
pub mod engine;
pub mod model;
pub mod task;
