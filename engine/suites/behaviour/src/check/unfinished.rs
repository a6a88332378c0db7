//! What an author has put off: `TODO: ` in a text is an error until somebody has written what should stand there.

use serde_json::Value;

use crate::suite::Suite;
use probity_engine::{Diagnostic, Problem, pointer};

/// How a text begins that is still to be written; drafts and templates are made with it.
pub const TO_DO: &str = "TODO: ";

/// Texts of environments and tasks that are still to be written.
pub(super) fn check(suite: &Suite) -> Vec<Diagnostic> {
    let environments = suite.environments.iter().filter_map(|(id, environment)| {
        let file = serde_json::to_value(environment.file()).ok()?;
        Some(suite.files.get(id)?.diagnose(unfinished(&file)))
    });
    let tasks = suite.tasks.values().filter_map(|loaded| {
        let file = serde_json::to_value(loaded.task.file()).ok()?;
        Some(loaded.file.diagnose(unfinished(&file)))
    });
    environments.chain(tasks).flatten().collect()
}

fn unfinished(file: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    collect(file, "", &mut problems);
    problems
}

fn collect(value: &Value, at: &str, problems: &mut Vec<Problem>) {
    match value {
        Value::String(text) if text.contains(TO_DO.trim_end()) => {
            let message = format!("`{text}` is still to be written");
            let help = "write it; what is not needed is removed with its key";
            problems.push(Problem::error(at, "unfinished", message).help(help));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, &format!("{at}/{i}"), problems));
        }
        Value::Object(map) => {
            map.iter().for_each(|(key, item)| collect(item, &format!("{at}/{}", pointer::escape(key)), problems));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
