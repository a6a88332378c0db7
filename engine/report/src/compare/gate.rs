//! The gate: whether a new run may take the place of the base.

use serde::Serialize;

use super::comparison::Comparison;
use super::difference::{Difference, GroupName};
use super::noise::Noise;
use super::rules::{GateFile, LEVEL, Rule};
use super::write::text::count;
use probity_bench::{Card, stats::holm};

/// The share of a metric's range that nobody can lose unnoticed: a loss that could be as large keeps the gate closed.
const MARGIN: f64 = 0.25;

#[derive(Clone, Debug, Serialize)]
pub struct GateVerdict {
    /// Every check, in order; the first is whether the runs can be compared.
    pub checks: Vec<Check>,
    /// Whether the new run is let through.
    pub is_open: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// `sr ideal: no significant drop`.
    pub name: String,
    /// The metric; nothing where the check is not about numbers.
    pub metric: Option<&'static str>,
    pub group: GroupName,
    pub outcome: Outcome,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    /// It fell, perhaps by chance, perhaps by more than may be: too few episodes to tell. The gate stays closed.
    Undecided,
    /// There is nothing to look at: the base did not score it either. A check that a file asks for fails instead.
    NotScored,
}

impl Outcome {
    pub fn closes(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Undecided)
    }
}

impl GateVerdict {
    /// Looks at a comparison without a file: no significant drop, over all, in the few metrics that the card asks
    /// about. Everything else is information.
    pub fn by_default(card: &Card, comparison: &Comparison) -> GateVerdict {
        let asked = card.gate.iter().filter_map(|metric| comparison.difference(metric, &GroupName::All));
        let asked: Vec<&Difference> = asked.collect();
        let questions = Questions { level: LEVEL, count: asked.len() };
        let tested: Vec<f64> = asked.iter().filter_map(|difference| difference.p).collect();
        let mut adjusted = holm::adjust(&tested).into_iter();
        let check = |difference: &Difference| {
            let p = difference.p.and_then(|_| adjusted.next());
            no_drop(difference, questions.test(card, difference, p), false)
        };
        let checks = asked.into_iter().map(check).collect();
        GateVerdict::of(card, checks, comparison)
    }

    /// Looks at a comparison by the rules of a file.
    pub fn by_file(card: &Card, comparison: &Comparison, file: &GateFile) -> GateVerdict {
        let difference = |rule: &Rule| comparison.difference(rule.metric, &group(rule));
        let asked: Vec<&Rule> = file.rules.iter().filter(|rule| rule.no_significant_drop).collect();
        let p = |rule: &&Rule| difference(rule).and_then(|difference| difference.p);
        let tested: Vec<f64> = asked.iter().filter_map(p).collect();
        let mut adjusted = holm::adjust(&tested).into_iter();
        let questions = Questions { level: file.level, count: asked.len() };
        let mut checks = Vec::new();
        for rule in &file.rules {
            match difference(rule) {
                Some(difference) => {
                    // What was not scored has no chance to be told, and no place among those that have.
                    let p = difference.p.filter(|_| rule.no_significant_drop).and_then(|_| adjusted.next());
                    checks.extend(by_rule(rule, difference, questions.test(card, difference, p)));
                }
                None => checks.push(nothing(rule)),
            }
        }
        GateVerdict::of(card, checks, comparison)
    }

    fn of(card: &Card, mut checks: Vec<Check>, comparison: &Comparison) -> GateVerdict {
        checks.insert(0, comparable(obstacles(card, comparison), comparison));
        let is_open = checks.iter().all(|check| !check.outcome.closes());
        GateVerdict { checks, is_open }
    }

    /// Closes the gate for reasons that lie outside the comparison.
    pub fn obstruct(&mut self, reasons: &[String]) {
        let Some(first) = self.checks.first_mut().filter(|_| !reasons.is_empty()) else { return };
        let earlier = (first.outcome == Outcome::Fail).then(|| first.text.clone());
        *first = hindered(reasons.iter().cloned().chain(earlier).collect());
        self.is_open = false;
    }

    pub fn held(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome == Outcome::Pass)
    }

    pub fn closing(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.outcome.closes())
    }
}

fn obstacles(card: &Card, comparison: &Comparison) -> Vec<String> {
    let mut obstacles = Vec::new();
    let success = comparison.difference(card.headline(), &GroupName::All);
    if comparison.pairs == 0 {
        obstacles.push("no episode of the new run was played on the same thing as one of the base".to_owned());
    } else if success.is_none_or(|difference| difference.n == 0) {
        obstacles.push("no episode is scored in both runs, so there is nothing to go by".to_owned());
    }
    obstacles.extend(comparison.broken.iter().map(|run| {
        let agent = if *run == "base" { &comparison.base_agent } else { &comparison.new_agent };
        format!("`{agent}` failed in every episode of the {run} run, so that it says nothing: mend its command and play again")
    }));
    for (what, list) in comparison.gaps() {
        obstacles.extend(list.first().map(|first| format!("{} {what}, first: {first}", list.len())));
    }
    let unscored =
        success.filter(|difference| difference.n > 0).map_or(0, |difference| comparison.pairs - difference.n);
    if unscored > 0 {
        let what = "could not be scored in the base run, the new one or both";
        obstacles.push(format!("{} {what}", count(unscored, "episode")));
    }
    obstacles
}

/// The first check, before any number.
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
    Check {
        name: "the runs can be compared".to_owned(),
        metric: None,
        group: GroupName::All,
        outcome: Outcome::Fail,
        text: obstacles.join("; "),
    }
}

/// The loss of a metric that may not go unnoticed.
fn margin(card: &Card, difference: &Difference) -> f64 {
    card.metric(difference.metric).map_or(f64::INFINITY, |metric| MARGIN * (metric.range.1 - metric.range.0))
}

