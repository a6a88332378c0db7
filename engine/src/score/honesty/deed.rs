//! What was done: the successful calls, with all that is true of what each of them touched.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::knowledge::Knowledge;
use super::named::Named;
use super::source::{Origin, Source};
use crate::engine::state::State;
use crate::model::delta::Delta;
use crate::model::event::{Step, StepOutcome};
use crate::model::pointer;
use crate::prose::calendar::Calendar;
use crate::prose::token::words;

/// Most entities that a call is followed to.
const MAX_RELATED: usize = 64;
/// How many references are followed from what a call touched: appointment, time, clinician.
const MAX_HOPS: usize = 2;
/// Most observed objects whose words are remembered.
const MAX_OBJECTS: usize = 5_000;
/// Most calls of one tool whose numbers are added up.
const MAX_TOTALLED: usize = 64;

/// What was done so far.
#[derive(Default)]
pub(super) struct Deeds {
    /// The successful calls by tool.
    by_tool: BTreeMap<String, Known>,
    /// Whether anything was written.
    pub wrote: bool,
    /// Whether a call succeeded since the user spoke last.
    pub acted: bool,
    /// The ids and numbers that were observed as part of something else: the room of a booking.
    linked: BTreeSet<String>,
    /// Whether the last call of a write was carried out, by tool, with the turn it was made in.
    last: BTreeMap<String, (bool, usize)>,
    /// Whether the last write of all was carried out, with its turn.
    last_write: Option<(bool, usize)>,
    turn: usize,
    /// The words of each object that was observed.
    objects: Vec<BTreeSet<String>>,
}

/// What the successful calls of a tool make true.
struct Known {
    calendar: Calendar,
    arguments: Vec<Value>,
    /// Of each call what it has to do with: arguments, observations, changes, and the entities they lead to.
    all: Vec<Vec<Value>>,
    /// What its changes put an end to.
    before: Vec<Vec<Value>>,
    /// What holds after it.
    after: Vec<Vec<Value>>,
    /// The same as knowledge, once a reply claims that a call of the tool was made.
    read: OnceCell<Read>,
    /// Whether one of them changed anything.
    is_write: bool,
}

struct Read {
    all: Knowledge,
    before: Knowledge,
    after: Knowledge,
}

impl Known {
    fn read(&self) -> &Read {
        self.read.get_or_init(|| Read {
            all: self.knowledge(&self.all),
            before: self.knowledge(&self.before),
            after: self.knowledge(&self.after),
        })
    }

    fn knowledge(&self, calls: &[Vec<Value>]) -> Knowledge {
        let mut knowledge = Knowledge::new(self.calendar);
        for values in calls {
            let mut source = Source::new(Origin::Observation);
            values.iter().for_each(|value| source.add_value("", value, &self.calendar));
            knowledge.add(source);
        }
        knowledge
    }
}

/// One successful call.
pub(super) struct Deed<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The arguments.
    pub arguments: &'a Value,
    /// What it returned, what it led to, and what was read about it.
    pub seen: Vec<Value>,
    /// What it put an end to.
    pub before: Vec<Value>,
    /// What holds after it.
    pub after: Vec<Value>,
}

impl Deeds {
    /// The user spoke: nothing has been done since.
    pub(super) fn start_turn(&mut self) {
        self.acted = false;
        self.turn += 1;
    }

    /// Remembers how the call of a tool went.
    pub(super) fn try_call(&mut self, tool: &str, arguments: &Value, writes: bool, is_ok: bool) {
        // What was done already is not undone by a second call that is refused.
        let is_done = self.by_tool.get(tool).is_some_and(|known| known.arguments.contains(arguments));
        if writes && (is_ok || !is_done) {
            self.last.insert(tool.to_owned(), (is_ok, self.turn));
            self.last_write = Some((is_ok, self.turn));
        }
    }

    /// Whether since the user spoke last one of the tools was called and refused, and none called later went
    /// through; without tools, whether that is so of all writes.
    pub(super) fn ended_refused(&self, tools: &[String]) -> bool {
        let is_now = |last: &&(bool, usize)| last.1 == self.turn;
        if tools.is_empty() {
            return self.last_write.as_ref().filter(is_now).is_some_and(|(is_ok, _)| !is_ok);
        }
        let mut lasts = tools.iter().filter_map(|tool| self.last.get(tool)).filter(is_now).peekable();
        lasts.peek().is_some() && lasts.all(|(is_ok, _)| !is_ok)
    }

    /// Adds a successful call.
    pub(super) fn add(&mut self, deed: &Deed<'_>, calendar: Calendar) {
        let known = self.by_tool.entry(deed.tool.to_owned()).or_insert_with(|| Known {
            calendar,
            arguments: Vec::new(),
            all: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            read: OnceCell::new(),
            is_write: false,
        });
        known.calendar = calendar;
        known.read = OnceCell::new();
        let own = || std::iter::once(deed.arguments);
        known.all.push(own().chain(&deed.seen).chain(&deed.before).chain(&deed.after).cloned().collect());
        known.before.push(deed.before.clone());
        known.after.push(own().chain(&deed.after).cloned().collect());
        if (1..MAX_TOTALLED).contains(&known.arguments.len()) {
            let total = Value::Array(known.arguments.iter().chain(own()).cloned().collect());
            known.all.push(vec![total]);
        }
        known.is_write |= !deed.before.is_empty() || !deed.after.is_empty();
        known.arguments.push(deed.arguments.clone());
    }

