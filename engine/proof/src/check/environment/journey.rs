//! Random journeys through environments: many populated states, chains of calls from each, and of every author's
//! fault a short journey that shows it. Drawn is what the state and earlier observations offer, the extremes of what
//! schemas allow, and the same write again, as it was or with another value.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::Value;

use super::domain::Around;
use super::draw::{Caller, Domains, OK};
use super::findings::{BROKEN, Findings, Flaw, FlawKey, broken, fault_of_event, fault_of_tool};
use super::places::ReachableState;
use super::vocabulary::{Nearness, Vocabulary};
use probity_behaviour::suite::Suite;
use probity_engine::{Diagnostic, Difficulty, Effect, Environment, Fields, Problem, State, Stepped, Stream, ToolCall};

/// Calls of one journey at most.
const LENGTH: u64 = 64;
/// Calls from one populated state at most; fewer, where so many calls would leave out environments or sizes.
const UNIT: u64 = 64 * LENGTH;

#[derive(Default)]
pub struct Journeys {
    /// The faults, placed in the environments' files.
    pub diagnostics: Vec<Diagnostic>,
    pub calls: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    size: Difficulty,
    seed: u64,
}

#[derive(Clone)]
struct Journey {
    origin: Start,
    calls: Vec<ToolCall>,
}

/// What looks on at each call of a journey: the environment, the state before, the call and what came of it.
pub type Onlooker<'a> = &'a (dyn Fn(&Environment, &State, &ToolCall, &Stepped) + Sync);

/// By the position of the tool and what the fault is.
type Faults = BTreeMap<(usize, FlawKey), Journey>;

/// From how many populated states so many calls are made.
pub fn units(suite: &Suite, calls: u64) -> u64 {
    calls.div_ceil(unit(travelled(suite).len() as u64, calls))
}

/// How many calls are made from one state.
fn unit(environments: u64, calls: u64) -> u64 {
    let sizes = Difficulty::ALL.len() as u64;
    calls.div_ceil(sizes * environments.max(1)).next_multiple_of(LENGTH).clamp(LENGTH, UNIT)
}

/// The environments that are travelled: of a task that was named alone its environment as well.
fn travelled(suite: &Suite) -> BTreeMap<&str, &Environment> {
    let of_tasks = suite.tasks.values().map(|loaded| loaded.task.environment());
    suite.environments.values().chain(of_tasks).map(|one| (one.id(), one.as_ref())).collect()
}

/// Makes so many calls over all environments of a suite; `is_done` is told of each unit. The result is the same with
/// any number of threads.
pub fn travel(suite: &Suite, calls: u64, is_done: &(dyn Fn() + Sync)) -> Journeys {
    watched(suite, calls, is_done, &|_, _, _, _| ())
}

pub fn watched(suite: &Suite, calls: u64, is_done: &(dyn Fn() + Sync), onlooker: Onlooker) -> Journeys {
    let by_id = travelled(suite);
    let environments: Vec<&Environment> = by_id.values().copied().collect();
    let of_all = environments.len() as u64;
    let long = unit(of_all, calls);
    let unit = |index: u64| {
        let environment = environments.get(usize::try_from(index % of_all.max(1)).ok()?)?;
        let round = index / of_all;
        let size = Difficulty::ALL.get(usize::try_from(round % 3).ok()?).copied()?;
        let origin = Start { size, seed: 1 + round / 3 };
        let found = from_origin(environment, origin, long.min(calls - index * long), onlooker);
        is_done();
        Some((environment.id(), found))
    };
    let found: Vec<(&str, (Faults, u64))> = (0..calls.div_ceil(long)).into_par_iter().filter_map(unit).collect();
    let mut journeys = Journeys::default();
    let mut faults: BTreeMap<&str, Faults> = BTreeMap::new();
    for (id, (found, calls)) in found {
        journeys.calls += calls;
        let known = faults.entry(id).or_default();
        found.into_iter().for_each(|(key, journey)| keep_shorter(known, key, journey));
    }
    for (id, faults) in faults {
        let (Some(environment), Some(file)) = (by_id.get(id), suite.files.get(id)) else { continue };
        journeys.diagnostics.extend(file.diagnose(problems(environment, faults)));
    }
    journeys
}

