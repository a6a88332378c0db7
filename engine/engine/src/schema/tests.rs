use super::*;
use crate::model::diagnostic::Place;
use serde_json::json;

/// `path code: message (help)` for each problem.
fn refusals(schema: &Value) -> Vec<String> {
    Schema::compile(schema).unwrap_err().into_iter().map(text).collect()
}

fn text(problem: Problem) -> String {
    let path = match &problem.place {
        Place::Pointer(path) => path.clone(),
        Place::Key(path) => format!("key {path}"),
        Place::Script { .. } => unreachable!("schemas are no scripts"),
    };
    let help = problem.help.map_or_else(String::new, |help| format!(" ({help})"));
    format!("{path} {}: {}{help}", problem.code, problem.message)
}

fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let schema = Schema::compile(schema).unwrap();
    let violations = schema.violations(value);
    assert_eq!(schema.is_valid(value), violations.is_empty());
    violations.into_iter().map(Violation::into_problem).map(text).collect()
}

#[test]
fn a_schema_is_shared_between_threads() {
    fn shared<T: Clone + Send + Sync>(_: &T) {}
    let schema = Schema::compile(&json!({"type": "string"})).unwrap();
    shared(&schema);
    assert!(schema.clone().is_valid(&json!("a")));
    assert_eq!(format!("{schema:?}"), r#"Schema(Object {"type": String("string")})"#);
}

#[test]
fn unknown_keywords_are_found_wherever_schemas_stand() {
    let slip = json!({"requird": ["a"]});
    let schema = json!({
        "properties": {"requird": slip, "a": {"items": slip, "prefixItems": [slip]}},
        "$defs": {"d": slip}, "patternProperties": {"^a/b$": slip}, "dependentSchemas": {"a": slip},
        "additionalProperties": slip, "propertyNames": slip, "contains": slip,
        "unevaluatedItems": slip, "unevaluatedProperties": slip,
        "anyOf": [slip], "oneOf": [true, slip], "allOf": [slip], "not": slip, "if": slip, "then": slip, "else": slip,
        "const": slip, "enum": [slip], "default": slip, "examples": [slip]
    });
    let places: Vec<String> =
        refusals(&schema).iter().filter_map(|text| text.split(' ').nth(1).map(str::to_owned)).collect();
    let mut expected = vec![
        "/properties/requird/requird",
        "/properties/a/items/requird",
        "/properties/a/prefixItems/0/requird",
        "/$defs/d/requird",
        "/patternProperties/^a~1b$/requird",
        "/dependentSchemas/a/requird",
        "/additionalProperties/requird",
        "/propertyNames/requird",
        "/contains/requird",
        "/unevaluatedItems/requird",
        "/unevaluatedProperties/requird",
        "/anyOf/0/requird",
        "/oneOf/1/requird",
        "/allOf/0/requird",
        "/not/requird",
        "/if/requird",
        "/then/requird",
        "/else/requird",
    ];
    expected.sort_unstable();
    let mut found = places;
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn slips_in_schemas_are_named() {
    let schema = json!({
        "$id": "x", "$schema": "http://json-schema.org/draft-07/schema#", "definitions": {}, "nullable": true,
        "colour": "red", "format": "dat", "$ref": "https://example.com/a.json",
        "properties": {"a": {"$ref": "#/$defs/rom"}, "b": {"requird": []}}, "$defs": {"room": {}}
    });
    let expected = [
        "key /$id unsupported_keyword: the keyword `$id` is not supported (refer to definitions as `#/$defs/<name>`)",
        "key /colour unknown_keyword: unknown keyword `colour` \
         (it is no keyword of JSON Schema 2020-12; `description` and `$comment` hold notes)",
        "key /definitions unknown_keyword: unknown keyword `definitions` (did you mean `$defs`?)",
        "key /nullable unknown_keyword: unknown keyword `nullable` (did you mean `\"type\": [..., \"null\"]`?)",
        "/properties/a/$ref unknown_reference: `#/$defs/rom` refers to nothing (did you mean `#/$defs/room`?)",
        "key /properties/b/requird unknown_keyword: unknown keyword `requird` (did you mean `required`?)",
        "/$schema unsupported_keyword: schemas of the dialect `http://json-schema.org/draft-07/schema#` are not read \
         (write it in `https://json-schema.org/draft/2020-12/schema`, or leave the key out)",
        "/format unknown_format: unknown format `dat` (did you mean `date`?)",
        "/$ref outside_reference: `https://example.com/a.json` leads out of the schema \
         (write the definition under `$defs` and refer to `#/$defs/<name>`)",
    ];
    assert_eq!(refusals(&schema), expected);
}

#[test]
fn a_short_form_within_a_schema_is_refused_with_the_way_to_write_it() {
    for field in
        [json!("ref methods"), json!({"is": "ref methods"}), json!({"type": "ref methods"}), json!({"fields": {}})]
    {
        let found = refusals(&json!({"type": "object", "properties": {"methodId": field}}));
        let told =
            found.iter().any(|line| line.contains("there are no short forms") && line.contains("\"fields\": {..}"));
        assert!(told, "{found:?}");
    }
}

#[test]
fn ill_formed_schemas_are_refused_at_their_place() {
    let schema = json!({"type": "strng", "required": "a", "minLength": -1, "properties": {"a": 3}});
    let expected = [
        "/minLength bad_schema: not a schema: `-1` is less than 0 (write it as JSON Schema 2020-12 has it)",
        "/properties/a bad_schema: not a schema: expected a boolean or an object, found a number \
         (write it as JSON Schema 2020-12 has it)",
        "/required bad_schema: not a schema: expected an array, found a string (write it as JSON Schema 2020-12 has it)",
        "/type bad_schema: not a schema: `strng` is none of `array`, `boolean`, `integer`, `null`, `number`, \
         `object`, `string` (did you mean `string`?)",
    ];
    assert_eq!(refusals(&schema), expected);
    assert_eq!(
        refusals(&json!({"properties": {"a": {"pattern": "(?=a)b"}}})),
        ["/properties/a/pattern bad_schema: `(?=a)b` is not a pattern \
          (patterns are regular expressions without look-around and back-references, and not too large)"]
    );
}

#[test]
fn references_that_never_end_are_refused() {
    let circle = |reference: &str| {
        format!(
            "circular_reference: `{reference}` comes back to itself: values of any depth are not judged \
             (describe each level on its own, as deep as values really go)"
        )
    };
    assert_eq!(refusals(&json!({"$ref": "#"})), [format!("/$ref {}", circle("#"))]);
    let schema = json!({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}});
    assert_eq!(refusals(&schema), [format!("/$defs/a/anyOf/0/$ref {}", circle("#/$defs/b"))], "a circle is one slip");
    let tree = json!({"properties": {"children": {"items": {"$ref": "#"}}}, "additionalProperties": false});
    assert_eq!(refusals(&tree), [format!("/properties/children/items/$ref {}", circle("#"))]);
}

#[test]
fn references_that_multiply_are_refused() {
    let doubling = |levels: usize| {
        let next = |i: usize| json!({"properties": {"x": {"$ref": format!("#/$defs/d{}", i + 1)}}});
        let level = |i: usize| if i + 1 == levels { json!({}) } else { json!({"anyOf": [next(i), next(i)]}) };
        let defs: Map<String, Value> = (0..levels).map(|i| (format!("d{i}"), level(i))).collect();
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    };
    assert!(Schema::compile(&doubling(8)).is_ok());
    let found = refusals(&doubling(30));
    assert!(found.iter().any(|line| line.starts_with(" schema_too_large")), "{found:?}");
    let chain: Map<String, Value> =
        (0..9000).map(|i| (format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", (i + 1).min(8999))}))).collect();
    let found = refusals(&json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": chain}));
    assert!(found.iter().any(|line| line.contains("more than 128 schemas")));
}

#[test]
fn what_a_value_is_held_against_has_an_end() {
    let too_large = |schema: &Value| refusals(schema).iter().any(|line| line.starts_with(" schema_too_large"));
    for (keyword, around) in
        [("unevaluatedProperties", "anyOf"), ("unevaluatedItems", "oneOf"), ("unevaluatedProperties", "allOf")]
    {
        let nested = |deep: usize| {
            (0..deep).fold(json!({"type": "object"}), |below, _| json!({around: [below], keyword: false}))
        };
        assert!(Schema::compile(&nested(3)).is_ok());
        assert!(too_large(&nested(28)), "{keyword}");
    }
    assert!(too_large(&json!({"enum": (0..20_000).collect::<Vec<i64>>()})));
    let names: Vec<String> = (0..9000).map(|i| format!("n{i}")).collect();
    assert!(too_large(&json!({"required": names, "dependentRequired": {"a": names, "b": names}})));
    let patterns: Map<String, Value> = (0..2000).map(|i| (format!("^a{i}"), json!(true))).collect();
    assert!(too_large(&json!({"patternProperties": patterns})));
    for pattern in [r"^\w{1,200}@\w+$", "^[A-Z]{3}-[0-9]{4}$", "^.{1,500}$", "^[a-z ]{1,1000}$"] {
        assert!(Schema::compile(&json!({"pattern": pattern})).is_ok(), "{pattern}");
    }
    for pattern in ["^(([a-z]{1,100}){1,100}){1,100}$", "^.{100000}$"] {
        let found = refusals(&json!({"pattern": pattern}));
        assert!(found.iter().any(|line| line.contains("is not a pattern")), "{found:?}");
    }
}

#[test]
fn each_unexpected_key_is_a_violation_of_its_own() {
    let schema = json!({
        "required": ["from", "to"], "properties": {"from": {}, "to": {}, "none": false},
        "additionalProperties": false, "propertyNames": {"pattern": "^[a-z]+$"}
    });
    let expected = [
        " missing_key: missing key `to`",
        "key /COLOUR unknown_key: bad key: `COLOUR` does not match the pattern `^[a-z]+$`",
        "key /COLOUR unknown_key: unknown key `COLOUR` (known: from, none, to)",
        "key /form unknown_key: unknown key `form` (did you mean `from`?)",
        "/none bad_value: nothing is allowed here",
    ];
    assert_eq!(violations(&schema, &json!({"from": 1, "form": 2, "COLOUR": 3, "none": 4})), expected);
    let digits = json!({"patternProperties": {"^[0-9]+$": {}}, "additionalProperties": false});
    let expected = ["key /one unknown_key: unknown key `one` (keys match the pattern `^[0-9]+$`)"];
    assert_eq!(violations(&digits, &json!({"1": 1, "one": 1})), expected);
    let open = json!({"allOf": [{"properties": {"room": {}}}], "unevaluatedProperties": false});
    assert_eq!(violations(&open, &json!({"rom": 1})), ["key /rom unknown_key: unknown key `rom`"]);
}

#[test]
fn values_are_judged_in_our_words() {
    let long = "é\n\"".repeat(40);
    let cases = [
        (
            json!({"type": ["string", "null"]}),
            json!(3.5),
            "wrong_type: expected null or a string, found a number with a fraction",
        ),
        (json!({"type": "integer"}), json!("3"), "wrong_type: expected a whole number, found a string"),
        (
            json!({"enum": ["read", "write"]}),
            json!("reed"),
            "unknown_value: `reed` is none of `read`, `write` (did you mean `read`?)",
        ),
        (
            json!({"oneOf": [{"const": "a"}, {"enum": [1]}]}),
            json!("say \""),
            "unknown_value: `say \\\"` is none of `a`, `1`",
        ),
        (json!({"const": 1}), json!(2), "unknown_value: `2` is not `1`"),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "object"}]}),
            json!([]),
            "wrong_type: expected a string or an object, found an array",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"properties": {"k": {"const": 1}}}]}),
            json!({"k": 2}),
            "bad_value: `{\"k\":2}` is of no allowed form (in the nearest form at `/k`: `2` is not `1`)",
        ),
        (json!({"oneOf": [{}, {}]}), json!(1), "bad_value: `1` is of several forms of which one is allowed"),
        (json!({"not": {"const": 1}}), json!(1), "bad_value: `1` is of a form that is ruled out"),
        (json!({"minimum": 3}), json!(2), "bad_value: `2` is less than 3"),
        (json!({"maximum": 3}), json!(4), "bad_value: `4` is more than 3"),
        (json!({"exclusiveMinimum": 3}), json!(3), "bad_value: `3` is not more than 3"),
        (json!({"exclusiveMaximum": 3}), json!(3), "bad_value: `3` is not less than 3"),
        (json!({"multipleOf": 5}), json!(3), "bad_value: `3` is not a multiple of 5"),
        (json!({"minLength": 2}), json!("a"), "bad_value: `a` has fewer than 2 characters"),
        (json!({"maxLength": 0}), json!("a"), "bad_value: `a` has more than 0 characters"),
        (json!({"pattern": "^b"}), json!("a"), "bad_value: `a` does not match the pattern `^b`"),
        (json!({"format": "date"}), json!("2026-02-30"), "bad_value: `2026-02-30` is not a `date`"),
        (json!({"minItems": 1}), json!([]), "bad_value: fewer than 1 items"),
        (json!({"maxItems": 1}), json!([1, 2]), "bad_value: more than 1 items"),
        (json!({"uniqueItems": true}), json!([1, 1]), "bad_value: an item stands there twice"),
        (json!({"contains": {"const": 1}}), json!([]), "bad_value: no item, or too many, of the wanted kind"),
        (json!({"minProperties": 1}), json!({}), "bad_value: fewer than 1 keys"),
        (json!({"maxProperties": 0}), json!({"a": 1}), "bad_value: more than 0 keys"),
        (json!({"const": 1}), json!(long), &format!("unknown_value: `{}…` is not `1`", "é\\n\\\"".repeat(12))),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(violations(&schema, &value), [format!(" {expected}")], "{schema}");
    }
}

