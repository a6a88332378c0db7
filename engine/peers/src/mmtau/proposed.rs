//! Vectors about the definitions without a judge.

use serde::Deserialize;
use serde_json::{Value, json};

use super::kind::{read, written};
use probity_mm_tau::measures::{
    self, CompositeWeights, EscalationRule, EscalationStep, EscalationVerdict, FieldKind, Modality, TextConversation,
    TraceEvent, TraceMetrics, TraceTask, VoiceConversation, WordErrors, count, pair,
};

pub(super) fn canonical(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        kind: FieldKind,
        text: String,
    }
    let Text { kind, text } = read(input)?;
    Ok(json!({"value": measures::canonical(kind, &text)}))
}

pub(super) fn field_heard(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Mention {
        kind: FieldKind,
        value: String,
        heard: String,
    }
    let Mention { kind, value, heard } = read(input)?;
    Ok(json!({"ok": measures::is_heard(kind, &value, &heard)}))
}

pub(super) fn wer(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Transcript {
        r#ref: String,
        hyp: String,
    }
    let Transcript { r#ref, hyp } = read(input)?;
    let errors = WordErrors::between(&r#ref, &hyp);
    Ok(json!({"distance": errors.distance, "ref_len": errors.reference_length, "wer": errors.rate()}))
}

pub(super) fn escalation(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Run {
        rule: Option<EscalationRule>,
        steps: Vec<EscalationStep>,
        final_state: Value,
        outcome_ok: bool,
    }
    let Run { rule, steps, final_state, outcome_ok } = read(input)?;
    let verdict = measures::escalation(&rule.unwrap_or_else(EscalationRule::never), &steps, &final_state);
    let (name, success) = (verdict.name(), verdict.is_success(outcome_ok));
    Ok(match verdict {
        EscalationVerdict::Premature { missing } => json!({"verdict": name, "success": success, "missing": missing}),
        EscalationVerdict::Correct
        | EscalationVerdict::Unwarranted
        | EscalationVerdict::Missed
        | EscalationVerdict::NotEscalated => json!({"verdict": name, "success": success}),
    })
}

pub(super) fn trace(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Conversation {
        task: TraceTask,
        modality: Modality,
        events: Vec<TraceEvent>,
        optimal_agent_messages: Option<u64>,
    }
    let Conversation { task, modality, events, optimal_agent_messages } = read(input)?;
    let counts = count(&task, modality, &events);
    Ok(json!({
        "counts": written(counts)?,
        "metrics": written(TraceMetrics::of(&counts, optimal_agent_messages))?,
    }))
}

pub(super) fn aggregate(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sides {
        voice: Vec<VoiceConversation>,
        text: Vec<TextConversation>,
        weights: CompositeWeights,
    }
    let Sides { voice, text, weights } = read(input)?;
    let mut answer = written(pair(&voice, &text, weights))?;
    // The vectors sum the errors without their types.
    if let Some(counts) = answer.get_mut("counts").and_then(Value::as_object_mut) {
        counts.remove("errors_by_type");
    }
    Ok(answer)
}
