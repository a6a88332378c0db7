//! Vectors of recorded tools: marks of calls, and replays.

use serde_json::{Map, Value, json};

use probity_engine::ToolCall;
use probity_tickets::recording::{Hits, Matching, Pick, RecordedCall, Replay};

/// Calls as vectors have them: arguments as an object, or as a model's text.
pub fn calls(list: &Value) -> Option<Vec<ToolCall>> {
    let call = |call: &Value| Some(ToolCall::new(call.get("name")?.as_str()?, call.get("arguments")?.clone()));
    list.as_array()?.iter().map(call).collect()
}

/// Recorded calls; the name of their tool stands under one key or the other.
pub fn records(list: &Value) -> Option<Vec<RecordedCall>> {
    let record = |record: &Value| {
        let tool = record.get("name").or_else(|| record.get("tool_name"))?.as_str()?.to_owned();
        let arguments = record.get("arguments")?.as_object()?.clone();
        Some(RecordedCall { tool, arguments, result: record.get("result").cloned().unwrap_or_default() })
    };
    list.as_array()?.iter().map(record).collect()
}

pub fn bit(mark: bool) -> u8 {
    u8::from(mark)
}

pub fn marks(input: &Value) -> Option<Value> {
    let (recorded, made) = (records(input.get("recorded")?)?, calls(input.get("predicted")?)?);
    let of = |matching: Matching| {
        let hits = Hits::count(&recorded, &made, matching);
        (hits, hits.coverage())
    };
    let (hits, exact) = of(Matching::Exact);
    let (subset_hits, subset) = of(Matching::Subset);
    Some(json!({
        "tia": bit(exact.tia), "tsa": exact.tsa.map(bit), "tev": exact.tev.map(bit),
        "recorded": hits.recorded, "predicted": hits.predicted, "name_hits": hits.name_hits,
        "exact_hits": hits.exact_hits, "unmatched_predicted": hits.unmatched_predicted,
        "invalid_arguments": hits.invalid_arguments,
        "subset": {
            "tia": bit(subset.tia), "tsa": subset.tsa.map(bit), "tev": subset.tev.map(bit),
            "exact_hits": subset_hits.exact_hits,
        },
    }))
}

pub fn replays(input: &Value) -> Option<Value> {
    let (records, calls) = (records(input.get("mocks")?)?, calls(input.get("calls")?)?);
    let most = u32::try_from(input.get("max_consecutive_misses")?.as_u64()?).ok()?;
    let ways = [("exact", Matching::Exact), ("subset", Matching::Subset)];
    let picks = [("first", Pick::First), ("sequence", Pick::Sequence)];
    let all = ways.into_iter().flat_map(|way| picks.map(|pick| (way, pick)));
    let replayed = all.map(|((way, matching), (name, pick))| {
        let mut replay = Replay::new(matching, pick);
        let mut answers = Vec::new();
        for call in &calls {
            let answer = replay.answer(&records, call);
            let result = answer.ok().and_then(|index| records.get(index)).map(|record| record.result.clone());
            answers.push(json!({
                "hit": answer.is_ok(), "mock": answer.ok(), "miss": answer.err(), "content": result,
            }));
            if replay.misses() >= most {
                break;
            }
        }
        (format!("{way}/{name}"), json!({"calls": answers, "aborted": replay.misses() >= most}))
    });
    Some(Value::Object(replayed.collect::<Map<String, Value>>()))
}
