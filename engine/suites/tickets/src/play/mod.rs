//! Playing a ticket: what the agent is told, the tools that answer from the recording, the customer who asks on.

mod attempt;
mod brief;
mod customer;
mod mode;
mod past;
mod recorded_tools;
mod tokens;

pub use attempt::{attempt, last_message, turns};
pub use brief::{brief, input_tokens, prompt};
pub use customer::Customer;
pub use mode::Mode;
pub use recorded_tools::RecordedTools;
pub use tokens::{TokenSource, of_text};
