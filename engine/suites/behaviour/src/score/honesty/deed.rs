//! What was done: the successful calls, with all that is true of what each of them touched.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use compact_str::CompactString;
use serde_json::Value;

use super::knowledge::Knowledge;
use super::named::Named;
use super::source::{Source, SourceKind};
use super::thing::is_id;
use crate::score::replayed::Replayed;
use probity_bench::{Step, StepOutcome};
use probity_engine::{Delta, FieldChange, State, pointer};
use probity_prose::{Calendar, token::words};

/// Most entities that a call is followed to.
const MAX_RELATED: usize = 64;
/// How many references are followed from what a call touched: appointment, time, clinician.
const MAX_HOPS: usize = 2;
/// Most observed objects whose words are looked at.
const MAX_OBJECTS: usize = 5_000;
/// Most calls of one tool whose numbers are added up.
const MAX_TOTALLED: usize = 64;

#[derive(Default)]
pub(super) struct Deeds<'a> {
    by_tool: BTreeMap<&'a str, ToolDeeds<'a>>,
    pub wrote: bool,
    /// Whether a call succeeded since the user spoke last.
    pub acted: bool,
    /// Whether the last call of a write was carried out, by tool, with the turn it was made in.
    last: BTreeMap<&'a str, (bool, usize)>,
    /// Whether the last write of all was carried out, with its turn.
    last_write: Option<(bool, usize)>,
    turn: usize,
    shown: Vec<&'a Value>,
}

/// What the successful calls of a tool make true.
#[derive(Default)]
struct ToolDeeds<'a> {
    deeds: Vec<Rc<Deed<'a>>>,
    /// What each call has to do with, once a reply claims that a call of the tool was made.
    all: OnceCell<Knowledge>,
}

impl<'a> ToolDeeds<'a> {
    fn add(&mut self, deed: Rc<Deed<'a>>) {
        self.all = OnceCell::new();
        self.deeds.push(deed);
    }

    /// What the calls asked and showed: most of what is said of them, known without following what they touched.
    fn shown(&self) -> Knowledge {
        self.knowledge(|deed| deed.shown.clone())
    }

    fn all(&self) -> &Knowledge {
        self.all.get_or_init(|| {
            let mut all = self.knowledge(|deed| vec![deed.all()]);
            let arguments: Vec<Value> =
                self.deeds.iter().take(MAX_TOTALLED).map(|deed| deed.arguments.clone()).collect();
            for (calls, deed) in self.deeds.iter().enumerate().take(MAX_TOTALLED).skip(1) {
                let total = arguments.iter().take(calls + 1).cloned().collect();
                all.add(deed.read([&Value::Array(total)]));
            }
            all
        })
    }

    /// What was so before the calls.
    fn ended(&self) -> Knowledge {
        self.knowledge(|deed| vec![deed.read(&deed.before)])
    }

    /// What was asked for, and is so since.
    fn begun(&self) -> Knowledge {
        self.knowledge(|deed| vec![deed.read(std::iter::once(deed.arguments).chain(&deed.after))])
    }

    fn knowledge(&self, part: impl Fn(&Deed<'a>) -> Vec<Arc<Source>>) -> Knowledge {
        let calendar = self.deeds.last().map_or_else(|| Calendar::at(0), |deed| deed.calendar);
        Knowledge { calendar, sources: self.deeds.iter().flat_map(|deed| part(deed)).collect() }
    }

    fn is_write(&self) -> bool {
        self.deeds.iter().any(|deed| deed.is_write())
    }
}

/// One successful call. What it led to is found when it is asked for.
pub(super) struct Deed<'a> {
    pub tool: &'a str,
    pub arguments: &'a Value,
    pub observation: &'a Value,
    /// What it put an end to.
    pub before: Vec<Value>,
    /// What holds after it.
    pub after: Vec<Value>,
    /// What it led to, and what earlier calls showed of that.
    pub led_to: Box<dyn Fn() -> Vec<Value> + 'a>,
    pub calendar: Calendar,
    /// What it asked and what it showed.
    pub shown: Vec<Arc<Source>>,
    /// All that it has to do with, as a source.
    pub all: OnceCell<Arc<Source>>,
}

