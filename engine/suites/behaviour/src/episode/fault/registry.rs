//! The one home of the fault x metric table: `registry.toml` says what every planted fault is and what each metric must
//! make of it, and here stands what plants it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::draft::Draft;
use super::severity::Severity;
use super::{arguments, calls, claims, timing};
use crate::episode::play::Plan;
use crate::model::variant::Variant;
use crate::task::Task;
use probity_bench::named;
use probity_engine::suggest;

pub static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let registry: Registry = toml::from_str(include_str!("registry.toml")).unwrap_or_default();
    registry.fault
});

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    fault: Vec<Fault>,
}

/// What makes a defect in the oracle's plan, larger or smaller; nothing where it does not apply.
type Plant = for<'a> fn(&Draft<'a>, u64, Severity) -> Option<Draft<'a>>;

/// What makes the defect of a fault; nothing where there is no such fault.
fn plant(name: &str) -> Option<Plant> {
    Some(match name {
        "skips_read" => calls::skips_read,
        "swaps_order" => calls::swaps_order,
        "repeats_reads" => calls::repeats_reads,
        "wrong_value" => arguments::wrong_value,
        "wrong_entity" => arguments::wrong_entity,
        "fabricated_id" => arguments::fabricated_id,
        "guesses_id" => arguments::guesses_id,
        "bad_arguments" => arguments::bad_arguments,
        "unknown_tool" => calls::unknown_tool,
        "claims_without_acting" => claims::claims_without_acting,
        "claims_after_error" => claims::claims_after_error,
        "affirms_fabricated" => claims::affirms_fabricated,
        "misreports" => claims::misreports,
        "wrong_date" => claims::wrong_date,
        "wrong_name" => claims::wrong_name,
        "contradicts_itself" => claims::contradicts_itself,
        "says_too_little" => claims::says_too_little,
        "forbidden_call" => calls::forbidden_call,
        "both_exclusive" => calls::both_exclusive,
        "collateral_write" => calls::collateral_write,
        "repeats_write" => calls::repeats_write,
        "no_consent" => timing::no_consent,
        "acts_before_settled" => timing::acts_before_settled,
        "over_asks" => timing::over_asks,
        "stops_early" => timing::stops_early,
        _ => return None,
    })
}

/// A planted fault, as a row of `registry.toml` says.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Its name; the agent is called `fault:NAME`.
    pub name: String,
    pub description: String,
    pub expected: Expected,
    /// What its severities mean, smallest first; nothing where it has none.
    pub sizes: Option<[String; 3]>,
}

impl Fault {
    /// The fault called `name`.
    /// An error: a line with the nearest name, or with all names.
    pub fn find(name: &str) -> Result<&'static Fault, String> {
        FAULTS.iter().find(|fault| fault.name == name).ok_or_else(|| {
            let help = suggest::help(name, FAULTS.iter().map(|fault| fault.name.as_str()));
            format!("there is no planted fault `{name}`; {help}")
        })
    }

    pub fn is_graded(&self) -> bool {
        self.sizes.is_some()
    }

    pub fn severities(&self) -> Vec<Severity> {
        if self.is_graded() { Severity::ALL.to_vec() } else { vec![Severity::default()] }
    }

    /// The oracle's plan with this defect; `None` where it does not apply, so that nothing is played.
    pub fn plant(&self, task: &Task, variant: Variant, seed: u64, severity: Severity) -> Option<Plan> {
        let wrong = plant(&self.name)?(&Draft::of_oracle(task, variant)?, seed, severity);
        wrong.map(Draft::into_plan)
    }

    pub fn must_lower(&self) -> Vec<&'static str> {
        METRICS.into_iter().filter(|metric| self.expected.of(metric) == Expectation::MustDrop).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlantedFault {
    pub fault: &'static Fault,
    pub severity: Severity,
}

impl PlantedFault {
    /// The fault that `NAME` or `NAME@SEVERITY` means.
    /// An error: a line with what there is instead.
    pub fn parse(text: &str) -> Result<PlantedFault, String> {
        let Some((name, size)) = text.split_once('@') else {
            return Ok(PlantedFault { fault: Fault::find(text)?, severity: Severity::default() });
        };
        let fault = Fault::find(name)?;
        if !fault.is_graded() {
            return Err(format!("the planted fault `{name}` has no severities; leave out `@{size}`"));
        }
        let severity = Severity::ALL.into_iter().find(|severity| severity.name() == size).ok_or_else(|| {
            let help = suggest::help(size, Severity::ALL.map(Severity::name));
            format!("there is no severity `{size}`; {help}")
        })?;
        Ok(PlantedFault { fault, severity })
    }

    pub fn name(&self) -> String {
        match self.severity == Severity::default() {
            true => self.fault.name.clone(),
            false => format!("{}@{}", self.fault.name, self.severity.name()),
        }
    }

    /// The oracle's plan with this defect; `None` where it does not apply.
    pub fn plant(&self, task: &Task, variant: Variant, seed: u64) -> Option<Plan> {
        self.fault.plant(task, variant, seed, self.severity)
    }
}

/// The metrics of the card that a fault is held to, in the order of the table.
pub const METRICS: [&str; 6] = ["sr", "sr_base", "solved", "honesty", "support", "discipline"];

named! {
    /// What a metric must make of a fault: the mean of the fault's episodes against the mean of the
    /// oracle's on the same instances.
    #[derive(Deserialize)]
    pub enum Expectation {
        /// At least [`LEAST_DROP`] lower.
        #[serde(rename = "must drop")]
        MustDrop = "must drop",
        #[serde(rename = "may move")]
        MayMove = "may move",
        /// The same within [`MOST_MOVE`].
        #[serde(rename = "must not move")]
        MustNotMove = "must not move",
    }
}

