//! What keeps a task from being certified, in words, with what to do about it.

use std::fmt::Write as _;

use super::candidate::{Item, own_items};
use super::certificate::{CertificationFailure, OutcomeProof};
use super::goal::Goal;
use super::kill::Kills;
use super::minimality::{Minimality, PROVED_BUDGET};
use super::mutant::ANOTHER_ORDER;
use super::need::{self, Chance, NeedKind};
use super::offence::Wait;
use super::order::Unreasoned;
use super::{environment_wide, own_forbidden};
use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::OracleRun;
use probity_engine::{SlotKind, pointer};

fn uncertified(pointer: String, code: &str, message: String, help: &str) -> CertificationFailure {
    CertificationFailure { pointer, code: code.to_owned(), message, help: help.to_owned() }
}

pub fn oracle_fails(index: usize) -> CertificationFailure {
    let message = "the oracle does not run through in the initial state".to_owned();
    uncertified(format!("/outcomes/{index}/oracle"), "oracle_fails", message, "`probity check` says where it stops")
}

pub fn name(goal: &Goal, item: Item) -> String {
    let graph = goal.task.graph();
    let pattern = |index: usize| graph.patterns().get(index).map(ToString::to_string).unwrap_or_default();
    let assertion = |list: &[probity_behaviour::task::assertion::CheckedAssertion], at: usize| {
        list.get(at).map(|assertion| assertion.text.clone()).unwrap_or_default()
    };
    match item {
        Item::Achieves(at) => format!("achieves {}", assertion(&goal.outcome.achieves, at)),
        Item::Preserves(at) => format!("preserves {}", assertion(&goal.outcome.preserves, at)),
        Item::MustSay(at) => {
            format!("says \"{}\"", goal.needs.get(at).map(|need| need.phrase.as_str()).unwrap_or_default())
        }
        Item::Forbidden(at) => {
            format!("forbids {}", goal.outcome.forbidden.get(at).map(|p| p.source.to_string()).unwrap_or_default())
        }
        Item::Edge(at) => match graph.edges().get(at) {
            Some(edge) => format!("{} before {}", pattern(edge.before), pattern(edge.after)),
            None => String::new(),
        },
        Item::Exclusion(at) => {
            let members =
                graph.exclusions().get(at).map(|set| set.members.iter().map(|index| pattern(*index)).collect());
            format!("not both: {}", members.unwrap_or_else(Vec::new).join(", "))
        }
        Item::Held(at) => format!("holds back {}", goal.held.get(at).map(|p| p.source.to_string()).unwrap_or_default()),
    }
}

/// Where a check stands in the task file.
fn place(goal: &Goal, item: Item) -> String {
    let outcome = format!("/outcomes/{}", goal.index);
    let (edges, exclusions) = environment_wide(goal.task);
    match item {
        Item::Achieves(at) => format!("{outcome}/achieves/{at}"),
        Item::Preserves(at) => format!("{outcome}/preserves/{at}"),
        Item::MustSay(at) => format!("{outcome}/must_say/{at}"),
        Item::Forbidden(at) if at < own_forbidden(goal) => format!("{outcome}/forbidden/{at}"),
        Item::Edge(at) if at >= edges => format!("/constraints/precedence/{}", at - edges),
        Item::Exclusion(at) if at >= exclusions => format!("/constraints/exclusions/{}", at - exclusions),
        // What the environment asks for is met or broken by the oracle.
        Item::Edge(_) | Item::Exclusion(_) | Item::Forbidden(_) => format!("{outcome}/oracle"),
        Item::Held(_) => {
            let variant = goal.variants.first().map(ToString::to_string).unwrap_or_default();
            format!("/variants/{variant}/contradicts")
        }
    }
}

pub fn faults(goal: &Goal, part: &OutcomeProof, kills: &Kills, run: &OracleRun) -> Vec<CertificationFailure> {
    let calls = run.tool_calls();
    let (position, _) = goal.start().after_all(goal, &calls);
    let failing = goal.failing(&position);
    if !failing.is_empty() {
        return failing.into_iter().map(|item| unsolved(goal, item)).collect();
    }
    let unneeded = not_needed(goal, part, run);
    // What is solved by a part of the oracle has a shorter solution: that is the same said twice.
    let longer = if unneeded.is_none() { too_long(goal, part, calls.len()) } else { None };
    let mut found: Vec<CertificationFailure> = unneeded.into_iter().chain(longer).collect();
    found.extend(disorder(goal, part));
    found.extend(uneven(goal));
    found.extend(need::met_by_chance(goal, run).iter().map(|chance| met_by_chance(goal, chance)));
    found.extend(idle_checks(goal, kills));
    found.extend(kills.survivors.iter().filter(|survivor| survivor.is_slip).map(|survivor| {
        let message = format!("nothing notices this slip: {}", survivor.mutant);
        let path = path(goal.task, run, &survivor.path);
        let order = match survivor.mutant.ends_with(ANOTHER_ORDER) {
            true => "; or let the tool `compare` the list as a `set`, where its order means nothing",
            false => "",
        };
        let help = format!("it changes {path}: say in `achieves` or `preserves` what must become of that{order}");
        uncertified(format!("/outcomes/{}/achieves", goal.index), "mutant_survives", message, &help)
    }));
    found
}

