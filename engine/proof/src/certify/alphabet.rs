//! The calls a search may make: every tool with the ids of the state and the values that the task speaks of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::parts::{
    self, FieldForm, ListForm, MAX_PART, TriedValues, forms, has_parts, is_listable, is_tied, is_within_bounds,
};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::likeness::scalars;
use probity_behaviour::task::{Behaviour, Task};
use probity_behaviour::values::{element_name, is_of, required, types, with};
use probity_engine::environment_file::{PreconditionFile, properties};
use probity_engine::ids::is_called_after;
use probity_engine::{Actor, Compare, SlotKind, State, Sum, Tool, ToolCall, canonical, field_path};
use probity_prose::Phrase;

/// Most calls of one tool in one state.
const MAX_CALLS: usize = 20_000;
/// Most values of a parameter that holds lists or objects.
const MAX_OF_PARTS: usize = 64;
/// About so many calls of a tool with such parameters: each has fewer values where there are others beside it.
const MAX_WITH_PARTS: usize = 2_000;
/// Where a search cannot be ended with so many, it is begun again with so many times fewer.
const NARROWER: usize = 8;
pub(super) const PROSE: &str = "As agreed.";

/// The calls of one tool in states with the same keys.
pub struct Letters {
    /// Tells them from the calls of other tools, and of the same tool with other keys.
    pub number: u32,
    pub tool: String,
    /// The calls, by arguments.
    pub calls: Vec<ToolCall>,
}

impl Letters {
    /// All calls of some tools, by tool and arguments.
    pub fn calls_of(all: &[Rc<Letters>]) -> impl Iterator<Item = &ToolCall> + Clone {
        all.iter().flat_map(|letters| &letters.calls)
    }
}

/// Makes the calls of a task's tools, state by state.
pub struct Alphabet<'a> {
    task: &'a Task,
    /// Values that calls give, by tool and parameter.
    given: BTreeMap<(String, String), Vec<Value>>,
    facts: Vec<Value>,
    /// Whether wrong numbers belong to it: those beside the right ones, and the least and most allowed.
    has_slips: bool,
    /// Tools of which not all calls can be listed; a search over what is left proves nothing.
    pub cut: BTreeSet<String>,
    /// How many calls were listed so far, for limits.
    pub listed: usize,
    by_keys: BTreeMap<(usize, Sum), Rc<Letters>>,
    /// The keys of each part of a state, by the entities that are there.
    keys: BTreeMap<(Sum, usize), Sum>,
    /// The collections of which a tool's arguments, and what is in them, may take keys.
    slots: BTreeMap<usize, Rc<Vec<usize>>>,
    /// Of parameters that hold lists or objects, by tool, how many values were tried at most; none of those of which
    /// the values tried stand for all.
    pub within: Within,
    /// So many calls of a tool leave room for more values of its lists and objects.
    roomy: usize,
}

/// How many values were tried, by tool and parameter.
pub type Within = BTreeMap<String, BTreeMap<String, usize>>;

impl<'a> Alphabet<'a> {
    /// The alphabet of agents of these users: of the facts those count that they say, or withhold and so tell
    /// when asked. The calls of oracles tell which values these gave.
    pub fn of_users(task: &'a Task, variants: &[Variant], calls: &[ToolCall]) -> Self {
        Alphabet::new(task, known_facts(task, variants), calls)
    }

    /// The alphabet of slips: all values that the task speaks of.
    pub fn of_slips(task: &'a Task, calls: &[ToolCall]) -> Self {
        let facts = task.file().facts.values().map(|fact| fact.value.clone()).collect();
        Alphabet { has_slips: true, ..Alphabet::new(task, facts, calls) }
    }

    fn new(task: &'a Task, facts: Vec<Value>, calls: &[ToolCall]) -> Self {
        let mut alphabet = Alphabet {
            task,
            given: BTreeMap::new(),
            facts,
            has_slips: false,
            cut: BTreeSet::new(),
            listed: 0,
            by_keys: BTreeMap::new(),
            keys: BTreeMap::new(),
            slots: BTreeMap::new(),
            within: Within::new(),
            roomy: MAX_WITH_PARTS,
        };
        calls.iter().for_each(|call| alphabet.give(call));
        alphabet
    }

