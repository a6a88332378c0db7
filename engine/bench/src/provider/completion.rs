//! What a model said, read from an answer: lenient in form, strict in that nothing is guessed.

use serde_json::{Map, Value};

use super::wire::Answered;
use crate::usage::Usage;
use probity_engine::arguments;
use probity_wire::lenient;
use probity_wire::thoughts::without_thoughts;

/// Most bytes of what goes back to a provider as it came.
const MAX_SAID: usize = 1 << 20;

/// One message of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    /// Its words; never its reasoning, which nobody but the model sees.
    pub text: Option<String>,
    /// Its calls, in order.
    pub calls: Vec<Called>,
    /// It all as it came, where its provider wants it back so.
    pub said: Option<Value>,
    /// Why it ended, in the provider's word: `stop`, `length`, `tool_calls`.
    pub finish: Option<String>,
    /// The tokens it took; nothing when the provider does not say.
    pub usage: Option<Usage>,
    /// Places of its text that were mended to be read.
    pub mended: u64,
}

/// One call of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The provider's id; some send none, some the same twice.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments: an object, or the text that could not be read as one.
    pub arguments: Value,
}

impl Completion {
    /// Whether it was cut off at `max_tokens`.
    pub fn is_cut_off(&self) -> bool {
        self.finish.as_deref().is_some_and(|finish| ["length", "max_tokens", "max_output_tokens"].contains(&finish))
    }

    /// Whether the model only paused, and goes on when it is given what it said.
    pub(super) fn is_paused(&self) -> bool {
        self.finish.as_deref() == Some("pause_turn") && self.calls.is_empty()
    }

    /// Whether it holds nothing that was said aloud, and no call.
    pub(super) fn is_silent(&self) -> bool {
        self.text.is_none() && self.calls.is_empty()
    }

    /// It and what came after a pause.
    pub(super) fn before(mut self, more: Completion) -> Completion {
        let said = |said: Option<Value>| if let Some(Value::Array(said)) = said { said } else { Vec::new() };
        let both: Vec<Value> = said(self.said.take()).into_iter().chain(said(more.said)).collect();
        let mut usage = self.usage.unwrap_or_default();
        usage += more.usage.unwrap_or_default();
        Completion {
            text: (self.text.is_some() || more.text.is_some())
                .then(|| self.text.unwrap_or_default() + more.text.as_deref().unwrap_or_default()),
            calls: more.calls,
            said: (!both.is_empty()).then_some(Value::Array(both)),
            finish: more.finish,
            usage: self.usage.and(more.usage).map(|_| usage),
            mended: self.mended.saturating_add(more.mended),
        }
    }

    /// Reads the body of an answer of chat completions.
    ///
    /// # Errors
    /// What is missing for it to be a message.
    pub fn read(body: &Value) -> Result<Completion, String> {
        let choice = body.get("choices").and_then(|choices| choices.get(0)).ok_or("it has no `choices`")?;
        let message = choice.get("message").filter(|message| message.is_object()).ok_or("it has no `message`")?;
        let text = words(message.get("content")).or_else(|| words(message.get("refusal")));
        let finish = choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned);
        let (calls, mended) = calls(message)?;
        Ok(Completion {
            text: text.and_then(spoken),
            calls,
            said: None,
            finish,
            usage: usage(body.get("usage")),
            mended,
        })
    }

    /// The same of an answer in any wire form, so many places of which were mended.
    pub(super) fn of(answered: Answered, mended: u64) -> Result<Completion, String> {
        let read = Completion::read(&answered.chat)?;
        // Longer thoughts are forgotten, as they are in chat completions.
        let said = answered.said.filter(|said| said.to_string().len() <= MAX_SAID);
        Ok(Completion { mended: read.mended.saturating_add(mended), said, ..read })
    }
}

/// Types of parts that hold thoughts.
const THOUGHTS: [&str; 6] =
    ["thinking", "redacted_thinking", "reasoning", "reasoning_content", "thought", "summary_text"];

/// Words as a text, or as a list of parts with one each; parts of thoughts are none.
pub(super) fn words(content: Option<&Value>) -> Option<String> {
    match content? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter(|part| !is_thought(part)).filter_map(part_words).collect()),
        part @ Value::Object(_) if !is_thought(part) => part_words(part),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn is_thought(part: &Value) -> bool {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    THOUGHTS.contains(&kind) || part.get("thought").and_then(Value::as_bool) == Some(true)
}

