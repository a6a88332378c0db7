//! `probity`: what probity itself writes: episodes of a run, traces, files of dialogues, and the normal form of logs.

use serde_json::{Map, Value};

use crate::call::{Answered, Called, called};
use crate::dialogue::{CallResult, Dialogue, FORMAT};
use crate::draft::{Draft, Speaker};
use crate::gather::{Each, Gather, Out};
use crate::json;
use crate::pairing::Side;
use crate::unread::Unit;
use crate::values;

/// Reads dialogues in the normal form as they are, and others as drafts.
pub(crate) struct Probity(Each);

impl Probity {
    pub(crate) fn new() -> Probity {
        Probity(Each::new(dialogue))
    }
}

impl Gather for Probity {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        let is_normal = unit.value.get("source").is_some() && unit.value.get("format").is_some();
        if !is_normal {
            return self.0.take(unit, out);
        }
        let help = "it is not as this version writes it: read the log itself again";
        match serde_json::from_value::<Dialogue>(unit.value) {
            Ok(dialogue) if dialogue.format == FORMAT => out.normal(dialogue),
            Ok(dialogue) => {
                let what = format!("it is format {} of the normal form, and {FORMAT} is read here", dialogue.format);
                out.fault(unit.place.fault("/format", what, help));
            }
            Err(error) => out.fault(unit.place.fault("", format!("this is no normal form: {error}"), help)),
        }
    }

    fn finish(&mut self, out: &mut Out) {
        self.0.finish(out);
    }
}

/// Reads a trace, an episode's, or a dialogue of a file of dialogues. `message` counts the events.
fn dialogue(draft: &mut Draft, unit: &Unit) {
    let value = &unit.value;
    let trace = value.get("trace").unwrap_or(value);
    draft.id = name(value, trace);
    for key in ["brief", "policy"] {
        json::field(value, &[key]).into_iter().for_each(|brief| draft.brief(brief));
    }
    value.get("tools").into_iter().for_each(|tools| draft.tools(tools));
    draft.start(json::field(value, &["start", "date"]));
    let levels = trace.pointer("/header/levels");
    draft.variant = [Some(value), levels].into_iter().flatten().find_map(|from| json::name(from, &["variant"]));
    (if value.get("trace").is_some() { "/trace/events" } else { "/events" }).clone_into(&mut draft.list);
    let Some(events) = trace.get("events").and_then(Value::as_array) else {
        return draft.unread_at("/events", "it has no `events`", "a trace has its `events`, in order");
    };
    for (at, event) in events.iter().enumerate() {
        match json::text(event, &["type"]) {
            Some(kind) => of_trace(draft, at, kind, event),
            None => of_dialogue(draft, at, event),
        }
    }
}

/// `AGENT TASK LEVELS #TRIAL` of an episode, as probity names it.
fn name(value: &Value, trace: &Value) -> Option<String> {
    json::name(value, &["id"]).or_else(|| {
        let levels = trace.pointer("/header/levels").and_then(Value::as_object);
        let levels: Vec<&str> = levels.into_iter().flatten().filter_map(|(_, level)| level.as_str()).collect();
        let agent = json::text(value, &["agent"]).map(str::to_owned);
        let task = trace.pointer("/header/task")?.as_str()?.to_owned();
        let trial = value.get("trial").map(|trial| format!("#{trial}"));
        let levels = Some(levels.join("+")).filter(|levels| !levels.is_empty());
        Some([agent, Some(task), levels, trial].into_iter().flatten().collect::<Vec<_>>().join(" "))
    })
}

fn of_trace(draft: &mut Draft, at: usize, kind: &str, event: &Value) {
    let text = event.get("text").unwrap_or(&Value::Null);
    match kind {
        "user" => draft.say(Speaker::User, at, text),
        "reply" => draft.say(Speaker::Agent, at, text),
        "note" if json::text(event, &["about"]) == Some("context") => draft.say(Speaker::System, at, text),
        "note" | "finding" | "end" => {}
        "step" => {
            let side = if json::text(event, &["actor"]) == Some("user") { Side::User } else { Side::Agent };
            let outcome = event.get("outcome").unwrap_or(&Value::Null);
            call(draft, at, side, event, outcome.get("observation"), json::field(outcome, &["rejection"]));
        }
        other => {
            let what = format!("nobody knows events of the type `{}`", other.chars().take(40).collect::<String>());
            draft.unread(at, what, "read it with the version of probity that wrote it");
        }
    }
}

fn of_dialogue(draft: &mut Draft, at: usize, event: &Value) {
    if let Some(said) = event.get("user") {
        return draft.say(Speaker::User, at, said);
    }
    if event.get("message").is_none() {
        let help = "an event has `user`, or `message` with its `text` and `calls`";
        return draft.unread(at, "this event is neither the user's nor the agent's", help);
    }
    draft.say(Speaker::Agent, at, event.get("text").unwrap_or(&Value::Null));
    for made in event.get("calls").and_then(Value::as_array).into_iter().flatten() {
        call(draft, at, Side::Agent, made, made.get("observation"), json::field(made, &["error"]));
    }
}

/// A call with what came of it, which stands in the same place.
fn call(draft: &mut Draft, at: usize, side: Side, value: &Value, observation: Option<&Value>, error: Option<&Value>) {
    let Some(call) = called(value) else {
        return draft.unread(at, "a call has no `tool`", "write the name of the tool");
    };
    let tool = Some(call.tool.clone());
    draft.call(side, at, Called { id: None, ..call });
    let result = match (error, observation) {
        (Some(error), _) => CallResult::Error { text: told(error) },
        (None, Some(observation)) => values::result(observation, false).0,
        (None, None) => return,
    };
    draft.result(side, at, Answered { id: None, tool, result, placeholders: 0 });
}

/// What an agent was told of a refusal: `code: message`.
fn told(error: &Value) -> String {
    let inner = ["rejection", "error"].iter().find_map(|key| error.get(key)).unwrap_or(error);
    let parts: Vec<&str> = ["code", "message"].iter().filter_map(|key| inner.get(key)?.as_str()).collect();
    match (parts.is_empty(), inner) {
        (false, _) => parts.join(": "),
        (true, Value::String(text)) => text.clone(),
        (true, other) => Value::Object(Map::from_iter([("error".to_owned(), other.clone())])).to_string(),
    }
}
