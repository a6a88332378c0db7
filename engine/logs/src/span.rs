//! What tracers write: requests to models, calls of tools and the turns around them, put together to dialogues. Each
//! request repeats the whole history, so the longest is read, and no two are put one behind the other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::call::{Answered, Called};
use crate::dialogue::{Arguments, CallResult};
use crate::draft::Draft;
use crate::gather::Out;
use crate::history::{History, histories};
use crate::json;
use crate::message::message;
use crate::remark::Remark;
use crate::unread::Place;

/// How ids begin that rows without an id have while they are put among messages.
const NAMELESS: &str = "\0row ";

/// One row of a tracer.
pub(crate) struct Span {
    pub id: Option<String>,
    pub parent: Option<String>,
    pub trace: String,
    /// The conversation or session that it says it belongs to.
    pub conversation: Option<String>,
    /// By which rows are put in order.
    pub order: String,
    pub place: Place,
    pub start: Option<Value>,
    pub tools: Vec<Value>,
    pub work: Work,
}

/// What a row is about.
pub(crate) enum Work {
    /// A model was asked: the system's words, and all messages with the answer.
    Request { system: Vec<Value>, messages: Vec<Value> },
    /// A tool was called.
    Tool { call: Called, result: Option<Answered> },
    /// A turn as it looks from outside.
    Turn { input: Option<Value>, output: Option<Value> },
    /// Something else.
    Nothing,
}

/// The calls of tools by trace, with what came of them.
type Tools = BTreeMap<String, Vec<(Called, Option<Answered>)>>;

/// The rows of a file.
#[derive(Default)]
pub(crate) struct Spans {
    rows: Vec<Span>,
}

impl Spans {
    pub(crate) fn push(&mut self, span: Span) {
        self.rows.push(span);
    }

    /// Gives the dialogues, in the order in which they begin.
    pub(crate) fn finish(&mut self, silence: &str, out: &mut Out) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by(|a, b| a.order.cmp(&b.order));
        let mut seen = BTreeSet::new();
        let all = rows.len();
        rows.retain(|row| row.id.as_ref().is_none_or(|id| seen.insert((row.trace.clone(), id.clone()))));
        let repeated = u32::try_from(all - rows.len()).unwrap_or(u32::MAX);
        let names = conversations(&rows);
        let mut groups: Vec<(String, bool, Vec<Span>)> = Vec::new();
        let mut at: BTreeMap<String, usize> = BTreeMap::new();
        for (row, (name, is_named)) in rows.into_iter().zip(names) {
            let place = *at.entry(name.clone()).or_insert(groups.len());
            if place == groups.len() {
                groups.push((name, is_named, Vec::new()));
            }
            if let Some((.., rows)) = groups.get_mut(place) {
                rows.push(row);
            }
        }
        let mut repeated = Some(repeated);
        for (name, is_named, rows) in groups {
            let is_silent = rows.iter().all(|row| matches!(row.work, Work::Nothing));
            if is_silent {
                let place = rows.first().map(|row| row.place.clone()).unwrap_or_default();
                let what = format!("trace `{name}` tells neither messages nor calls");
                out.fault(place.fault("", what, silence));
                continue;
            }
            let mut draft = dialogue(name, is_named, rows);
            draft.remark_times(Remark::RepeatedMessage, repeated.take().unwrap_or_default());
            out.dialogue(draft);
        }
    }
}

/// For each row the conversation it belongs to, and whether something names it: the row, what it is part of, or the
/// only name in its trace; else the trace stands for it.
fn conversations(rows: &[Span]) -> Vec<(String, bool)> {
    let by_id: BTreeMap<(&str, &str), usize> =
        rows.iter().enumerate().filter_map(|(at, row)| Some(((row.trace.as_str(), row.id.as_deref()?), at))).collect();
    let mut known: Vec<Option<Option<&str>>> = vec![None; rows.len()];
    for start in 0..rows.len() {
        let (mut path, mut at, mut name) = (Vec::new(), Some(start), None);
        while let Some(place) = at {
            let Some(row) = rows.get(place) else { break };
            if let Some(Some(found)) = known.get(place) {
                name = *found;
                break;
            }
            path.push(place);
            // A row on the way is known as nameless for now, so that a circle ends.
            known.get_mut(place).into_iter().for_each(|slot| *slot = Some(None));
            name = row.conversation.as_deref();
            if name.is_some() {
                break;
            }
            at = row.parent.as_deref().and_then(|parent| by_id.get(&(row.trace.as_str(), parent)).copied());
        }
        path.iter().for_each(|place| known.get_mut(*place).into_iter().for_each(|slot| *slot = Some(name)));
    }
    let mut in_trace: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        in_trace.entry(&row.trace).or_default().extend(row.conversation.as_deref());
    }
    let name = |(row, known): (&Span, Option<Option<&str>>)| {
        let only = in_trace.get(row.trace.as_str()).filter(|names| names.len() == 1);
        let found = known.flatten().or_else(|| only?.first().copied());
        (found.unwrap_or(&row.trace).to_owned(), found.is_some())
    };
    rows.iter().zip(known).map(name).collect()
}

