//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod model;
