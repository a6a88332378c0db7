//! What is written in a task's file.

pub mod assertion;
pub mod task_file;
pub mod variant;
