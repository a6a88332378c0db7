//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod model;
pub mod engine;
