//! What a rule of the policy is bound to, as `check --all` prints it: `move_booking refuses room_not_free`.

use serde_json::{Value, json};

use super::ShortFormErrors;
use crate::load::tree::Tree;

const HELP: &str = "write `TOOL refuses CODE`, `constraint ID`, `forbids PATTERN`, `says PHRASE in TASKS`, \
                    `FINDING by TOOL`, `FINDING`, or an object";

/// Writes out the bindings of all rules.
pub(super) fn rules(policy: &mut Tree, refused: &mut ShortFormErrors) {
    let rules = policy.items_mut().into_iter().flatten();
    for item in rules.filter_map(|rule| rule.get_mut("bound_to")?.items_mut()).flatten() {
        let Some(text) = item.text() else { continue };
        match parse(text) {
            Some(binding) => *item = item.instead(binding),
            None => {
                refused.error(item.at, "bad_binding", format!("`{text}` names nothing that checks a rule"), HELP);
                *item = item.instead(json!({"constraint": text}));
            }
        }
    }
}

fn parse(text: &str) -> Option<Value> {
    if let Some(pattern) = text.strip_prefix("forbids ") {
        return Some(json!({"forbidden": pattern}));
    }
    if let Some(said) = text.strip_prefix("says ") {
        let (phrase, tasks) = said.rsplit_once(" in ")?;
        return Some(json!({"must_say": phrase, "tasks": names(tasks)}));
    }
    let (text, tasks) = match text.rsplit_once(" in ") {
        Some((text, tasks)) => (text, names(tasks)),
        None => (text, Vec::new()),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut binding = match words.as_slice() {
        ["constraint", id] => json!({"constraint": id}),
        [tool, "refuses", code] => json!({"precondition": {"tool": tool, "code": code}}),
        [finding, "by", tool] => json!({"discipline": {"finding": finding, "tool": tool}}),
        [finding] => json!({"discipline": {"finding": finding}}),
        _ => return None,
    };
    if let (false, Value::Object(fields)) = (tasks.is_empty(), &mut binding) {
        fields.insert("tasks".to_owned(), tasks.into());
    }
    Some(binding)
}

fn names(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_are_read_as_they_are_printed() {
        for (text, binding) in [
            ("pay refuses poor", json!({"precondition": {"tool": "pay", "code": "poor"}})),
            ("constraint a", json!({"constraint": "a"})),
            ("constraint a in b, c", json!({"constraint": "a", "tasks": ["b", "c"]})),
            ("forbids pay where args.n in [1]", json!({"forbidden": "pay where args.n in [1]"})),
            ("says in time in a", json!({"must_say": "in time", "tasks": ["a"]})),
            ("no_consent by pay", json!({"discipline": {"finding": "no_consent", "tool": "pay"}})),
            ("others_data", json!({"discipline": {"finding": "others_data"}})),
        ] {
            assert_eq!(parse(text), Some(binding), "{text}");
        }
        for text in ["says it", "pay is nice", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
