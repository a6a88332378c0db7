//! The script: a body for each tool over its collection, and `populate`.

use std::collections::BTreeMap;
use std::fmt::Write;

use probity_engine::ids::{identifier_of, is_identifier};
use probity_engine::words::is_reserved;
use probity_prose::deed::participle;
use serde_json::Value;

use crate::role::{Part, Role, VOCABULARY, is_required};
use crate::sample::{fixed, is_alike, kind, literal, populated, text};
use crate::seen::FirstState;
use crate::source::OuterTool;
use crate::tool::Tool;
use crate::world::{ACTIONS, Collection, Shape, is_every, is_nothing, items_of, loose, name, named_by, parameters};

pub fn script(id: &str, tools: &[Tool], world: &BTreeMap<String, Collection>, first: &FirstState) -> String {
    let mut out = format!(
        "// Tool bodies of {id}, as they follow from the tools' names and schemas. `db` is the state, `args` the\n\
         // checked arguments.\n"
    );
    for tool in tools {
        out.push('\n');
        out.push_str(&body(tool, world));
    }
    if tools.iter().any(|tool| tool.part.role == Role::List && tool.shape != Shape::Other) {
        out.push_str(
            "\n/// Whether some text of an entity holds the words that were asked for.\n\
             private fn speaks_of(it, words) {\n    let all = it.to_map();\n    \
             all.values().some(|value| type_of(value) == \"string\" && has_text(value, words))\n}\n",
        );
    }
    out.push_str(&populate(world, first));
    out
}

/// Whether a script can write `.name`.
pub(crate) fn is_after_dot(name: &str) -> bool {
    is_identifier(&name.to_ascii_lowercase()) && !is_reserved(name) && !name.starts_with('_')
}

/// `.name`, or `["name"]` where a script cannot write that.
fn field(name: &str) -> String {
    if is_after_dot(name) { format!(".{name}") } else { format!("[{}]", text(name)) }
}

fn key_of(argument: &str, schema: Option<&Value>) -> String {
    match schema.and_then(|schema| schema.get("type")?.as_str()) {
        Some("string") => format!("args{}", field(argument)),
        _ => format!("args{}.to_string()", field(argument)),
    }
}

fn body(tool: &Tool, world: &BTreeMap<String, Collection>) -> String {
    let mut out = format!("fn {}(db, args) {{\n", tool.function);
    let collection = world.get(&name(&tool.part.one)).map(|collection| (name(&tool.part.one), collection));
    match (tool.part.role, collection) {
        (Role::List, Some((part, collection))) if tool.shape != Shape::Other => list(tool, &part, collection, &mut out),
        (Role::Get, Some((part, _))) => {
            if tool.shape != Shape::Other {
                let _ = writeln!(out, "    let it = db.{part}[{}];", entity_key(tool));
            }
            returned(tool, &mut out);
        }
        (Role::Create, Some((part, collection))) => {
            match &tool.part.batch {
                Some(batch) => create_all(tool, &part, collection, batch, &mut out),
                None => create(tool, &part, collection, &mut out),
            }
            returned(tool, &mut out);
        }
        (Role::Update, Some((part, collection))) => {
            let mut changed = String::new();
            update(tool, collection, &mut changed);
            if !changed.is_empty() || tool.shape != Shape::Other {
                let _ = writeln!(out, "    let it = db.{part}[{}];", entity_key(tool));
            }
            out.push_str(&changed);
            returned(tool, &mut out);
        }
        (Role::Delete, Some((part, _))) => {
            let _ = match &tool.part.batch {
                Some(batch) => writeln!(
                    out,
                    "    for each in args{} {{\n        let id = each.to_string();\n        if db.{part}.has(id) {{ db.{part}.remove(id); }}\n    }}",
                    field(batch)
                ),
                None => writeln!(out, "    db.{part}.remove({});", entity_key(tool)),
            };
            returned(tool, &mut out);
        }
        (Role::Act, _) => {
            let _ = writeln!(
                out,
                "    let id = \"ACT\" + pad(db.{ACTIONS}.len() + 1, 5);\n    db.{ACTIONS}[id] = #{{ action_id: id, tool: {}, arguments: args }};",
                text(&tool.outer.name)
            );
            returned(tool, &mut out);
        }
        _ => returned(tool, &mut out),
    }
    out.push_str("}\n");
    out
}

