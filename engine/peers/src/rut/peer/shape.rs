//! What we read of the peer's files, and of which type it must be. Keys that we do not read may be anything.

use serde_json::{Map, Value};

use probity_engine::{Problem, pointer::escape, suggest::nearest};

pub struct Field {
    name: &'static str,
    shape: Shape,
    is_required: bool,
}

/// The type of a value that we read; null stands for a missing one.
pub enum Shape {
    Text,
    Integer,
    Flag,
    /// An object, whatever is in it.
    Object,
    /// An object of which we read these keys.
    Record(&'static [Field]),
    Records(&'static [Field]),
    Texts,
}

const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: false }
}

const fn required(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, is_required: true }
}

const NODE: &[Field] = &[
    field("step_index", Shape::Integer),
    required("tool_name", Shape::Text),
    field("arguments", Shape::Object),
    field("expected_state_diff", Shape::Object),
];

const GRAPH: &[Field] = &[
    field(
        "required_read_equivalence_sets",
        Shape::Records(&[field("step_index", Shape::Integer), required("equivalent_nodes", Shape::Records(NODE))]),
    ),
    field("required_write_nodes", Shape::Records(NODE)),
    field(
        "precedence_edges",
        Shape::Records(&[required("before_step_index", Shape::Integer), required("after_step_index", Shape::Integer)]),
    ),
    field("clarify_nodes", Shape::Records(&[])),
    field("refuse_nodes", Shape::Records(&[])),
];

/// A sample of the benchmark (A.2).
pub const SAMPLE: &[Field] = &[
    required("sample_id", Shape::Text),
    required("task_id", Shape::Text),
    field("variant", Shape::Text),
    field("task_type", Shape::Text),
    field("user_turns", Shape::Records(&[required("user_message", Shape::Text)])),
    field("user_request", Shape::Text),
    field("goal_summary", Shape::Text),
    field("difficulty_bucket", Shape::Text),
    field("init_config", Shape::Object),
    field("gold_action_graph", Shape::Record(GRAPH)),
    field(
        "gold_tool_trace",
        Shape::Records(&[
            required("tool_name", Shape::Text),
            field("arguments", Shape::Object),
            field("state_diff", Shape::Object),
            field("user_turn_id", Shape::Integer),
        ]),
    ),
    field("expected_state_diff", Shape::Object),
    field(
        "final_state_assertions",
        Shape::Records(&[required("path", Shape::Text), required("assertion_type", Shape::Text)]),
    ),
    field("forbidden_actions", Shape::Texts),
    field("behavior_bundle", Shape::Texts),
    field("min_required_action_turns", Shape::Integer),
];

/// A state item of the blueprints (A.1).
pub(crate) const ITEM: &[Field] = &[
    field("env_id", Shape::Text),
    field("environment_summary", Shape::Text),
    field("constraints_rules_list", Shape::Texts),
    field("init_config", Shape::Object),
    field(
        "tools",
        Shape::Records(&[
            required("name", Shape::Text),
            field("description", Shape::Text),
            field("parameters", Shape::Object),
        ]),
    ),
    required("task_blueprints", Shape::Records(&[required("task_id", Shape::Text)])),
];

const ACTION: &[Field] = &[
    field("action_index", Shape::Integer),
    field("kind", Shape::Text),
    field("tool_name", Shape::Text),
    field("arguments", Shape::Object),
    field("state_diff", Shape::Object),
    field("is_write", Shape::Flag),
];

/// An entry of the results (A.3).
pub(crate) const RESULT: &[Field] = &[
    required("sample_id", Shape::Text),
    required(
        "run",
        Shape::Record(&[
            required("actual_actions", Shape::Records(ACTION)),
            required("actual_tool_trace", Shape::Records(ACTION)),
            required("initial_state", Shape::Object),
            required("final_state", Shape::Object),
            field("final_state_diff", Shape::Object),
            field("transcript", Shape::Records(&[field("role", Shape::Text)])),
            field("run_error", Shape::Text),
        ]),
    ),
];

