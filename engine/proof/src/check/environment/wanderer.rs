//! Draws the calls of a journey, one after the other: what the state and earlier observations offer, the extremes of
//! what schemas allow, and the same write again, as it was or with another value.

use serde_json::Value;

use super::domain::Around;
use super::draw::{Caller, Domains, OK};
use super::vocabulary::{Nearness, Vocabulary};
use probity_engine::{Effect, Environment, Fields, State, Stepped, Stream, ToolCall};

/// Values of observations that are kept by name.
const OBSERVED: usize = 8;
/// A write is made again less often than this.
const REPEATS: u64 = 12;

pub struct Wanderer<'a> {
    environment: &'a Environment,
    callers: Vec<Caller>,
    domains: Vec<Domains>,
    /// The latest values that calls of this journey returned, by the names they stood under.
    observed: Vocabulary,
    last: Option<(usize, Fields)>,
    again: Option<Again>,
}

struct Again {
    tool: usize,
    arguments: Fields,
    left: u64,
    /// The parameter whose value is another each time, so that what is alike can meet; without one the call is as it
    /// was, until it is refused.
    varied: Option<usize>,
}

impl<'a> Wanderer<'a> {
    pub fn new(environment: &'a Environment, start: &State) -> Self {
        let callers: Vec<Caller> = environment.tools().iter().map(Caller::new).collect();
        let (state, known) = (Vocabulary::of_state(start), Vocabulary::default());
        let domains = callers.iter().map(|caller| {
            caller.domains(&Around { state: &state, known: &known, clock: start.clock(), root: caller.root() })
        });
        let domains = domains.collect();
        Wanderer { environment, callers, domains, observed: Vocabulary::default(), last: None, again: None }
    }

    /// A journey starts: nothing has been observed.
    pub fn depart(&mut self) {
        self.observed = Vocabulary::of_latest(OBSERVED);
        self.last = None;
        self.again = None;
    }

    pub fn next(&mut self, state: &State, stream: &mut Stream) -> Option<(usize, ToolCall)> {
        self.again.take_if(|again| again.left == 0);
        let (tool, arguments) = match &mut self.again {
            Some(again) => {
                again.left -= 1;
                let (caller, domains) = self.callers.get(again.tool).zip(self.domains.get(again.tool))?;
                let arguments = &again.arguments;
                let varied = again.varied.map(|at| caller.varied(at, (domains, arguments), state, stream));
                (again.tool, varied.unwrap_or_else(|| arguments.clone()))
            }
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
        // One call in four is one that succeeded, but for a value at its edge.
        let edge = if stream.chance(1, 4) { caller.at_an_edge(domains, stream) } else { None };
        if let Some(edge) = edge {
            return Some((tool, edge));
        }
        let mut arguments = caller.draw(domains, state, stream);
        for name in caller.names() {
            if stream.chance(1, 4) {
                let seen = self.observed.near(name, Nearness::Ending);
                let seen = stream.pick(&seen).filter(|value| caller.takes(name, value));
                arguments.extend(seen.map(|value| (name.to_owned(), value.clone())));
            }
        }
        Some((tool, arguments))
    }

    pub fn learn(&mut self, tool: usize, stepped: &Stepped, stream: &mut Stream) {
        let Some((caller, (_, arguments))) = self.callers.get_mut(tool).zip(self.last.as_ref()) else { return };
        match &stepped.result {
            Ok(applied) => {
                caller.remember(format!("{OK}{}", applied.delta.is_empty()), arguments, stream);
                self.observed.add("", &applied.observation);
                // One write in four is made again up to a dozen times.
                if self.again.is_none() && !applied.delta.is_empty() && stream.chance(1, 4) {
                    let (arguments, left) = (arguments.clone(), stream.below(REPEATS));
                    let varied = if stream.chance(2, 3) { caller.any_parameter(stream) } else { None };
                    self.again = Some(Again { tool, arguments, left, varied });
                }
            }
            Err(rejection) => {
                self.again.take_if(|again| again.varied.is_none());
                caller.remember(rejection.code.clone(), arguments, stream);
            }
        }
    }
}