fn dialogue(name: String, is_named: bool, rows: Vec<Span>) -> Draft {
    let place = rows.first().map(|row| row.place.clone()).unwrap_or_default();
    let mut draft = Draft::new(place);
    draft.id = Some(name);
    let (mut requests, mut tools, mut turns) = (Vec::new(), Tools::new(), Vec::new());
    for row in rows {
        draft.start(row.start.as_ref());
        row.tools.iter().for_each(|tools| draft.tools(tools));
        match row.work {
            Work::Request { system, messages } => {
                requests.push(History { trace: row.trace, system, messages, requests: 1 })
            }
            Work::Tool { call, result } => tools.entry(row.trace).or_default().push((call, result)),
            Work::Turn { input, output } => turns.push((row.trace, input, output)),
            Work::Nothing => {}
        }
    }
    let read = histories(requests, is_named);
    draft.remark_times(Remark::RepeatedHistory, read.repeated);
    draft.remark_times(Remark::OtherHistory, read.other);
    let mut read = read.kept;
    if read.is_empty() {
        read = outside(turns, &tools);
    }
    let is_called = read.iter().flat_map(|history| &history.messages).any(holds_call);
    let mut at = 0;
    for (number, mut history) in read.into_iter().enumerate() {
        if number == 0 {
            history.system.iter().for_each(|system| draft.brief(system));
        }
        if !is_called {
            put_calls(&mut history, &tools);
        }
        for value in history.messages {
            message(&mut draft, at, &value);
            at += 1;
        }
    }
    if is_called {
        mend(&mut draft, tools);
    }
    for call in draft.calls() {
        call.id = call.id.take().filter(|id| !id.starts_with(NAMELESS));
    }
    draft
}

/// Whether a message holds a call, in anybody's words.
fn holds_call(value: &Value) -> bool {
    let mut draft = Draft::new(Place::default());
    message(&mut draft, 0, value);
    draft.calls().next().is_some()
}

/// Turns as they look from outside, where no request to a model is told: one of each trace.
fn outside(turns: Vec<(String, Option<Value>, Option<Value>)>, tools: &Tools) -> Vec<History> {
    let (mut found, mut traces) = (Vec::new(), BTreeSet::new());
    let silent = tools.keys().map(|trace| (trace.clone(), None, None));
    for (trace, input, output) in turns.into_iter().chain(silent) {
        if traces.insert(trace.clone()) {
            let input = input.map(|words| json!({"role": "user", "content": words}));
            let output = output.map(|words| json!({"role": "assistant", "content": words}));
            let messages = input.into_iter().chain(output).collect();
            found.push(History { trace, system: Vec::new(), messages, requests: 0 });
        }
    }
    found
}

/// Puts the calls of a trace before the agent's last words, where its messages tell of none.
fn put_calls(history: &mut History, tools: &Tools) {
    let is_agent = |message: &Value| matches!(json::text(message, &["role"]), Some("assistant" | "ai" | "model"));
    let at = history.messages.iter().rposition(is_agent).unwrap_or(history.messages.len());
    let mut put = Vec::new();
    for (number, (call, result)) in tools.get(&history.trace).into_iter().flatten().enumerate() {
        let id = call.id.clone().unwrap_or_else(|| format!("{NAMELESS}{number}"));
        let arguments = match &call.arguments {
            Arguments::Named(map) => Value::Object(map.clone()),
            Arguments::Raw(text) => Value::String(text.clone()),
        };
        put.push(json!({"role": "assistant", "tool_calls": [{"id": id, "name": call.tool, "arguments": arguments}]}));
        let (content, is_error) = match result.as_ref().map(|result| &result.result) {
            Some(CallResult::Ok { observation }) => (observation.clone(), false),
            Some(CallResult::Error { text }) => (Value::String(text.clone()), true),
            Some(CallResult::Missing) | None => continue,
        };
        put.push(json!({"role": "tool", "tool_call_id": id, "content": content, "is_error": is_error}));
    }
    history.messages.splice(at..at, put);
}

