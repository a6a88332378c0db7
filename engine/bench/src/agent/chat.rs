//! Agents behind a model provider: a dialogue as chat completions, or where a model is not to have tools of its own, as
//! texts with calls in fenced blocks.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Past, Tokens};
use crate::provider::client::{Client, Fault};
use crate::provider::completion::{Called, Completion};
use crate::provider::config::ToolMode;
use crate::provider::fenced::{self, Fenced};
use crate::usage::Usage;
use probity_engine::ToolCall;

/// An agent behind `openai:MODEL` or the like, for one episode.
pub struct ChatAgent {
    client: Arc<Client>,
    model: String,
    unit: String,
    /// What it is told in place of the suite's own advice how to work.
    advice: Option<Arc<str>>,
    /// What it was told at the start.
    system: String,
    tools: Option<Value>,
    messages: Vec<Value>,
    /// The ids of the calls whose observations come next.
    pending: Vec<String>,
    ids: BTreeSet<String>,
    /// Whether its last message was cut off at `max_tokens`.
    is_cut_off: bool,
    usage: Usage,
}

impl ChatAgent {
    /// A dialogue with `model`; `unit` names the episode in a cassette.
    pub fn new(client: Arc<Client>, model: impl Into<String>, unit: impl Into<String>) -> Self {
        ChatAgent {
            client,
            model: model.into(),
            unit: unit.into(),
            advice: None,
            system: String::new(),
            tools: None,
            messages: Vec::new(),
            pending: Vec::new(),
            ids: BTreeSet::new(),
            is_cut_off: false,
            usage: Usage::default(),
        }
    }

    /// The same agent, told `advice` in place of the suite's own advice how to work.
    pub(crate) fn advised(self, advice: Option<Arc<str>>) -> Self {
        ChatAgent { advice, ..self }
    }

    fn mode(&self) -> ToolMode {
        self.client.config().tool_mode
    }

    fn hear(&mut self, heard: &Heard) {
        let is_cut_off = std::mem::take(&mut self.is_cut_off);
        let shown = |value: &Value| if is_cut_off { named_as_cut(value) } else { value.clone() };
        match (heard, self.mode()) {
            (Heard::User(text), _) => self.messages.push(json!({"role": "user", "content": text})),
            (Heard::Observations(values), ToolMode::Native) => {
                for (id, value) in std::mem::take(&mut self.pending).into_iter().zip(values) {
                    let content = shown(value).to_string();
                    self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
                }
            }
            (Heard::Observations(values), ToolMode::Prompt) => {
                let values: Vec<Value> = values.iter().map(shown).collect();
                self.messages.push(json!({"role": "user", "content": returned(&values)}));
            }
        }
    }

    /// Takes a native message into the dialogue, each call under an id of its own.
    fn say(&mut self, text: Option<String>, calls: Vec<Called>, said: Option<Value>) -> AgentMessage {
        let mut listed = Vec::new();
        let mut made = Vec::new();
        for call in calls {
            let id = self.own_id(call.id);
            let arguments = said_again(&call.arguments);
            listed.push(json!({"id": id, "type": "function", "function": {"name": call.name, "arguments": arguments}}));
            made.push(ToolCall::new(call.name, call.arguments));
            self.pending.push(id);
        }
        let silence = if self.client.config().empty_content { Value::from("") } else { Value::Null };
        let words = text.clone().map_or(silence, Value::from);
        let mut message = json!({"role": "assistant", "content": words});
        if let Some(message) = message.as_object_mut() {
            message.extend((!listed.is_empty()).then(|| ("tool_calls".to_owned(), Value::Array(listed))));
            message.extend(said.map(|said| ("said".to_owned(), said)));
        }
        self.messages.push(message);
        AgentMessage { text, calls: made, tokens: None }
    }

    /// Takes what counts as heard and said into the dialogue.
    fn recall(&mut self, past: &Past) {
        match (past, self.mode()) {
            (Past::Heard(heard), _) => self.hear(heard),
            (Past::Said(message), ToolMode::Native) => {
                let called =
                    |call: &ToolCall| Called { id: None, name: call.tool.clone(), arguments: call.arguments.clone() };
                self.say(message.text.clone(), message.calls.iter().map(called).collect(), None);
            }
            (Past::Said(message), ToolMode::Prompt) => {
                self.messages.push(json!({"role": "assistant", "content": in_block(message)}));
            }
        }
    }