fn entity_key(tool: &Tool) -> String {
    let id = tool.part.id.as_deref().unwrap_or_default();
    key_of(id, crate::world::parameter(&tool.outer, id))
}

/// What a parameter of a list asks for.
pub enum Filter {
    /// So many at most.
    Most,
    /// Those that speak of some words.
    Words,
    /// Those of which an expression over `it` and `args` holds.
    Holds(String),
    /// A field of this name has values of another type.
    Other,
    /// No field has this name.
    Unknown,
    /// A page of what was found, where all is given.
    Page,
}

/// The value of a filter that asks for all there are: it is called so, and no entity has it.
pub fn every<'s>(parameter: &str, schema: &'s Value, collection: &Collection) -> Option<&'s str> {
    let field = collection.fields.get(parameter)?;
    let is_held = |value: &Value| field.get("enum").and_then(Value::as_array).is_some_and(|all| all.contains(value));
    let listed = schema.get("enum").and_then(Value::as_array)?;
    listed.iter().find(|value| is_every(value) && !is_held(value))?.as_str()
}

pub fn filter(parameter: &str, schema: &Value, collection: &Collection) -> Filter {
    let called = identifier_of(parameter);
    // What lacks a field that a list asks for unless told otherwise counts as having it.
    let default = schema.get("default").filter(|default| !is_nothing(default));
    let lacking = |otherwise: &str| default.map_or_else(|| otherwise.to_owned(), literal);
    let is_of = |list: &[String]| list.contains(&called);
    let (argument, shown) = (format!("args{}", field(parameter)), text(parameter));
    let is_key = collection.key == *parameter;
    let own = collection.fields.get(parameter).map(kind);
    let own = if is_key { Some(Some("string")) } else { own };
    let items = |schema: &Value| schema.get("items").and_then(kind).map(str::to_owned);
    let is_one = |kind: &str| matches!(kind, "string" | "integer" | "number");
    match (own, kind(schema)) {
        _ if is_of(&VOCABULARY.most) => Filter::Most,
        _ if is_of(&VOCABULARY.pages) => Filter::Page,
        (_, Some("string")) if is_of(&VOCABULARY.queries) => Filter::Words,
        (None, _) => Filter::Unknown,
        (Some(own), given) if own == given || own.is_none() || given.is_none() => {
            Filter::Holds(format!("it.get({shown}, {}) == {argument}", lacking("()")))
        }
        (Some(Some(own)), Some(given)) if is_one(own) && is_one(given) => {
            Filter::Holds(format!("it.get({shown}, {}).to_string() == {argument}.to_string()", lacking("\"\"")))
        }
        // Several are given, and those of one of them are meant; or one is given of which the field holds several.
        (Some(Some(own)), Some("array")) if items(schema).is_none_or(|items| items == own) => {
            let first = default.and_then(|default| default.get(0)).map_or_else(|| "()".to_owned(), literal);
            Filter::Holds(format!("{argument}.contains(it.get({shown}, {first}))"))
        }
        (Some(Some("array")), given) if collection.fields.get(parameter).and_then(items).as_deref() == given => {
            let lacking = default.map_or_else(|| "[]".to_owned(), |default| format!("[{}]", literal(default)));
            Filter::Holds(format!("it.get({shown}, {lacking}).contains({argument})"))
        }
        _ => Filter::Other,
    }
}

