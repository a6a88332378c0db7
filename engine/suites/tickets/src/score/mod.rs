//! What an episode of a ticket was worth: its course is walked again over the trace.

mod findings;
mod scores;

pub use scores::scores;