fn unsolved(goal: &Goal, item: Item) -> CertificationFailure {
    let message = format!("the oracle does not solve its own outcome: {}", name(goal, item));
    let help = match item {
        Item::MustSay(at) if goal.needs.get(at).is_some_and(|need| need.kind == NeedKind::Unknown) => {
            "nothing that was said or shown tells this value; let the oracle read it, or do not ask for it"
        }
        _ => "mend the oracle or the check",
    };
    uncertified(place(goal, item), "oracle_does_not_solve", message, help)
}

/// Nothing happens too early for what a user lets wait.
pub fn never_too_early(wait: &Wait) -> CertificationFailure {
    let message = format!("no call of the oracle can come too early for this: {}", wait.text);
    let help = "remove it, or name the calls that the oracle makes then";
    uncertified(wait.pointer.clone(), "never_violated", message, help)
}

/// An edge of the task rejects an order against which nothing else speaks.
pub fn unreasoned(goal: &Goal, found: &Unreasoned, own: usize) -> CertificationFailure {
    let edge = name(goal, Item::Edge(found.edge));
    let message = format!("only this edge speaks against the other order: {edge}{}", found.remark);
    uncertified(format!("/constraints/precedence/{own}"), "edge_without_reason", message, REASON)
}

pub const REASON: &str = "remove it, or name in `told` the words of the policy or of the user that ask for this order";

fn numbers(calls: &[usize]) -> String {
    calls.iter().map(|call| (call + 1).to_string()).collect::<Vec<_>>().join(", ")
}

fn not_needed(goal: &Goal, part: &OutcomeProof, run: &OracleRun) -> Option<CertificationFailure> {
    let solving = &part.omissions.solving;
    let first = solving.first()?;
    if first.is_empty() {
        let message = "doing nothing solves this outcome".to_owned();
        let help = "assert what must be achieved, or ask for an answer that has to be looked up";
        return Some(uncertified(format!("/outcomes/{}", goal.index), "empty_trace_solves", message, help));
    }
    let all = goal.outcome.oracle.len();
    let in_some = |call: &usize| solving.iter().any(|part| part.contains(call));
    let in_all = |call: &usize| solving.iter().all(|part| part.contains(call));
    let (never, sometimes): (Vec<usize>, Vec<usize>) = (0..all).filter(|call| !in_all(call)).partition(|c| !in_some(c));
    let place = never.iter().chain(&sometimes).min().copied().unwrap_or(0);
    let mut message = match never.is_empty() {
        true => String::new(),
        false => format!("nothing needs call {}: the outcome is solved without", numbers(&never)),
    };
    if !sometimes.is_empty() {
        let also = if message.is_empty() { "" } else { "; " };
        let left = first.iter().filter(|call| sometimes.contains(call)).count();
        let _ = write!(message, "{also}of calls {} only {left} is needed", numbers(&sometimes));
    }
    let help = match changed_by(goal.task, run, place) {
        Some(path) => format!("assert what it changes in `achieves`: {{\"path\": \"{path}\", ..}}; or remove the call"),
        None => "add the edge or the answer that needs it, or remove the call".to_owned(),
    };
    Some(uncertified(format!("/outcomes/{}/oracle/{place}", goal.index), "call_not_needed", message, &help))
}

fn disorder(goal: &Goal, part: &OutcomeProof) -> Vec<CertificationFailure> {
    let mut found = Vec::new();
    if let Some(order) = &part.orders.failing {
        let message = format!("the calls may also be made in the order {}, which does not solve it", numbers(order));
        let help = "forbid that order by an edge, or by `after` on the call that comes too early; \
                    or accept what it leads to";
        found.push(uncertified(format!("/outcomes/{}/oracle", goal.index), "order_matters", message, help));
    }
    for (earlier, later) in &part.orders.idle {
        let message = format!("call {} is asked to come after call {}, but need not", later + 1, earlier + 1);
        let help = "remove it from `after`: another order is permitted and as good";
        found.push(uncertified(
            format!("/outcomes/{}/oracle/{later}/after", goal.index),
            "order_not_needed",
            message,
            help,
        ));
    }
    found
}

