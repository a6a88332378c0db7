//! L2: every accepted outcome's oracle passes all scorers in a fresh engine and does just what it says.

use crate::episode::plan::{Plan, PlanAgent};
use crate::episode::play::play_scripted;
use crate::model::variant::Variant;
use crate::score::episode::{Scores, score};
use crate::score::replayed::Replayed;
use crate::score::success;
use crate::task::oracle::{OracleRun, difference, play as play_oracle};
use crate::task::reference::Observations;
use crate::task::{Behaviour, Outcome, Task};
use probity_bench::{Trace, Verdict};
use probity_engine::{Actor, Problem};

/// The code of a problem that `--update` settles: the expected delta is another.
pub const DELTA_DIFFERS: &str = "delta_differs";

/// Problems of a task's outcomes and variants, found by playing them.
pub fn check(task: &Task) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, outcome) in task.outcomes().iter().enumerate() {
        let at = format!("/outcomes/{index}");
        check_start(task, outcome, &at, &mut problems);
        match play_oracle(task, outcome) {
            Ok(run) => {
                check_run(task, outcome, &run, &at, &mut problems);
                check_patterns(task, &run, &at, &mut problems);
            }
            Err((call, what)) => {
                let message = format!("oracle call {} of `{}` fails: {what}", call + 1, outcome.name);
                let help = "the oracle must run through in the initial state; mend the call, the state or the tool";
                problems.push(Problem::error(format!("{at}/oracle/{call}"), "oracle_fails", message).help(help));
            }
        }
    }
    if problems.is_empty() {
        check_variants(task, &mut problems);
        check_unused(task, &mut problems);
    }
    problems
}

fn check_start(task: &Task, outcome: &Outcome, at: &str, problems: &mut Vec<Problem>) {
    let holds = |assertion: &crate::task::assertion::CheckedAssertion| {
        assertion.holds(task.initial(), task.initial(), Observations::default())
    };
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
    let delta = difference(task.initial(), &run.last);
    if delta != outcome.delta {
        let first = match (serde_json::to_value(&delta), serde_json::to_value(&outcome.delta)) {
            (Ok(played), Ok(expected)) => probity_engine::pointer::first_difference(&expected, &played),
            (Err(_), _) | (_, Err(_)) => None,
        };
        let message = format!("the oracle changes something else, first at {}", first.unwrap_or_default());
        let help = "look at what it changes; if it is right, `probity check --update` writes it";
        problems.push(Problem::error(format!("{at}/delta"), DELTA_DIFFERS, message).help(help));
    }
    for (index, (call, applied)) in run.calls.iter().enumerate() {
        let Some(tool) = task.environment().tool(&call.tool) else { continue };
        if let Some(violation) = tool.returns.violations(&applied.observation).into_iter().next() {
            let message = format!(
                "`{}` returned something else than it declares: {}: {}",
                tool.name, violation.path, violation.message
            );
            let help = "mend the tool's `returns` or its body";
            problems.push(Problem::error(format!("{at}/oracle/{index}"), "returns_differ", message).help(help));
        }
    }
}

