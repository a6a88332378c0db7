//! The exploration itself: rounds over states, calls of every tool in each, and what is learnt from them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Exploration;
use super::cases::{Cases, End, end_of};
use super::domain::Around;
use super::draw::{Caller, OK, variations};
use super::findings::{Findings, Flaw, broken, fault_of_event, fault_of_tool, unreached};
use super::goals::{Goals, shape};
use super::journey::Wanderer;
use super::places::{Next, POPULATE_SEEDS, ReachableState, populated, starts};
use super::vocabulary::Vocabulary;
use probity_behaviour::task::Task;
use probity_engine::{
    Applied, Difficulty, Effect, Environment, Fields, Pattern, Problem, Rejection, Stepped, Stream, ToolCall, recall,
};

const SEED: u64 = 1;
/// Calls of one tool in one state.
const TRIES: usize = 40;
/// Calls of one tool in one state while something of it has not been reached.
const HARD_TRIES: usize = 160;
/// Rounds that are always made: the states at the start, and those after one and two writes.
const ROUNDS: usize = 3;
/// Rounds at most, while something has not been reached.
const MAX_ROUNDS: usize = 8;
/// Of so many calls of a tool that run one is made twice: thousands are, and what is random is so in most calls.
const ONCE_MORE: u64 = 4;
/// Successful calls of a tool around which every value of every parameter is tried.
const SWEPT: usize = 2;
/// Calls of a walk beyond those that the slowest event waits for.
const WALK: usize = 12;
const JOURNEYS: usize = 3;
/// Journeys from a larger state, where more can meet.
const LARGE_JOURNEYS: usize = 64;
const JOURNEY: usize = 48;

pub struct Explorer<'a> {
    environment: &'a Environment,
    goals: Goals<'a>,
    callers: Vec<Caller>,
    known: Vocabulary,
    stream: Stream,
    starts: Vec<ReachableState>,
    next: Next,
    /// Patterns of the environment's constraints, with their places.
    patterns: Vec<(String, Pattern)>,
    findings: Findings,
    problems: Vec<Problem>,
    cases: Cases,
    /// The first successful calls of each tool in different states.
    successes: Vec<Vec<(ReachableState, Fields)>>,
    /// Calls of each tool that ran, their outcome not known.
    ran: Vec<u64>,
}

impl<'a> Explorer<'a> {
    /// Ready to start from the populated states and those of the tasks.
    pub fn new(environment: &'a Environment, tasks: &[&Task]) -> Self {
        let mut problems = Vec::new();
        let starts = starts(environment, tasks, &mut problems);
        Explorer {
            environment,
            goals: Goals::new(environment),
            callers: environment.tools().iter().map(Caller::new).collect(),
            known: Vocabulary::of_tasks(tasks),
            stream: Stream::new(SEED, "explore", environment.id()),
            next: Next::default(),
            starts,
            patterns: patterns(environment),
            findings: Findings::default(),
            problems,
            cases: Cases::default(),
            successes: vec![Vec::new(); environment.tools().len()],
            ran: vec![0; environment.tools().len()],
        }
    }

    pub fn run(self) -> Exploration {
        recall::within(|| self.explored())
    }

    fn explored(mut self) -> Exploration {
        let starts = self.starts.clone();
        for start in &starts {
            broken(self.environment, &start.state).into_iter().for_each(|flaw| self.findings.add_start(flaw, start));
        }
        self.round(&starts, 0);
        for round in 1..MAX_ROUNDS {
            let is_extra = round >= ROUNDS;
            if is_extra && !self.goals.are_open() {
                break;
            }
            let mut places = self.next.take();
            if is_extra {
                // What is still open may need a larger state, and a rare one.
                let first = 1 + POPULATE_SEEDS * (round - ROUNDS) as u64;
                places.extend(populated(self.environment, Difficulty::Hard, first, &mut self.problems));
            }
            self.round(&places, round);
        }
        self.sweep();
        self.walk();
        self.wander();
        let mut problems = self.problems;
        problems.extend(self.findings.into_problems());
        problems.extend(unreached(self.environment, &self.goals));
        Exploration { problems, coverage: self.goals.coverage(), cases: self.cases }
    }

