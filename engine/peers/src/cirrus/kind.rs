//! The kinds of conformance vectors and what each asks.

use serde_json::{Value, json};

use super::{aggregate, resolution};
use probity_bench::stats::pass_k::{pass_at, pass_hat};
use probity_engine::Fields;
use probity_tickets::judge::{Verdict, read_coverage, read_fluency};
use probity_tickets::preparation::{Recorded, Role, Turn, Turns, mask};
use probity_tickets::recording::RecordedCall;

/// The kinds, and the fields that an input of each has.
const FIELDS: [(&str, &[&str]); 10] = [
    ("multi_turn", &["history", "checkpoints", "policy", "max_attempts", "agent", "fluency"]),
    ("single_tool", &["recorded", "predicted"]),
    ("mock_replay", &["mocks", "calls", "max_consecutive_misses"]),
    ("aggregate", &["tasks"]),
    ("aggregate_single", &["subtasks"]),
    ("judge_parse", &["text"]),
    ("fluency_parse", &["text"]),
    ("pass_k", &["n", "c", "k"]),
    ("canonicalize", &["messages"]),
    ("mask", &["text", "names"]),
];
/// Kinds that tell what the peer's own program does, which nobody is to repeat.
pub(crate) const INFORMATION: [&str; 1] = ["peer_result"];

pub fn kinds() -> Vec<&'static str> {
    FIELDS.iter().map(|(kind, _)| *kind).collect()
}

/// What an input lacks to be a question of its kind, if anything.
pub(crate) fn input_fault(kind: &str, input: &Value) -> Option<String> {
    let Some(map) = input.as_object() else { return Some("`input` is not an object".to_owned()) };
    let missing = FIELDS
        .iter()
        .filter(|(known, _)| *known == kind)
        .flat_map(|(_, fields)| *fields)
        .find(|name| !map.contains_key(**name));
    missing.map(|name| format!("`{name}` of the input is missing"))
}

/// What our rules say to the input of a vector; `None` for an unknown kind, or where the input is no question.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let text = |name: &str| input.get(name)?.as_str();
    let count = |name: &str| usize::try_from(input.get(name)?.as_u64()?).ok();
    match kind {
        "multi_turn" => resolution::answer(input),
        "single_tool" => resolution::marks(input),
        "mock_replay" => resolution::replays(input),
        "aggregate" => aggregate::of_tickets(input),
        "aggregate_single" => aggregate::of_responses(input),
        "judge_parse" => {
            let has_failed = input.get("call_failed").and_then(Value::as_bool).unwrap_or(false);
            let read = if has_failed { Verdict::Error } else { said(input, read_coverage)? };
            Some(json!({"verdict": word(read, "included", "not_included")}))
        }
        "fluency_parse" => Some(json!({"verdict": word(said(input, read_fluency)?, "yes", "no")})),
        "pass_k" => {
            let (n, c, k) = (count("n")?, count("c")?, count("k")?);
            Some(json!({"pass_at_k": pass_at(n, c, k), "pass_hat_k": pass_hat(n, c, k)}))
        }
        "canonicalize" => in_turns(input),
        "mask" => {
            let names = input.get("names")?.as_array()?.iter().map(|name| Some(name.as_str()?.to_owned()));
            Some(json!({"text": mask(text("text")?, &names.collect::<Option<Vec<_>>>()?)}))
        }
        _ => None,
    }
}

/// What a judge said, read; one that said nothing gave no verdict.
fn said(input: &Value, read: fn(&str) -> Verdict) -> Option<Verdict> {
    match input.get("text")? {
        Value::Null => Some(Verdict::Error),
        said => Some(read(said.as_str()?)),
    }
}

fn word(verdict: Verdict, yes: &'static str, no: &'static str) -> &'static str {
    match verdict {
        Verdict::Yes => yes,
        Verdict::No => no,
        Verdict::Error => "error",
    }
}

/// Recorded messages put in turns.
fn in_turns(input: &Value) -> Option<Value> {
    let messages: Vec<Recorded> = input.get("messages")?.as_array()?.iter().map(message).collect::<Option<_>>()?;
    let all = Turns::of(&messages);
    let turn = |turn: &Turn| {
        let call = |call: &RecordedCall| json!({"name": call.tool, "arguments": call.arguments, "result": call.result});
        json!({"user": turn.user, "calls": turn.calls.iter().map(call).collect::<Vec<_>>(), "reply": turn.reply})
    };
    Some(json!({
        "turns": all.turns.iter().map(turn).collect::<Vec<_>>(), "dropped_leading": all.dropped_leading,
        "orphan_calls": all.orphan_calls, "orphan_results": all.orphan_results,
        "dropped_trailing": all.dropped_trailing,
    }))
}

fn message(value: &Value) -> Option<Recorded> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let role: Role = serde_json::from_value(value.get("role")?.clone()).ok()?;
    let call = |call: &Value| {
        let arguments: Fields = call.get("arguments")?.as_object()?.clone();
        Some((call.get("id")?.as_str()?.to_owned(), call.get("name")?.as_str()?.to_owned(), arguments))
    };
    let calls = value.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let calls = calls.map(call).collect::<Option<Vec<_>>>()?;
    Some(Recorded { role, text: text("content"), calls, answers: text("tool_call_id") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_says_nothing_gave_no_verdict() {
        for kind in ["judge_parse", "fluency_parse"] {
            for text in [Value::Null, "".into(), "null".into()] {
                assert_eq!(answer(kind, &json!({"text": text})), Some(json!({"verdict": "error"})), "{kind} {text}");
            }
            assert_eq!(answer(kind, &json!({"text": 3})), None);
        }
    }
}