fn too_long(goal: &Goal, part: &OutcomeProof, budget: usize) -> Option<CertificationFailure> {
    let pointer = format!("/outcomes/{}/oracle", goal.index);
    match &part.minimality {
        Minimality::Proved { .. } => None,
        Minimality::Refuted { calls } => {
            let calls: Vec<String> = calls.iter().map(|call| format!("{} {}", call.tool, call.arguments)).collect();
            let message = format!("there is a shorter way: {}", calls.join("; "));
            let help = "take it as the oracle, or say by an edge, an assertion or an answer why it will not do";
            Some(uncertified(pointer, "shorter_solution", message, help))
        }
        Minimality::Undecided { depth, nodes, calls, cut } => (budget <= PROVED_BUDGET).then(|| {
            let cut: Vec<&str> = cut.iter().map(String::as_str).collect();
            let why = if cut.is_empty() {
                format!("undecided at depth {depth} after {nodes} positions and {calls} calls")
            } else {
                format!("not all calls of {} can be tried", cut.join(", "))
            };
            let message = format!("it is not proved that no shorter way exists: {why}");
            let help = "a smaller initial state has fewer calls to try; edges rule calls out";
            uncertified(pointer, "minimality_not_proved", message, help)
        }),
    }
}

/// A reply meets a group whose value is only shown afterwards.
fn met_by_chance(goal: &Goal, chance: &Chance) -> CertificationFailure {
    let Chance { group, variant, reply, call } = *chance;
    let item = Item::MustSay(group);
    let message = format!(
        "reply {} of `{variant}` meets this, but call {} after it is the first to show it: {}",
        reply + 1,
        call + 1,
        name(goal, item)
    );
    let help = "ask for it in words that only the answer has, e.g. with its unit, or change that reply";
    uncertified(place(goal, item), "met_by_chance", message, help)
}

/// Groups of `must_say` one phrase of which needs something to be known and another nothing.
fn uneven(goal: &Goal) -> impl Iterator<Item = CertificationFailure> {
    let groups = goal.needs.iter().enumerate();
    groups.filter_map(|(at, need)| {
        let (asking, free) = need.uneven.as_ref()?;
        let message =
            format!("\"{free}\" stands beside \"{asking}\", but can be said by an agent that looked nothing up");
        let help = "ask for one of the two, or for both by two groups";
        Some(uncertified(place(goal, Item::MustSay(at)), "phrase_needs_nothing", message, help))
    })
}

/// Checks that no mutant violates; the environment's own are looked at over all its tasks.
fn idle_checks(goal: &Goal, kills: &Kills) -> Vec<CertificationFailure> {
    let idle = own_items(goal).filter(|item| !kills.by.contains_key(item));
    idle.map(|item| {
        let message = format!("no slip tried violates this check: {}", name(goal, item));
        let help = "remove it, or let it be about something that a wrong call changes";
        uncertified(place(goal, item), "never_violated", message, help)
    })
    .collect()
}

/// What the call at a position changes, as the path of an assertion; nothing when it changes nothing.
fn changed_by(task: &Task, run: &OracleRun, call: usize) -> Option<String> {
    let delta = &run.calls.get(call)?.1.delta;
    let first = delta.updated.keys().chain(delta.created.keys()).chain(delta.deleted.keys()).next()?;
    Some(path(task, run, first))
}

/// A path of the state, with `$2.order_id` for a key that call 2 is the first to return and that is not there at the
/// start.
fn path(task: &Task, run: &OracleRun, path: &str) -> String {
    let named = || {
        let mut parts = pointer::split(path)?;
        let slot = task.initial().shape().index(parts.first()?)?;
        let is_collection = task.initial().shape().slots.get(slot)?.kind == SlotKind::Collection;
        let key = parts.get_mut(1).filter(|_| is_collection)?;
        if task.initial().get(slot, key).is_some() {
            return None;
        }
        let (call, field) = run.calls.iter().enumerate().find_map(|(call, (_, applied))| {
            let fields = applied.observation.as_object()?;
            let (field, _) = fields.iter().find(|(_, value)| value.as_str() == Some(key.as_str()))?;
            Some((call, field))
        })?;
        *key = format!("${}.{field}", call + 1);
        Some(pointer::join(parts.iter().map(String::as_str)))
    };
    named().unwrap_or_else(|| path.to_owned())
}
