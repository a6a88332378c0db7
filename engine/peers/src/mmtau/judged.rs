//! Vectors about a judge's counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::kind::{given, told, written};
use super::pass::{pass_at_k, pass_hat_k, pass_pow_k};
use probity_mm_tau::measures::{self, ConfusionCounts, JudgedCounts, JudgedReport, JudgedText, Ratio, Spread};

pub(super) fn at_k(input: &Value) -> Result<Value, String> {
    given!(input: total: u64, correct: u64, k: u64);
    Ok(json!({"value": pass_at_k(total, correct, k).map_err(told)?}))
}

pub(super) fn pow_k(input: &Value) -> Result<Value, String> {
    given!(input: total: u64, correct: u64, k: u64);
    Ok(json!({"value": pass_pow_k(total, correct, k).map_err(told)?}))
}

pub(super) fn hat_k(input: &Value) -> Result<Value, String> {
    given!(input: trials: u64, successes: u64, k: u64);
    Ok(json!({"value": pass_hat_k(trials, successes, k).map_err(told)?}))
}

pub(super) fn arga(input: &Value) -> Result<Value, String> {
    given!(
        input: tasks_identified: u64,
        tasks_with_agent_understanding_errors: u64,
        tasks_with_agent_understanding_errors_succeeded: u64
    );
    let (errors, passed) = (tasks_with_agent_understanding_errors, tasks_with_agent_understanding_errors_succeeded);
    let ratio = measures::arga(tasks_identified, errors, passed).map_err(told)?;
    Ok(match ratio.value() {
        Some(value) => json!({"value": value}),
        None => json!({"value": null, "undefined": ratio.to_string()}),
    })
}

pub(super) fn turn_overhead(input: &Value) -> Result<Value, String> {
    given!(input: voice_agent_messages: u64, text_agent_messages: u64);
    Ok(json!({"value": measures::turn_overhead(voice_agent_messages, text_agent_messages).map_err(told)?}))
}

/// Several conversations as one; a sum that no `u64` holds stays at the greatest. The three figures are made from the
/// sums and not averaged.
/// An error: when the judge saw no task in any of them, or more successes than tasks.
pub(super) fn consolidate(input: &Value) -> Result<Value, String> {
    given!(input: conversations: Vec<JudgedConversation>);
    let sum = |count: fn(&JudgedConversation) -> u64| conversations.iter().map(count).fold(0, u64::saturating_add);
    let sums = JudgedConversation {
        agent_msg_counts: sum(|one| one.agent_msg_counts),
        user_msg_counts: sum(|one| one.user_msg_counts),
        tasks_identified: sum(|one| one.tasks_identified),
        tasks_succeeded: sum(|one| one.tasks_succeeded),
        tasks_with_agent_understanding_errors: sum(|one| one.tasks_with_agent_understanding_errors),
        tasks_with_agent_understanding_errors_succeeded: sum(|one| one.tasks_with_agent_understanding_errors_succeeded),
    };
    let (tasks, passed) = (sums.tasks_identified, sums.tasks_succeeded);
    let misheard = sums.tasks_with_agent_understanding_errors;
    let arga = measures::arga(tasks, misheard, sums.tasks_with_agent_understanding_errors_succeeded).map_err(told)?;
    let figures = [
        ("ARGA", arga.value()),
        ("pass@1", Some(pass_at_k(tasks, passed, 1).map_err(told)?)),
        ("pass^1", Some(pass_pow_k(tasks, passed, 1).map_err(told)?)),
    ];
    let mut answer = written(sums)?;
    if let Some(answer) = answer.as_object_mut() {
        answer.extend(figures.map(|(name, value)| (name.to_owned(), json!(value))));
    }
    Ok(answer)
}

pub(super) fn report(input: &Value) -> Result<Value, String> {
    given!(input: metrics: JudgedCounts, text_metrics: JudgedText);
    Ok(printed(&JudgedReport::of(&metrics, &text_metrics).map_err(told)?))
}

/// A report under the names that the peer prints, with the fractions that have no value.
fn printed(report: &JudgedReport) -> Value {
    let mut values = Map::new();
    let mut undefined = Map::new();
    let ratios: [(&str, Ratio); 9] = [
        ("ARGA Score", report.arga),
        ("Turn Efficiency", report.turn_efficiency),
        ("User Effort Score", report.user_effort),
        ("Error Recovery Rate", report.error_recovery),
        ("Recovery Turn Count", report.recovery_turns),
        ("Clarification Precision", report.clarification_precision),
        ("Clarification Recall", report.clarification_recall),
        ("Safety Precision", report.safety_precision),
        ("Safety Recall", report.safety_recall),
    ];
    let mut put = |name: &str, value: Option<f64>, fraction: String| {
        values.insert(name.to_owned(), json!(value));
        if value.is_none() {
            undefined.insert(name.to_owned(), Value::String(fraction));
        }
    };
    for (name, ratio) in ratios {
        put(name, ratio.value(), ratio.to_string());
    }
    let robustness = report.modality_robustness;
    put("Modality Robustness Score", robustness.value(), robustness.to_string());
    let others = [
        ("Critical field Accuracy", json!(report.critical_field_accuracy)),
        ("Turn Overhead", json!(report.turn_overhead)),
        ("Voice pass@1", json!(report.voice_pass_at_1)),
        ("Voice pass^1", json!(report.voice_pass_pow_1)),
        ("Text pass^1", json!(report.text_pass_pow_1)),
        ("Clarification counts", confusion(report.clarification)),
        ("Safety counts", confusion(report.safety)),
    ];
    values.extend(others.map(|(name, value)| (name.to_owned(), value)));
    json!({"values": values, "undefined": undefined})
}

fn confusion(counts: ConfusionCounts) -> Value {
    json!({
        "True Positives": counts.true_positives,
        "False Positives": counts.false_positives,
        "False Negatives": counts.false_negatives,
        "True Negatives": counts.true_negatives,
    })
}

pub(super) fn stats(input: &Value) -> Result<Value, String> {
    given!(input: reports: Vec<BTreeMap<String, Option<f64>>>);
    let names: BTreeSet<&String> = reports.iter().flat_map(BTreeMap::keys).collect();
    let spread = |name: &String| Spread::of(reports.iter().map(|report| report.get(name).copied().flatten()));
    Ok(names.into_iter().map(|name| (name.clone(), figures(spread(name)))).collect())
}

fn figures(spread: Option<Spread>) -> Value {
    json!({
        "Mean": spread.map(|spread| spread.mean),
        "Median": spread.map(|spread| spread.median),
        "Std Dev": spread.map(|spread| spread.deviation),
        "Min": spread.map(|spread| spread.min),
        "Max": spread.map(|spread| spread.max),
    })
}

/// What the judge of a whole conversation counted, with the messages of each party; also the sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct JudgedConversation {
    /// Agent messages.
    agent_msg_counts: u64,
    /// User messages.
    user_msg_counts: u64,
    /// Tasks that the judge saw; it may see several in a conversation.
    tasks_identified: u64,
    tasks_succeeded: u64,
    tasks_with_agent_understanding_errors: u64,
    tasks_with_agent_understanding_errors_succeeded: u64,
}
