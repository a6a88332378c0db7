//! The collections that the tools are about, with the fields of their entities.

use std::collections::BTreeMap;

use probity_engine::{Schema, ids::identifier_of, words};
use probity_prose::noun::plural;
use serde_json::{Map, Value, json};

use crate::role::{Part, Role, VOCABULARY, is_key, is_required};
use crate::source::OuterTool;

/// Where acts are written down that no collection holds.
pub(crate) const ACTIONS: &str = "actions";

/// Most fields of an entity.
pub(crate) const MAX_FIELDS: usize = 60;

#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The name of one entity.
    pub one: String,
    /// The field that holds the key.
    pub key: String,
    /// Whether its keys are whole numbers outside.
    pub counts: bool,
    /// The fields, without the key.
    pub fields: Map<String, Value>,
    /// The fields with the bounds that the first tool says of each.
    pub bounded: Map<String, Value>,
    /// What lists of it ask for unless told otherwise, by field.
    pub asked: BTreeMap<String, Asked>,
}

/// A value that a list asks for unless told otherwise, and the list.
#[derive(Clone, Debug)]
pub struct Asked {
    pub by: String,
    pub value: Value,
}

/// What a tool returns, as far as it is an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Entity,
    /// An object that holds the entity under a name.
    Within(String),
    Entities,
    /// An object that holds a list of entities under a name.
    ListWithin(String),
    Other,
}

/// The collections by name, and what each tool returns.
pub fn world(tools: &[(OuterTool, Part)]) -> (BTreeMap<String, Collection>, Vec<Shape>) {
    let mut world: BTreeMap<String, Collection> = BTreeMap::new();
    let by_id: Vec<&str> =
        tools.iter().filter(|(_, part)| part.id.is_some()).map(|(_, part)| part.one.as_str()).collect();
    for (tool, part) in tools {
        let holds = matches!(part.role, Role::Get | Role::Update | Role::Delete | Role::Create)
            || (part.role == Role::List && (by_id.contains(&part.one.as_str()) || !listed(tool).is_empty()));
        if !holds {
            continue;
        }
        let new = || Collection { one: part.one.clone(), ..Collection::default() };
        let collection = world.entry(name(&part.one)).or_insert_with(new);
        if let (true, Some(key)) = (collection.key.is_empty(), batch_key(tool, part)) {
            collection.key = key;
        }
        if let (true, Some(id)) = (collection.key.is_empty(), &part.id) {
            collection.key.clone_from(id);
            collection.counts = parameter(tool, id).and_then(|schema| schema.get("type")?.as_str()) != Some("string");
        }
    }
    if tools.iter().any(|(_, part)| part.role == Role::Act) || world.is_empty() {
        let fields = json!({"tool": {"type": "string"}, "arguments": {"type": "object", "additionalProperties": {}}});
        let Value::Object(fields) = fields else { return (world, Vec::new()) };
        let actions =
            Collection { one: "action".to_owned(), key: "action_id".to_owned(), fields, ..Collection::default() };
        world.insert(ACTIONS.to_owned(), actions);
    }
    settle_keys(tools, &mut world);
    let shapes = tools.iter().map(|(tool, part)| shape(tool, part, &world)).collect::<Vec<_>>();
    for ((tool, part), shape) in tools.iter().zip(&shapes) {
        let Some(collection) = world.get_mut(&name(&part.one)) else { continue };
        let shown = entity(tool.output.as_ref(), shape);
        let given = match part.role {
            Role::Create | Role::Update => given(tool, part),
            Role::List | Role::Get | Role::Delete | Role::Look | Role::Act => Vec::new(),
        };
        for (field, schema) in shown.into_iter().flatten().chain(given) {
            let is_id = Some(field) == part.id.as_ref() || *field == collection.key;
            if is_id || collection.fields.len() >= MAX_FIELDS {
                continue;
            }
            collection.bounded.entry(field.clone()).or_insert_with(|| schema.clone());
            let loose = loose(schema);
            match collection.fields.get_mut(field) {
                Some(known) => *known = both(known, &loose),
                None => drop(collection.fields.insert(field.clone(), loose)),
            }
        }
    }
    settle_asked(tools, &mut world);
    (world, shapes)
}

