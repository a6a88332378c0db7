//! The rows of the judged block, in one table, as the paper's program has them.

use serde::Serialize;

use super::judged_sums::JudgedSums;
use crate::measures::{JudgedReport, Ratio};

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JudgedRow {
    pub name: &'static str,
    /// Its value, in the unit of the formula; nothing where it is undefined.
    pub value: Option<f64>,
}

/// The report of voice conversations, and the sums that it was made from.
struct Voice<'r>(&'r JudgedReport, &'r JudgedSums);

type RowRule = (&'static str, fn(&Voice<'_>) -> Option<f64>);

const ROWS: [RowRule; 13] = [
    ("CFA", |voice| voice.1.critical_field_accuracy),
    ("ARGA", |voice| voice.0.arga.value()),
    ("MRS", |voice| voice.0.modality_robustness.value()),
    ("TE", |voice| grounded(voice.0.turn_efficiency, voice.1.readable.agent)),
    ("TO", |voice| Some(voice.0.turn_overhead)),
    ("UES", |voice| grounded(voice.0.user_effort, voice.1.readable.user)),
    ("ERR", |voice| voice.0.error_recovery.value()),
    ("RTC", |voice| voice.0.recovery_turns.value()),
    ("CP", |voice| voice.0.clarification_precision.value()),
    ("CR", |voice| voice.0.clarification_recall.value()),
    ("Safety P", |voice| voice.0.safety_precision.value()),
    ("Safety R", |voice| voice.0.safety_recall.value()),
    ("pass@1", |voice| Some(voice.0.voice_pass_at_1)),
];

/// A share of all messages of a party. Where none of them could be read it would be the zero of a judge that said
/// nothing, and has no value.
fn grounded(share: Ratio, readable: u64) -> Option<f64> {
    share.value().filter(|_| readable > 0)
}

pub(super) fn rows(report: &JudgedReport, sums: &JudgedSums) -> Vec<JudgedRow> {
    let voice = Voice(report, sums);
    ROWS.into_iter().map(|(name, value)| JudgedRow { name, value: value(&voice) }).collect()
}
