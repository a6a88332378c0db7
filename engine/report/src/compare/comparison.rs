//! The comparison of one agent of each run: differences by metric and group, and the episodes behind them. What a
//! verdict begins with: tasks that the base solved and the new run no longer does.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::changed::{ChangedEpisode, changed};
use super::difference::{Difference, GroupName, decide};
use super::pair::{Instance, Pair, Pairs};
use super::rules::{GateFile, LEVEL};
use probity_bench::{Card, EndReason, EpisodeRecord, Levels, Metric};

#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub records: &'a [EpisodeRecord],
    pub agent: &'a str,
    /// Whether it does the same every time it is asked the same.
    pub is_repeatable: bool,
}

/// What changed between two agents, or two runs of one.
#[derive(Clone, Serialize)]
pub struct Comparison<'a> {
    pub base_agent: String,
    pub new_agent: String,
    pub pairs: usize,
    /// Trials of each instance, at least.
    pub trials: usize,
    /// Tasks that the base solved and the new run no longer does, those that lost most first.
    pub lost: Vec<LostTask>,
    /// The differences, metric by metric: all episodes, then each level of each factor.
    pub differences: Vec<Difference>,
    /// How often each finding occurred in the base and in the new run, where that changed.
    pub findings: BTreeMap<String, (usize, usize)>,
    pub episodes: Vec<ChangedEpisode<'a>>,
    /// Episodes of the base that the new run lacks.
    pub only_base: Vec<String>,
    /// Episodes of the new run that the base lacks.
    pub only_new: Vec<String>,
    /// Runs in which the agent failed in every episode: `base`, `new`.
    pub broken: Vec<&'static str>,
    /// Episodes that were played on other versions of a task, under other limits or with another user.
    pub unlike: Vec<String>,
    /// Whether both agents do the same every time they are asked the same.
    pub is_repeatable: bool,
    /// The instances of both, with their trials.
    #[serde(skip)]
    pub instances: Vec<Instance<'a>>,
    /// What decides the draws.
    #[serde(skip)]
    pub seed: u64,
}

impl<'a> Comparison<'a> {
    /// Compares in every metric, over all and at each level of each factor; `seed` decides the random draws.
    pub fn of(card: &'static Card, base: Side<'a>, new: Side<'a>, seed: u64) -> Comparison<'a> {
        let pairs = Pairs::of(base.records, base.agent, new.records, new.agent);
        let groups = |pairs: &[Pair]| {
            let mut groups = vec![GroupName::All];
            for factor in card.factors {
                let met: BTreeSet<&str> = pairs.iter().filter_map(|pair| pair.base.factors.get(factor.name)).collect();
                let at = |level| GroupName::At(Levels::from_iter([(factor.name, level)]));
                groups.extend(factor.order(met).into_iter().map(at));
            }
            groups
        };
        let findings = finding_counts(card, &pairs);
        let episodes = pairs.pairs.iter().filter_map(|pair| changed(card, pair)).collect();
        let all = card.metrics.iter();
        Comparison { findings, episodes, ..Comparison::with(card, [base, new], pairs, seed, all, groups) }
    }

    /// Compares in what a gate without a file asks about, and in nothing else: neither findings nor episodes.
    pub fn asked(card: &'static Card, base: Side<'a>, new: Side<'a>, seed: u64) -> Comparison<'a> {
        let metrics = card.metrics.iter().filter(|metric| card.gate.contains(&metric.name));
        let pairs = Pairs::of(base.records, base.agent, new.records, new.agent);
        Comparison::with(card, [base, new], pairs, seed, metrics, |_| vec![GroupName::All])
    }

    /// Compares in what a gate file asks about, and in nothing else.
    pub(crate) fn asked_by(
        card: &'static Card,
        base: Side<'a>,
        new: Side<'a>,
        seed: u64,
        file: &GateFile,
    ) -> Comparison<'a> {
        let pairs = Pairs::of(base.records, base.agent, new.records, new.agent);
        let metrics = card.metrics.iter().filter(|metric| file.metrics().any(|name| name == metric.name));
        Comparison::with(card, [base, new], pairs, seed, metrics, |_| file.groups())
    }

    fn with(
        card: &'static Card,
        [base, new]: [Side<'a>; 2],
        pairs: Pairs<'a>,
        seed: u64,
        metrics: impl Iterator<Item = &'static Metric>,
        groups: impl Fn(&[Pair]) -> Vec<GroupName>,
    ) -> Comparison<'a> {
        let is_repeatable = base.is_repeatable && new.is_repeatable;
        let groups = groups(&pairs.pairs);
        let mut differences = Vec::new();
        for metric in metrics {
            let of =
                |group: &GroupName| Difference::of(&pairs.pairs, card, metric, group.clone(), (is_repeatable, seed));
            differences.extend(groups.iter().map(of));
        }
        let instances = Instance::all(&pairs.pairs);
        let comparison = Comparison {
            base_agent: base.agent.to_owned(),
            new_agent: new.agent.to_owned(),
            pairs: pairs.pairs.len(),
            trials: instances.iter().map(|instance| instance.pairs.len()).min().unwrap_or_default(),
            lost: lost(card, &pairs.pairs),
            differences,
            findings: BTreeMap::new(),
            episodes: Vec::new(),
            only_base: pairs.only_base,
            only_new: pairs.only_new,
            broken: broken(&pairs.pairs),
            unlike: pairs.unlike,
            is_repeatable,
            instances,
            seed,
        };
        comparison.decided(card)
    }

    /// The same with the chances that a gate without a file decides by.
    fn decided(mut self, card: &Card) -> Comparison<'a> {
        let asked: Vec<&Difference> =
            card.gate.iter().filter_map(|metric| self.difference(metric, &GroupName::All)).collect();
        #[expect(clippy::cast_precision_loss, reason = "a gate asks few questions")]
        let share = LEVEL / asked.len().max(1) as f64;
        let mut decided = decide(&asked, self.seed).into_iter();
        for metric in card.gate {
            if let Some(difference) = self.difference_mut(metric, &GroupName::All) {
                difference.decide(decided.next().flatten(), share);
            }
        }
        self
    }

