//! `inspect`: samples of Inspect's logs, with texts that are kept apart put in their places.

use serde_json::Value;

use crate::draft::Draft;
use crate::json;
use crate::message::messages;
use crate::remark::Remark;
use crate::unread::Unit;

const MARK: &str = "attachment://";
/// How much text attachments may make of one sample, in bytes: one may be named in many places.
const MAX_ATTACHED: usize = 256 * 1024 * 1024;

/// Reads a sample.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let sample = &unit.value;
    let epoch = json::name(sample, &["epoch"]).unwrap_or_else(|| "1".to_owned());
    draft.id = json::name(sample, &["id"]).map(|id| format!("{id}/{epoch}"));
    draft.start(json::field(sample, &["started_at"]).or_else(|| unit.beside("/eval/created")));
    let mut attachments = Attachments { sample, left: MAX_ATTACHED, missing: 0 };
    let (pointer, list) = match sample.get("messages").and_then(Value::as_array).filter(|list| !list.is_empty()) {
        Some(list) => ("/messages", list.clone()),
        None => ("/events", last_of_model(sample)),
    };
    let list: Vec<Value> = list.iter().map(|message| attachments.put(message)).collect();
    for event in models(sample) {
        event.get("tools").into_iter().for_each(|tools| draft.tools(&attachments.put(tools)));
    }
    sample.pointer("/events_data/tools").into_iter().for_each(|tools| draft.tools(&attachments.put(tools)));
    draft.remark_times(Remark::MissingAttachment, attachments.missing);
    if list.is_empty() {
        let help = "look whether the sample ended in an error before the agent was asked";
        draft.unread_at("/messages", "it holds no messages", help);
    }
    messages(draft, pointer, &list);
}

/// Requests to a model.
fn models(sample: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    let events = sample.get("events").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    events.iter().filter(|event| json::text(event, &["event"]) == Some("model"))
}

/// What the last request was sent, and its answer.
fn last_of_model(sample: &Value) -> Vec<Value> {
    let Some(event) = models(sample).next_back() else { return Vec::new() };
    let input = event.get("input").and_then(Value::as_array).into_iter().flatten();
    input.chain(event.pointer("/output/choices/0/message")).cloned().collect()
}

struct Attachments<'a> {
    sample: &'a Value,
    left: usize,
    missing: u32,
}

impl Attachments<'_> {
    /// A value with the texts in their places.
    fn put(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.put(item)).collect(),
            Value::Object(map) => Value::Object(map.iter().map(|(key, item)| (key.clone(), self.put(item))).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let Some(name) = text.strip_prefix(MARK) else { return text.to_owned() };
        let found = self.sample.get("attachments").and_then(|all| all.get(name)?.as_str());
        let found = found.filter(|found| found.len() <= self.left);
        self.missing += u32::from(found.is_none());
        self.left -= found.map_or(0, str::len);
        found.unwrap_or(text).to_owned()
    }
}
