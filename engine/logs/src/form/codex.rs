//! `codex`: rollouts of Codex, and what `codex exec --json` prints. A rollout tells the same twice: items are read, and
//! events only where there are no items.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::call::{Answered, Called};
use crate::dialogue::{Arguments, CallResult};
use crate::draft::{Draft, Speaker};
use crate::gather::{Gather, Out};
use crate::json as lenient;
use crate::message::message;
use crate::pairing::Side;
use crate::remark::Remark;
use crate::unread::{Place, Unit};
use crate::values;

/// The lines of a file; a new thread or session begins another dialogue.
#[derive(Default)]
pub(crate) struct Codex {
    sessions: Vec<Rollout>,
}

/// The lines of a session, by what they are.
#[derive(Default)]
struct Rollout {
    id: Option<String>,
    place: Place,
    start: Option<Value>,
    brief: Vec<Value>,
    items: Vec<(usize, Value)>,
    events: Vec<(usize, Value)>,
    thread: Vec<(usize, Value)>,
    compacted: u32,
}

/// Texts that the machinery puts into the user's mouth begin so.
const MACHINERY: [&str; 6] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<permissions instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
];

impl Gather for Codex {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        let line = unit.place.line.saturating_sub(1);
        let kind = lenient::text(&unit.value, &["type"]).unwrap_or_default().to_owned();
        let payload = unit.value.get("payload");
        let is_older = payload.is_none() && unit.value.get("instructions").is_some() && kind.is_empty();
        let begins = matches!(kind.as_str(), "session_meta" | "thread.started") || is_older;
        if self.sessions.is_empty() || (begins && self.sessions.last().is_some_and(Rollout::is_begun)) {
            self.sessions.push(Rollout { place: unit.place.clone(), ..Rollout::default() });
        }
        let Some(session) = self.sessions.last_mut() else { return };
        let payload = payload.cloned();
        match (kind.as_str(), payload) {
            ("session_meta", Some(payload)) => session.meta(&payload),
            ("response_item", Some(payload)) => session.items.push((line, payload)),
            ("event_msg", Some(payload)) => session.events.push((line, payload)),
            ("compacted", _) => session.compacted += 1,
            ("turn_context" | "ghost_snapshot", _) => {}
            ("thread.started", _) => session.meta(&unit.value),
            (kind, _)
                if ["thread.", "turn.", "item."].iter().any(|start| kind.starts_with(start)) || kind == "error" =>
            {
                session.thread.push((line, unit.value));
            }
            (_, None) if is_older => session.meta(&unit.value),
            (_, None) if unit.value.get("record_type").is_some() => {}
            (_, None) if crate::document::is_message(&unit.value) => session.items.push((line, unit.value)),
            (kind, _) => {
                let what = match kind {
                    "" => "this is no line of a rollout".to_owned(),
                    kind => format!("nobody knows lines of the type `{}`", kind.chars().take(40).collect::<String>()),
                };
                out.fault(unit.place.fault(
                    "",
                    what,
                    "the other lines were read; tell us of it if it holds words or calls",
                ));
            }
        }
    }

    fn finish(&mut self, out: &mut Out) {
        for session in self.sessions.drain(..) {
            out.dialogue(session.draft());
        }
    }
}

impl Rollout {
    fn is_begun(&self) -> bool {
        !(self.items.is_empty() && self.events.is_empty() && self.thread.is_empty())
    }

    fn meta(&mut self, meta: &Value) {
        if self.id.is_some() {
            return;
        }
        self.id = lenient::name(meta, &["id", "session_id", "thread_id"]);
        self.start = lenient::field(meta, &["timestamp"]).cloned();
        self.brief.extend(lenient::field(meta, &["base_instructions", "instructions"]).cloned());
    }

    fn draft(self) -> Draft {
        let mut draft = Draft::new(self.place);
        draft.id = self.id;
        draft.start(self.start.as_ref());
        self.brief.iter().for_each(|brief| draft.brief(brief));
        draft.remark_times(Remark::Compacted, self.compacted);
        let is_told = self.items.iter().any(|(_, item)| item.get("role").is_some());
        for (line, item) in &self.items {
            of_item(&mut draft, *line, item);
        }
        for (line, event) in self.events.iter().filter(|_| !is_told) {
            of_event(&mut draft, *line, event);
        }
        of_thread(&mut draft, &self.thread);
        draft
    }
}

