//! Assertions are of one kind each; what is of none or of several is told here, in the author's words.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::assertion::Assertion;
use probity_engine::{ShortFormErrors, Tree};

const HELP: &str =
    "write `path` with one of equals, absent, exists, changed, matches; or `new` with `matching` and `count`";

/// Checks the assertions of an outcome; one that is of no kind is put aside.
pub(super) fn check(outcome: &mut Tree, refused: &mut ShortFormErrors) {
    for list in ["achieves", "preserves"] {
        for assertion in outcome.get_mut(list).and_then(Tree::items_mut).into_iter().flatten() {
            let value = assertion.value();
            if !has_known_keys(&value) || Assertion::deserialize(&value).is_ok() {
                continue;
            }
            let flags = ["absent", "exists", "changed"];
            match flags.iter().any(|flag| value.get(flag) == Some(&Value::Bool(false))) {
                true => {
                    let message = "`absent`, `exists` and `changed` can only be true";
                    refused.error(assertion.at, "bad_assertion", message.to_owned(), "leave it out");
                }
                false => {
                    refused.error(assertion.at, "bad_assertion", "this is not one assertion".to_owned(), HELP);
                }
            }
            *assertion = assertion.instead(json!({"path": "/", "exists": true}));
        }
    }
}

/// Whether all keys are some kind's and hold what they hold there; else the strict reading says what is wrong.
fn has_known_keys(value: &Value) -> bool {
    let is_fit = |(key, value): (&String, &Value)| match key.as_str() {
        "path" | "matches" | "new" => value.is_string(),
        "absent" | "exists" | "changed" => value.is_boolean(),
        "matching" => value.is_object(),
        "count" => value.as_u64().is_some_and(|count| u32::try_from(count).is_ok()),
        "equals" => true,
        _ => false,
    };
    value.as_object().is_some_and(|map| map.iter().all(is_fit))
}