fn list(tool: &Tool, part: &str, collection: &Collection, out: &mut String) {
    let _ = writeln!(out, "    let found = db.{part}.values();");
    let mut most = None;
    for (parameter, schema) in parameters(&tool.outer) {
        let argument = format!("args{}", field(parameter));
        let condition = match filter(parameter, schema, collection) {
            Filter::Most => {
                most = Some((argument, given(tool, parameter, schema)));
                continue;
            }
            Filter::Words => format!("speaks_of(it, {argument})"),
            Filter::Holds(condition) => condition,
            Filter::Other | Filter::Unknown | Filter::Page => continue,
        };
        let kept = format!("found.filter(|it| {condition})");
        let every = every(parameter, schema, collection).map(|value| format!("{argument} != {}", text(value)));
        let asks: Vec<String> = given(tool, parameter, schema).into_iter().chain(every).collect();
        let _ = match (!asks.is_empty()).then(|| asks.join(" && ")) {
            Some(given) => writeln!(out, "    if {given} {{ found = {kept}; }}"),
            None => writeln!(out, "    found = {kept};"),
        };
    }
    if let Some((argument, given)) = most {
        let cut = format!("if {argument} >= 0 && found.len() > {argument} {{ found.truncate({argument}); }}");
        let _ = match given {
            Some(given) => writeln!(out, "    if {given} {{ {cut} }}"),
            None => writeln!(out, "    {cut}"),
        };
    }
    let _ = match &tool.shape {
        Shape::ListWithin(name) => writeln!(out, "    #{{ {}: found }}", text(name)),
        _ => writeln!(out, "    found"),
    };
}

/// Whether a parameter of a list asks for anything, where it may not.
fn given(tool: &Tool, parameter: &str, schema: &Value) -> Option<String> {
    let is_left_out = !is_required(&tool.outer, parameter);
    let name = is_left_out.then(|| format!("{} in args", text(parameter)));
    let is_most = VOCABULARY.most.contains(&identifier_of(parameter));
    let stands_for_none = |default: &&Value| is_nothing(default) || (is_most && **default == 0);
    let default = schema.get("default").filter(stands_for_none);
    let asks = default.map(|default| format!("args{} != {}", field(parameter), literal(default)));
    let both: Vec<String> = name.into_iter().chain(asks).collect();
    (!both.is_empty()).then(|| both.join(" && "))
}

fn create(tool: &Tool, part: &str, collection: &Collection, out: &mut String) {
    let given = parameters(&tool.outer).into_iter().find(|(name, _)| **name == collection.key);
    let required = given.filter(|(name, _)| is_required(&tool.outer, name));
    let one = &collection.one;
    match required {
        Some((name, schema)) => {
            let _ = writeln!(out, "    let id = {};", key_of(name, Some(schema)));
            let _ = writeln!(
                out,
                "    if db.{part}.has(id) {{ fail(\"{one}_exists\", \"there is one with this {}\"); }}",
                identifier_of(name)
            );
        }
        None => {
            let free = free(part, collection, "    ", out);
            let _ = writeln!(out, "    let id = {free};");
        }
    }
    let _ = writeln!(out, "    let it = #{{ {}: id }};", text(&collection.key));
    for (name, value) in &tool.begins_with {
        let _ = writeln!(out, "    it{} = {};", field(name), literal(value));
    }
    set_fields(tool, collection, out);
    let _ = writeln!(out, "    db.{part}[id] = it;");
    if tool.shape != Shape::Other {
        let _ = writeln!(out, "    it = db.{part}[id];");
    }
}

/// Counts on to a key that is free; an expression for it.
fn free(part: &str, collection: &Collection, indent: &str, out: &mut String) -> String {
    let prefix = collection.one.chars().next().map_or('X', |c| c.to_ascii_uppercase());
    let key = match collection.counts {
        true => "next.to_string()".to_owned(),
        false => format!("\"{prefix}\" + pad(next, 4)"),
    };
    let _ = writeln!(out, "{indent}let next = 1 + db.{part}.len();");
    let _ = writeln!(out, "{indent}while db.{part}.has({key}) {{ next += 1; }}");
    key
}

