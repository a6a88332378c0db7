//! probity: a deterministic sandbox that examines tool-using AI agents.

pub mod bench;
pub mod check;
pub mod cli;
pub mod constraint;
pub mod engine;
pub mod episode;
pub mod load;
pub mod model;
pub mod report;
pub mod run;
pub mod score;
pub mod task;
pub mod trace;
