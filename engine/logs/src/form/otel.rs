//! `otel`: spans of OpenTelemetry as OTLP JSON or as exporters print them, with the attributes of GenAI's conventions,
//! of OpenInference and of OpenLLMetry, and older events.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::attributes::{attributes, nested, plain};
use crate::call::{Answered, Called};
use crate::dialogue::CallResult;
use crate::gather::{Gather, Out};
use crate::json;
use crate::span::{Span, Spans, Work, listed, words};
use crate::time::order;
use crate::unread::{Place, Unit};
use crate::values;
use crate::words::is_blocks;

const SILENCE: &str = "contents are not recorded unless that is asked for: set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, and write the log out again";

/// The spans of a file.
#[derive(Default)]
pub(crate) struct Otel {
    spans: Spans,
    /// Events that were written as records of a log, by trace and span.
    records: BTreeMap<(String, String), Records>,
}

#[derive(Default)]
struct Records {
    place: Place,
    order: String,
    conversation: Option<String>,
    messages: Vec<Value>,
}

impl Gather for Otel {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        let scopes = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs"];
        let scopes: Vec<&Value> = scopes.iter().filter_map(|key| unit.value.get(key)?.as_array()).flatten().collect();
        if scopes.is_empty() {
            return self.span(&unit.value, &unit.place, out);
        }
        for scope in scopes {
            for span in scope.get("spans").and_then(Value::as_array).into_iter().flatten() {
                self.span(span, &unit.place, out);
            }
            let records = ["logRecords", "log_records"].iter().find_map(|key| scope.get(key)?.as_array());
            records.into_iter().flatten().for_each(|record| self.record(record, &unit.place));
        }
    }

    fn finish(&mut self, out: &mut Out) {
        for ((trace, span), records) in std::mem::take(&mut self.records) {
            self.spans.push(Span {
                // It tells what its span does; the two are no copies.
                id: Some(format!("{span} records")),
                parent: Some(span),
                trace,
                conversation: records.conversation,
                order: records.order,
                place: records.place,
                start: None,
                tools: Vec::new(),
                work: Work::Request { system: Vec::new(), messages: records.messages },
            });
        }
        self.spans.finish(SILENCE, out);
    }
}

impl Otel {
    fn span(&mut self, value: &Value, place: &Place, out: &mut Out) {
        let about = value.get("context").or_else(|| value.get("span_context")).unwrap_or(value);
        let Some(trace) = json::name(about, &["traceId", "trace_id"]) else {
            let help = "a span has a `traceId`, a `spanId` and `attributes`";
            return out.fault(place.fault("", "this is no span", help));
        };
        let mut found = attributes(value.get("attributes"));
        let (messages, details) = events(value);
        found.extend(details);
        let start =
            json::field(value, &["startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"]).cloned();
        let name = json::text(value, &["name"]).unwrap_or_default();
        self.spans.push(Span {
            id: json::name(about, &["spanId", "span_id"]),
            parent: json::name(value, &["parentSpanId", "parent_span_id", "parent_id", "parentId"]),
            trace,
            conversation: first(
                &found,
                &["gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id"],
            )
            .and_then(|name| name.as_str().map(str::to_owned)),
            order: start.as_ref().map(order).unwrap_or_default(),
            place: place.clone(),
            start,
            tools: tools(&found),
            work: work(name, &found, messages, is_failed(value, &found)),
        });
    }

    fn record(&mut self, record: &Value, place: &Place) {
        let mut found = attributes(record.get("attributes"));
        let body = record.get("body").map(plain).unwrap_or_default();
        let name = json::name(record, &["eventName", "event_name"])
            .or_else(|| found.get("event.name").and_then(|name| name.as_str().map(str::to_owned)))
            .unwrap_or_default();
        let conversation = found.get("gen_ai.conversation.id").and_then(|name| name.as_str().map(str::to_owned));
        found.extend(body.as_object().cloned().unwrap_or_default());
        let key = |keys: &[&str]| json::name(record, keys).unwrap_or_default();
        let of = (key(&["traceId", "trace_id"]), key(&["spanId", "span_id"]));
        let time = json::field(record, &["timeUnixNano", "observedTimeUnixNano", "timestamp"]).map(order);
        let kept = self.records.entry(of).or_insert_with(|| Records {
            place: place.clone(),
            order: time.unwrap_or_default(),
            ..Records::default()
        });
        kept.conversation = kept.conversation.take().or(conversation);
        kept.messages.extend(event(&name, &found));
        kept.messages.extend(told(&found));
    }
}

fn first<'a>(found: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().find_map(|key| found.get(*key).filter(|value| !value.is_null()))
}

fn is_failed(span: &Value, found: &Map<String, Value>) -> Option<String> {
    let status = span.get("status");
    let code = status
        .and_then(|status| json::name(status, &["code", "status_code"]))
        .or_else(|| json::name(span, &["status_code"]));
    let is_error = matches!(code.as_deref(), Some("2" | "ERROR" | "STATUS_CODE_ERROR"));
    let kind = found.get("error.type").and_then(Value::as_str);
    let said = status.and_then(|status| json::text(status, &["message", "description"]));
    (is_error || kind.is_some()).then(|| said.or(kind).unwrap_or("error").to_owned())
}

