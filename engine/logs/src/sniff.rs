//! By what each form is known.

use serde_json::Value;

use crate::document::{ITEMS, is_message};
use crate::form::{Form, LISTS};
use crate::json;
use crate::reader::Found;
use crate::unread::Unit;

/// What a form is known by, asked in this order: those that cannot be mistaken come first.
type Sign = (Form, &'static str, fn(&Unit) -> bool);

const SIGNS: [Sign; 25] = [
    (Form::Recorded, "it has requests with what came of them", |unit| has(unit, &["recorded", "session", "exchange"])),
    (Form::Probity, "it has a trace with its digest", |unit| has(unit, &["trace", "digest"])),
    (Form::Probity, "it has a header, events and a final state", |unit| {
        has(unit, &["header", "events", "final_state"])
    }),
    (Form::Probity, "it has events in probity's form", |unit| {
        let kinds = ["user", "reply", "step", "agent", "call", "told", "user_call", "note"];
        let first = unit.value.pointer("/events/0");
        first.is_some_and(|first| {
            first.get("user").is_some_and(Value::is_string)
                || first.get("message").is_some_and(Value::is_number)
                || json::text(first, &["type"]).is_some_and(|kind| kinds.contains(&kind))
        })
    }),
    (Form::Otel, "it has spans of OpenTelemetry", |unit| {
        ["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs"]
            .iter()
            .any(|key| has(unit, &[key]))
    }),
    (Form::Otel, "it is a span of OpenTelemetry", |unit| {
        let ids = [["traceId", "spanId"], ["trace_id", "span_id"]];
        let is_span = ids.iter().any(|ids| has(unit, ids)) || unit.value.pointer("/context/trace_id").is_some();
        is_span && unit.value.get("attributes").is_some()
    }),
    (Form::Langsmith, "it has runs with a `run_type`", |unit| has(unit, &["run_type"])),
    (Form::Langfuse, "it has observations of a trace", |unit| {
        let kinds = [
            "SPAN",
            "GENERATION",
            "EVENT",
            "AGENT",
            "TOOL",
            "CHAIN",
            "RETRIEVER",
            "EVALUATOR",
            "EMBEDDING",
            "GUARDRAIL",
        ];
        json::text(&unit.value, &["type"]).is_some_and(|kind| kinds.contains(&kind))
    }),
    (Form::Inspect, "it has samples of an evaluation", |unit| {
        unit.beside("/eval").is_some() || has(unit, &["epoch", "messages"])
    }),
    (Form::Tau2, "it has simulations of tau2-bench", |unit| {
        unit.place.pointer.starts_with("/simulations")
            || has(unit, &["termination_reason", "task_id"])
            || has(unit, &["simulation_index"])
    }),
    (Form::Tau2, "it has trajectories of tau-bench", |unit| has(unit, &["traj"])),
    (Form::Atif, "it has steps of a trajectory", |unit| {
        let is_named = json::text(&unit.value, &["schema_version"]).is_some_and(|version| version.starts_with("ATIF"));
        is_named || (has(unit, &["steps"]) && unit.value.pointer("/steps/0/source").is_some())
    }),
    (Form::Sharegpt, "it has conversations with `from` and `value`", |unit| {
        let list = unit.value.get("conversations").or(Some(&unit.value)).and_then(Value::as_array);
        let one = list.and_then(|list| list.first()).unwrap_or(&unit.value);
        one.get("from").is_some() && one.get("value").is_some()
    }),
    (Form::ClaudeCode, "it has lines of a session", |unit| {
        let kinds = ["system", "assistant", "user", "result"];
        let is_printed = json::text(&unit.value, &["type"]).is_some_and(|kind| kinds.contains(&kind))
            && (has(unit, &["session_id", "message"]) || has(unit, &["session_id", "subtype"]));
        has(unit, &["sessionId", "uuid"]) || has(unit, &["parentUuid", "uuid"]) || is_printed
    }),
    (Form::Codex, "it has lines of a rollout", |unit| {
        let kinds = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
        let is_line = json::text(&unit.value, &["type"]).is_some_and(|kind| kinds.contains(&kind));
        let is_older =
            has(unit, &["id", "timestamp", "instructions"]) && !has(unit, &["messages"]) && !has(unit, &["input"]);
        (is_line && has(unit, &["payload"])) || has(unit, &["record_type"]) || is_older
    }),
    (Form::Codex, "it has events of a thread", |unit| {
        let kind = json::text(&unit.value, &["type"]).unwrap_or_default();
        ["thread.started", "turn.started", "item.started", "item.completed"].contains(&kind)
    }),
    (Form::Anthropic, "it has blocks of tool use", |unit| {
        let is_block = |block: &Value| {
            let kind = json::text(block, &["type"]).unwrap_or_default();
            matches!(kind, "tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "server_tool_use")
        };
        let mut blocks = listed(unit).iter().filter_map(|message| message.get("content")?.as_array()).flatten();
        blocks.any(is_block)
    }),
    (Form::Anthropic, "it has tools with an `input_schema`", |unit| {
        let tools = unit.value.pointer("/tools/0").or_else(|| unit.value.pointer("/request/tools/0"));
        tools.is_some_and(|tool| tool.get("input_schema").is_some())
    }),
    (Form::Anthropic, "it has messages with the system's words beside them", |unit| has(unit, &["system", "messages"])),
    (Form::Responses, "it has items of the Responses API", |unit| {
        let lists = ["/input", "/output", "/response/output", "/request/input"];
        let lists = lists.iter().filter_map(|at| unit.value.pointer(at)?.as_array()).flatten();
        let alone = std::iter::once(&unit.value).chain(unit.value.as_array().into_iter().flatten());
        lists.chain(alone).any(is_item)
    }),
    (Form::Responses, "it has input and output", |unit| has(unit, &["input", "output"])),
    (Form::Chat, "it has messages with a role", |unit| {
        listed(unit).iter().any(|message| message.get("role").is_some())
    }),
    (Form::Chat, "it has a list of messages", |unit| {
        LISTS.iter().any(|key| unit.value.get(key).is_some_and(Value::is_array))
    }),
    (Form::Chat, "it is a message with a role", |unit| is_message(&unit.value)),
    (Form::Chat, "it has choices", |unit| has(unit, &["choices"])),
];

/// The form of a unit, and what it is known by.
pub(crate) fn sniff(unit: &Unit) -> Option<Found> {
    let (form, ground, _) = SIGNS.iter().find(|(_, _, is_known)| is_known(unit))?;
    Some(Found { form: *form, ground })
}

fn has(unit: &Unit, keys: &[&str]) -> bool {
    keys.iter().all(|key| unit.value.get(key).is_some())
}

fn is_item(value: &Value) -> bool {
    let kind = json::text(value, &["type"]);
    kind.is_some_and(|kind| ITEMS.contains(&kind) && (kind != "message" || is_parted(value)))
}

/// Whether a message has the content of the Responses API: both APIs know messages.
fn is_parted(value: &Value) -> bool {
    let first = value.pointer("/content/0/type").and_then(Value::as_str).unwrap_or_default();
    matches!(first, "input_text" | "output_text")
}

/// The messages of a unit.
fn listed(unit: &Unit) -> &[Value] {
    let keyed = [Some(&unit.value), unit.value.get("request")].into_iter().flatten();
    let list = keyed.filter_map(|value| json::field(value, &LISTS)).next().unwrap_or(&unit.value);
    match list {
        Value::Array(list) => list,
        one => std::slice::from_ref(one),
    }
}

/// What a value looks like, for whoever wonders why it was not known.
pub(crate) fn looks(value: &Value) -> String {
    const SHOWN: usize = 8;
    match value {
        Value::Object(map) => {
            let keys = map.keys().take(SHOWN).map(|key| format!("`{}`", key.chars().take(30).collect::<String>()));
            format!("an object with {}", keys.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::String(_) => "a text".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::Bool(_) | Value::Null => "a word alone".to_owned(),
    }
}
