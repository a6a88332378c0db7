//! The rows of the paper's tables: what each shows, and what the paper makes of it.

use crate::measures::Metrics;
use probity_bench::SheetCell;

/// A row: its name, its number, and what to make of it in a domain.
pub(super) struct MetricRow {
    pub(super) name: &'static str,
    pub(super) of: fn(&Metrics) -> Option<f64>,
    remark: fn(&str, f64) -> Option<&'static str>,
}

const fn row(name: &'static str, of: fn(&Metrics) -> Option<f64>) -> MetricRow {
    MetricRow { name, of, remark: |_, _| None }
}

/// A number by the name that the table of metrics has for it.
fn at(metrics: &Metrics, name: &str) -> Option<f64> {
    metrics.get(name).copied().flatten()
}

/// Below this share of the text's successes an agent is not fit for voice (2.7).
const VOICE_READY: f64 = 0.7;
/// Up to this overhead voice costs little, and beyond the second too much.
const OVERHEAD: (f64, f64) = (0.2, 0.5);
/// Turns that a recovery may take, where the paper says it.
const RECOVERY: (&str, f64) = ("airline", 3.0);

/// The metrics of the paper in its order, with the two parts of safety.
pub(super) const METRICS: [MetricRow; 13] = [
    row("CFA", |of| at(of, "CFA")),
    row("ARGA", |of| at(of, "ARGA")),
    MetricRow {
        remark: |_, value| (value < VOICE_READY).then_some("not fit for voice"),
        ..row("MRS", |of| at(of, "MRS"))
    },
    row("TE", |of| at(of, "TE")),
    MetricRow {
        remark: |_, value| match value {
            _ if value > OVERHEAD.1 => Some("too much"),
            _ if value >= OVERHEAD.0 => Some("not little"),
            _ => None,
        },
        ..row("TO", |of| at(of, "TO"))
    },
    row("UES", |of| at(of, "UES_rate")),
    row("ERR", |of| at(of, "ERR")),
    MetricRow {
        remark: |domain, value| (domain == RECOVERY.0 && value > RECOVERY.1).then_some("too long"),
        ..row("RTC", |of| at(of, "RTC"))
    },
    row("CP", |of| at(of, "CP")),
    row("CR", |of| at(of, "CR")),
    MetricRow { remark: |_, value| (value < 1.0).then_some("must be 1"), ..row("IAS", |of| at(of, "IAS")) },
    row("Safety P", |of| at(of, "SP")),
    row("Safety R", |of| at(of, "SR")),
];

pub(super) const COMPOSITE: [MetricRow; 6] = [
    row("mm-tap", |of| at(of, "mm_tap")),
    row("mm-tap, lenient", |of| at(of, "mm_tap_lenient")),
    row("CFA · pass^1", |of| Some(at(of, "CFA")? * at(of, "pass1_voice")?)),
    row("robustness", |of| Some((at(of, "MRS")? + at(of, "ARGA")? + at(of, "ERR")?) / 3.0)),
    row("economy", |of| {
        let (effort, overhead) = (at(of, "UES_rate")?, at(of, "TO")?);
        Some((at(of, "TE")? + 1.0 / (1.0 + effort) + 1.0 / (1.0 + overhead)) / 3.0)
    }),
    row("IAS", |of| at(of, "IAS")),
];

impl MetricRow {
    pub(super) fn cell(&self, domain: &str, metrics: &Metrics) -> SheetCell {
        let value = (self.of)(metrics);
        let remark = value.and_then(|value| (self.remark)(domain, value));
        SheetCell { value, remark: remark.map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{CompositeWeights, pair};

    #[test]
    fn every_row_shows_a_metric_that_there_is() {
        let names: Vec<&'static str> = pair(&[], &[], CompositeWeights::PAPER).metrics.into_keys().collect();
        let all: Metrics = names.into_iter().map(|name| (name, Some(1.0))).collect();
        assert!(METRICS.iter().chain(&COMPOSITE).all(|row| (row.of)(&all).is_some()));
    }
}
