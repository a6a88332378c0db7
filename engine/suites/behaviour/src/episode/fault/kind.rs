//! Planted faults: their names, and how each changes a plan.

use serde::Deserialize;

use super::expectation::{Expectation, Expected, METRICS};
use super::registry::{self, FAULTS};
use crate::episode::plan::Plan;
use crate::model::variant::Variant;
use crate::task::Task;
use probity_bench::named;
use probity_engine::suggest;

/// A planted fault: a row of `registry.toml`, and what plants it.
#[derive(Deserialize)]
#[serde(try_from = "FaultRow")]
pub struct Fault {
    /// Its name; the agent is called `fault:NAME`.
    pub name: String,
    pub description: String,
    pub expected: Expected,
    /// What its severities mean, smallest first; nothing where it has none.
    pub sizes: Option<[String; 3]>,
    plant: Plant,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultRow {
    name: String,
    description: String,
    expected: Expected,
    sizes: Option<[String; 3]>,
}

impl TryFrom<FaultRow> for Fault {
    type Error = String;

    fn try_from(FaultRow { name, description, expected, sizes }: FaultRow) -> Result<Fault, String> {
        let plant = registry::plant(&name).ok_or_else(|| format!("nothing plants `{name}`"))?;
        Ok(Fault { name, description, expected, sizes, plant })
    }
}

pub(super) enum Plant {
    /// Always the same defect.
    Plain(fn(&Task, Variant, u64) -> Option<Plan>),
    /// A smaller or a larger defect.
    Graded(fn(&Task, Variant, u64, Severity) -> Option<Plan>),
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
        matches!(self.plant, Plant::Graded(..))
    }

    pub fn severities(&self) -> Vec<Severity> {
        if self.is_graded() { Severity::ALL.to_vec() } else { vec![Severity::default()] }
    }

    /// The oracle's plan with this defect; `None` where it does not apply, so that nothing is played.
    pub fn plant(&self, task: &Task, variant: Variant, seed: u64, severity: Severity) -> Option<Plan> {
        match self.plant {
            Plant::Plain(plant) => plant(task, variant, seed),
            Plant::Graded(plant) => plant(task, variant, seed, severity),
        }
    }

    pub fn must_lower(&self) -> Vec<&'static str> {
        METRICS.into_iter().filter(|metric| self.expected.of(metric) == Expectation::MustDrop).collect()
    }
}

impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Fault {}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Fault").field(&self.name).finish()
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

named! {
    /// How large a defect is; each graded fault says what that means for it.
    #[derive(Default)]
    pub enum Severity {
        /// Hard to notice: a number off by one.
        Mild = "mild",
        /// What `fault:NAME` alone plays: a number off by half.
        #[default]
        Medium = "medium",
        /// Gross: an invented number.
        Severe = "severe",
    }
}

impl Severity {
    /// How often a defect is made that has no other size: once, twice, or four times.
    pub(super) fn times(self) -> usize {
        match self {
            Severity::Mild => 1,
            Severity::Medium => 2,
            Severity::Severe => 4,
        }
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
        assert!(FAULTS.iter().all(|fault| fault.is_graded() == fault.sizes.is_some()));
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
