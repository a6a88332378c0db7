//! What tools were seen to take and to return in logs of dialogues: shapes, listed values, examples and a first state.

use std::collections::BTreeMap;

use probity_engine::{Schema, ids::identifier_of};
use probity_prose::deed::own_name;
use probity_prose::put_off::is_put_off;
use serde_json::{Map, Value, json};

use crate::personal::masked;
use crate::role::{Part, VOCABULARY};
use crate::schema::{is_unsafe, size};
use crate::source::{OuterTool, Source};
use crate::undecided::Guess;
use crate::world::{Collection, MAX_FIELDS, Shape, name};

/// Most results of a tool that are kept, and most bytes of one.
const MAX_RESULTS: usize = 200;
const MAX_RESULT: usize = 64 << 10;
/// Most values of a parameter that are kept, and most that are shown as examples.
const MAX_ARGUMENTS: usize = 50;
const MAX_EXAMPLES: usize = 3;
/// Most entities of a collection.
const MAX_ENTITIES: usize = 40;
/// How deep results are looked into, and most items of a list that are.
const MAX_DEPTH: usize = 6;
const MAX_ITEMS: usize = 200;
/// Longest text, and most bytes, of a value that is written down.
const MAX_TEXT: usize = 2_000;
const MAX_WRITTEN: usize = 4_000;
/// Most values that recur, and their longest.
const MAX_LISTED: usize = 6;
const MAX_WORD: usize = 32;

/// The calls of some logs, by tool.
#[derive(Clone, Debug, Default)]
pub struct Seen(BTreeMap<String, Calls>);

#[derive(Clone, Debug, Default)]
struct Calls {
    count: usize,
    /// Objects and lists, as far as they are kept.
    results: Vec<Value>,
    arguments: BTreeMap<String, Vec<Value>>,
}

/// The entities of a first state, by collection and key.
pub(crate) type FirstState = BTreeMap<String, BTreeMap<String, Map<String, Value>>>;

impl Seen {
    /// Takes a call that went well: its arguments, and the object or list that it returned, if it did.
    pub fn call(&mut self, tool: &str, arguments: Option<&Map<String, Value>>, returned: Option<&Value>) {
        let returned = returned.map(plain);
        if returned.as_ref().is_some_and(is_error) {
            return;
        }
        let calls = self.0.entry(own_name(tool).to_owned()).or_default();
        calls.count += 1;
        for (name, value) in arguments.into_iter().flatten() {
            let value = &masked(name, value);
            let known = calls.arguments.entry(name.clone()).or_default();
            if known.len() < MAX_ARGUMENTS && !known.contains(value) && size(value) < MAX_RESULT {
                known.push(value.clone());
            }
        }
        let returned = returned.filter(|value| value.is_object() || value.is_array()).map(|value| masked("", &value));
        if let Some(value) = returned.filter(|value| calls.results.len() < MAX_RESULTS && size(value) < MAX_RESULT) {
            calls.results.push(value);
        }
    }

