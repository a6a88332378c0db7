//! The kinds of conformance vectors and what each asks.

use serde_json::{Value, json};

pub const KINDS: [&str; 20] = [
    "ref.pass_at_k",
    "ref.pass_pow_k",
    "tau.pass_hat_k",
    "ref.arga",
    "ref.turn_overhead",
    "ref.consolidate_conversations",
    "ref.report",
    "ref.stats",
    "paper.metrics",
    "paper.mm_tap",
    "paper.table5_implied_pass1",
    "paper.context_schedule",
    "prop.mm_tap_lenient",
    "prop.mm_tap_capped",
    "prop.canonical",
    "prop.field_heard",
    "prop.wer",
    "prop.escalation",
    "prop.trace",
    "prop.aggregate",
];

/// The kinds that tell what the peer's own program makes of a judge's replies, which nobody is to repeat.
pub const SKIPPED_KINDS: [&str; 4] = ["ref.judge_parse", "ref.analyze_messages", "ref.eval", "ref.skip_metrics"];

/// What our measures answer to a vector; what they refuse is an answer too.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    conform(kind, input).map(|answered| answered.unwrap_or_else(|_| refused()))
}

pub fn refused() -> Value {
    json!({"error": "refused"})
}

/// What our rules say to the input of a vector, in the shape in which the vectors expect it; the error tells why an
/// input is refused. `None` for a kind that is skipped or not known.
pub(super) fn conform(kind: &str, input: &Value) -> Option<Result<Value, String>> {
    Some(match kind {
        "ref.pass_at_k" => super::judged::at_k(input),
        "ref.pass_pow_k" => super::judged::pow_k(input),
        "tau.pass_hat_k" => super::judged::hat_k(input),
        "ref.arga" => super::judged::arga(input),
        "ref.turn_overhead" => super::judged::turn_overhead(input),
        "ref.consolidate_conversations" => super::judged::consolidate(input),
        "ref.report" => super::judged::report(input),
        "ref.stats" => super::judged::stats(input),
        "paper.metrics" => super::paper::metrics(input),
        "paper.mm_tap" => super::paper::mm_tap(input),
        "paper.table5_implied_pass1" => super::paper::implied_pass1(input),
        "paper.context_schedule" => super::paper::context_schedule(input),
        "prop.mm_tap_lenient" => super::paper::mm_tap_lenient(input),
        "prop.mm_tap_capped" => super::paper::mm_tap_capped(input),
        "prop.canonical" => super::proposed::canonical(input),
        "prop.field_heard" => super::proposed::field_heard(input),
        "prop.wer" => super::proposed::wer(input),
        "prop.escalation" => super::escalation::answer(input),
        "prop.trace" => super::proposed::trace(input),
        "prop.aggregate" => super::proposed::aggregate(input),
        _ => return None,
    })
}
