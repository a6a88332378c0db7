//! Tasks as they are written: in short, with what is generated for them in a file beside them.

mod call;
pub mod lock;
mod reader;
mod task;

pub use reader::{task, task_schema};
