//! The proof of one task, outcome by outcome, or of the rules of its policy alone.

use std::collections::{BTreeMap, BTreeSet};

use super::alphabet::Alphabet;
use super::candidate::{Item, environment_wide, own_forbidden, own_items};
use super::certificate::{Certificate, CertificationFailure, CheckRow, NeedRow, OutcomeProof, RuleRow, SurvivorRow};
use super::goal::Goal;
use super::kill::Kills;
use super::minimality::Effort;
use super::{fault, kill, minimality, offence, order, rules};
use crate::store::{Store, kept as kept_in, key};
use probity_behaviour::score::honesty::told::Listener;
use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::{OracleRun, play};
use probity_engine::{SlotKind, ToolCall, pointer, recall};

/// Certifies a task. An outcome whose oracle fails is no part of it; `check` says so.
pub fn certify(task: &Task) -> (Certificate, Effort) {
    recall::within(|| prove(task))
}

fn prove(task: &Task) -> (Certificate, Effort) {
    let runs = runs_of(task);
    // What slips may be made of is of the task, whatever they are held against.
    let mut slips = Alphabet::of_slips(task, &all_calls(&runs));
    let mut effort = Effort::default();
    let mut certificate = Certificate {
        task: task.id().to_owned(),
        parts: Vec::new(),
        problems: Vec::new(),
        edges_violated: Vec::new(),
        edges_unreasoned: BTreeMap::new(),
        exclusions_violated: Vec::new(),
        exclusions_refused: BTreeMap::new(),
        forbidden_made: Vec::new(),
        rules: Vec::new(),
    };
    for (index, run) in runs.iter().enumerate() {
        let Some(run) = run else {
            certificate.problems.push(fault::oracle_fails(index));
            continue;
        };
        for goal in Goal::of_outcome(task, index, run) {
            let (mut part, kills) = part(&goal, run, (&runs, &mut slips), &mut effort);
            let (waiting, idle) = offence::waiting(&goal, run);
            part.checks.extend(waiting);
            let own = fault::faults(&goal, &part, &kills, run);
            // Of an oracle that does not solve its outcome the rest proves nothing.
            if !own.iter().any(CertificationFailure::is_of_oracle) {
                certificate.problems.extend(idle.iter().map(fault::never_too_early));
                note_unreasoned(&goal, run, &mut certificate);
            }
            certificate.problems.extend(own);
            note_violated(&goal, &kills, &mut certificate);
            rules::note(&goal, run, &kills, &mut slips, &mut certificate.rules);
            certificate.parts.push(part);
        }
    }
    certificate.problems.sort();
    certificate.problems.dedup();
    (certificate, effort)
}

/// The bindings of an environment's rules that slips in a task violate.
pub fn rules_violated(task: &Task, store: &dyn Store) -> Vec<RuleRow> {
    kept_in(store, &key("rules", task.environment(), &[task]), || (recall::within(|| violated(task)), true))
}

fn violated(task: &Task) -> Vec<RuleRow> {
    let runs = runs_of(task);
    let mut alphabet = Alphabet::of_slips(task, &all_calls(&runs));
    let mut rows = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let Some(run) = run else { continue };
        for goal in Goal::of_outcome(task, index, run) {
            let kills = kill::kills(&goal, &mut alphabet, &run.tool_calls());
            rules::note(&goal, run, &kills, &mut alphabet, &mut rows);
        }
    }
    rows
}

fn runs_of(task: &Task) -> Vec<Option<OracleRun>> {
    task.outcomes().iter().map(|outcome| play(task, outcome).ok()).collect()
}

fn all_calls(runs: &[Option<OracleRun>]) -> Vec<ToolCall> {
    runs.iter().flatten().flat_map(OracleRun::tool_calls).collect()
}

/// The oracle calls of the outcomes that the goal's users accept: they show which values belong to the task.
fn given(goal: &Goal, runs: &[Option<OracleRun>]) -> Vec<ToolCall> {
    let users = goal.variants.iter().filter_map(|variant| goal.task.behaviour(*variant));
    let accepted: BTreeSet<usize> = users.flat_map(|user| user.accept.iter().copied()).collect();
    accepted.into_iter().filter_map(|index| runs.get(index)?.as_ref()).flat_map(OracleRun::tool_calls).collect()
}

fn part(
    goal: &Goal,
    run: &OracleRun,
    (runs, slips): (&[Option<OracleRun>], &mut Alphabet),
    effort: &mut Effort,
) -> (OutcomeProof, Kills) {
    let calls = run.tool_calls();
    let kills = kill::kills(goal, slips, &calls);
    let omissions = minimality::omissions(goal, &calls);
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
        mutants: kills.tallies.values().cloned().collect(),
        survivors: kills.survivors.iter().map(|survivor| survivor_row(goal, survivor)).collect(),
    };
    (part, kills)
}

fn note_unreasoned(goal: &Goal, run: &OracleRun, certificate: &mut Certificate) {
    let (edges, _) = environment_wide(goal.task);
    let calls = run.tool_calls();
    for found in order::unreasoned(goal, &calls) {
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
    for (index, codes) in kills.refused.iter().filter(|(index, _)| **index < exclusions) {
        let known = certificate.exclusions_refused.entry(*index).or_default();
        codes.iter().for_each(|(code, times)| *known.entry(code.clone()).or_default() += times);
    }
    let certificate = &mut *certificate;
    let lists =
        [&mut certificate.edges_violated, &mut certificate.exclusions_violated, &mut certificate.forbidden_made];
    for list in lists {
        list.sort_unstable();
        list.dedup();
    }
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

/// The assertion that sees an entity which nobody wants, there are as many new ones as the oracle makes and no more,
/// with the list that it belongs into: what an oracle makes is not there at the start.
fn kept(goal: &Goal, path: &str) -> Option<String> {
    let parts = pointer::split(path)?;
    let [collection, key, ..] = parts.as_slice() else { return None };
    let initial = goal.task.initial();
    let slot = initial.shape().index(collection)?;
    let is_collection = initial.shape().slots.get(slot)?.kind == SlotKind::Collection;
    let is_new = is_collection && initial.get(slot, key).is_none();
    let begins = format!("/{collection}/");
    let made = goal.outcome.delta.created.keys().filter(|path| path.starts_with(&begins)).count();
    let does = if made > 0 { "achieve" } else { "preserve" };
    is_new.then(|| format!("{does} {{\"new\": \"{collection}\", \"matching\": {{}}, \"count\": {made}}}"))
}

fn survivor_row(goal: &Goal, survivor: &kill::Survivor) -> SurvivorRow {
    let delta = &goal.outcome.delta;
    // What the oracle changes itself cannot be preserved.
    let is_changed = delta.updated.contains_key(&survivor.path);
    let remedy = match survivor.is_slip || is_changed {
        true => format!("assert what becomes of {}", survivor.path),
        false => {
            let kept = kept(goal, &survivor.path).unwrap_or_else(|| format!("preserve {}", survivor.path));
            format!("`sr_strict` sees it; to let `sr` see it, {kept}")
        }
    };
    SurvivorRow { mutant: survivor.mutant.clone(), remedy }
}
