//! Checked tasks: what is wanted, which ways of getting it are accepted, and how the user behaves.

pub mod assertion;
pub mod build;
mod checked_task;
pub mod likeness;
pub mod matching;
pub mod oracle;
pub mod presumption;
pub mod question;
pub mod reference;
pub mod text;

pub use checked_task::{Task, ToolWords, WrittenState};
pub use oracle::{Behaviour, Hold, OracleCall, Outcome};
