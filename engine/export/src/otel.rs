//! `otel`: spans of OpenTelemetry as lines of OTLP JSON, one for each episode, with the attributes of the conventions for
//! generative AI: the agent with the whole dialogue, and below it each request that a provider counted and each call.

use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::episode::{Episodes, Exported, Source};
use crate::message::{Message, Said, arguments, call_id, details, put, refused, shown};
use probity_bench::Step;
use probity_engine::{Hash, canonical, write_once};

/// What is on both sides of an agent: the span is of the program that holds it.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;
const FAILED: u8 = 2;
const TRACE_DIGITS: usize = 32;
const SPAN_DIGITS: usize = 16;

pub(crate) const NO_PLACE: [&str; 4] = [
    "findings, the end reason and how it was played: attributes `probity.*` of the agent's span",
    "what calls changed: attributes `probity.*` of the call's span",
    "times: an episode knows no clock, so that spans are numbered in nanoseconds after 1970",
    "what a user's words were beside what the agent heard: left out",
];

pub(crate) fn write(out: &Path, source: Source, episodes: Episodes) -> io::Result<()> {
    write_once(out, |file| {
        for episode in episodes {
            writeln!(file, "{}", canonical::to_string(&line(source, &episode?)))?;
        }
        Ok(())
    })
}

fn line(source: Source, episode: &Exported) -> Value {
    let engine = &episode.record.trace.header.engine;
    let service = [("service.name", json!("probity")), ("service.version", json!(engine))];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(service)},
        "scopeSpans": [{"scope": {"name": "probity", "version": engine}, "spans": Trace::new(source, episode).spans()}],
    }]})
}

/// The spans of an episode while they are made; each takes a nanosecond.
struct Trace<'a> {
    episode: &'a Exported,
    conversation: String,
    model: String,
    id: String,
    spans: Vec<Value>,
}

