use super::*;
use crate::case::{Reader, hold, yes};
use crate::source::Note;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn read(schema: &Value) -> (Value, Vec<Note>) {
    let mut reading = Reading::default();
    let read = Normaliser::new("t", schema, &mut reading).result();
    (read, reading.source().unwrap().notes)
}

fn arguments(schema: &Value) -> (Value, Vec<Note>) {
    let mut reading = Reading::default();
    let read = Normaliser::new("t", schema, &mut reading).arguments();
    (read.into(), reading.source().unwrap().notes)
}

fn has(notes: &[Note], words: &str) -> bool {
    notes.iter().any(|note| note.text.contains(words))
}

#[test]
fn schemas_of_others_are_read_as_the_cases_say() {
    let left_out = |text: &str| {
        let (found, notes) = read(&text.parse().unwrap());
        assert!(has(&notes, "not written as JSON Schema has it, and is left out"), "{notes:?}");
        found.to_string()
    };
    let says_nothing = |text: &str| {
        let (_, notes) = arguments(&text.parse().unwrap());
        assert!(notes.is_empty() || notes.iter().any(|note| note.text.starts_with("what it takes is not said")));
        yes(!notes.is_empty())
    };
    let holds_itself = |text: &str| {
        let (found, notes) = read(&text.parse().unwrap());
        yes(has(&notes, "holds itself") && !found.to_string().contains("$ref"))
    };
    let readers: [(&str, Reader); 5] = [
        ("read", |text| read(&text.parse().unwrap()).0.to_string()),
        ("first kept", |text| yes(has(&read(&text.parse().unwrap()).1, "the first is kept"))),
        ("left out", left_out),
        ("says nothing", says_nothing),
        ("holds itself", holds_itself),
    ];
    hold(include_str!("schema_cases.txt"), &readers);
    let part = json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}});
    assert_eq!(read(&part).1[0].text, "fields that are not named here are not taken");
}

#[test]
fn alternatives_of_arguments_keep_what_each_takes() {
    let part =
        |kind: &str, value: Value| json!({"type": "object", "properties": {"kind": {"const": kind}, "value": value}});
    let schema = json!({"oneOf": [part("a", json!({"type": "string"})), part("b", json!({"type": "integer"}))]});
    let (found, _) = arguments(&schema);
    assert_eq!(found["properties"]["kind"], json!({"enum": ["a", "b"]}));
    assert_eq!(found["properties"]["value"], json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}));
}

#[test]
fn what_no_file_takes_is_cut_or_left_out_and_told() {
    let long = "é".repeat(MAX_TEXT_BYTES);
    let many: Vec<String> = (0..=MAX_LISTED).map(|i| format!("v{i}")).collect();
    for (schema, kept) in [
        (
            json!({"type": "string", "description": long}),
            json!({"type": "string", "description": "é".repeat(MAX_TEXT_BYTES / 2)}),
        ),
        (json!({"type": "string", "enum": many}), json!({"type": "string"})),
        (json!({"type": "string", "const": long}), json!({"type": "string"})),
    ] {
        let (read, notes) = read(&schema);
        assert!(read == kept && notes.len() == 1, "{notes:?}");
    }
}

/// Schemas as tools in the wild have them: nested, with references, alternatives and nonsense.
fn schemas() -> impl Strategy<Value = Value> {
    let names = || prop::sample::select(vec!["a", "b", "type", "orderId", "in", "x-y"]);
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        prop::sample::select(vec!["string", "integer", "number", "boolean", "null", "array", "object", "file"])
            .prop_map(|kind| json!({"type": kind})),
        Just(json!({"type": ["string", "null"], "enum": ["a", null]})),
        Just(json!({"$ref": "#/$defs/one"})),
        Just(json!({"$ref": "#/definitions/gone"})),
        Just(json!({"type": "string", "pattern": "(a+)+$", "minLength": 2, "default": 3})),
        Just(json!({"const": {"a": 1}, "x-order": 3})),
        Just(json!({"type": "number", "minimum": 1e300, "exclusiveMaximum": false})),
        Just(json!({"enum": []})),
        Just(json!("no schema")),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec((names(), inner.clone()), 0..4).prop_map(|all| {
                let required: Vec<&str> = all.iter().map(|(name, _)| *name).take(1).chain(["gone"]).collect();
                let properties: Map<String, Value> =
                    all.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": true})
            }),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "uniqueItems": true})),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({"oneOf": all, "nullable": true})),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({"allOf": all, "if": {}, "not": {}})),
            inner.clone().prop_map(|items| json!({"items": [items, {}], "type": "array"})),
            inner.prop_map(|schema| json!({"type": "object", "additionalProperties": schema})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(39), ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn a_thousand_schemas_are_in_our_dialect(one in schemas(), other in schemas()) {
        let schema = json!({"type": "object", "properties": {"one": one, "id": {"type": "string"}}, "$defs": {"one": other}});
        let read = arguments(&schema).0;
        let found = Schema::compile(&read).err();
        prop_assert!(found.is_none(), "{schema}\n{read}\n{found:?}");
        let twice = arguments(&read).0;
        prop_assert_eq!(&twice, &read, "what is in our dialect stays as it is");
    }
}
