//! L2: every accepted outcome's oracle runs through in a fresh engine and does just what it says, and
//! no yes covers more than what was asked.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::environment::{Flaw, fault_of_tool};
use super::full_marks;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::Grounds;
use probity_behaviour::task::assertion::CheckedAssertion;
use probity_behaviour::task::oracle::{OracleRun, OracleStop, StopReason, play, play as play_oracle};
use probity_behaviour::task::presumption::Premise;
use probity_behaviour::task::reference::{Dangling, Observations};
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::{Actor, Pattern, Problem, Rejection, SlotKind, State, ToolCall, pointer, suggest};
use probity_prose::Vocabulary;
use probity_prose::token::whole_words;

/// The code of a problem that `--update` settles: the expected delta is another.
pub const DELTA_DIFFERS: &str = "delta_differs";

#[derive(Default)]
pub struct OracleProblems {
    /// Placed in the task's file.
    pub of_task: Vec<Problem>,
    /// Faults of the environment that an oracle met, placed in the environment's file.
    pub of_environment: Vec<Problem>,
}

/// Problems of a task's outcomes and variants, found by playing them; `grounds` are those of its suite.
pub fn check(task: &Task, grounds: &Grounds) -> OracleProblems {
    let mut found = OracleProblems::default();
    for (index, outcome) in task.outcomes().iter().enumerate() {
        let at = format!("/outcomes/{index}");
        let problems = &mut found.of_task;
        check_start(task, outcome, &at, problems);
        match play_oracle(task, outcome) {
            Ok(run) => {
                check_run(task, outcome, &run, &at, problems);
                check_patterns(task, &run, &at, problems);
                check_entities(task, outcome, &run, &at, problems);
            }
            Err(stopped) => note(task, outcome, &at, &stopped, &mut found),
        }
    }
    // A delta that differs is one sign of a slip; the assertions that fail and the rules that are broken are others.
    let has_drifted = !found.of_task.is_empty();
    if found.of_task.iter().all(|problem| problem.code == DELTA_DIFFERS) && found.of_environment.is_empty() {
        full_marks::check(task, grounds, has_drifted, &mut found.of_task);
        for (variant, behaviour) in task.variants() {
            check_consents(task, behaviour, &format!("/variants/{variant}"), &mut found.of_task);
            presumption(task, *variant, behaviour, &mut found.of_task);
        }
        check_unused(task, &mut found.of_task);
    }
    found
}

fn check_start(task: &Task, outcome: &Outcome, at: &str, problems: &mut Vec<Problem>) {
    let holds = |assertion: &CheckedAssertion| assertion.holds(task.initial(), task.initial(), Observations::default());
    for (i, _) in outcome.achieves.iter().enumerate().filter(|(_, assertion)| holds(assertion)) {
        let message = "this holds before anything is done, so it shows nothing";
        let help = "move it to `preserves`, or change the initial state";
        problems.push(Problem::error(format!("{at}/achieves/{i}"), "already_achieved", message).help(help));
    }
    for (i, _) in outcome.preserves.iter().enumerate().filter(|(_, assertion)| !holds(assertion)) {
        let message = "this does not hold at the start, so there is nothing to preserve";
        let help = "move it to `achieves`, or change the initial state";
        problems.push(Problem::error(format!("{at}/preserves/{i}"), "not_preserved", message).help(help));
    }
}

fn check_run(task: &Task, outcome: &Outcome, run: &OracleRun, at: &str, problems: &mut Vec<Problem>) {
    let delta = task.initial().changes_to(&run.last);
    if delta != outcome.delta {
        let first = match (serde_json::to_value(&delta), serde_json::to_value(&outcome.delta)) {
            (Ok(played), Ok(expected)) => first_change(&expected, &played),
            (Err(_), _) | (_, Err(_)) => None,
        };
        let message = format!("the oracle changes something else, first {}", first.unwrap_or_default());
        let help = "look at what it changes; if it is right, `probity check --update` writes it";
        problems.push(Problem::error(format!("{at}/delta"), DELTA_DIFFERS, message).help(help));
    }
    for (index, (call, applied)) in run.calls.iter().enumerate() {
        let Some(tool) = task.environment().tool(&call.tool) else { continue };
        let differs = Flaw::returns(format!("{at}/oracle/{index}"), tool, &applied.observation);
        problems.extend(differs.map(Flaw::into_problem));
    }
}

