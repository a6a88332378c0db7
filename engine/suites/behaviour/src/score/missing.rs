//! Calls of the oracle that were not made, each told beside the call that was made in its place.

use serde_json::{Map, Value};

use super::replayed::{Replayed, ReplayedStep};
use crate::task::assertion::words::{plainly, told};
use crate::task::likeness::difference;
use crate::task::matching::{Assignment, MadeCall, is_made_too_early, shown};
use crate::task::reference::Observations;
use crate::task::{OracleCall, Outcome};
use probity_bench::Finding;

/// A finding for each oracle call that no made call stands for, and by call the step that was made in its place.
pub(super) fn missing_calls(
    replayed: &Replayed,
    outcome: &Outcome,
    made: &[MadeCall],
    assignment: &Assignment,
) -> (Vec<Finding>, Vec<Option<u32>>) {
    let made_at = |at: &Option<usize>| at.and_then(|at| made.get(at));
    let observations = shown(assignment, made);
    let observations = Observations(&observations);
    let mut taken: Vec<u32> = assignment.iter().filter_map(|at| made_at(at).map(|made| made.step)).collect();
    let mut findings = Vec::new();
    let mut places = vec![None; outcome.oracle.len()];
    for (index, call) in outcome.oracle.iter().enumerate() {
        if assignment.get(index).is_some_and(Option::is_some) {
            continue;
        }
        let named = format!("oracle call {}, `{}`", index + 1, call.tool);
        if is_made_too_early(replayed.task.environment(), outcome, made, assignment, index) {
            let text = format!("{named}, was made, but not after {}", oracle_calls(&call.after));
            findings.push(Finding::new("call_missing", text));
            continue;
        }
        findings.push(match instead(replayed, call, observations, &taken) {
            Some(instead) => {
                taken.push(instead.step);
                places.get_mut(index).into_iter().for_each(|place| *place = Some(instead.step));
                Finding::new("call_missing", format!("{named}: {}", instead.text)).at_step(instead.step)
            }
            None => {
                let text = format!("{named}, was not made{}", with(&call.arguments, observations));
                Finding::new("call_missing", text)
            }
        });
    }
    (findings, places)
}

/// The call that was made in place of one of the oracle's.
struct Instead {
    step: u32,
    text: String,
    /// In how many arguments it differs.
    apart: usize,
}

/// The free call of the same tool that differs in the fewest arguments, not in all where there are several.
fn instead(replayed: &Replayed, call: &OracleCall, observations: Observations, taken: &[u32]) -> Option<Instead> {
    let free = replayed.steps.iter().filter(|step| step.step.tool == call.tool && !taken.contains(&step.step.step));
    let near = free.filter_map(|step| compared(replayed, call, observations, step));
    near.min_by_key(|instead| instead.apart)
}

fn compared(
    replayed: &Replayed,
    call: &OracleCall,
    observations: Observations,
    step: &ReplayedStep,
) -> Option<Instead> {
    let tool = replayed.task.environment().tool(&call.tool)?;
    let wanted = tool.complete(&observations.fill_map(&call.arguments)?).ok()?;
    let number = step.step.step;
    let mut apart: Vec<String> = Vec::new();
    for (name, value) in &wanted {
        match step.made.arguments.get(name) {
            Some(given) => apart.extend(difference(tool, name, value, given).map(|difference| difference.text())),
            None => apart.push(format!("no `{name}`, where {} is wanted", plainly(value))),
        }
    }
    let more = step.made.arguments.iter().filter(|(name, _)| !wanted.contains_key(*name));
    apart.extend(more.map(|(name, given)| format!("`{name}` {}, which is not wanted", plainly(given))));
    let is_other = apart.len() > 1 && apart.len() >= wanted.len();
    let refused = step.step.rejection().map(|rejection| format!("was refused (`{}`)", rejection.code));
    let text = match (apart.is_empty(), refused) {
        (true, Some(refused)) => format!("step {number} {refused}"),
        (true, None) => format!("step {number} does not count for it"),
        (false, refused) => {
            let refused = refused.map(|refused| format!(" and {refused}")).unwrap_or_default();
            format!("step {number} has {}{refused}", apart.join(" and "))
        }
    };
    (!is_other).then_some(Instead { step: number, text, apart: apart.len() })
}

/// `` : `a` 1 and `b` `x` ``.
fn with(arguments: &Map<String, Value>, observations: Observations) -> String {
    let arguments: Vec<String> =
        arguments.iter().map(|(name, value)| format!("`{name}` {}", told(value, observations))).collect();
    if arguments.is_empty() { String::new() } else { format!(": {}", arguments.join(" and ")) }
}

fn oracle_calls(positions: &[usize]) -> String {
    let numbers: Vec<String> = positions.iter().map(|at| (at + 1).to_string()).collect();
    format!("oracle call{} {}", if numbers.len() == 1 { "" } else { "s" }, numbers.join(" and "))
}
