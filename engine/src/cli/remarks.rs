//! What a reader of the table should know beside it: agents that broke off, faults of authors, an oracle that fails.

use std::collections::BTreeMap;

use super::output::count;
use crate::model::event::{EndReason, Event};
use crate::report::aggregate::Report;
use crate::run::record::EpisodeRecord;

/// The remarks on a run, each a line of its own.
pub fn remarks(report: &Report, records: &[EpisodeRecord]) -> Vec<String> {
    let mut remarks = broken_off(records);
    remarks.extend(author_faults(records));
    remarks.extend(
        report
            .agents
            .get("oracle")
            .filter(|oracle| oracle.overall.sr.value.is_some_and(|sr| sr < 1.0))
            .map(|_| "the oracle does not reach 1.00, so a task is wrong: `probity check` says which".to_owned()),
    );
    remarks
}

/// Agents whose episodes ended otherwise than by the user having nothing left to say.
fn broken_off(records: &[EpisodeRecord]) -> Vec<String> {
    let mut episodes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ends: BTreeMap<(&str, EndReason), (usize, &str)> = BTreeMap::new();
    for record in records {
        *episodes.entry(&record.agent).or_default() += 1;
        if let Some((reason, detail)) = record.trace.end().filter(|(reason, _)| *reason != EndReason::Completed) {
            ends.entry((&record.agent, reason)).or_insert((0, detail.unwrap_or_default())).0 += 1;
        }
    }
    let line = |((agent, reason), (times, detail)): (&(&str, EndReason), &(usize, &str))| {
        let all = episodes.get(agent).copied().unwrap_or_default();
        let what = match reason {
            EndReason::Completed => "completed",
            EndReason::MaxMessages => "used up its messages",
            EndReason::AgentFailed => "failed",
            EndReason::ContextOverflow => "could not read so long a dialogue",
            EndReason::ProviderUnreachable => "could not be reached",
        };
        let first = detail.lines().next().unwrap_or_default();
        let why = if first.is_empty() { String::new() } else { format!(", first: {first}") };
        format!("{agent} {what} in {times} of {}{why}", count(all, "episode"))
    };
    ends.iter().map(line).collect()
}

/// Calls that were refused by a fault of the environment, not of the agent.
fn author_faults(records: &[EpisodeRecord]) -> Vec<String> {
    let mut faults: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
    for record in records {
        for event in &record.trace.events {
            let Event::Step(step) = event else { continue };
            let Some(rejection) = step.rejection().filter(|rejection| rejection.kind.is_author_fault()) else {
                continue;
            };
            let task = record.trace.header.task.as_str();
            let environment = task.rsplit_once('/').map_or(task, |(environment, _)| environment);
            let detail = rejection.detail.as_deref().unwrap_or(&rejection.message);
            faults.entry((environment, &step.tool)).or_insert((0, detail)).0 += 1;
        }
    }
    let line = |((environment, tool), (times, detail)): (&(&str, &str), &(usize, &str))| {
        let detail = detail.lines().next().unwrap_or_default();
        format!("{environment} is at fault in {} of `{tool}`, first: {detail}", count(*times, "call"))
    };
    faults.iter().map(line).collect()
}
