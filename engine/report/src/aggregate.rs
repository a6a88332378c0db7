//! The report of a run: means over scored episodes, by agent and by every group people ask for.
//!
//! What `report.json` holds. It knows no wall time, no path and no number of jobs, and does not depend on the
//! order in which the episodes ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::judged::Judged;
use super::spent::Spent;
use super::tally::Tally;
use probity_behaviour::model::metric::Metric;
use probity_behaviour::run::config::RunConfig;
use probity_behaviour::run::record::EpisodeRecord;
use probity_behaviour::score::blame::Blame;
use probity_behaviour::score::failure_mode::FailureMode;
use probity_bench::event::EndReason;
use probity_engine::model::canonical::{Hash, ListHasher};
use probity_engine::model::ids::{Difficulty, Variant};

/// The version of the report format this build writes and reads.
pub const FORMAT: u32 = 1;

/// How large the suite is that was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCounts {
    /// Environments.
    pub environments: usize,
    /// Domains.
    pub domains: usize,
    /// Tasks.
    pub tasks: usize,
    /// Tasks times their variants.
    pub task_instances: usize,
}

/// A mean with its denominator. What was not scored is in neither; nothing scored has no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The mean over the scored episodes; nothing when there is none.
    pub value: Option<f64>,
    /// How many episodes were scored.
    pub n: usize,
    /// How many were not.
    pub not_scored: usize,
}

/// Claims of all scored episodes together. An episode with many claims weighs more than in the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Claims that are grounded.
    pub grounded: f64,
    /// All claims.
    pub claims: f64,
}

/// How often each finding code occurred, by the scorer that found it. One event may be found by several scorers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingCounts {
    /// What the nearest accepted outcome lacks.
    pub success: BTreeMap<String, usize>,
    /// What tool discipline found.
    pub discipline: BTreeMap<String, usize>,
    /// What informational honesty found.
    pub honesty: BTreeMap<String, usize>,
    /// What clarification found.
    pub clarification: BTreeMap<String, usize>,
}

/// Why episodes were not scored, with counts, by quantity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotScoredReasons {
    /// Success: `sr` and its relatives.
    pub sr: BTreeMap<String, usize>,
    /// Informational honesty.
    pub honesty: BTreeMap<String, usize>,
    /// Tool discipline.
    pub discipline: BTreeMap<String, usize>,
}

/// The scores of a group of episodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// How many episodes there are, scored or not.
    pub episodes: usize,
    /// Success rate: one accepted outcome passes whole.
    pub sr: Score,
    /// `(sr - sr of ideal) / sr of ideal`, for the six behaviours that are not ideal; nothing when ideal is 0,
    /// when either is not scored, and for other groups.
    pub sr_change: Option<f64>,
    /// The base outcome passes whole, as the paper counts every variant.
    pub sr_base: Score,
    /// Success with coverage switched off.
    pub solved: Score,
    /// Success, and nothing else changed.
    pub sr_strict: Score,
    /// Informational honesty (rules): the mean over episodes of grounded claims of all claims.
    pub honesty: Score,
    /// Honest episodes (rules): those in which no claim is ungrounded, of those with a claim.
    pub honest_episodes: Score,
    /// Tool discipline (rules): the mean over episodes of `1 / (1 + severity)`.
    pub discipline: Score,
    /// Clarification: the mean over episodes of occasions handled well of all occasions.
    pub clarification: Score,
    /// Budget over calls made, in the episodes that were solved.
    pub efficiency: Score,
    /// The claims behind `honesty`, pooled.
    pub claims: Claims,
    /// The sum of severities behind `discipline`.
    pub severity: f64,
    /// Why the failed episodes failed.
    pub failure_modes: BTreeMap<FailureMode, usize>,
    /// Who is to blame for the episodes that did not succeed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub blames: BTreeMap<Blame, usize>,
    /// How often the user's model was refused so often that the contract user's own words stand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub user_fallbacks: u64,
    /// What was found in scored episodes.
    pub findings: FindingCounts,
    /// Why the episodes ended.
    pub ends: BTreeMap<EndReason, usize>,
    /// Why episodes were not scored.
    pub not_scored: NotScoredReasons,
    /// 95 % intervals of means over tasks drawn anew (bootstrap); nothing with fewer than two tasks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub intervals: BTreeMap<Metric, (f64, f64)>,
    /// pass@k of SR for k = 1, 2, ..: the chance that one of k trials succeeds. Only with repeated trials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_at: Vec<f64>,
    /// pass^k of SR for k = 1, 2, ..: the chance that k trials all succeed. Only with repeated trials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_hat: Vec<f64>,
}

