//! A user that a language model speaks for, by tau2-bench's protocol.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};

use super::protocol::{said_in, shown_text};
use crate::model::Scenario;
use probity_bench::{
    Called, Client, Completion, EndReason, Event, Fault, MAX_TEXT, MAX_TOOL_NAME, Trace, Usage, User, UserFault,
    Utterance, dialogue::MAX_CALLS_PER_MESSAGE,
};
use probity_engine::{Actor, Environment, ToolCall};
use probity_ruling::asker::{Asker, MAX_ASKED, why_silent};

/// Words with which a user ends the dialogue: done, handed over, beyond the scenario.
const STOPS: [&str; 3] = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];
/// What the agent is taken to have said first.
const GREETING: &str = "Hello! What can I do for you today?";

const RULES: &str = include_str!("user.txt").trim_ascii_end();

const TOOL_RULES: &str = include_str!("user_with_tools.txt").trim_ascii_end();

#[derive(Clone)]
pub struct ModelUser {
    client: Arc<Client>,
    model: String,
    unit: String,
    tools: Value,
    messages: Vec<Value>,
    /// Calls of the last message that are still to be made.
    queue: VecDeque<ToolCall>,
    /// The ids of calls whose results are still to come.
    pending: VecDeque<String>,
    calls: u64,
    /// How much of what happened since it last spoke it has heard.
    heard: usize,
    said: Option<Result<String, UserFault>>,
    farewell: Option<String>,
    usage: Usage,
}

impl ModelUser {
    /// The user of a scenario, whose words `model` finds; `unit` names the episode in a cassette.
    pub fn new(
        scenario: &Scenario,
        environment: &Environment,
        (client, model, unit): (Arc<Client>, &str, &str),
    ) -> ModelUser {
        let tools = environment.functions(Actor::User);
        let has_tools = tools.as_array().is_some_and(|tools| !tools.is_empty());
        let system = json!({"role": "system", "content": brief(scenario, has_tools)});
        ModelUser {
            client,
            model: model.to_owned(),
            unit: unit.to_owned(),
            tools,
            messages: vec![system, json!({"role": "user", "content": GREETING})],
            queue: VecDeque::new(),
            pending: VecDeque::new(),
            calls: 0,
            heard: 0,
            said: None,
            farewell: None,
            usage: Usage::default(),
        }
    }

    /// Takes in what happened since it was last asked: the agent's words, and what its own calls returned.
    fn hear(&mut self, since: &[Event]) {
        let new = since.get(self.heard..).unwrap_or_default();
        if let Some(words) = said_in(new) {
            self.messages.push(json!({"role": "user", "content": words}));
        }
        for event in new {
            if let Event::Step(step) = event
                && step.actor == Actor::User
                && let Some(id) = self.pending.pop_front()
            {
                self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": shown_text(step)}));
            }
        }
        self.heard = since.len();
    }

    fn ask(&mut self) -> Result<(), UserFault> {
        let client = Arc::clone(&self.client);
        let asker = Asker { tools: Some(&self.tools), ..Asker::new(&client, &self.model, &self.unit) };
        let said = asker.ask(&mut self.messages, &mut self.usage, |said, _| match said {
            Ok(said) => is_bounded(&said).then_some(Ok(said)),
            Err(Fault::TooLong(why)) => Some(Err(UserFault(why))),
            Err(_) => None,
        });
        let said = said.map_err(|fault| UserFault(why_silent(fault, "run")))?;
        let nothing = || UserFault(format!("the user's model said nothing that can be read {MAX_ASKED} times"));
        let said = said.ok_or_else(nothing)??;
        if !said.calls.is_empty() {
            self.take_calls(said);
        } else if let Some(text) = said.text {
            self.messages.push(json!({"role": "assistant", "content": text}));
            self.said = Some(Ok(text.trim().to_owned()));
        }
        Ok(())
    }

    fn take_calls(&mut self, completion: Completion) {
        let mut listed = Vec::new();
        for called in completion.calls {
            self.calls += 1;
            let id = format!("call_{}", self.calls);
            let written =
                called.arguments.as_object().map_or_else(|| "{}".to_owned(), |_| called.arguments.to_string());
            listed.push(json!({"id": id, "type": "function", "function": {"name": called.name, "arguments": written}}));
            self.pending.push_back(id);
            self.queue.push_back(ToolCall::new(called.name, called.arguments));
        }
        let mut message = json!({"role": "assistant", "content": null, "tool_calls": listed});
        if let (Some(said), Some(message)) = (completion.said, message.as_object_mut()) {
            message.insert("said".to_owned(), said);
        }
        self.messages.push(message);
    }
}

