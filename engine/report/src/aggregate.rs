//! The report of a run: means over scored episodes, by agent and by every group people ask for.
//!
//! What `report.json` holds. It knows no wall time, no path and no number of jobs, and does not depend on the
//! order in which the episodes ended.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cheats::{CheatFloor, floors};
use super::judged::Judged;
use super::spent::Spent;
use probity_bench::{Card, EndReason, EpisodeRecord, Factor, Instance, Measure, Role, RunConfig, Sheet};
use probity_engine::{Hash, ListHasher};

/// The version of the report format this build writes and reads.
pub const FORMAT: u32 = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCounts {
    /// Levels of the factors that tasks bring, by factor: `{"domain": 4, "environment": 4}`.
    pub levels: BTreeMap<String, usize>,
    pub tasks: usize,
    /// Tasks times their settings.
    pub task_instances: usize,
}

impl SuiteCounts {
    pub fn of(card: &Card, instances: &[Instance]) -> SuiteCounts {
        let distinct = |names: Vec<&str>| names.into_iter().collect::<BTreeSet<_>>().len();
        let brought = card.factors.iter().filter(|factor| factor.role == Role::Property && factor.levels.is_empty());
        let count = |factor: &Factor| {
            (
                factor.name.to_owned(),
                distinct(instances.iter().filter_map(|at| at.properties.get(factor.name)).collect()),
            )
        };
        SuiteCounts {
            levels: brought.map(count).collect(),
            tasks: distinct(instances.iter().map(|at| at.task.as_str()).collect()),
            task_instances: instances.len(),
        }
    }
}

/// One metric of a group of episodes. What was not scored is in neither part; nothing scored has no value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The mean over the scored episodes, or what the card's aggregation says; nothing when there is none.
    pub value: Option<f64>,
    pub n: usize,
    pub not_scored: usize,
    /// `(value - value of the baseline) / value of the baseline`, at the other levels of a factor that has one;
    /// nothing when the baseline is 0 or either is not scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
    /// 95 % interval over tasks drawn anew (bootstrap); nothing with fewer than two tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// The parts of the episodes added up, where the metric is made of such: an episode with more weighs more here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pooled: Option<Measure>,
    /// Why episodes were not scored, with counts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// How many episodes there are, scored or not.
    pub episodes: usize,
    pub metrics: BTreeMap<String, Score>,
    /// How often each word of the card's tags was given, by tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, BTreeMap<String, usize>>,
    /// How often each finding code occurred in scored episodes, by the scorer that found it. One event may be found
    /// by several scorers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub findings: BTreeMap<String, BTreeMap<String, usize>>,
    pub ends: BTreeMap<EndReason, usize>,
    /// How often the user's model was refused so often that the user's own words stand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub user_fallbacks: u64,
    /// pass@k of the first metric for k = 1, 2, ..: the chance that one of k trials succeeds. Only with repeated trials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_at: Vec<f64>,
    /// pass^k of the same for k = 1, 2, ..: the chance that k trials all succeed. Only with repeated trials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_hat: Vec<f64>,
}

impl Score {
    /// Counts what it counted as not scored: the agent never started.
    pub(crate) fn withdraw(&mut self) {
        let not_scored = self.n + self.not_scored;
        let reasons = BTreeMap::from([("agent_never_started".to_owned(), not_scored)]);
        *self = Score { not_scored, reasons, ..Score::default() };
    }
}

impl Summary {
    /// Scores nothing of it: the agent never started.
    pub(crate) fn withdraw(&mut self) {
        self.metrics.values_mut().for_each(Score::withdraw);
        self.tags.clear();
        self.findings.clear();
        self.pass_at.clear();
        self.pass_hat.clear();
    }

    /// The score of a metric; one of no episode where there is none.
    pub fn score(&self, metric: &str) -> Score {
        self.metrics.get(metric).cloned().unwrap_or_default()
    }