    fn round(&mut self, places: &[ReachableState], round: usize) {
        self.next.note(places);
        for place in places {
            self.goals.states += 1;
            for tool in 0..self.environment.tools().len() {
                let is_open = self.goals.is_open(tool);
                // After the first rounds the others only lead on to further states.
                let tries = match (round < ROUNDS, is_open) {
                    (false, true) => HARD_TRIES,
                    (true, _) => TRIES,
                    (false, false) => TRIES / 8,
                };
                self.try_tool(place, tool, tries, round == 0);
            }
        }
    }

    /// Calls one tool in one state: what is known to lead somewhere, combinations or draws, and invalid ones.
    fn try_tool(&mut self, place: &ReachableState, tool: usize, tries: usize, is_start: bool) {
        let Some(caller) = self.callers.get(tool) else { return };
        let around =
            Around { state: place.vocabulary(), known: &self.known, clock: place.state.clock(), root: &caller.root };
        let domains = caller.domains(&around);
        let mut done = BTreeSet::new();
        let all = caller.all(&domains, tries);
        let draws = if all.is_some() { 0 } else { tries };
        let mut planned = all.unwrap_or_else(|| caller.known());
        if is_start {
            let first = planned.first().cloned().unwrap_or_default();
            planned.extend(caller.sweep(&domains, &first));
        }
        for arguments in planned {
            self.try_once(place, tool, arguments, &mut done);
        }
        for _ in 0..draws {
            let Some(caller) = self.callers.get(tool) else { return };
            let arguments = caller.draw(&domains, &place.state, &mut self.stream);
            self.try_once(place, tool, arguments, &mut done);
        }
        if is_start {
            let Some((caller, declared)) = self.callers.get(tool).zip(self.environment.tools().get(tool)) else {
                return;
            };
            let valid = caller.known().first().cloned().unwrap_or_default();
            for arguments in variations(declared, &valid) {
                self.try_once(place, tool, arguments, &mut done);
            }
        }
    }

    fn try_once(&mut self, place: &ReachableState, tool: usize, arguments: Fields, done: &mut BTreeSet<String>) {
        let arguments = Value::Object(arguments);
        if done.insert(arguments.to_string()) {
            self.call(place, tool, arguments);
        }
    }

    /// Makes a call and learns from it; what it led to. Of those of a tool whose outcome was not known the first and one in
    /// [`ONCE_MORE`] are made twice.
    fn call(&mut self, place: &ReachableState, tool: usize, arguments: Value) -> Option<Stepped> {
        let declared = self.environment.tools().get(tool)?;
        let call = ToolCall::new(declared.name.clone(), arguments);
        if let Some(reached) = self.goals.tools.get_mut(tool) {
            reached.calls += 1;
        }
        let step = || self.environment.step(&place.state, &call, declared.actor);
        let stepped = step();
        let mut is_due = false;
        if let Some(ran) = self.ran.get_mut(tool).filter(|_| recall::has_run()) {
            is_due = ran.is_multiple_of(ONCE_MORE);
            *ran += 1;
        }
        let again = is_due.then(|| recall::afresh(step));
        let is_other = |again: Stepped| stepped.result != again.result || stepped.after.sum() != again.after.sum();
        if again.is_some_and(is_other) {
            let what = format!("`{}` did two things when called twice alike", declared.name);
            let help = "this is a fault of probity: a script has no way to be random";
            let at = format!("/tools/{tool}/name");
            self.findings.add(Flaw::new(at, "not_deterministic", what, help), place, &call);
        }
        self.goals.fired.extend(stepped.fired.iter().map(|fired| fired.event.clone()));
        match &stepped.result {
            Ok(applied) => self.succeeded(place, tool, &call, applied, &stepped),
            Err(rejection) => self.refused(place, tool, &call, rejection, &stepped),
        }
        Some(stepped)
    }

