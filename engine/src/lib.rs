//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod constraint;
pub mod model;
