//! Static checks of the tools.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::state::{check_closed, check_objects, check_words};
use crate::model::diagnostic::Problem;
use crate::model::environment_file::{Actor, Compare, Effect, EnvironmentFile, ToolFile, properties};
use crate::model::ids::{MAX_TOOL_NAME, is_identifier, is_tool_name};
use crate::model::{field_path, pointer, suggest};
use crate::schema::Schema;
use crate::schema::keywords::{subschemas, subschemas_mut};
use crate::script::words;
use crate::state::Shape;
use crate::tool::{AllowedEffect, Tool, ToolSchemas};

/// The checked tools; those that cannot be used are left out and reported.
pub(super) fn check(file: &EnvironmentFile, shape: &Shape, problems: &mut Vec<Problem>) -> Vec<Tool> {
    let mut names = BTreeSet::new();
    let mut functions = BTreeMap::new();
    let mut tools = Vec::new();
    if file.tools.is_empty() {
        problems.push(Problem::error("/tools", "no_tools", "there are no tools").help("declare at least one tool"));
    }
    for (i, tool) in file.tools.iter().enumerate() {
        let at = format!("/tools/{i}");
        check_name(tool, &at, problems);
        check_words(&tool.parameters, &format!("{at}/parameters"), problems);
        let is_new = names.insert(&tool.name);
        if !is_new {
            let message = format!("there are two tools `{}`", tool.name);
            problems.push(Problem::error(format!("{at}/name"), "duplicate_id", message).help("rename one"));
        }
        if let Some(other) = functions.insert(tool.function().into_owned(), &tool.name).filter(|_| is_new) {
            let message = format!("`{}` and `{other}` both have the body `{}`", tool.name, tool.function());
            let help = "give one of them another with `\"function\": ..`";
            problems.push(Problem::error(format!("{at}/name"), "duplicate_id", message).help(help));
        }
        check_closed(&tool.parameters, &format!("{at}/parameters"), problems);
        check_objects(&tool.returns, &format!("{at}/returns"), false, problems);
        check_codes(tool, &at, problems);
        check_flags(tool, &at, problems);
        let effects = check_effects(tool, &at, (file, shape), problems);
        tools
            .extend(check_schemas((file, shape), tool, &at, problems).map(|schemas| Tool::new(tool, schemas, effects)));
    }
    tools
}

/// Whether a word can be called in a script.
pub(super) fn is_function(name: &str) -> bool {
    is_identifier(name) && !words::is_reserved(name)
}

fn check_name(tool: &ToolFile, at: &str, problems: &mut Vec<Problem>) {
    let (name, function) = (&tool.name, tool.function());
    let mut refused = |key: &str, message: String, help: &str| {
        problems.push(Problem::error(format!("{at}/{key}"), "bad_name", message).help(help));
    };
    if !is_tool_name(name) {
        let help = format!("letters, digits, `_`, `-` and `.`, {MAX_TOOL_NAME} at most");
        refused("name", format!("`{name}` is not a tool name"), &help);
    } else if !is_function(&function) {
        let help = "give its body a name with `\"function\": ..`: lower-case letters, digits and `_`, 64 at most";
        match &tool.function {
            Some(_) => refused("function", format!("`{function}` is not a name for a function"), help),
            None => refused("name", format!("no function can be called as the tool `{name}` is"), help),
        }
    }
    // What most providers take (OpenAI, Anthropic): `^[a-zA-Z0-9_-]{1,64}$`.
    let message = match name.len() {
        _ if !is_tool_name(name) => return,
        _ if name.contains('.') => format!("many providers refuse the name `{name}`: it has a `.`"),
        65.. => format!("many providers refuse the name `{name}`: it has more than 64 characters"),
        41.. => format!("the name `{name}` leaves no room for the prefix that many clients set before it"),
        _ => return,
    };
    let help = "agents that cannot call it will fail: shorten it here and there, or leave it if yours can";
    problems.push(Problem::warning(format!("{at}/name"), "unusual_name", message).help(help));
}