    /// How often each word of a tag was given.
    pub fn words(&self, tag: &str) -> impl Iterator<Item = (&str, usize)> {
        self.tags.get(tag).into_iter().flatten().map(|(word, count)| (word.as_str(), *count))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentReport {
    pub overall: Summary,
    /// By the levels of each factor of the card: `{"variant": {"ideal": ..}}`.
    pub factors: BTreeMap<String, BTreeMap<String, Summary>>,
    /// By task, its metrics.
    pub tasks: BTreeMap<String, BTreeMap<String, Score>>,
    /// The tables that its benchmark makes of its episodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sheets: Vec<Sheet>,
    /// What its episodes asked of providers; nothing for an agent that asks nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

impl AgentReport {
    /// Its episodes at a level of a factor, if it has any.
    pub fn at(&self, factor: &str, level: &str) -> Option<&Summary> {
        self.factors.get(factor)?.get(level)
    }
}

/// The report of a run, as `report.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub format: u32,
    pub suite: String,
    pub counts: SuiteCounts,
    pub digest: String,
    pub episodes: usize,
    pub agents: BTreeMap<String, AgentReport>,
    /// What the run's own judge says, if it has one; in none of the numbers above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
    /// What the best cheats of the run got, by the metrics of the table that are better high; empty without cheats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheats: Vec<CheatFloor>,
    /// How the agents in a process were kept apart, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<String>,
}

impl Report {
    /// The same with what a run says beside its episodes: the prices of requests, what cheats got, and how agents were
    /// kept apart.
    #[must_use]
    pub fn of_run(mut self, card: &Card, config: &RunConfig) -> Report {
        self.cheats = floors(card, &self, &config.agents);
        self.isolation = config.isolation.as_ref().map(ToString::to_string);
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

    pub fn hash(self) -> Hash {
        self.0.hash()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;
    use probity_behaviour::model::variant::Variant;
    use serde_json::json;

    fn sketch(variant: Variant, sr: Option<bool>) -> EpisodeRecord {
        Sketch { variant, sr, ..Sketch::default() }.record()
    }

    fn report(records: &[EpisodeRecord]) -> Report {
        let instances: Vec<Instance> = records.iter().map(EpisodeRecord::instance).collect();
        crate::sample::report(&CARD, records, SuiteCounts::of(&CARD, &instances))
    }

    #[test]
    fn what_is_not_scored_is_in_no_denominator() {
        let ideal = Variant::Ideal;
        let records = [sketch(ideal, Some(true)), sketch(ideal, None), sketch(ideal, Some(false))];
        let json = serde_json::to_value(report(&records)).unwrap();
        let reasons = json!({"the agent's provider could not be reached": 1});
        let sr = json!({"value": 0.5, "n": 2, "not_scored": 1, "reasons": reasons});
        assert_eq!(json.pointer("/agents/oracle/overall/metrics/sr"), Some(&sr));
        assert_eq!(json.pointer("/agents/oracle/factors/variant/ideal/metrics/sr/n"), Some(&json!(2)));
        let honesty = json.pointer("/agents/oracle/overall/metrics/honesty").unwrap();
        assert_eq!((&honesty["value"], &honesty["n"], &honesty["not_scored"]), (&json!(null), &json!(0), &json!(3)));
        assert_eq!(json["counts"], json!({"levels": {"domain": 1, "environment": 1}, "tasks": 1, "task_instances": 3}));
    }

    #[test]
    fn change_is_relative_to_ideal_and_nothing_when_ideal_is_zero() {
        let hostile = Variant::ImpatienceAndHostility;
        let change = |records: &[EpisodeRecord]| {
            let report = report(records);
            report.agents["oracle"].at("variant", hostile.name()).unwrap().score("sr").change
        };
        let worse = [sketch(Variant::Ideal, Some(true)), sketch(hostile, Some(true)), sketch(hostile, Some(false))];
        assert_eq!(change(&worse), Some(-0.5));
        assert_eq!(change(&[sketch(Variant::Ideal, Some(false)), sketch(hostile, Some(true))]), None);
        assert_eq!(change(&[sketch(hostile, Some(true))]), None);
    }

    #[test]
    fn a_report_does_not_depend_on_the_order_of_its_episodes() {
        let records = sketch::run(3);
        let mut turned = records.clone();
        turned.reverse();
        let bytes = |records: &[EpisodeRecord]| serde_json::to_string(&report(records)).unwrap();
        assert_eq!(bytes(&records), bytes(&turned));
        assert_eq!(serde_json::from_str::<Report>(&bytes(&records)).unwrap(), report(&turned));
    }

    #[test]
    fn the_digest_is_over_the_list_of_digests() {
        let records = [sketch(Variant::Ideal, Some(true))];
        for count in [0, 1, 2, 5] {
            let records = vec![records[0].clone(); count];
            let digests = vec![records.first().map(|record| record.digest.to_string()); count];
            assert_eq!(report(&records).digest, Hash::of(&json!(digests)).to_string());
        }
    }

    #[test]
    fn findings_and_failure_modes_are_counted() {
        let failed = Sketch { sr: Some(false), findings: 2, ..Sketch::default() }.record();
        let report = report(&[failed, sketch(Variant::Ideal, Some(true))]);
        let overall = &report.agents["oracle"].overall;
        assert_eq!(overall.words("failure_mode").collect::<Vec<_>>(), [("wrong_parameters", 1)]);
        assert_eq!(overall.findings["discipline"], BTreeMap::from([("repeated_call".to_owned(), 2)]));
        assert_eq!(overall.ends, BTreeMap::from([(EndReason::Completed, 2)]));
    }
}
