//! The calls a search may make: every tool with the ids of the state and the values that the task speaks of.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::engine::state::State;
use crate::engine::sum::Sum;
use crate::engine::tool::Tool;
use crate::model::call::ToolCall;
use crate::model::canonical;
use crate::model::environment_file::{Actor, SlotKind, properties};
use crate::model::ids::Variant;
use crate::task::build::ways_to_say;
use crate::task::oracle::OracleRun;
use crate::task::phrase::Phrase;
use crate::task::{Behaviour, Task};

/// Most calls of one tool in one state.
const MAX_CALLS: usize = 20_000;
/// Prose that is written where the task has none.
const PROSE: &str = "As agreed.";

/// The calls of one tool in states with the same keys.
pub struct Letters {
    /// Tells them from the calls of other tools, and of the same tool with other keys.
    pub number: u32,
    /// The tool.
    pub tool: String,
    /// The calls, by arguments.
    pub calls: Vec<ToolCall>,
}

/// Makes the calls of a task's tools, state by state.
pub struct Alphabet<'a> {
    task: &'a Task,
    /// Values that the oracles give, by tool and parameter.
    given: BTreeMap<(String, String), Vec<Value>>,
    /// Values that the user knows.
    facts: Vec<Value>,
    /// Whether wrong numbers belong to it: those beside the right ones, and the least and most allowed.
    has_slips: bool,
    /// Tools whose calls were too many; a search over what is left proves nothing.
    cut: BTreeSet<String>,
    by_keys: BTreeMap<(usize, Sum), Rc<Letters>>,
    /// The keys of each part of a state, by the entities that are there.
    keys: BTreeMap<(Sum, usize), Sum>,
}

impl<'a> Alphabet<'a> {
    /// The alphabet of agents of these users: of the facts those count that they say, or withhold and so tell
    /// when asked. The runs of oracles tell which values these gave.
    pub fn of_users(task: &'a Task, variants: &[Variant], runs: &[&OracleRun]) -> Self {
        Alphabet::new(task, known_facts(task, variants), runs)
    }

    /// The alphabet of slips: all values that the task speaks of.
    pub fn of_slips(task: &'a Task, runs: &[&OracleRun]) -> Self {
        let facts = task.file().facts.values().map(|fact| fact.value.clone()).collect();
        Alphabet { has_slips: true, ..Alphabet::new(task, facts, runs) }
    }

