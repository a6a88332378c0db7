//! The record of an episode: one line of `episodes.jsonl`, complete in itself.

use serde::{Deserialize, Serialize};

use crate::agent::process::{EXITED, KILLED, UNSTARTABLE};
use crate::event::{EndReason, Event};
use crate::instance::{Instance, Levels};
use crate::scores::Scores;
use crate::trace::Trace;
use crate::usage::{Usage, is_zero};
use probity_engine::{Actor, Hash};

/// The version of the episode format this build writes and reads.
pub const FORMAT: u32 = 2;

/// An episode with its scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRecord {
    /// Version of the episode format.
    pub format: u32,
    /// The agent's name in the report.
    pub agent: String,
    /// The levels of all of the benchmark's factors, for grouping.
    pub factors: Levels,
    /// Which repetition, from 0.
    pub trial: u32,
    /// What happened.
    pub trace: Trace,
    /// SHA-256 over the canonical JSON of the trace.
    pub digest: Hash,
    /// What the scorers say.
    pub scores: Scores,
    /// The end of what a failed agent's process wrote to standard error; for people, not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_errors: Option<String>,
    /// Places of what an agent's process said that were no text, and stand as U+FFFD; not part of the digest.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mended: u64,
    /// What the agent's provider was asked for; not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What the user's provider was asked for; not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_usage: Option<Usage>,
}

impl EpisodeRecord {
    /// A trace of an instance with these factors, with its digest and scores.
    pub fn new(agent: &str, trial: u32, factors: Levels, trace: Trace, scores: Scores) -> Self {
        EpisodeRecord {
            format: FORMAT,
            agent: agent.to_owned(),
            factors,
            trial,
            digest: trace.digest(),
            scores,
            trace,
            agent_errors: None,
            mended: 0,
            usage: None,
            user_usage: None,
        }
    }

    /// `agent task levels #trial`: how messages name an episode.
    pub fn name(&self) -> String {
        name(self.order())
    }

    /// `task levels #trial`: the same where the agent is known.
    pub fn instance_name(&self) -> String {
        let (_, task, levels, trial) = self.order();
        format!("{task} {levels} #{trial}")
    }

    /// Whether its agent's or its user's provider could not be reached, so that it says nothing.
    pub fn is_unreached(&self) -> bool {
        self.trace.end().is_some_and(|(reason, _)| reason.is_unreached())
    }

    /// Whether its agent's process could not be started, or ended before it said anything.
    pub fn is_unstarted(&self) -> bool {
        let is_own = |event: &Event| match event {
            Event::Reply { .. } => true,
            Event::Step(step) => step.actor == Actor::Agent,
            Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => false,
        };
        let has_failed = self
            .trace
            .end()
            .is_some_and(|(reason, detail)| reason == EndReason::AgentFailed && is_gone(detail.unwrap_or_default()));
        has_failed && self.usage.is_none() && !self.trace.events.iter().any(is_own)
    }

    /// The order of episodes in files and digests.
    pub fn order(&self) -> Order<'_> {
        (&self.agent, &self.trace.header.task, &self.trace.header.levels, self.trial)
    }

    /// The task's id.
    pub fn task(&self) -> &str {
        &self.trace.header.task
    }

    /// The instance it was played on.
    pub fn instance(&self) -> Instance {
        let setting = self.trace.header.levels.clone();
        let properties = self.factors.iter().filter(|(factor, _)| setting.get(factor).is_none()).collect();
        Instance { task: self.task().to_owned(), setting, properties }
    }
}

/// Agent, task, levels and trial.
pub type Order<'a> = (&'a str, &'a str, &'a Levels, u32);

/// `agent task levels #trial`.
pub(super) fn name((agent, task, levels, trial): Order) -> String {
    format!("{agent} {task} {levels} #{trial}")
}

/// Whether an agent failed because its process is gone; what it wrote itself may be quoted behind that.
fn is_gone(detail: &str) -> bool {
    [EXITED, UNSTARTABLE, KILLED].iter().any(|how| detail.starts_with(how))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_says_of_an_end_is_none() {
        for gone in ["it exited with status 3", "cannot start `x`: no", "it was killed"] {
            assert!(is_gone(gone), "{gone}");
        }
        for said in ["it exited", "cannot start", "it was killed"] {
            let detail = format!("its answer is not `{{\"text\": .., \"calls\": [..]}}`: expected value: {said}");
            assert!(!is_gone(&detail), "{detail}");
        }
        assert!(!is_gone("") && !is_gone("it closed its output"));
    }
}