/// Where two deltas differ first, as a path of the state, with what stands there in each.
fn first_change(expected: &Value, played: &Value) -> Option<String> {
    let at = pointer::first_difference(expected, played)?;
    let segments = pointer::split(&at)?;
    let path = segments.iter().find(|segment| segment.starts_with('/')).unwrap_or(&at);
    let there = |delta: &Value| delta.pointer(&at).map_or_else(|| "nothing".to_owned(), Value::to_string);
    Some(format!("at {path}: {}, where {} is expected", there(played), there(expected)))
}

/// Patterns that cannot say of the oracle's own calls whether they mean them.
fn check_patterns(task: &Task, run: &OracleRun, at: &str, problems: &mut Vec<Problem>) {
    let mut state = task.initial().clone();
    for (index, (call, _)) in run.calls.iter().enumerate() {
        let arguments = task.environment().complete(call).unwrap_or_default();
        if let Some(fault) = task.pattern_fault(&state, &call.tool, &arguments) {
            problems.push(Flaw::pattern(format!("{at}/oracle/{index}"), fault).into_problem());
        }
        state = task.environment().step(&state, call, Actor::Agent).after;
    }
}

/// Assertions about an entity that is neither there at the start nor made by the oracle: a slip of the pen, or
/// nothing that any call changes.
fn check_entities(task: &Task, outcome: &Outcome, run: &OracleRun, at: &str, problems: &mut Vec<Problem>) {
    for (list, assertions) in [("achieves", &outcome.achieves), ("preserves", &outcome.preserves)] {
        for (i, assertion) in assertions.iter().enumerate() {
            let Some((slot, key)) = assertion.slot(task.initial()).zip(assertion.entity()) else { continue };
            let shape = task.initial().shape().slots.get(slot);
            let Some(shape) = shape.filter(|shape| shape.kind == SlotKind::Collection) else { continue };
            if task.initial().get(slot, key).is_some() || run.last.get(slot, key).is_some() {
                continue;
            }
            let message =
                format!("`{}` has no `{key}`: it is not there at the start, nor made by the oracle", shape.name);
            let help = format!(
                "name one that is there; what must not be made is `{{\"new\": \"{}\", \"matching\": {{..}}, \"count\": 0}}`",
                shape.name
            );
            problems.push(Problem::error(format!("{at}/{list}/{i}/path"), "unknown_entity", message).help(help));
        }
    }
}

/// Outcomes that no variant accepts; `base` is what `sr_base` is about.
fn check_unused(task: &Task, problems: &mut Vec<Problem>) {
    for (index, outcome) in task.outcomes().iter().enumerate().skip(1) {
        if !task.variants().values().any(|behaviour| behaviour.accept.contains(&index)) {
            let message = format!("no variant accepts `{}`", outcome.name);
            let help = "name it in the `accept` of a variant, or remove it";
            problems.push(Problem::warning(format!("/outcomes/{index}"), "unused_outcome", message).help(help));
        }
    }
}

/// Notes where and why the oracle of an outcome, which stands at `at`, stops.
pub(super) fn note(task: &Task, outcome: &Outcome, at: &str, stopped: &OracleStop, found: &mut OracleProblems) {
    let which = format!("oracle call {} of `{}`", stopped.call + 1, outcome.name);
    let at = format!("{at}/oracle/{}", stopped.call);
    match &stopped.why {
        StopReason::Dangling(dangling) => found.of_task.push(nowhere(&which, &at, dangling)),
        StopReason::Refused { before, call, rejection } if rejection.kind.is_author_fault() => {
            let index = task.environment().tools().iter().position(|tool| tool.name == call.tool);
            let flaw = index.and_then(|index| fault_of_tool(task.environment(), index, (before, call), rejection));
            let met = format!("{which} of {} meets it", task.id());
            found.of_environment.extend(flaw.map(|flaw| flaw.shown(&met)));
        }
        StopReason::Refused { before, call, rejection } => {
            found.of_task.push(refused(task, (&which, &at), before, call, rejection));
        }
    }
}

