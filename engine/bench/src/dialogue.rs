//! The turn loop: who speaks when, what is recorded, and when it is over. No scoring here.

use serde_json::Value;

use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Tokens};
use crate::event::{Context, EndReason, Event, Note};
use crate::trace::{Header, Trace};
use crate::user::{User, UserFault, Utterance};
use crate::world::World;
use probity_engine::{Actor, ToolCall};

/// Most calls in one agent message; more is a broken protocol.
pub const MAX_CALLS_PER_MESSAGE: usize = 64;
/// Most bytes of words in one agent message.
pub const MAX_TEXT: usize = 64 * 1024;
/// Most bytes of a tool's name: it is repeated in findings.
pub const MAX_TOOL_NAME: usize = 256;
/// Most bytes of one agent message, as JSON.
pub const MAX_MESSAGE: usize = 512 * 1024;
/// Deepest nesting of arguments: the record, in which they lie deeper, must stay readable (128 levels).
pub const MAX_DEPTH: usize = 64;
/// Most bytes of events in one episode, as JSON: with its scores it must stay a readable line.
pub const MAX_EVENTS: usize = 16 << 20;

/// What a limit of messages is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of an episode, which ends where it is reached.
    Episode,
    /// Each turn, which then ends without a reply; it is for the user to end the episode.
    Turn,
}

/// Plays one episode to its end. It always ends: messages are limited, and an agent's fault is an end.
///
/// `header` is what is played and under which limits, which are those of its `extent`; `brief` is what the agent is
/// told.
pub fn play(
    header: Header,
    (brief, extent): (&Brief, Extent),
    world: &mut dyn World,
    agent: &mut dyn Agent,
    user: &mut dyn User,
) -> Trace {
    let most = header.limits.max_messages;
    let mut episode = Episode { world, most, extent, events: Vec::new(), messages: 0, left: most, bytes: 0, heard: 0 };
    let (reason, detail) = match episode.run(brief, agent, user) {
        Ok(reason) => (reason, None),
        Err(Stopped::Agent(AgentFault::Failed(detail))) => (EndReason::AgentFailed, Some(detail)),
        Err(Stopped::Agent(AgentFault::TooLong(detail))) => (EndReason::ContextOverflow, Some(detail)),
        Err(Stopped::Agent(AgentFault::Unreachable(detail))) => (EndReason::ProviderUnreachable, Some(detail)),
        Err(Stopped::User(UserFault(detail))) => (EndReason::UserUnreachable, Some(detail)),
    };
    episode.events.push(Event::End { reason, detail });
    Trace { header, events: episode.events, final_state: episode.world.fingerprint() }
}

enum Stopped {
    Agent(AgentFault),
    User(UserFault),
}

impl From<AgentFault> for Stopped {
    fn from(fault: AgentFault) -> Self {
        Stopped::Agent(fault)
    }
}

impl From<UserFault> for Stopped {
    fn from(fault: UserFault) -> Self {
        Stopped::User(fault)
    }
}

struct Episode<'a> {
    world: &'a mut dyn World,
    /// Messages of the agent at most, in such an extent.
    most: u32,
    extent: Extent,
    events: Vec<Event>,
    messages: u32,
    /// Messages that it may still say in the extent.
    left: u32,
    bytes: usize,
    /// How many of these are the user's words.
    heard: usize,
}

