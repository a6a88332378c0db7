//! The numbers of tickets and checkpoints as readings, and the groups they are told by.

mod levels;
mod readings;

pub use levels::{CHECKPOINTS, TOKENS, checkpoints_level, tokens_level, tools_level};
pub use readings::{of_figures, of_response};
