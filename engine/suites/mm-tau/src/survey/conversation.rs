//! Scored conversations as the tables of the paper count them, voice beside text, one by one and together.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::measures::{CompositeWeights, Metrics, TextConversation, TextCounts, TraceCounts, VoiceConversation, pair};
use crate::play::CHANNEL;
use probity_bench::stats::pass_k::pass_hat;
use probity_bench::{EpisodeRecord, Reading};

#[derive(Clone, Debug)]
pub struct Conversation {
    /// The world: `telecom`.
    pub domain: String,
    pub bare_task: String,
    /// The task with its persona: what is played in text and in voice.
    pub task: String,
    pub persona: String,
    pub exposure: String,
    pub is_voice: bool,
    pub trial: u32,
    pub pass: bool,
    pub counts: TraceCounts,
    /// Messages of the oracle, where they are known.
    pub optimal: Option<u64>,
}

#[derive(Deserialize)]
struct Details {
    counts: TraceCounts,
    optimal: Option<u64>,
}

impl Conversation {
    /// The conversation of a record; nothing where it was not scored.
    pub fn of(record: &EpisodeRecord) -> Option<Conversation> {
        let level = |factor: &str| record.factors.get(factor).map(str::to_owned);
        let Reading::Scored { value, .. } = record.scores.metrics.get("sr")? else { return None };
        let details = Details::deserialize(&record.scores.details).ok()?;
        let persona = level(PERSONA)?;
        Some(Conversation {
            domain: level(DOMAIN)?,
            bare_task: record.task().to_owned(),
            task: format!("{} {persona}", record.task()),
            persona,
            exposure: level(EXPOSURE)?,
            is_voice: record.factors.get(CHANNEL)? == "voice",
            trial: record.trial,
            pass: *value > 0.5,
            counts: details.counts,
            optimal: details.optimal,
        })
    }
}

#[derive(Clone, Default)]
pub(crate) struct Group<'c>(Vec<&'c Conversation>);

impl<'c> Group<'c> {
    pub(crate) fn of(all: impl IntoIterator<Item = &'c Conversation>) -> Group<'c> {
        Group(all.into_iter().collect())
    }

    pub(crate) fn only(&self, fits: impl Fn(&Conversation) -> bool) -> Group<'c> {
        Group(self.0.iter().copied().filter(|one| fits(one)).collect())
    }

    pub(crate) fn names<'n>(&self, name: impl Fn(&'c Conversation) -> &'n str) -> Vec<&'n str>
    where
        'c: 'n,
    {
        self.0.iter().map(|one| name(one)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let spoken = self.0.iter().filter(|one| one.is_voice).map(|one| VoiceConversation {
            task: one.task.clone(),
            pass: one.pass,
            counts: one.counts,
            optimal: one.optimal,
        });
        let written = self.0.iter().filter(|one| !one.is_voice).map(|one| TextConversation {
            task: one.task.clone(),
            pass: one.pass,
            counts: TextCounts { agent_messages: one.counts.agent_messages },
        });
        pair(&spoken.collect::<Vec<_>>(), &written.collect::<Vec<_>>(), CompositeWeights::PAPER).metrics
    }

    /// Those whose `key` is met at every level: what differs between levels is then the level alone.
    pub(crate) fn shared<K: Ord>(
        &self,
        levels: &[&str],
        level: impl Fn(&Conversation) -> &String,
        key: impl Fn(&Conversation) -> K,
    ) -> Group<'c> {
        let keys = |name: &&str| self.0.iter().filter(|one| level(one) == name).map(|one| key(one)).collect();
        let mut each = levels.iter().map(keys);
        let first: BTreeSet<K> = each.next().unwrap_or_default();
        let met = each.fold(first, |met, keys: BTreeSet<K>| met.into_iter().filter(|key| keys.contains(key)).collect());
        self.only(|one| met.contains(&key(one)))
    }

    pub(crate) fn trials(&self) -> BTreeSet<u32> {
        self.0.iter().map(|one| one.trial).collect()
    }

    /// pass^k over a channel: the mean over tasks of `C(c,k)/C(n,k)`.
    pub(crate) fn pass_hat(&self, is_voice: bool, k: usize) -> Option<f64> {
        let tasks = self.passes(is_voice);
        let each: Option<Vec<f64>> = tasks.values().map(|(trials, passed)| pass_hat(*trials, *passed, k)).collect();
        let each = each.filter(|each| !each.is_empty())?;
        let tasks = each.len() as f64;
        Some(each.into_iter().sum::<f64>() / tasks)
    }

    /// By task: how often it was played over a channel, and how often well.
    fn passes(&self, is_voice: bool) -> BTreeMap<&'c str, (usize, usize)> {
        let mut tasks = BTreeMap::new();
        for one in self.0.iter().filter(|one| one.is_voice == is_voice) {
            let (trials, passed) = tasks.entry(one.task.as_str()).or_insert((0, 0));
            *trials += 1;
            *passed += usize::from(one.pass);
        }
        tasks
    }
}
