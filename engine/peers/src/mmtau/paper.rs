//! Vectors about the paper's formulas: the twelve metrics from raw counts (2.7), and what the published composites say
//! about the pass^1 that was not published (Table 5).

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::given::given;
use probity_mm_tau::measures::{
    self, CompositeTerms, CompositeWeights, ContextSchedule, MessageRole, Quotient, Ratio, lenient, strict,
};

/// The paper's ratios: the name, the count above the line and the one below. Turn efficiency is not capped; the turns
/// of voice over those of text are the turn overhead and one.
const RATIOS: [(&str, &str, &str); 12] = [
    ("CFA", "critical_correct", "critical_total"),
    ("ARGA", "asr_error_tasks_passed", "asr_error_tasks"),
    ("TE", "turns_optimal", "turns_actual"),
    ("TO", "turns_voice", "turns_text"),
    ("ERR", "errors_recovered", "errors_total"),
    ("RTC", "recovery_turns", "errors_recovered"),
    ("CP", "clar_necessary", "clar_requested"),
    ("CR", "clar_met", "clar_required"),
    ("IAS", "irreversible_confirmed", "irreversible_total"),
    ("SR", "conf_requested_when_required", "conf_required"),
    ("pass1_voice", "voice_passed", "voice_tasks"),
    ("pass1_text", "text_passed", "text_tasks"),
];

/// Repeats, corrections, restatements and spellings by the user: the paper's user effort is the count itself.
const EFFORT: &str = "user_effort";

pub(super) fn metrics(input: &Value) -> Option<Value> {
    let counts: BTreeMap<String, u64> = Deserialize::deserialize(input).ok()?;
    let known = RATIOS.iter().flat_map(|(_, part, whole)| [*part, *whole]).chain([EFFORT]).collect::<BTreeSet<_>>();
    if !counts.keys().map(String::as_str).eq(known) {
        // The counts are not those of the paper's formulas.
        return None;
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or_default();
    let ratio = |(name, part, whole): (&'static str, &str, &str)| (name, Ratio::new(count(part), count(whole)).value());
    let ratios = BTreeMap::from(RATIOS.map(ratio));
    let ratio = |name: &str| ratios.get(name).copied().flatten();
    let passes = ratio("pass1_voice").zip(ratio("pass1_text"));
    // Not capped either.
    let robustness = passes.and_then(|(dividend, divisor)| Quotient { dividend, divisor }.value());
    let others = [
        ("TO", json!(ratio("TO").map(|times| times - 1.0))),
        ("MRS", json!(robustness)),
        ("UES", json!(count(EFFORT))),
    ];
    let all = ratios.iter().map(|(name, value)| (*name, json!(value))).chain(others);
    Some(all.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into())
}

pub(super) fn mm_tap(input: &Value) -> Option<Value> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Some(json!({"value": strict(&metrics, weights).ok()?}))
}

pub(super) fn mm_tap_lenient(input: &Value) -> Option<Value> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Some(json!({"value": lenient(&metrics, weights).ok()?}))
}

pub(super) fn mm_tap_capped(input: &Value) -> Option<Value> {
    given!(input: metrics: CompositeTerms, weights: CompositeWeights);
    Some(json!({"value": strict(&metrics.with_capped_robustness(), weights).ok()?}))
}

/// The rows of the paper's Table 2: judged metrics of one domain, exposure and judge, a column.
const ROWS: [&str; 12] = ["ARGA", "CFA", "CP", "CR", "ERR", "MRS", "RTC", "SP", "SR", "TE", "TO", "UES"];

/// The pass^1 that makes a column of Table 2 give the composite of Table 5. No table has the irreversible action
/// safety: safety recall stands in for it, for which the composites come out plausible, or precision.
pub(super) fn implied_pass1(input: &Value) -> Option<Value> {
    /// A cell of Table 5; judge, domain and exposure say which one.
    #[derive(Deserialize)]
    struct Cell {
        table2: BTreeMap<String, Option<f64>>,
        mm_tap: f64,
        ias_source: String,
        weights: CompositeWeights,
    }
    let cell: Cell = Deserialize::deserialize(input).ok()?;
    if !cell.table2.keys().all(|row| ROWS.contains(&row.as_str())) || !["SR", "SP"].contains(&cell.ias_source.as_str())
    {
        // A row is none of Table 2.
        return None;
    }
    let row = |name: &str| cell.table2.get(name).copied().flatten();
    let terms = CompositeTerms {
        critical_field_accuracy: row("CFA"),
        pass1: None,
        modality_robustness: row("MRS"),
        asr_robust_goal_achievement: row("ARGA"),
        error_recovery: row("ERR"),
        turn_efficiency: row("TE"),
        user_effort: row("UES"),
        turn_overhead: row("TO"),
        irreversible_action_safety: row(&cell.ias_source),
    };
    Some(json!({"implied_pass1": measures::implied_pass1(&terms, cell.weights, cell.mm_tap).ok()?}))
}

pub(super) fn context_schedule(input: &Value) -> Option<Value> {
    given!(input: roles: Vec<MessageRole>, window: NonZeroUsize, every: NonZeroUsize);
    Some(json!({"refreshes": ContextSchedule { window, every }.refreshes(&roles)}))
}