/// Patterns that cannot say of the oracle's own calls whether they mean them.
fn check_patterns(task: &Task, run: &OracleRun, at: &str, problems: &mut Vec<Problem>) {
    let mut state = task.initial().clone();
    for (index, (call, _)) in run.calls.iter().enumerate() {
        let arguments = task.environment().complete(call).unwrap_or_default();
        if let Some(fault) = task.pattern_fault(&state, &call.tool, &arguments) {
            let help = "a predicate is true or false of every call that the schema lets through; \
                        ask `\"name\" in args` before an optional argument";
            problems.push(Problem::error(format!("{at}/oracle/{index}"), "pattern_fails", fault).help(help));
        }
        state = task.environment().step(&state, call, Actor::Agent).after;
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

/// Plays the oracle agent under every behaviour and asks every scorer for full marks.
fn check_variants(task: &Task, problems: &mut Vec<Problem>) {
    let mut found: Vec<(Problem, usize)> = Vec::new();
    for (variant, behaviour) in task.variants() {
        let at = format!("/variants/{variant}");
        check_others(task, *variant, behaviour, &at, problems);
        let plan = Plan::of_oracle(task, *variant);
        let Some(scores) = plan.and_then(|plan| score(task, &play_plan(task, *variant, plan)?)) else {
            let message = "the oracle cannot be played in this variant";
            problems.push(Problem::error(at, "oracle_fails", message).help("give each call a turn that is there"));
            continue;
        };
        let help = "`probity show` of the oracle's episode shows the step; mend the task";
        let faults = faults(&scores).into_iter();
        let faults = faults.map(|what| Problem::error(at.clone(), "oracle_not_perfect", what).help(help));
        // An outcome may be an explained refusal without a call: then there is nothing to ground.
        let first = behaviour.accept.first().and_then(|index| task.outcomes().get(*index));
        let has_calls = first.is_some_and(|outcome| !outcome.oracle.is_empty());
        let bare = if has_calls { bare_turns(&scores, &at) } else { Vec::new() };
        for problem in faults.chain(bare) {
            match found.iter_mut().find(|(known, _)| known.message == problem.message) {
                Some((_, times)) => *times += 1,
                None => found.push((problem, 1)),
            }
        }
    }
    problems.extend(found.into_iter().map(|(problem, times)| said_once(problem, times)));
}

/// What is the same under several behaviours stands at the first of them.
fn said_once(problem: Problem, times: usize) -> Problem {
    match times {
        1 => problem,
        _ => Problem { message: format!("{} (under {times} behaviours)", problem.message), ..problem },
    }
}

/// Plays a plan before the scripted user of a variant.
pub(super) fn play_plan(task: &Task, variant: Variant, plan: Plan) -> Option<Trace> {
    play_scripted(task, variant, 0, &mut PlanAgent::new(plan))
}

/// Accepted outcomes after the first: their own oracles must pass by them.
fn check_others(task: &Task, variant: Variant, behaviour: &Behaviour, at: &str, problems: &mut Vec<Problem>) {
    for outcome in behaviour.accept.iter().skip(1).filter_map(|index| task.outcomes().get(*index)) {
        let trace = Plan::of_outcome(task, variant, outcome).and_then(|plan| play_plan(task, variant, plan));
        let parts = trace.as_ref().and_then(|trace| Some(success::parts(&Replayed::new(task, trace)?, outcome)));
        let Some(fault) = parts.map_or(Some(String::new()), |parts| parts.fault()) else { continue };
        let message = format!("the oracle of `{}` does not pass by its own outcome: {fault}", outcome.name);
        let help = "mend the outcome, or do not accept it here";
        problems.push(Problem::error(format!("{at}/accept"), "oracle_not_perfect", message).help(help));
    }
}

fn faults(scores: &Scores) -> Vec<String> {
    let mut faults = Vec::new();
    let verdicts =
        [("sr", &scores.success.sr), ("solved", &scores.success.solved), ("sr_strict", &scores.success.sr_strict)];
    let failed = verdicts.iter().filter(|(_, verdict)| **verdict != Verdict::Pass);
    let failed: Vec<String> = failed.map(|(name, _)| format!("`{name}`")).collect();
    let first = scores.success.parts.findings.first();
    if !failed.is_empty() {
        let why = first.map(|f| format!(": {}: {}", f.code, f.text)).unwrap_or_default();
        faults.push(format!("the oracle does not pass {}{why}", failed.join(", ")));
    }
    let findings = scores.discipline.findings.iter().chain(&scores.honesty.findings);
    let findings = findings.filter(|finding| first.is_none_or(|first| first.text != finding.text));
    faults.extend(findings.map(|finding| format!("the oracle has a finding: {}: {}", finding.code, finding.text)));
    faults
}

/// Turns in which the oracle makes no claim that could be grounded: honesty has nothing to hold on to.
fn bare_turns(scores: &Scores, at: &str) -> Vec<Problem> {
    let turns = scores.honesty.turns.iter().enumerate().filter(|(_, claims)| claims.numerator < 1.0);
    let help = "let the oracle make a call with arguments in every turn, e.g. by `segments`";
    turns
        .map(|(turn, _)| {
            let message = format!("the oracle makes no claim after turn {} that could be grounded", turn + 1);
            Problem::warning(at, "bare_turn", message).help(help)
        })
        .collect()
}
