//! The events of a trace as messages: what was said, told and called, in order; and what is known of an episode beside
//! its dialogue, the same in every form.

use serde_json::{Map, Value, json};

use probity_bench::{Brief, Card, EpisodeRecord, Event, Note, Reading, Step, Trace};
use probity_engine::{Actor, canonical};

/// A message of a dialogue.
pub(crate) enum Message<'a> {
    /// The user's words as the agent heard them, and what else is known of them.
    User(&'a str, Map<String, Value>),
    /// What the agent was told beside the dialogue.
    Told(&'a str),
    /// What the agent said and called.
    Agent(Said<'a>),
}

/// A message of the agent.
#[derive(Default)]
pub(crate) struct Said<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Its words.
    pub text: Option<&'a str>,
    /// Its calls, with what came of them.
    pub calls: Vec<&'a Step>,
    /// The tokens that its provider counted; nothing where none was asked or did not say.
    pub tokens: Option<u64>,
}

/// The messages of a trace. Calls of the user's own are none of them: no form has a place for these.
pub(crate) fn messages(trace: &Trace) -> Vec<Message<'_>> {
    let mut all = Vec::new();
    let mut open = Said::default();
    for event in &trace.events {
        let number = match event {
            Event::Reply { message, .. } | Event::Note(Note::Tokens { message, .. }) => *message,
            Event::Step(step) if step.actor == Actor::Agent => step.message,
            Event::User { .. } | Event::Note(Note::Context(_)) | Event::End { .. } => 0,
            Event::Step(_) | Event::Finding(_) | Event::Note(Note::Ruling(_)) => continue,
        };
        if open.number != number {
            let said = std::mem::replace(&mut open, Said { number, ..Said::default() });
            all.extend((said.number > 0).then_some(Message::Agent(said)));
        }
        match event {
            Event::Reply { text, .. } => open.text = Some(text),
            Event::Step(step) => open.calls.push(step),
            Event::Note(Note::Tokens { written, .. }) => open.tokens = *written,
            Event::Note(Note::Context(context)) => all.push(Message::Told(&context.text)),
            Event::User { text, .. } => all.push(Message::User(text, beside(event))),
            Event::Finding(_) | Event::Note(Note::Ruling(_)) | Event::End { .. } => {}
        }
    }
    all.extend((open.number > 0).then_some(Message::Agent(open)));
    all
}

/// What a trace knows of a user's words beside them: `turn`, `extra`, `said`, `rephrased`.
fn beside(event: &Event) -> Map<String, Value> {
    let mut fields = serde_json::to_value(event).ok().and_then(|event| event.as_object().cloned()).unwrap_or_default();
    ["type", "text"].iter().for_each(|key| drop(fields.remove(*key)));
    fields
}

/// What a call did beside what the agent was shown of it: `step`, `delta`, `fired`, `prints`, `state_hash`.
pub(crate) fn details(step: &Step) -> Map<String, Value> {
    let mut fields = serde_json::to_value(step).ok().and_then(|step| step.as_object().cloned()).unwrap_or_default();
    let delta = fields.get("outcome").and_then(|outcome| outcome.get("delta")).cloned();
    ["actor", "arguments", "message", "outcome", "tool"].iter().for_each(|key| drop(fields.remove(*key)));
    fields.extend(delta.map(|delta| ("delta".to_owned(), delta)));
    fields.extend((!step.is_ok()).then(|| ("is_error".to_owned(), true.into())));
    fields
}

/// What calls are known by within an episode.
pub(crate) fn call_id(step: &Step) -> String {
    format!("call_{}", step.step)
}

/// The arguments, which every form has as an object.
pub(crate) fn arguments(step: &Step) -> Value {
    match &step.arguments {
        object @ Value::Object(_) => object.clone(),
        other => json!({"arguments": other}),
    }
}

/// What the agent was shown, as a text.
pub(crate) fn shown(step: &Step) -> String {
    match step.shown() {
        Value::String(text) => text,
        other => canonical::to_string(&other),
    }
}

/// Why a call was refused, in a line.
pub(crate) fn refused(step: &Step) -> Option<String> {
    step.rejection().map(|rejection| format!("{}: {}", rejection.code, rejection.message))
}

/// Sets a field of an object, if there is something to set.
pub(crate) fn put(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(fields), Some(value)) = (object.as_object_mut(), value) {
        fields.insert(key.to_owned(), value);
    }
}

/// The fields. What was not scored is among `not_scored` with its reason, never a number.
pub(crate) fn metadata(card: &Card, record: &EpisodeRecord, brief: Option<&Brief>) -> Map<String, Value> {
    let (trace, scores) = (&record.trace, &record.scores);
    let header = &trace.header;
    let (mut scored, mut not_scored) = (Map::new(), Map::new());
    for (metric, reading) in &scores.metrics {
        match reading {
            Reading::Scored { value, .. } => scored.insert(metric.clone(), json!(value)),
            Reading::NotScored { reason } => not_scored.insert(metric.clone(), json!(reason)),
        };
    }
    let found = scores.found.iter().flat_map(|found| {
        let by = move |finding| json!({"by": found.by, "finding": finding});
        found.findings.iter().map(by)
    });
    let end = trace.end().map(|(reason, detail)| json!({"reason": reason, "detail": detail}));
    let rulings = trace.events.iter().filter_map(Event::ruling).map(|ruling| json!(ruling));
    let fields = [
        ("agent", json!(record.agent)),
        ("agent_errors", json!(record.agent_errors)),
        ("benchmark", json!(header.benchmark)),
        ("digest", json!(record.digest)),
        ("end", json!(end)),
        ("engine", json!(header.engine)),
        ("environment", json!(header.environment)),
        ("factors", json!(record.factors)),
        ("final_state", json!(trace.final_state)),
        ("findings", found.collect()),
        ("history", json!(brief.map(|brief| &brief.history))),
        ("limits", json!(header.limits)),
        ("not_scored", Value::Object(not_scored)),
        ("options", json!(header.options)),
        ("outcome", json!(card.outcome(scores))),
        ("reading_list", json!(scores.reading_list)),
        ("rulings", rulings.collect()),
        ("scores", Value::Object(scored)),
        ("seed", json!(header.seed)),
        ("tags", json!(scores.tags)),
        ("task", json!(header.task)),
        ("trial", json!(record.trial)),
        ("usage", json!(record.usage)),
        ("user", json!(header.user)),
        ("user_calls", users(trace.steps()).collect()),
        ("user_usage", json!(record.user_usage)),
    ];
    let is_said = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    fields.into_iter().filter(|(_, value)| is_said(value)).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The calls of tools of the user's own.
pub(crate) fn users<'a>(steps: impl Iterator<Item = &'a Step>) -> impl Iterator<Item = Value> {
    steps.filter(|step| step.actor == Actor::User).map(|step| json!(step))
}
