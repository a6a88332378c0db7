//! One check of a gate: what was asked, and how it came out.

use serde::Serialize;

use super::difference::GroupName;

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
