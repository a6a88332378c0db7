//! Playing a ticket: what the agent is told, the tools that answer from the recording, the customer who asks on.

mod attempt;
mod brief;
mod customer;
mod recorded_tools;

pub use attempt::{TokenSource, attempt, last_message, of_text, turns};
pub use brief::{Mode, brief, input_tokens};
pub use customer::{Customer, course};
pub use recorded_tools::RecordedTools;
