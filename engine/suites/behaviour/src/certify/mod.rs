//! `probity certify`: proofs about tasks (DESIGN 10, L4).
//!
//! A task can be trusted when its oracle solves it, nothing less does, other orders do where they are allowed,
//! every check can fail, and no shorter way exists. Each of these is shown here by playing traces on the engine.

pub mod alphabet;
pub mod bound;
pub mod candidate;
pub mod certificate;
pub mod early;
pub mod facts;
pub mod fault;
pub mod goal;
pub mod kill;
pub mod known;
pub mod limits;
mod listing;
pub mod minimality;
pub mod mutant;
pub mod need;
pub mod no_return;
mod node;
pub mod offence;
pub mod omission;
pub mod order;
pub mod policy_table;
pub mod reason;
mod referred;
pub mod rules;
pub mod said;
pub mod search;
#[cfg(test)]
#[path = "shop_tests.rs"]
mod shop;
pub mod slip;
pub mod suite;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};

use alphabet::Alphabet;
use candidate::Item;
use certificate::{Certificate, CertificationFailure, CheckRow, NeedRow, OutcomeProof, SurvivorRow, TallyRow};
use goal::Goal;
use kill::{Kills, items};
use minimality::Effort;

use crate::score::honesty::told::Listener;
use crate::task::Task;
use crate::task::oracle::{OracleRun, play};
use probity_engine::model::call::ToolCall;

/// Certifies a task. An outcome whose oracle fails is no part of it; `check` says so.
pub fn certify(task: &Task) -> (Certificate, Effort) {
    let runs = runs_of(task);
    let mut effort = Effort::default();
    let mut certificate = Certificate {
        task: task.id().to_owned(),
        parts: Vec::new(),
        problems: Vec::new(),
        edges_violated: Vec::new(),
        edges_unreasoned: BTreeMap::new(),
        exclusions_violated: Vec::new(),
        forbidden_made: Vec::new(),
        rules: Vec::new(),
    };
    for (index, run) in runs.iter().enumerate() {
        let Some(run) = run else {
            certificate.problems.push(fault::oracle_fails(index));
            continue;
        };
        for goal in Goal::of_outcome(task, index, run) {
            let (mut part, kills) = part(&goal, run, &runs, &mut effort);
            let (waiting, faults) = early::rows(&goal, run);
            part.checks.extend(waiting);
            let own = fault::faults(&goal, &part, &kills, run);
            // Of an oracle that does not solve its outcome the rest proves nothing.
            if !own.iter().any(CertificationFailure::is_of_oracle) {
                certificate.problems.extend(faults);
                note_unreasoned(&goal, run, &mut certificate);
            }
            certificate.problems.extend(own);
            note_violated(&goal, &kills, &mut certificate);
            let mut alphabet = Alphabet::of_slips(task, &all_calls(&runs));
            rules::note(&goal, run, &kills, &mut alphabet, &mut certificate.rules);
            certificate.parts.push(part);
        }
    }
    certificate.problems.sort();
    certificate.problems.dedup();
    (certificate, effort)
}

/// The oracle's run of each outcome, where it runs through.
fn runs_of(task: &Task) -> Vec<Option<OracleRun>> {
    task.outcomes().iter().map(|outcome| play(task, outcome).ok()).collect()
}

/// The calls of all runs.
fn all_calls(runs: &[Option<OracleRun>]) -> Vec<ToolCall> {
    runs.iter().flatten().flat_map(OracleRun::tool_calls).collect()
}

/// The oracle calls of the outcomes that the goal's users accept: they show which values belong to the task.
fn given(goal: &Goal, runs: &[Option<OracleRun>]) -> Vec<ToolCall> {
    let users = goal.variants.iter().filter_map(|variant| goal.task.behaviour(*variant));
    let accepted: BTreeSet<usize> = users.flat_map(|user| user.accept.iter().copied()).collect();
    accepted.into_iter().filter_map(|index| runs.get(index)?.as_ref()).flat_map(OracleRun::tool_calls).collect()
}

/// How many edges and exclusions of a task's graph are its environment's; these come first.
pub fn environment_wide(task: &Task) -> (usize, usize) {
    task.graph().inherited()
}

