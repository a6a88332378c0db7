//! Faults of looking: reads left out, made too late or made twice.

use std::collections::BTreeSet;

use super::draft::{Draft, PlayedCall, has_violation, oracle_goes_through};
use super::kind::Severity;
use crate::episode::plan::Plan;
use crate::model::variant::Variant;
use crate::task::Task;
use crate::task::reference::calls_referred_to;
use probity_engine::Effect;

/// Leaves out reads: those that an edge needs, then those that alone return what must be said, then those that a
/// later call refers to. Leaves out one, half of them, or all.
pub fn skips_read(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let is_needed = |at: usize| {
        let played = draft.without(at).play();
        oracle_goes_through(&played) && has_violation(&played)
    };
    let rank = |at: usize| {
        let reasons = [is_needed(at), tells_what_must_be_said(&draft, &played, at), is_referred_to(&draft, at)];
        reasons.iter().position(|holds| *holds).unwrap_or(reasons.len())
    };
    let mut reads: Vec<(usize, usize)> = draft.positions(Effect::Read).into_iter().map(|at| (rank(at), at)).collect();
    reads.sort_unstable();
    reads.first().filter(|(rank, _)| *rank < 3)?;
    reads.truncate(match severity {
        Severity::Mild => 1,
        Severity::Medium => reads.len().div_ceil(2),
        Severity::Severe => reads.len(),
    });
    let mut less = draft.clone();
    reads.sort_unstable_by_key(|(_, at)| std::cmp::Reverse(*at));
    reads.iter().for_each(|(_, at)| less = less.without(*at));
    Some(less.into_plan())
}

/// Whether only this call returns some phrase that the replies must hold.
fn tells_what_must_be_said(draft: &Draft, played: &[PlayedCall], at: usize) -> bool {
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

/// Makes a write before a read that it needs: before that one, before all reads that should come first, or all writes
/// before all reads.
pub fn swaps_order(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let reads = draft.positions(Effect::Read);
    let writes = draft.positions(Effect::Write);
    let is_swapped = |draft: &Draft| {
        let played = draft.play();
        oracle_goes_through(&played) && has_violation(&played)
    };
    let mut pairs = writes.iter().flat_map(|write| {
        let before = reads.iter().rev().filter(move |read| *read < write);
        before.map(move |read| (*write, *read))
    });
    let (write, read) = pairs.find(|(write, read)| is_swapped(&draft.delayed(&[*read], *write)))?;
    let swapped = match severity {
        Severity::Mild => draft.delayed(&[read], write),
        Severity::Medium => draft.delayed(&reads, write),
        Severity::Severe => draft.delayed(&reads, *writes.last()?),
    };
    is_swapped(&swapped).then(|| swapped.into_plan())
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
        if repeated.room() > 0 && more.play().iter().all(PlayedCall::is_ok) {
            repeated = more;
        }
    }
    (repeated.calls.len() > draft.calls.len()).then(|| repeated.into_plan())
}
