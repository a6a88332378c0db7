use serde_json::Value;

use super::assertion::Assertion;
use super::task_file::TaskFile;
use probity_engine::strict::{format_schema, parse};
use probity_engine::{Schema, number};

#[test]
fn optional_keys_are_left_out_but_raw_values_may_be_null() {
    let assertion = |text: &str| parse::<Assertion>("a.json", text).map(|(assertion, _)| assertion);
    let equals = Assertion::Equals { path: "/a".to_owned(), equals: Value::Null };
    assert_eq!(assertion(r#"{"path": "/a", "equals": null}"#).unwrap(), equals);
    let refused = assertion(r#"{"path": null}"#).unwrap_err();
    let expected = "a.json:1:10: error[wrong_type]: expected a string, found null\n  help: write a string";
    assert_eq!(refused[0].to_string(), expected);
}

#[test]
fn the_format_is_a_schema_of_its_own() {
    let schema = format_schema::<TaskFile>();
    assert!(Schema::compile(&schema).is_ok());
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["additionalProperties"], false);
    assert!(!schema.to_string().contains("null"), "{schema:#}");
    let seed = &format_schema::<TaskFile>()["$defs"]["InitialStateFile"]["properties"]["seed"];
    assert_eq!((&seed["minimum"], &seed["maximum"]), (&Value::from(0), &Value::from(number::MAX_SAFE_INTEGER)));
}
