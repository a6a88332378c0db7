//! Which task a dialogue was held on, by what its user said.

use std::collections::BTreeMap;

use crate::model::variant::Variant;
use crate::task::Task;

/// The task and the behaviour whose user begins as this one did; of several the one of whose turns most were said, in
/// their order. Nothing where no user begins so.
pub fn held_on<'t>(tasks: &BTreeMap<String, &'t Task>, said: &[&str]) -> Option<(&'t str, Variant)> {
    let ways = tasks.values().flat_map(|task| task.variants().keys().map(move |variant| (*task, *variant)));
    let met = ways.filter_map(|(task, variant)| Some((turns_said(task, variant, said)?, task, variant)));
    // Of equals the first.
    let best = met.fold(None, |best: Option<(usize, &Task, Variant)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    });
    best.map(|(_, task, variant)| (task.id(), variant))
}

/// How many turns of a task's user were said, in their order; nothing where the first words are others.
pub fn turns_said(task: &Task, variant: Variant, said: &[&str]) -> Option<usize> {
    let turns = &task.behaviour(variant)?.turns;
    let is_same = |one: &str, other: &str| one.split_whitespace().eq(other.split_whitespace());
    if !is_same(turns.first()?, said.first()?) {
        return None;
    }
    let mut rest = said.iter();
    Some(turns.iter().take_while(|turn| rest.any(|said| is_same(turn, said))).count())
}