    fn succeeded(
        &mut self,
        place: &ReachableState,
        tool: usize,
        call: &ToolCall,
        applied: &Applied,
        stepped: &Stepped,
    ) {
        let Some(declared) = self.environment.tools().get(tool) else { return };
        self.goals.succeed(tool, &applied.delta);
        if let Some((known, arguments)) = self.successes.get_mut(tool).zip(call.arguments.as_object())
            && known.len() < SWEPT
            && known.iter().all(|(other, _)| other.state.sum() != place.state.sum())
        {
            known.push((place.clone(), arguments.clone()));
        }
        let differs = Flaw::returns(format!("/tools/{tool}/returns"), declared, &applied.observation);
        differs.into_iter().for_each(|flaw| self.findings.add(flaw, place, call));
        self.check_patterns(place, call);
        if stepped.after.sum() != place.state.sum() {
            broken(self.environment, &stepped.after).into_iter().for_each(|flaw| self.findings.add(flaw, place, call));
        }
        let shape = shape(self.environment, &applied.delta);
        let is_empty = match declared.effect {
            Effect::Read => is_nothing(&applied.observation),
            Effect::Write => applied.delta.is_empty(),
        };
        let end = End::Success(is_empty, shape.clone());
        self.cases.offer(tool, end, place, call, Ok((&applied.observation, &applied.delta)));
        self.known.add(&declared.name, &applied.observation);
        self.remember(tool, format!("{OK}{shape}"), call);
        self.next.offer(tool, &shape, (place, call, &stepped.after), &mut self.stream);
    }

    fn refused(
        &mut self,
        place: &ReachableState,
        tool: usize,
        call: &ToolCall,
        rejection: &Rejection,
        stepped: &Stepped,
    ) {
        let Some(declared) = self.environment.tools().get(tool) else { return };
        if stepped.fired.is_empty() && stepped.after.sum() != place.state.sum() {
            let what = format!("`{}` was refused and changed the state", declared.name);
            let help = "this is a fault of probity: a refused call is rolled back";
            let at = format!("/tools/{tool}/name");
            self.findings.add(Flaw::new(at, "rejection_changes", what, help), place, call);
        }
        if rejection.kind.is_author_fault() {
            let fault = match fault_of_event(self.environment, &place.state, call, rejection) {
                Some(fault) => {
                    self.goals.has_faulty_event = true;
                    Some(fault)
                }
                None => {
                    self.goals.refuse(tool, rejection);
                    fault_of_tool(self.environment, tool, (&place.state, call), rejection)
                }
            };
            fault.into_iter().for_each(|fault| self.findings.add(fault, place, call));
            return self.remember(tool, "fault".to_owned(), call);
        }
        // The refusal of an event is none of the tool's.
        let of_event = stepped.fired.last().is_some_and(|fired| self.is_refusing(&fired.event, &rejection.code));
        if of_event {
            return self.next.offer(tool, "event", (place, call, &stepped.after), &mut self.stream);
        }
        self.goals.refuse(tool, rejection);
        let codes: Vec<String> = declared.preconditions.iter().map(|p| p.code.clone()).collect();
        if let Some(end) = end_of(rejection, &codes) {
            if end != End::Invalid {
                self.remember(tool, rejection.code.clone(), call);
            }
            self.cases.offer(tool, end, place, call, Err(rejection));
        }
    }

    fn is_refusing(&self, event: &str, code: &str) -> bool {
        let events = &self.environment.file().events;
        let error = events.iter().find(|known| known.id == event).and_then(|event| event.error.as_ref());
        error.is_some_and(|error| error.code == code)
    }

    fn remember(&mut self, tool: usize, end: String, call: &ToolCall) {
        if let (Some(caller), Some(arguments)) = (self.callers.get_mut(tool), call.arguments.as_object()) {
            caller.remember(end, arguments, &mut self.stream);
        }
    }

    /// Patterns of constraints that cannot say whether they mean a call that succeeded.
    fn check_patterns(&mut self, place: &ReachableState, call: &ToolCall) {
        let arguments = self.environment.complete(call).unwrap_or_default();
        for (at, pattern) in &self.patterns {
            let meant = self.environment.matches(pattern, &place.state, &call.tool, &arguments);
            if let Err(what) = meant {
                let what = format!("`{}` cannot be told of a call: {what}", pattern.source);
                self.findings.add(Flaw::pattern(at.as_str(), what), place, call);
            }
        }
    }

