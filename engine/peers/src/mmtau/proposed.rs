//! Vectors about the definitions without a judge.

use serde_json::{Value, json};

use super::given::given;
use probity_mm_tau::measures::{
    self, CompositeWeights, FieldKind, Metrics, Modality, Ratio, TextConversation, TraceCounts, TraceEvent, TraceTask,
    VoiceConversation, WordErrors, count, pair, trace_metrics,
};

pub(super) fn canonical(input: &Value) -> Option<Value> {
    given!(input: kind: FieldKind, text: String);
    Some(json!({"value": measures::canonical(kind, &text)}))
}

pub(super) fn field_heard(input: &Value) -> Option<Value> {
    given!(input: kind: FieldKind, value: String, heard: String);
    Some(json!({"ok": measures::is_heard(kind, &value, &heard)}))
}

pub(super) fn wer(input: &Value) -> Option<Value> {
    given!(input: r#ref: String, hyp: String);
    let errors = WordErrors::between(&r#ref, &hyp);
    Some(json!({"distance": errors.distance, "ref_len": errors.reference_length, "wer": errors.rate()}))
}

pub(super) fn trace(input: &Value) -> Option<Value> {
    given!(input: task: TraceTask, modality: Modality, events: Vec<TraceEvent>, optimal_agent_messages: Option<u64>);
    let counts = count(&task, modality, &events);
    let turns = optimal_agent_messages.map(|optimal| Ratio::new(optimal, counts.agent_messages));
    let metrics = with_effort(&trace_metrics(&counts, turns), &counts);
    Some(json!({"counts": counts, "metrics": metrics}))
}

pub(super) fn aggregate(input: &Value) -> Option<Value> {
    given!(input: voice: Vec<VoiceConversation>, text: Vec<TextConversation>, weights: CompositeWeights);
    let report = pair(&voice, &text, weights);
    let mut counts = json!(report.counts);
    // The vectors sum the errors without their types.
    counts.as_object_mut().and_then(|counts| counts.remove("errors_by_type"));
    let metrics = with_effort(&report.metrics, &report.counts);
    Some(json!({"counts": counts, "metrics": metrics, "paired_tasks": report.paired_tasks}))
}

/// Metrics with the count beside the rate of user effort.
fn with_effort(metrics: &Metrics, counts: &TraceCounts) -> Value {
    let all = metrics.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
    Value::Object(all.chain([("UES_count".to_owned(), json!(counts.user_effort))]).collect())
}
