//! The kinds of conformance vectors and what each asks.

use serde_json::{Value, json};

use super::{escalation, judged, paper, proposed};

/// What is made of the input of a vector; nothing where the input is refused.
type KindRule = fn(&Value) -> Option<Value>;

/// The kinds, and what our rules say to an input of each in the shape in which the vectors expect it.
const CONFORM: [(&str, KindRule); 20] = [
    ("ref.pass_at_k", judged::at_k),
    ("ref.pass_pow_k", judged::pow_k),
    ("tau.pass_hat_k", judged::hat_k),
    ("ref.arga", judged::arga),
    ("ref.turn_overhead", judged::turn_overhead),
    ("ref.consolidate_conversations", judged::consolidate),
    ("ref.report", judged::report),
    ("ref.stats", judged::stats),
    ("paper.metrics", paper::metrics),
    ("paper.mm_tap", paper::mm_tap),
    ("paper.table5_implied_pass1", paper::implied_pass1),
    ("paper.context_schedule", paper::context_schedule),
    ("prop.mm_tap_lenient", paper::mm_tap_lenient),
    ("prop.mm_tap_capped", paper::mm_tap_capped),
    ("prop.canonical", proposed::canonical),
    ("prop.field_heard", proposed::field_heard),
    ("prop.wer", proposed::wer),
    ("prop.escalation", escalation::answer),
    ("prop.trace", proposed::trace),
    ("prop.aggregate", proposed::aggregate),
];

pub fn kinds() -> Vec<&'static str> {
    CONFORM.iter().map(|(kind, _)| *kind).collect()
}

/// The kinds that tell what the peer's own program makes of a judge's replies, which nobody is to repeat.
pub(crate) const SKIPPED_KINDS: [&str; 4] = ["ref.judge_parse", "ref.analyze_messages", "ref.eval", "ref.skip_metrics"];

/// What our measures answer to a vector; what they refuse is an answer too. `None` for a kind that is skipped or not
/// known.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let (_, rule) = CONFORM.iter().find(|(known, _)| *known == kind)?;
    Some(rule(input).unwrap_or_else(refused))
}

pub fn refused() -> Value {
    json!({"error": "refused"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kind_takes_anything_for_its_input() {
        for kind in kinds() {
            for input in [json!({}), json!(null), json!([]), json!("text"), json!({"total": -1})] {
                assert_eq!(answer(kind, &input), Some(refused()), "{kind} {input}");
            }
        }
        for kind in SKIPPED_KINDS.into_iter().chain(["ref", "prop.tracing"]) {
            assert_eq!(answer(kind, &json!({})), None, "{kind}");
        }
    }
}
