//! The tools of a sample and when two calls of one have the same arguments (spec B.2).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::containment::{Equality, values_equal};
use super::host;
use super::path::objects;

/// Arguments that only have to be there.
const DYNAMIC: [&str; 3] = ["current_time", "request_time", "timestamp"];
const FREE: [&str; 5] = ["changed_by", "comment", "message", "note", "reason"];

/// What a sample's tools say of their parameters, by name.
pub struct Tools<'a> {
    parameters: BTreeMap<String, &'a Value>,
    equal: Equality,
    /// Whether a required argument that the oracle itself leaves out may be left out.
    is_lenient: bool,
}

impl<'a> Tools<'a> {
    /// The tools of a sample's `runtime`; of two with one name the last.
    pub(crate) fn of_sample(sample: &'a Value) -> Self {
        let tools = sample.get("runtime").and_then(|runtime| runtime.get("tools"));
        let named = objects(tools).map(|tool| (host::label(tool.get("name")), tool.get("parameters")));
        let parameters = named.filter(|(name, _)| !name.is_empty());
        let parameters = parameters.map(|(name, parameters)| (name, parameters.unwrap_or(&Value::Null)));
        Tools { parameters: parameters.collect(), equal: values_equal, is_lenient: false }
    }

    /// The same tools, compared in our way: as JSON, and what the oracle leaves out may be left out.
    #[must_use]
    pub fn ours(self) -> Self {
        Tools { equal: probity_engine::number::is_same, is_lenient: true, ..self }
    }

    pub fn equality(&self) -> Equality {
        self.equal
    }

    pub fn arguments_match(&self, tool: &str, expected: Option<&Value>, actual: Option<&Value>) -> bool {
        let none = Map::new();
        let expected = expected.and_then(Value::as_object).unwrap_or(&none);
        let actual = actual.and_then(Value::as_object).unwrap_or(&none);
        let parameters = self.parameters.get(tool).copied().unwrap_or(&Value::Null);
        let required: Vec<String> =
            parameters.get("required").and_then(Value::as_array).into_iter().flatten().map(host::text).collect();
        let has_required = required.iter().all(|name| match (expected.get(name), actual.get(name)) {
            (Some(wanted), Some(given)) => DYNAMIC.contains(&name.as_str()) || (self.equal)(wanted, given),
            (None, None) => self.is_lenient,
            (None, Some(_)) | (Some(_), None) => false,
        });
        has_required
            && expected
                .iter()
                .filter(|(name, _)| !required.contains(name) && !FREE.contains(&name.as_str()))
                .all(|(name, wanted)| optional_matches(parameters, name, wanted, actual.get(name), self.equal))
    }
}

/// Whether an argument that the schema does not require is as expected.
fn optional_matches(parameters: &Value, name: &str, wanted: &Value, given: Option<&Value>, equal: Equality) -> bool {
    match given {
        Some(given) => DYNAMIC.contains(&name) || equal(wanted, given),
        None if DYNAMIC.contains(&name) => false,
        None => {
            let parameter = parameters.get("properties").and_then(|properties| properties.get(name));
            let default = parameter.and_then(|parameter| parameter.get("default"));
            wanted.is_null()
                || wanted.as_array().is_some_and(Vec::is_empty)
                || default.is_some_and(|default| equal(wanted, default))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn holds(expected: &Value, actual: &Value) -> bool {
        let sample = json!({"runtime": {"tools": [{"name": " lend ", "parameters": {
            "required": ["book", "timestamp"],
            "properties": {"days": {"default": 14}, "tags": "odd"}
        }}]}});
        Tools::of_sample(&sample).arguments_match("lend", Some(expected), Some(actual))
    }

    #[test]
    fn required_arguments_stand_on_both_sides() {
        assert!(holds(&json!({"book": 1, "timestamp": "a"}), &json!({"book": 1.0, "timestamp": "b"})));
        assert!(!holds(&json!({"book": 1}), &json!({"book": 1, "timestamp": "b"})));
        assert!(!holds(&json!({"book": 1, "timestamp": "a"}), &json!({"book": 1})));
        assert!(!holds(&json!({"book": 1, "timestamp": "a"}), &json!({"book": "1", "timestamp": "a"})));
    }

    #[test]
    fn a_missing_optional_argument_is_forgiven_when_it_says_nothing_new() {
        let with = |name: &str, value: Value| {
            let mut expected = json!({"book": 1, "timestamp": 0});
            expected[name] = value;
            holds(&expected, &json!({"book": 1, "timestamp": 0}))
        };
        assert!(with("days", json!(14.0)) && with("x", json!(null)) && with("x", json!([])) && with("note", json!(1)));
        assert!(!with("days", json!(7)) && !with("x", json!({})) && !with("tags", json!("a")));
        assert!(!with("current_time", json!(null)));
    }

    #[test]
    fn more_arguments_than_expected_are_never_checked() {
        assert!(holds(&json!({"book": 1, "timestamp": 0}), &json!({"book": 1, "timestamp": 0, "force": true})));
    }
}
