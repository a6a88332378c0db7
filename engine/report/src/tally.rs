//! The report of a run while its episodes are being counted; none of them is kept.

use std::collections::BTreeMap;

use super::aggregate::{AgentReport, Digest, FORMAT, Report, SuiteCounts, Summary, TaskSummary};
use super::group::Group;
use super::spent::Spent;
use probity_behaviour::run::record::EpisodeRecord;
use probity_engine::model::ids::{Difficulty, Variant};

/// The episodes of a run while they are being counted.
#[derive(Default)]
pub struct Tally {
    agents: BTreeMap<String, AgentTally>,
    digest: Digest,
    episodes: usize,
}

impl Tally {
    /// Counts the next episode in unit order: sums of other orders differ in their last digits.
    pub fn add(&mut self, record: &EpisodeRecord) {
        self.agents.entry(record.agent.clone()).or_default().add(record);
        self.digest.add(record);
        self.episodes += 1;
    }

    /// What was counted.
    pub fn report(self, suite: SuiteCounts) -> Report {
        let agents = self.agents.into_iter().map(|(name, tally)| (name, tally.report())).collect();
        let digest = self.digest.hash().to_string();
        Report { format: FORMAT, suite, digest, episodes: self.episodes, agents, judged: None }
    }
}

/// The episodes of one agent while they are being counted.
#[derive(Default)]
struct AgentTally {
    overall: Group,
    variants: BTreeMap<Variant, Group>,
    difficulties: BTreeMap<Difficulty, Group>,
    domains: BTreeMap<String, Group>,
    environments: BTreeMap<String, Group>,
    tasks: BTreeMap<String, Group>,
    spent: Spent,
}

impl AgentTally {
    fn add(&mut self, record: &EpisodeRecord) {
        let header = &record.trace.header;
        self.overall.add(record);
        self.variants.entry(header.variant).or_default().add(record);
        self.difficulties.entry(record.difficulty).or_default().add(record);
        self.domains.entry(record.domain.clone()).or_default().add(record);
        self.environments.entry(header.environment.clone()).or_default().add(record);
        self.tasks.entry(header.task.clone()).or_default().add(record);
        self.spent.add(record);
    }

    fn report(self) -> AgentReport {
        let mut variants = summaries(self.variants);
        add_changes(&mut variants);
        AgentReport {
            overall: self.overall.summary(),
            variants,
            difficulties: summaries(self.difficulties),
            domains: summaries(self.domains),
            environments: summaries(self.environments),
            tasks: self.tasks.into_iter().map(|(task, group)| (task, task_summary(&group.summary()))).collect(),
            spent: (self.spent != Spent::default()).then_some(self.spent),
        }
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
