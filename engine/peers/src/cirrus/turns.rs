//! Vectors of recorded messages put in turns.

use serde_json::{Value, json};

use probity_engine::Fields;
use probity_tickets::preparation::{Recorded, Role, Turn, Turns};

pub fn answer(input: &Value) -> Option<Value> {
    let messages: Vec<Recorded> = input.get("messages")?.as_array()?.iter().map(message).collect::<Option<_>>()?;
    let all = Turns::of(&messages);
    let turn = |turn: &Turn| {
        let call = |call: &probity_tickets::recording::RecordedCall| json!({"name": call.tool, "arguments": call.arguments, "result": call.result});
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
