//! Slips in time: a call made before the user agreed to it, or before a contradiction was settled.

use super::certificate::CheckRow;
use super::goal::Goal;
use super::kill::Kill;
use probity_behaviour::episode::plan::{Plan, PlanAgent};
use probity_behaviour::episode::play::play_scripted;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::{Scorer, Scores};
use probity_behaviour::task::oracle::OracleRun;
use probity_behaviour::task::{Behaviour, Task};
use probity_engine::{CallPattern, Pattern};

/// Something that lets calls wait for a turn of the user.
pub struct Wait<'a> {
    /// In words.
    pub text: String,
    pub pointer: String,
    pub variant: Variant,
    turn: u32,
    calls: Vec<&'a Pattern>,
    /// The finding that must come of a call before.
    code: &'static str,
}

/// What lets calls wait in a variant, other than from its first turn.
fn waits(variant: Variant, behaviour: &Behaviour) -> Vec<Wait<'_>> {
    let consents = behaviour.consents.iter().map(|(turn, pattern)| Wait {
        text: format!("waits for a yes in turn {turn}: {}", pattern.source),
        pointer: format!("/variants/{variant}/consents/{turn}"),
        variant,
        turn: *turn,
        calls: vec![pattern],
        code: "no_consent",
    });
    let holds = behaviour.contradicts.iter().enumerate().filter_map(|(at, hold)| {
        let turn = hold.source.settled_in_turn?;
        Some(Wait {
            text: format!("waits until \"{}\" is settled in turn {turn}", hold.source.wish),
            pointer: format!("/variants/{variant}/contradicts/{at}"),
            variant,
            turn,
            calls: hold.calls.iter().collect(),
            code: "acted_too_early",
        })
    });
    consents.chain(holds).filter(|wait| wait.turn > 1).collect()
}

/// The slip that shows a wait: the oracle's first call that has to wait, made a turn too early.
/// Nothing when no call of the oracle waits, or when nobody notices.
fn slip(task: &Task, wait: &Wait, run: &OracleRun) -> Option<Kill> {
    let behaviour = task.behaviour(wait.variant)?;
    let outcome = task.oracle_outcome(wait.variant)?;
    let mut state = task.initial().clone();
    let waiting = run.calls.iter().position(|(call, _)| {
        let arguments = task.environment().complete(call).unwrap_or_default();
        let is_meant = wait.calls.iter().any(|pattern| task.is_meant(pattern, &state, &call.tool, &arguments));
        state = task.environment().step(&state, call, probity_engine::Actor::Agent).after;
        is_meant
    })?;
    let early = wait.turn - 1;
    let mut segments = behaviour.segments.clone();
    segments.iter_mut().take(waiting + 1).for_each(|segment| *segment = (*segment).min(early));
    let plan = Plan::of_calls(&outcome.oracle, &segments, behaviour.replies.clone())?;
    let scores = played(task, wait.variant, plan)?;
    let mut findings = scores.success.parts.findings.iter().chain(&scores.discipline.findings);
    let is_caught = findings.clone().any(|finding| finding.code == wait.code);
    let is_alone = findings.all(|finding| finding.code == wait.code);
    let call = outcome.oracle.get(waiting)?;
    let mutant = format!("call {}, {}, already in turn {early}", waiting + 1, call.tool);
    is_caught.then_some(Kill { mutant, is_alone })
}

/// The slip that shows that a call waits until a contradiction is settled.
pub fn held(goal: &Goal, run: &OracleRun, pattern: &CallPattern) -> Option<String> {
    let waits = goal.players().flat_map(|(variant, user)| waits(variant, user));
    let mut slips = waits.filter(|wait| wait.code == "acted_too_early").filter_map(|mut wait| {
        wait.calls.retain(|call| call.source == *pattern);
        slip(goal.task, &wait, run).map(|kill| format!("{}: {}", wait.variant, kill.mutant))
    });
    slips.next()
}

/// The checks of waiting of the users who accept an outcome first, each with its slip; what is the same for
/// several users is one. With the waits for which no call of the oracle can come too early.
pub fn rows<'a>(goal: &Goal<'a>, run: &OracleRun) -> (Vec<CheckRow>, Vec<Wait<'a>>) {
    let (mut rows, mut idle): (Vec<CheckRow>, Vec<Wait>) = (Vec::new(), Vec::new());
    let waits = goal.players().flat_map(|(variant, user)| waits(variant, user));
    for wait in waits {
        let kill = slip(goal.task, &wait, run);
        let is_alone = kill.as_ref().is_some_and(|kill| kill.is_alone);
        let row = CheckRow { check: wait.text.clone(), killed_by: kill.map(|kill| kill.mutant), is_alone };
        if row.killed_by.is_none() {
            idle.push(wait);
        }
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    (rows, idle)
}

fn played(task: &Task, variant: Variant, plan: Plan) -> Option<Scores> {
    Scorer::new(task).score(&play_scripted(task, variant, 0, &mut PlanAgent::new(plan))?)
}
