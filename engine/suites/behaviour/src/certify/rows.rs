//! The rows of a certificate.

use super::candidate::Item;
use super::certificate::{CheckRow, NeedRow, SurvivorRow};
use super::goal::Goal;
use super::kill::Kills;
use super::scope::own_items;
use super::{fault, kill};
use crate::score::honesty::told::Listener;
use crate::task::oracle::OracleRun;

pub(super) fn need_rows(goal: &Goal, run: &OracleRun) -> Vec<NeedRow> {
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

pub(super) fn check_rows(goal: &Goal, kills: &Kills) -> Vec<CheckRow> {
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

pub(super) fn survivor_row(goal: &Goal, survivor: &kill::Survivor) -> SurvivorRow {
    let delta = &goal.outcome.delta;
    // What the oracle changes itself cannot be preserved.
    let is_changed = delta.updated.contains_key(&survivor.path);
    let remedy = match survivor.is_slip || is_changed {
        true => format!("assert what becomes of {}", survivor.path),
        false => format!("`sr_strict` sees it; to let `sr` see it, preserve {}", survivor.path),
    };
    SurvivorRow { mutant: survivor.mutant.clone(), remedy }
}