impl Episode<'_> {
    fn run(&mut self, brief: &Brief, agent: &mut dyn Agent, user: &mut dyn User) -> Result<EndReason, Stopped> {
        agent.start(brief)?;
        let mut turn = 0;
        let mut since = 0;
        loop {
            self.user_calls(user, turn, since)?;
            let said = user.speak(self.events.get(since..).unwrap_or_default());
            user.rulings().into_iter().try_for_each(|ruling| self.hear(Event::Note(Note::Ruling(ruling))))?;
            let Some(Utterance { text, said, extra, rephrased, afresh }) = said? else { break };
            match extra {
                true => agent.expect_extra(),
                false => turn += 1,
            }
            self.hear(Event::User { turn, text: text.clone(), said, extra, afresh: afresh.is_some(), rephrased })?;
            self.world.turn(extra);
            if let Some(history) = afresh {
                agent.start(&Brief { history, ..brief.clone() })?;
            }
            self.tell(agent, user)?;
            since = self.events.len();
            if self.extent == Extent::Turn {
                self.left = self.most;
            }
            self.agent_turn(agent, Heard::User(text))?;
            if self.left == 0 && self.extent == Extent::Episode && !self.has_replied() {
                return Ok(EndReason::MaxMessages);
            }
        }
        let said = self.events.get(since..).unwrap_or_default();
        if let Some(Utterance { text, said, extra, rephrased, .. }) = user.farewell(said) {
            self.hear(Event::User { turn, text, said, extra, afresh: false, rephrased })?;
        }
        Ok(EndReason::Completed)
    }

    /// Tells the agent what it is to know beside the dialogue, once it was asked what it knows by itself.
    fn tell(&mut self, agent: &mut dyn Agent, user: &mut dyn User) -> Result<(), Stopped> {
        let Some(question) = user.question(&self.events) else { return Ok(()) };
        let answer = agent.reflect(&question)?.filter(|answer| answer.len() <= MAX_TEXT);
        let Some(text) = user.context(answer.as_deref()) else { return Ok(()) };
        agent.learn(&text);
        Ok(self.record(Event::Note(Note::Context(Context { text, answer })))?)
    }

    fn has_replied(&self) -> bool {
        matches!(self.events.last(), Some(Event::Reply { aside: false, .. }))
    }

    /// Lets the agent call tools until it replies, its messages are used up, or the world ends its turn.
    fn agent_turn(&mut self, agent: &mut dyn Agent, mut heard: Heard) -> Result<(), AgentFault> {
        while self.left > 0 && !self.world.is_turn_over() {
            let message = check(agent.respond(&heard)?)?;
            self.check_length(MAX_EVENTS)?;
            self.left -= 1;
            self.messages = self.messages.saturating_add(1);
            let number = self.messages;
            if let Some(tokens) = message.tokens {
                let written = match tokens {
                    Tokens::Counted(written) => Some(written),
                    Tokens::Uncounted => None,
                };
                self.record(Event::Note(Note::Tokens { message: number, written }))?;
            }
            if let Some(text) = &message.text {
                let aside = !message.calls.is_empty();
                self.record(Event::Reply { message: number, text: text.clone(), aside })?;
            }
            if message.calls.is_empty() {
                return Ok(());
            }
            let shown = message
                .calls
                .into_iter()
                .map(|call| self.step(call, Actor::Agent, number))
                .collect::<Result<_, _>>()?;
            heard = Heard::Observations(shown);
        }
        Ok(())
    }

    /// Records what the user says. A user who alone says too much is at fault, else the agent is.
    fn hear(&mut self, words: Event) -> Result<(), Stopped> {
        self.check_length(MAX_EVENTS)?;
        self.heard = self.heard.saturating_add(json_size(&words));
        self.record(words)?;
        let is_within = self.check_length(MAX_EVENTS);
        // Who has filled an episode up to the line does not get out of it by what the user says next.
        is_within.map_err(|fault| match self.heard > MAX_EVENTS {
            true => Stopped::User(UserFault(too_long())),
            false => Stopped::Agent(fault),
        })
    }

    /// Records an event, as long as the episode is not too long to be read again.
    fn record(&mut self, event: Event) -> Result<(), AgentFault> {
        self.bytes = self.bytes.saturating_add(json_size(&event));
        self.events.push(event);
        // Within a message only what its calls return can be as long as this.
        self.check_length(2 * MAX_EVENTS)
    }

    /// Between messages, so that what is recorded is whole messages, which can be played again.
    fn check_length(&self, most: usize) -> Result<(), AgentFault> {
        match self.bytes > most {
            true => Err(AgentFault::Failed(too_long())),
            false => Ok(()),
        }
    }

    /// Lets the user call tools of their own before they speak; what they are after this many calls is not waited for.
    fn user_calls(&mut self, user: &mut dyn User, turn: u32, since: usize) -> Result<(), Stopped> {
        for _ in 0..MAX_CALLS_PER_MESSAGE {
            let Some(call) = user.act(self.events.get(since..).unwrap_or_default()) else { break };
            self.step(call, Actor::User, turn)?;
        }
        Ok(())
    }

    fn step(&mut self, call: ToolCall, by: Actor, message: u32) -> Result<Value, AgentFault> {
        let (step, findings) = self.world.call(call, by, message);
        let shown = step.shown();
        self.record(Event::Step(step))?;
        findings.into_iter().try_for_each(|finding| self.record(Event::Finding(finding)))?;
        Ok(shown)
    }
}

fn too_long() -> String {
    format!("the episode is longer than {MAX_EVENTS} bytes")
}

fn check(message: AgentMessage) -> Result<AgentMessage, AgentFault> {
    let fault = |text: String| Err(AgentFault::Failed(text));
    let text = message.text.filter(|text| !text.trim().is_empty());
    if text.is_none() && message.calls.is_empty() {
        return fault("an empty message: neither words nor calls".to_owned());
    }
    if message.calls.len() > MAX_CALLS_PER_MESSAGE {
        return fault(format!("{} calls in one message; {MAX_CALLS_PER_MESSAGE} is the most", message.calls.len()));
    }
    if text.as_ref().is_some_and(|text| text.len() > MAX_TEXT) {
        return fault(format!("more than {MAX_TEXT} bytes of words in one message"));
    }
    let message = AgentMessage { text, ..message };
    if message.calls.iter().any(|call| call.tool.len() > MAX_TOOL_NAME) {
        return fault(format!("a tool's name longer than {MAX_TOOL_NAME} bytes"));
    }
    if message.calls.iter().any(|call| !is_nested_within(&call.arguments, MAX_DEPTH)) {
        return fault(format!("arguments nested more than {MAX_DEPTH} deep"));
    }
    if json_size(&message) > MAX_MESSAGE {
        return fault(format!("a message longer than {MAX_MESSAGE} bytes"));
    }
    Ok(message)
}

fn is_nested_within(value: &Value, depth: usize) -> bool {
    let below = |item: &Value| depth > 0 && is_nested_within(item, depth - 1);
    match value {
        Value::Array(items) => items.iter().all(below),
        Value::Object(map) => map.values().all(below),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// How long a value is as JSON; more than any limit when it has no such form.
fn json_size(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}
