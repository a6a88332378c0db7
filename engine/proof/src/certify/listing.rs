//! What a parameter's schema says of the values it takes, as far as these can be listed.

use serde_json::Value;

use probity_behaviour::values::schema::types;

/// Keywords that may let values in, or tie them to each other, in ways that are not followed.
const COMPOUND: [&str; 8] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "then", "else"];

/// Whether the values of an alphabet stand for all values of a schema: those that it lists itself, or scalars, of
/// which the ids of the state and the values that the task speaks of count.
pub(super) fn is_listable(schema: &Value) -> bool {
    if schema.get("enum").is_some() || schema.get("const").is_some() {
        return true;
    }
    let types = types(schema);
    let is_scalar = |kind: &&str| matches!(*kind, "string" | "integer" | "number" | "boolean" | "null");
    !types.is_empty() && types.iter().all(is_scalar) && COMPOUND.iter().all(|keyword| schema.get(*keyword).is_none())
}

/// Whether values of a schema may be lists or objects, of which some are tried.
pub(super) fn has_parts(schema: &Value) -> bool {
    let own = types(schema).iter().any(|kind| matches!(*kind, "array" | "object"));
    own || forms(schema).any(has_parts)
}

/// Whether a number is within the bounds of a schema.
pub(super) fn is_within_bounds(schema: &Value, value: &Value) -> bool {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let Some(number) = value.as_f64() else { return true };
    bound("minimum").is_none_or(|least| number >= least) && bound("maximum").is_none_or(|most| number <= most)
}

/// Whether keywords beside its types and forms narrow what fits a schema, or let more in.
pub(super) fn is_tied(schema: &Value) -> bool {
    COMPOUND.iter().any(|keyword| !matches!(*keyword, "anyOf" | "oneOf") && schema.get(*keyword).is_some())
}

/// The forms that a schema offers beside its own.
pub(super) fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    let listed = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|of| schema.get(of)?.as_array());
    listed.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scalars_and_lists_of_values_can_be_listed() {
        for schema in [
            json!({"type": "string", "pattern": "^OR"}),
            json!({"type": ["integer", "null"]}),
            json!({"enum": [1, "a", null]}),
            json!({"const": {"a": 1}}),
            json!({"$ref": "#/$defs/a", "enum": ["x"]}),
        ] {
            assert!(is_listable(&schema), "{schema}");
        }
        for schema in [
            json!({}),
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": ["string", "object"]}),
            json!({"$ref": "#/$defs/a"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}),
        ] {
            assert!(!is_listable(&schema), "{schema}");
        }
    }
}