fn settle_asked(tools: &[(OuterTool, Part)], world: &mut BTreeMap<String, Collection>) {
    for (tool, part) in tools.iter().filter(|(_, part)| part.role == Role::List) {
        let Some(collection) = world.get_mut(&name(&part.one)) else { continue };
        for (field, schema) in parameters(tool) {
            let is_value = |value: &&Value| !is_nothing(value) && !value.is_array() && !is_every(value);
            let Some(value) = schema.get("default").filter(is_value) else { continue };
            let own = collection.fields.get(field).and_then(|own| Schema::compile(own).ok());
            if own.is_some_and(|own| own.is_valid(value)) {
                let asked = Asked { by: tool.name.clone(), value: value.clone() };
                collection.asked.entry(field.clone()).or_insert(asked);
            }
        }
    }
}

/// What an entity has in a field as it is made, and why; nothing where the source does not say.
pub struct Begun<'c> {
    pub field: &'c String,
    pub value: Option<Value>,
    /// The list that asks for it; nothing where the tool's own schema says it.
    pub asked: Option<&'c Asked>,
}

/// The fields that a tool which makes an entity is not told, and that lists ask for or its own schema has a value of.
pub fn begun<'c>(tool: &OuterTool, part: &Part, shape: &Shape, collection: &'c Collection) -> Vec<Begun<'c>> {
    if part.role != Role::Create {
        return Vec::new();
    }
    let taken: BTreeMap<&String, &Value> = given(tool, part).into_iter().collect();
    let shown = entity(tool.output.as_ref(), shape);
    let of = |field: &'c String| {
        let own = shown.and_then(|shown| shown.get(field));
        let says = own.and_then(|own| own.get("const").or(own.get("default"))).filter(|value| !value.is_null());
        let is_told = taken.get(field).is_some_and(|own| is_required(tool, field) || own.get("default").is_some());
        let asked = collection.asked.get(field);
        match (is_told, says, asked) {
            (true, ..) | (false, None, None) => None,
            (false, Some(value), _) => Some(Begun { field, value: Some(value.clone()), asked: None }),
            (false, None, Some(asked)) => {
                let is_own = own.is_some() || taken.contains_key(field);
                Some(Begun { field, value: is_own.then(|| asked.value.clone()), asked: Some(asked) })
            }
        }
    };
    collection.fields.keys().filter_map(of).collect()
}

/// The collection whose key is called so, and whether words stand before it: `bench_id`, `target_bench_id`.
pub fn named_by<'w>(
    called: &str,
    world: &'w BTreeMap<String, Collection>,
) -> Option<(&'w String, &'w Collection, bool)> {
    let all = || world.iter().filter(|(part, _)| *part != ACTIONS);
    let whole = all().find(|(_, other)| called == format!("{}_id", other.one));
    let ends = || {
        let found = all().filter(|(_, other)| called.ends_with(&format!("_{}_id", other.one)));
        found.max_by_key(|(_, other)| other.one.len())
    };
    whole.map(|(part, other)| (part, other, false)).or_else(|| ends().map(|(part, other)| (part, other, true)))
}

/// The fields of the entities that a call makes several of.
pub fn items_of<'a>(tool: &'a OuterTool, part: &Part) -> Option<Vec<(&'a String, &'a Value)>> {
    let items = parameter(tool, part.batch.as_ref()?)?.get("items")?.get("properties")?.as_object()?;
    Some(items.iter().collect())
}

/// What a call that makes or changes entities says of each: its items' fields, and what stands beside the items.
fn given<'a>(tool: &'a OuterTool, part: &Part) -> Vec<(&'a String, &'a Value)> {
    let items = items_of(tool, part).unwrap_or_default();
    items
        .into_iter()
        .chain(parameters(tool).into_iter().filter(|(name, _)| part.batch.as_ref() != Some(*name)))
        .collect()
}

/// The field by which entities that are made several at once are known.
fn batch_key(tool: &OuterTool, part: &Part) -> Option<String> {
    let fields = items_of(tool, part)?;
    let names = VOCABULARY.batch_ids(&part.one);
    let is_text = |schema: &Value| schema.get("type") == Some(&Value::from("string"));
    names.iter().find_map(|wanted| {
        fields
            .iter()
            .find(|(name, schema)| identifier_of(name) == *wanted && is_text(schema))
            .map(|(name, _)| (*name).clone())
    })
}

