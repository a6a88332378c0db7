use super::*;
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

#[test]
fn what_others_write_is_read() {
    let defs = json!({"a": {"type": "object", "properties": {"next": {"$ref": "#/$defs/b"}}},
        "b": {"type": "array", "items": {"$ref": "#/$defs/a"}}, "far~name/1": {"type": "integer"}});
    for (schema, wanted) in [
        (
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (json!({"$ref": "#/$defs/far~0name~11", "$defs": defs}), json!({"type": "integer"})),
        (
            json!({"$ref": "#/$defs/far~0name~11", "nullable": true, "$defs": defs}),
            json!({"type": ["integer", "null"]}),
        ),
        (json!({"allOf": [{"type": "string"}], "nullable": true}), json!({"type": ["string", "null"]})),
        (json!({"$ref": "https://example.com/x.json"}), json!({})),
        (json!({"$ref": "#/$defs/nowhere"}), json!({})),
        (json!({"minimum": 3, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 3})),
        (json!({"type": "object"}), json!({"type": "object", "additionalProperties": {}})),
        (json!({"type": "string", "pattern": "(?=x)", "format": "int64", "title": "T"}), json!({"type": "string"})),
        (json!({"maximum": 9_223_372_036_854_775_807_i64, "type": "integer"}), json!({"type": "integer"})),
        (json!({"type": "integer", "default": "3"}), json!({"type": "integer"})),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        (json!({"oneOf": [{"type": "string"}]}), json!({"type": "string"})),
        (
            json!({"allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"b": {}}}]}),
            json!({"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"], "additionalProperties": false}),
        ),
        (
            json!({"properties": {"a": {}}, "oneOf": [{"required": ["a"]}, {"properties": {"b": {}}}]}),
            json!({"anyOf": [
                {"properties": {"a": {}}, "required": ["a"], "additionalProperties": false},
                {"properties": {"a": {}, "b": {}}, "additionalProperties": false},
            ]}),
        ),
    ] {
        assert_eq!(read(&schema).0, wanted, "{schema}");
    }
}

#[test]
fn of_two_schemas_at_once_the_narrower_holds() {
    for (parts, wanted) in [
        (json!([{"minimum": 3}, {"minimum": 5, "maximum": 9}]), json!({"minimum": 5, "maximum": 9})),
        (json!([{"maxLength": 9}, {"maxLength": 4}]), json!({"maxLength": 4})),
        (json!([{"type": ["number", "null"]}, {"type": "integer"}]), json!({"type": "integer"})),
        (json!([{"enum": ["a", "b", "c"]}, {"enum": ["c", "b"]}]), json!({"enum": ["b", "c"]})),
        (
            json!([{"properties": {"a": {"minLength": 1}}}, {"properties": {"a": {"minLength": 2}}}]),
            json!({"properties": {"a": {"minLength": 2}}, "additionalProperties": false}),
        ),
        (json!([{"type": "integer", "default": 3}, {"minimum": 5}]), json!({"type": "integer", "minimum": 5})),
    ] {
        assert_eq!(read(&json!({"allOf": parts})).0, wanted, "{parts}");
    }
    for parts in [
        json!([{"pattern": "a"}, {"pattern": "b"}]),
        json!([{"type": "string"}, {"type": "integer"}]),
        json!([{"const": 1}, {"const": 2}]),
    ] {
        let (_, notes) = read(&json!({"allOf": parts}));
        assert!(notes[0].text.contains("the first is kept"), "{notes:?}");
    }
}

#[test]
fn what_is_ill_written_is_left_out_and_told() {
    for (schema, wanted) in [
        (json!({"type": "string", "minLength": "3"}), json!({"type": "string"})),
        (json!({"type": "integer", "multipleOf": 0}), json!({"type": "integer"})),
        (json!({"type": "string", "enum": "a"}), json!({"type": "string"})),
        (json!({"type": "array", "uniqueItems": "yes"}), json!({"type": "array"})),
    ] {
        let (found, notes) = read(&schema);
        assert_eq!(found, wanted);
        assert!(notes[0].text.ends_with("not written as JSON Schema has it, and is left out"), "{notes:?}");
    }
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
fn who_takes_anything_takes_nothing_and_it_is_told() {
    let open = json!({"type": "object", "additionalProperties": {"type": "string"}});
    for schema in [json!({}), json!(true), open, json!({"type": "object", "additionalProperties": true})] {
        let (_, notes) = arguments(&schema);
        assert!(notes.iter().any(|note| note.text.starts_with("what it takes is not said")), "{schema}");
    }
    for schema in [json!({"type": "object"}), json!({"type": "object", "properties": {}})] {
        assert_eq!(arguments(&schema).1, []);
    }
    let part = json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}});
    assert_eq!(read(&part).1[0].text, "fields that are not named here are not taken");
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

#[test]
fn what_holds_itself_is_cut_and_told() {
    for inner in [
        json!({"properties": {"x": {"$ref": "#"}}}),
        json!({"type": "array", "items": {"$ref": "#"}}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"oneOf": [{"$ref": "#"}, {"type": "string"}]}),
        json!({"type": "object", "additionalProperties": {"$ref": "#"}}),
    ] {
        let (read, notes) = read(&inner);
        assert!(notes.iter().any(|note| note.text.contains("holds itself")), "{inner}: {read}");
        assert!(!read.to_string().contains("$ref"), "{read}");
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
