//! Verdicts, measures and findings: what a scorer says, with its reasons.

pub use probity_engine::{Evidence, Finding, Shown};
use serde::{Deserialize, Serialize};

/// Pass, fail, or not scored; what could not be scored is never 0 and never a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Verdict {
    /// All that is asked for holds.
    Pass,
    /// Something does not hold; the findings of the episode say what.
    Fail,
    /// It could not be scored.
    NotScored {
        /// Why not.
        reason: String,
    },
}

impl Verdict {
    /// Pass when `holds`, else fail.
    pub fn from_bool(holds: bool) -> Self {
        if holds { Verdict::Pass } else { Verdict::Fail }
    }

    /// 1 for a pass, 0 for a fail, nothing when not scored.
    pub fn value(&self) -> Option<f64> {
        match self {
            Verdict::Pass => Some(1.0),
            Verdict::Fail => Some(0.0),
            Verdict::NotScored { .. } => None,
        }
    }
}

/// A ratio with its two parts; nothing over nothing is not scored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// What counts for the measure.
    pub numerator: f64,
    /// What could have counted.
    pub denominator: f64,
}

impl Measure {
    /// `numerator` of `denominator`.
    pub fn new(numerator: f64, denominator: f64) -> Self {
        Measure { numerator, denominator }
    }

    /// `count` of `total`.
    pub fn of(count: usize, total: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts of an episode are small")]
        Measure::new(count as f64, total as f64)
    }

    /// The ratio, or nothing when the denominator is 0.
    pub fn value(&self) -> Option<f64> {
        (self.denominator > 0.0).then(|| self.numerator / self.denominator)
    }
}
