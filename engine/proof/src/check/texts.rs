//! Texts of environments and tasks. What an author has put off is an error until somebody has written it: `TODO: `. What
//! users say and agents are told, and nobody sees who reads the file, is pointed out.

use serde_json::Value;

use probity_behaviour::suite::Suite;
use probity_engine::visible::hidden;
use probity_engine::{Diagnostic, Problem, pointer};
pub use probity_prose::put_off::TO_DO;
use probity_prose::put_off::{is_put_off, says_nothing};

/// Texts that are still to be written, and characters in texts that cannot be seen.
pub(super) fn check(suite: &Suite) -> Vec<Diagnostic> {
    let environments = suite.environments.iter().filter_map(|(id, environment)| {
        let file = serde_json::to_value(environment.file()).ok()?;
        Some(suite.files.get(id)?.diagnose(read(&file)))
    });
    let tasks = suite.tasks.values().filter_map(|loaded| {
        let file = serde_json::to_value(loaded.task.file()).ok()?;
        Some(loaded.file.diagnose(read(&file)))
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

/// Whether a text is an author's own words, and not data of a state, which may hold anything.
fn is_meant(at: &str) -> bool {
    !is_data(at) || at.contains("/facts/")
}

fn is_unwritten(at: &str, text: &str) -> bool {
    match is_data(at) {
        // What drafts and templates leave open is open anywhere.
        true => text.contains(TO_DO.trim_end()),
        false => is_put_off(text) || (is_prose(at) && says_nothing(text)),
    }
}

fn read(file: &Value) -> Vec<Problem> {
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
        Value::String(text) if is_meant(at) => {
            let warn = |found| {
                let message = format!("this text holds {found}, which nobody sees");
                Problem::warning(at, "hidden_character", message).help("take it out: users say it, or agents read it")
            };
            problems.extend(hidden(text).map(warn));
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
        let found: Vec<String> = read(&file).into_iter().map(|problem| Problem::lines(&[problem])).collect();
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

    #[test]
    fn what_nobody_sees_is_pointed_out_where_it_is_said_or_told() {
        let file = json!({
            "policy": [{"rule": "Ask\u{200b} first."}],
            "facts": {"a": {"value": "B\u{ad}17"}},
            "initial_state": {"patch": {"notes": {"N1": {"text": "odd\u{200b}"}}}},
            "variants": {"ideal": {"turns": ["Größe 5\u{a0}€, please.", "Move \u{202e}it."]}}
        });
        let found: Vec<String> = read(&file).into_iter().map(|problem| Problem::lines(&[problem])).collect();
        let expected = [
            "/facts/a/value: this text holds U+00AD (soft hyphen), which nobody sees",
            "/policy/0/rule: this text holds U+200B (zero-width space), which nobody sees",
            "/variants/ideal/turns/1: this text holds U+202E (it turns the reading order), which nobody sees",
        ];
        assert_eq!(found, expected);
    }
}
