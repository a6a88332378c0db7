//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod engine;
pub mod load;
pub mod model;
