//! The gate: whether a new run may take the place of the base.

use serde::Serialize;

use super::comparison::Comparison;
use super::difference::{Difference, GroupName};
use super::rules::{GateFile, Rule};
use probity_bench::{Card, stats::holm};

/// The chance of a false alarm that is put up with, when no file says otherwise.
const LEVEL: f64 = 0.05;

/// What a gate says.
#[derive(Clone, Debug, Serialize)]
pub struct GateVerdict {
    /// Every check, in order.
    pub checks: Vec<Check>,
    /// What keeps the runs from being compared, if anything does.
    pub obstacles: Vec<String>,
    /// Whether the new run is let through.
    pub is_open: bool,
}

/// One check of a gate.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// `sr ideal: no significant drop`.
    pub name: String,
    /// The metric.
    pub metric: &'static str,
    /// The group.
    pub group: GroupName,
    /// What came of it.
    pub outcome: Outcome,
    /// The numbers, in a line.
    pub text: String,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds.
    Pass,
    /// It does not hold.
    Fail,
    /// There is nothing to look at: the base did not score it either. A check that a file asks for fails instead.
    NotScored,
}

impl GateVerdict {
    /// Looks at a comparison without a file: no significant drop in any metric, over all and under any behaviour.
    pub fn by_default(card: &Card, comparison: &Comparison) -> GateVerdict {
        let asked = comparison.differences.iter().filter(|difference| difference.group.is_asked(card));
        let asked: Vec<&Difference> = asked.collect();
        let questions = asked.iter().filter(|difference| difference.p.is_some()).count();
        let test = |difference: &Difference| Test { level: LEVEL, p: difference.p_adjusted, questions };
        let checks = asked.into_iter().map(|difference| no_drop(difference, test(difference), false)).collect();
        GateVerdict::of(card, checks, comparison)
    }

    /// Looks at a comparison by the rules of a file.
    pub fn by_file(card: &Card, comparison: &Comparison, file: &GateFile) -> GateVerdict {
        let difference = |rule: &Rule| comparison.difference(rule.metric, &group(rule));
        let tested: Vec<f64> = file
            .rules
            .iter()
            .filter(|rule| rule.no_significant_drop)
            .map(|rule| difference(rule).and_then(|difference| difference.p).unwrap_or(1.0))
            .collect();
        let mut adjusted = holm::adjust(&tested).into_iter();
        let mut checks = Vec::new();
        for rule in &file.rules {
            let p = if rule.no_significant_drop { adjusted.next() } else { None };
            match difference(rule) {
                Some(difference) => {
                    let test = Test { level: file.level, p, questions: tested.len() };
                    checks.extend(by_rule(rule, difference, test));
                }
                None => checks.push(nothing(rule)),
            }
        }
        GateVerdict::of(card, checks, comparison)
    }

    fn of(card: &Card, checks: Vec<Check>, comparison: &Comparison) -> GateVerdict {
        let mut obstacles = Vec::new();
        let success = comparison.difference(card.headline(), &GroupName::All);
        if comparison.pairs == 0 {
            obstacles.push("no episode of the new run was played on the same thing as one of the base".to_owned());
        } else if success.is_none_or(|difference| difference.n == 0) {
            obstacles.push("no episode is scored in both runs, so there is nothing to go by".to_owned());
        }
        for (list, what) in [
            (&comparison.only_base, "missing in the new run"),
            (&comparison.unlike, "played on another version of the task, under other limits or with another user"),
        ] {
            if let Some(first) = list.first() {
                obstacles.push(format!("{} {what}, first: {first}", list.len()));
            }
        }
        let lost = success.map_or(0, |difference| difference.lost);
        if lost > 0 {
            obstacles.push(format!("{lost} episodes that the base scored could not be scored in the new run"));
        }
        let is_open = obstacles.is_empty() && checks.iter().all(|check| check.outcome != Outcome::Fail);
        GateVerdict { checks, obstacles, is_open }
    }

    /// Closes the gate for a reason that lies outside the comparison.
    pub fn obstruct(&mut self, reason: String) {
        self.obstacles.push(reason);
        self.is_open = false;
    }

