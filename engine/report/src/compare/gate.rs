//! The gate: whether a new run may take the place of the base.

use serde::Serialize;

use super::check::{Check, Decision, Outcome};
use super::comparison::Comparison;
use super::difference::{Difference, GroupName};
use super::question::decide;
use super::rules::{GateFile, LEVEL, MetricRule, Rule};
use super::{check_instances, check_metric, check_runs};
use probity_bench::Card;

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
        let mut checks = check_runs::checks(card, comparison);
        checks.push(check_instances::lost(card, comparison));
        checks.push(check_instances::severe(card, comparison));
        checks.extend(
            asked.iter().map(|difference| check_metric::no_drop(difference, questions.test(card, difference), false)),
        );
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
        let mut checks = check_runs::checks(card, comparison);
        for rule in &file.rules {
            match rule {
                Rule::Metric(rule) => match comparison.difference(rule.metric, &GroupName::of(&rule.levels)) {
                    Some(difference) => {
                        checks.extend(check_metric::by_rule(rule, difference, questions.test(card, difference)));
                    }
                    None => checks.push(check_metric::nothing(rule.metric, GroupName::of(&rule.levels))),
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
        *first = check_runs::hindered(reasons.iter().cloned().chain(earlier).collect());
        self.decision = Decision::of(&self.checks);
        self.is_open = false;
    }

    pub fn held(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome == Outcome::Pass)
    }

    pub fn closing(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome.closes())
    }
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

    fn test(self, card: &Card, difference: &Difference) -> check_metric::Test {
        check_metric::Test { level: self.level, share: self.share(), margin: check_metric::margin(card, difference) }
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
