//! Faults of doing too much, or the same again: calls that are forbidden, exclude each other, or were not asked for,
//! and reads that are left out, swapped or repeated.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::arguments::tried_first;
use super::candidates::{DraftPoint, choose};
use super::draft::{Draft, PlayedCall, has_violation, oracle_goes_through};
use super::severity::Severity;
use crate::task::Task;
use crate::task::matching::arguments_match;
use crate::task::reference::calls_referred_to;
use probity_engine::{Actor, EXCLUSION_VIOLATED, Effect, Pattern, Tool};

/// Most calls tried as one that nobody asked for: the likely ones come first.
const MOST_UNASKED: usize = 200;

/// Makes a forbidden call on top of the oracle's; else one of the oracle's calls in a forbidden way: once, twice or
/// four times.
pub fn forbidden_call<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let forbidden = &draft.task.oracle_outcome(draft.variant)?.forbidden;
    let added = || forbidden.iter().find_map(|pattern| Some((additional(draft, pattern, &Map::new())?, pattern)));
    let changed = || forbidden.iter().find_map(|pattern| Some((instead(draft, pattern)?, pattern)));
    let (planned, pattern) = added().or_else(changed)?;
    let at = planned.play().iter().position(|call| is_made(draft.task, pattern, std::slice::from_ref(call)))?;
    Some(planned.again(at, severity.times() - 1))
}

/// Whether some call that is no longer, or never was, the oracle's is carried out and meant by the pattern.
fn is_made(task: &Task, pattern: &Pattern, played: &[PlayedCall]) -> bool {
    let meant = |call: &PlayedCall| task.is_meant(pattern, &call.before, &call.call.tool, &call.arguments);
    played.iter().any(|call| call.is_ok() && meant(call))
}

/// One more call, meant by the pattern and with these arguments, that is carried out.
fn additional<'a>(draft: &Draft<'a>, pattern: &Pattern, fixed: &Map<String, Value>) -> Option<Draft<'a>> {
    let tool = agents_tool(draft.task, &pattern.source.tool)?;
    let played = draft.play();
    let drafts = places(draft).into_iter().flat_map(|at| {
        let scene = DraftPoint::before(draft, &played, at).hinted(&pattern.source);
        let meant = scene.arguments(tool, fixed).into_iter().filter(move |arguments| {
            let complete = tool.complete(arguments).unwrap_or_default();
            draft.task.is_meant(pattern, &scene.state, &tool.name, &complete)
                && scene.step(tool, arguments).result.is_ok()
        });
        meant.map(move |arguments| draft.with(at, &tool.name, &arguments))
    });
    choose(drafts, |played| is_made(draft.task, pattern, played) && oracle_goes_through(played))
}

/// An oracle call with one other argument, so that the pattern means it.
fn instead<'a>(draft: &Draft<'a>, pattern: &Pattern) -> Option<Draft<'a>> {
    let played = draft.play();
    let calls = played.iter().enumerate().filter(|(_, made)| made.call.tool == pattern.source.tool);
    let drafts = calls.flat_map(|(at, made)| {
        let scene = DraftPoint::before(draft, &played, at).hinted(&pattern.source);
        let tool = draft.tool(at);
        let names = tool.into_iter().flat_map(|tool| made.arguments.keys().map(move |name| (tool, name)));
        let changed: Vec<Draft> = names
            .flat_map(|(tool, name)| {
                let values = scene.values(tool, name, made.arguments.get(name)).into_iter();
                values.map(move |value| draft.with_argument(at, name, &value))
            })
            .collect();
        changed
    });
    choose(drafts, |played| is_made(draft.task, pattern, played))
}

fn agents_tool<'a>(task: &'a Task, name: &str) -> Option<&'a Tool> {
    task.environment().tool(name).filter(|tool| tool.actor == Actor::Agent)
}

/// Where one more call can go: at the end, or before the last or the first write.
fn places(draft: &Draft) -> Vec<usize> {
    let writes = draft.positions(Effect::Write);
    let mut places = vec![draft.calls.len()];
    places.extend(writes.last());
    places.extend(writes.first().filter(|first| writes.last() != Some(first)));
    places
}

/// Makes a call that excludes one of the oracle's, on top of it: once, twice or four times.
pub fn both_exclusive<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let excludes = |call: &PlayedCall| call.findings.iter().any(|finding| finding.code == EXCLUSION_VIOLATED);
    for set in draft.task.graph().exclusions() {
        for made in &played {
            let own = draft.task.matching_patterns(&made.before, &made.call.tool, &made.arguments);
            if !own.iter().any(|index| set.members.contains(index)) {
                continue;
            }
            let fixed: Option<Map<String, Value>> =
                set.bind.iter().map(|name| Some((name.clone(), made.arguments.get(name)?.clone()))).collect();
            let Some(fixed) = fixed else { continue };
            let others = set.members.iter().filter(|index| !own.contains(index));
            for pattern in others.filter_map(|index| draft.task.patterns().get(*index)) {
                let both = additional(draft, pattern, &fixed);
                if let Some(both) = both.filter(|both| both.play().iter().any(excludes)) {
                    let at = both.calls.iter().position(|call| call.call.oracle.is_none())?;
                    return Some(both.again(at, severity.times() - 1));
                }
            }
        }
    }
    None
}

