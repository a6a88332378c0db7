//! What an author has put off: `TODO: ` in a text is an error until somebody has written what should stand there.

use serde_json::Value;

use probity_behaviour::suite::Suite;
use probity_engine::{Diagnostic, Problem, pointer};
pub use probity_prose::put_off::TO_DO;
use probity_prose::put_off::{is_put_off, says_nothing};

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

/// Whether a key is one of an author's own words to people, and not of the data of a state.
fn is_prose(at: &str) -> bool {
    let is_words = ["/title", "/description", "/goal", "/rule", "/message"];
    is_words.iter().any(|key| at.ends_with(key)) && !is_data(at)
}

/// Whether a place holds values and paths of a state, which may be empty or put off as any note of a user's.
fn is_data(at: &str) -> bool {
    let parts = ["/initial_state/", "/facts/", "/default", "/enum/", "/const", "/examples/"];
    let of_calls = ["/oracle/", "/achieves/", "/preserves/", "/arguments/"];
    // The words that a question for a fact has are an author's own.
    let is_cue = at.contains("/facts/") && at.contains("/cues/");
    !is_cue && parts.iter().chain(&of_calls).any(|part| at.contains(part))
}

fn is_unwritten(at: &str, text: &str) -> bool {
    match is_data(at) {
        // What drafts and templates leave open is open anywhere.
        true => text.contains(TO_DO.trim_end()),
        false => is_put_off(text) || (is_prose(at) && says_nothing(text)),
    }
}

fn unfinished(file: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    collect(file, "", &mut problems);
    problems
}

fn collect(value: &Value, at: &str, problems: &mut Vec<Problem>) {
    match value {
        Value::String(text) if is_unwritten(at, text) => {
            let message = match text.trim().is_empty() {
                true => "this says nothing".to_owned(),
                false => format!("`{text}` is still to be written"),
            };
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_put_off_or_empty_is_found_and_data_is_left() {
        let file = json!({
            "title": " ", "description": "...", "goal": "todo",
            "policy": [{"rule": "TBD"}, {"rule": "Ask first."}],
            "tools": [{"description": "TODO", "parameters": {"properties": {"a": {"description": "", "enum": ["todo", ""]}}}}],
            "facts": {"a": {"value": "todo", "also": ["TBD"], "cues": ["which one", "TBD"]}},
            "turns": ["FIXME ask for the size", "My todo list is empty.", "XXXL please"],
            "initial_state": {"patch": {"notes": {"N1": {"title": "", "status": "todo", "text": "TBC"}}}},
            "outcomes": [{
                "achieves": {"/notes/N1/message": ""}, "preserves": ["/notes/N1/title"],
                "oracle": [{"tool": "add", "arguments": {"description": "", "note": "TODO: choose"}}]
            }]
        });
        let found: Vec<String> = unfinished(&file).into_iter().map(|problem| Problem::lines(&[problem])).collect();
        let expected = [
            "/description: `...` is still to be written",
            "/facts/a/cues/1: `TBD` is still to be written",
            "/goal: `todo` is still to be written",
            "/outcomes/0/oracle/0/arguments/note: `TODO: choose` is still to be written",
            "/policy/0/rule: `TBD` is still to be written",
            "/title: this says nothing",
            "/tools/0/description: `TODO` is still to be written",
            "/tools/0/parameters/properties/a/description: this says nothing",
            "/turns/0: `FIXME ask for the size` is still to be written",
        ];
        assert_eq!(found, expected);
    }
}