    /// The provider's id, or one of ours where it has none or says it twice.
    fn own_id(&mut self, id: Option<String>) -> String {
        let ours = (self.ids.len() + 1..).map(|number| format!("call_{number}"));
        let id = id.into_iter().chain(ours).find(|id| !self.ids.contains(id)).unwrap_or_default();
        self.ids.insert(id.clone());
        id
    }

    fn message(&mut self, completion: Completion) -> Result<AgentMessage, AgentFault> {
        let is_cut_off = completion.is_cut_off();
        let Completion { text, calls, said, finish, usage, .. } = completion;
        let tokens = Some(usage.map_or(Tokens::Uncounted, |usage| Tokens::Counted(usage.completion_tokens)));
        let message = match (self.mode(), text) {
            (ToolMode::Prompt, Some(text)) => {
                let Fenced { text: words, calls } = fenced::read(&text, is_cut_off);
                let message = AgentMessage { text: words, calls, tokens: None };
                self.messages.push(json!({"role": "assistant", "content": text}));
                message
            }
            (_, None) if calls.is_empty() => AgentMessage::default(),
            (_, text) => self.say(text, calls, said),
        };
        // What was cut off says so when it is heard of again.
        self.is_cut_off = is_cut_off;
        if message.text.is_none() && message.calls.is_empty() {
            let tokens = usage.map_or_else(String::new, |usage| format!(", {} tokens", usage.completion_tokens));
            let finish: String = finish.as_deref().unwrap_or("none").chars().take(40).collect();
            let why = if is_cut_off { self.cut_off() + ": " } else { String::new() };
            return Err(AgentFault::Failed(format!("{why}an empty message: finish_reason {finish}{tokens}")));
        }
        Ok(AgentMessage { tokens, ..message })
    }

    fn cut_off(&self) -> String {
        format!("its message was cut off at max_tokens (--max-tokens {})", self.client.config().max_tokens)
    }
}

impl Agent for ChatAgent {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        let system = system(brief, self.advice.as_deref(), self.mode());
        if self.mode() == ToolMode::Native {
            self.tools = Some(brief.tools.clone());
        }
        self.messages = vec![json!({"role": "system", "content": system})];
        self.system = system;
        self.pending.clear();
        self.ids.clear();
        brief.history.iter().for_each(|past| self.recall(past));
        Ok(())
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        self.hear(heard);
        let client = Arc::clone(&self.client);
        let completion =
            client.session(&self.unit, &mut self.usage).complete(&self.model, &self.messages, self.tools.as_ref());
        self.message(completion.map_err(fault)?)
    }

    fn reflect(&mut self, question: &str) -> Result<Option<String>, AgentFault> {
        let client = Arc::clone(&self.client);
        let messages = [json!({"role": "user", "content": question})];
        match client.session(&self.unit, &mut self.usage).complete(&self.model, &messages, None) {
            Ok(completion) => Ok(completion.text.filter(|text| !text.trim().is_empty())),
            Err(Fault::TooLong(_) | Fault::Unreadable(_)) => Ok(None),
            Err(other) => Err(fault(other)),
        }
    }

    fn learn(&mut self, context: &str) {
        let content = format!("{}\n\n{context}", self.system);
        if let Some(system) = self.messages.first_mut() {
            *system = json!({"role": "system", "content": content});
        }
    }

    fn usage(&self) -> Option<Usage> {
        Some(self.usage)
    }
}

/// What an agent behind a model is told first: what its benchmark tells it, with other advice how to work in the place of
/// its own, and how tools are called where that has to be said.
pub fn system(brief: &Brief, advice: Option<&str>, mode: ToolMode) -> String {
    let own = advice.map(|advice| advised(brief, advice));
    let brief = &Brief { system: own.unwrap_or_else(|| brief.system.clone()), ..brief.clone() };
    match mode {
        ToolMode::Native => brief.system.clone(),
        ToolMode::Prompt => with_tools(brief, advice.is_some_and(|advice| advice.contains(TOOLS))),
    }
}

