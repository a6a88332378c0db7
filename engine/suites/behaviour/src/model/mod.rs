//! What is written in a task's file, and the names of the metrics.

pub mod assertion;
pub mod metric;
pub mod task_file;
pub mod variant;

#[cfg(test)]
mod file_tests;
