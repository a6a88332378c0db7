//! `langsmith`: runs, one a line or as trees, put in their order by `dotted_order`.

use serde_json::Value;

use crate::call::{Answered, Called, answered};
use crate::dialogue::CallResult;
use crate::gather::{Gather, Out};
use crate::json;
use crate::span::{Span, Spans, Work, listed, words};
use crate::time::order;
use crate::unread::{Place, Unit};
use crate::values;

const SILENCE: &str =
    "look whether inputs and outputs were hidden (LANGSMITH_HIDE_INPUTS), and write the runs out again";

/// The runs of a file.
#[derive(Default)]
pub(crate) struct Langsmith {
    spans: Spans,
}

impl Gather for Langsmith {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        self.run(&unit.value, &unit.place, out);
    }

    fn finish(&mut self, out: &mut Out) {
        self.spans.finish(SILENCE, out);
    }
}

impl Langsmith {
    /// Takes a run with those below it.
    fn run(&mut self, run: &Value, place: &Place, out: &mut Out) {
        let id = json::name(run, &["id", "run_id"]);
        let Some(trace) = json::name(run, &["trace_id"]).or_else(|| id.clone()) else {
            return out.fault(place.fault("", "this is no run", "a run has an `id`, a `trace_id` and a `run_type`"));
        };
        let start = json::field(run, &["start_time"]).cloned();
        let dotted = json::name(run, &["dotted_order"]);
        let order = dotted.or_else(|| start.as_ref().map(order)).unwrap_or_default();
        let metadata = [run.pointer("/extra/metadata"), run.get("metadata")].into_iter().flatten();
        let mut metadata =
            metadata.filter_map(|told| json::name(told, &["thread_id", "session_id", "conversation_id"]));
        let tools = ["/inputs/tools", "/extra/invocation_params/tools", "/extra/invocation_params/functions"];
        self.spans.push(Span {
            id,
            parent: json::name(run, &["parent_run_id"]),
            trace,
            conversation: metadata.next(),
            order,
            place: place.clone(),
            start,
            tools: tools.iter().filter_map(|at| run.pointer(at)).cloned().collect(),
            work: work(run),
        });
        for child in run.get("child_runs").and_then(Value::as_array).into_iter().flatten() {
            self.run(child, place, out);
        }
    }
}

fn work(run: &Value) -> Work {
    let inputs = run.get("inputs").unwrap_or(&Value::Null);
    let outputs = run.get("outputs").unwrap_or(&Value::Null);
    match json::text(run, &["run_type"]).unwrap_or_default() {
        "llm" | "chat" => {
            let mut messages = listed(inputs, "user");
            messages.extend(listed(outputs, "assistant"));
            let system = inputs.get("system").filter(|system| !system.is_null()).cloned();
            match messages.is_empty() {
                true => Work::Nothing,
                false => Work::Request { system: system.into_iter().collect(), messages },
            }
        }
        "tool" => tool(run, inputs, outputs),
        _ => match (words(inputs), words(outputs)) {
            (None, None) => Work::Nothing,
            (input, output) => Work::Turn { input, output },
        },
    }
}

fn tool(run: &Value, inputs: &Value, outputs: &Value) -> Work {
    let alone = inputs.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("input"));
    let output = outputs.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("output")).unwrap_or(outputs);
    // LangChain's tools give a message, which knows the id of its call.
    let message = output.get("kwargs").or_else(|| output.get("data")).unwrap_or(output);
    let message = Some(message).filter(|message| message.get("tool_call_id").is_some());
    let id = message.and_then(|message| json::name(message, &["tool_call_id"]));
    let id =
        id.or_else(|| json::name(run.pointer("/extra/tool_call_id").map(|_| run.get("extra"))??, &["tool_call_id"]));
    let said = json::text(run, &["error"]).filter(|error| !error.is_empty());
    let result = match (said, message, output) {
        (Some(text), ..) => Some((CallResult::Error { text: text.to_owned() }, 0)),
        (None, Some(message), _) => {
            let found = answered(message);
            Some((found.result, found.placeholders))
        }
        (None, None, Value::Null) => None,
        (None, None, output) => Some(values::result(output, false)),
    };
    let call = Called {
        id,
        tool: json::text(run, &["name"]).unwrap_or("tool").to_owned(),
        arguments: values::arguments(Some(alone.filter(|alone| json::opened(alone).is_object()).unwrap_or(inputs))),
    };
    Work::Tool {
        call,
        result: result.map(|(result, placeholders)| Answered { id: None, tool: None, result, placeholders }),
    }
}
