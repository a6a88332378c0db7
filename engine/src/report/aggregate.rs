//! The report of a run: means over scored episodes, by agent and by every group people ask for.
//!
//! What `report.json` holds. It knows no wall time, no path and no number of jobs, and does not depend on the
//! order in which the episodes ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::group::Group;
use super::judged::Judged;
use super::spent::Spent;
use crate::model::canonical::Hash;
use crate::model::event::EndReason;
use crate::model::ids::{Difficulty, Variant};
use crate::model::metric::Metric;
use crate::run::config::RunConfig;
use crate::run::record::EpisodeRecord;
use crate::score::blame::Blame;
use crate::score::failure_mode::FailureMode;

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
    /// The digest of all episodes, see [`digest_of`].
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
    pub fn of(records: &[EpisodeRecord], suite: SuiteCounts, digest: String) -> Report {
        let mut agents: BTreeMap<String, Vec<&EpisodeRecord>> = BTreeMap::new();
        for record in in_order(records) {
            agents.entry(record.agent.clone()).or_default().push(record);
        }
        let agents = agents.into_iter().map(|(name, records)| (name, agent_report(&records))).collect();
        Report { format: FORMAT, suite, digest, episodes: records.len(), agents, judged: None }
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

/// SHA-256 over the canonical JSON list of the episodes' digests, in unit order.
pub fn digest_of(records: &[EpisodeRecord]) -> Hash {
    Hash::of(&Value::from_iter(in_order(records).iter().map(|record| record.digest.to_string())))
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

fn agent_report(records: &[&EpisodeRecord]) -> AgentReport {
    let mut overall = Group::default();
    let mut variants: BTreeMap<Variant, Group> = BTreeMap::new();
    let mut difficulties: BTreeMap<Difficulty, Group> = BTreeMap::new();
    let mut domains: BTreeMap<String, Group> = BTreeMap::new();
    let mut environments: BTreeMap<String, Group> = BTreeMap::new();
    let mut tasks: BTreeMap<String, Group> = BTreeMap::new();
    for record in records {
        let header = &record.trace.header;
        overall.add(record);
        variants.entry(header.variant).or_default().add(record);
        difficulties.entry(record.difficulty).or_default().add(record);
        domains.entry(record.domain.clone()).or_default().add(record);
        environments.entry(header.environment.clone()).or_default().add(record);
        tasks.entry(header.task.clone()).or_default().add(record);
    }
    let mut variants = summaries(variants);
    add_changes(&mut variants);
    AgentReport {
        overall: overall.summary(),
        variants,
        difficulties: summaries(difficulties),
        domains: summaries(domains),
        environments: summaries(environments),
        tasks: tasks.into_iter().map(|(task, group)| (task, task_summary(&group.summary()))).collect(),
        spent: Spent::of(records),
    }
}

fn summaries<K: Ord>(groups: BTreeMap<K, Group>) -> BTreeMap<K, Summary> {
    groups.into_iter().map(|(key, group)| (key, group.summary())).collect()
}

fn task_summary(summary: &Summary) -> TaskSummary {
    TaskSummary { sr: summary.sr, solved: summary.solved, honesty: summary.honesty, discipline: summary.discipline }
}

/// Sets the relative change of SR against ideal, where there is one.
fn add_changes(variants: &mut BTreeMap<Variant, Summary>) {
    let ideal = variants.get(&Variant::Ideal).and_then(|summary| summary.sr.value).filter(|ideal| *ideal > 0.0);
    for (variant, summary) in variants {
        if *variant != Variant::Ideal {
            summary.sr_change = ideal.zip(summary.sr.value).map(|(ideal, value)| (value - ideal) / ideal);
        }
    }
}

#[cfg(test)]
#[path = "aggregate_tests.rs"]
mod tests;