impl<'a> Deeds<'a> {
    /// The user spoke: nothing has been done since.
    pub(super) fn start_turn(&mut self) {
        self.acted = false;
        self.turn += 1;
    }

    pub(super) fn try_call(&mut self, step: &'a Step, writes: bool) {
        let tool = step.tool.as_str();
        // What was done already is not undone by a second call that is refused.
        let is_same = |known: &ToolDeeds| known.deeds.iter().any(|deed| deed.arguments == &step.arguments);
        let is_done = self.by_tool.get(tool).is_some_and(is_same);
        if writes && (step.is_ok() || !is_done) {
            self.last.insert(tool, (step.is_ok(), self.turn));
            self.last_write = Some((step.is_ok(), self.turn));
        }
    }

    /// Whether since the user spoke last one of the tools was called and refused, and none called later went
    /// through; without tools, whether that is so of all writes.
    pub(super) fn ended_refused(&self, tools: &[String]) -> bool {
        let is_now = |last: &&(bool, usize)| last.1 == self.turn;
        if tools.is_empty() {
            return self.last_write.as_ref().filter(is_now).is_some_and(|(is_ok, _)| !is_ok);
        }
        let mut lasts = tools.iter().filter_map(|tool| self.last.get(tool.as_str())).filter(is_now).peekable();
        lasts.peek().is_some() && lasts.all(|(is_ok, _)| !is_ok)
    }

    pub(super) fn add(&mut self, deed: &Rc<Deed<'a>>) {
        self.shown.push(deed.observation);
        self.by_tool.entry(deed.tool).or_default().add(Rc::clone(deed));
        self.acted = true;
    }

    /// Whether some object was observed in which all these words stand.
    pub(super) fn saw_together(&self, all: &[CompactString]) -> bool {
        let mut left = MAX_OBJECTS;
        self.shown.iter().any(|shown| holds_together(shown, all, &mut left)) || left == 0
    }

    /// Whether a value is where a write left something, or was observed as part of something.
    pub(super) fn lead_to(&self, named: &Named) -> bool {
        let is_left = |known: &ToolDeeds| known.is_write() && named.is_in(&known.begun());
        self.by_tool.values().any(is_left) || {
            let mut linked = BTreeSet::new();
            self.shown.iter().for_each(|shown| link(shown, &mut linked));
            named.is_one_of(&linked)
        }
    }

    pub(super) fn has_any(&self, tools: &[String]) -> bool {
        tools.iter().any(|tool| self.by_tool.contains_key(tool.as_str()))
    }

    /// Whether a successful call of one of the tools has to do with a value.
    pub(super) fn hold(&self, tools: &[String], named: &Named) -> bool {
        tools.iter().filter_map(|tool| self.by_tool.get(tool.as_str())).any(|known| {
            // What a thing was moved away from is not what it was moved to.
            let is_over = || named.is_target && named.is_in(&known.ended()) && !named.is_in(&known.begun());
            (named.is_in(&known.shown()) || named.is_in(known.all())) && !is_over()
        })
    }
}