impl User for ModelUser {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        self.hear(since);
        if self.queue.is_empty()
            && self.said.is_none()
            && let Err(fault) = self.ask()
        {
            self.said = Some(Err(fault));
        }
        self.queue.pop_front()
    }

    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        let endless = || Err(UserFault("the user's model calls tools without end".to_owned()));
        let text = self.said.take().unwrap_or_else(endless)?;
        self.heard = 0;
        if STOPS.iter().any(|stop| text.contains(stop)) {
            self.farewell = Some(text);
            return Ok(None);
        }
        Ok(Some(Utterance::scripted(text)))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        self.farewell.clone().map(Utterance::scripted)
    }

    fn usage(&self) -> Option<Usage> {
        Some(self.usage)
    }
}

/// Whether a message holds calls, or else words, such as a trace can hold: what an agent says is held to the same.
fn is_bounded(said: &Completion) -> bool {
    let is_bounded = |called: &Called| {
        let call = ToolCall::new(called.name.as_str(), called.arguments.clone());
        called.name.len() <= MAX_TOOL_NAME && call.is_within_limits()
    };
    match said.calls.is_empty() {
        true => said.text.as_ref().is_some_and(|text| text.len() <= MAX_TEXT),
        false => said.calls.len() <= MAX_CALLS_PER_MESSAGE && said.calls.iter().all(is_bounded),
    }
}

/// What the model is told: how to play, and whom.
fn brief(scenario: &Scenario, has_tools: bool) -> String {
    let mut text = RULES.to_owned();
    if has_tools {
        text.push('\n');
        text.push_str(TOOL_RULES);
    }
    text.push_str("\n\n<scenario>\n");
    let parts = [
        ("Who you are", scenario.persona.as_ref()),
        ("Why you are in contact", Some(&scenario.reason)),
        ("What you know", scenario.known.as_ref()),
        ("What you do not know", scenario.unknown.as_ref()),
        ("How you behave", scenario.conduct.as_ref()),
    ];
    for (title, part) in parts {
        if let Some(part) = part.map(|part| part.trim()).filter(|part| !part.is_empty()) {
            text.push_str(&format!("{title}:\n{part}\n"));
        }
    }
    text.push_str("</scenario>\n");
    text
}

/// A model's words and calls, taken from a trace.
#[derive(Clone)]
pub struct RecordedUser {
    moves: VecDeque<RecordedMove>,
    farewell: Option<String>,
    /// Why there was no further word, where a provider was at fault.
    fault: Option<String>,
}

#[derive(Clone)]
enum RecordedMove {
    Call(ToolCall),
    Say(String),
}

impl RecordedUser {
    pub fn new(trace: &Trace) -> RecordedUser {
        let moves = trace.events.iter().filter_map(|event| match event {
            Event::Step(step) if step.actor == Actor::User => Some(RecordedMove::Call(step.call())),
            Event::User { text, .. } => Some(RecordedMove::Say(text.clone())),
            Event::Step(_) | Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
        });
        let mut moves: VecDeque<RecordedMove> = moves.collect();
        // Words that nobody answered, and nobody failed to answer, are a farewell.
        let farewell = match trace.events.as_slice() {
            [.., Event::User { text, .. }, Event::End { reason: EndReason::Completed, .. }] => {
                moves.pop_back();
                Some(text.clone())
            }
            _ => None,
        };
        let fault = match trace.end() {
            Some((EndReason::UserUnreachable, detail)) => Some(detail.unwrap_or_default().to_owned()),
            Some(_) | None => None,
        };
        RecordedUser { moves, farewell, fault }
    }
}

impl User for RecordedUser {
    fn act(&mut self, _since: &[Event]) -> Option<ToolCall> {
        match self.moves.pop_front()? {
            RecordedMove::Call(call) => Some(call),
            words @ RecordedMove::Say(_) => {
                self.moves.push_front(words);
                None
            }
        }
    }

    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        match (self.moves.pop_front(), &self.fault) {
            (Some(RecordedMove::Say(text)), _) => Ok(Some(Utterance::scripted(text))),
            (Some(RecordedMove::Call(_)) | None, Some(fault)) => Err(UserFault(fault.clone())),
            (Some(RecordedMove::Call(_)) | None, None) => Ok(None),
        }
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        self.farewell.clone().map(Utterance::scripted)
    }
}
