//! The turn loop: who speaks when, what is recorded, and when it is over. No scoring here.

use std::sync::Arc;

use imbl::Vector;
use serde_json::Value;

use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Tokens};
use crate::event::{Context, EndReason, Event, Note};
use crate::trace::{Header, Trace};
use crate::user::{User, UserFault, Utterance};
use crate::world::{Move, Rollout, World};
use probity_engine::{Actor, Hash, State, ToolCall};

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

/// An episode that is being played: it says what the agent hears, takes what the agent says, and goes on until the
/// user has no more to say, a limit is met or somebody fails. Nobody has to wait in it, so an agent may be a thread of
/// this process, a client at the other end of a pipe, or a hand. A clone is a fork that shares what has happened: both
/// go on from here, each for itself.
#[derive(Clone)]
pub struct Dialogue<'a> {
    header: Arc<Header>,
    brief: Arc<Brief>,
    extent: Extent,
    world: Box<dyn World + 'a>,
    user: Arc<Box<dyn User + 'a>>,
    events: Vector<Arc<Event>>,
    /// What the world made of the calls, where its checker looks at them.
    moves: Vector<Arc<Move>>,
    /// How many events there were when the user last spoke.
    spoken: usize,
    turn: u32,
    messages: u32,
    /// Messages that the agent may still say in the extent.
    left: u32,
    bytes: usize,
    /// How many of these are the user's words.
    heard: usize,
    is_over: bool,
}

/// How it goes on: the agent hears something, or it is over.
enum Next {
    Hears(Heard),
    Ends(EndReason),
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

impl<'a> Dialogue<'a> {
    /// A dialogue in which nobody has spoken. `header` is what is played and under which limits, which are those of its
    /// `extent`; `brief` is what the agent is told.
    pub fn new(
        header: Header,
        (brief, extent): (impl Into<Arc<Brief>>, Extent),
        world: impl World + 'a,
        user: Box<dyn User + 'a>,
    ) -> Dialogue<'a> {
        let left = header.limits.max_messages;
        Dialogue {
            header: Arc::new(header),
            brief: brief.into(),
            extent,
            world: Box::new(world),
            user: Arc::new(user),
            events: Vector::new(),
            moves: Vector::new(),
            spoken: 0,
            turn: 0,
            messages: 0,
            left,
            bytes: 0,
            heard: 0,
            is_over: false,
        }
    }

    /// Plays it to its end. It always ends: messages are limited, and an agent's fault is an end.
    pub fn play(mut self, agent: &mut dyn Agent) -> Rollout {
        let mut next = self.begin(agent);
        while let Some(heard) = next {
            let message = agent.respond(&heard);
            next = self.say(message, agent);
        }
        let user_usage = self.user.usage();
        let final_state = self.world.fingerprint();
        let events = self.events.into_iter().map(Arc::unwrap_or_clone).collect();
        let trace = Trace { header: Arc::unwrap_or_clone(self.header), events, final_state };
        Rollout { trace, moves: self.moves.into_iter().collect(), user_usage }
    }

    /// What the agent is told before the dialogue starts.
    pub fn brief(&self) -> &Brief {
        &self.brief
    }

    /// Whether nobody speaks any more.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Why it is over, with what is known of that.
    pub fn ended(&self) -> Option<(EndReason, Option<&str>)> {
        let Event::End { reason, detail } = self.events().next_back()? else { return None };
        Some((*reason, detail.as_deref()))
    }

    /// How many messages the agent has said.
    pub fn messages(&self) -> u32 {
        self.messages
    }