fn of_item(draft: &mut Draft, line: usize, item: &Value) {
    let text = item.pointer("/content/0/text").or_else(|| item.get("content")).and_then(Value::as_str);
    let is_user = lenient::text(item, &["role"]) == Some("user");
    if is_user && text.is_some_and(|text| MACHINERY.iter().any(|start| text.trim_start().starts_with(start))) {
        let content = item.get("content").unwrap_or(&Value::Null);
        draft.remark(Remark::Machinery);
        return draft.say(Speaker::System, line, content);
    }
    if lenient::text(item, &["type"]) == Some("ghost_snapshot") {
        return;
    }
    message(draft, line, item);
}

/// The view for people, where a rollout has no other.
fn of_event(draft: &mut Draft, line: usize, event: &Value) {
    let text = lenient::field(event, &["message", "text"]).unwrap_or(&Value::Null);
    match lenient::text(event, &["type"]) {
        Some("user_message") => draft.say(Speaker::User, line, text),
        Some("agent_message") => draft.say(Speaker::Agent, line, text),
        Some("agent_reasoning" | "agent_reasoning_raw_content") => draft.remark(Remark::Thought),
        _ => {}
    }
}

/// What `codex exec --json` prints. Items that began and never ended are calls without a result.
fn of_thread(draft: &mut Draft, thread: &[(usize, Value)]) {
    let is_kind = |event: &Value, kind: &str| lenient::text(event, &["type"]) == Some(kind);
    let name = |event: &Value| event.get("item").and_then(|item| lenient::name(item, &["id"]));
    let ended: BTreeSet<String> = thread
        .iter()
        .filter(|(_, event)| is_kind(event, "item.completed"))
        .filter_map(|(_, event)| name(event))
        .collect();
    for (line, event) in thread {
        let is_hanging = is_kind(event, "item.started") && !name(event).is_some_and(|name| ended.contains(&name));
        if let Some(item) = event.get("item").filter(|_| is_hanging || is_kind(event, "item.completed")) {
            of_thread_item(draft, *line, item, is_hanging);
        }
        let message = event.pointer("/error/message").or_else(|| event.get("message")).and_then(Value::as_str);
        if let Some(message) = message.filter(|_| is_kind(event, "turn.failed") || is_kind(event, "error")) {
            draft.say(Speaker::System, *line, &json!(format!("the turn failed: {message}")));
        }
    }
}

fn of_thread_item(draft: &mut Draft, line: usize, item: &Value, is_hanging: bool) {
    let call = |tool: &str, arguments: Value| Called {
        id: lenient::name(item, &["id"]),
        tool: tool.to_owned(),
        arguments: match arguments {
            Value::Object(map) => Arguments::Named(map),
            other => values::arguments(Some(&other)),
        },
    };
    let of = |key: &str| item.get(key).cloned().unwrap_or_default();
    let call = match lenient::text(item, &["type", "item_type"]).unwrap_or_default() {
        "agent_message" | "assistant_message" => return draft.say(Speaker::Agent, line, &of("text")),
        "user_message" => return draft.say(Speaker::User, line, &of("text")),
        "reasoning" => return draft.remark(Remark::Thought),
        "command_execution" => call("shell", json!({"command": of("command")})),
        "file_change" => call("apply_patch", json!({"changes": of("changes")})),
        "mcp_tool_call" => {
            let tool = [lenient::text(item, &["server"]), lenient::text(item, &["tool"])];
            call(
                &tool.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("__"),
                of("arguments"),
            )
        }
        "web_search" => call("web_search", json!({"query": of("query")})),
        _ => return,
    };
    let id = call.id.clone();
    draft.call(Side::Agent, line, call);
    if is_hanging {
        return;
    }
    let status = lenient::text(item, &["status"]);
    let told = lenient::field(item, &["aggregated_output", "result"]);
    if told.is_none() && status.is_none() {
        return;
    }
    let (mut result, placeholders) = values::result_of(item, &["aggregated_output", "result"]);
    if let (CallResult::Ok { observation }, Some("declined")) = (&result, status) {
        result = CallResult::Error {
            text: observation.as_str().filter(|text| !text.is_empty()).unwrap_or("declined").to_owned(),
        };
    }
    draft.result(Side::Agent, line, Answered { id, tool: None, result, placeholders });
}
