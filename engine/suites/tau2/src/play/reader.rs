//! The user without a model: reads out what the task says of them. It understands nothing, and is for trying out.

use std::collections::VecDeque;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::protocol::{said_in, shown_text, was_transferred};
use crate::model::Scenario;
use probity_bench::{Event, User, UserFault, Utterance, dialogue::MAX_CALLS_PER_MESSAGE};
use probity_engine::{Actor, Environment, ToolCall, arguments};

/// Phrases by which an agent takes its leave, and by which it asks for a yes; how `you` becomes `I`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReaderWords {
    goodbyes: Vec<String>,
    confirmations: Vec<String>,
    /// Words that go together; of two that fit the first is taken.
    pairs: Vec<(String, String, String)>,
    /// Words that stand alone.
    words: Vec<(String, String)>,
    /// Words behind which `you` is `me`.
    before_me: Vec<String>,
}

static WORDS: LazyLock<ReaderWords> =
    LazyLock::new(|| serde_json::from_str(include_str!("reader.json")).unwrap_or_default());
/// Turns without anything new after which it leaves.
const PATIENCE: u32 = 2;

/// Says why it calls, what it knows once, and yes to whoever asks for it; makes the calls of its own tools that an
/// agent writes out.
#[derive(Clone)]
pub struct Reader {
    opening: Option<String>,
    untold: VecDeque<String>,
    tools: Vec<String>,
    asked_for: VecDeque<ToolCall>,
    idle: u32,
    farewell: Option<String>,
}

impl Reader {
    pub fn new(scenario: &Scenario, environment: &Environment) -> Reader {
        let told = [&scenario.known, &scenario.unknown].into_iter().flatten().filter(|text| !text.trim().is_empty());
        let own = environment.tools().iter().filter(|tool| tool.actor == Actor::User);
        Reader {
            opening: Some(first_person(scenario.reason.trim())),
            untold: told.map(|text| first_person(text.trim())).collect(),
            tools: own.map(|tool| tool.name.clone()).collect(),
            asked_for: VecDeque::new(),
            idle: 0,
            farewell: None,
        }
    }

    fn leave(&mut self) -> Option<String> {
        self.farewell = Some("Goodbye.".to_owned());
        None
    }

    /// What it answers; nothing when it leaves.
    fn answer(&mut self, since: &[Event]) -> Option<String> {
        if let Some(opening) = self.opening.take() {
            return Some(opening);
        }
        let shown = shown(since);
        let heard = said_in(since).unwrap_or_default().to_lowercase();
        if !shown.is_empty() {
            return Some(shown);
        }
        if was_transferred(since) || WORDS.goodbyes.iter().any(|phrase| heard.contains(phrase)) {
            return self.leave();
        }
        if WORDS.confirmations.iter().any(|phrase| heard.contains(phrase)) {
            return Some("Yes, please.".to_owned());
        }
        if let Some(told) = self.untold.pop_front() {
            self.idle = 0;
            return Some(told);
        }
        self.idle += 1;
        if self.idle < PATIENCE { Some("I have nothing else to tell you.".to_owned()) } else { self.leave() }
    }
}

/// What the user's own calls showed, in words.
fn shown(since: &[Event]) -> String {
    let own = since.iter().filter_map(Event::step).filter(|step| step.actor == Actor::User);
    let shown = own.map(|step| format!("I did that, and it says: {}", shown_text(step)));
    shown.collect::<Vec<_>>().join("\n")
}

impl User for Reader {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        let has_acted = since.iter().any(|event| matches!(event, Event::Step(step) if step.actor == Actor::User));
        if !has_acted {
            self.asked_for = calls_in(&said_in(since).unwrap_or_default(), &self.tools).into();
        }
        self.asked_for.pop_front()
    }

    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        Ok(self.answer(since).map(Utterance::scripted))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        self.farewell.clone().map(Utterance::scripted)
    }
}

pub fn as_words(call: &ToolCall) -> String {
    format!("{}({})", call.tool, call.arguments)
}

/// Signs of a text that are read at most.
const MOST: usize = 8_000;