    /// Trials in which something must come again: `least`, and one where both agents always do the same.
    pub(crate) fn least_trials(&self, least: usize) -> usize {
        if self.is_repeatable { 1 } else { least }
    }

    /// The episodes that are not compared, and why: each reason with its episodes.
    pub fn gaps(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        let lists = [
            ("missing in the new run", &self.only_base),
            ("missing in the base run: play both on the same tasks, with as many trials", &self.only_new),
            (
                "played on another version of the task, under other limits or options, or with another user",
                &self.unlike,
            ),
        ];
        lists.into_iter().map(|(what, list)| (what, list.as_slice())).filter(|(_, list)| !list.is_empty())
    }

    /// The difference of a metric in a group, if there are such episodes.
    pub fn difference(&self, metric: &str, group: &GroupName) -> Option<&Difference> {
        self.differences.iter().find(|difference| difference.metric == metric && difference.group == *group)
    }

    pub(super) fn difference_mut(&mut self, metric: &str, group: &GroupName) -> Option<&mut Difference> {
        self.differences.iter_mut().find(|difference| difference.metric == metric && difference.group == *group)
    }
}

/// The runs in which nothing but the agent's failure was measured.
fn broken(pairs: &[Pair]) -> Vec<&'static str> {
    let has_failed = |record: &EpisodeRecord| matches!(record.trace.end(), Some((EndReason::AgentFailed, _)));
    let base = pairs.iter().all(|pair| has_failed(pair.base));
    let new = pairs.iter().all(|pair| has_failed(pair.new));
    let sides = [("base", base), ("new", new)].into_iter().filter(|(_, is_broken)| *is_broken && !pairs.is_empty());
    sides.map(|(name, _)| name).collect()
}

fn finding_counts<'a>(card: &'static Card, pairs: &Pairs<'a>) -> BTreeMap<String, (usize, usize)> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for pair in &pairs.pairs {
        let of = |record: &'a EpisodeRecord| card.findings(&record.scores).map(|finding| finding.code.clone());
        of(pair.base).for_each(|code| counts.entry(code).or_default().0 += 1);
        of(pair.new).for_each(|code| counts.entry(code).or_default().1 += 1);
    }
    counts.retain(|_, (base, new)| base != new);
    counts
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostTask {
    pub task: String,
    pub settings: Vec<String>,
    /// At how many settings the base solved it.
    pub solved: usize,
}

/// The tasks that are lost: at some setting every trial of the base is a success, and not every one of the new run.
pub fn lost(card: &Card, pairs: &[Pair]) -> Vec<LostTask> {
    let mut solved: BTreeMap<(&str, &Levels), (bool, bool)> = BTreeMap::new();
    for pair in pairs {
        // What is not scored in either says nothing of the instance.
        let Some((base, new)) = pair.values(card.headline()) else { continue };
        let [base, new] = [base, new].map(|value| card.is_success(value));
        let both = solved.entry((pair.task(), pair.levels())).or_insert((true, true));
        *both = (both.0 && base, both.1 && new);
    }
    let of_base = solved.into_iter().filter(|(_, (base, _))| *base).map(|(at, (_, new))| (at, !new));
    by_task(of_base).into_iter().map(|(task, settings, solved)| LostTask { task, settings, solved }).collect()
}

/// Of each task the settings that are named, and how many it has; tasks with most of them first.
pub(super) fn by_task<'a>(
    instances: impl Iterator<Item = ((&'a str, &'a Levels), bool)>,
) -> Vec<(String, Vec<String>, usize)> {
    let mut tasks: BTreeMap<&str, (Vec<String>, usize)> = BTreeMap::new();
    for ((task, levels), is_named) in instances {
        let (settings, of) = tasks.entry(task).or_default();
        settings.extend(is_named.then(|| levels.to_string()));
        *of += 1;
    }
    let tasks = tasks.into_iter().filter(|(_, (settings, _))| !settings.is_empty());
    let mut tasks: Vec<_> = tasks.map(|(task, (settings, of))| (task.to_owned(), settings, of)).collect();
    tasks.sort_by_key(|(_, settings, _)| std::cmp::Reverse(settings.len()));
    tasks
}

impl std::fmt::Display for LostTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.settings.len() == self.solved && self.solved > 1 {
            true => write!(f, "{}: all {} that the base solved", self.task, self.solved),
            false => write!(f, "{}: {}", self.task, self.settings.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;

    #[test]
    fn what_is_not_scored_is_not_lost() {
        let of = |sr| Sketch { sr, ..Sketch::default() }.record();
        let lost = |base, new| !lost(&CARD, &[Pair { base: &of(base), new: &of(new) }]).is_empty();
        assert!(lost(Some(true), Some(false)) && !lost(Some(true), None));
        assert!(!lost(None, None) && !lost(None, Some(false)) && !lost(Some(true), Some(true)));
    }
}
