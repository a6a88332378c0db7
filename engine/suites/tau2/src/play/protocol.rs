//! The protocol of a dialogue (docs/TAU2.md, "Playing"): modes, hand-overs and errors that are counted, and how it
//! ended.

use crate::card::MODE;
use probity_bench::{
    EndReason, Event, Levels, Ruling, Step, Trace, Usage, User, UserFault, Utterance, named, reply_in,
};
use probity_engine::{Actor, ToolCall};

/// The tool by which a user is handed over to a person.
pub const TRANSFER: &str = "transfer_to_human_agents";
/// Hand-overs at most: a message of a side, or what its calls return.
pub(crate) const MAX_HAND_OVERS: u32 = 200;
/// Refused calls of both sides at which a dialogue ends.
pub const MAX_ERRORS: u32 = 10;

named! {
    pub enum Mode {
        Dual = "dual",
        /// An agent alone, with the tools of both and a ticket.
        Solo = "solo",
    }
}

impl Mode {
    pub fn of(levels: &Levels) -> Option<Mode> {
        Mode::from_name(levels.get(MODE)?)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    hand_overs: u32,
    errors: u32,
}

impl Spent {
    /// Adds what happened. A message of a side is one hand-over, what its calls return another.
    pub fn add(&mut self, events: &[Event]) {
        let mut last = None;
        for event in events {
            match event {
                Event::User { .. } => self.hand_overs += 1,
                Event::Reply { aside, .. } => self.hand_overs += u32::from(!aside),
                Event::Step(step) => {
                    // A user's calls are made one by one, an agent's message by message.
                    let batch = (step.actor, step.message);
                    if step.actor == Actor::User || last != Some(batch) {
                        self.hand_overs += 2;
                    }
                    last = Some(batch);
                    self.errors += u32::from(!step.is_ok());
                }
                Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
            }
        }
    }

    pub fn limit(self) -> Option<Ending> {
        match self {
            Spent { errors: MAX_ERRORS.., .. } => Some(Ending::TooManyErrors),
            Spent { hand_overs: MAX_HAND_OVERS.., .. } => Some(Ending::MaxSteps),
            Spent { .. } => None,
        }
    }
}

named! {
    /// How a dialogue ended, in tau2-bench's words.
    pub enum Ending {
        /// A side was finished; only then is anything graded.
        Stopped = "stopped",
        TooManyErrors = "too_many_errors",
        MaxSteps = "max_steps",
        AgentError = "agent_error",
        /// A provider could not be reached: nothing can be said.
        Unreached = "unreached",
    }
}

impl Ending {
    pub fn of(trace: &Trace) -> Ending {
        let mut spent = Spent::default();
        spent.add(&trace.events);
        match trace.end() {
            Some((EndReason::ProviderUnreachable | EndReason::UserUnreachable, _)) => Ending::Unreached,
            Some((EndReason::Completed, _)) if has_reply(&trace.events) => spent.limit().unwrap_or(Ending::Stopped),
            Some((
                EndReason::Completed | EndReason::MaxMessages | EndReason::AgentFailed | EndReason::ContextOverflow,
                _,
            ))
            | None => spent.limit().unwrap_or(Ending::AgentError),
        }
    }
}

/// Whether the agent's last turn, if there was one, came to a reply; what the user says in leaving is no turn.
fn has_reply(events: &[Event]) -> bool {
    let last = events.iter().rev().find(|event| match event {
        Event::Reply { .. } => true,
        Event::Step(step) => step.actor == Actor::Agent,
        Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => false,
    });
    // A user who leaves at once asked for no reply.
    last.is_none_or(|last| matches!(last, Event::Reply { aside: false, .. }))
}

/// What a call showed to whoever made it, as a text.
pub(crate) fn shown_text(step: &Step) -> String {
    let shown = step.shown();
    shown.as_str().map_or_else(|| shown.to_string(), str::to_owned)
}

/// All words of the agent, one message a line; nothing where there are none.
pub fn said_in(events: &[Event]) -> Option<String> {
    let words = events.iter().filter_map(|event| event.reply().map(|(_, text)| text));
    let words: Vec<&str> = words.collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

pub fn was_transferred(events: &[Event]) -> bool {
    let is_transfer = |step: &Step| step.actor == Actor::Agent && step.tool == TRANSFER && step.is_ok();
    events.iter().any(|event| matches!(event, Event::Step(step) if is_transfer(step)))
}

/// A user who leaves where too much was said or refused, or where the agent came to no reply.
#[derive(Clone)]
pub struct LimitedUser<U> {
    user: U,
    spent: Spent,
    /// How much of what happened since they last spoke is counted.
    counted: usize,
    has_spoken: bool,
    has_left: bool,
}

impl<U: User> LimitedUser<U> {
    pub fn new(user: U) -> LimitedUser<U> {
        LimitedUser { user, spent: Spent::default(), counted: 0, has_spoken: false, has_left: false }
    }

    fn count(&mut self, since: &[Event]) {
        self.spent.add(since.get(self.counted..).unwrap_or_default());
        self.counted = since.len();
        let is_cut = self.has_spoken && reply_in(since).is_none();
        self.has_left |= is_cut || self.spent.limit().is_some();
    }
}

impl<U: User + Clone> User for LimitedUser<U> {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        self.count(since);
        if self.has_left { None } else { self.user.act(since) }
    }

    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        self.count(since);
        if self.has_left {
            return Ok(None);
        }
        let said = self.user.speak(since)?;
        if let Some(said) = &said {
            self.spent.add(&[Event::user(1, said.text.as_str())]);
            (self.counted, self.has_spoken) = (0, true);
        }
        Ok(said)
    }

    fn farewell(&self, since: &[Event]) -> Option<Utterance> {
        if self.has_left { None } else { self.user.farewell(since) }
    }

    fn rulings(&mut self) -> Vec<Ruling> {
        self.user.rulings()
    }

    fn usage(&self) -> Option<Usage> {
        self.user.usage()
    }
}
