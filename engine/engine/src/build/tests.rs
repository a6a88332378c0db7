use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::environment::Environment;
use crate::model::diagnostic::{Place, Problem};
use crate::script::sources::{Source, Sources};

/// A file with one collection of cups and one tool that reads; `change` spoils it.
fn built(change: impl FnOnce(&mut Value)) -> Result<Environment, Vec<Problem>> {
    let closed = |properties: Value| json!({"type": "object", "additionalProperties": false, "properties": properties});
    let mut cup = closed(json!({"cup_id": {"type": "string"}, "lid": closed(json!({"colour": {"type": "string"}}))}));
    cup["required"] = json!(["cup_id"]);
    let mut file = json!({
        "format": 1, "id": "test/build", "title": "Build", "summary": "Cups.", "clock": "2026-01-01T00:00:00Z",
        "policy": [], "populate": {"function": "populate", "sizes": {"easy": {}, "medium": {}, "hard": {}}},
        "state": {"cups": {"kind": "collection", "key": "cup_id", "item": cup}},
        "tools": [{"name": "look", "description": "Looks.", "effect": "read",
            "parameters": closed(json!({"cup_id": {"type": "string"}})), "returns": {"$ref": "#/state/cups/item"}}]
    });
    change(&mut file);
    let text = "fn look(db, args) { db.cups[args.cup_id] }\nfn populate(db, rng, size) { }".to_owned();
    let main = Source { file: "main".to_owned(), text };
    let sources = Sources { main, libraries: BTreeMap::new() };
    Environment::build(serde_json::from_value(file).unwrap(), sources).map(|(environment, _)| environment)
}

fn errors(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let line = |problem: Problem| match &problem.place {
        Place::Pointer(at) | Place::Key(at) => format!("{at} {}", problem.code),
        Place::Script { .. } => format!("script {}", problem.code),
    };
    built(change).err().unwrap_or_default().into_iter().map(line).collect()
}

#[test]
fn keywords_beside_a_reference_are_kept_or_refused() {
    let described = built(|file| {
        file["tools"][0]["parameters"]["properties"]["like"] =
            json!({"$ref": "#/state/cups/item", "description": "One like this."});
    });
    let environment = described.unwrap();
    let tool = &environment.tools()[0];
    assert_eq!(tool.parameters["properties"]["like"]["description"], "One like this.");
    assert_eq!(tool.parameters["properties"]["like"]["additionalProperties"], false);
    let judging = errors(|file| file["tools"][0]["returns"]["required"] = json!(["nope"]));
    assert_eq!(judging, ["/tools/0/returns/required keyword_beside_reference"]);
}

#[test]
fn an_item_with_references_of_its_own_is_not_referred_to() {
    let nested = errors(|file| {
        let item = &mut file["state"]["cups"]["item"];
        item["$defs"] = json!({"id": {"type": "string"}});
        item["properties"]["other_id"] = json!({"$ref": "#/$defs/id"});
    });
    assert_eq!(nested, ["/tools/0/returns/$ref nested_reference"]);
}

#[test]
fn a_reference_in_data_is_data() {
    let data = json!({"$ref": "#/state/cups/item"});
    let environment = built(|file| {
        file["tools"][0]["parameters"]["properties"]["odd"] = json!({"default": data, "const": data});
    });
    let odd = environment.unwrap().tools()[0].parameters["properties"]["odd"].clone();
    assert_eq!(odd, json!({"default": data, "const": data}));
}

#[test]
fn open_objects_are_found_at_any_depth() {
    let open = json!({"type": "object", "properties": {"a": {}}});
    let found = errors(|file| {
        file["state"]["cups"]["item"]["properties"]["lid"] = open.clone();
        file["tools"][0]["parameters"]["properties"]["list"] = json!({"type": "array", "items": {"anyOf": [open]}});
        file["tools"][0]["returns"] = json!({"type": ["object", "null"]});
    });
    let expected = [
        "/state/cups/item/properties/lid open_schema",
        "/tools/0/parameters/properties/list/items/anyOf/0 open_schema",
        "/tools/0/returns open_schema",
    ];
    assert_eq!(found, expected);
    let closed = built(|file| {
        file["tools"][0]["returns"] = json!({
            "type": "object", "additionalProperties": false, "properties": {"a": {}, "counts":
                {"type": "object", "additionalProperties": {"type": "integer"}}},
            "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"counts": {"minProperties": 1}}}
        });
    });
    assert!(closed.is_ok());
}

#[test]
fn conduct_names_what_is_there() {
    let spoiled = errors(|file| {
        file["conduct"] = json!({
            "people": {"collection": "cups", "known_by": [["lid", "colour"]], "before": "read"},
            "overwrites": [{"tool": "look", "argument": "text", "collection": "mugs", "key": "cup_id", "field": "lid"}],
            "warnings": [{"before": "smash", "words": ["shards"]}, {"before": "look"}]
        });
    });
    let expected = [
        "/conduct/people/known_by/0/1 unknown_field",
        "/conduct/overwrites/0/argument unknown_parameter",
        "/conduct/overwrites/0/field unknown_path",
        "/conduct/warnings/0/before unknown_tool",
        "/conduct/warnings/1 empty_warning",
    ];
    assert_eq!(spoiled, expected);
}