/// Makes one, two or four writes that nobody asked for, as far as there are so many: nothing forbidden, no
/// constraint broken, preferably no consent needed.
pub fn collateral_write<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let mut draft = draft.clone();
    let mut tools: Vec<&Tool> = draft.task.environment().tools().iter().filter(|tool| is_agents_write(tool)).collect();
    tools.sort_by_key(|tool| tool.confirm || tool.irreversible);
    let (mut unasked_for, wanted) = (0, severity.times().min(draft.room()));
    while unasked_for < wanted
        && let Some(more) = tools.iter().find_map(|tool| unasked(&draft, tool, |_| true))
    {
        (draft, unasked_for) = (more, unasked_for + 1);
    }
    (unasked_for > 0).then_some(draft)
}

/// One more successful write at the end that is not the oracle's, not forbidden and breaks no constraint.
pub fn unasked<'a>(draft: &Draft<'a>, tool: &Tool, wanted: impl Fn(&[PlayedCall]) -> bool) -> Option<Draft<'a>> {
    let played = draft.play();
    let end = draft.calls.len();
    let scene = DraftPoint::before(draft, &played, end);
    let is_oracles = |arguments: &Map<String, Value>| {
        let complete = tool.complete(arguments).unwrap_or_default();
        let mut made = played.iter().filter(|made| made.call.tool == tool.name);
        made.any(|made| arguments_match(tool, &made.arguments, &complete))
    };
    let calls = scene.arguments(tool, &Map::new()).into_iter().take(MOST_UNASKED).filter(|arguments| {
        let result = scene.step(tool, arguments).result;
        !is_oracles(arguments) && result.is_ok_and(|applied| !applied.delta.is_empty())
    });
    let drafts = calls.map(|arguments| draft.with(end, &tool.name, &arguments));
    choose(drafts, |played| {
        let is_clean = played.iter().all(|call| call.is_ok() && call.findings.is_empty());
        is_clean && !is_any_forbidden(draft, played) && wanted(played)
    })
}

fn is_agents_write(tool: &Tool) -> bool {
    tool.effect == Effect::Write && tool.actor == Actor::Agent
}

fn is_any_forbidden(draft: &Draft, played: &[PlayedCall]) -> bool {
    let forbidden = draft.task.oracle_outcome(draft.variant).into_iter().flat_map(|outcome| &outcome.forbidden);
    forbidden.into_iter().any(|pattern| is_made(draft.task, pattern, played))
}

/// Makes a write again, once, twice or four times: the last one that is carried out again, else the last one,
/// which is refused.
pub fn repeats_write<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let again = |at: usize| (draft.again(at, 1), draft.again(at, severity.times()));
    let writes = draft.positions(Effect::Write).into_iter().rev().map(again);
    let again: Vec<(Draft, Draft)> = writes.filter(|(_, again)| oracle_goes_through(&again.play())).collect();
    let done = again.iter().find(|(once, _)| once.play().iter().all(PlayedCall::is_ok));
    done.or_else(|| again.first()).map(|(_, again)| again.clone())
}

/// Calls tools that do not exist, then does everything right: one, two or four of them.
pub fn unknown_tool<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let first = played.first()?;
    let endings = ["_fast", "_direct", "_by_voice", "_silently", "_in_bulk", "_offline"];
    let names = endings.iter().map(|ending| format!("{}{ending}", first.call.tool));
    let unknown = names.filter(|name| draft.task.environment().tool(name).is_none());
    let arguments = first.call.arguments.as_object()?;
    let tries = unknown.take(severity.times()).map(|name| (0, name, arguments.clone()));
    tried_first(draft, tries.collect())
}

/// Leaves out reads: those that an edge needs, then those that alone return what must be said, then those that a
/// later call refers to. Leaves out one, half of them, or all.
pub fn skips_read<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let is_needed = |at: usize| {
        let played = draft.without(at).play();
        oracle_goes_through(&played) && has_violation(&played)
    };
    let rank = |at: usize| {
        let reasons = [is_needed(at), tells_what_must_be_said(draft, &played, at), is_referred_to(draft, at)];
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
    Some(less)
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
pub fn swaps_order<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
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
    is_swapped(&swapped).then_some(swapped)
}

/// Makes each read twice in a row, as far as the messages suffice; a mild one the last read only, a severe one
/// each three times.
pub fn repeats_reads<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
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
    (repeated.calls.len() > draft.calls.len()).then_some(repeated)
}