/// What rows of tools say of calls that messages tell: their results where these are missing, and that they failed.
fn mend(draft: &mut Draft, tools: Tools) {
    let mut by_id: BTreeMap<String, Vec<Answered>> = BTreeMap::new();
    let mut by_tool: BTreeMap<String, Vec<Answered>> = BTreeMap::new();
    for (call, result) in tools.into_values().flatten().rev() {
        let Some(result) = result else { continue };
        match call.id {
            Some(id) => by_id.entry(id).or_default().push(result),
            None => by_tool.entry(call.tool).or_default().push(result),
        }
    }
    for call in draft.calls() {
        let by_id = call.id.as_ref().and_then(|id| by_id.get_mut(id)?.pop());
        let Some(found) = by_id.or_else(|| by_tool.get_mut(&call.tool)?.pop()) else { continue };
        call.result = match (&call.result, found.result) {
            (CallResult::Missing, found) => found,
            (CallResult::Ok { observation }, CallResult::Error { text }) => {
                let told = observation.as_str().map_or_else(|| observation.to_string(), str::to_owned);
                CallResult::Error { text: if told.is_empty() { text } else { told } }
            }
            (CallResult::Ok { .. } | CallResult::Error { .. }, _) => continue,
        };
    }
}

/// The messages in what a model was sent or gave, in any of the ways that tracers keep them.
pub(crate) fn listed(value: &Value, role: &str) -> Vec<Value> {
    let value = json::opened(value);
    match value.as_ref() {
        Value::String(text) if !text.trim().is_empty() => vec![json!({"role": role, "content": text})],
        Value::Array(items) => match items.first() {
            // LangChain keeps a batch of lists.
            Some(Value::Array(_)) => items.first().map_or_else(Vec::new, |first| listed(first, role)),
            Some(first)
                if first.get("text").is_some() && first.get("message").is_none() && first.get("role").is_none() =>
            {
                vec![json!({"role": role, "content": items})]
            }
            _ => items.iter().map(|item| json::opened(item).into_owned()).collect(),
        },
        Value::Object(map) => {
            let lists = ["messages", "input_messages", "output_messages", "contents"];
            if let Some(list) = lists.iter().find_map(|key| map.get(*key)) {
                return listed(list, role);
            }
            let one = ["/choices/0/message", "/generations/0/0/message", "/message", "/output/message"];
            if let Some(one) = one.iter().find_map(|at| value.pointer(at)).filter(|one| one.is_object()) {
                return vec![one.clone()];
            }
            let generated = value.pointer("/generations/0/0/text").or_else(|| value.pointer("/generations/0/text"));
            if let Some(text) = generated {
                return listed(text, role);
            }
            if map.contains_key("role")
                || map.contains_key("kwargs")
                || (map.contains_key("type") && map.contains_key("content"))
            {
                return vec![value.clone().into_owned()];
            }
            if map.contains_key("content") || map.contains_key("tool_calls") {
                let mut one = map.clone();
                one.insert("role".to_owned(), role.into());
                return vec![Value::Object(one)];
            }
            words(&value).map_or_else(Vec::new, |words| listed(&words, role))
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The words of a turn from outside: a text, or the text under a key that such things have.
pub(crate) fn words(value: &Value) -> Option<Value> {
    const KEYS: [&str; 12] = [
        "input",
        "question",
        "query",
        "prompt",
        "text",
        "content",
        "output",
        "answer",
        "response",
        "result",
        "message",
        "final_output",
    ];
    let value = json::opened(value);
    match value.as_ref() {
        Value::String(text) if !text.trim().is_empty() => Some(Value::String(text.clone())),
        Value::Object(_) => json::field(&value, &KEYS).filter(|words| words.is_string() || words.is_array()).cloned(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}