/// The scores of one task, over its variants and trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSummary {
    /// Success rate.
    pub sr: Score,
    /// Success with coverage switched off.
    pub solved: Score,
    /// Informational honesty (rules).
    pub honesty: Score,
    /// Tool discipline (rules).
    pub discipline: Score,
}

/// The scores of one agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentReport {
    /// All its episodes.
    pub overall: Summary,
    /// By the user's behaviour.
    pub variants: BTreeMap<Variant, Summary>,
    /// By difficulty.
    pub difficulties: BTreeMap<Difficulty, Summary>,
    /// By domain.
    pub domains: BTreeMap<String, Summary>,
    /// By environment.
    pub environments: BTreeMap<String, Summary>,
    /// By task.
    pub tasks: BTreeMap<String, TaskSummary>,
    /// What its episodes asked of providers; nothing for an agent that asks nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// The report of a run, as `report.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Version of the report format.
    pub format: u32,
    /// How large the suite is.
    pub suite: SuiteCounts,
    /// The digest of all episodes, see [`Digest`].
    pub digest: String,
    /// How many episodes there are.
    pub episodes: usize,
    /// The agents' scores, by name.
    pub agents: BTreeMap<String, AgentReport>,
    /// What the run's own judge says, if it has one; in none of the numbers above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

impl Report {
    /// The report of some episodes. Their order does not matter.
    pub fn of(records: &[EpisodeRecord], suite: SuiteCounts) -> Report {
        let mut tally = Tally::default();
        in_order(records).into_iter().for_each(|record| tally.add(record));
        tally.report(suite)
    }

    /// The same with what all agents' requests cost, by the prices of a run.
    #[must_use]
    pub fn priced(mut self, config: &RunConfig) -> Report {
        self.agents.values_mut().filter_map(|agent| agent.spent.as_mut()).for_each(|spent| spent.price(config));
        self
    }

    /// The agents in the order given, then those the order does not name.
    pub fn ordered(&self, order: &[String]) -> Vec<(&str, &AgentReport)> {
        let rank = |name: &str| order.iter().position(|other| other == name).unwrap_or(order.len());
        let mut agents: Vec<_> = self.agents.iter().map(|(name, agent)| (name.as_str(), agent)).collect();
        agents.sort_by_key(|(name, _)| rank(name));
        agents
    }
}

/// The digest of all episodes: SHA-256 over the canonical JSON list of their digests, in unit order.
#[derive(Default)]
pub struct Digest(ListHasher);

impl Digest {
    /// Takes in the next episode in unit order.
    pub fn add(&mut self, record: &EpisodeRecord) {
        self.0.add(&record.digest.to_string());
    }

    /// The digest of those taken in.
    pub fn hash(self) -> Hash {
        self.0.hash()
    }
}

/// The episodes in unit order: by agent, task, variant and trial.
pub(super) fn in_order(records: &[EpisodeRecord]) -> Vec<&EpisodeRecord> {
    let mut units: Vec<&EpisodeRecord> = records.iter().collect();
    units.sort_by(|a, b| a.order().cmp(&b.order()));
    units
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
#[path = "aggregate_tests.rs"]
mod tests;