    /// Whether no call was seen.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(&self, tool: &str) -> Option<&Calls> {
        self.0.get(tool).or_else(|| self.0.get(own_name(tool)))
    }

    /// Says of tools what their source does not: what they return, and examples of what they take.
    pub(crate) fn fill(&self, source: &mut Source) -> Vec<Guess> {
        let words = self.words();
        let mut guesses = Vec::new();
        for tool in &mut source.tools {
            let Some(calls) = self.of(&tool.name) else { continue };
            if tool.output.is_none() && !calls.results.is_empty() {
                let results: Vec<&Value> = calls.results.iter().collect();
                tool.output = Some(shape(&results, "", 0, &words));
                guesses.push(Guess {
                    tool: tool.name.clone(),
                    says: "returns what logs show".to_owned(),
                    ground: format!("seen in {} of {} results in logs", results.len(), calls.count),
                    decide: "add to `returns` what they do not show".to_owned(),
                    doubt: 1,
                });
                let shown = tool.output.as_ref().map(Value::to_string).unwrap_or_default();
                for (field, (listed, count)) in &words {
                    let says = format!("shows `{field}` as one of {}", listed.join(", "));
                    let is_told = guesses.iter().any(|guess| guess.says == says);
                    if !is_told && shown.contains(&json!(field).to_string()) {
                        guesses.push(Guess {
                            tool: tool.name.clone(),
                            says,
                            ground: format!("it is so in {count} of {count} values in logs"),
                            decide: "add the values that logs do not show".to_owned(),
                            doubt: 1,
                        });
                    }
                }
            }
            if let Some(properties) = tool.input.get_mut("properties").and_then(Value::as_object_mut) {
                properties.iter_mut().for_each(|(name, schema)| exemplify(schema, calls.arguments.get(name)));
            }
        }
        guesses
    }

    /// The fields whose values are a few words that recur, wherever they are shown.
    fn words(&self) -> Words {
        fn collect<'v>(value: &'v Value, field: &'v str, texts: &mut BTreeMap<&'v str, Vec<&'v str>>) {
            match value {
                Value::String(text) => texts.entry(field).or_default().push(text),
                Value::Array(items) => items.iter().for_each(|item| collect(item, field, texts)),
                Value::Object(map) => map.iter().for_each(|(name, below)| collect(below, name, texts)),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        let mut texts = BTreeMap::new();
        self.0.values().flat_map(|calls| &calls.results).for_each(|result| collect(result, "", &mut texts));
        let listed =
            texts.into_iter().filter_map(|(field, all)| Some((field.to_owned(), (recurring(&all)?, all.len()))));
        listed.collect()
    }

    /// The entities that were seen by their keys, as they were seen first.
    pub(crate) fn first_state(
        &self,
        tools: &[(OuterTool, Part)],
        shapes: &[Shape],
        world: &BTreeMap<String, Collection>,
    ) -> (FirstState, Vec<Guess>) {
        let mut state = FirstState::new();
        let mut results: BTreeMap<String, usize> = BTreeMap::new();
        for ((tool, part), shape) in tools.iter().zip(shapes) {
            let part = name(&part.one);
            let (Some(collection), Some(calls)) = (world.get(&part), self.of(&tool.name)) else { continue };
            let entities = state.entry(part.clone()).or_default();
            for result in &calls.results {
                let found = entities_in(result, shape);
                *results.entry(part.clone()).or_default() += usize::from(!found.is_empty());
                found.into_iter().for_each(|entity| keep(entity, collection, entities));
            }
        }
        state.retain(|_, entities| !entities.is_empty());
        let guess = |(part, entities): (&String, &BTreeMap<String, Map<String, Value>>)| Guess {
            tool: part.clone(),
            says: format!("begins with {} that logs show", entities.len()),
            ground: format!("seen by their keys in {} results in logs", results.get(part).copied().unwrap_or_default()),
            decide: "change them in `populate`; they are as they were seen first".to_owned(),
            doubt: 1,
        };
        let guesses = state.iter().map(guess).collect();
        (state, guesses)
    }
}

/// Whether a result says nothing but that the call failed: `{"error": ".."}`, whoever marked it as one or not.
fn is_error(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    let is_of = |list: &[String], name: &str| list.contains(&identifier_of(name));
    let is_said = |(name, value): (&String, &Value)| {
        is_of(&VOCABULARY.errors, name) && ![json!(null), json!(false), json!(""), json!([]), json!({})].contains(value)
    };
    let is_part = |name: &String| is_of(&VOCABULARY.errors, name) || is_of(&VOCABULARY.error_parts, name);
    value.get("isError") == Some(&Value::Bool(true)) || (map.iter().any(is_said) && map.keys().all(is_part))
}

/// What a result holds: servers of the Model Context Protocol wrap it in `content`.
fn plain(value: &Value) -> Value {
    let structured = value.get("structuredContent").filter(|inner| inner.is_object() || inner.is_array());
    let text = || match value.get("content")?.as_array()?.as_slice() {
        [only] => serde_json::from_str(only.get("text")?.as_str()?).ok(),
        _ => None,
    };
    structured.cloned().or_else(text).unwrap_or_else(|| value.clone())
}

/// Whether a script can hold a value as it is.
fn is_held(value: &Value, depth: usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => !is_unsafe(value) && !number.to_string().contains('e'),
        Value::String(text) => text.len() <= MAX_TEXT,
        Value::Array(items) => depth < MAX_DEPTH && items.iter().all(|item| is_held(item, depth + 1)),
        Value::Object(map) => depth < MAX_DEPTH && map.values().all(|below| is_held(below, depth + 1)),
    }
}

