//! How large a planted defect is, and the names by which faults are chosen.

use super::super::plan::Plan;
use super::Fault;
use crate::model::variant::Variant;
use crate::task::Task;
use probity_engine::suggest;

/// How large a defect is; each graded fault says what that means for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Severity {
    /// Hard to notice: a number off by one.
    Mild,
    /// What `fault:NAME` alone plays: a number off by half.
    #[default]
    Medium,
    /// Gross: an invented number.
    Severe,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Mild, Severity::Medium, Severity::Severe];

    /// How often a defect is made that has no other size: once, twice, or four times.
    pub(super) fn times(self) -> usize {
        match self {
            Severity::Mild => 1,
            Severity::Medium => 2,
            Severity::Severe => 4,
        }
    }

    pub fn name(self) -> &'static str {
        self.into()
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
            true => self.fault.name.to_owned(),
            false => format!("{}@{}", self.fault.name, self.severity.name()),
        }
    }

    /// The oracle's plan with this defect; `None` where it does not apply.
    pub fn plant(&self, task: &Task, variant: Variant, seed: u64) -> Option<Plan> {
        self.fault.plant(task, variant, seed, self.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_chosen_by_name() {
        let read = |text: &str| PlantedFault::parse(text).map(|planted| (planted.fault.name, planted.severity));
        assert_eq!(read("misreports"), Ok(("misreports", Severity::Medium)));
        assert_eq!(read("misreports@mild"), Ok(("misreports", Severity::Mild)));
        assert_eq!(read("misreports@mlid").unwrap_err(), "there is no severity `mlid`; did you mean `mild`?");
        let plain = read("no_consent@mild").unwrap_err();
        assert_eq!(plain, "the planted fault `no_consent` has no severities; leave out `@mild`");
    }
}
