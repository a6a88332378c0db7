//! Failure modes of RUT-Bench, in its order of priority.

use serde::Deserialize;

use super::replayed::Replayed;
use super::success::Success;
use probity_bench::{EndReason, Verdict, named};
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
