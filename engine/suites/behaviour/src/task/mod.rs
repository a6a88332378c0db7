//! Checked tasks: what is wanted, which ways of getting it are accepted, and how the user behaves.

pub mod assertion;
mod behaviour;
pub mod binding;
pub mod build;
mod checked_task;
pub(crate) mod fact;
pub mod matching;
pub mod oracle;
mod outcome;
pub mod phrase;
pub mod position;
pub mod prompt;
pub mod question;
pub mod quote;
pub mod reference;

pub use behaviour::{Behaviour, Hold};
pub use checked_task::Task;
pub use outcome::{OracleCall, Outcome};
