//! What a rule of the policy is bound to, as `check --all` prints it: `move_booking refuses room_not_free`.

use serde_json::{Value, json};

use super::ShortFormErrors;
use crate::load::tree::Tree;
use crate::model::policy::{split_pattern, split_tasks};

const HELP: &str = "write `TOOL refuses CODE`, `constraint ID`, `forbids PATTERN`, `holds back PATTERN in TASKS`, \
                    `says PHRASE in TASKS`, `FINDING by TOOL`, `FINDING`, or an object";

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

/// Reads a binding as it is printed. The tasks stand behind the last ` in `; a pattern that ends as if tasks did
/// stands in brackets.
pub(super) fn parse(text: &str) -> Option<Value> {
    for (verb, key) in [("forbids ", "forbidden"), ("holds back ", "hold")] {
        if let Some(rest) = text.strip_prefix(verb) {
            let (pattern, tasks) = split_pattern(rest);
            return Some(in_tasks(json!({key: pattern}), tasks));
        }
    }
    let (text, tasks) = split_tasks(text);
    let binding = if let Some(rest) = text.strip_prefix("says ") {
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let phrase = quoted.or((!tasks.is_empty()).then_some(rest))?;
        json!({"must_say": phrase})
    } else {
        match text.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["constraint", id] => json!({"constraint": id}),
            [tool, "refuses", code] => json!({"precondition": {"tool": tool, "code": code}}),
            [finding, "by", tool] => json!({"discipline": {"finding": finding, "tool": tool}}),
            [finding] => json!({"discipline": {"finding": finding}}),
            _ => return None,
        }
    };
    Some(in_tasks(binding, tasks))
}

fn in_tasks(mut binding: Value, tasks: Vec<&str>) -> Value {
    if let (false, Value::Object(fields)) = (tasks.is_empty(), &mut binding) {
        fields.insert("tasks".to_owned(), tasks.into());
    }
    binding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::Binding;
    use proptest::prelude::*;

    fn bindings() -> impl Strategy<Value = Value> {
        let name = || "args|db|in|[a-z][a-z0-9_]{0,5}";
        let pattern = || "pay|pay where [a-z0-9 .()\"]{0,12}( in (args|db|[a-z]{1,4})(, [a-z]{1,3})?)?";
        let check = prop_oneof![
            (name(), name()).prop_map(|(tool, code)| json!({"precondition": {"tool": tool, "code": code}})),
            name().prop_map(|id| json!({"constraint": id})),
            pattern().prop_map(|pattern| json!({"forbidden": pattern})),
            pattern().prop_map(|pattern| json!({"hold": pattern})),
            "\\PC{0,12}( in [a-z]{1,4})?".prop_map(|phrase| json!({"must_say": phrase})),
            Just(json!({"discipline": {"finding": "no_consent", "tool": "pay"}})),
            Just(json!({"discipline": {"finding": "others_data"}})),
        ];
        (check, prop::collection::vec(name(), 0..3)).prop_map(|(mut check, tasks)| {
            if !tasks.is_empty() {
                check["tasks"] = json!(tasks);
            }
            check
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_it_was(value in bindings()) {
            let Ok(binding) = serde_json::from_value::<Binding>(value) else { return Ok(()) };
            let written = serde_json::to_value(&binding).unwrap();
            prop_assert_eq!(parse(&binding.to_string()), Some(written), "{}", binding);
        }
    }
}
