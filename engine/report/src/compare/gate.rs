//! The gate: whether a new run may take the place of the base.

use std::collections::BTreeMap;

use serde::Serialize;

use super::changed::ChangedEpisode;
use super::check::{Check, Decision, Outcome};
use super::comparison::Comparison;
use super::difference::{Difference, GroupName, decide};
use super::rules::{GateFile, LEVEL, MetricRule, Rule};
use super::{check, check_instances};
use crate::table::count;
use probity_bench::{Card, EpisodeRecord, Reading};

#[derive(Clone, Debug, Serialize)]
pub struct GateVerdict {
    /// Every check, in order; the first is whether the runs can be compared, the second whether all was measured.
    pub checks: Vec<Check>,
    /// What they come to.
    pub decision: Decision,
    /// Whether the new run is let through.
    pub is_open: bool,
    /// What these episodes could have found, of the first metric whose drop is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// What could not have been found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    pub metric: &'static str,
    pub group: GroupName,
    /// Drops below it are missed more often than once in five times; 0 where both agents do the same every time.
    pub detectable: f64,
    /// `noise floor 0.150`.
    pub noise: String,
}

impl GateVerdict {
    /// Looks at a comparison without a file: no instance lost whole, nothing severe that is new, no significant drop,
    /// over all, in the few metrics that the card asks about. Everything else is information.
    pub fn by_default(card: &'static Card, comparison: &Comparison) -> GateVerdict {
        let asked: Vec<&Difference> =
            card.gate.iter().filter_map(|metric| comparison.difference(metric, &GroupName::All)).collect();
        let questions = Questions { level: LEVEL, count: asked.len() };
        let mut checks = checks(card, comparison);
        checks.push(check_instances::lost(card, comparison));
        checks.push(check_instances::severe(card, comparison));
        checks
            .extend(asked.iter().map(|difference| check::no_drop(difference, questions.test(card, difference), false)));
        GateVerdict { limit: asked.first().and_then(|first| limit(first)), ..GateVerdict::of_checks(checks) }
    }

    /// Looks at a comparison by the rules of a file; its chances are then those that the file asks for, and no others.
    pub fn by_file(card: &'static Card, comparison: &mut Comparison, file: &GateFile) -> GateVerdict {
        let asked: Vec<&MetricRule> = file.questions().collect();
        let questions = Questions { level: file.level, count: asked.len() };
        let found: Vec<Option<&Difference>> =
            asked.iter().map(|rule| comparison.difference(rule.metric, &GroupName::of(&rule.levels))).collect();
        let decided = decide(&found.into_iter().flatten().collect::<Vec<_>>(), comparison.seed);
        comparison.differences.iter_mut().for_each(Difference::forget);
        let mut decided = decided.into_iter();
        for rule in &asked {
            if let Some(difference) = comparison.difference_mut(rule.metric, &GroupName::of(&rule.levels)) {
                difference.decide(decided.next().flatten(), questions.share());
            }
        }
        let comparison = &*comparison;
        let mut checks = checks(card, comparison);
        for rule in &file.rules {
            match rule {
                Rule::Metric(rule) => match comparison.difference(rule.metric, &GroupName::of(&rule.levels)) {
                    Some(difference) => {
                        checks.extend(check::by_rule(rule, difference, questions.test(card, difference)));
                    }
                    None => checks.push(check::nothing(rule.metric, GroupName::of(&rule.levels))),
                },
                Rule::Lost(rule) => checks.push(check_instances::lost_by_rule(card, comparison, rule)),
                Rule::Finding(rule) => checks.push(check_instances::finding(card, comparison, rule)),
                Rule::PassK(rule) => checks.extend(check_instances::pass_k(card, comparison, rule)),
            }
        }
        let first = asked.first().and_then(|rule| comparison.difference(rule.metric, &GroupName::of(&rule.levels)));
        GateVerdict { limit: first.and_then(limit), ..GateVerdict::of_checks(checks) }
    }

    /// What checks come to.
    pub fn of_checks(checks: Vec<Check>) -> GateVerdict {
        let decision = Decision::of(&checks);
        GateVerdict { checks, decision, is_open: decision == Decision::Open, limit: None }
    }

    /// Closes the gate for reasons that lie outside the comparison.
    pub fn obstruct(&mut self, reasons: &[String]) {
        let Some(first) = self.checks.first_mut().filter(|_| !reasons.is_empty()) else { return };
        let earlier = (first.outcome == Outcome::Fail).then(|| first.text.clone());
        *first = hindered(reasons.iter().cloned().chain(earlier).collect());
        self.decision = Decision::of(&self.checks);
        self.is_open = false;
    }

    pub fn held(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome == Outcome::Pass)
    }

    pub fn closing(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome.closes())
    }

    /// The instances that keep the gate closed, each with the first check that it stands behind.
    pub fn behind<'a>(&'a self, comparison: &'a Comparison) -> BTreeMap<String, &'a Check> {
        let mut behind = BTreeMap::new();
        for check in self.closing() {
            let episodes = evidence(check, comparison).map(ChangedEpisode::instance);
            for instance in check.instances.iter().cloned().chain(episodes) {
                behind.entry(instance).or_insert(check);
            }
        }
        behind
    }
}