/// A collection's name; none that the state machine keeps for itself.
pub fn name(one: &str) -> String {
    let name = plural(one);
    let is_kept = words::is_reserved(&name)
        || [ACTIONS, "db", "args", "keys", "values", "len", "get", "has"].contains(&name.as_str());
    if is_kept { format!("{name}_here") } else { name }
}

/// The key as entities show it: a field `id` rather than the parameter `orderId`, where both are known.
fn settle_keys(tools: &[(OuterTool, Part)], world: &mut BTreeMap<String, Collection>) {
    for (collection_name, collection) in world.iter_mut() {
        let of_it = tools.iter().filter(|(_, part)| name(&part.one) == *collection_name);
        let shown = of_it.filter_map(|(tool, _)| tool.output.as_ref()).flat_map(objects).find_map(|object| {
            let called = identifier_of(&collection.key);
            let last = called.rsplit('_').next().unwrap_or_default().to_owned();
            let names = match called.is_empty() || last == "id" {
                true => [called, format!("{}_id", collection.one), "id".to_owned()],
                // `teamSlug` is a team's `slug`, `repo` a repository's `name`.
                false => [called, last, "name".to_owned()],
            };
            let key = names.iter().find_map(|wanted| {
                object.iter().find(|(field, schema)| identifier_of(field) == *wanted && is_key(schema))
            })?;
            Some((key.0.clone(), key.1.get("type").and_then(Value::as_str) != Some("string")))
        });
        if let Some((key, counts)) = shown {
            collection.counts |= counts;
            collection.key = key;
        }
        if collection.key.is_empty() {
            collection.key = format!("{}_id", collection.one);
        }
    }
}

/// The objects in a schema of a result, outermost first.
fn objects(schema: &Value) -> Vec<&Map<String, Value>> {
    let mut found = Vec::new();
    let own = schema.get("properties").and_then(Value::as_object);
    found.extend(own);
    found.extend(schema.get("items").and_then(|items| items.get("properties")?.as_object()));
    for below in own.into_iter().flat_map(Map::values) {
        found.extend(below.get("properties").and_then(Value::as_object));
        found.extend(below.get("items").and_then(|items| items.get("properties")?.as_object()));
    }
    found
}

/// The fields of the objects that a tool lists, by its own word.
fn listed(tool: &OuterTool) -> Vec<&String> {
    let Some(output) = &tool.output else { return Vec::new() };
    let items = [output.get("items")].into_iter().flatten();
    let within = output.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let all = items.chain(within.filter_map(|below| below.get("items")));
    all.filter_map(|items| items.get("properties")?.as_object()).flat_map(Map::keys).collect()
}

pub fn shape(tool: &OuterTool, part: &Part, world: &BTreeMap<String, Collection>) -> Shape {
    let Some(collection) = world.get(&name(&part.one)) else { return Shape::Other };
    let Some(output) = &tool.output else {
        return match part.role {
            Role::List => Shape::Entities,
            Role::Create if part.batch.is_some() => Shape::Entities,
            Role::Get | Role::Create | Role::Update => Shape::Entity,
            Role::Delete | Role::Look | Role::Act => Shape::Other,
        };
    };
    let has_key = |schema: &Value| schema.pointer("/properties").is_some_and(|all| all.get(&collection.key).is_some());
    let within = output.get("properties").and_then(Value::as_object);
    let one = || within?.iter().find(|(_, below)| has_key(below)).map(|(name, _)| name.clone());
    let several =
        || within?.iter().find(|(_, below)| below.get("items").is_some_and(has_key)).map(|(name, _)| name.clone());
    match part.role {
        Role::List | Role::Create if part.role == Role::List || part.batch.is_some() => match several() {
            _ if output.get("items").is_some_and(has_key) => Shape::Entities,
            Some(name) => Shape::ListWithin(name),
            None => Shape::Other,
        },
        Role::Get | Role::Create | Role::Update if has_key(output) => Shape::Entity,
        Role::Get | Role::Create | Role::Update => one().map_or(Shape::Other, Shape::Within),
        Role::List | Role::Delete | Role::Look | Role::Act => Shape::Other,
    }
}

