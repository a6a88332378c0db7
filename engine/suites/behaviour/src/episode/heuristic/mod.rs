//! The heuristic agent: no model, no oracle. It picks tools and fills arguments from the words of the
//! user and from what earlier calls returned. It is the floor that any model must beat.

mod agent;
mod memory;

pub use agent::HeuristicAgent;
