//! Tasks as they are written: in short, with what is generated for them in a file beside them.

pub mod lock;
mod task;

pub use lock::{task, task_schema};