/// The episodes behind a check, in unit order: those of its instances, or those in which its metric got worse.
pub fn evidence<'a>(check: &'a Check, comparison: &'a Comparison) -> impl Iterator<Item = &'a ChangedEpisode<'a>> {
    let of = check.metric.and_then(|metric| comparison.difference(metric, &check.group));
    let sign = of.map_or(1.0, |difference| difference.direction.sign());
    let is_worse = move |episode: &&ChangedEpisode| match check.metric.and_then(|metric| episode.metrics.get(metric)) {
        Some((Some(base), Some(new))) => sign * (new - base) < 0.0,
        Some((Some(_), None)) => true,
        Some((None, _)) | None => check.instances.contains(&episode.instance()),
    };
    comparison.episodes.iter().filter(|episode| check.group.holds(&episode.factors)).filter(is_worse)
}

fn limit(difference: &Difference) -> Option<Limit> {
    let (metric, group) = (difference.metric, difference.group.clone());
    Some(Limit { metric, group, detectable: difference.detectable?, noise: difference.noise_said() })
}

/// What a gate asks at once, and the chance of a false alarm in any of it.
#[derive(Clone, Copy)]
pub(super) struct Questions {
    pub level: f64,
    pub count: usize,
}

impl Questions {
    /// The level of one question alone.
    pub fn share(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a gate asks few questions")]
        let count = self.count.max(1) as f64;
        self.level / count
    }

    fn test(self, card: &Card, difference: &Difference) -> check::Test {
        check::Test { level: self.level, share: self.share(), margin: check::margin(card, difference) }
    }
}

/// The checks before any number: whether the runs can be compared, and whether all of it was measured.
fn checks(card: &Card, comparison: &Comparison) -> Vec<Check> {
    vec![comparable(obstacles(comparison), comparison), measured(card, comparison)]
}

fn obstacles(comparison: &Comparison) -> Vec<String> {
    let mut obstacles = Vec::new();
    if comparison.pairs == 0 {
        obstacles.push("no episode of the new run was played on the same thing as one of the base".to_owned());
    }
    obstacles.extend(comparison.broken.iter().map(|run| {
        let agent = if *run == "base" { &comparison.base_agent } else { &comparison.new_agent };
        format!("`{agent}` failed in every episode of the {run} run, so that it says nothing: mend its command and play again")
    }));
    for (what, list) in comparison.gaps() {
        obstacles.extend(list.first().map(|first| format!("{} {what}, first: {first}", list.len())));
    }
    obstacles
}

fn comparable(obstacles: Vec<String>, comparison: &Comparison) -> Check {
    if !obstacles.is_empty() {
        return hindered(obstacles);
    }
    let (base, new) = (&comparison.base_agent, &comparison.new_agent);
    let text = match base == new {
        true => "same agents, tasks and trials".to_owned(),
        false => format!("same tasks and trials; `{new}` in place of `{base}`"),
    };
    Check { outcome: Outcome::Pass, text, ..hindered(Vec::new()) }
}

fn hindered(obstacles: Vec<String>) -> Check {
    Check::whole("the runs can be compared", Outcome::Fail, obstacles.join("; "))
}

/// What could not be scored is neither worse nor equal: a provider was away, or a task is at fault.
fn measured(card: &Card, comparison: &Comparison) -> Check {
    const NAME: &str = "every episode was measured";
    let pairs = || comparison.instances.iter().flat_map(|instance| &instance.pairs);
    let unmeasured = pairs().filter(|pair| pair.values(card.headline()).is_none()).count();
    if unmeasured == 0 {
        return Check::whole(NAME, Outcome::Pass, count(comparison.pairs, "pair"));
    }
    let why = |record: &EpisodeRecord| match record.scores.metrics.get(card.headline()) {
        Some(Reading::NotScored { reason }) => Some(reason.clone()),
        Some(Reading::Scored { .. }) | None => None,
    };
    let side = |name: &str, of: &dyn Fn(&super::pair::Pair) -> Option<(String, String)>| {
        let all: Vec<(String, String)> = pairs().filter_map(of).collect();
        let (episode, reason) = all.first()?;
        Some(format!("{} of the {name} run, first: {episode} ({reason})", all.len()))
    };
    let told = |record: &EpisodeRecord| Some((record.instance_name(), why(record)?));
    let sides = [side("base", &|pair| told(pair.base)), side("new", &|pair| told(pair.new))];
    let sides = sides.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let all = if unmeasured == comparison.pairs { "no episode is scored in both runs: " } else { "" };
    let text = format!(
        "{all}{} not scored: {sides}; `probity run --resume` plays what was not reached",
        count(unmeasured, "pair")
    );
    Check::whole(NAME, Outcome::NotMeasured, text)
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
