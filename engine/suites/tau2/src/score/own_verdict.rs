//! Our verdict on an episode: everything that is wanted, and nothing of its form.

use super::difference::difference;
use super::ends::Ends;
use super::gold_matches::gold_matches;
use super::marks::unmet;
use super::told::tells;
use crate::model::TaskFile;
use crate::play::{TRANSFER, was_transferred};
use probity_bench::{Finding, Reading, Trace};
use probity_engine::Environment;

/// Differences that are told by name.
const TOLD: usize = 5;

/// Our verdict, with everything that speaks against it.
pub struct OwnVerdict {
    /// 1 where nothing does.
    pub sr: Reading,
    pub findings: Vec<Finding>,
}

impl OwnVerdict {
    pub fn of(environment: &Environment, task: &TaskFile, ends: &Ends, trace: &Trace) -> OwnVerdict {
        let mut findings = state_findings(ends);
        let unmet = unmet(environment, task, &ends.reached).into_iter();
        findings.extend(unmet.map(|what| Finding::new("not_as_wanted", format!("at the end {what}"))));
        let untold = task.communicate.iter().filter(|fact| !tells(trace, fact));
        findings.extend(untold.map(|fact| Finding::new("not_told", format!("the user was not told `{fact}`"))));
        let is_handed_over = was_transferred(&trace.events);
        let is_to_be = task.gold.iter().any(|call| call.tool == TRANSFER);
        findings.extend(match (is_to_be, is_handed_over) {
            (true, false) => Some(Finding::new("not_handed_over", "the user was to be handed over, and was not")),
            (false, true) => Some(Finding::new("handed_over", "the user was handed over, and was not to be")),
            (true, true) | (false, false) => None,
        });
        let is_refusal = ends.is_gold_idle && !is_to_be && task.communicate.is_empty() && task.assertions.is_empty();
        if is_refusal && findings.is_empty() && task.gold.is_empty() {
            let reason = "nothing is to be done, looked up or said: no end tells a refusal from idleness";
            return OwnVerdict { sr: Reading::new(None, reason), findings };
        }
        if is_refusal && !gold_matches(&task.gold, trace).contains(&true) {
            let text = "nothing is to be changed, and the agent looked at nothing by which it could know";
            findings.push(Finding::new("not_looked", text));
        }
        let sr = if findings.is_empty() { 1.0 } else { 0.0 };
        OwnVerdict { sr: Reading::new(Some(sr), ""), findings }
    }
}

fn state_findings(ends: &Ends) -> Vec<Finding> {
    let paths = difference(&ends.reached, &ends.gold);
    let told = |path: &String| Finding::new("other_state", format!("`{path}` is not as the gold calls leave it"));
    let more = paths.len().saturating_sub(TOLD);
    let more = (more > 0).then(|| Finding::new("other_state", format!("and {more} more are not")));
    paths.iter().take(TOLD).map(told).chain(more).collect()
}
