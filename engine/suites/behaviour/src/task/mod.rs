//! Checked tasks: what is wanted, which ways of getting it are accepted, and how the user behaves.

pub mod assertion;
mod behaviour;
pub(crate) mod binding;
pub mod build;
mod checked_task;
pub mod likeness;
pub mod matching;
pub mod oracle;
mod outcome;
pub(crate) mod phrase;
pub mod position;
pub mod presumption;
pub mod prompt;
pub mod question;
pub mod quote;
pub mod reference;

pub use behaviour::{Behaviour, Hold};
pub use checked_task::{Task, ToolWords, WrittenState, ways_to_say};
pub use outcome::{OracleCall, Outcome};