fn check_schemas(
    state: (&EnvironmentFile, &Shape),
    tool: &ToolFile,
    at: &str,
    problems: &mut Vec<Problem>,
) -> Option<ToolSchemas> {
    let mut compile = |schema: &Value, name: &str| {
        let at = format!("{at}/{name}");
        let mut resolved = schema.clone();
        resolve(state, &mut resolved, &at, problems);
        match Schema::compile(&resolved) {
            Ok(compiled) => Some((resolved, compiled)),
            Err(found) => {
                problems.extend(found.into_iter().map(|p| p.below(&at)));
                None
            }
        }
    };
    let parameters = compile(&tool.parameters, "parameters");
    let returns = compile(&tool.returns, "returns");
    check_paths(tool, parameters.as_ref().map_or(&tool.parameters, |(resolved, _)| resolved), at, problems);
    let ((parameters, arguments), (shown, returns)) = (parameters?, returns?);
    let mut units = BTreeMap::new();
    [&parameters, &shown].into_iter().for_each(|schema| add_units(schema, &mut units));
    Some(ToolSchemas { parameters, arguments, returns, units })
}

/// The units that a schema names, by the field: `"price": {"type": "integer", "unit": "EUR cents"}`.
fn add_units(schema: &Value, units: &mut BTreeMap<String, String>) {
    for (name, field) in properties(schema) {
        let unit =
            [Some(&field), field.get("items")].into_iter().flatten().find_map(|field| field.get("unit")?.as_str());
        units.extend(unit.map(|unit| (name, unit.to_owned())));
    }
    subschemas(schema).into_iter().for_each(|(_, _, below)| add_units(below, units));
}

/// Puts the schemas of entities in the place of `{"$ref": "#/state/<name>/item"}`.
fn resolve(state: (&EnvironmentFile, &Shape), schema: &mut Value, at: &str, problems: &mut Vec<Problem>) {
    let reference = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
    let name = reference.strip_prefix("#/state/").and_then(|rest| rest.strip_suffix("/item"));
    if let Some(name) = name.map(str::to_owned) {
        let beside = schema.as_object().cloned().unwrap_or_default();
        let mut item = item_schema(state, &name, at, problems);
        annotate(&mut item, &beside, at, problems);
        *schema = item;
        return;
    }
    for (below, schema) in subschemas_mut(schema) {
        resolve(state, schema, &format!("{at}{below}"), problems);
    }
}

/// The schema of an entity, to stand somewhere else; anything passes where it cannot.
fn item_schema((file, shape): (&EnvironmentFile, &Shape), name: &str, at: &str, problems: &mut Vec<Problem>) -> Value {
    let Some(slot) = file.state.get(name) else {
        let help = suggest::help(name, file.state.keys().map(String::as_str));
        let message = format!("there is no collection or record `{name}`");
        problems.push(Problem::error(format!("{at}/$ref"), "dangling_reference", message).help(help));
        return Value::Bool(true);
    };
    if refers(&slot.item) {
        let message = format!("the item of `{name}` has references of its own, which lead nowhere from here");
        let help = "write the item without `$ref`, or write its schema out here";
        problems.push(Problem::error(format!("{at}/$ref"), "nested_reference", message).help(help));
        return Value::Bool(true);
    }
    // What is wrong with that schema has been reported where it stands.
    if shape.index(name).is_none() { Value::Bool(true) } else { slot.item.clone() }
}

fn refers(schema: &Value) -> bool {
    schema.get("$ref").is_some() || subschemas(schema).into_iter().any(|(_, _, below)| refers(below))
}

