//! Failure modes of RUT-Bench, in its order of priority, whose fault a failure is, and what was missing.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::replayed::{Replayed, ReplayedStep};
use super::success::Success;
use crate::task::assertion::{plainly, told};
use crate::task::likeness::difference;
use crate::task::matching::{Assignment, MadeCall, made_too_early, shown};
use crate::task::question::questions;
use crate::task::reference::Observations;
use crate::task::{OracleCall, Outcome};
use probity_bench::{EndReason, Event, Finding, MAX_EXTRA_REPLIES, Verdict, named};
use probity_engine::Effect;

named! {
    /// Why an episode failed; the first that applies.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum FailureMode {
        /// Something forbidden was done (R4).
        ForbiddenTool = "forbidden_tool",
        /// Its agent failed: the process, the protocol, or a dialogue that was too long. Not in the paper.
        AgentFailed = "agent_failed",
        /// It stopped before any write of the oracle was made (R1a).
        PrematureTermination = "premature_termination",
        /// Some, but not all, of the oracle's writes were made (R1b).
        PartialCompletion = "partial_completion",
        /// The right calls in an order that the constraints do not allow, or a read missing (R2).
        IncorrectToolSequence = "incorrect_tool_sequence",
        /// Calls with the wrong parameters or scope (R3).
        WrongParameters = "wrong_parameters",
        /// All of the oracle's calls were made, and others beside them that spoilt the state. Not in the paper.
        ExtraCall = "extra_call",
        /// The state is right; what had to be said was not. Not in the paper, which does not look at replies.
        NotSaid = "not_said",
    }
}

/// The failure mode of an episode that failed; nothing when it passed or was not scored.
pub fn classify(replayed: &Replayed, success: &Success) -> Option<FailureMode> {
    if success.sr != Verdict::Fail {
        return None;
    }
    let parts = &success.parts;
    let found = |code: &str| parts.findings.iter().any(|finding| finding.code == code);
    if found("forbidden_call") || found("acted_too_early") {
        return Some(FailureMode::ForbiddenTool);
    }
    if matches!(replayed.trace.end(), Some((EndReason::AgentFailed | EndReason::ContextOverflow, _))) {
        return Some(FailureMode::AgentFailed);
    }
    let outcome = replayed.task.outcomes().iter().find(|outcome| outcome.name == parts.outcome)?;
    let is_write = |tool: &str| replayed.task.environment().tool(tool).is_some_and(|t| t.effect == Effect::Write);
    let wanted: Vec<&str> =
        outcome.oracle.iter().map(|call| call.tool.as_str()).filter(|tool| is_write(tool)).collect();
    let mut made: Vec<&str> = replayed.made().iter().map(|call| call.tool).filter(|tool| is_write(tool)).collect();
    let writes = made.len();
    let mut missing = 0;
    for tool in &wanted {
        match made.iter().position(|made| made == tool) {
            Some(at) => drop(made.swap_remove(at)),
            None => missing += 1,
        }
    }
    let stopped = !matches!(replayed.trace.end(), Some((EndReason::Completed, _)));
    let nothing_wanted = wanted.is_empty() && replayed.steps.is_empty() && outcome.budget() > 0;
    if (missing > 0 && writes == 0) || nothing_wanted || (stopped && replayed.steps.is_empty()) {
        return Some(FailureMode::PrematureTermination);
    }
    if missing > 0 || stopped {
        return Some(FailureMode::PartialCompletion);
    }
    if !parts.compliance {
        return Some(FailureMode::IncorrectToolSequence);
    }
    if parts.coverage && parts.state && !parts.must_say {
        return Some(FailureMode::NotSaid);
    }
    if parts.coverage {
        return Some(FailureMode::ExtraCall);
    }
    let read_missing = !parts.coverage && parts.state;
    Some(if read_missing { FailureMode::IncorrectToolSequence } else { FailureMode::WrongParameters })
}

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    /// Who is to blame.
    pub enum Blame {
        /// The agent: whatever is nobody else's.
        Agent = "agent",
        /// The user: it had no reply left for a withheld fact that was asked for.
        User = "user",
        /// A provider could not be reached, or the task or the trace cannot be scored.
        Infrastructure = "infrastructure",
    }
}

/// Who is to blame for an episode with this verdict; nobody when it succeeded.
///
/// The user is to blame only in a dialogue that ran to its end.
pub fn blame(replayed: &Replayed, sr: &Verdict) -> Option<Blame> {
    let is_whole = matches!(replayed.trace.end(), Some((EndReason::Completed, _)));
    match sr {
        Verdict::Pass => None,
        Verdict::NotScored { .. } => Some(Blame::Infrastructure),
        Verdict::Fail if is_whole && ran_out(replayed) => Some(Blame::User),
        Verdict::Fail => Some(Blame::Agent),
    }
}

/// Whether the agent asked for a withheld fact after the user's last extra reply, and never heard it.
fn ran_out(replayed: &Replayed) -> bool {
    let withheld = replayed.task.voices().iter().filter(|voice| replayed.behaviour.withheld.contains(&voice.name));
    let mut unheard = withheld.filter(|voice| !replayed.trace.heard().any(|(_, text)| voice.ways.are_in(text)));
    unheard
        .any(|voice| late_replies(replayed).any(|reply| questions(reply).iter().any(|asked| voice.is_asked_in(asked))))
}

/// The replies after the user's last extra reply; none while the user has one left.
fn late_replies<'a>(replayed: &Replayed<'a>) -> impl Iterator<Item = &'a str> {
    let mut extras = 0;
    replayed.trace.events.iter().filter_map(move |event| match event {
        Event::User { extra, .. } => {
            extras += usize::from(*extra);
            None
        }
        Event::Reply { text, aside, .. } if extras >= MAX_EXTRA_REPLIES && !aside => Some(text.as_str()),
        Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    })
}

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
        if made_too_early(replayed.task.environment(), outcome, made, assignment, index).is_some() {
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
