//! Reading of environments and tasks, long or short: comments are passed over, what is short is written out, what is
//! generated is put in, and then all of it is read strictly, each problem at the place of what was written.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::comment::blank;
use super::lock::{self, LockFile};
use super::position::{self, Positions};
use super::short::{self, Refused};
use super::strict;
use super::tree::Tree;
use crate::model::diagnostic::Diagnostic;
use crate::model::environment_file::EnvironmentFile;
use crate::model::merge::merge;
use crate::model::task_file::TaskFile;

type Read<T> = Result<(T, Positions), Vec<Diagnostic>>;

/// Reads an environment.
///
/// # Errors
/// All that is wrong with it.
pub fn environment(file: &str, text: &str) -> Read<EnvironmentFile> {
    read(file, text, |tree, refused| short::environment(file, tree, refused), |_| Vec::new())
}

/// Reads a task, with the text of its lock file.
///
/// # Errors
/// All that is wrong with it, or with its lock file.
pub fn task(file: &str, text: &str, lock: Option<&str>) -> Read<TaskFile> {
    let lock: Option<LockFile> = match lock {
        Some(text) => Some(strict::parse(&lock::path_of(file), text)?.0),
        None => None,
    };
    let merge = |tree: &mut Tree| lock.map_or_else(Vec::new, |lock| lock::merge(file, tree, lock));
    read(file, text, |tree, refused| short::task(file, tree, refused), merge)
}

fn read<T: DeserializeOwned + JsonSchema>(
    file: &str,
    text: &str,
    write_out: impl FnOnce(&mut Tree, &mut Refused),
    put_in: impl FnOnce(&mut Tree) -> Vec<Diagnostic>,
) -> Read<T> {
    let (blanked, _) = blank(text);
    let (value, positions) = position::parse(file, &blanked)?;
    let mut tree = Tree::of(value, &positions);
    let mut refused = Refused::of(file);
    write_out(&mut tree, &mut refused);
    let mut found = refused.into_found();
    found.extend(put_in(&mut tree));
    let (value, positions) = tree.into_parts();
    let read = strict::of_value(file, &value, &positions);
    if found.is_empty() {
        return read.map(|parsed| (parsed, positions));
    }
    found.extend(read.err().into_iter().flatten());
    found.sort();
    found.dedup();
    Err(found)
}

/// The JSON Schema of environments, long and short, for editors.
pub fn environment_schema() -> Value {
    schema::<EnvironmentFile>(include_str!("short/environment.schema.json"))
}

/// The JSON Schema of tasks, long and short, for editors.
pub fn task_schema() -> Value {
    schema::<TaskFile>(include_str!("short/task.schema.json"))
}

/// The schema of the long form with a merge patch that lets the short one pass as well.
fn schema<T: JsonSchema>(short: &str) -> Value {
    let mut schema = strict::format_schema::<T>();
    merge(&mut schema, &serde_json::from_str(short).unwrap_or_default());
    schema
}
