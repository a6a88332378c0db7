//! Raw tickets: dialogues as chat logs have them, a line each.

use probity_engine::within::with_texts;
use serde::Deserialize;
use serde_json::Value;

use super::mask::{HIDDEN, is_credential};
use super::turns::{Recorded, Role, Turn};
use crate::model::{CheckpointFile, Document, FactFile, NeedFile, ReplyType, SaidFile, ToolFile};
use probity_engine::{Fields, arguments};

/// A raw ticket. Messages may have more keys than are read here; nothing else may.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTicket {
    pub id: String,
    #[serde(default)]
    pub category: Option<String>,
    pub messages: Vec<RawMessage>,
    /// The tools there were; where none are given they are inferred from the calls.
    #[serde(default)]
    pub tools: Vec<ToolFile>,
    #[serde(default)]
    pub references: Vec<Document>,
    /// What is known of its checkpoints; where nothing is, they are drafted.
    #[serde(default)]
    pub checkpoints: Vec<Annotation>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct RawMessage {
    pub role: Role,
    #[serde(default)]
    pub content: Option<String>,
    #[serde(default)]
    pub tool_calls: Option<Vec<RawCall>>,
    #[serde(default)]
    pub tool_call_id: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct RawCall {
    #[serde(default)]
    pub id: String,
    pub function: RawFunction,
}

#[derive(Clone, Debug, Deserialize)]
pub struct RawFunction {
    pub name: String,
    /// Its arguments, as an object or as a text that holds one.
    #[serde(default)]
    pub arguments: Value,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The turn, from 1, once messages are put in turns.
    pub turn: usize,
    /// See [`CheckpointFile::reply_type`].
    pub reply_type: ReplyType,
    /// See [`CheckpointFile::facts`].
    #[serde(default)]
    pub facts: Vec<FactFile>,
    /// See [`CheckpointFile::keep`].
    #[serde(default)]
    pub keep: Vec<String>,
    /// See [`CheckpointFile::requires`].
    #[serde(default)]
    pub requires: Vec<NeedFile>,
}

impl RawMessage {
    /// The message with all personal data masked, and how many of its calls have arguments that are no object: those
    /// cannot answer anything and are left out.
    pub(super) fn recorded(&self, mask: &dyn Fn(&str) -> String) -> (Recorded, usize) {
        let mut unreadable = 0;
        let calls = self.tool_calls.iter().flatten().filter_map(|call| {
            let RawFunction { name, arguments } = &call.function;
            let fields = fields(arguments);
            unreadable += usize::from(fields.is_none());
            Some((call.id.clone(), name.clone(), masked_fields(fields?, mask)))
        });
        let calls = calls.collect();
        let text = self.content.as_deref().map(|text| masked_text(text, mask));
        (Recorded { role: self.role, text, calls, answers: self.tool_call_id.clone() }, unreadable)
    }
}

fn fields(arguments: &Value) -> Option<Fields> {
    match arguments {
        Value::Null => Some(Fields::new()),
        Value::Object(fields) => Some(fields.clone()),
        Value::String(text) if text.trim().is_empty() => Some(Fields::new()),
        Value::String(text) => arguments::read(text).ok(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// A text, masked as the value that it holds where it is JSON.
fn masked_text(text: &str, mask: &dyn Fn(&str) -> String) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            let masked = masked(value.clone(), mask);
            if masked == value { text.to_owned() } else { masked.to_string() }
        }
        Ok(_) | Err(_) => mask(text),
    }
}

fn masked_fields(fields: Fields, mask: &dyn Fn(&str) -> String) -> Fields {
    let masked = |(name, value): (String, Value)| match value {
        value if is_credential(&name) => (name, hidden(value)),
        value => (mask(&name), masked(value, mask)),
    };
    fields.into_iter().map(masked).collect()
}

fn hidden(value: Value) -> Value {
    match value {
        Value::String(_) | Value::Number(_) => Value::from(HIDDEN),
        Value::Array(items) => items.into_iter().map(hidden).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, hidden(value))).collect(),
        Value::Null | Value::Bool(_) => value,
    }
}

/// A JSON Schema with the texts in it masked; a parameter may well be called `password`.
pub(super) fn masked_schema(schema: Value, mask: &dyn Fn(&str) -> String) -> Value {
    with_texts(&schema, &mut |text| Value::from(mask(text)))
}

/// A value without personal data: its texts masked, and whatever a field holds that is called as a credential is.
pub fn masked_value(value: Value) -> Value {
    masked(value, &|text| super::mask::mask(text, &[]))
}

fn masked(value: Value, mask: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::from(mask(&text)),
        Value::Array(items) => items.into_iter().map(|item| masked(item, mask)).collect(),
        Value::Object(fields) => Value::Object(masked_fields(fields, mask)),
        // A number that tells who somebody is is no number any more.
        Value::Number(number) => {
            let text = number.to_string();
            let masked = mask(&text);
            if masked == text { Value::Number(number) } else { Value::from(masked) }
        }
        Value::Null | Value::Bool(_) => value,
    }
}

impl Annotation {
    /// It with all personal data masked, as the dialogue that it annotates is.
    pub(super) fn masked(mut self, mask: &dyn Fn(&str) -> String) -> Annotation {
        let hide = |text: &mut String| *text = mask(text);
        self.keep.iter_mut().for_each(hide);
        for fact in &mut self.facts {
            match fact {
                FactFile::One(text) => hide(text),
                FactFile::Any(texts) => texts.iter_mut().for_each(hide),
            }
        }
        for need in &mut self.requires {
            match need {
                NeedFile::Said(text) => hide(text),
                NeedFile::Answered(_) => {}
            }
        }
        self
    }

    /// A checkpoint of which nothing is known: what its author has to say stands as a gap.
    pub(super) fn draft(turn: usize, reply: &str) -> Annotation {
        let mut sentences = reply.split_inclusive(['.', '!', '?', '\n']).map(str::trim).filter(|part| !part.is_empty());
        let is_question = reply.contains('?') && sentences.all(|part| part.ends_with('?'));
        let reply_type = if is_question { ReplyType::Inquire } else { ReplyType::Solution };
        Annotation { turn, reply_type, facts: gap(), keep: Vec::new(), requires: Vec::new() }
    }

    pub(super) fn checkpoint(self, turn: &Turn, before: Vec<SaidFile>) -> CheckpointFile {
        let Annotation { turn: _, reply_type, facts, keep, requires } = self;
        CheckpointFile {
            before,
            query: turn.user.clone(),
            screen: Vec::new(),
            calls: turn.calls.clone(),
            reply: turn.reply.clone(),
            reply_type,
            facts: if facts.is_empty() { gap() } else { facts },
            keep,
            requires,
        }
    }
}

fn gap() -> Vec<FactFile> {
    vec![FactFile::One(GAP.to_owned())]
}

pub const GAP: &str = "TODO: what every good reply conveys";