/// Everything in `value` that is not as we read it.
pub fn check(value: &Value, fields: &'static [Field], pointer: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    record(value, fields, pointer, &mut problems);
    problems
}

fn record(value: &Value, fields: &'static [Field], pointer: &str, problems: &mut Vec<Problem>) {
    let Value::Object(map) = value else {
        problems.push(wrong(pointer, "an object", value));
        return;
    };
    for Field { name, shape, is_required } in fields {
        let at = format!("{pointer}/{}", escape(name));
        match map.get(*name).filter(|value| !value.is_null()) {
            Some(value) => shaped(value, shape, &at, problems),
            None => problems.extend(missing(map, name, *is_required, fields, pointer)),
        }
    }
}

/// A key that is needed and not there, or one that is not there while another is nearly called so.
fn missing(
    map: &Map<String, Value>,
    name: &str,
    is_required: bool,
    fields: &[Field],
    pointer: &str,
) -> Option<Problem> {
    let others = map.keys().map(String::as_str).filter(|key| fields.iter().all(|field| field.name != *key));
    let near = nearest(name, others);
    match (is_required, near) {
        (true, near) => {
            let problem = Problem::error(pointer, "missing_key", format!("`{name}` is missing"));
            Some(match near {
                Some(near) => problem.help(format!("is `{near}` meant for it?")),
                None => problem,
            })
        }
        (false, Some(near)) => {
            let at = format!("{pointer}/{}", escape(near));
            let problem = Problem::warning(at, "unread_key", format!("`{near}` is not read"));
            Some(problem.help(format!("did you mean `{name}`?")))
        }
        (false, None) => None,
    }
}

fn shaped(value: &Value, shape: &'static Shape, at: &str, problems: &mut Vec<Problem>) {
    let items = |what: &str, problems: &mut Vec<Problem>| match value {
        Value::Array(items) => items.clone(),
        other => {
            problems.push(wrong(at, what, other));
            Vec::new()
        }
    };
    match shape {
        Shape::Text if !value.is_string() => problems.push(wrong(at, "a text", value)),
        Shape::Integer if !value.is_i64() && !value.is_u64() => problems.push(wrong(at, "a whole number", value)),
        Shape::Flag if !value.is_boolean() => problems.push(wrong(at, "true or false", value)),
        Shape::Object if !value.is_object() => problems.push(wrong(at, "an object", value)),
        Shape::Record(fields) => record(value, fields, at, problems),
        Shape::Records(fields) => {
            for (index, item) in items("a list of objects", problems).iter().enumerate() {
                record(item, fields, &format!("{at}/{index}"), problems);
            }
        }
        Shape::Texts => {
            for (index, item) in items("a list of texts", problems).iter().enumerate() {
                shaped(item, &Shape::Text, &format!("{at}/{index}"), problems);
            }
        }
        Shape::Text | Shape::Integer | Shape::Flag | Shape::Object => {}
    }
}

/// Whether an object has a key that every entry has: it is one itself, and no wrapping around a list.
pub(crate) fn is_entry(map: &Map<String, Value>, fields: &[Field]) -> bool {
    fields.iter().any(|field| field.is_required && map.contains_key(field.name))
}

/// The list of entries is not there; perhaps one is nearly called so.
pub(crate) fn missing_list(map: &Map<String, Value>, names: &[&str]) -> Problem {
    let slip = names.iter().find_map(|name| Some((*name, nearest(name, map.keys().map(String::as_str))?)));
    let known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match slip {
        Some((name, near)) => {
            let problem = Problem::error(format!("/{}", escape(near)), "missing_list", format!("`{near}` is not read"));
            problem.help(format!("did you mean `{name}`?"))
        }
        None => Problem::error("", "missing_list", "the list of entries is missing")
            .help(format!("give a list, or an object with one under {}", known.join(" or "))),
    }
}

/// A value of another type than we read.
pub fn wrong(at: &str, wanted: &str, found: &Value) -> Problem {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Problem::error(at, "wrong_type", format!("expected {wanted}, found {found}"))
}
