//! The draft of an environment: its state, its tools, and a script of stubs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::drafts::{Left, World};
use super::schema::{infer, parameters};
use super::slot::{self, Slot};
use crate::rut::browse::HELPERS;
use crate::rut::host;
use crate::rut::matching::{Record, tool_name};
use crate::rut::peer::text;
use probity_engine::{
    Actor, ChangeKind, Conduct, Constraints, Difficulty, Effect, EffectFile, EnvironmentFile, PolicyEntry,
    PopulateFile, SlotFile, SlotKind, ToolFile,
};

/// The code with which every stub refuses.
const NOT_WRITTEN: &str = "body_not_written";

/// The file of an environment, and what its author has to add.
pub fn file(world: &World, left: &mut Left) -> EnvironmentFile {
    let states: Vec<&Map<String, Value>> = world.states.iter().collect();
    let state: BTreeMap<String, SlotFile> =
        world.slots.iter().map(|(name, slot)| (name.clone(), slot::file(name, *slot, &states))).collect();
    for (name, slot) in &world.slots {
        if *slot == Slot::Wrapped {
            left.add(format!("/state/{name}"), "a list or a single value, wrapped in a record of one field");
        }
    }
    for name in world.slots.keys() {
        left.renamed(format!("/state/{name}"), world.part_names.changed(name).unwrap_or(name), name);
    }
    let keyless =
        state.iter().filter(|(_, slot): &(_, &SlotFile)| slot.kind == SlotKind::Collection && slot.key.is_none());
    keyless.for_each(|(name, _)| left.add(format!("/state/{name}/key"), "no field of its records repeats their keys"));
    left.add("/clock", "the samples do not say when they play");
    left.add("/populate", "always the state of the first sample; a task that starts elsewhere patches it");
    let tools = world.tools().filter(|tool| !HELPERS.contains(&tool_name_of(tool).as_str()));
    let tools = tools.enumerate().map(|(index, tool)| tool_file(world, tool, index, left)).collect();
    let policy = world.item.get("constraints_rules_list").and_then(Value::as_array).into_iter().flatten();
    let policy: Vec<PolicyEntry> = policy.map(|rule| PolicyEntry::Text(host::text(rule))).collect();
    if !policy.is_empty() {
        left.add("/policy", "the samples do not say what enforces or scores each rule");
    }
    let sizes = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard].map(|size| (size, BTreeMap::new()));
    EnvironmentFile {
        format: 1,
        id: world.id.clone(),
        title: world.name.replace('_', " "),
        summary: text(&world.item, "environment_summary"),
        clock: "2026-01-05T09:00:00Z".to_owned(),
        policy,
        state,
        soft_paths: Vec::new(),
        tools,
        constraints: Constraints::default(),
        forbidden: Vec::new(),
        conduct: Conduct::default(),
        invariants: Vec::new(),
        populate: PopulateFile { function: "populate".to_owned(), sizes: BTreeMap::from(sizes), structure: Vec::new() },
        events: Vec::new(),
    }
}

fn tool_name_of(tool: &Record) -> String {
    host::label(tool.get("name"))
}

fn tool_file(world: &World, tool: &Record, index: usize, left: &mut Left) -> ToolFile {
    let name = tool_name_of(tool);
    let steps: Vec<&Record> = world.steps().filter(|step| tool_name(step) == name).collect();
    let effects = effects(&steps, &world.slots);
    let observations: Vec<&Value> = steps.iter().filter_map(|step| step.get("observation")).collect();
    let at = |field: &str| format!("/tools/{index}/{field}");
    left.renamed(at("name"), world.tool_names.changed(&name).unwrap_or(&name), &name);
    if steps.is_empty() {
        left.add(at("effect"), "no oracle calls it; held to be a read");
    }
    let returns = match observations.is_empty() {
        true => {
            left.add(at("returns"), "the samples show no observation");
            infer(&[&json!({})])
        }
        false => infer(&observations),
    };
    left.add(at("errors"), "the body is a stub that refuses");
    if !effects.is_empty() {
        left.add(at("claims"), "by which words an agent says that it did this");
    }
    ToolFile {
        function: None,
        description: text(&Value::Object(tool.clone()), "description"),
        effect: if effects.is_empty() { Effect::Read } else { Effect::Write },
        effects,
        parameters: parameters(tool.get("parameters").unwrap_or(&Value::Null)),
        returns,
        preconditions: Vec::new(),
        errors: vec![NOT_WRITTEN.to_owned()],
        irreversible: false,
        confirm: false,
        actor: Actor::Agent,
        free_text: Vec::new(),
        compare: BTreeMap::new(),
        claims: Vec::new(),
        topics: Vec::new(),
        informs: Vec::new(),
        name,
    }
}

/// What the calls of a tool changed, over all oracles.
fn effects(steps: &[&Record], slots: &BTreeMap<String, Slot>) -> Vec<EffectFile> {
    let mut seen: BTreeMap<&String, (BTreeSet<ChangeKind>, u32)> = BTreeMap::new();
    for step in steps {
        let Some(diff) = step.get("state_diff").and_then(Value::as_object) else { continue };
        for (name, entry) in diff.iter().filter(|(name, _)| slots.contains_key(*name)) {
            let (kinds, rows) = match (slots.get(name), entry.as_object()) {
                (Some(Slot::Collection), Some(records)) => {
                    let kinds: BTreeSet<ChangeKind> = records.values().map(kind).collect();
                    (kinds, u32::try_from(records.len()).unwrap_or(u32::MAX))
                }
                _ => (BTreeSet::from([ChangeKind::Update]), 1),
            };
            let known = seen.entry(name).or_default();
            known.0.extend(kinds);
            known.1 = known.1.max(rows);
        }
    }
    let effect = |(name, (kinds, max_rows)): (&String, (BTreeSet<ChangeKind>, u32))| EffectFile {
        collection: name.clone(),
        kinds: kinds.into_iter().collect(),
        max_rows,
    };
    seen.into_iter().map(effect).collect()
}

fn kind(entry: &Value) -> ChangeKind {
    match entry.as_object().map(|entry| (entry.contains_key("added"), entry.contains_key("removed"))) {
        Some((true, _)) => ChangeKind::Create,
        Some((_, true)) => ChangeKind::Delete,
        Some((false, false)) | None => ChangeKind::Update,
    }
}

/// The script: one stub for each tool, and the state that the first sample starts from.
pub fn script(world: &World, file: &EnvironmentFile) -> String {
    let mut script = format!("// Stubs for {}: each body is left to the author.\n\n", file.id);
    for tool in &file.tools {
        script.push_str(&format!(
            "fn {}(db, args) {{\n    fail(\"{NOT_WRITTEN}\", \"the body of this tool is not written yet\");\n}}\n\n",
            tool.name
        ));
    }
    script.push_str("fn populate(db, rng, size) {\n");
    let first = world.states.first().map(|state| slot::convert(state, &world.slots)).unwrap_or_default();
    for (name, slot) in &world.slots {
        let value = first.get(name);
        if *slot != Slot::Collection {
            let value = value.map_or_else(|| "#{ }".to_owned(), literal);
            script.push_str(&format!("    db.{name} = {value};\n"));
            continue;
        }
        for (key, record) in value.and_then(Value::as_object).into_iter().flatten() {
            script.push_str(&format!("    db.{name}[{}] = {};\n", json!(key), literal(record)));
        }
    }
    script.push_str("}\n");
    script
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "()".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", json!(key), literal(value)));
            format!("#{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}
