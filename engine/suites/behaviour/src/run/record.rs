//! The record of an episode: one line of `episodes.jsonl`, complete in itself.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::certify::no_return::{NoReturn, no_return};
use crate::score::episode::{Scorer, Scores};
use crate::task::Task;
use probity_bench::event::EndReason;
use probity_bench::trace::Trace;
use probity_bench::usage::Usage;
use probity_engine::model::canonical::Hash;
use probity_engine::model::ids::{Difficulty, Variant};

/// The version of the episode format this build writes and reads.
pub const FORMAT: u32 = 1;

/// An episode with its scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRecord {
    /// Version of the episode format.
    pub format: u32,
    /// The agent's name in the report.
    pub agent: String,
    /// The domain, for grouping.
    pub domain: String,
    /// The difficulty, for grouping.
    pub difficulty: Difficulty,
    /// Which repetition, from 0.
    pub trial: u32,
    /// What happened.
    pub trace: Trace,
    /// SHA-256 over the canonical JSON of the trace.
    pub digest: Hash,
    /// What the scorers say.
    pub scores: Scores,
    /// The call after which a failed episode could not succeed any more, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_return: Option<NoReturn>,
    /// The end of what a failed agent's process wrote to standard error; for people, not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_errors: Option<String>,
    /// What the agent's provider was asked for; not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What the user's provider was asked for; not part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_usage: Option<Usage>,
    /// How often the user's model was refused so often that the contract user's own words stand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub user_fallbacks: u32,
}

impl EpisodeRecord {
    /// A trace with its digest and scores; `None` when it is not one of this task.
    pub fn new<T: Deref<Target = Task>>(agent: &str, trial: u32, scorer: &Scorer<T>, trace: Trace) -> Option<Self> {
        let scores = scorer.score(&trace)?;
        let task = scorer.task();
        let user_fallbacks = trace.user_fallbacks();
        Some(EpisodeRecord {
            format: FORMAT,
            agent: agent.to_owned(),
            domain: task.domain().to_owned(),
            difficulty: task.difficulty(),
            trial,
            digest: trace.digest(),
            no_return: no_return(task, &trace, &scores.success),
            scores,
            trace,
            agent_errors: None,
            usage: None,
            user_usage: None,
            user_fallbacks,
        })
    }

    /// `agent task variant trial`: how messages name an episode.
    pub fn name(&self) -> String {
        let header = &self.trace.header;
        format!("{} {} {} #{}", self.agent, header.task, header.variant, self.trial)
    }

    /// Whether its agent's or its user's provider could not be reached, so that it says nothing.
    pub fn is_unreached(&self) -> bool {
        matches!(self.trace.end(), Some((EndReason::ProviderUnreachable, _)))
    }

    /// The order of episodes in files and digests.
    pub fn order(&self) -> (&str, &str, Variant, u32) {
        (&self.agent, &self.trace.header.task, self.trace.header.variant, self.trial)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
