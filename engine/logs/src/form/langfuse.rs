//! `langfuse`: observations, as rows of an export or in traces of the API.

use serde_json::Value;

use crate::call::{Answered, Called};
use crate::dialogue::CallResult;
use crate::gather::{Gather, Out};
use crate::json;
use crate::span::{Span, Spans, Work, listed, words};
use crate::time::order;
use crate::unread::Unit;
use crate::values;

const SILENCE: &str = "look whether input and output were masked or left out, and write the observations out again";

/// The observations of a file.
#[derive(Default)]
pub(crate) struct Langfuse {
    spans: Spans,
}

impl Gather for Langfuse {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        let row = &unit.value;
        let trace = json::name(row, &["trace_id", "traceId"]);
        let trace = trace.or_else(|| json::name(unit.beside("")?, &["id", "trace_id", "traceId"]));
        let Some(trace) = trace else {
            let help = "an observation has an `id`, a `trace_id` and a `type`";
            return out.fault(unit.place.fault("", "this is no observation", help));
        };
        let sessions = ["session_id", "sessionId"];
        let session = json::name(row, &sessions).or_else(|| json::name(unit.beside("")?, &sessions));
        let start = json::field(row, &["start_time", "startTime"]).cloned();
        let tools = ["tool_definitions", "toolDefinitions"].iter().filter_map(|key| row.get(key));
        let input = json::decoded(row.get("input").unwrap_or(&Value::Null));
        self.spans.push(Span {
            id: json::name(row, &["id"]),
            parent: json::name(row, &["parent_observation_id", "parentObservationId"]),
            trace,
            conversation: session,
            order: start.as_ref().map(order).unwrap_or_default(),
            place: unit.place.clone(),
            start,
            tools: tools.chain(input.get("tools")).cloned().collect(),
            work: work(row, &input),
        });
    }

    fn finish(&mut self, out: &mut Out) {
        self.spans.finish(SILENCE, out);
    }
}

fn work(row: &Value, input: &Value) -> Work {
    let output = json::decoded(row.get("output").unwrap_or(&Value::Null));
    match json::text(row, &["type"]).unwrap_or_default() {
        "GENERATION" => {
            let mut messages = listed(input, "user");
            let mut answer = listed(&output, "assistant");
            calls_beside(row, &mut answer);
            messages.extend(answer);
            match messages.is_empty() {
                true => Work::Nothing,
                false => Work::Request { system: input.get("system").cloned().into_iter().collect(), messages },
            }
        }
        "TOOL" => tool(row, input, &output),
        _ => match (words(input), words(&output)) {
            (None, None) => Work::Nothing,
            (input, output) => Work::Turn { input, output },
        },
    }
}

/// The calls that stand in a column of their own, where the answer itself has none.
fn calls_beside(row: &Value, answer: &mut Vec<Value>) {
    let calls = json::field(row, &["tool_calls", "toolCalls"]).and_then(Value::as_array);
    let Some(calls) = calls.filter(|calls| !calls.is_empty()) else { return };
    if answer.is_empty() {
        answer.push(serde_json::json!({"role": "assistant", "content": null}));
    }
    let has_calls =
        |message: &Value| message.get("tool_calls").is_some() || message.get("content").is_some_and(Value::is_array);
    if let Some(last) = answer.last_mut().filter(|last| !has_calls(last)).and_then(Value::as_object_mut) {
        last.insert("tool_calls".to_owned(), calls.iter().map(|call| json::opened(call).into_owned()).collect());
    }
}

fn tool(row: &Value, input: &Value, output: &Value) -> Work {
    let is_error = json::text(row, &["level"]) == Some("ERROR");
    let said = json::text(row, &["status_message", "statusMessage"]).unwrap_or_default();
    let result = match (is_error, output) {
        (false, Value::Null) => None,
        (true, Value::Null) => Some((CallResult::Error { text: said.to_owned() }, 0)),
        (_, output) => Some(values::result(output, is_error)),
    };
    let id = ["/metadata/tool_call_id", "/metadata/toolCallId"].iter().find_map(|at| row.pointer(at)?.as_str());
    let call = Called {
        id: id.map(str::to_owned),
        tool: json::text(row, &["name"]).unwrap_or("tool").to_owned(),
        arguments: values::arguments(Some(input)),
    };
    Work::Tool {
        call,
        result: result.map(|(result, placeholders)| Answered { id: None, tool: None, result, placeholders }),
    }
}
