//! The rows of a certificate.

use super::candidate::Item;
use super::certificate::{CheckRow, NeedRow, SurvivorRow};
use super::goal::Goal;
use super::kill::Kills;
use super::scope::own_items;
use super::{fault, kill};
use probity_behaviour::score::honesty::told::Listener;
use probity_behaviour::task::oracle::OracleRun;
use probity_engine::{SlotKind, pointer};

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

pub(super) fn survivor_row(goal: &Goal, survivor: &kill::Survivor) -> SurvivorRow {
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