/// The line under which a suite says how to work, up to the next blank line: what `--system` names takes the place of both.
#[macro_export]
macro_rules! how_to_work {
    () => {
        "How to work\n"
    };
}

const ADVICE: &str = how_to_work!();

/// What stands for the rules of a suite in a text that takes the place of all it says.
const POLICY: &str = "{{policy}}";
/// What stands for the tools in words.
const TOOLS: &str = "{{tools}}";

/// A system prompt with other advice how to work; behind it where it has none of its own. Advice that names the place of
/// the rules takes the place of all.
fn advised(brief: &Brief, advice: &str) -> String {
    let system = brief.system.as_str();
    let advice = advice.replace(TOOLS, listed(brief).trim_end());
    if advice.contains(POLICY) {
        let (before, behind) = around(system).unwrap_or((system, ""));
        let rules: Vec<&str> = [before.trim(), behind.trim()].into_iter().filter(|part| !part.is_empty()).collect();
        return advice.replace(POLICY, &rules.join("\n\n"));
    }
    let Some((before, behind)) = around(system) else {
        return format!("{}\n\n{}\n", system.trim_end(), advice.trim());
    };
    let line = if behind.is_empty() { "" } else { "\n" };
    format!("{before}{}\n{line}{behind}", advice.trim())
}

/// What stands before and behind a suite's own advice how to work.
fn around(system: &str) -> Option<(&str, &str)> {
    let starts = |at: &usize| *at == 0 || system.get(..*at).is_some_and(|before| before.ends_with('\n'));
    let start = system.match_indices(ADVICE).map(|(at, _)| at).find(starts)?;
    let (before, own) = system.split_at_checked(start)?;
    Some((before, own.split_once("\n\n").map_or("", |(_, behind)| behind)))
}

pub(super) fn fault(fault: Fault) -> AgentFault {
    match fault {
        Fault::Unreachable(why) => AgentFault::Unreachable(why),
        Fault::TooLong(why) => AgentFault::TooLong(why),
        Fault::Unreadable(why) => AgentFault::Failed(format!("what it wrote could not be read: {why}")),
        Fault::Interrupted => AgentFault::Failed("the run was interrupted".to_owned()),
    }
}

/// A refusal of a call whose message was cut off, saying so: it is not the model's form that is wrong.
fn named_as_cut(value: &Value) -> Value {
    let mut value = value.clone();
    let error =
        value.get_mut("error").filter(|error| error.get("kind").is_some_and(|kind| kind == "invalid_arguments"));
    if let Some(Value::Object(error)) = error {
        error.insert("cut_off".to_owned(), Value::from("your message was cut off at max_tokens: write a shorter one"));
    }
    value
}

/// The arguments as they go back to the provider, always as an object: some refuse a dialogue with anything else.
pub(super) fn said_again(arguments: &Value) -> String {
    match arguments {
        Value::Object(_) => arguments.to_string(),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(_)) => text.clone(),
            _ => json!({"no_object": text}).to_string(),
        },
        other => json!({"no_object": other}).to_string(),
    }
}

/// What a model without tool calls is told on top of the system prompt.
const RULES: &str = "\
How to call tools
Write one fenced block with JSON, and nothing after it:
```json
{\"calls\": [{\"tool\": \"name\", \"arguments\": {}}]}
```
You then get what each call returned. A message without such a block goes to the user.";

/// The system prompt with how tools are called, and with the tools in words where they do not stand there yet.
fn with_tools(brief: &Brief, names_tools: bool) -> String {
    let tools = if names_tools { String::new() } else { format!("\n\nTools\n{}", listed(brief)) };
    format!("{}\n{RULES}{tools}", brief.system)
}

/// The tools in words, a line each.
fn listed(brief: &Brief) -> String {
    let tools = brief.tools.as_array().into_iter().flatten().filter_map(|tool| tool.get("function"));
    tools.map(|tool| format!("- {tool}\n")).collect()
}

