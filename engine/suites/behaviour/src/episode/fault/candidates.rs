//! Values and calls to try: found in schemas, in the state and in the task, in a fixed order.
//!
//! Whoever needs "a call like this that behaves like that" builds a [`DraftPoint`], takes candidates in order
//! and asks the engine. Values that the agent has seen come first, so that a defect stays a single one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::draft::{Draft, PlayedCall};
use crate::task::Task;
use crate::task::likeness::canonical_scalars;
use crate::values::{combine, element_name, is_of, literals, near, required, with, with_more, with_one, without};
use probity_engine::{
    Actor, CallPattern, SlotShape, State, Stepped, Stream, Tool, ToolCall, canonical, environment_file::properties,
};

/// Most calls tried in one search.
const MAX_TRIES: usize = 800;
/// Most values offered for one argument.
const MAX_VALUES: usize = 400;
/// Most other values of one element of a list.
const MAX_ELEMENTS: usize = 24;
/// Most changed plans played in one choice.
const MAX_PLAYED: usize = 40;

/// A point of a draft at which something is to be done otherwise.
pub struct DraftPoint<'a> {
    task: &'a Task,
    pub state: State,
    /// Scalars that the agent was told or has used, in canonical form.
    known: BTreeSet<String>,
    /// Arguments of the oracle's calls, by name.
    given: Vec<(String, Value)>,
    /// What is to be matched, as text: its literals are candidates.
    hint: String,
}

