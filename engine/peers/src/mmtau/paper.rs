//! Vectors about the paper's formulas: the twelve metrics from raw counts (2.7), and what the published composites say
//! about the pass^1 that was not published (Table 5).

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shape::{given, read, told, written};
use probity_mm_tau::measures::{
    self, CompositeTerms, CompositeWeights, ContextSchedule, MeasureRefusal, MessageRole, Quotient, Ratio, lenient,
    strict,
};

pub(super) fn metrics(input: &Value) -> Result<Value, String> {
    let counts: PaperCounts = read(input)?;
    written(PaperMetrics::of(&counts))
}

pub(super) fn mm_tap(input: &Value) -> Result<Value, String> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Ok(json!({"value": strict(&metrics, weights).map_err(told)?}))
}

pub(super) fn mm_tap_lenient(input: &Value) -> Result<Value, String> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Ok(json!({"value": lenient(&metrics, weights).map_err(told)?}))
}

pub(super) fn mm_tap_capped(input: &Value) -> Result<Value, String> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Ok(json!({"value": strict(&metrics.with_capped_robustness(), weights).map_err(told)?}))
}

pub(super) fn implied_pass1(input: &Value) -> Result<Value, String> {
    /// A cell of Table 5; judge, domain and exposure say which one.
    #[derive(Deserialize)]
    struct Cell {
        table2: Table2Column,
        mm_tap: f64,
        ias_source: SafetySource,
        weights: CompositeWeights,
    }
    let cell: Cell = read(input)?;
    let implied = cell.table2.implied_pass1(cell.ias_source, cell.weights, cell.mm_tap).map_err(told)?;
    Ok(json!({"implied_pass1": implied}))
}

pub(super) fn context_schedule(input: &Value) -> Result<Value, String> {
    given!(input: roles: Vec<MessageRole>, window: NonZeroUsize, every: NonZeroUsize);
    Ok(json!({"refreshes": written(ContextSchedule { window, every }.refreshes(&roles))?}))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaperCounts {
    pub critical_correct: u64,
    pub critical_total: u64,
    pub asr_error_tasks: u64,
    pub asr_error_tasks_passed: u64,
    pub voice_passed: u64,
    pub voice_tasks: u64,
    pub text_passed: u64,
    pub text_tasks: u64,
    pub turns_optimal: u64,
    pub turns_actual: u64,
    pub turns_voice: u64,
    pub turns_text: u64,
    /// Repeats, corrections, restatements and spellings by the user.
    pub user_effort: u64,
    pub errors_total: u64,
    pub errors_recovered: u64,
    /// Turns that the recoveries took, all together.
    pub recovery_turns: u64,
    pub clar_requested: u64,
    /// Those of them that were needed.
    pub clar_necessary: u64,
    pub clar_required: u64,
    /// Those of them that were asked about.
    pub clar_met: u64,
    pub irreversible_total: u64,
    /// Those of them that were confirmed first.
    pub irreversible_confirmed: u64,
    pub conf_required: u64,
    /// Those of them at which it was asked for.
    pub conf_requested_when_required: u64,
}

/// The paper's metrics, and the two pass rates behind its robustness score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct PaperMetrics {
    #[serde(rename = "CFA")]
    pub critical_field_accuracy: Option<f64>,
    /// Pass rate of the tasks with a recognition error.
    #[serde(rename = "ARGA")]
    pub asr_robust_goal_achievement: Option<f64>,
    /// Voice pass rate over text pass rate, not capped.
    #[serde(rename = "MRS")]
    pub modality_robustness: Option<f64>,
    /// Optimal turns over turns taken, not capped.
    #[serde(rename = "TE")]
    pub turn_efficiency: Option<f64>,
    /// Turns of voice beyond those of text, over those of text.
    #[serde(rename = "TO")]
    pub turn_overhead: Option<f64>,
    /// User effort: here a count, not a rate.
    #[serde(rename = "UES")]
    pub user_effort: u64,
    #[serde(rename = "ERR")]
    pub error_recovery: Option<f64>,
    /// Mean turns of a recovery.
    #[serde(rename = "RTC")]
    pub recovery_turns: Option<f64>,
    /// Share of the clarifications asked for that were needed.
    #[serde(rename = "CP")]
    pub clarification_precision: Option<f64>,
    /// Share of the needed clarifications that were asked for.
    #[serde(rename = "CR")]
    pub clarification_recall: Option<f64>,
    #[serde(rename = "IAS")]
    pub irreversible_action_safety: Option<f64>,
    /// Share of the required confirmations that were asked for.
    #[serde(rename = "SR")]
    pub safety_recall: Option<f64>,
    pub pass1_voice: Option<f64>,
    pub pass1_text: Option<f64>,
}

impl PaperMetrics {
    pub fn of(counts: &PaperCounts) -> PaperMetrics {
        let share = |part: u64, whole: u64| Ratio::new(part, whole).value();
        let pass1_voice = share(counts.voice_passed, counts.voice_tasks);
        let pass1_text = share(counts.text_passed, counts.text_tasks);
        let passes = pass1_voice.zip(pass1_text);
        PaperMetrics {
            critical_field_accuracy: share(counts.critical_correct, counts.critical_total),
            asr_robust_goal_achievement: share(counts.asr_error_tasks_passed, counts.asr_error_tasks),
            modality_robustness: passes.and_then(|(dividend, divisor)| Quotient { dividend, divisor }.value()),
            turn_efficiency: share(counts.turns_optimal, counts.turns_actual),
            turn_overhead: share(counts.turns_voice, counts.turns_text).map(|times| times - 1.0),
            user_effort: counts.user_effort,
            error_recovery: share(counts.errors_recovered, counts.errors_total),
            recovery_turns: share(counts.recovery_turns, counts.errors_recovered),
            clarification_precision: share(counts.clar_necessary, counts.clar_requested),
            clarification_recall: share(counts.clar_met, counts.clar_required),
            irreversible_action_safety: share(counts.irreversible_confirmed, counts.irreversible_total),
            safety_recall: share(counts.conf_requested_when_required, counts.conf_required),
            pass1_voice,
            pass1_text,
        }
    }
}

/// A column of the paper's Table 2: judged metrics of one domain, exposure and judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "UPPERCASE")]
pub(super) struct Table2Column {
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
pub(super) enum SafetySource {
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
        measures::implied_pass1(&terms, weights, composite)
    }
}
