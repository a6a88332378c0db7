//! One check of a gate: what was asked, and how it came out; of a metric its bounds, how far it may fall, and whether
//! it fell by more than chance.

use serde::Serialize;

use super::difference::{Difference, GroupName};
use super::noise::Noise;
use super::rules::MetricRule;
use probity_bench::Card;

#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// `sr ideal: no significant drop`.
    pub name: String,
    /// The metric; nothing where the check is not about numbers.
    pub metric: Option<&'static str>,
    pub group: GroupName,
    pub outcome: Outcome,
    pub text: String,
    /// Instances that it does not hold at, `task levels`, where it is about instances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    /// It fell, perhaps by chance, perhaps by more than may be: too few episodes to tell, or too near to call. The gate
    /// stays closed.
    Undecided,
    /// Episodes could not be scored, through no fault of the agent: neither worse nor equal. The gate stays closed.
    NotMeasured,
    /// There is nothing to look at: the base did not score it either. A check that a file asks for fails instead.
    NotScored,
}

impl Outcome {
    pub fn closes(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Undecided | Outcome::NotMeasured)
    }
}

/// What a gate says of the new run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It may take the place of the base.
    Open,
    /// It may not: something is worse, or the runs cannot be compared.
    Closed,
    /// It may not yet: so few episodes cannot tell, or it is too near to call.
    Undecided,
    /// Nobody knows: what had to be looked at was not scored.
    NotMeasured,
}

impl Decision {
    /// What checks come to: what is worse stays worse, whatever else was not measured or not decided.
    pub fn of(checks: &[Check]) -> Decision {
        let any = |outcome| checks.iter().any(|check| check.outcome == outcome);
        if any(Outcome::Fail) {
            Decision::Closed
        } else if any(Outcome::NotMeasured) {
            Decision::NotMeasured
        } else if any(Outcome::Undecided) {
            Decision::Undecided
        } else {
            Decision::Open
        }
    }

    /// `gate closed`.
    pub fn words(self) -> &'static str {
        match self {
            Decision::Open => "gate open",
            Decision::Closed => "gate closed",
            Decision::Undecided => "gate closed (undecided)",
            Decision::NotMeasured => "gate closed (not measured)",
        }
    }
}

impl Check {
    /// A check that is about no single metric.
    pub(super) fn whole(name: impl Into<String>, outcome: Outcome, text: impl Into<String>) -> Check {
        let (name, text) = (name.into(), text.into());
        Check { name, metric: None, group: GroupName::All, outcome, text, instances: Vec::new() }
    }
}

/// The share of a metric's range that nobody can lose unnoticed: a loss that could be as large keeps the gate closed.
const MARGIN: f64 = 0.25;

/// The loss of a metric that may not go unnoticed.
pub(super) fn margin(card: &Card, difference: &Difference) -> f64 {
    card.metric(difference.metric).map_or(f64::INFINITY, |metric| MARGIN * (metric.range.1 - metric.range.0))
}

/// How a drop is looked for: the level, and the loss that must be ruled out.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub level: f64,
    /// The level of one question alone.
    pub share: f64,
    pub margin: f64,
}

fn check(difference: &Difference, what: &str, outcome: Outcome, text: String) -> Check {
    let group = difference.group.clone();
    let name = format!("{} {group}: {what}", difference.metric);
    Check { metric: Some(difference.metric), group, ..Check::whole(name, outcome, text) }
}

/// That there is nothing to look at.
pub(super) fn nothing(metric: &'static str, group: GroupName) -> Check {
    let text = "there are no such episodes in both runs";
    Check {
        metric: Some(metric),
        group: group.clone(),
        ..Check::whole(format!("{metric} {group}"), Outcome::Fail, text)
    }
}

/// How a check comes out that has no number: not measured where no episode was, else it does not hold.
fn without_number(difference: &Difference) -> Outcome {
    match difference.n == 0 && difference.unmeasured > 0 {
        true => Outcome::NotMeasured,
        false => Outcome::Fail,
    }
}

pub(super) fn by_rule(rule: &MetricRule, difference: &Difference, test: Test) -> Vec<Check> {
    // A rule that asks for a number fails when there is none.
    let outcome = |holds: Option<bool>| match holds {
        Some(true) => Outcome::Pass,
        Some(false) => Outcome::Fail,
        None => without_number(difference),
    };
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
        let left_out = if outcome == Outcome::Undecided { LEFT_OUT } else { "" };
        let text = format!("{}{left_out}", numbers(difference, false));
        checks.push(check(difference, &format!("falls by at most {most}"), outcome, text));
    }
    if rule.no_significant_drop {
        checks.push(no_drop(difference, test, true));
    }
    checks
}

pub(super) fn no_drop(difference: &Difference, test: Test, is_asked: bool) -> Check {
    let fell = difference.gain().is_some_and(|gain| gain < 0.0);
    let (outcome, why) = match difference.decided {
        Some(decided) if fell && decided.is_below(test.level) => (Outcome::Fail, String::new()),
        Some(decided) if fell && decided.is_near(test.level) => (Outcome::Undecided, too_near(decided.bounds, test)),
        // A loss that chance may have made, or that may be larger than it looks, is not let through for that.
        Some(_) if fell && difference.worst.is_some_and(|worst| worst >= test.margin) => {
            (Outcome::Undecided, too_few(difference, test))
        }
        Some(_) if leaves_out(difference) => (Outcome::Undecided, LEFT_OUT.to_owned()),
        Some(_) => (Outcome::Pass, String::new()),
        None if difference.n == 0 && difference.unmeasured > 0 => (Outcome::NotMeasured, String::new()),
        None if is_asked || difference.lost > 0 => (Outcome::Fail, String::new()),
        None => (Outcome::NotScored, String::new()),
    };
    check(difference, "no significant drop", outcome, format!("{}{why}", numbers(difference, true)))
}

/// Whether the new run leaves so much unscored that an agent could hide a drop there: a share that may be large, or any
/// at all where nothing comes by chance.
fn leaves_out(difference: &Difference) -> bool {
    let most = if difference.noise == Noise::None { 0.0 } else { MARGIN };
    difference.left_out.is_some_and(|worst| worst >= most)
}

const LEFT_OUT: &str = "; what is no longer scored may hide a drop: look at those episodes";

/// That the draws of another seed could decide otherwise.
fn too_near((low, high): (f64, f64), test: Test) -> String {
    let level = test.level;
    format!(
        "; too near to call: drawn swaps put p between {low:.4} and {high:.4}, and the level is {level}: play more trials"
    )
}

/// What to do about a check that so few episodes cannot decide.
fn too_few(difference: &Difference, test: Test) -> String {
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

/// `0.950 -> 0.900 (-0.050), noise floor 0.040, p = 0.0031, n = 112`; p where it decides.
fn numbers(difference: &Difference, is_decided: bool) -> String {
    let (Some(base), Some(new), Some(change)) = (difference.base, difference.new, difference.change) else {
        return not_scored();
    };
    let noise = match difference.noise {
        Noise::Trials(_) => format!(", {}", difference.noise_said()),
        Noise::None | Noise::Unknown => String::new(),
    };
    let p = difference.p.filter(|_| is_decided && change != 0.0);
    let p = p.map(|p| format!(", p {}", chance(p))).unwrap_or_default();
    let lost = match difference.lost {
        0 => String::new(),
        lost => format!(", {lost} no longer scored"),
    };
    format!("{base:.3} -> {new:.3} ({change:+.3}){noise}{p}, n = {}{lost}", difference.n)
}

/// `= 0.0312`, `< 0.0001`.
pub fn chance(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {p:.4}") }
}