/// Makes an entity of each item; one that is there already stays as it is.
fn create_all(tool: &Tool, part: &str, collection: &Collection, batch: &str, out: &mut String) {
    let _ = writeln!(out, "    let made = [];\n    for item in args{} {{", field(batch));
    let items = items_of(&tool.outer, &tool.part).unwrap_or_default();
    let free = free(part, collection, "        ", out);
    let (key, shown) = (field(&collection.key), text(&collection.key));
    let id = match items.iter().any(|(name, _)| **name == collection.key) {
        true => format!("if {shown} in item && item{key} != () {{ item{key}.to_string() }} else {{ {free} }}"),
        false => free,
    };
    let _ = writeln!(out, "        let id = {id};\n        if db.{part}.has(id) {{ continue; }}");
    let _ = writeln!(out, "        let it = item;\n        it{key} = id;");
    for (name, value) in &tool.begins_with {
        let _ = writeln!(out, "        if !({} in it) {{ it{} = {}; }}", text(name), field(name), literal(value));
    }
    let mut beside = String::new();
    set_fields(tool, collection, &mut beside);
    beside.lines().for_each(|line| out.extend(["    ", line, "\n"]));
    let _ = writeln!(out, "        db.{part}[id] = it;\n        made.push(db.{part}[id]);\n    }}");
}

fn update(tool: &Tool, collection: &Collection, out: &mut String) {
    set_fields(tool, collection, out);
    if let Some((name, state)) = state_set(&tool.outer, &tool.part, collection) {
        let _ = writeln!(out, "    it{} = {};", field(name), text(&state));
    }
}

/// The field that a verb sets, and to what: a value that the field lists, or where no field is given, any.
pub(crate) fn state_set<'c>(
    outer: &OuterTool,
    part: &Part,
    collection: &'c Collection,
) -> Option<(&'c String, String)> {
    let given = parameters(outer).into_iter().map(|(name, _)| name).filter(|name| Some(*name) != part.id.as_ref());
    let given: Vec<&String> = given.filter(|name| collection.fields.contains_key(*name)).collect();
    let (field, state) = state_of(&part.verb, collection)?;
    let is_listed = collection.fields.get(field).is_some_and(|schema| schema.get("enum").is_some());
    (given.is_empty() || (is_listed && !given.contains(&field))).then_some((field, state))
}

/// The field that says how an entity stands, and how it stands after a verb: `status` is `cancelled`.
fn state_of<'c>(verb: &str, collection: &'c Collection) -> Option<(&'c String, String)> {
    let participle = participle(verb);
    let is_it = |state: &&str| identifier_of(state).replace("canceled", "cancelled") == participle;
    let listed = |schema: &Value| {
        let states = schema.get("enum").and_then(Value::as_array);
        states.and_then(|states| states.iter().filter_map(Value::as_str).find(is_it)).map(str::to_owned)
    };
    let named = |name: &String, schema: &Value| {
        let is_open = kind(schema) == Some("string") && schema.get("enum").is_none() && schema.get("const").is_none();
        (is_open && VOCABULARY.states.contains(&identifier_of(name))).then(|| participle.clone())
    };
    let of = |is: &dyn Fn(&String, &Value) -> Option<String>| {
        collection.fields.iter().find_map(|(name, schema)| Some((name, is(name, schema)?)))
    };
    of(&|_, schema| listed(schema)).or_else(|| of(&named))
}

/// Takes over the arguments that are fields.
fn set_fields(tool: &Tool, collection: &Collection, out: &mut String) {
    for (name, schema) in parameters(&tool.outer) {
        let is_apart = [&tool.part.id, &tool.part.batch].contains(&&Some(name.clone()));
        if !collection.fields.contains_key(name) || is_apart {
            continue;
        }
        let set = format!("it{} = args{};", field(name), field(name));
        let is_null = schema.get("default").is_some_and(Value::is_null);
        let asks = if is_null { format!(" && args{} != ()", field(name)) } else { String::new() };
        let _ = match is_required(&tool.outer, name) {
            true => writeln!(out, "    {set}"),
            false => writeln!(out, "    if {} in args{asks} {{ {set} }}", text(name)),
        };
    }
}

