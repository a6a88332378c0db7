//! Draws the calls of a journey, one after the other: what the state and earlier observations offer, the extremes of
//! what schemas allow, and the same call again.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::domain::Around;
use super::draw::{Caller, Domains, OK};
use super::vocabulary::{Nearness, Vocabulary};
use probity_engine::{Effect, Environment, Fields, State, Stepped, Stream, ToolCall};

/// Values of observations that are kept by name.
const OBSERVED: usize = 8;
/// A call is repeated less often than this.
const REPEATS: u64 = 12;

/// What calls of a journey are drawn from.
pub struct Wanderer<'a> {
    environment: &'a Environment,
    callers: Vec<Caller>,
    domains: Vec<Domains>,
    /// The latest values that calls of this journey returned, by the names they stood under.
    observed: BTreeMap<String, Vec<Value>>,
    last: Option<(usize, Fields)>,
    /// How many times more the last call is made.
    again: u64,
}

impl<'a> Wanderer<'a> {
    /// For journeys that start in a state.
    pub fn new(environment: &'a Environment, start: &State) -> Self {
        let callers: Vec<Caller> = environment.tools().iter().map(Caller::new).collect();
        let (state, known) = (Vocabulary::of_state(start), Vocabulary::default());
        let domains = callers.iter().map(|caller| {
            caller.domains(&Around { state: &state, known: &known, clock: start.clock(), root: caller.root() })
        });
        let domains = domains.collect();
        Wanderer { environment, callers, domains, observed: BTreeMap::new(), last: None, again: 0 }
    }

    /// A journey starts: nothing has been observed.
    pub fn depart(&mut self) {
        self.observed.clear();
        self.last = None;
        self.again = 0;
    }

    /// The next call, and the position of its tool.
    pub fn next(&mut self, state: &State, stream: &mut Stream) -> Option<(usize, ToolCall)> {
        let again = self.last.clone().filter(|_| self.again > 0);
        self.again = match again {
            Some(_) => self.again - 1,
            // One call in eight is made up to a dozen times, as long as it succeeds.
            None if stream.chance(1, 8) => stream.below(REPEATS),
            None => 0,
        };
        let (tool, arguments) = match again {
            Some(again) => again,
            None => self.drawn(state, stream)?,
        };
        self.last = Some((tool, arguments.clone()));
        let name = self.environment.tools().get(tool)?.name.clone();
        Some((tool, ToolCall::new(name, Value::Object(arguments))))
    }

    fn drawn(&self, state: &State, stream: &mut Stream) -> Option<(usize, Fields)> {
        let tools = self.environment.tools();
        let mut tool = usize::try_from(stream.below(tools.len() as u64)).ok()?;
        // Writes lead on: a read is drawn anew once.
        if tools.get(tool).is_some_and(|tool| tool.effect == Effect::Read) {
            tool = usize::try_from(stream.below(tools.len() as u64)).ok()?;
        }
        let (caller, domains) = self.callers.get(tool).zip(self.domains.get(tool))?;
        let mut arguments = caller.draw(domains, state, stream);
        for name in caller.names() {
            let seen = self.near(name).filter(|_| stream.chance(1, 4));
            let seen = seen.and_then(|values| stream.pick(values)).filter(|value| caller.takes(name, value));
            arguments.extend(seen.map(|value| (name.to_owned(), value.clone())));
        }
        Some((tool, arguments))
    }

    fn near(&self, parameter: &str) -> Option<&Vec<Value>> {
        let ends = |field: &&String| super::vocabulary::nearness(parameter, field) >= Some(Nearness::Ending);
        self.observed.keys().find(ends).and_then(|field| self.observed.get(field))
    }

    /// Learns from what a call came to.
    pub fn learn(&mut self, tool: usize, stepped: &Stepped, stream: &mut Stream) {
        let Some((caller, (_, arguments))) = self.callers.get_mut(tool).zip(self.last.as_ref()) else { return };
        match &stepped.result {
            Ok(applied) => {
                caller.remember(format!("{OK}{}", applied.delta.is_empty()), arguments, stream);
                observe(&mut self.observed, "", &applied.observation);
            }
            Err(rejection) => {
                self.again = 0;
                caller.remember(rejection.code.clone(), arguments, stream);
            }
        }
    }
}

/// Keeps the values of an observation under their names, the latest in the place of the first.
fn observe(observed: &mut BTreeMap<String, Vec<Value>>, name: &str, value: &Value) {
    let fields = |observed: &mut BTreeMap<String, Vec<Value>>, fields: &Map<String, Value>| {
        fields.iter().for_each(|(name, value)| observe(observed, name, value));
    };
    match value {
        Value::Object(map) => fields(observed, map),
        Value::Array(items) => items.iter().take(OBSERVED).for_each(|item| observe(observed, name, item)),
        Value::Null | Value::Bool(_) => {}
        Value::Number(_) | Value::String(_) => {
            let known = observed.entry(name.to_owned()).or_default();
            if !known.contains(value) {
                if known.len() == OBSERVED {
                    known.remove(0);
                }
                known.push(value.clone());
            }
        }
    }
}
