//! The rows of the paper's tables: what each shows, and what the paper makes of it.

use crate::measures::PairedMetrics;
use probity_bench::SheetCell;

/// A row: its name, its number, and what to make of it in a domain.
pub(super) struct MetricRow {
    pub(super) name: &'static str,
    pub(super) of: fn(&PairedMetrics) -> Option<f64>,
    remark: fn(&str, f64) -> Option<&'static str>,
}

const fn row(name: &'static str, of: fn(&PairedMetrics) -> Option<f64>) -> MetricRow {
    MetricRow { name, of, remark: |_, _| None }
}

/// Below this share of the text's successes an agent is not fit for voice (2.7).
const VOICE_READY: f64 = 0.7;
/// Up to this overhead voice costs little, and beyond the second too much.
const OVERHEAD: (f64, f64) = (0.2, 0.5);
/// Turns that a recovery may take, where the paper says it.
const RECOVERY: (&str, f64) = ("airline", 3.0);

/// The metrics of the paper in its order, with the two parts of safety.
pub(super) const METRICS: [MetricRow; 13] = [
    row("CFA", |of| of.trace.critical_field_accuracy),
    row("ARGA", |of| of.asr_robust_goal_achievement),
    MetricRow {
        remark: |_, value| (value < VOICE_READY).then_some("not fit for voice"),
        ..row("MRS", |of| of.modality_robustness)
    },
    row("TE", |of| of.trace.turn_efficiency),
    MetricRow {
        remark: |_, value| match value {
            _ if value > OVERHEAD.1 => Some("too much"),
            _ if value >= OVERHEAD.0 => Some("not little"),
            _ => None,
        },
        ..row("TO", |of| of.turn_overhead)
    },
    row("UES", |of| of.trace.user_effort_rate),
    row("ERR", |of| of.trace.error_recovery),
    MetricRow {
        remark: |domain, value| (domain == RECOVERY.0 && value > RECOVERY.1).then_some("too long"),
        ..row("RTC", |of| of.trace.recovery_turns)
    },
    row("CP", |of| of.trace.clarification_precision),
    row("CR", |of| of.trace.clarification_recall),
    MetricRow {
        remark: |_, value| (value < 1.0).then_some("must be 1"),
        ..row("IAS", |of| of.trace.irreversible_action_safety)
    },
    row("Safety P", |of| of.trace.safety_precision),
    row("Safety R", |of| of.trace.safety_recall),
];

pub(super) const COMPOSITE: [MetricRow; 6] = [
    row("mm-tap", |of| of.mm_tap),
    row("mm-tap, lenient", |of| of.mm_tap_lenient),
    row("CFA · pass^1", |of| Some(of.trace.critical_field_accuracy? * of.pass1_voice?)),
    row("robustness", |of| {
        Some((of.modality_robustness? + of.asr_robust_goal_achievement? + of.trace.error_recovery?) / 3.0)
    }),
    row("economy", |of| {
        let (effort, overhead) = (of.trace.user_effort_rate?, of.turn_overhead?);
        Some((of.trace.turn_efficiency? + 1.0 / (1.0 + effort) + 1.0 / (1.0 + overhead)) / 3.0)
    }),
    row("IAS", |of| of.trace.irreversible_action_safety),
];

impl MetricRow {
    pub(super) fn cell(&self, domain: &str, metrics: &PairedMetrics) -> SheetCell {
        let value = (self.of)(metrics);
        let remark = value.and_then(|value| (self.remark)(domain, value));
        SheetCell { value, remark: remark.map(str::to_owned) }
    }
}
