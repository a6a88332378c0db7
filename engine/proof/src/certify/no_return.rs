//! The point of no return of a failed episode: the call after which no accepted outcome can be reached any more
//! (docs/SCORING.md, "Point of no return").

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::alphabet::Alphabet;
use super::candidate::{Candidate, Item};
use super::goal::Goal;
use super::minimality::{Rest, rest_from};
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::score::success::{self, Success};
use probity_behaviour::task::Task;
use probity_behaviour::task::matching::{MadeCall, assign, shown};
use probity_behaviour::task::oracle::{OracleRun, fill, play};
use probity_bench::{Trace, Verdict};
use probity_engine::{Effect, ToolCall};

/// How many calls beyond the oracle's are searched for a way to the end.
const DEPTH: usize = 2;

/// The call after which a failed episode could not succeed any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoReturn {
    /// The step, from 1.
    pub step: u32,
    pub by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The call broke a rule of every accepted outcome, which no later call mends.
    Rule,
    /// The remaining calls of no oracle lead to an accepted outcome.
    Oracle,
    /// Neither do they, nor does any trace of at most so many calls.
    Search(usize),
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            By::Rule => f.write_str("by a broken rule"),
            By::Oracle => f.write_str("by the oracle"),
            By::Search(depth) => write!(f, "by search to depth {depth}"),
        }
    }
}

struct Way<'a> {
    goal: Goal<'a>,
    run: OracleRun,
    /// The first step that broke a rule of this outcome.
    broken_at: Option<u32>,
    /// Edges that were broken without its being counted.
    passed_over: BTreeSet<usize>,
}

/// The point of no return of an episode; none when it did not fail, or could still have succeeded at its end.
pub fn no_return(task: &Task, trace: &Trace, scored: &Success) -> Option<NoReturn> {
    if scored.sr != Verdict::Fail {
        return None;
    }
    let replayed = Replayed::new(task, trace)?;
    let ways = ways(task, &replayed);
    let calls: Vec<(u32, ToolCall)> = replayed.steps.iter().map(|step| (step.step.step, step.step.call())).collect();
    let used: Vec<ToolCall> = calls.iter().map(|(_, call)| call.clone()).collect();
    let mut lost = None;
    for count in (0..=calls.len()).rev() {
        let made = used.get(..count).unwrap_or_default();
        let last = count.checked_sub(1).and_then(|at| calls.get(at)).map(|(step, _)| *step);
        let outlook = outlook(task, &ways, (made, &used), last.unwrap_or(0));
        match (outlook, last) {
            (None, _) => return lost,
            (Some(by), Some(step)) => lost = Some(NoReturn { step, by }),
            (Some(_), None) => return None,
        }
    }
    lost
}

fn ways<'a>(task: &'a Task, replayed: &Replayed) -> Vec<Way<'a>> {
    let accepted = replayed.behaviour.accept.iter();
    let of = |index: &usize| {
        let outcome = task.outcomes().get(*index)?;
        let run = play(task, outcome).ok()?;
        let goal = Goal::of_variant(task, *index, replayed.variant, &run)?;
        let findings = success::compliance_findings(replayed, outcome);
        let broken_at = findings.iter().filter_map(|finding| finding.step).min();
        Some(Way { goal, run, broken_at, passed_over: success::passed_over(replayed) })
    };
    accepted.filter_map(of).collect()
}

/// How it is known that after the calls made nothing leads to an accepted outcome; nothing when something does.
/// The values that the agent used belong to what it may call.
fn outlook(task: &Task, ways: &[Way], (made, used): (&[ToolCall], &[ToolCall]), last: u32) -> Option<By> {
    let open: Vec<&Way> = ways.iter().filter(|way| way.broken_at.is_none_or(|step| step > last)).collect();
    if open.is_empty() {
        return Some(By::Rule);
    }
    if open.iter().any(|way| finishes(way, made)) {
        return None;
    }
    let mut is_searched = true;
    for way in open {
        let mut alphabet = Alphabet::of_users(task, &way.goal.variants, &way.run.tool_calls()).with_used(used);
        match rest_from(&way.goal, &mut alphabet, made, DEPTH) {
            Rest::Found => return None,
            Rest::Nothing => {}
            Rest::Unknown => is_searched = false,
        }
    }
    Some(if is_searched { By::Search(DEPTH) } else { By::Oracle })
}

/// Whether the oracle's calls that have not been made, or these and all its reads again, reach the outcome.
fn finishes(way: &Way, made: &[ToolCall]) -> bool {
    let (position, _) = way.goal.start().after_all(&way.goal, made);
    let counts = |item: &Item| !matches!(item, Item::Edge(edge) if way.passed_over.contains(edge));
    [false, true]
        .into_iter()
        .any(|reads_again| !way.goal.failing(&rest(way, &position, reads_again)).iter().any(counts))
}

/// The position after the oracle's remaining calls, references filled in from what was observed. Those that are
/// refused are left out: where they were needed, the position does not solve the outcome.
fn rest(way: &Way, position: &Candidate, reads_again: bool) -> Candidate {
    let environment = way.goal.task.environment();
    let outcome = way.goal.outcome;
    let calls: Vec<MadeCall> = position.made.iter().map(|made| made.as_made()).collect();
    let assignment = assign(environment, outcome, &calls);
    let mut shown: Vec<Option<Value>> = shown(&assignment, &calls).into_iter().map(Option::<&Value>::cloned).collect();
    let mut now = position.clone();
    for (index, call) in outcome.oracle.iter().enumerate() {
        let is_read = environment.tool(&call.tool).is_some_and(|tool| tool.effect == Effect::Read);
        let is_made = assignment.get(index).copied().flatten().is_some();
        if is_made && !(reads_again && is_read) {
            continue;
        }
        let seen: Vec<Option<&Value>> = shown.iter().map(Option::as_ref).collect();
        let Some(call) = fill(call, &seen) else { continue };
        match persist(now, &way.goal, &call) {
            Ok(next) => {
                let observation = next.made.last().map(|made| made.observation.clone());
                shown.iter_mut().skip(index).take(1).for_each(|slot| slot.clone_from(&observation));
                now = next;
            }
            Err(refused) => now = *refused,
        }
    }
    now
}

/// The position after a call, made again as long as events take its place: each fires once at most.
fn persist(position: Candidate, goal: &Goal, call: &ToolCall) -> Result<Candidate, Box<Candidate>> {
    let mut now = position;
    loop {
        match now.after(goal, call) {
            Err(refused) if refused.state().sum() != now.state().sum() => now = *refused,
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shop::Shop;
    use super::*;
    use serde_json::json;

    /// The event takes the place of the call that is still to be made; made again, the call succeeds.
    #[test]
    fn a_refusal_by_an_event_is_no_point_of_no_return() {
        let events = json!([{"id": "wait", "armed_by": "get_item", "fires_before": "set_quantity",
            "error": {"code": "busy", "message": "try again"}}]);
        Shop::new().events(events).with_goal(|task, run, _| {
            let goal = Goal::of_variant(task, 0, probity_behaviour::model::variant::Variant::Ideal, run).unwrap();
            let item = ToolCall::new("get_item".to_owned(), json!({"item_id": "IT01"}));
            let made = [run.tool_calls().remove(0), item];
            let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls());
            assert_eq!(rest_from(&goal, &mut alphabet, &made, DEPTH), Rest::Found);
            let run = play(task, &task.outcomes()[0]).unwrap_or_else(|stop| panic!("call {}", stop.call));
            let way = Way { goal, run, broken_at: None, passed_over: BTreeSet::new() };
            assert!(finishes(&way, &made));
        });
    }
}