/// Keywords beside a reference: those that only describe are kept, those that judge are refused.
fn annotate(item: &mut Value, beside: &serde_json::Map<String, Value>, at: &str, problems: &mut Vec<Problem>) {
    const DESCRIBING: [&str; 7] = ["$comment", "default", "deprecated", "description", "examples", "readOnly", "title"];
    for (keyword, value) in beside.iter().filter(|(keyword, _)| *keyword != "$ref") {
        if DESCRIBING.contains(&keyword.as_str()) {
            if let Value::Object(item) = item {
                item.insert(keyword.clone(), value.clone());
            }
        } else {
            let message = format!("`{keyword}` cannot stand beside a reference to an entity");
            let help = "remove it, or write the entity's schema out";
            let at = format!("{at}/{}", pointer::escape(keyword));
            problems.push(Problem::error(at, "keyword_beside_reference", message).help(help));
        }
    }
}

fn check_codes(tool: &ToolFile, at: &str, problems: &mut Vec<Problem>) {
    let mut codes = BTreeSet::new();
    let preconditions =
        tool.preconditions.iter().enumerate().map(|(i, p)| (format!("preconditions/{i}/code"), &p.code));
    let errors = tool.errors.iter().enumerate().map(|(i, code)| (format!("errors/{i}"), code));
    for (place, code) in preconditions.chain(errors) {
        let at = format!("{at}/{place}");
        if !is_identifier(code) {
            let message = format!("`{code}` is not a code");
            problems.push(Problem::error(at.clone(), "bad_code", message).help("lower-case letters, digits and `_`"));
        }
        if !codes.insert(code) {
            let message = format!("`{}` has the code `{code}` twice", tool.name);
            let help = "give each refusal its own code, so that a test can tell them apart";
            problems.push(Problem::error(at, "duplicate_code", message).help(help));
        }
    }
}

fn check_flags(tool: &ToolFile, at: &str, problems: &mut Vec<Problem>) {
    let writes = tool.effect == Effect::Write;
    let flags = [
        ("irreversible", tool.irreversible),
        ("confirm", tool.confirm),
        ("claims", !tool.claims.is_empty()),
        ("informs", !tool.informs.is_empty()),
    ];
    for (name, _) in flags.iter().filter(|(_, set)| *set && !writes) {
        let message = format!("`{}` only reads, so `{name}` has no meaning", tool.name);
        problems.push(
            Problem::error(format!("{at}/{name}"), "read_with_effect", message)
                .help("remove it, or make the tool a write"),
        );
    }
    if writes && !tool.topics.is_empty() {
        let message = format!("`{}` writes, so `topics` has no meaning", tool.name);
        let problem = Problem::error(format!("{at}/topics"), "write_with_topics", message);
        problems.push(problem.help("remove it, or make the tool a read"));
    }
    if writes && tool.actor == Actor::Agent && tool.claims.is_empty() {
        let message = format!("`{}` has no `claims`: nobody can tell when an agent says it did this", tool.name);
        let help = "list past participles, e.g. `\"claims\": [\"cancelled\"]`";
        problems.push(Problem::warning(at, "no_claims", message).help(help));
    }
    for (i, _) in tool.claims.iter().enumerate().filter(|(_, claim)| claim.trim().is_empty()) {
        let problem = Problem::error(format!("{at}/claims/{i}"), "bad_value", "a claim without a word");
        problems.push(problem.help("list past participles, e.g. `\"claims\": [\"cancelled\"]`"));
    }
}

/// What stands under `free_text` and `compare` are texts and, of sets, lists among the arguments.
fn check_paths(tool: &ToolFile, parameters: &Value, at: &str, problems: &mut Vec<Problem>) {
    let known = field_path::known(parameters);
    let texts = tool.free_text.iter().enumerate().map(|(i, path)| (format!("free_text/{i}"), path, "string"));
    let compared = tool.compare.iter().map(|(path, compare)| {
        let kind = if *compare == Compare::Set { "array" } else { "string" };
        (format!("compare/{}", pointer::escape(path)), path, kind)
    });
    for (place, path, kind) in texts.chain(compared) {
        let mut fitting = known.iter().filter(|(_, schemas)| field_path::is_of(schemas, kind)).map(|(path, _)| path);
        if fitting.clone().any(|known| known == path) {
            continue;
        }
        let what = if kind == "array" { "list among the parameters" } else { "text parameter" };
        let message = format!("`{path}` is no {what} of `{}`", tool.name);
        // Where the way is right but for a `[]`, that is what to write.
        let plain = |path: &str| path.replace("[]", "");
        let help = match fitting.clone().find(|known| plain(known) == plain(path)) {
            Some(same) => format!("write `{same}`: `[]` stands for each element of a list"),
            None => suggest::help(path, fitting.by_ref().map(String::as_str)),
        };
        problems.push(Problem::error(format!("{at}/{place}"), "unknown_parameter", message).help(help));
    }
    check_left_out(tool, parameters, at, problems);
}

