//! What exploration finds wrong: faults with the call that provokes them, and what was never reached.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::goals::Goals;
use super::places::ReachableState;
use probity_behaviour::task::Task;
use probity_engine::{
    BrokenInvariant, Effect, Environment, Place, Problem, Rejection, RejectionKind, Source, State, Tool, ToolCall,
};

/// Faults, each with the smallest call that provokes it.
#[derive(Default)]
pub struct Findings {
    found: BTreeMap<FlawKey, Provoked>,
}

/// A fault, how often it was seen, and the size and the text of what provokes it.
struct Provoked {
    flaw: Flaw,
    times: usize,
    by: (usize, usize, usize, String),
}

/// What faults that are one have in common: the place in the file, the code and the place in the script.
pub type FlawKey = (String, &'static str, String);

/// One fault: its place in the environment's file, code, line and help.
pub struct Flaw {
    at: String,
    pub code: &'static str,
    what: String,
    help: &'static str,
    script: Option<Place>,
}

impl Flaw {
    pub fn new(at: impl Into<String>, code: &'static str, what: String, help: &'static str) -> Self {
        Flaw { at: at.into(), code, what, help, script: None }
    }

    /// A call that succeeded and returned something else than its tool declares; nothing when it did not.
    pub fn returns(at: impl Into<String>, tool: &Tool, observation: &Value) -> Option<Self> {
        let violation = tool.returns.violations(observation).into_iter().next()?;
        let (name, path, message) = (&tool.name, violation.path, violation.message);
        let at_path = if path.is_empty() { path } else { format!("{path}: ") };
        let what = format!("`{name}` returned something else than it declares: {at_path}{message}");
        Some(Flaw::new(at, "returns_differ", what, "mend the tool's `returns` or its body"))
    }

    /// A pattern that cannot say whether it means a call.
    pub fn pattern(at: impl Into<String>, what: String) -> Self {
        let help = "a predicate is true or false of every call that the schema lets through; \
                    ask `\"name\" in args` before an optional argument";
        Flaw::new(at, "pattern_fails", what, help)
    }

    pub fn into_problem(self) -> Problem {
        let problem = Problem::error(self.at, self.code, self.what).help(self.help);
        let place = self.script.unwrap_or_else(|| problem.place.clone());
        Problem { place, ..problem }
    }

    /// The fault as a problem; `shown` says what shows it.
    pub fn shown(self, shown: &str) -> Problem {
        let help = format!("{}; {shown}", self.help);
        self.into_problem().help(help)
    }

    /// What it has in common with faults that are the same.
    pub fn key(&self) -> FlawKey {
        (self.at.clone(), self.code, position(&self.what))
    }
}

pub const BROKEN: &str = "invariant_broken";

/// What an environment says of every state and is not so in this one.
pub fn broken(environment: &Environment, state: &State) -> Vec<Flaw> {
    let flaw = |found: BrokenInvariant| {
        let what = format!("`{}` does not hold: {}", found.name, found.what);
        let help = "add a precondition to the tool that leads here, mend its body, or say less in the invariant";
        Flaw::new(found.at, BROKEN, what, help)
    };
    environment.broken_invariants(state).into_iter().map(flaw).collect()
}

impl Findings {
    /// Notes a fault that a call in a place shows; of those alike the smallest call is told.
    pub fn add(&mut self, fault: Flaw, place: &ReachableState, call: &ToolCall) {
        let size = call.arguments.to_string().len();
        self.note(fault, (place.path.len(), place.rank, size, format!("{} in {}", text(call), way(place))));
    }

    /// Notes a fault that a place shows before any call.
    pub fn add_start(&mut self, fault: Flaw, place: &ReachableState) {
        self.note(fault, (0, place.rank, 0, way(place)));
    }

    fn note(&mut self, flaw: Flaw, by: (usize, usize, usize, String)) {
        let key = flaw.key();
        match self.found.get_mut(&key) {
            Some(known) => {
                known.times += 1;
                if by < known.by {
                    (known.flaw, known.by) = (flaw, by);
                }
            }
            None => drop(self.found.insert(key, Provoked { flaw, times: 1, by })),
        }
    }

    pub fn into_problems(self) -> Vec<Problem> {
        let problem = |Provoked { flaw, times, by }: Provoked| {
            let mut problem = flaw.shown(&format!("provoked by {}", by.3));
            if times > 1 {
                problem.message.push_str(&format!(" ({times} calls)"));
            }
            problem
        };
        self.found.into_values().map(problem).collect()
    }
}

fn text(call: &ToolCall) -> String {
    json!({"tool": call.tool, "arguments": call.arguments}).to_string()
}

fn way(place: &ReachableState) -> String {
    let after: Vec<String> = place.path.iter().map(text).collect();
    let after = if after.is_empty() { String::new() } else { format!(" after {}", after.join(", ")) };
    format!("the state of {}{after}", place.origin)
}

/// What does not hold in the initial state of a task, placed in its file.
pub fn broken_at_start(task: &Task) -> Vec<Problem> {
    let problem = |flaw: Flaw| {
        let message = format!("in the initial state {}", flaw.what);
        Problem::error("/initial_state", flaw.code, message).help("mend `initial_state`, or say less in the invariant")
    };
    broken(task.environment(), task.initial()).into_iter().map(problem).collect()
}

/// Where in a script a fault says that it is; faults of one place are one.
fn position(what: &str) -> String {
    let from = what.find("(line ").or_else(|| what.find("line "));
    from.and_then(|from| what.get(from..)).map(|rest| rest.chars().take(24).collect()).unwrap_or_default()
}

/// Where a tool's function stands in its script: the engine does not tell which of its loops goes on.
fn function_of(script: &Source, tool: &str) -> Option<Place> {
    let head = format!("fn {tool}(");
    let (line, text) = script.text.lines().enumerate().find(|(_, text)| text.trim_start().starts_with(&head))?;
    let column = text.chars().take_while(|c| c.is_whitespace()).count() + 1;
    Some(Place::Script { file: script.file.clone(), line: line + 1, column })
}

/// What is wrong with a tool whose call was refused for the author's fault, in the state `before` it.
pub fn fault_of_tool(
    environment: &Environment,
    index: usize,
    (before, call): (&State, &ToolCall),
    rejection: &Rejection,
) -> Option<Flaw> {
    let tool = environment.tools().get(index)?;
    let detail = rejection.detail.as_deref().unwrap_or(&rejection.message);
    let at = |key: &str| format!("/tools/{index}/{key}");
    let name = &tool.name;
    let fault = match rejection.kind {
        RejectionKind::ScriptFault => {
            if let Some(stopped) = environment.stopped_precondition(before, call) {
                let index = stopped.index;
                let what =
                    format!("the precondition `{}` of `{name}` stops with an error: {}", stopped.code, stopped.detail);
                let help = "a precondition is true or false, whatever the schema lets through";
                return Some(Flaw::new(at(&format!("preconditions/{index}/expr")), "call_faults", what, help));
            }
            let what = format!("`{name}` stops with an error: {detail}");
            let help = "a tool does what it says or refuses by a code, whatever the schema lets through: narrow the \
                        schema, add a precondition or mend the body";
            Flaw::new(at("name"), "call_faults", what, help)
        }
        RejectionKind::LimitExceeded => {
            let what = format!("`{name}` does too much: {detail}");
            let help = "does a loop never end? else do less in one call, or let the schema bound what is asked for";
            let script = function_of(&environment.sources().main, name);
            Flaw { script, ..Flaw::new(at("name"), "call_over_limit", what, help) }
        }
        RejectionKind::SchemaViolation => {
            let what = format!("`{name}` leaves an entity that its schema refuses: {detail}");
            let help = "bound the parameters, add a precondition, or let the state's schema allow it";
            Flaw::new(at("name"), "call_breaks_schema", what, help)
        }
        RejectionKind::EffectViolation if tool.effect == Effect::Read => {
            let what = format!("`{name}` only reads, but tries {detail}");
            let help = "remove the write, or make the tool a write with `effects`";
            Flaw::new(at("effect"), "read_writes", what, help)
        }
        RejectionKind::EffectViolation => {
            let what = format!("it does more than its effects say: {detail}");
            let help = "declare the effect, or do not have it";
            Flaw::new(at("effects"), "effects_understated", what, help)
        }
        RejectionKind::UnknownTool
        | RejectionKind::InvalidArguments
        | RejectionKind::PreconditionFailed
        | RejectionKind::ToolFailed => return None,
    };
    Some(fault)
}

/// The event that is at fault: without it the call does not stop with an error.
pub fn fault_of_event(
    environment: &Environment,
    before: &State,
    call: &ToolCall,
    rejection: &Rejection,
) -> Option<Flaw> {
    let actor = environment.tool(&call.tool)?.actor;
    let is_to_blame = |index: usize| {
        let mut progress = before.progress().to_vec();
        let Some(event) = progress.get_mut(index).filter(|event| !event.fired) else { return false };
        event.fired = true;
        let without = before.clone().moved(before.clock(), progress);
        environment.step(&without, call, actor).result.as_ref().err() != Some(rejection)
    };
    let (index, event) = environment.file().events.iter().enumerate().find(|(index, _)| is_to_blame(*index))?;
    let detail = rejection.detail.as_deref().unwrap_or(&rejection.message);
    let what = format!("the event `{}` stops with an error: {detail}", event.id);
    let help = "its function and patterns must do in every state that calls lead to";
    Some(Flaw::new(format!("/events/{index}/id"), "event_faults", what, help))
}

/// What was declared and never reached. Of a tool that never succeeds, or whose faults are told, only that;
/// an event that stops with an error keeps any tool from getting anywhere.
pub fn unreached(environment: &Environment, goals: &Goals<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    if goals.has_faulty_event {
        return problems;
    }
    for (index, tool) in environment.tools().iter().enumerate() {
        let Some(reached) = goals.tools.get(index).filter(|reached| !reached.is_faulty) else { continue };
        let at = format!("/tools/{index}");
        let tried = format!("in {} calls over {} states", reached.calls, goals.states);
        if reached.successes == 0 {
            let most = reached.codes.iter().max_by_key(|(_, times)| **times);
            let why = most.map(|(code, times)| format!("; {times} were refused as `{code}`")).unwrap_or_default();
            let message = format!("`{}` never succeeded {tried}{why}", tool.name);
            let help = "give a parameter `examples`, or a task a state in which it succeeds; \
                        or mend what refuses every call";
            problems.push(Problem::error(format!("{at}/name"), "never_succeeds", message).help(help));
            continue;
        }
        let help = "give a task a state in which it happens, or a parameter `examples`; \
                    if it cannot happen, remove the code";
        for (i, precondition) in tool.preconditions.iter().enumerate() {
            if !reached.codes.contains_key(&precondition.code) {
                // Each call that got past it found it true.
                let earlier = tool.preconditions.iter().take(i).map(|earlier| &earlier.code);
                let earlier: usize = earlier.filter_map(|code| reached.codes.get(code)).sum();
                let held = (reached.successes + reached.codes.values().sum::<usize>()).saturating_sub(earlier);
                let message = format!(
                    "`{}` was never refused as `{}` {tried}: it held in all {held} that came to it",
                    tool.name, precondition.code
                );
                let at = format!("{at}/preconditions/{i}/code");
                let help = "look whether it can be false at all (what does it compare?); else give a task a state in \
                            which it happens, or a parameter `examples`; if it cannot happen, remove the code";
                problems.push(Problem::error(at, "unreached_precondition", message).help(help));
            }
        }
        for (i, code) in tool.errors.iter().enumerate().filter(|(_, code)| !reached.codes.contains_key(*code)) {
            let message = format!("`{}` never failed as `{code}` {tried}", tool.name);
            problems.push(Problem::error(format!("{at}/errors/{i}"), "unreached_error", message).help(help));
        }
        problems.extend(overstated(environment, goals, index, &tried));
    }
    for (i, event) in environment.file().events.iter().enumerate() {
        if !goals.fired.contains(&event.id) {
            let message = format!("`{}` never fired over {} states", event.id, goals.states);
            let help = "look at the calls that arm and fire it, and how many it waits for";
            problems.push(Problem::error(format!("/events/{i}/id"), "event_never_fires", message).help(help));
        }
    }
    problems
}

fn overstated(environment: &Environment, goals: &Goals<'_>, index: usize, tried: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (Some(tool), Some(reached)) = (environment.file().tools.get(index), goals.tools.get(index)) else {
        return problems;
    };
    for (i, effect) in tool.effects.iter().enumerate() {
        for (j, kind) in effect.kinds.iter().enumerate() {
            if reached.effects.contains(&(effect.collection.clone(), *kind)) {
                continue;
            }
            let message = format!("`{}` never did {} in `{}` {tried}", tool.name, kind.name(), effect.collection);
            let help = "remove it: certificates count on effects being narrow; \
                        if it does happen, give a task a state in which it does";
            let at = format!("/tools/{index}/effects/{i}/kinds/{j}");
            problems.push(Problem::error(at, "effects_overstated", message).help(help));
        }
    }
    problems
}
