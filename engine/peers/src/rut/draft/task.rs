//! The draft of a task: oracle, facts, assertions and what the users say.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::drafts::{Left, World};
use super::slot::{self, Slot};
use crate::rut::host;
use crate::rut::matching::{oracle, tool_name};
use crate::rut::path::objects;
use crate::rut::peer::text;
use probity_behaviour::model::assertion::{Assertion, True};
use probity_behaviour::model::task_file::{Fact, InitialStateFile, OracleCallFile, OutcomeFile, TaskFile, VariantFile};
use probity_behaviour::model::variant::{BehaviourMark, Variant};
use probity_engine::pointer::{join, split};
use probity_engine::{CallPattern, Constraints, Delta, Difficulty};
use probity_proof::check::TO_DO;

/// The file of a task, from its samples, and what its author has to add.
pub fn file(world: &World, id: &str, samples: &[&Value], left: &mut Left) -> Option<TaskFile> {
    let stable = samples.iter().find(|sample| behaviour(sample).is_none()).or(samples.first())?;
    let initial = slot::convert(&world.initial(stable), &world.slots);
    let first = world.states.first().map(|state| slot::convert(state, &world.slots)).unwrap_or_default();
    let patch = slot::patch(&first, &initial);
    if slot::has_null(&initial) && !patch.is_empty() {
        left.add("/initial_state/patch", "a merge patch cannot write null; look at the fields that hold it");
    }
    let last = slot::convert(&world.last(stable), &world.slots);
    let delta = slot::delta(&initial, &last, &world.slots);
    let variants = variants(samples, left);
    let turns = variants.get(&Variant::Ideal).map_or(&[][..], |variant| &variant.turns);
    let calls = calls(stable);
    if calls.is_empty() {
        left.add("/outcomes/0/oracle", "the samples show no calls");
    }
    if delta.is_empty() {
        left.add("/outcomes/0/must_say", "nothing changes in this task; write what has to be said");
    }
    let difficulty = text(stable, "difficulty_bucket").parse().unwrap_or(Difficulty::Easy);
    left.add("/outcomes/0/replies", "what a good agent says is not in the samples");
    left.add("/initial_state/hash", "`probity check --update` writes it");
    Some(TaskFile {
        format: 1,
        id: id.to_owned(),
        environment: world.id.clone(),
        difficulty,
        goal: text(stable, "goal_summary"),
        initial_state: InitialStateFile { size: Difficulty::Easy, seed: 1, hash: String::new(), patch },
        facts: facts(&calls, turns, left),
        bindings: BTreeMap::new(),
        constraints: Constraints::default(),
        outcomes: vec![OutcomeFile {
            goal: None,
            name: "base".to_owned(),
            budget: u32::try_from(calls.len()).unwrap_or(u32::MAX),
            oracle: calls,
            achieves: achieves(&delta, &world.slots),
            delta,
            preserves: Vec::new(),
            forbidden: forbidden(stable, world, left),
            must_say: Vec::new(),
            replies: turns.iter().map(|_| format!("{TO_DO}what a good agent says")).collect(),
        }],
        variants,
    })
}

fn calls(sample: &Value) -> Vec<OracleCallFile> {
    let call = |step: &Map<String, Value>| OracleCallFile {
        tool: tool_name(step),
        arguments: step.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default(),
        segment: u32::try_from(host::integer(step.get("user_turn_id")).max(1)).unwrap_or(1),
        after: Vec::new(),
        equivalents: Vec::new(),
    };
    oracle(sample).map(call).collect()
}

/// What the oracle's arguments say that the user said too.
fn facts(calls: &[OracleCallFile], turns: &[String], left: &mut Left) -> BTreeMap<String, Fact> {
    let said = turns.join("\n").to_lowercase();
    let mut facts = BTreeMap::new();
    for (index, call) in calls.iter().enumerate() {
        for (name, value) in &call.arguments {
            let is_scalar = value.is_string() || value.is_number();
            if is_scalar && said.contains(&host::text(value).to_lowercase()) {
                let fact = Fact { value: value.clone(), also: Vec::new(), cues: Vec::new() };
                let known = facts.get(name).is_some_and(|known: &Fact| known.value != *value);
                let name = if known { format!("{name}_{}", index + 1) } else { name.clone() };
                facts.entry(name).or_insert(fact);
            } else {
                let at = format!("/outcomes/0/oracle/{index}/arguments/{name}");
                left.add(at, "the user does not say this; a look-up or a binding has to give it");
            }
        }
    }
    facts
}

