//! Vectors about the paper's formulas.

use std::num::NonZeroUsize;

use serde::Deserialize;
use serde_json::{Value, json};

use super::kind::{read, told, written};
use probity_mm_tau::measures::{
    CompositeTerms, CompositeWeights, ContextSchedule, MessageRole, PaperCounts, PaperMetrics, SafetySource,
    Table2Column, lenient, strict,
};

pub(super) fn metrics(input: &Value) -> Result<Value, String> {
    let counts: PaperCounts = read(input)?;
    written(PaperMetrics::of(&counts))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Composite {
    metrics: CompositeTerms,
    weights: CompositeWeights,
}

pub(super) fn mm_tap(input: &Value) -> Result<Value, String> {
    let Composite { metrics, weights } = read(input)?;
    Ok(json!({"value": strict(&metrics, weights).map_err(told)?}))
}

pub(super) fn mm_tap_lenient(input: &Value) -> Result<Value, String> {
    let Composite { metrics, weights } = read(input)?;
    Ok(json!({"value": lenient(&metrics, weights).map_err(told)?}))
}

pub(super) fn mm_tap_capped(input: &Value) -> Result<Value, String> {
    let Composite { metrics, weights } = read(input)?;
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
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Dialogue {
        roles: Vec<MessageRole>,
        window: NonZeroUsize,
        every: NonZeroUsize,
    }
    let Dialogue { roles, window, every } = read(input)?;
    Ok(json!({"refreshes": written(ContextSchedule { window, every }.refreshes(&roles))?}))
}
