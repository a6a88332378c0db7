//! The protocol of a dialogue (docs/TAU2.md, "Playing"): modes, hand-overs and errors that are counted, and how it
//! ended.

use crate::card::MODE;
use probity_bench::{EndReason, Event, Levels, Step, Trace};
use probity_engine::Actor;

/// The tool by which a user is handed over to a person.
pub const TRANSFER: &str = "transfer_to_human_agents";
/// Hand-overs at most: a message of a side, or what its calls return.
pub(crate) const MAX_HAND_OVERS: u32 = 200;
/// Refused calls of both sides at which a dialogue ends.
pub const MAX_ERRORS: u32 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Dual,
    /// An agent alone, with the tools of both and a ticket.
    Solo,
}

impl Mode {
    pub fn of(levels: &Levels) -> Option<Mode> {
        match levels.get(MODE)? {
            "dual" => Some(Mode::Dual),
            "solo" => Some(Mode::Solo),
            _ => None,
        }
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

/// How a dialogue ended, in tau2-bench's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A side was finished; only then is anything graded.
    Stopped,
    TooManyErrors,
    MaxSteps,
    AgentError,
    /// A provider could not be reached: nothing can be said.
    Unreached,
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

    pub fn name(self) -> &'static str {
        match self {
            Ending::Stopped => "stopped",
            Ending::TooManyErrors => "too_many_errors",
            Ending::MaxSteps => "max_steps",
            Ending::AgentError => "agent_error",
            Ending::Unreached => "unreached",
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