/// Gives a parameter examples that fit it.
fn exemplify(schema: &mut Value, seen: Option<&Vec<Value>>) {
    let is_open = |schema: &Value| schema.get("enum").is_none() && schema.get("type") != Some(&Value::from("boolean"));
    let Some(compiled) = Schema::compile(schema).ok().filter(|_| is_open(schema)) else { return };
    // What says that it is to be written would be asked for by `check`.
    let is_text = |value: &Value| value.as_str().is_none_or(|text| !is_put_off(text));
    let is_written = |value: &Value| !value.is_null() && size(value) <= MAX_WRITTEN && is_text(value);
    let fits = |value: &&Value| is_written(value) && is_held(value, 0) && compiled.is_valid(value);
    let examples: Vec<Value> = seen.into_iter().flatten().filter(fits).take(MAX_EXAMPLES).cloned().collect();
    if let (Value::Object(own), false) = (schema, examples.is_empty()) {
        own.insert("examples".to_owned(), examples.into());
    }
}

/// The values that recur in a field, and how many there were in all.
type Words = BTreeMap<String, (Vec<String>, usize)>;

/// A schema that all of some values fit.
fn shape(values: &[&Value], field: &str, depth: usize, words: &Words) -> Value {
    let some: Vec<&Value> = values.iter().copied().filter(|value| !value.is_null()).collect();
    let all = |is: fn(&Value) -> bool| !some.is_empty() && some.iter().all(|value| is(value));
    let mut schema = Map::new();
    let mut set = |key: &str, value: Value| drop(schema.insert(key.to_owned(), value));
    let kind = if depth > MAX_DEPTH {
        return json!({});
    } else if all(Value::is_object) {
        let mut fields: BTreeMap<&String, Vec<&Value>> = BTreeMap::new();
        for (name, value) in some.iter().filter_map(|value| value.as_object()).flatten() {
            fields.entry(name).or_default().push(value);
        }
        if fields.len() > MAX_FIELDS {
            set("additionalProperties", json!({}));
        } else {
            let shapes = fields.iter().map(|(name, values)| ((*name).clone(), shape(values, name, depth + 1, words)));
            set("properties", Value::Object(shapes.collect()));
            set("additionalProperties", false.into());
        }
        "object"
    } else if all(Value::is_array) {
        let items: Vec<&Value> = some.iter().filter_map(|list| list.as_array()).flatten().take(MAX_ITEMS).collect();
        set("items", shape(&items, field, depth + 1, words));
        "array"
    } else if all(Value::is_string) {
        if let Some((listed, _)) = words.get(field) {
            set("enum", listed.clone().into());
        } else if let Some(format) = ["date", "date-time"].into_iter().find(|format| all_fit(&some, format)) {
            set("format", format.into());
        }
        "string"
    } else if all(Value::is_boolean) {
        "boolean"
    } else if all(|value| value.as_f64().is_some_and(|number| number.fract() == 0.0)) {
        "integer"
    } else if all(Value::is_number) {
        "number"
    } else {
        return json!({});
    };
    let is_nullable = some.len() < values.len();
    if let (true, Some(Value::Array(words))) = (is_nullable, schema.get_mut("enum")) {
        words.push(Value::Null);
    }
    schema.insert("type".to_owned(), if is_nullable { json!([kind, "null"]) } else { kind.into() });
    Value::Object(schema)
}

fn all_fit(values: &[&Value], format: &str) -> bool {
    let schema = Schema::compile(&json!({"type": "string", "format": format}));
    schema.is_ok_and(|schema| values.iter().all(|value| schema.is_valid(value)))
}

/// A few words that recur, as states and kinds do and names do not.
fn recurring(texts: &[&str]) -> Option<Vec<String>> {
    let mut words: Vec<&str> = texts.to_vec();
    words.sort_unstable();
    words.dedup();
    let is_of = |word: &str, is: fn(&char) -> bool| word.chars().all(|c| is(&c) || c == '_' || c == '-');
    let is_word = |word: &&str| {
        let is_one_case = is_of(word, char::is_ascii_lowercase) || is_of(word, char::is_ascii_uppercase);
        (1..=MAX_WORD).contains(&word.len()) && is_one_case
    };
    let recurs = texts.len() >= MAX_LISTED && texts.len() >= 2 * words.len() && (2..=MAX_LISTED).contains(&words.len());
    (recurs && words.iter().all(is_word)).then(|| words.into_iter().map(str::to_owned).collect())
}