    /// What happened, in order.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter().map(AsRef::as_ref)
    }

    /// How many events there are.
    pub fn count(&self) -> usize {
        self.events.len()
    }

    /// How long its events are as JSON, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The hash of the world's state.
    pub fn fingerprint(&self) -> Hash {
        self.world.fingerprint()
    }

    /// Where the world's state machine stands, where it is one.
    pub fn state(&self) -> Option<&State> {
        self.world.state()
    }

    /// What has happened; the trace of an episode that is not over has no end.
    pub fn so_far(&self) -> Rollout {
        let events = self.events().cloned().collect();
        let trace = Trace { header: (*self.header).clone(), events, final_state: self.world.fingerprint() };
        Rollout { trace, moves: self.moves.iter().cloned().collect(), user_usage: self.user.usage() }
    }

    /// The user speaks first: what the agent hears, nothing where it is over. `agent` is told what holds for the
    /// dialogue, and is not asked for words.
    pub fn begin(&mut self, agent: &mut dyn Agent) -> Option<Heard> {
        let begun = agent.start(&self.brief).map_err(Stopped::from).and_then(|()| self.user_turn(agent));
        self.go_on(begun)
    }

    /// Takes what the agent says to what it heard last, and carries it out: what it hears then, nothing where it is
    /// over. What is said after the end does not count.
    pub fn say(&mut self, message: Result<AgentMessage, AgentFault>, agent: &mut dyn Agent) -> Option<Heard> {
        if self.is_over {
            return None;
        }
        let taken = message.and_then(checked).and_then(|message| self.take(message)).map_err(Stopped::from);
        let next = taken.and_then(|shown| match shown {
            Some(shown) if self.is_agents_turn() => Ok(Next::Hears(Heard::Observations(shown))),
            Some(_) | None => self.user_turn(agent),
        });
        self.go_on(next)
    }

    /// What is heard next, or the end.
    fn go_on(&mut self, next: Result<Next, Stopped>) -> Option<Heard> {
        let (reason, detail) = match next {
            Ok(Next::Hears(heard)) => return Some(heard),
            Ok(Next::Ends(reason)) => (reason, None),
            Err(Stopped::Agent(AgentFault::Failed(detail))) => (EndReason::AgentFailed, Some(detail)),
            Err(Stopped::Agent(AgentFault::TooLong(detail))) => (EndReason::ContextOverflow, Some(detail)),
            Err(Stopped::Agent(AgentFault::Unreachable(detail))) => (EndReason::ProviderUnreachable, Some(detail)),
            Err(Stopped::User(UserFault(detail))) => (EndReason::UserUnreachable, Some(detail)),
        };
        self.events.push_back(Arc::new(Event::End { reason, detail }));
        self.is_over = true;
        None
    }

    fn is_agents_turn(&self) -> bool {
        self.left > 0 && !self.world.is_turn_over()
    }

    /// Whether its messages ended the episode in the middle of a turn.
    fn is_used_up(&self) -> bool {
        let has_replied = matches!(self.events().next_back(), Some(Event::Reply { aside: false, .. }));
        self.left == 0 && self.extent == Extent::Episode && !has_replied
    }

    /// What happened since the user last spoke.
    fn since(&self) -> Vec<Event> {
        self.events.iter().skip(self.spoken).map(|event| (**event).clone()).collect()
    }

    /// Lets the user speak until the agent has something to answer or there is no more to be said.
    fn user_turn(&mut self, agent: &mut dyn Agent) -> Result<Next, Stopped> {
        loop {
            if self.spoken > 0 && self.is_used_up() {
                return Ok(Next::Ends(EndReason::MaxMessages));
            }
            let since = self.user_calls()?;
            let user = Arc::make_mut(&mut self.user);
            let (said, rulings) = (user.speak(&since), user.rulings());
            rulings.into_iter().try_for_each(|ruling| self.hear(Event::Note(Note::Ruling(ruling))))?;
            let Some(Utterance { text, said, extra, rephrased, afresh }) = said? else { return self.leave(&since) };
            match extra {
                true => agent.expect_extra(),
                false => self.turn += 1,
            }
            let (turn, is_afresh) = (self.turn, afresh.is_some());
            self.hear(Event::User { turn, text: text.clone(), said, extra, afresh: is_afresh, rephrased })?;
            self.world.turn(extra);
            if let Some(history) = afresh {
                agent.start(&Brief { history, ..(*self.brief).clone() })?;
            }
            self.tell(agent)?;
            self.spoken = self.events.len();
            if self.extent == Extent::Turn {
                self.left = self.header.limits.max_messages;
            }
            if self.is_agents_turn() {
                return Ok(Next::Hears(Heard::User(text)));
            }
        }
    }

    /// The user goes, after what happened `since` it last spoke.
    fn leave(&mut self, since: &[Event]) -> Result<Next, Stopped> {
        if let Some(Utterance { text, said, extra, rephrased, .. }) = self.user.farewell(since) {
            self.hear(Event::User { turn: self.turn, text, said, extra, afresh: false, rephrased })?;
        }
        Ok(Next::Ends(EndReason::Completed))
    }

    /// Tells the agent what it is to know beside the dialogue, once it was asked what it knows by itself.
    fn tell(&mut self, agent: &mut dyn Agent) -> Result<(), Stopped> {
        let events: Vec<&Event> = self.events.iter().map(AsRef::as_ref).collect();
        let user = Arc::make_mut(&mut self.user);
        let Some(question) = user.question(&events) else { return Ok(()) };
        let answer = agent.reflect(&question)?.filter(|answer| answer.len() <= MAX_TEXT);
        let Some(text) = user.context(answer.as_deref()) else { return Ok(()) };
        agent.learn(&text);
        Ok(self.record(Event::Note(Note::Context(Context { text, answer })))?)
    }

    /// Carries a message out; what its calls return, nothing where it was words alone.
    fn take(&mut self, message: AgentMessage) -> Result<Option<Vec<Value>>, AgentFault> {
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
            return Ok(None);
        }
        let calls = message.calls.into_iter();
        calls.map(|call| self.step(call, Actor::Agent, number)).collect::<Result<_, _>>().map(Some)
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
        self.events.push_back(Arc::new(event));
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

    /// Lets the user call tools of their own before they speak, and says what has happened since they last did; what
    /// they are after this many calls is not waited for.
    fn user_calls(&mut self) -> Result<Vec<Event>, Stopped> {
        let mut since = self.since();
        for _ in 0..MAX_CALLS_PER_MESSAGE {
            let Some(call) = Arc::make_mut(&mut self.user).act(&since) else { break };
            let before = self.events.len();
            self.step(call, Actor::User, self.turn)?;
            since.extend(self.events.iter().skip(before).map(|event| (**event).clone()));
        }
        Ok(since)
    }

    fn step(&mut self, call: ToolCall, by: Actor, message: u32) -> Result<Value, AgentFault> {
        let (step, made) = self.world.call(call, by, message);
        let shown = step.shown();
        let made = made.map(Arc::new);
        self.moves.extend(made.clone());
        self.record(Event::Step(step))?;
        let findings = made.iter().flat_map(|made| &made.breaches.findings);
        findings.cloned().try_for_each(|finding| self.record(Event::Finding(finding)))?;
        Ok(shown)
    }
}

fn too_long() -> String {
    format!("the episode is longer than {MAX_EVENTS} bytes")
}

/// A message that an agent may say: neither empty nor beyond its limits.
///
/// # Errors
/// What is wrong with it.
pub fn checked(message: AgentMessage) -> Result<AgentMessage, AgentFault> {
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
    let mut counted = ByteCount(0);
    serde_json::to_writer(&mut counted, value).map_or(usize::MAX, |()| counted.0)
}

/// Where bytes are counted and not kept.
struct ByteCount(usize);

impl std::io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