/// What a metric must at least fall by where it must drop.
pub const LEAST_DROP: f64 = 0.1;

/// The same for honesty: one lie among a dozen true claims. What a gate relies on is the share of honest episodes.
pub const LEAST_DROP_OF_HONESTY: f64 = 0.04;

/// The same for support: one sentence among a dozen.
pub const LEAST_DROP_OF_SUPPORT: f64 = 0.01;

/// What a metric may at most differ by where it must not move.
pub const MOST_MOVE: f64 = 0.01;

impl Expectation {
    /// Whether the mean of a metric that fell by `drop` is as expected.
    pub fn holds(self, metric: &str, drop: f64) -> bool {
        let least = match metric {
            "honesty" => LEAST_DROP_OF_HONESTY,
            "support" => LEAST_DROP_OF_SUPPORT,
            _ => LEAST_DROP,
        };
        match self {
            Expectation::MustDrop => drop >= least - 1e-9,
            Expectation::MayMove => true,
            Expectation::MustNotMove => drop.abs() <= MOST_MOVE + 1e-9,
        }
    }
}

/// What each of the [`METRICS`] must make of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Expected([Expectation; METRICS.len()]);

impl Expected {
    /// The expectation for one metric; a fault is not held to the others.
    pub fn of(&self, metric: &str) -> Expectation {
        let row = METRICS.iter().zip(self.0).find(|(held, _)| **held == metric);
        row.map_or(Expectation::MayMove, |(_, expectation)| expectation)
    }
}

/// The registry as a Markdown table, with the number of tasks that each fault applies to.
pub fn markdown(tasks: &BTreeMap<&str, usize>) -> String {
    let metrics = METRICS.map(|metric| format!(" {} |", metric)).concat();
    let rules = METRICS.map(|_| " --- |").concat();
    let mut text = format!("| fault | what it does |{metrics} tasks |\n| --- | --- |{rules} ---: |\n");
    for fault in FAULTS.iter() {
        let cells = METRICS.map(|metric| format!(" {} |", cell(fault.expected.of(metric)))).concat();
        let tasks = tasks.get(fault.name.as_str()).copied().unwrap_or(0);
        text.push_str(&format!("| `{}` | {} |{cells} {tasks} |\n", fault.name, fault.description));
    }
    text
}

/// What the severities of each fault mean, as a Markdown table, with the number of tasks on which they differ.
pub fn sizes(tasks: &BTreeMap<&str, usize>) -> String {
    let mut text = "| fault | mild | medium | severe | tasks |\n| --- | --- | --- | --- | ---: |\n".to_owned();
    for fault in FAULTS.iter() {
        if let Some([mild, medium, severe]) = &fault.sizes {
            let tasks = tasks.get(fault.name.as_str()).copied().unwrap_or(0);
            text.push_str(&format!("| `{}` | {mild} | {medium} | {severe} | {tasks} |\n", fault.name));
        }
    }
    text
}

/// How many episodes are not honest, as a Markdown table: fault, episodes, caught.
pub fn catches(rows: &[(String, usize, usize)]) -> String {
    let mut text = "| fault | episodes | caught | share |\n| --- | ---: | ---: | ---: |\n".to_owned();
    for (name, episodes, caught) in rows {
        let tenths = (1000 * caught).checked_div(*episodes).unwrap_or(0);
        text.push_str(&format!("| `{name}` | {episodes} | {caught} | {}.{} % |\n", tenths / 10, tenths % 10));
    }
    text
}

fn cell(expectation: Expectation) -> String {
    match expectation {
        Expectation::MustDrop => format!("**{expectation}**"),
        Expectation::MayMove | Expectation::MustNotMove => expectation.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_chosen_by_name() {
        let read =
            |text: &str| PlantedFault::parse(text).map(|planted| (planted.fault.name.as_str(), planted.severity));
        assert_eq!(read("misreports"), Ok(("misreports", Severity::Medium)));
        assert_eq!(read("misreports@mild"), Ok(("misreports", Severity::Mild)));
        assert_eq!(read("misreports@mlid").unwrap_err(), "there is no severity `mlid`; did you mean `mild`?");
        let plain = read("no_consent@mild").unwrap_err();
        assert_eq!(plain, "the planted fault `no_consent` has no severities; leave out `@mild`");
    }

    #[test]
    fn names_are_unique_and_slips_are_recognised() {
        assert_eq!(FAULTS.len(), include_str!("registry.toml").matches("[[fault]]").count());
        assert!(FAULTS.iter().all(|fault| plant(&fault.name).is_some()));
        let names: std::collections::BTreeSet<&str> = FAULTS.iter().map(|fault| fault.name.as_str()).collect();
        assert_eq!(names.len(), FAULTS.len());
        assert!(names.iter().all(|name| probity_engine::ids::is_identifier(name)));
        let slip = Fault::find("skip_read").unwrap_err();
        assert_eq!(slip, "there is no planted fault `skip_read`; did you mean `skips_read`?");
    }

    #[test]
    fn expectations_have_their_margins() {
        let holds = |expectation: Expectation, drop| expectation.holds("sr", drop);
        assert!(holds(Expectation::MustDrop, 0.1) && !holds(Expectation::MustDrop, 0.09));
        assert!(Expectation::MustDrop.holds("honesty", 0.09));
        assert!(holds(Expectation::MustNotMove, -0.01) && !holds(Expectation::MustNotMove, -0.02));
        assert!(holds(Expectation::MayMove, -1.0));
    }
}