fn entities_in<'a>(result: &'a Value, shape: &Shape) -> Vec<&'a Map<String, Value>> {
    let list = |value: &'a Value| value.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    match shape {
        Shape::Entity => result.as_object().into_iter().collect(),
        Shape::Within(name) => result.get(name).and_then(Value::as_object).into_iter().collect(),
        Shape::Entities => list(result),
        Shape::ListWithin(name) => result.get(name).map(list).unwrap_or_default(),
        Shape::Other => Vec::new(),
    }
}

/// Keeps of an entity what fits its collection; what is known of it already stays.
fn keep(entity: &Map<String, Value>, collection: &Collection, entities: &mut BTreeMap<String, Map<String, Value>>) {
    let key = match entity.get(&collection.key) {
        Some(Value::String(key)) if !key.is_empty() => key.clone(),
        Some(Value::Number(key)) => key.to_string(),
        _ => return,
    };
    if entities.len() >= MAX_ENTITIES && !entities.contains_key(&key) {
        return;
    }
    let known = entities.entry(key).or_default();
    for (field, value) in entity.iter().filter(|(field, _)| **field != collection.key) {
        let fits = |schema: &Value| Schema::compile(schema).is_ok_and(|schema| schema.is_valid(value));
        let is_held = size(value) <= MAX_WRITTEN && is_held(value, 0);
        if is_held && !known.contains_key(field) && collection.fields.get(field).is_some_and(fits) {
            known.insert(field.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(results: &[Value]) -> Seen {
        let mut seen = Seen::default();
        for result in results {
            let arguments = json!({"town": "Orre", "orderId": "A7"});
            seen.call("mcp__shop__getOrder", arguments.as_object(), Some(result));
        }
        seen
    }

    fn order(id: &str, state: &str, note: Value) -> Value {
        json!({"orderId": id, "state": state, "paid": 2, "note": note, "on": "2026-03-01"})
    }

    #[test]
    fn an_error_without_a_flag_is_no_result() {
        for failed in [
            json!({"error": "no such order"}),
            json!({"errors": [{"text": "no"}], "success": false}),
            json!({"content": [{"type": "text", "text": "{\"error\": \"no\"}"}]}),
            json!({"content": [{"type": "text", "text": "no"}], "isError": true}),
        ] {
            assert!(seen(std::slice::from_ref(&failed)).is_empty(), "{failed}");
        }
        for well in [
            json!({"error": null, "status": "open"}),
            json!({"error": "late", "orderId": "A7"}),
            json!({"status": "open"}),
        ] {
            assert!(!seen(std::slice::from_ref(&well)).is_empty(), "{well}");
        }
    }

    #[test]
    fn names_are_no_listed_values_and_mixed_values_are_anything() {
        assert_eq!(recurring(&["Ann", "Bo", "Ann", "Bo", "Ann", "Bo"]), None);
        assert_eq!(recurring(&["a1", "a2", "a1", "a2", "a1", "a2"]), None);
        assert_eq!(recurring(&["open", "shut", "open", "shut", "open", "shut"]).unwrap(), ["open", "shut"]);
        let (one, two) = (json!({"a": 1, "b": 2.5}), json!({"a": "x", "b": 3}));
        let expected =
            json!({"type": "object", "properties": {"a": {}, "b": {"type": "number"}}, "additionalProperties": false});
        assert_eq!(shape(&[&one, &two], "", 0, &Words::new()), expected);
    }

    #[test]
    fn what_no_script_can_hold_is_left_out() {
        let deep = (0..40).fold(json!(1), |value, _| json!([value]));
        for value in [deep, json!(u64::MAX), json!(1e300), json!("x".repeat(3_000))] {
            assert!(!is_held(&value, 0), "{value}");
        }
        assert!(is_held(&json!({"a": [1, 2.5, null, "b"]}), 0));
        assert_eq!(crate::sample::text("a\u{8}\"\\\n"), r#""a\u0008\"\\\u000a""#);
    }

    #[test]
    fn a_first_state_has_a_bound() {
        let all: Vec<Value> = (0..100).map(|i| order(&format!("N{i:03}"), "open", json!(null))).collect();
        let mut entities = BTreeMap::new();
        let fields = json!({"state": {"type": "string"}}).as_object().unwrap().clone();
        let collection = Collection {
            one: "order".to_owned(),
            key: "orderId".to_owned(),
            counts: false,
            fields,
            bounded: Map::new(),
            asked: BTreeMap::new(),
        };
        all.iter().filter_map(Value::as_object).for_each(|order| keep(order, &collection, &mut entities));
        assert_eq!((entities.len(), entities["N000"].len()), (MAX_ENTITIES, 1));
    }
}
