//! Verdicts, measures and findings: what a scorer says, with its reasons.

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

/// The words of a reply that a finding is about, and what they were compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The first character, from 0.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What they were compared with, for people.
    pub against: String,
}

/// One named reason, with the step it points at.
#[derive(Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// A stable code, `snake_case`, e.g. `precedence_violated`.
    pub code: String,
    /// The step (from 1) it points at, if it is about a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The agent message (from 1) it points at, if it is about a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<u32>,
    /// One line for people.
    pub text: String,
    /// The words of the reply, if it is about words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

impl Finding {
    /// A finding about the whole episode.
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        Finding { code: code.to_owned(), step: None, message: None, text: text.into(), evidence: None }
    }

    /// The same finding, pointing at a step.
    #[must_use]
    pub fn at_step(mut self, step: u32) -> Self {
        self.step = Some(step);
        self
    }

    /// The same finding, pointing at an agent message.
    #[must_use]
    pub fn at_message(mut self, message: u32) -> Self {
        self.message = Some(message);
        self
    }

    /// The same finding, about the characters from `start` up to `end` of the reply it points at.
    #[must_use]
    pub fn about(mut self, (start, end): (usize, usize), against: impl Into<String>) -> Self {
        self.evidence = Some(Evidence { start, end, against: against.into() });
        self
    }
}