    /// Every value of every parameter once, beside the other arguments of a call that succeeds.
    fn sweep(&mut self) {
        for (tool, places) in std::mem::take(&mut self.successes).into_iter().enumerate() {
            for (place, arguments) in places {
                let Some(caller) = self.callers.get(tool) else { return };
                let clock = place.state.clock();
                let around = Around { state: place.vocabulary(), known: &self.known, clock, root: &caller.root };
                for arguments in caller.sweep(&caller.domains(&around), &arguments) {
                    self.call(&place, tool, Value::Object(arguments));
                }
            }
        }
    }

    /// Long ways of successful calls, for events that wait for many.
    fn walk(&mut self) {
        let events = &self.environment.file().events;
        let is_open = events.iter().any(|event| !self.goals.fired.contains(&event.id));
        let slowest = events.iter().map(|event| event.after_calls as usize).max();
        let Some(slowest) = slowest.filter(|_| is_open) else { return };
        for start in self.starts.clone() {
            let mut place = start;
            self.goals.states += 1;
            for _ in 0..slowest.min(1000) + WALK {
                let tools: Vec<usize> = (0..self.callers.len()).collect();
                let Some(tool) = self.stream.pick(&tools).copied() else { return };
                let known = self.callers.get(tool).map(Caller::successes).unwrap_or_default();
                let Some(arguments) = self.stream.pick(&known).cloned() else { continue };
                let Some(stepped) = self.call(&place, tool, Value::Object(arguments.clone())) else { return };
                let name = self.environment.tools().get(tool).map(|tool| tool.name.clone()).unwrap_or_default();
                place = place.after(&ToolCall::new(name, Value::Object(arguments)), stepped.after);
            }
        }
    }

    /// Journeys from every start and from larger states: long chains, the same call again, extremes.
    fn wander(&mut self) {
        let large = populated(self.environment, Difficulty::Hard, 1, &mut self.problems);
        let starts = self.starts.clone().into_iter().map(|start| (start, JOURNEYS));
        for (start, journeys) in starts.chain(large.into_iter().map(|start| (start, LARGE_JOURNEYS))) {
            let mut wanderer = Wanderer::new(self.environment, &start.state);
            for _ in 0..journeys {
                wanderer.depart();
                let mut place = start.clone();
                for _ in 0..JOURNEY {
                    let Some((tool, call)) = wanderer.next(&place.state, &mut self.stream) else { return };
                    let Some(stepped) = self.call(&place, tool, call.arguments.clone()) else { return };
                    wanderer.learn(tool, &stepped, &mut self.stream);
                    if stepped.after.sum() != place.state.sum() {
                        place = place.after(&call, stepped.after);
                    }
                }
            }
        }
    }
}

/// Nothing to look at: an empty list, an empty object or null.
fn is_nothing(observation: &Value) -> bool {
    match observation {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The patterns of the environment's constraints; those that do not compile have been reported.
fn patterns(environment: &Environment) -> Vec<(String, Pattern)> {
    let constraints = &environment.file().constraints;
    let edges = constraints.precedence.iter().enumerate().flat_map(|(i, edge)| {
        [("before", &edge.before), ("after", &edge.after)]
            .map(|(end, p)| (format!("/constraints/precedence/{i}/{end}"), p))
    });
    let exclusions = constraints.exclusions.iter().enumerate().flat_map(|(i, exclusion)| {
        let calls = exclusion.calls.iter().enumerate();
        calls.map(move |(j, p)| (format!("/constraints/exclusions/{i}/calls/{j}"), p))
    });
    let found: Vec<(String, &probity_engine::CallPattern)> = edges.chain(exclusions).collect();
    let with_predicate = found.into_iter().filter(|(_, pattern)| pattern.predicate.is_some());
    with_predicate.filter_map(|(at, pattern)| Some((at, environment.pattern(pattern).ok()?))).collect()
}