#[test]
fn defaults_fill_only_what_is_absent() {
    let schema = json!({"properties": {"a": {"default": 1}, "b": {"default": 2}, "c": {}}});
    let mut args = json!({"b": null}).as_object().unwrap().clone();
    fill_defaults(&schema, &mut args);
    assert_eq!(Value::Object(args), json!({"a": 1, "b": null}));
    let mut none = Map::new();
    fill_defaults(&json!(true), &mut none);
    assert!(none.is_empty());
}

#[test]
fn defaults_are_filled_wherever_the_schema_leads() {
    let line = json!({"type": "object", "required": ["sku"], "additionalProperties": false,
        "properties": {"sku": {"type": "string"}, "n": {"type": "integer", "default": 1}}});
    let note = json!({"type": "object", "required": ["note"], "additionalProperties": false,
        "properties": {"note": {"type": "string"}, "day": {"default": "today"}}});
    let schema = json!({"$defs": {"line": line}, "properties": {
        "one": {"$ref": "#/$defs/line"},
        "either": {"anyOf": [note, {"$ref": "#/$defs/line"}, {"type": "null"}]},
        "both": {"allOf": [{"properties": {"a": {"default": 1}}}, {"properties": {"b": {"default": 2}}}]},
        "more": {"additionalProperties": {"$ref": "#/$defs/line"}},
        "pair": {"prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/line"}], "items": note}
    }});
    assert!(has_defaults(&schema) && !has_defaults(&json!({"properties": {"a": {"type": "string"}}})));
    let sku = json!({"sku": "A"});
    let mut args = json!({"one": sku, "either": sku, "both": {}, "more": {"x": sku}, "pair": [1, sku, {"note": "n"}]});
    fill_defaults(&schema, args.as_object_mut().unwrap());
    let whole = json!({"sku": "A", "n": 1});
    assert_eq!(
        args,
        json!({"one": whole, "either": whole, "both": {"a": 1, "b": 2}, "more": {"x": whole},
        "pair": [1, whole, {"note": "n", "day": "today"}]})
    );
}

/// References that lead in circles, several at a time, end.
#[test]
fn defaults_are_not_looked_for_in_circles() {
    let circle = json!({"$ref": "#"});
    let schema = json!({"properties": {"a": {"default": 1}}, "allOf": [circle, circle, circle]});
    let mut args = Map::new();
    fill_defaults(&schema, &mut args);
    assert_eq!(Value::Object(args), json!({"a": 1}));
}