fn group(rule: &Rule) -> GroupName {
    match rule.levels.is_empty() {
        true => GroupName::All,
        false => GroupName::At(rule.levels.iter().collect()),
    }
}

/// What a gate asks at once, and the chance of a false alarm in any of it.
#[derive(Clone, Copy)]
struct Questions {
    level: f64,
    count: usize,
}

impl Questions {
    fn test(self, card: &Card, difference: &Difference, p: Option<f64>) -> Test {
        #[expect(clippy::cast_precision_loss, reason = "a gate asks few questions")]
        let share = self.level / self.count.max(1) as f64;
        Test { level: self.level, share, p, margin: margin(card, difference) }
    }
}

/// How a drop is looked for: the level, its chance, and the loss that must be ruled out.
#[derive(Clone, Copy)]
struct Test {
    level: f64,
    /// The level of one question alone.
    share: f64,
    /// The chance, with the number of questions accounted for.
    p: Option<f64>,
    margin: f64,
}

fn check(difference: &Difference, what: &str, outcome: Outcome, text: String) -> Check {
    Check {
        name: format!("{} {}: {what}", difference.metric, difference.group),
        metric: Some(difference.metric),
        group: difference.group.clone(),
        outcome,
        text,
    }
}

fn by_rule(rule: &Rule, difference: &Difference, test: Test) -> Vec<Check> {
    // A rule that asks for a number fails when there is none.
    let outcome = |holds: Option<bool>| if holds == Some(true) { Outcome::Pass } else { Outcome::Fail };
    let mut checks = Vec::new();
    let bounds = [("least", rule.min, f64::ge as fn(&f64, &f64) -> bool), ("most", rule.max, f64::le)];
    for (word, bound, holds) in bounds {
        let Some(bound) = bound else { continue };
        let asked = format!("at {word} {bound}");
        let text = difference.reached.map_or_else(not_scored, |reached| format!("{reached:.3}, {asked} is asked for"));
        let holds = difference.reached.map(|reached| holds(&reached, &bound));
        checks.push(check(difference, &asked, outcome(holds), text));
    }
    if let Some(most) = rule.max_drop {
        let outcome = match difference.gain().map(|gain| -gain <= most) {
            Some(true) if leaves_out(difference) => Outcome::Undecided,
            holds => outcome(holds),
        };
        let text = format!("{}{}", numbers(difference, None), why_undecided(difference, test, outcome));
        checks.push(check(difference, &format!("falls by at most {most}"), outcome, text));
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
        metric: Some(rule.metric),
        group,
        outcome: Outcome::Fail,
        text: "there are no such episodes in both runs".to_owned(),
    }
}

fn no_drop(difference: &Difference, test: Test, is_asked: bool) -> Check {
    let fell = difference.gain().is_some_and(|gain| gain < 0.0);
    let outcome = match test.p {
        Some(p) if fell && p < test.level => Outcome::Fail,
        // A loss that chance may have made, or that may be larger than it looks, is not let through for that.
        Some(_) if fell && difference.worst.is_some_and(|worst| worst >= test.margin) => Outcome::Undecided,
        Some(_) if leaves_out(difference) => Outcome::Undecided,
        Some(_) => Outcome::Pass,
        None if is_asked || difference.lost > 0 => Outcome::Fail,
        None => Outcome::NotScored,
    };
    let text = format!("{}{}", numbers(difference, test.p), why_undecided(difference, test, outcome));
    check(difference, "no significant drop", outcome, text)
}

/// Whether the new run leaves so much unscored that an agent could hide a drop there: a share that may be large, or any
/// at all where nothing comes by chance.
fn leaves_out(difference: &Difference) -> bool {
    let most = if difference.noise == Noise::None { 0.0 } else { MARGIN };
    difference.left_out.is_some_and(|worst| worst >= most)
}

/// What to do about a check that so few episodes, or so few scored ones, cannot decide.
fn why_undecided(difference: &Difference, test: Test, outcome: Outcome) -> String {
    if outcome != Outcome::Undecided {
        return String::new();
    }
    if leaves_out(difference) {
        return "; what is no longer scored may hide a drop: look at those episodes".to_owned();
    }
    let worst = difference.worst.map(|worst| format!(", it may be {worst:.3}")).unwrap_or_default();
    let help = match difference.loss.trials_that_tell(test.share) {
        Some(trials) => format!("play both runs with `--trials {trials}`"),
        None => "play both runs on more tasks; no number of trials that anybody plays would do".to_owned(),
    };
    format!("; so few episodes cannot tell this from chance{worst}: {help}")
}

fn not_scored() -> String {
    "not scored".to_owned()
}

/// `0.950 -> 0.900 (-0.050), p = 0.003, n = 112`.
fn numbers(difference: &Difference, p: Option<f64>) -> String {
    let (Some(base), Some(new), Some(change)) = (difference.base, difference.new, difference.change) else {
        return not_scored();
    };
    let floor = match difference.noise {
        Noise::Trials(_) => difference.noise_floor.map(|floor| format!(", noise floor {floor:.3}")),
        Noise::None | Noise::Unknown => None,
    };
    let corrected = if difference.p == p { "" } else { " corrected" };
    let p = p.filter(|_| change != 0.0).map(|p| format!(", p {}{corrected}", chance(p))).unwrap_or_default();
    let lost = match difference.lost {
        0 => String::new(),
        lost => format!(", {lost} no longer scored"),
    };
    format!("{base:.3} -> {new:.3} ({change:+.3}){}{p}, n = {}{lost}", floor.unwrap_or_default(), difference.n)
}

/// `= 0.0312`, `< 0.0001`.
pub fn chance(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {p:.4}") }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