/// The calls of these tools that are written in a text as `name()` or `name({"a": 1})`, in order; only its first 8,000
/// signs are read, and as many calls as a message may have.
pub fn calls_in(text: &str, tools: &[String]) -> Vec<ToolCall> {
    let text: String = text.chars().take(MOST).collect();
    let mut found: Vec<(usize, ToolCall)> = Vec::new();
    for tool in tools {
        for (at, _) in text.match_indices(&format!("{tool}(")) {
            let is_whole = !text.get(..at).is_some_and(|before| before.ends_with(is_of_a_name));
            let inside = text.get(at + tool.len() + 1..).unwrap_or_default();
            if let (true, Some(arguments)) = (is_whole, written(inside)) {
                let call = ToolCall::new(tool.as_str(), Value::Object(arguments));
                found.extend(call.is_within_limits().then_some((at, call)));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, call)| call).take(MAX_CALLS_PER_MESSAGE).collect()
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The arguments before the bracket that closes a call.
fn written(inside: &str) -> Option<Map<String, Value>> {
    let inside = inside.trim_start();
    if inside.starts_with(')') {
        return Some(Map::new());
    }
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let (object, rest) = inside.split_at_checked(values.byte_offset())?;
    rest.trim_start().starts_with(')').then(|| arguments::read(object).ok()).flatten()
}

pub(crate) fn first_person(text: &str) -> String {
    let pieces = pieces(text);
    let mut said = String::with_capacity(text.len());
    let (mut index, mut before) = (0, String::new());
    while let Some(piece) = pieces.get(index) {
        let word = piece.to_lowercase().replace('\u{2019}', "'");
        let next =
            pieces.get(index + 2).filter(|_| pieces.get(index + 1) == Some(&" ")).map(|next| next.to_lowercase());
        let pair = WORDS.pairs.iter().find(|(first, second, _)| *first == word && next.as_deref() == Some(second));
        let (own, taken) = match pair {
            Some((.., own)) => (Some(own.as_str()), 3),
            None if word == "you" && WORDS.before_me.contains(&before) => (Some("me"), 1),
            None => (WORDS.words.iter().find(|(known, _)| *known == word).map(|(_, own)| own.as_str()), 1),
        };
        said.push_str(&own.map_or_else(|| (*piece).to_owned(), |own| as_begun(piece, own)));
        index += taken;
        if word.chars().any(char::is_alphanumeric) {
            before = word;
        } else if word.trim() != "" {
            before.clear();
        }
    }
    said
}

fn as_begun(piece: &str, own: &str) -> String {
    let mut letters = own.chars();
    match letters.next() {
        Some(first) if piece.starts_with(char::is_uppercase) => first.to_uppercase().chain(letters).collect(),
        Some(_) | None => own.to_owned(),
    }
}

fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '\u{2019}';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{first_person, *};
    use serde_json::json;

    #[test]
    fn calls_are_read_as_they_are_written() {
        let tools = ["turn".to_owned(), "pick".to_owned()];
        let call = ToolCall::new("pick", json!({"jar": {"id": "a)}"}, "n": 2}));
        let text = format!("Please do this: {}. Then turn(), not return(), turn or turn(now).", as_words(&call));
        assert_eq!(calls_in(&text, &tools), [call, ToolCall::new("turn", json!({}))]);
    }

    #[test]
    fn what_is_too_deep_too_long_or_too_much_is_not_read() {
        let tools = ["turn".to_owned()];
        let deep = format!("turn({{\"a\": {}1{}}})", "[".repeat(123), "]".repeat(123));
        let late = format!("{}turn()", " ".repeat(MOST));
        assert_eq!((calls_in(&deep, &tools), calls_in(&late, &tools)), (Vec::new(), Vec::new()));
        assert_eq!(calls_in(&"turn() ".repeat(1000), &tools).len(), MAX_CALLS_PER_MESSAGE);
    }

    #[test]
    fn you_becomes_i() {
        for (told, said) in [
            ("You want your money back.", "I want my money back."),
            ("You are Ada, and you're late. Are you sure?", "I am Ada, and I'm late. Am I sure?"),
            ("They told you so, to you and by yourself.", "They told me so, to me and by myself."),
            ("Yours is here; youth is not. \"You\" told.", "Mine is here; youth is not. \"I\" told."),
        ] {
            assert_eq!(first_person(told), said);
        }
    }
}