fn achieves(delta: &Delta, slots: &BTreeMap<String, Slot>) -> Vec<Assertion> {
    let created = delta.created.iter().map(|(path, fields)| {
        let segments = split(path).unwrap_or_default();
        match segments.as_slice() {
            [collection, key] if slots.get(collection) == Some(&Slot::Collection) => {
                let own = |value: &Value| value.as_str() == Some(key.as_str());
                let matching = fields.iter().filter(|(_, value)| !own(value)).map(|(k, v)| (k.clone(), v.clone()));
                Assertion::New { new: collection.clone(), matching: matching.collect(), count: 1 }
            }
            _ => Assertion::Exists { path: path.clone(), exists: True },
        }
    });
    let absent = |path: &String| Assertion::Absent { path: path.clone(), absent: True };
    let deleted = delta.deleted.keys().map(absent);
    let updated = delta.updated.iter().map(|(path, change)| match &change.to {
        Some(value) => Assertion::Equals { path: path.clone(), equals: value.clone() },
        None => absent(path),
    });
    created.chain(deleted).chain(updated).collect()
}

/// Forbidden actions that name a tool and nothing else; the others are prose.
fn forbidden(sample: &Value, world: &World, left: &mut Left) -> Vec<CallPattern> {
    let names: Vec<String> = world.tools().map(|tool| host::label(tool.get("name"))).collect();
    let mut patterns = Vec::new();
    for rule in sample.get("forbidden_actions").and_then(Value::as_array).into_iter().flatten() {
        let rule = host::text(rule);
        let wanted = rule.trim().to_lowercase();
        let is_named = |name: &&String| {
            let theirs = world.tool_names.changed(name).unwrap_or(name).to_lowercase();
            [name.as_str(), theirs.as_str()].iter().any(|name| wanted == *name || wanted == name.replace('_', " "))
        };
        let tool = names.iter().find(is_named);
        match tool {
            Some(tool) => patterns.push(CallPattern { tool: tool.clone(), predicate: None }),
            None => left.add("/outcomes/0/forbidden", format!("a rule in prose: {}", json!(rule))),
        }
    }
    patterns
}

fn behaviour(sample: &Value) -> Option<Variant> {
    let bundle = sample.get("behavior_bundle").and_then(Value::as_array);
    bundle?.first()?.as_str()?.parse().ok()
}

fn variants(samples: &[&Value], left: &mut Left) -> BTreeMap<Variant, VariantFile> {
    let mut variants = BTreeMap::new();
    for sample in samples {
        let variant = behaviour(sample).unwrap_or(Variant::Ideal);
        let at = join(["variants", variant.name()]);
        if variants.contains_key(&variant) {
            left.add(at, format!("`{}` shows this behaviour again; the first is kept", text(sample, "sample_id")));
            continue;
        }
        let mut turns: Vec<String> = objects(sample.get("user_turns"))
            .map(|turn| host::label(turn.get("user_message")))
            .filter(|turn| !turn.is_empty())
            .collect();
        if turns.is_empty() {
            turns.push(text(sample, "user_request"));
        }
        let needs = match variant.mark() {
            BehaviourMark::Withheld => Some(("withheld", "which facts the first turn leaves out")),
            BehaviourMark::Planted => Some(("planted", "which words name something that does not exist")),
            BehaviourMark::Contradicted => Some(("contradicts", "which wishes cannot both be had")),
            BehaviourMark::Done | BehaviourMark::Drowned | BehaviourMark::Switched | BehaviourMark::Pressed => None,
        };
        if let Some((field, what)) = needs {
            left.add(format!("{at}/{field}"), format!("{what}: the samples do not say"));
        }
        variants.insert(variant, VariantFile::of_turns(turns));
    }
    for missing in Variant::ALL.into_iter().filter(|variant| !variants.contains_key(variant)) {
        left.add(join(["variants", missing.name()]), "no sample shows this behaviour");
    }
    variants
}
