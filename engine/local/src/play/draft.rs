//! The draft of a task: what a play shows is filled in, what only an author knows is left to do.

use std::collections::BTreeMap;

use serde_json::Value;

use super::known::Known;
use super::session::{Partner, Session};
use probity_behaviour::model::assertion::Assertion;
use probity_behaviour::model::task_file::{InitialStateFile, OracleCallFile, OutcomeFile, TaskFile, VariantFile};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::build::FORMAT;
use probity_bench::{Event, Step};
use probity_engine::{CallPattern, Delta, Difficulty, Effect, Environment};
use probity_proof::check::TO_DO;

/// The task in which an environment's tools are tried: it asks for what nobody says, so nothing passes it.
/// An error: the state cannot be made.
pub fn blank(environment: &Environment, id: &str, size: Difficulty, seed: u64) -> Result<TaskFile, String> {
    let hash = environment.populate(size, seed)?.hash().to_string();
    let start = InitialStateFile { size, seed, hash, patch: serde_json::Map::new() };
    let turns = vec!["This is played by hand.".to_owned()];
    Ok(task(id, environment.id(), start, turns, outcome(Vec::new(), Delta::default(), Vec::new(), 1)))
}

/// What a play shows of a task: its start, the calls that were carried out, what they changed, what was said.
pub fn draft(session: &Session, id: &str) -> TaskFile {
    let task_file = session.task().file();
    let mut start = task_file.initial_state.clone();
    start.hash = session.task().initial().hash().to_string();
    let (mut turns, mut replies, mut oracle) = (Vec::new(), Vec::new(), Vec::new());
    let mut observations = Vec::new();
    for event in session.events() {
        match event {
            Event::User { text, .. } => turns.push(text.clone()),
            Event::Reply { text, aside: false, .. } => replies.push(text.clone()),
            Event::Step(step) => {
                oracle.extend(call(step, turns.len()));
                observations.extend(step.observation().cloned());
            }
            Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    let initial = session.task().initial();
    let delta = initial.changes_to(session.state());
    if session.partner() == Partner::User {
        let count = turns.len();
        return task(id, &task_file.environment, start, turns, outcome(oracle, delta, replies, count));
    }
    let mut known = Known::of(initial, &mut oracle, &observations);
    let asked = &session.task().environment().file().constraints.precedence;
    let is_asked = |before: &CallPattern, after: &CallPattern| {
        asked.iter().any(|own| (&own.before, &own.after) == (before, after))
    };
    known.constraints.precedence.retain(|edge| !is_asked(&edge.before, &edge.after));
    let variants = behaviours(session.task().environment(), &oracle, &known);
    let mut base = outcome(oracle, delta, replies, 1);
    for assertion in &mut base.achieves {
        if let Assertion::Equals { path, .. } = assertion {
            *path = known.named(path);
        }
    }
    let of_play = task(id, &task_file.environment, start, Vec::new(), base);
    TaskFile { facts: known.facts, bindings: known.bindings, constraints: known.constraints, variants, ..of_play }
}

/// The seven users, whose words are still to be written. The one who leaves something out, and the one who wants two
/// things at once, are asked before anything is changed.
fn behaviours(environment: &Environment, oracle: &[OracleCallFile], known: &Known) -> BTreeMap<Variant, VariantFile> {
    let writes = |call: &OracleCallFile| {
        environment.tools().iter().any(|tool| tool.name == call.tool && tool.effect == Effect::Write)
    };
    let held = oracle.iter().position(writes).unwrap_or(oracle.len().saturating_sub(1));
    let (fact, tool) = (known.facts.keys().next(), oracle.get(held).map(|call| call.tool.as_str()));
    let text = include_str!("behaviours.json");
    let text =
        text.replace("@FACT@", fact.map_or("a fact", String::as_str)).replace("@TOOL@", tool.unwrap_or_default());
    let mut variants: BTreeMap<Variant, VariantFile> = serde_json::from_str(&text).unwrap_or_default();
    for variant in variants.values_mut() {
        if variant.turns.len() > 1 {
            variant.segments = (0..oracle.len()).map(|at| if at < held { 1 } else { 2 }).collect();
        }
        let turn_of = |at: usize| variant.segments.get(at).copied().unwrap_or(1);
        let asked = oracle.iter().enumerate().filter(|(_, call)| is_irreversible(environment, &call.tool));
        let asked: Vec<(u32, &str)> = asked.map(|(at, call)| (turn_of(at), call.tool.as_str())).collect();
        for (turn, tool) in asked {
            variant.consents.entry(turn).or_default().extend(serde_json::from_value::<CallPattern>(tool.into()));
        }
        if fact.is_none() {
            variant.withheld.clear();
        }
        if tool.is_none() {
            variant.planted.clear();
            variant.contradicts.clear();
        }
    }
    variants
}

fn is_irreversible(environment: &Environment, name: &str) -> bool {
    environment.tools().iter().any(|tool| tool.name == name && tool.irreversible)
}

fn to_do(what: &str) -> String {
    format!("{TO_DO}{what}")
}

fn call(step: &Step, turn: usize) -> Option<OracleCallFile> {
    let arguments = step.arguments.as_object().filter(|_| step.is_ok())?;
    Some(OracleCallFile {
        tool: step.tool.clone(),
        arguments: arguments.clone(),
        segment: u32::try_from(turn).unwrap_or(u32::MAX),
        after: Vec::new(),
        equivalents: Vec::new(),
    })
}

fn outcome(oracle: Vec<OracleCallFile>, delta: Delta, mut replies: Vec<String>, turns: usize) -> OutcomeFile {
    while replies.len() < turns {
        replies.push(to_do("what a good agent replies"));
    }
    OutcomeFile {
        goal: None,
        name: "base".to_owned(),
        budget: u32::try_from(oracle.len()).unwrap_or(u32::MAX),
        oracle,
        achieves: achieves(&delta),
        delta,
        preserves: Vec::new(),
        forbidden: Vec::new(),
        must_say: vec![vec![to_do("a phrase that must be said")]],
        replies,
    }
}

/// Each changed field with its new value; what is made or removed is for the author to say.
fn achieves(delta: &Delta) -> Vec<Assertion> {
    let equals = |path: &String, value: &Value| Assertion::Equals { path: path.clone(), equals: value.clone() };
    delta.updated.iter().filter_map(|(path, change)| Some(equals(path, change.to.as_ref()?))).collect()
}

fn task(id: &str, environment: &str, start: InitialStateFile, turns: Vec<String>, base: OutcomeFile) -> TaskFile {
    let ideal = VariantFile::of_turns(turns);
    TaskFile {
        format: FORMAT,
        id: id.to_owned(),
        environment: environment.to_owned(),
        difficulty: start.size,
        goal: to_do("what is wanted, in one sentence"),
        initial_state: start,
        facts: BTreeMap::new(),
        bindings: BTreeMap::new(),
        constraints: probity_engine::Constraints::default(),
        outcomes: vec![base],
        variants: BTreeMap::from([(Variant::Ideal, ideal)]),
    }
}

pub fn to_do_list(file: &TaskFile) -> Vec<String> {
    let mut list = vec!["say what is wanted (`goal`) and what the user knows (`facts`)".to_owned()];
    let base = file.outcomes.first();
    let has_literal_keys = base.is_some_and(|base| base.oracle.iter().any(|call| !call.arguments.is_empty()));
    if has_literal_keys && file.bindings.is_empty() {
        list.push("name keys by `bindings` (`$booking`) or by what a call returned (`$1.field`)".to_owned());
    }
    if base.is_some_and(|base| !base.delta.created.is_empty() || !base.delta.deleted.is_empty()) {
        list.push("say in `achieves` what is made and what is removed".to_owned());
    }
    list.push("say what must not happen (`preserves`, `forbidden`) and what must be said (`must_say`)".to_owned());
    let others =
        if file.variants.len() == Variant::ALL.len() { "of all behaviours" } else { "and the six other behaviours" };
    list.push(format!("write the turns and replies, {others}"));
    list
}
