//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod constraint;
pub mod model;
pub mod task;
pub mod constraint;
pub mod engine;