/// What calls returned, as the model hears it.
fn returned(values: &[Value]) -> String {
    format!("What the calls returned:\n```json\n{}\n```", json!({"observations": values}))
}

/// A message as the model would have written it.
fn in_block(message: &AgentMessage) -> String {
    let call = |call: &ToolCall| json!({"tool": call.tool, "arguments": call.arguments});
    let calls: Vec<Value> = message.calls.iter().map(call).collect();
    let block = (!calls.is_empty()).then(|| format!("```json\n{}\n```", json!({"calls": calls})));
    message.text.iter().cloned().chain(block).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::config::ProviderConfig;

    #[test]
    fn advice_stands_where_the_suites_own_stood() {
        let advised = |system: &str, advice: &str| {
            let tools = json!([{"type": "function", "function": {"name": "now"}}]);
            advised(&Brief { system: system.to_owned(), tools, history: Vec::new() }, advice)
        };
        let own = "Be brief.\n\nBe kind.\n";
        assert_eq!(advised("Shop\n\nHow to work\n- a\n- b\n", own), "Shop\n\nBe brief.\n\nBe kind.\n");
        assert_eq!(
            advised("Shop\n\nHow to work\n- a\n\nReferences\nx\n", "Be brief."),
            "Shop\n\nBe brief.\n\nReferences\nx\n"
        );
        assert_eq!(advised("Shop: How to work\n", "Be brief."), "Shop: How to work\n\nBe brief.\n");
        let whole = "You serve.\n{{policy}}\nTools:\n{{tools}}\n";
        let told = "You serve.\nShop\n\nRules\nx\nTools:\n- {\"name\":\"now\"}\n";
        assert_eq!(advised("Shop\n\nHow to work\n- a\n\nRules\nx\n", whole), told);
        assert_eq!(advised("A\n\n\nB\n\nHow to work\n- a\n", "{{policy}}"), "A\n\n\nB", "the rules as they are");
        assert_eq!(advised("A\n\nHow to work\n- a\n\n", "Be brief."), "A\n\nBe brief.\n");
    }

    #[test]
    fn tools_are_told_once() {
        let tools = json!([{"type": "function", "function": {"name": "now"}}]);
        let brief = Brief { system: "Shop".to_owned(), tools, history: Vec::new() };
        for advice in [None, Some("Be brief."), Some("Tools:\n{{tools}}")] {
            let config = ProviderConfig { tool_mode: ToolMode::Prompt, ..ProviderConfig::at("http://127.0.0.1") };
            let mut agent = ChatAgent::new(Arc::new(Client::mute(config)), "m", "u").advised(advice.map(Arc::from));
            agent.start(&brief).unwrap();
            assert_eq!(agent.system.matches("{\"name\":\"now\"}").count(), 1, "{}", agent.system);
        }
    }

    #[test]
    fn arguments_go_back_as_objects() {
        let cases = [
            (json!({"a": 1}), r#"{"a":1}"#),
            (json!("{\"a\": 1, \"a\": 2}"), r#"{"a": 1, "a": 2}"#),
            (json!("[1]"), r#"{"no_object":"[1]"}"#),
            (json!("\"x\""), r#"{"no_object":"\"x\""}"#),
            (json!("{\"a\""), r#"{"no_object":"{\"a\""}"#),
            (json!(""), r#"{"no_object":""}"#),
            (json!([1]), r#"{"no_object":[1]}"#),
            (json!(null), r#"{"no_object":null}"#),
        ];
        for (arguments, wanted) in cases {
            assert_eq!(said_again(&arguments), wanted);
        }
    }

    #[test]
    fn a_refusal_of_what_was_cut_off_says_so() {
        let refused = named_as_cut(&json!({"error": {"kind": "invalid_arguments", "message": "m"}}));
        assert!(refused["error"]["cut_off"].as_str().unwrap().contains("max_tokens"));
        for other in [json!({"error": {"kind": "precondition"}}), json!([1]), json!({"a": 1})] {
            assert_eq!(named_as_cut(&other), other);
        }
    }
}