    /// The checks that hold.
    pub fn held(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome == Outcome::Pass)
    }

    /// The checks that do not hold.
    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome == Outcome::Fail)
    }
}

fn group(rule: &Rule) -> GroupName {
    match rule.levels.is_empty() {
        true => GroupName::All,
        false => GroupName::At(rule.levels.iter().collect()),
    }
}

/// How a drop is looked for: the level, its chance, and how many questions are asked at once.
#[derive(Clone, Copy)]
struct Test {
    level: f64,
    p: Option<f64>,
    questions: usize,
}

impl Test {
    /// Whether no drop whatever could be found on so few tasks.
    fn is_blind(self, difference: &Difference) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "questions are few")]
        let least = difference.least_p() * self.questions as f64;
        least >= self.level
    }
}

fn by_rule(rule: &Rule, difference: &Difference, test: Test) -> Vec<Check> {
    let check = |what: String, holds: Option<bool>, text: String| Check {
        name: format!("{} {}: {what}", difference.metric, difference.group),
        metric: difference.metric,
        group: difference.group.clone(),
        // A rule that asks for a number fails when there is none.
        outcome: if holds == Some(true) { Outcome::Pass } else { Outcome::Fail },
        text,
    };
    let mut checks = Vec::new();
    if let Some(min) = rule.min {
        let text = difference.new.map_or_else(not_scored, |new| format!("{new:.3}, at least {min} is asked for"));
        checks.push(check(format!("at least {min}"), difference.new.map(|new| new >= min), text));
    }
    if let Some(most) = rule.max_drop {
        let holds = difference.gain().map(|gain| -gain <= most);
        checks.push(check(format!("falls by at most {most}"), holds, numbers(difference, None)));
    }
    if rule.no_significant_drop {
        checks.push(no_drop(difference, test, true));
    }
    checks
}

fn nothing(rule: &Rule) -> Check {
    let group = group(rule);
    Check {
        name: format!("{} {group}", rule.metric),
        metric: rule.metric,
        group,
        outcome: Outcome::Fail,
        text: "there are no such episodes in both runs".to_owned(),
    }
}

fn no_drop(difference: &Difference, test: Test, is_asked: bool) -> Check {
    // A drop that nobody could tell from chance is not let through for that.
    let is_undecided = test.is_blind(difference) && difference.gain().is_some_and(|gain| gain < 0.0);
    let outcome = match (difference.gain(), test.p) {
        (Some(gain), Some(p)) if gain < 0.0 && p < test.level => Outcome::Fail,
        (Some(_), Some(_)) if is_undecided => Outcome::Fail,
        (Some(_), Some(_)) => Outcome::Pass,
        _ if is_asked || difference.lost > 0 => Outcome::Fail,
        _ => Outcome::NotScored,
    };
    Check {
        name: format!("{} {}: no significant drop", difference.metric, difference.group),
        metric: difference.metric,
        group: difference.group.clone(),
        outcome,
        text: numbers(difference, test.p) + if is_undecided { TOO_FEW } else { "" },
    }
}

/// What to do about a drop that so few tasks cannot tell from chance.
const TOO_FEW: &str = "; so few tasks cannot tell a drop from chance: play more tasks, or each with `--trials 3`";

fn not_scored() -> String {
    "not scored".to_owned()
}

/// `0.950 -> 0.900 (-0.050), noise floor 0.021, p = 0.003, n = 112`.
fn numbers(difference: &Difference, p: Option<f64>) -> String {
    let (Some(base), Some(new), Some(change)) = (difference.base, difference.new, difference.change) else {
        return not_scored();
    };
    let floor = difference
        .noise_floor
        .map_or_else(|| ", noise not known".to_owned(), |floor| format!(", noise floor {floor:.3}"));
    let p = p.map(|p| format!(", p = {p:.4}")).unwrap_or_default();
    format!("{base:.3} -> {new:.3} ({change:+.3}){floor}{p}, n = {}", difference.n)
}