fn part_words(part: &Value) -> Option<String> {
    part.get("text").or_else(|| part.get("refusal")).or(Some(part)).and_then(Value::as_str).map(str::to_owned)
}

/// What is said aloud: thoughts are reasoning that a server left in the words.
fn spoken(text: String) -> Option<String> {
    let (spoken, thoughts) = without_thoughts(&text);
    let spoken = if thoughts == 0 { text } else { spoken };
    (!spoken.trim().is_empty()).then_some(spoken)
}

/// The calls, and how many places of their arguments were mended.
fn calls(message: &Value) -> Result<(Vec<Called>, u64), String> {
    let older = message.get("function_call").filter(|call| call.is_object());
    let read: Vec<(Called, u64)> = match message.get("tool_calls") {
        None | Some(Value::Null) => older.map(called).into_iter().collect(),
        Some(Value::Array(calls)) => calls.iter().map(called).collect(),
        Some(_) => return Err("its `tool_calls` are no list".to_owned()),
    };
    let mended = read.iter().map(|(_, mended)| mended).sum();
    Ok((read.into_iter().map(|(call, _)| call).collect(), mended))
}

fn called(call: &Value) -> (Called, u64) {
    let function = call.get("function").filter(|function| function.is_object()).unwrap_or(call);
    let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
    let name = function.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (arguments, mended) = call_arguments(function.get("arguments"));
    (Called { id, name, arguments }, mended)
}

/// Arguments as a text, as an object, or left out where there are none; and how many halves of characters stood in the
/// text.
pub(crate) fn call_arguments(value: Option<&Value>) -> (Value, u64) {
    match value {
        None | Some(Value::Null) => (Value::Object(Map::new()), 0),
        Some(Value::String(text)) => {
            let (text, mended) = lenient::whole_characters(text);
            (arguments::read(&text).map_or_else(|_| Value::from(text.as_ref()), Value::Object), mended)
        }
        Some(other) => (other.clone(), 0),
    }
}

fn usage(usage: Option<&Value>) -> Option<Usage> {
    let usage = usage.filter(|usage| usage.is_object())?;
    let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    Some(Usage {
        prompt_tokens: count("/prompt_tokens")?,
        completion_tokens: count("/completion_tokens")?,
        cached_tokens: count("/prompt_tokens_details/cached_tokens").unwrap_or_default(),
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, row};
    use crate::provider::form::Form;
    use crate::provider::transport::Reply;
    use crate::provider::trouble::{Attempt, judge};
    use serde_json::json;

    /// An answer with a message and its tokens, each as JSON; without the key where there are none.
    fn answer(message: &str, usage: &str) -> Completion {
        let message: Value = serde_json::from_str(message).unwrap();
        let mut body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        if !usage.is_empty() {
            body["usage"] = serde_json::from_str(usage).unwrap();
        }
        Completion::read(&body).unwrap()
    }

    fn called(message: &str) -> String {
        let call = |call: &Called| format!("{} {} {}", row(&call.id, ""), call.name, call.arguments);
        row(answer(message, "").calls.iter().map(call), "; ")
    }

    fn tokens(usage: &str) -> String {
        let counts = |usage: Usage| [usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens];
        row(answer("{}", usage).usage.map(counts).into_iter().flatten(), " ")
    }

    #[test]
    fn answers_are_read_as_the_cases_say() {
        let readers: [(&str, Reader); 4] = [
            ("said", |message| row(answer(message, "").text, "")),
            ("called", called),
            ("lacks", |body| Completion::read(&serde_json::from_str(body).unwrap()).unwrap_err()),
            ("tokens", tokens),
        ];
        hold(include_str!("completion_cases.txt"), &readers);
    }

    #[test]
    fn halves_of_characters_are_mended_and_counted() {
        let body = r#"{"choices": [{"message": {"content": "Done \ud83d", "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": \"\\ud83d\"}"}}]}}]}"#;
        let reply = Reply { status: 200, body: body.to_owned(), ..Reply::default() };
        let Attempt::Said(said) = judge(Form::default(), Ok(reply)) else { panic!("it is no message") };
        assert_eq!((said.text.as_deref(), said.mended), (Some("Done \u{fffd}"), 2));
        assert_eq!(said.calls[0].arguments, json!({"x": "\u{fffd}"}));
    }
}