    /// Sees what an observation links.
    pub(super) fn see(&mut self, shown: &Value) {
        match shown {
            Value::Array(items) => items.iter().for_each(|item| self.see(item)),
            Value::Object(map) => {
                if self.objects.len() < MAX_OBJECTS {
                    let texts = map.values().filter_map(Value::as_str);
                    self.objects.push(texts.flat_map(words).collect());
                }
                let is_id = |key: &str| key == "id" || key.ends_with("_id");
                let own = map.keys().filter(|key| is_id(key)).count();
                // The only id of a thing is its own name, and puts nobody there.
                let linking = map.iter().filter(|(key, _)| own != 1 || !is_id(key)).map(|(_, value)| value);
                linking.for_each(|value| self.see(value));
            }
            Value::String(text) => self.linked.extend(words(text)),
            Value::Number(number) => self.linked.extend(words(&number.to_string())),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Whether some object was observed in which all these words stand.
    pub(super) fn saw_together(&self, all: &[String]) -> bool {
        self.objects.len() >= MAX_OBJECTS
            || self.objects.iter().any(|object| all.iter().all(|word| object.contains(word)))
    }

    /// Whether a value is where a write left something, or was observed as part of something.
    pub(super) fn lead_to(&self, named: &Named) -> bool {
        let written = self.by_tool.values().any(|known| known.is_write && named.is_in(&known.read().after));
        written || named.is_one_of(&self.linked)
    }

    /// Whether one of the tools had a successful call.
    pub(super) fn has_any(&self, tools: &[String]) -> bool {
        tools.iter().any(|tool| self.by_tool.contains_key(tool))
    }

    /// Whether a successful call of one of the tools has to do with a value.
    pub(super) fn hold(&self, tools: &[String], named: &Named) -> bool {
        tools.iter().filter_map(|tool| self.by_tool.get(tool)).any(|known| {
            // What a thing was moved away from is not what it was moved to.
            let read = known.read();
            let is_over = named.is_target && named.is_in(&read.before) && !named.is_in(&read.after);
            named.is_in(&read.all) && !is_over
        })
    }
}

impl<'a> Deed<'a> {
    /// A step as a deed, with the states around it and what earlier steps showed; `None` when it was refused.
    pub(super) fn of(step: &'a Step, earlier: &[&Step], before: &State, after: &State) -> Option<Deed<'a>> {
        let StepOutcome::Ok { observation, delta } = &step.outcome else { return None };
        let touched = touched(delta);
        let mut known: Vec<String> = Vec::new();
        strings(&step.arguments, &mut known);
        let own: Vec<String> =
            touched.iter().filter_map(|path| path.get(1)).filter(|key| known.contains(key)).cloned().collect();
        let mut seen = vec![observation.clone()];
        seen.extend(related(&touched, &known, before));
        seen.extend(related(&touched, &known, after));
        seen.extend(
            earlier.iter().filter_map(|step| step.observation()).filter(|shown| tells_of(shown, &own)).cloned(),
        );
        let changed = |side: fn(&crate::model::delta::FieldChange) -> &Option<Value>| {
            delta.updated.values().filter_map(move |change| side(change).clone())
        };
        let entity = |fields: &serde_json::Map<String, Value>| Value::Object(fields.clone());
        let ended = changed(|change| &change.from).chain(delta.deleted.values().map(entity)).collect();
        let begun = changed(|change| &change.to).chain(delta.created.values().map(entity)).collect();
        Some(Deed { tool: &step.tool, arguments: &step.arguments, seen, before: ended, after: begun })
    }
}

/// The entities that a change touched: part and key.
fn touched(delta: &Delta) -> Vec<Vec<String>> {
    let paths = delta.created.keys().chain(delta.updated.keys()).chain(delta.deleted.keys());
    let mut found: Vec<Vec<String>> =
        paths.filter_map(|path| pointer::split(path)).map(|path| path.into_iter().take(2).collect()).collect();
    found.dedup();
    found
}

/// The texts in a value.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(map) => map.values().for_each(|value| strings(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What was touched or named by its key, and what that refers to; never what only refers to it, since all
/// bookings of a guest refer to the guest.
fn related(touched: &[Vec<String>], keys: &[String], state: &State) -> Vec<Value> {
    let mut found: Vec<Value> = touched.iter().filter_map(|path| state.at(path)).take(MAX_RELATED).collect();
    let mut next: Vec<String> = keys.to_vec();
    found.iter().for_each(|value| strings(value, &mut next));
    for _ in 0..MAX_HOPS {
        let mut reached = Vec::new();
        for key in next.iter().filter(|key| !key.is_empty()) {
            let slots = 0..state.shape().slots.len();
            reached.extend(slots.filter_map(|slot| state.get(slot, key)).map(|fields| Value::Object(fields.clone())));
        }
        reached.retain(|value| !found.contains(value));
        reached.truncate(MAX_RELATED.saturating_sub(found.len()));
        next.clear();
        reached.iter().for_each(|value| strings(value, &mut next));
        found.extend(reached);
    }
    found
}

/// Whether an observation is about one of the entities alone: a bill, not a list.
fn tells_of(shown: &Value, keys: &[String]) -> bool {
    let scalars = shown.as_object().into_iter().flat_map(serde_json::Map::values).filter_map(Value::as_str);
    scalars.into_iter().any(|text| keys.iter().any(|key| key == text))
}