/// The fields of the entity in what is returned.
pub fn entity<'a>(output: Option<&'a Value>, shape: &Shape) -> Option<&'a Map<String, Value>> {
    let properties = |schema: &'a Value| schema.get("properties").and_then(Value::as_object);
    let within = |name: &String| properties(output?)?.get(name);
    match shape {
        Shape::Entity => properties(output?),
        Shape::Within(name) => properties(within(name)?),
        Shape::Entities => properties(output?.get("items")?),
        Shape::ListWithin(name) => properties(within(name)?.get("items")?),
        Shape::Other => None,
    }
}

pub fn parameters(tool: &OuterTool) -> Vec<(&String, &Value)> {
    tool.input.get("properties").and_then(Value::as_object).into_iter().flatten().collect()
}

pub fn parameter<'a>(tool: &'a OuterTool, name: &str) -> Option<&'a Value> {
    tool.input.get("properties")?.get(name)
}

/// A schema of what lies in the state: of what kind it is, and nothing that depends on who gave it.
pub fn loose(schema: &Value) -> Value {
    let Value::Object(map) = schema else { return json!({}) };
    let mut loosened = Map::new();
    for (key, value) in map {
        let kept = match key.as_str() {
            "type" | "enum" | "const" | "format" | "unit" | "description" => value.clone(),
            "items" => loose(value),
            "anyOf" => value.as_array().into_iter().flatten().map(loose).collect(),
            "additionalProperties" if value.is_object() => loose(value),
            "additionalProperties" => value.clone(),
            "properties" => {
                let fields = value.as_object().into_iter().flatten();
                Value::Object(fields.map(|(name, field)| (name.clone(), loose(field))).collect())
            }
            _ => continue,
        };
        loosened.insert(key.clone(), kept);
    }
    Value::Object(loosened)
}

/// A schema for what fits one of two.
fn both(one: &Value, other: &Value) -> Value {
    if one == other {
        return one.clone();
    }
    let (Value::Object(a), Value::Object(b)) = (one, other) else { return json!({}) };
    if a.is_empty()
        || b.is_empty()
        || a.get("type") != b.get("type")
        || a.contains_key("anyOf")
        || b.contains_key("anyOf")
    {
        return json!({});
    }
    let mut all = a.clone();
    for key in ["enum", "const", "format"] {
        if a.get(key) != b.get(key) {
            all.remove(key);
        }
    }
    if let (Some(Value::Array(a)), Some(Value::Array(b))) = (a.get("enum"), b.get("enum")) {
        let more = b.iter().filter(|value| !a.contains(value));
        all.insert("enum".to_owned(), a.iter().chain(more).cloned().collect());
    }
    if let (Some(a), Some(b)) = (a.get("items"), b.get("items")) {
        all.insert("items".to_owned(), both(a, b));
    } else {
        all.remove("items");
    }
    match (a.get("properties").and_then(Value::as_object), b.get("properties").and_then(Value::as_object)) {
        (Some(a), Some(b)) => {
            let mut fields = a.clone();
            for (name, field) in b {
                let merged = fields.get(name).map_or_else(|| field.clone(), |known| both(known, field));
                fields.insert(name.clone(), merged);
            }
            all.insert("properties".to_owned(), Value::Object(fields));
            all.insert("additionalProperties".to_owned(), false.into());
        }
        (None, None) => {}
        _ => {
            all.remove("properties");
            all.insert("additionalProperties".to_owned(), json!({}));
        }
    }
    Value::Object(all)
}

/// Whether a default stands for what is not given: nothing, an empty text or an empty list.
pub fn is_nothing(default: &Value) -> bool {
    default.is_null() || *default == "" || default.as_array().is_some_and(Vec::is_empty)
}

/// Whether a value of a filter is called as one that asks for all.
pub(crate) fn is_every(value: &Value) -> bool {
    value.as_str().is_some_and(|value| VOCABULARY.every.contains(&identifier_of(value)))
}