impl<'a> Trace<'a> {
    fn new(source: Source, episode: &'a Exported) -> Trace<'a> {
        let (record, conversation) = (&episode.record, episode.record.name());
        // Two agents that do the same have one digest, and two traces.
        let id = digits(&json!([conversation, record.digest]), TRACE_DIGITS);
        let model = source.model(&record.agent).unwrap_or_else(|| record.agent.clone());
        Trace { episode, conversation, model, id, spans: Vec::new() }
    }

    fn spans(mut self) -> Vec<Value> {
        let messages = self.episode.messages();
        let (mut input, mut last) = (Vec::new(), None);
        for message in &messages {
            input.extend(last.take());
            match message {
                Message::User(text, _) => input.push(words("user", text)),
                Message::Told(text) => input.push(words("system", text)),
                Message::Agent(said) => {
                    self.request(said);
                    said.calls.iter().for_each(|step| self.call(step));
                    let own = spoken(said);
                    match said.calls.is_empty() {
                        true => last = Some(own),
                        false => {
                            input.push(own);
                            input.push(answered(&said.calls));
                        }
                    }
                }
            }
        }
        let agent = self.agent(&input, last);
        self.spans.insert(0, agent);
        self.spans
    }

    /// The agent's span: what it was told, the whole dialogue, and its scores.
    fn agent(&self, input: &[Value], output: Option<Value>) -> Value {
        let (episode, record) = (self.episode, &self.episode.record);
        let told = episode.system().map(|text| json!([{"type": "text", "content": text}]));
        let tools = Some(episode.tools()).filter(|tools| !tools.is_empty());
        let mut found = vec![
            ("gen_ai.operation.name".to_owned(), json!("invoke_agent")),
            ("gen_ai.agent.name".to_owned(), json!(record.agent)),
            ("gen_ai.input.messages".to_owned(), json!(input)),
        ];
        found.extend(output.map(|message| ("gen_ai.output.messages".to_owned(), json!([message]))));
        found.extend(told.map(|told| ("gen_ai.system_instructions".to_owned(), told)));
        found.extend(tools.map(|tools| ("gen_ai.tool.definitions".to_owned(), json!(tools))));
        if let Some(usage) = &record.usage {
            found.push(("gen_ai.usage.input_tokens".to_owned(), json!(usage.prompt_tokens)));
            found.push(("gen_ai.usage.output_tokens".to_owned(), json!(usage.completion_tokens)));
        }
        found.extend(episode.metadata.iter().map(|(key, value)| (format!("probity.{key}"), value.clone())));
        let mut span = self.span(0, (format!("invoke_agent {}", record.agent), INTERNAL), found);
        let scores = record.scores.metrics.iter().filter_map(|(metric, reading)| Some((metric, reading.value()?)));
        let scores = scores.map(|(metric, value)| {
            let about = [("gen_ai.evaluation.name", json!(metric)), ("gen_ai.evaluation.score.value", json!(value))];
            let end = (self.spans.len() + 1).to_string();
            json!({"name": "gen_ai.evaluation.result", "timeUnixNano": end, "attributes": attributes(about)})
        });
        put(&mut span, "events", Some(scores.collect()));
        put(&mut span, "endTimeUnixNano", Some(json!((self.spans.len() + 1).to_string())));
        span
    }

    /// A request whose tokens its provider counted; what it was sent stands at the agent's span.
    fn request(&mut self, said: &Said) {
        let Some(tokens) = said.tokens else { return };
        let found = vec![
            ("gen_ai.operation.name".to_owned(), json!("chat")),
            ("gen_ai.request.model".to_owned(), json!(self.model)),
            ("gen_ai.usage.output_tokens".to_owned(), json!(tokens)),
        ];
        self.spans.push(self.span(self.spans.len() + 1, (format!("chat {}", self.model), CLIENT), found));
    }

    fn call(&mut self, step: &Step) {
        let mut found = vec![
            ("gen_ai.operation.name".to_owned(), json!("execute_tool")),
            ("gen_ai.tool.name".to_owned(), json!(step.tool)),
            ("gen_ai.tool.type".to_owned(), json!("function")),
            ("gen_ai.tool.call.id".to_owned(), json!(call_id(step))),
            ("gen_ai.tool.call.arguments".to_owned(), arguments(step)),
            ("gen_ai.tool.call.result".to_owned(), json!(shown(step))),
        ];
        found.extend(step.rejection().map(|rejection| ("error.type".to_owned(), json!(rejection.code))));
        found.extend(details(step).into_iter().map(|(key, value)| (format!("probity.{key}"), value)));
        let mut span = self.span(self.spans.len() + 1, (format!("execute_tool {}", step.tool), INTERNAL), found);
        put(&mut span, "status", refused(step).map(|why| json!({"code": FAILED, "message": why})));
        self.spans.push(span);
    }

    fn span(&self, at: usize, (name, kind): (String, u8), found: Vec<(String, Value)>) -> Value {
        let common = [
            ("gen_ai.conversation.id".to_owned(), json!(self.conversation)),
            ("gen_ai.provider.name".to_owned(), json!("probity")),
        ];
        let id = |at: usize| digits(&json!([self.id, at]), SPAN_DIGITS);
        let mut span = json!({
            "traceId": self.id, "spanId": id(at), "name": name, "kind": kind, "status": {},
            "startTimeUnixNano": at.to_string(), "endTimeUnixNano": (at + 1).to_string(),
            "attributes": attributes(found.into_iter().chain(common)),
        });
        put(&mut span, "parentSpanId", (at > 0).then(|| json!(id(0))));
        span
    }
}

fn digits(of: &Value, count: usize) -> String {
    Hash::of(of).hex().chars().take(count).collect()
}

/// Attributes as OTLP has them; what is no single value is JSON in a text.
fn attributes<K: Into<String>>(found: impl IntoIterator<Item = (K, Value)>) -> Vec<Value> {
    let wrapped = |value: Value| match value {
        Value::String(text) => json!({"stringValue": text}),
        Value::Bool(is) => json!({"boolValue": is}),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => json!({"intValue": whole.to_string()}),
            None => json!({"doubleValue": number}),
        },
        other @ (Value::Null | Value::Array(_) | Value::Object(_)) => {
            json!({"stringValue": canonical::to_string(&other)})
        }
    };
    found.into_iter().map(|(key, value)| json!({"key": key.into(), "value": wrapped(value)})).collect()
}

fn words(role: &str, text: &str) -> Value {
    json!({"role": role, "parts": [{"type": "text", "content": text}]})
}

fn spoken(said: &Said) -> Value {
    let text = said.text.map(|text| json!({"type": "text", "content": text}));
    let calls = said
        .calls
        .iter()
        .map(|step| json!({"type": "tool_call", "id": call_id(step), "name": step.tool, "arguments": arguments(step)}));
    let finish = if said.calls.is_empty() { "stop" } else { "tool_call" };
    json!({"role": "assistant", "parts": text.into_iter().chain(calls).collect::<Vec<Value>>(), "finish_reason": finish})
}

fn answered(calls: &[&Step]) -> Value {
    let parts =
        calls.iter().map(|step| json!({"type": "tool_call_response", "id": call_id(step), "response": step.shown()}));
    json!({"role": "tool", "parts": parts.collect::<Vec<Value>>()})
}