    fn new(task: &'a Task, facts: Vec<Value>, runs: &[&OracleRun]) -> Self {
        let mut given: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
        for (call, _) in runs.iter().flat_map(|run| &run.calls) {
            for (name, value) in call.arguments.as_object().into_iter().flatten() {
                let values = given.entry((call.tool.clone(), name.clone())).or_default();
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
        Alphabet {
            task,
            given,
            facts,
            has_slips: false,
            cut: BTreeSet::new(),
            by_keys: BTreeMap::new(),
            keys: BTreeMap::new(),
        }
    }

    /// The tools of which not all calls could be listed.
    pub fn cut(&self) -> &BTreeSet<String> {
        &self.cut
    }

    /// The calls that can be made in a state, by tool. Only the keys of the state matter.
    pub fn letters(&mut self, state: &State) -> Vec<Rc<Letters>> {
        let tools = self.task.environment().tools().iter().enumerate();
        tools.filter(|(_, tool)| tool.actor == Actor::Agent).map(|(index, tool)| self.of(index, tool, state)).collect()
    }

    /// All calls that can be made in a state, by tool and arguments.
    pub fn calls(&mut self, state: &State) -> Vec<ToolCall> {
        self.letters(state).iter().flat_map(|letters| letters.calls.iter().cloned()).collect()
    }

    fn of(&mut self, index: usize, tool: &Tool, state: &State) -> Rc<Letters> {
        let mut keys = Sum::default();
        for slot in properties(&tool.parameters).keys().filter_map(|name| slot_for(name, state)) {
            keys += self.keys_of(slot, state);
        }
        if let Some(letters) = self.by_keys.get(&(index, keys)) {
            return Rc::clone(letters);
        }
        let number = u32::try_from(self.by_keys.len()).unwrap_or(u32::MAX);
        let letters = Rc::new(Letters { number, tool: tool.name.clone(), calls: self.of_tool(tool, state) });
        self.by_keys.insert((index, keys), Rc::clone(&letters));
        letters
    }

    fn keys_of(&mut self, slot: usize, state: &State) -> Sum {
        if let Some(keys) = self.keys.get(&(state.sum(), slot)) {
            return *keys;
        }
        let mut keys = Sum::default();
        state.entities(slot).for_each(|(key, _)| keys += Sum::of(&format!("{slot}/{key}")));
        self.keys.insert((state.sum(), slot), keys);
        keys
    }

    /// The values that a parameter may take, other than being left out.
    pub fn values(&self, tool: &Tool, name: &str, schema: &Value, state: &State) -> Vec<Value> {
        let given = self.given.get(&(tool.name.clone(), name.to_owned())).cloned().unwrap_or_default();
        if tool.free_text.iter().any(|text| text == name) {
            return if given.is_empty() { vec![Value::from(PROSE)] } else { given };
        }
        let mut values = given;
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        values.extend(listed.cloned());
        values.extend(["const", "default"].iter().filter_map(|key| schema.get(*key).cloned()));
        let keys = keys_for(name, state);
        let is_id = keys.is_some();
        values.extend(keys.into_iter().flatten().map(Value::from));
        match schema.get("type").and_then(Value::as_str) {
            Some("boolean") => values.extend([Value::from(false), Value::from(true)]),
            Some(kind) if !is_id && schema.get("enum").is_none() => {
                values.extend(self.facts.iter().filter(|fact| is_of(fact, kind)).cloned());
            }
            Some(_) | None => {}
        }
        if self.has_slips && !is_id {
            values.extend(["minimum", "maximum"].iter().filter_map(|key| schema.get(*key).cloned()));
            let numbers: Vec<i64> = values.iter().filter_map(Value::as_i64).collect();
            let beside = |n: &i64| [n.checked_add(1), n.checked_sub(1), n.checked_mul(2)].into_iter().flatten();
            values.extend(numbers.iter().flat_map(beside).map(Value::from));
        }
        let mut seen = BTreeSet::new();
        values.retain(|value| seen.insert(canonical::to_string(value)));
        values
    }

    fn of_tool(&mut self, tool: &Tool, state: &State) -> Vec<ToolCall> {
        let required: Vec<&str> = tool
            .parameters
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut partial: Vec<Map<String, Value>> = vec![Map::new()];
        for (name, schema) in properties(&tool.parameters) {
            let values = self.values(tool, &name, &schema, state);
            let left_out = if required.contains(&name.as_str()) { Vec::new() } else { partial.clone() };
            let with = |arguments: &Map<String, Value>, value: &Value| {
                let mut arguments = arguments.clone();
                arguments.insert(name.clone(), value.clone());
                arguments
            };
            let more: Vec<Map<String, Value>> = partial
                .iter()
                .flat_map(|arguments| values.iter().map(|value| with(arguments, value)))
                .take(MAX_CALLS + 1)
                .collect();
            partial = left_out.into_iter().chain(more).collect();
            if partial.len() > MAX_CALLS {
                self.cut.insert(tool.name.clone());
                partial.truncate(MAX_CALLS);
            }
        }
        let calls = partial.into_iter().map(|arguments| ToolCall::new(tool.name.clone(), Value::Object(arguments)));
        calls.filter(|call| tool.arguments.is_valid(&call.arguments)).collect()
    }
}

/// The keys that a parameter takes, when it is called after a collection's key: `booking_id`, `from_account_id`.
pub fn keys_for(name: &str, state: &State) -> Option<Vec<String>> {
    let slot = slot_for(name, state)?;
    Some(state.entities(slot).map(|(key, _)| key.to_string()).collect())
}

fn slot_for(name: &str, state: &State) -> Option<usize> {
    let slots = state.shape().slots.iter().enumerate();
    let mut named = slots.filter(|(_, shape)| shape.kind == SlotKind::Collection).filter_map(|(slot, shape)| {
        let key = shape.key.as_deref()?;
        (name == key || name.strip_suffix(key).is_some_and(|before| before.ends_with('_'))).then_some(slot)
    });
    named.next()
}

/// The values of the facts that users of these variants say or withhold.
fn known_facts(task: &Task, variants: &[Variant]) -> Vec<Value> {
    let users: Vec<&Behaviour> = variants.iter().filter_map(|variant| task.behaviour(*variant)).collect();
    let is_said = |way: &String| {
        Phrase::parse(way).is_ok_and(|phrase| users.iter().any(|user| user.turns.iter().any(|turn| phrase.is_in(turn))))
    };
    let facts = task.file().facts.iter();
    let known = facts.filter(|(name, fact)| {
        users.iter().any(|user| user.withheld.contains(name)) || ways_to_say(fact).any(|way| is_said(&way))
    });
    known.map(|(_, fact)| fact.value.clone()).collect()
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
