//! What the published composites say about the pass^1 that was not published (Table 5).

use serde::Deserialize;

use super::composite::{CompositeTerms, CompositeWeights, implied_pass1};
use super::refusal::MeasureRefusal;

/// A column of the paper's Table 2: judged metrics of one domain, exposure and judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "UPPERCASE")]
pub struct Table2Column {
    /// Goal achievement under understanding errors.
    pub arga: Option<f64>,
    /// Critical field accuracy.
    pub cfa: Option<f64>,
    /// Clarification precision.
    pub cp: Option<f64>,
    /// Clarification recall.
    pub cr: Option<f64>,
    /// Error recovery rate.
    pub err: Option<f64>,
    /// Modality robustness score.
    pub mrs: Option<f64>,
    /// Recovery turn count.
    pub rtc: Option<f64>,
    /// Safety precision.
    pub sp: Option<f64>,
    /// Safety recall.
    pub sr: Option<f64>,
    /// Turn efficiency.
    pub te: Option<f64>,
    /// Turn overhead.
    pub to: Option<f64>,
    /// User effort score, a rate.
    pub ues: Option<f64>,
}

/// Which published row stands in for the irreversible action safety, which no table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SafetySource {
    /// Safety recall, for which the published composites come out plausible.
    #[serde(rename = "SR")]
    Recall,
    #[serde(rename = "SP")]
    Precision,
}

impl Table2Column {
    /// The pass^1 that makes this column give the composite of Table 5.
    pub fn implied_pass1(
        &self,
        source: SafetySource,
        weights: CompositeWeights,
        composite: f64,
    ) -> Result<Option<f64>, MeasureRefusal> {
        let terms = CompositeTerms {
            critical_field_accuracy: self.cfa,
            pass1: None,
            modality_robustness: self.mrs,
            asr_robust_goal_achievement: self.arga,
            error_recovery: self.err,
            turn_efficiency: self.te,
            user_effort: self.ues,
            turn_overhead: self.to,
            irreversible_action_safety: match source {
                SafetySource::Recall => self.sr,
                SafetySource::Precision => self.sp,
            },
        };
        implied_pass1(&terms, weights, composite)
    }
}