fn part(goal: &Goal, run: &OracleRun, runs: &[Option<OracleRun>], effort: &mut Effort) -> (OutcomeProof, Kills) {
    let calls = run.tool_calls();
    let kills = kill::kills(goal, &mut Alphabet::of_slips(goal.task, &all_calls(runs)), &calls);
    let omissions = omission::omissions(goal, &calls);
    let orders = order::orders(goal, &calls);
    let mut alphabet = Alphabet::of_users(goal.task, &goal.variants, &given(goal, runs));
    let minimality = minimality::minimality(goal, &mut alphabet, calls.len(), effort);
    let part = OutcomeProof {
        outcome: goal.outcome.name.clone(),
        variants: goal.variants.clone(),
        calls: calls.iter().map(|call| format!("{} {}", call.tool, call.arguments)).collect(),
        needs: need_rows(goal, run),
        omissions,
        orders,
        minimality,
        checks: check_rows(goal, &kills),
        mutants: kills.tallies.iter().map(|(family, tally)| tally_row(family.name(), tally)).collect(),
        survivors: kills.survivors.iter().map(survivor_row).collect(),
    };
    (part, kills)
}

fn need_rows(goal: &Goal, run: &OracleRun) -> Vec<NeedRow> {
    let listener = Listener::new(goal.task);
    let seen: Vec<_> = run.calls.iter().map(|(_, applied)| listener.observation(&applied.observation)).collect();
    goal.needs
        .iter()
        .map(|need| {
            let tells = |told: &_| need.ways.iter().any(|way| way.occurs_in(told));
            let calls = seen.iter().enumerate().filter(|(_, told)| tells(told)).map(|(at, _)| at + 1).collect();
            NeedRow { phrase: need.phrase.clone(), known: need.kind.name().to_owned(), calls }
        })
        .collect()
}

/// The outcome's own checks and the task's constraints; those of the environment are looked at over all tasks.
fn own_items(goal: &Goal) -> impl Iterator<Item = Item> {
    items(goal).into_iter().filter(|item| !is_environment_wide(goal, *item))
}

/// Whether a check is the environment's, and so looked at over all its tasks.
fn is_environment_wide(goal: &Goal, item: Item) -> bool {
    let (edges, exclusions) = environment_wide(goal.task);
    match item {
        Item::Edge(index) => index < edges,
        Item::Exclusion(index) => index < exclusions,
        Item::Forbidden(index) => index >= own_forbidden(goal),
        Item::Achieves(_) | Item::Preserves(_) | Item::MustSay(_) | Item::Held(_) => false,
    }
}

/// How many of the forbidden calls are the outcome's own; these come first.
pub fn own_forbidden(goal: &Goal) -> usize {
    let everywhere = goal.task.environment().file().forbidden.len();
    goal.outcome.forbidden.len().saturating_sub(everywhere)
}

fn check_rows(goal: &Goal, kills: &Kills) -> Vec<CheckRow> {
    let row = |item: Item| {
        let kill = kills.by.get(&item);
        CheckRow {
            check: fault::name(goal, item),
            killed_by: kill.map(|kill| kill.mutant.clone()),
            is_alone: kill.is_some_and(|kill| kill.is_alone),
        }
    };
    own_items(goal).map(row).collect()
}

fn tally_row(family: &str, tally: &kill::MutantTally) -> TallyRow {
    TallyRow {
        family: family.to_owned(),
        made: tally.made,
        killed: tally.killed,
        same: tally.same,
        survived: tally.survived,
    }
}

fn survivor_row(survivor: &kill::Survivor) -> SurvivorRow {
    let remedy = match survivor.is_slip {
        true => format!("assert what becomes of {}", survivor.path),
        false => format!("`sr_strict` sees it; to let `sr` see it, preserve {}", survivor.path),
    };
    SurvivorRow { mutant: survivor.mutant.clone(), remedy }
}

fn note_unreasoned(goal: &Goal, run: &OracleRun, certificate: &mut Certificate) {
    let (edges, _) = environment_wide(goal.task);
    let calls = run.tool_calls();
    for found in reason::unreasoned(goal, &calls) {
        match found.edge.checked_sub(edges) {
            Some(own) => certificate.problems.push(fault::unreasoned(goal, &found, own)),
            None => drop(certificate.edges_unreasoned.insert(found.edge, found.remark)),
        }
    }
}

fn note_violated(goal: &Goal, kills: &Kills, certificate: &mut Certificate) {
    let (edges, exclusions) = environment_wide(goal.task);
    for item in kills.by.keys() {
        match item {
            Item::Edge(index) if *index < edges => certificate.edges_violated.push(*index),
            Item::Exclusion(index) if *index < exclusions => certificate.exclusions_violated.push(*index),
            Item::Forbidden(index) => certificate.forbidden_made.extend(index.checked_sub(own_forbidden(goal))),
            _ => {}
        }
    }
    let certificate = &mut *certificate;
    let lists =
        [&mut certificate.edges_violated, &mut certificate.exclusions_violated, &mut certificate.forbidden_made];
    for list in lists {
        list.sort_unstable();
        list.dedup();
    }
}