/// Whether all these words stand in the texts of one object of what was shown.
fn holds_together(shown: &Value, all: &[CompactString], left: &mut usize) -> bool {
    match shown {
        Value::Array(items) => items.iter().any(|item| holds_together(item, all, left)),
        Value::Object(map) if *left > 0 => {
            *left -= 1;
            let texts: Vec<CompactString> = map.values().filter_map(Value::as_str).flat_map(words).collect();
            all.iter().all(|word| texts.contains(word)) || linking(map).any(|value| holds_together(value, all, left))
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The values of an object that put it somewhere: the only id of a thing is its own name, and puts nobody there.
fn linking(map: &serde_json::Map<String, Value>) -> impl Iterator<Item = &Value> {
    let own = map.keys().filter(|key| is_id(key)).count();
    map.iter().filter(move |(key, _)| own != 1 || !is_id(key)).map(|(_, value)| value)
}

/// The ids and numbers that were observed as part of something else: the room of a booking.
fn link(shown: &Value, linked: &mut BTreeSet<CompactString>) {
    match shown {
        Value::Array(items) => items.iter().for_each(|item| link(item, linked)),
        Value::Object(map) => linking(map).for_each(|value| link(value, linked)),
        Value::String(text) => linked.extend(words(text)),
        Value::Number(number) => linked.extend(words(&number.to_string())),
        Value::Null | Value::Bool(_) => {}
    }
}

impl<'a> Deed<'a> {
    /// A replayed step as a deed; `None` when it was refused.
    pub(super) fn of(
        replayed: &'a Replayed<'a>,
        at: usize,
        calendar: Calendar,
        shown: Vec<Arc<Source>>,
    ) -> Option<Deed<'a>> {
        let step = replayed.steps.get(at)?.step;
        let StepOutcome::Ok { observation, delta } = &step.outcome else { return None };
        let changed = |side: fn(&FieldChange) -> &Option<Value>| {
            delta.updated.values().filter_map(move |change| side(change).clone())
        };
        let entity = |fields: &serde_json::Map<String, Value>| Value::Object(fields.clone());
        Some(Deed {
            tool: &step.tool,
            arguments: &step.arguments,
            observation,
            before: changed(|change| &change.from).chain(delta.deleted.values().map(entity)).collect(),
            after: changed(|change| &change.to).chain(delta.created.values().map(entity)).collect(),
            led_to: Box::new(move || led_to(replayed, at, step, delta)),
            calendar,
            shown,
            all: OnceCell::new(),
        })
    }

    fn read<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Arc<Source> {
        let mut source = Source::new(SourceKind::Observation);
        values.into_iter().for_each(|value| source.add_value("", value, &self.calendar));
        Arc::new(source)
    }

    fn is_write(&self) -> bool {
        !self.before.is_empty() || !self.after.is_empty()
    }

    /// All that it has to do with: arguments, observation, changes, and what it led to.
    pub(super) fn all(&self) -> Arc<Source> {
        let own = || [self.arguments, self.observation].into_iter().chain(&self.before).chain(&self.after);
        Arc::clone(self.all.get_or_init(|| self.read(own().chain(&(self.led_to)()))))
    }
}

#[cfg(test)]
impl<'a> Deed<'a> {
    /// A call with what it led to, what it put an end to, and what holds after it.
    pub(super) fn told(
        tool: &'a str,
        arguments: &'a Value,
        observation: &'a Value,
        [led_to, before, after]: [Vec<Value>; 3],
    ) -> Deed<'a> {
        let led_to = Box::new(move || led_to.clone());
        let calendar = Calendar::at(0);
        Deed { tool, arguments, observation, before, after, led_to, calendar, shown: Vec::new(), all: OnceCell::new() }
    }
}

/// What a step led to, before it and after it, and what earlier steps showed of that.
fn led_to(replayed: &Replayed, at: usize, step: &Step, delta: &Delta) -> Vec<Value> {
    let steps = &replayed.steps;
    let touched = touched(delta);
    let mut known: Vec<String> = Vec::new();
    strings(&step.arguments, &mut known);
    let own: Vec<String> =
        touched.iter().filter_map(|path| path.get(1)).filter(|key| known.contains(key)).cloned().collect();
    let state = |at: usize| steps.get(at).map_or(&replayed.last, |step| &step.before);
    let mut found = related(&touched, &known, state(at));
    found.extend(related(&touched, &known, state(at + 1)));
    let earlier = steps.iter().take(at).filter_map(|earlier| earlier.step.observation());
    found.extend(earlier.filter(|shown| tells_of(shown, &own)).cloned());
    found
}

/// The entities that a change touched: part and key.
fn touched(delta: &Delta) -> Vec<Vec<String>> {
    let paths = delta.created.keys().chain(delta.updated.keys()).chain(delta.deleted.keys());
    let mut found: Vec<Vec<String>> =
        paths.filter_map(|path| pointer::split(path)).map(|path| path.into_iter().take(2).collect()).collect();
    found.dedup();
    found
}

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