/// Prose of a change that may be left out: an oracle without it does not match a call with it, unless a default stands
/// for what was not given.
fn check_left_out(tool: &ToolFile, parameters: &Value, at: &str, problems: &mut Vec<Problem>) {
    let is_required = |name: &str| {
        let required = parameters.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|known| known == name))
    };
    for (i, name) in tool.free_text.iter().enumerate().filter(|_| tool.effect == Effect::Write) {
        let own = properties(parameters).remove(name);
        if own.is_none_or(|own| own.get("default").is_some()) || is_required(name) {
            continue;
        }
        let message = format!(
            "`{name}` of `{}` may be left out: an agent who gives it does another call than an oracle without it",
            tool.name
        );
        let help = format!(
            "give it a `default` (`\"{name}?\": {{\"is\": \"string\", \"default\": \"none given\"}}`): then any text, or none, is right"
        );
        problems.push(Problem::warning(format!("{at}/free_text/{i}"), "optional_free_text", message).help(help));
    }
}

fn check_effects(
    tool: &ToolFile,
    at: &str,
    state: (&EnvironmentFile, &Shape),
    problems: &mut Vec<Problem>,
) -> Vec<AllowedEffect> {
    let (file, shape) = state;
    let at = format!("{at}/effects");
    match (tool.effect, tool.effects.is_empty()) {
        (Effect::Read, false) => {
            let message = format!("`{}` only reads, so it has no effects", tool.name);
            problems.push(
                Problem::error(at.clone(), "read_with_effect", message)
                    .help("remove `effects`, or make the tool a write"),
            );
        }
        (Effect::Write, true) => {
            let message = format!("`{}` writes, but does not say what", tool.name);
            let help = "add `\"effects\": [{\"collection\": .., \"kinds\": [..], \"max_rows\": 1}]`";
            problems.push(Problem::error(at.clone(), "missing_effects", message).help(help));
        }
        (Effect::Read, true) | (Effect::Write, false) => {}
    }
    let mut allowed = Vec::new();
    let mut covered = BTreeSet::new();
    for (i, effect) in tool.effects.iter().enumerate() {
        let Some(slot) = shape.index(&effect.collection) else {
            if !file.state.contains_key(&effect.collection) {
                let help = suggest::help(&effect.collection, file.state.keys().map(String::as_str));
                let message = format!("there is no collection or record `{}`", effect.collection);
                problems.push(Problem::error(format!("{at}/{i}/collection"), "unknown_collection", message).help(help));
            }
            continue;
        };
        if effect.kinds.is_empty() || effect.max_rows == 0 {
            let message = "an effect names at least one kind and at least one row";
            problems.push(
                Problem::error(format!("{at}/{i}"), "empty_effect", message).help("remove it, or say what it does"),
            );
        }
        for (j, kind) in effect.kinds.iter().enumerate() {
            if !covered.insert((slot, *kind)) {
                let message = format!("`{}` of `{}` is given twice", kind.name(), effect.collection);
                problems.push(
                    Problem::error(format!("{at}/{i}/kinds/{j}"), "duplicate_effect", message).help("merge the two"),
                );
            }
        }
        allowed.push(AllowedEffect { slot, kinds: effect.kinds.clone(), max_rows: effect.max_rows });
    }
    allowed
}