/// What a tool returns: the entity, or of its schema what the arguments say.
fn returned(tool: &Tool, out: &mut String) {
    let _ = match &tool.shape {
        Shape::Entity => writeln!(out, "    it"),
        Shape::Within(name) => writeln!(out, "    #{{ {}: it }}", text(name)),
        Shape::Entities if tool.part.batch.is_some() => writeln!(out, "    made"),
        Shape::ListWithin(name) if tool.part.batch.is_some() => writeln!(out, "    #{{ {}: made }}", text(name)),
        Shape::Entities | Shape::ListWithin(_) | Shape::Other => other(tool, out),
    };
}

fn other(tool: &Tool, out: &mut String) -> std::fmt::Result {
    let Some(output) = &tool.outer.output else {
        return match (tool.part.role, &tool.part.id) {
            (Role::Delete, Some(id)) => writeln!(out, "    #{{ {}: args{}, deleted: true }}", text(id), field(id)),
            (Role::Act, _) => writeln!(out, "    #{{ done: true }}"),
            _ => writeln!(out, "    #{{}}"),
        };
    };
    let shown = output.get("properties").and_then(Value::as_object).filter(|_| kind(output) == Some("object"));
    let Some(shown) = shown else { return writeln!(out, "    {}", fixed(output)) };
    out.push_str("    let shown = #{};\n");
    for (name, schema) in shown {
        let same = parameters(&tool.outer)
            .into_iter()
            .find(|(known, own)| *known == name && is_alike(own, &crate::world::loose(schema)));
        if same.is_some() {
            writeln!(out, "    if {0} in args {{ shown{1} = args{1}; }}", text(name), field(name))?;
        }
    }
    writeln!(out, "    shown")
}

fn populate(world: &BTreeMap<String, Collection>, first: &FirstState) -> String {
    let mut out = String::from(
        "\n/// Fills the collections: `size` gives the counts, `rng` is the seeded source.\nfn populate(db, rng, size) {\n",
    );
    for (part, collection) in world.iter().filter(|(part, _)| *part != ACTIONS) {
        let prefix = collection.one.chars().next().map_or('X', |c| c.to_ascii_uppercase());
        let id = match collection.counts {
            true => "(i + 1).to_string()".to_owned(),
            false => format!("\"{prefix}\" + pad(i + 1, 4)"),
        };
        let seen = first.get(part);
        for (id, fields) in seen.into_iter().flatten() {
            let fields = fields.iter().map(|(name, value)| format!(", {}: {}", text(name), literal(value)));
            let (id, key) = (text(id), text(&collection.key));
            let _ = writeln!(out, "    db.{part}[{id}] = #{{ {key}: {id}{} }};", fields.collect::<String>());
        }
        let taken =
            if seen.is_some() { format!("if db.{part}.has(id) {{ continue; }}\n        ") } else { String::new() };
        let _ = writeln!(
            out,
            "    for i in 0..size.{part} {{\n        let id = {id};\n        {taken}let it = #{{ {}: id }};",
            text(&collection.key)
        );
        for (name, schema) in &collection.fields {
            let _ = writeln!(
                out,
                "        it{} = {};",
                field(name),
                value(name, of_populate(name, schema, collection), world)
            );
        }
        let _ = writeln!(out, "        db.{part}[id] = it;\n    }}");
    }
    out.push_str("}\n");
    out
}

/// A field's schema with the bounds that a tool says of it, where no other tool shows or takes it otherwise.
fn of_populate<'c>(field: &str, schema: &'c Value, collection: &'c Collection) -> &'c Value {
    collection.bounded.get(field).filter(|bounded| loose(bounded) == *schema).unwrap_or(schema)
}

/// What a populated entity has in a field; one that is called after another collection holds a key of it.
fn value(name: &str, schema: &Value, world: &BTreeMap<String, Collection>) -> String {
    let other = named_by(&identifier_of(name), world);
    match other.filter(|_| schema.get("type") == Some(&Value::from("string"))) {
        Some((_, other, _)) if !other.counts => {
            let prefix = other.one.chars().next().map_or('X', |c| c.to_ascii_uppercase());
            format!("\"{prefix}\" + pad(1 + rng.below(4), 4)")
        }
        _ => populated(name, schema, 0),
    }
}