    /// The alphabet with the values that an agent used, which it may use again, wherever they fit.
    #[must_use]
    pub fn with_used(mut self, calls: &[ToolCall]) -> Self {
        for call in calls {
            self.give(call);
            self.facts.extend(scalars(&call.arguments).cloned());
        }
        self
    }

    fn give(&mut self, call: &ToolCall) {
        for (name, value) in call.arguments.as_object().into_iter().flatten() {
            self.give_value(&call.tool, name, value);
        }
    }

    /// Takes in a value that a call gives, and what stands within it.
    fn give_value(&mut self, tool: &str, path: &str, value: &Value) {
        let values = self.given.entry((tool.to_owned(), path.to_owned())).or_default();
        if !values.contains(value) {
            values.push(value.clone());
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.give_value(tool, &format!("{path}[]"), item)),
            Value::Object(map) => {
                map.iter().for_each(|(name, item)| self.give_value(tool, &format!("{path}.{name}"), item));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Tries fewer values of lists and objects from here on, where not all are tried anyway; nothing where there are no
    /// fewer.
    pub fn narrow(&mut self) -> Option<()> {
        self.roomy = Some(self.roomy / NARROWER).filter(|fewer| *fewer > 0 && !self.within.is_empty())?;
        self.by_keys.clear();
        self.within.clear();
        self.cut.clear();
        self.listed = 0;
        Some(())
    }

    /// The calls that can be made in a state, by tool. Only the keys of the state matter.
    pub fn letters(&mut self, state: &State) -> Vec<Rc<Letters>> {
        let sum = state.sum();
        let tools = self.task.environment().tools().iter().enumerate();
        let of_agents = tools.filter(|(_, tool)| tool.actor == Actor::Agent);
        of_agents.map(|(index, tool)| self.of(index, tool, (state, sum))).collect()
    }

    fn of(&mut self, index: usize, tool: &Tool, (state, sum): (&State, Sum)) -> Rc<Letters> {
        let mut keys = Sum::default();
        let slots = self.slots.entry(index).or_insert_with(|| Rc::new(slots_of(self.task, tool, state)));
        for slot in Rc::clone(slots).iter() {
            keys += self.keys_of(*slot, state, sum);
        }
        if let Some(letters) = self.by_keys.get(&(index, keys)) {
            return Rc::clone(letters);
        }
        let number = u32::try_from(self.by_keys.len()).unwrap_or(u32::MAX);
        let letters = Rc::new(Letters { number, tool: tool.name.clone(), calls: self.of_tool(tool, state) });
        self.listed += letters.calls.len();
        self.by_keys.insert((index, keys), Rc::clone(&letters));
        letters
    }

    fn keys_of(&mut self, slot: usize, state: &State, sum: Sum) -> Sum {
        if let Some(keys) = self.keys.get(&(sum, slot)) {
            return *keys;
        }
        let mut keys = Sum::default();
        state.entities(slot).for_each(|(key, _)| keys += Sum::of(&format!("{slot}/{key}")));
        self.keys.insert((sum, slot), keys);
        keys
    }

    /// The values that a parameter may take, other than being left out.
    pub fn values(&self, tool: &Tool, name: &str, schema: &Value, state: &State) -> Vec<Value> {
        self.values_of(tool, name, schema, state, MAX_OF_PARTS).values
    }

    /// The values that a parameter or a part of one may take, other than being left out; of lists and objects at most
    /// so many.
    pub(super) fn values_of(&self, tool: &Tool, path: &str, schema: &Value, state: &State, most: usize) -> TriedValues {
        let given = self.given.get(&(tool.name.clone(), path.to_owned())).cloned().unwrap_or_default();
        if tool.free_text.iter().any(|text| text == path) {
            let values = if given.is_empty() { vec![Value::from(PROSE)] } else { given };
            return TriedValues { values, is_all: true };
        }
        if is_listable(schema) || !has_parts(schema) {
            let keys = self.keys_at(tool, path, state);
            let is_within = field_path::leads_within(path);
            // A text within an argument may be a key whose name does not tell it.
            let is_unknown = is_within && keys.is_none() && is_plain_text(schema);
            let mut values = self.plain_values(keys, given, schema);
            if is_within {
                values.retain(|value| is_within_bounds(schema, value));
            }
            return TriedValues { values, is_all: is_listable(schema) && !is_unknown };
        }
        let values_listed = ["const", "default"].into_iter().filter_map(|key| schema.get(key).cloned());
        let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten().cloned();
        let given: Vec<Value> = given.into_iter().chain(values_listed).chain(examples).collect();
        let mut all = TriedValues { values: Vec::new(), is_all: !is_tied(schema) };
        let mut add = |listed: TriedValues| {
            all.values.extend(listed.values);
            all.is_all &= listed.is_all;
        };
        for kind in types(schema) {
            match kind {
                "array" => add(self.lists(tool, path, schema, state, (&given, most))),
                "object" => add(self.objects(tool, path, schema, state, (&given, most))),
                _ => {
                    let own = given.iter().filter(|value| is_of(value, kind)).cloned().collect();
                    let one = json!({"type": kind});
                    let keys = self.keys_at(tool, path, state);
                    let is_unknown = kind == "string" && keys.is_none();
                    add(TriedValues { values: self.plain_values(keys, own, &one), is_all: !is_unknown });
                }
            }
        }
        for form in forms(schema) {
            add(self.values_of(tool, path, form, state, most));
        }
        let mut seen = BTreeSet::new();
        all.values.retain(|value| seen.insert(canonical::to_string(value)));
        all
    }

    fn lists(
        &self,
        tool: &Tool,
        path: &str,
        schema: &Value,
        state: &State,
        (given, most): (&[Value], usize),
    ) -> TriedValues {
        let none = Value::Null;
        let items = schema.get("items").unwrap_or(&none);
        let elements = self.values_of(tool, &format!("{path}[]"), items, state, MAX_PART);
        let is_set = tool.compare.get(path) == Some(&Compare::Set);
        parts::lists(&ListForm::of(schema, is_set), &elements, given, most)
    }

    fn objects(
        &self,
        tool: &Tool,
        path: &str,
        schema: &Value,
        state: &State,
        (given, most): (&[Value], usize),
    ) -> TriedValues {
        let required = required(schema);
        let fields = properties(schema).into_iter().map(|(name, field)| FieldForm {
            is_required: required.contains(&name.as_str()),
            listed: self.values_of(tool, &format!("{path}.{name}"), &field, state, MAX_PART),
            name,
        });
        parts::objects(&fields.collect::<Vec<_>>(), given, most)
    }

    /// The keys that what stands at a path of a tool takes.
    pub(super) fn keys_at(&self, tool: &Tool, path: &str, state: &State) -> Option<Vec<String>> {
        keys_of(&slots_at(self.task, tool, path, state), state)
    }

    fn plain_values(&self, keys: Option<Vec<String>>, given: Vec<Value>, schema: &Value) -> Vec<Value> {
        let mut values = given;
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        values.extend(listed.cloned());
        values.extend(["const", "default"].iter().filter_map(|key| schema.get(*key).cloned()));
        let is_id = keys.is_some();
        values.extend(keys.into_iter().flatten().map(Value::from));
        for kind in types(schema) {
            match kind {
                "boolean" => values.extend([Value::from(false), Value::from(true)]),
                "null" => values.push(Value::Null),
                // A slip in an id is the id next to it; but a fact may name an id that is still to be made.
                _ if (is_id && self.has_slips) || schema.get("enum").is_some() => {}
                _ => values.extend(self.facts.iter().filter(|fact| is_of(fact, kind)).cloned()),
            }
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
        let required = required(&tool.parameters);
        let mut partial: Vec<Map<String, Value>> = vec![Map::new()];
        // Lists and objects come last: how many of them are tried is for what the others leave.
        let (parts, plain): (Vec<_>, Vec<_>) =
            properties(&tool.parameters).into_iter().partition(|(_, schema)| !is_listable(schema) && has_parts(schema));
        let plain = plain.into_iter().map(|(name, schema)| (name, schema, false));
        let least = (MAX_PART * self.roomy / MAX_WITH_PARTS).max(1);
        for (name, schema, has_parts) in plain.chain(parts.into_iter().map(|(name, schema)| (name, schema, true))) {
            let most = (self.roomy / partial.len().max(1)).clamp(least, MAX_OF_PARTS);
            let mut listed = self.values_of(tool, &name, &schema, state, most);
            if has_parts {
                listed.is_all &= listed.values.len() <= most;
                listed.values.truncate(most);
                if !listed.is_all {
                    let tried = self.within.entry(tool.name.clone()).or_default().entry(name.clone()).or_default();
                    *tried = listed.values.len().max(*tried);
                }
            } else if !listed.is_all {
                self.cut.insert(tool.name.clone());
            }
            let values = listed.values;
            let left_out = if required.contains(&name.as_str()) { Vec::new() } else { partial.clone() };
            let more: Vec<Map<String, Value>> = partial
                .iter()
                .flat_map(|arguments| values.iter().map(|value| with(arguments, &name, value)))
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

/// The name by which what stands at a path takes keys: of `lines[].item_id` and of `item_ids[]` it is `item_id`.
fn key_name(path: &str) -> Cow<'_, str> {
    let last = path.rsplit('.').next().unwrap_or(path);
    match last.trim_end_matches("[]") {
        name if name.len() == last.len() => Cow::Borrowed(last),
        list => Cow::Borrowed(element_name(list)),
    }
}

/// Whether values of a schema are texts of which it says neither which nor of what format.
fn is_plain_text(schema: &Value) -> bool {
    types(schema).contains(&"string") && ["enum", "const", "format"].iter().all(|key| schema.get(*key).is_none())
}

/// The collections of whose keys a tool's arguments, and what is in them, are.
fn slots_of(task: &Task, tool: &Tool, state: &State) -> Vec<usize> {
    let parameters = properties(&tool.parameters);
    let within = field_path::known(&tool.parameters).into_iter().map(|(path, _)| path);
    let within = within.filter(|path| !parameters.contains_key(path));
    let paths: Vec<String> = parameters.keys().cloned().chain(within).collect();
    paths.iter().flat_map(|path| slots_at(task, tool, path, state)).collect()
}

/// The collections of whose keys what stands at a path of a tool is: that of which a precondition asks that it has it, as
/// a `ref` does, else those that it is called after.
fn slots_at(task: &Task, tool: &Tool, path: &str, state: &State) -> Vec<usize> {
    let file = task.environment().file().tools.iter().find(|file| file.name == tool.name);
    let references = file.into_iter().flat_map(|file| &file.preconditions).flat_map(PreconditionFile::references);
    let mut named = references.filter(|(_, of)| *of == path).filter_map(|(name, _)| state.shape().index(name));
    named.next().map_or_else(|| slots_for(&key_name(path), state), |slot| vec![slot])
}

/// The keys of some collections; nothing where there are none.
fn keys_of(slots: &[usize], state: &State) -> Option<Vec<String>> {
    let keys = slots.iter().flat_map(|slot| state.entities(*slot)).map(|(key, _)| key.to_string());
    (!slots.is_empty()).then(|| keys.collect())
}

/// The collections whose key a parameter is called after: by its whole name, else by the longest end of it.
fn slots_for(name: &str, state: &State) -> Vec<usize> {
    let slots = state.shape().slots.iter().enumerate();
    let named: Vec<(usize, usize)> = slots
        .filter(|(_, shape)| shape.kind == SlotKind::Collection)
        .filter_map(|(slot, shape)| {
            shape.key.as_deref().filter(|key| is_called_after(name, key)).map(|key| (slot, key.len()))
        })
        .collect();
    let longest = named.iter().map(|(_, length)| *length).max();
    named.into_iter().filter(|(_, length)| Some(*length) == longest).map(|(slot, _)| slot).collect()
}

/// The values of the facts that users of these variants say or withhold.
fn known_facts(task: &Task, variants: &[Variant]) -> Vec<Value> {
    let users: Vec<&Behaviour> = variants.iter().filter_map(|variant| task.behaviour(*variant)).collect();
    let is_said = |way: &String| {
        Phrase::parse(way).is_ok_and(|phrase| users.iter().any(|user| user.turns.iter().any(|turn| phrase.is_in(turn))))
    };
    let facts = task.file().facts.iter();
    let known = facts.filter(|(name, fact)| {
        users.iter().any(|user| user.withheld.contains(name)) || fact.ways().any(|way| is_said(&way))
    });
    known.map(|(_, fact)| fact.value.clone()).collect()
}

#[cfg(test)]
#[path = "alphabet_tests.rs"]
mod tests;
