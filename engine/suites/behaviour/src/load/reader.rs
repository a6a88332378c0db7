//! Tasks are read with their lock files.

use serde_json::Value;

use super::lock;
use super::lock::LockFile;
use crate::model::task_file::TaskFile;
use probity_engine::authored::{read, schema};
use probity_engine::{Read, Tree};

pub fn task(file: &str, text: &str, lock: Option<&str>) -> Read<TaskFile> {
    let lock: Option<LockFile> = match lock {
        Some(text) => Some(lock::read(file, text).map_err(|found| vec![found])?),
        None => None,
    };
    let merge = |tree: &mut Tree| lock.map_or_else(Vec::new, |lock| lock::merge(file, tree, lock));
    read(file, text, |tree, refused| super::task::task(file, tree, refused), merge)
}

/// The JSON Schema of tasks, long and short, for editors.
pub fn task_schema() -> Value {
    schema::<TaskFile>(include_str!("task.schema.json"))
}