/// Journeys from the state of one size and seed; the faults, and how many calls were made.
fn from_origin(environment: &Environment, origin: Start, calls: u64, onlooker: Onlooker) -> (Faults, u64) {
    let mut faults = Faults::new();
    // A state that cannot be made is found by the checks of `populate`.
    let Ok(start) = environment.populate(origin.size, origin.seed) else { return (faults, 0) };
    for flaw in broken(environment, &start) {
        faults.insert((0, flaw.key()), Journey { origin, calls: Vec::new() });
    }
    if !faults.is_empty() {
        return (faults, 0);
    }
    let name = format!("{} {} {}", environment.id(), origin.size.name(), origin.seed);
    let mut stream = Stream::new(origin.seed, "journey", &name);
    let mut wanderer = Wanderer::new(environment, &start);
    let mut made = 0;
    while made < calls {
        wanderer.depart();
        let (mut state, mut path) = (start.clone(), Vec::new());
        for _ in 0..LENGTH.min(calls - made) {
            let Some((tool, call)) = wanderer.next(&state, &mut stream) else { return (faults, made) };
            made += 1;
            let Some(stepped) = step(environment, &state, &call) else { return (faults, made) };
            onlooker(environment, &state, &call, &stepped);
            wanderer.learn(tool, &stepped, &mut stream);
            path.push(call);
            let found =
                path.last().map(|call| faults_of(environment, tool, &state, call, &stepped)).unwrap_or_default();
            for flaw in &found {
                let journey = Journey { origin, calls: path.clone() };
                keep_shorter(&mut faults, (tool, flaw.key()), journey);
            }
            if stepped.after.sum() == state.sum() {
                path.pop();
            }
            // What is broken stays so, and would be told again of every call.
            if found.iter().any(|flaw| flaw.code == BROKEN) {
                break;
            }
            state = stepped.after;
        }
    }
    (faults, made)
}

fn step(environment: &Environment, state: &State, call: &ToolCall) -> Option<Stepped> {
    Some(environment.step(state, call, environment.tool(&call.tool)?.actor))
}

fn faults_of(environment: &Environment, tool: usize, before: &State, call: &ToolCall, stepped: &Stepped) -> Vec<Flaw> {
    match &stepped.result {
        Err(rejection) if rejection.kind.is_author_fault() => {
            let of_event = fault_of_event(environment, before, call, rejection);
            of_event.or_else(|| fault_of_tool(environment, tool, (before, call), rejection)).into_iter().collect()
        }
        _ if stepped.after.sum() != before.sum() => broken(environment, &stepped.after),
        Ok(_) | Err(_) => Vec::new(),
    }
}

fn keep_shorter(faults: &mut Faults, key: (usize, FlawKey), journey: Journey) {
    let is_shorter = |known: &Journey| journey.calls.len() < known.calls.len();
    if faults.get(&key).is_none_or(is_shorter) {
        faults.insert(key, journey);
    }
}

/// The faults as problems, each with the short journey that dropping calls leads to.
fn problems(environment: &Environment, faults: Faults) -> Vec<Problem> {
    let mut findings = Findings::default();
    for ((tool, key), journey) in faults {
        let Start { size, seed } = journey.origin;
        let Ok(start) = environment.populate(size, seed) else { continue };
        let flaw_of = |calls: &[ToolCall]| shown(environment, &start, calls).into_iter().find(|flaw| flaw.key() == key);
        let calls = shortened(journey.calls, &|calls| flaw_of(calls).is_some());
        let flaw = flaw_of(&calls);
        let origin = format!("populate ({}, seed {seed})", size.name());
        let Some(flaw) = flaw else { continue };
        let mut place = ReachableState::start(start, origin, tool);
        match calls.split_last() {
            Some((last, path)) => {
                place.path = path.to_vec();
                findings.add(flaw, &place, last);
            }
            None => findings.add_start(flaw, &place),
        }
    }
    findings.into_problems()
}

/// What the last of some calls shows, or the start where there are none.
fn shown(environment: &Environment, start: &State, calls: &[ToolCall]) -> Vec<Flaw> {
    let Some((last, path)) = calls.split_last() else { return broken(environment, start) };
    let before = path.iter().try_fold(start.clone(), |state, call| Some(step(environment, &state, call)?.after));
    let tool = environment.tools().iter().position(|tool| tool.name == last.tool);
    let Some((before, tool)) = before.zip(tool) else { return Vec::new() };
    let stepped = step(environment, &before, last);
    stepped.map(|stepped| faults_of(environment, tool, &before, last, &stepped)).unwrap_or_default()
}

/// The calls without those that are not needed to show what they show: none of those left can be dropped alone.
fn shortened(mut calls: Vec<ToolCall>, shows: &dyn Fn(&[ToolCall]) -> bool) -> Vec<ToolCall> {
    loop {
        let before = calls.len();
        for index in (0..before.saturating_sub(1)).rev() {
            let mut fewer = calls.clone();
            fewer.remove(index);
            if shows(&fewer) {
                calls = fewer;
            }
        }
        if calls.len() == before {
            return calls;
        }
    }
}

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
            caller.domains(&Around { state: &state, known: &known, clock: start.clock(), root: &caller.root })
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