/// The messages that older conventions tell in events, and the attributes that newer ones have there.
fn events(span: &Value) -> (Vec<Value>, Map<String, Value>) {
    let (mut messages, mut details) = (Vec::new(), Map::new());
    for value in span.get("events").and_then(Value::as_array).into_iter().flatten() {
        let found = attributes(value.get("attributes"));
        let name = json::text(value, &["name"]).unwrap_or_default();
        match name {
            "gen_ai.client.inference.operation.details" => details.extend(found),
            name => messages.extend(event(name, &found)),
        }
    }
    (messages, details)
}

/// The message of an event: `gen_ai.user.message`, `gen_ai.choice`.
fn event(name: &str, found: &Map<String, Value>) -> Option<Value> {
    let role = match name {
        "gen_ai.choice" => "assistant",
        name => name.strip_prefix("gen_ai.")?.strip_suffix(".message")?,
    };
    let inner = found.get("message").map(json::opened).and_then(|inner| inner.as_object().cloned());
    let mut message = inner.unwrap_or_else(|| found.clone());
    message.entry("role").or_insert_with(|| role.into());
    if role == "tool"
        && let Some(id) = message.remove("id")
    {
        message.entry("tool_call_id").or_insert(id);
    }
    Some(Value::Object(message))
}

/// The messages that attributes tell: input, then output.
fn told(found: &Map<String, Value>) -> Vec<Value> {
    let mut messages = Vec::new();
    for (flat, whole, role) in [
        (["llm.input_messages", "gen_ai.prompt"], ["gen_ai.input.messages", "gen_ai.prompt"], "user"),
        (["llm.output_messages", "gen_ai.completion"], ["gen_ai.output.messages", "gen_ai.completion"], "assistant"),
    ] {
        let whole = first(found, &whole).map(|value| listed(value, role));
        let flat = flat.iter().find_map(|prefix| nested(found, prefix));
        messages.extend(whole.unwrap_or_else(|| flat.map_or_else(Vec::new, |list| blocks(listed(&list, role)))));
    }
    messages
}

/// Messages whose content is blocks, which flat attributes hold as text.
fn blocks(mut messages: Vec<Value>) -> Vec<Value> {
    for content in messages.iter_mut().filter_map(|message| message.get_mut("content")) {
        let opened = json::opened(content).into_owned();
        if opened.as_array().is_some_and(|items| is_blocks(items)) {
            *content = opened;
        }
    }
    messages
}

fn tools(found: &Map<String, Value>) -> Vec<Value> {
    let whole = first(found, &["gen_ai.tool.definitions", "gen_ai.request.tools"]).cloned();
    let flat = ["llm.tools", "llm.request.functions"].iter().find_map(|prefix| nested(found, prefix));
    whole.into_iter().chain(flat).collect()
}

fn work(name: &str, found: &Map<String, Value>, events: Vec<Value>, failed: Option<String>) -> Work {
    let kind = first(found, &["gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind"]);
    let kind = kind.and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let input =
        first(found, &["gen_ai.tool.call.arguments", "input.value", "tool.parameters", "traceloop.entity.input"]);
    let output = first(found, &["gen_ai.tool.call.result", "output.value", "traceloop.entity.output"]);
    if matches!(kind.as_str(), "execute_tool" | "tool") {
        let tool = first(found, &["gen_ai.tool.name", "tool.name", "traceloop.entity.name"]).and_then(Value::as_str);
        let tool = tool.or_else(|| name.strip_prefix("execute_tool ")).unwrap_or(name).to_owned();
        let id = first(found, &["gen_ai.tool.call.id", "tool_call.id", "tool.id"]);
        let call =
            Called { id: id.and_then(|id| id.as_str().map(str::to_owned)), tool, arguments: values::arguments(input) };
        return Work::Tool { call, result: answer(output, failed) };
    }
    let mut messages = told(found);
    if messages.is_empty() {
        messages = events;
    }
    let system = first(found, &["gen_ai.system_instructions"]).map(|system| json::opened(system).into_owned());
    match (messages.is_empty(), input.and_then(words), output.and_then(words)) {
        (false, ..) => Work::Request { system: system.into_iter().collect(), messages },
        (true, None, None) => Work::Nothing,
        (true, input, output) => Work::Turn { input, output },
    }
}

fn answer(output: Option<&Value>, failed: Option<String>) -> Option<Answered> {
    let told = output.map(|output| values::result(output, failed.is_some()));
    let (result, placeholders) = match (told, failed) {
        (Some((CallResult::Error { text }, _)), Some(failed)) if text.is_empty() => {
            (CallResult::Error { text: failed }, 0)
        }
        (Some(told), _) => told,
        (None, Some(failed)) => (CallResult::Error { text: failed }, 0),
        (None, None) => return None,
    };
    Some(Answered { id: None, tool: None, result, placeholders })
}