impl<'a> DraftPoint<'a> {
    /// The scene before call `at` of a draft that plays like this; after the last one, its end.
    pub fn before(draft: &Draft<'a>, played: &[PlayedCall], at: usize) -> DraftPoint<'a> {
        let at_end = || played.last().map_or_else(|| draft.task.initial().clone(), |last| last.after.clone());
        let state = played.get(at).map_or_else(at_end, |played| played.before.clone());
        let mut known = BTreeSet::new();
        for call in played.iter().take(at) {
            call.result.iter().for_each(|applied| known.extend(canonical_scalars(&applied.observation)));
        }
        let mut given = Vec::new();
        for call in played {
            call.arguments.values().for_each(|value| known.extend(canonical_scalars(value)));
            given.extend(call.arguments.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        draft.task.file().facts.values().for_each(|fact| known.extend(canonical_scalars(&fact.value)));
        DraftPoint { task: draft.task, state, known, given, hint: String::new() }
    }

    #[must_use]
    pub fn hinted(mut self, pattern: &CallPattern) -> Self {
        self.hint = pattern.predicate.clone().unwrap_or_default();
        self
    }

    pub fn step(&self, tool: &Tool, arguments: &Map<String, Value>) -> Stepped {
        let call = ToolCall::new(tool.name.clone(), Value::Object(arguments.clone()));
        self.task.environment().step(&self.state, &call, Actor::Agent)
    }

    /// Other values for an argument than the one it has: for an id those of its kind first, then seen ones.
    pub fn values(&self, tool: &Tool, name: &str, current: Option<&Value>) -> Vec<Value> {
        let schema = properties(&tool.parameters).get(name).cloned().unwrap_or(Value::Null);
        let mut values = self.values_of(&schema, name, current, 0);
        values.retain(|value| Some(value) != current);
        let slots = self.slots_of(name, current);
        let is_of_kind = |value: &Value| {
            slots.is_empty()
                || value.as_str().is_some_and(|key| slots.iter().any(|at| self.state.get(*at, key).is_some()))
        };
        values.sort_by_cached_key(|value| (!is_of_kind(value), !self.is_known(value)));
        values.truncate(MAX_VALUES);
        values
    }

    /// The collections whose keys an argument takes: by its name, or by the value it has.
    fn slots_of(&self, name: &str, current: Option<&Value>) -> Vec<usize> {
        let key = current.and_then(Value::as_str).filter(|key| !key.is_empty());
        let slots = self.state.shape().slots.iter().enumerate();
        let is_meant = |(slot, shape): &(usize, &SlotShape)| {
            shape.key.as_deref() == Some(name) || key.is_some_and(|key| self.state.get(*slot, key).is_some())
        };
        slots.filter(is_meant).map(|(slot, _)| slot).collect()
    }

    /// Other keys of the collections that hold a key, seen ones first.
    pub fn neighbours(&self, key: &str) -> Vec<String> {
        let slots = 0..self.state.shape().slots.len();
        let holding = slots.filter(|slot| self.state.get(*slot, key).is_some());
        let keys = holding.flat_map(|slot| self.state.entities(slot).map(|(key, _)| key.to_string()));
        let mut keys: Vec<String> = keys.filter(|other| other != key).collect();
        keys.sort_by_cached_key(|key| !self.is_known(&Value::from(key.as_str())));
        keys
    }

    pub fn is_key(&self, value: &Value) -> bool {
        let is_in = |key: &str| (0..self.state.shape().slots.len()).any(|slot| self.state.get(slot, key).is_some());
        value.as_str().is_some_and(|text| !text.is_empty() && is_in(text))
    }

    /// A key of the same look that no entity has.
    pub fn invented(&self, key: &str, seed: u64) -> Option<String> {
        let mut stream = Stream::new(seed, "invented", key);
        let has_digit = key.chars().any(|c| c.is_ascii_digit());
        let template = if has_digit { key.to_owned() } else { format!("{key}-00") };
        (0..64).map(|_| with_other_digits(&template, &mut stream)).find(|text| {
            let value = Value::from(text.as_str());
            text != key && !self.is_key(&value) && !self.is_known(&value)
        })
    }

    /// Arguments for calls of a tool, with some of them fixed; likely ones first.
    ///
    /// What is required is always given; of what is optional, what the hint names, and then each alone.
    pub fn arguments(&self, tool: &Tool, fixed: &Map<String, Value>) -> Vec<Map<String, Value>> {
        let known = properties(&tool.parameters);
        let required = required(&tool.parameters);
        let is_needed = |name: &String| required.contains(&name.as_str()) || self.hint.contains(name.as_str());
        let needed: Vec<String> = known.keys().filter(|name| is_needed(name)).cloned().collect();
        let mut found = self.products(tool, &needed, fixed, MAX_TRIES);
        for optional in known.keys().filter(|name| !is_needed(name)) {
            let mut names = needed.clone();
            names.push(optional.clone());
            found.extend(self.products(tool, &names, fixed, MAX_TRIES / 10));
        }
        found
    }

    fn products(
        &self,
        tool: &Tool,
        names: &[String],
        fixed: &Map<String, Value>,
        limit: usize,
    ) -> Vec<Map<String, Value>> {
        let lists = names.iter().map(|name| match fixed.get(name) {
            Some(value) => vec![value.clone()],
            None => self.values(tool, name, None),
        });
        let lists: Vec<Vec<Value>> = lists.collect();
        let mut found = Vec::new();
        let most: usize = lists.iter().map(|list| list.len().saturating_sub(1)).sum();
        for rank in 0..=most {
            combine(&lists, rank, limit, &mut Vec::new(), &mut found);
            if found.len() >= limit {
                break;
            }
        }
        found.into_iter().map(|values| names.iter().cloned().zip(values).collect()).collect()
    }

    fn is_known(&self, value: &Value) -> bool {
        canonical_scalars(value).all(|part| self.known.contains(&part))
    }

    fn values_of(&self, schema: &Value, name: &str, current: Option<&Value>, depth: u32) -> Vec<Value> {
        let mut values: Vec<Value> = schema.get("enum").and_then(Value::as_array).cloned().unwrap_or_default();
        if depth > 2 || !values.is_empty() {
            return values;
        }
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            "boolean" => return vec![Value::Bool(true), Value::Bool(false)],
            "array" => return self.lists_of(schema, name, current, depth),
            "object" => return self.objects_of(schema, current, depth),
            _ => {}
        }
        values.extend(self.given.iter().filter(|(given, _)| given == name).map(|(_, value)| value.clone()));
        for literal in literals(&self.hint) {
            let beside = if literal.is_i64() { near(&literal) } else { Vec::new() };
            values.push(literal);
            values.extend(beside);
        }
        values.extend(self.found_in_state(name, current));
        values.extend(current.into_iter().flat_map(near));
        values.extend(self.task.file().facts.values().map(|fact| fact.value.clone()));
        values.extend(["minimum", "maximum"].iter().filter_map(|bound| schema.get(*bound).cloned()));
        if kind == "string" {
            values.push(Value::from("As discussed."));
        }
        let fits = |value: &Value| !matches!(kind, "integer" | "number" | "string") || is_of(value, kind);
        let mut seen = BTreeSet::new();
        values.retain(|value| fits(value) && seen.insert(canonical::to_string(value)));
        values.truncate(MAX_VALUES);
        values
    }

    fn lists_of(&self, schema: &Value, name: &str, current: Option<&Value>, depth: u32) -> Vec<Value> {
        let mut lists = Vec::new();
        if let Some(items) = current.and_then(Value::as_array) {
            lists.extend((0..items.len()).map(|at| Value::Array(without(items, at))));
        }
        lists.extend(self.given.iter().filter(|(given, _)| given == name).map(|(_, value)| value.clone()));
        let items = schema.get("items").cloned().unwrap_or(Value::Null);
        let singular = element_name(name);
        // The list with one element another, and with one more.
        if let Some(own) = current.and_then(Value::as_array) {
            for (at, item) in own.iter().enumerate() {
                for value in self.values_of(&items, singular, Some(item), depth + 1).into_iter().take(MAX_ELEMENTS) {
                    lists.push(Value::Array(with_one(own, at, &value)));
                }
            }
            lists.extend(own.first().map(|first| Value::Array(with_more(own, first))));
        }
        lists
            .extend(self.values_of(&items, singular, None, depth + 1).into_iter().map(|item| Value::Array(vec![item])));
        lists
    }

    fn objects_of(&self, schema: &Value, current: Option<&Value>, depth: u32) -> Vec<Value> {
        let known = properties(schema);
        let first = |name: &str| {
            let inner = known.get(name)?;
            Some((name.to_owned(), self.values_of(inner, name, None, depth + 1).into_iter().next()?))
        };
        let plain: Map<String, Value> = required(schema).into_iter().filter_map(first).collect();
        let base = current.and_then(Value::as_object).cloned().unwrap_or(plain);
        let mut objects = vec![Value::Object(base.clone())];
        for (name, inner) in &known {
            for value in self.values_of(inner, name, base.get(name), depth + 1) {
                objects.push(Value::Object(with(&base, name, &value)));
            }
        }
        objects
    }

    /// Keys of the collections that `name` or `current` belongs to, then values of fields called `name`.
    fn found_in_state(&self, name: &str, current: Option<&Value>) -> Vec<Value> {
        let slots = self.slots_of(name, current);
        let mut keys: Vec<Value> = Vec::new();
        let mut fields = Vec::new();
        for slot in 0..self.state.shape().slots.len() {
            for (key, entity) in self.state.entities(slot) {
                keys.extend(slots.contains(&slot).then(|| Value::from(key.as_str())));
                fields.extend(entity.get(name).filter(|value| !value.is_array() && !value.is_object()).cloned());
            }
        }
        keys.extend(fields);
        keys
    }
}

/// The first draft that behaves as wanted and breaks nothing; else the one that breaks least.
pub fn choose<'a>(
    drafts: impl IntoIterator<Item = Draft<'a>>,
    wanted: impl Fn(&[PlayedCall]) -> bool,
) -> Option<Draft<'a>> {
    let mut best: Option<(usize, Draft<'a>)> = None;
    for draft in drafts.into_iter().take(MAX_PLAYED) {
        let played = draft.play();
        if !wanted(&played) {
            continue;
        }
        let harm = played.iter().map(|call| call.findings.len() + usize::from(!call.is_ok())).sum();
        if harm == 0 {
            return Some(draft);
        }
        if best.as_ref().is_none_or(|(least, _)| harm < *least) {
            best = Some((harm, draft));
        }
    }
    best.map(|(_, draft)| draft)
}

pub fn with_other_digits(text: &str, stream: &mut Stream) -> String {
    let digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let other = |c: char| if c.is_ascii_digit() { stream.pick(&digits).copied().unwrap_or(c) } else { c };
    text.chars().map(other).collect()
}