fn nowhere(which: &str, at: &str, dangling: &Dangling) -> Problem {
    let Dangling { at: below, reference, call, part, known } = dangling;
    let message = format!("{which} refers to `{reference}`, but there is no `{part}` in what call {call} returned");
    let help = suggest::help(part, known.iter().map(String::as_str));
    Problem::error(format!("{at}/arguments{below}"), "oracle_fails", message).help(help)
}

fn refused(task: &Task, (which, at): (&str, &str), before: &State, call: &ToolCall, rejection: &Rejection) -> Problem {
    let (kind, code) = (rejection.kind.name(), rejection.code.as_str());
    let code = if kind == code { code.to_owned() } else { format!("{kind}: {code}") };
    let message = format!("{which} fails: {code}: {}", rejection.message);
    let failed = task.environment().failed_precondition(before, call, &rejection.code);
    let because = failed.map(|failed| {
        let values = failed.values.iter().map(|(operand, value)| format!("`{operand}` is {value}"));
        let values: Vec<String> = values.collect();
        let values = if values.is_empty() { String::new() } else { format!(", and {}", values.join(", ")) };
        format!("it asks for `{}`{values}; ", failed.expression)
    });
    let because = because.unwrap_or_default();
    let help = format!("{because}mend the call, the state or the tool; `probity play {}` tries it by hand", task.id());
    Problem::error(at, "oracle_fails", message).help(help)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PresumingCue {
    Told,
}

static CUES: LazyLock<Vocabulary<PresumingCue>> = LazyLock::new(|| Vocabulary::of("presuming"));

/// Turns of a behaviour that speak of what was told, and of which it is not known what that is.
fn presumption(task: &Task, variant: Variant, behaviour: &Behaviour, problems: &mut Vec<Problem>) {
    let premises = behaviour.premises(task, variant);
    for (number, turn) in (1..).zip(&behaviour.turns).skip(1) {
        // That a fact was asked for says nothing of what was told.
        let is_told = |(turn, premise): &(u32, Premise)| *turn == number && !matches!(premise, Premise::Asked(_));
        let is_named = behaviour.presumes.contains_key(&number) || premises.iter().any(is_told);
        let words = whole_words(turn);
        let heard = CUES.heard(&words);
        let Some(phrase) = heard.iter().next().map(|mention| mention.phrase).filter(|_| !is_named) else { continue };
        let message = format!("turn {number} says \"{phrase}\" and does not name what must have been told before");
        let help = format!(
            "`\"presumes\": {{\"{number}\": [\"15.00 EUR\"]}}` names an answer that an agent has told by then; `[]` if it needs none"
        );
        let at = format!("/variants/{variant}/turns/{}", number - 1);
        problems.push(Problem::warning(at, "presumption_unnamed", message).help(help));
    }
}

/// Most neighbours that are tried in the place of one.
const MOST: usize = 64;

/// Yeses under a behaviour that cover more than they should.
fn check_consents(task: &Task, behaviour: &Behaviour, at: &str, problems: &mut Vec<Problem>) {
    let accepted: Vec<&Outcome> = behaviour.accept.iter().filter_map(|index| task.outcomes().get(*index)).collect();
    let runs: Vec<OracleRun> = accepted.iter().filter_map(|outcome| play(task, outcome).ok()).collect();
    let made: Vec<&ToolCall> = runs.iter().flat_map(|run| run.calls.iter().map(|(call, _)| call)).collect();
    let mut listed = BTreeMap::<u32, usize>::new();
    for (turn, pattern) in &behaviour.consents {
        let place = listed.entry(*turn).and_modify(|place| *place += 1).or_default();
        // Who writes a condition has said which is meant.
        if pattern.source.predicate.is_some() {
            continue;
        }
        let wide = runs.iter().map(|run| too_wide(task, pattern, run, &made)).find(|found| !found.is_empty());
        let Some((tool, key, other)) = wide.as_ref().and_then(|found| found.first()).map(Wide::names) else { continue };
        let message = format!("this yes to `{tool}` covers `{other}` as well as `{key}`");
        let narrower = wide.iter().flatten().map(|found| found.condition(task)).collect::<Vec<_>>().join(" && ");
        let help = format!("say which is meant: `{tool} where {narrower}`");
        problems.push(Problem::error(format!("{at}/consents/{turn}/{place}"), "consent_too_wide", message).help(help));
    }
}

/// An argument of a call of the oracle that a yes is meant for, and another entity with which it is meant as well.
struct Wide {
    tool: String,
    parameter: String,
    key: String,
    other: String,
}

impl Wide {
    fn names(&self) -> (&str, &str, &str) {
        (&self.tool, &self.key, &self.other)
    }

    /// What a pattern asks for that means the one alone.
    fn condition(&self, task: &Task) -> String {
        let named = task.bindings().iter().find(|(_, bound)| **bound == self.key).map(|(name, _)| name.clone());
        format!("args.{} == {}", self.parameter, named.unwrap_or_else(|| format!("\"{}\"", self.key)))
    }
}

/// The first call of a run for which a yes is too wide, by each argument that makes it so.
fn too_wide(task: &Task, pattern: &Pattern, run: &OracleRun, made: &[&ToolCall]) -> Vec<Wide> {
    let mut before = task.initial().clone();
    for (call, _) in &run.calls {
        let environment = task.environment();
        let is_grave = environment.tool(&call.tool).is_some_and(|tool| tool.irreversible || tool.confirm);
        let is_meant = |call: &ToolCall| {
            call.arguments.as_object().is_some_and(|fields| task.is_meant(pattern, &before, &call.tool, fields))
        };
        let is_done = |call: &ToolCall| environment.step(&before, call, Actor::Agent).result.is_ok();
        let mut found: Vec<Wide> = Vec::new();
        for (parameter, key, other) in neighbours(&before, call).filter(|_| is_grave && is_meant(call)) {
            let is_new = found.iter().all(|known| known.parameter != parameter);
            let replaced = with(call, &parameter, &other);
            if is_new && !made.contains(&&replaced) && is_meant(&replaced) && is_done(&replaced) {
                found.push(Wide { tool: call.tool.clone(), parameter, key, other });
            }
        }
        if !found.is_empty() {
            return found;
        }
        before = environment.step(&before, call, Actor::Agent).after;
    }
    Vec::new()
}

/// Arguments that are keys, each with another key of the same collection.
fn neighbours<'a>(state: &'a State, call: &'a ToolCall) -> impl Iterator<Item = (String, String, String)> + 'a {
    let keys = call.arguments.as_object().into_iter().flatten();
    let keys = keys.filter_map(|(parameter, value)| Some((parameter, value.as_str()?)));
    keys.flat_map(move |(parameter, key)| {
        let slots = state.shape().slots.iter().enumerate();
        let of = slots.filter(move |(at, slot)| slot.kind == SlotKind::Collection && state.get(*at, key).is_some());
        let others = of.flat_map(move |(at, _)| state.entities(at)).map(|(other, _)| other.to_string());
        others.filter(move |other| other != key).take(MOST).map(move |o| (parameter.clone(), key.to_owned(), o))
    })
}

fn with(call: &ToolCall, parameter: &str, key: &str) -> ToolCall {
    let mut other = call.clone();
    if let Some(argument) = other.arguments.get_mut(parameter) {
        *argument = Value::from(key);
    }
    other
}
