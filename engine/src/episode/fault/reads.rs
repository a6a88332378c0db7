//! Faults of looking: reads left out, made too late or made twice.

use std::collections::BTreeSet;

use super::draft::{Draft, Played, has_violation, oracle_goes_through};
use super::severity::Severity;
use crate::episode::plan::Plan;
use crate::model::environment_file::Effect;
use crate::model::ids::Variant;
use crate::task::Task;
use crate::task::reference::calls_referred_to;

/// Most agent messages a changed plan may need; the default limit is 20.
const MAX_MESSAGES: usize = 20;

/// Leaves out a read: one that an edge needs, else one that alone returns what must be said, else one
/// that a later call refers to.
pub fn skips_read(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let reads = draft.positions(Effect::Read);
    let needed = |at: &&usize| {
        let played = draft.without(**at).play();
        oracle_goes_through(&played) && has_violation(&played)
    };
    let played = draft.play();
    let at =
        reads.iter().find(needed).or_else(|| reads.iter().find(|at| tells_what_must_be_said(&draft, &played, **at)));
    let at = at.or_else(|| reads.iter().find(|at| is_referred_to(&draft, **at)))?;
    Some(draft.without(*at).into_plan())
}

/// Whether only this call returns some phrase that the replies must hold.
fn tells_what_must_be_said(draft: &Draft, played: &[Played], at: usize) -> bool {
    let texts: Vec<String> = played
        .iter()
        .map(|call| call.result.as_ref().map(|applied| applied.observation.to_string()).unwrap_or_default())
        .collect();
    let outcome = draft.behaviour.accept.first().and_then(|index| draft.task.outcomes().get(*index));
    let groups = outcome.iter().flat_map(|outcome| &outcome.must_say);
    groups.into_iter().any(|group| {
        let tells = |text: &str| group.iter().any(|phrase| phrase.is_in(text));
        let tellers: Vec<usize> = texts.iter().enumerate().filter(|(_, text)| tells(text)).map(|(at, _)| at).collect();
        tellers == [at] && !draft.behaviour.turns.iter().any(|turn| tells(turn))
    })
}

fn is_referred_to(draft: &Draft, at: usize) -> bool {
    let mut referred = BTreeSet::new();
    draft.calls.iter().flat_map(|call| call.call.arguments.values()).for_each(|v| calls_referred_to(v, &mut referred));
    let oracle = draft.calls.get(at).and_then(|call| call.call.oracle);
    oracle.is_some_and(|oracle| referred.contains(&(oracle + 1)))
}

/// Makes a write before the read that it needs.
pub fn swaps_order(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let reads = draft.positions(Effect::Read);
    for write in draft.positions(Effect::Write) {
        for read in reads.iter().rev().filter(|read| **read < write) {
            let mut swapped = draft.clone();
            let mut late = swapped.calls.remove(*read);
            late.turn = draft.calls.get(write)?.turn;
            swapped.calls.insert(write, late);
            let played = swapped.play();
            if oracle_goes_through(&played) && has_violation(&played) {
                return Some(swapped.into_plan());
            }
        }
    }
    None
}

/// Makes each read twice in a row, as far as the messages suffice; a mild one the last read only, a severe one
/// each three times.
pub fn repeats_reads(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let mut repeated = draft.clone();
    let reads: Vec<usize> = draft.positions(Effect::Read).into_iter().rev().collect();
    let again: Vec<usize> = match severity {
        Severity::Mild => reads.into_iter().take(1).collect(),
        Severity::Medium => reads,
        Severity::Severe => reads.into_iter().flat_map(|at| [at, at]).collect(),
    };
    for at in again {
        let made = played.get(at)?;
        let more = repeated.with(at + 1, &made.call.tool, made.call.arguments.as_object()?);
        let fits = more.calls.len() + more.replies.len() <= MAX_MESSAGES;
        if fits && more.play().iter().all(Played::is_ok) {
            repeated = more;
        }
    }
    (repeated.calls.len() > draft.calls.len()).then(|| repeated.into_plan())
}
