//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod constraint;
pub mod engine;
pub mod episode;
pub mod model;
pub mod score;
pub mod task;
pub mod trace;
