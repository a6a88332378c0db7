//! The agent that does what was recorded, and those that do it with one fault or habit.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::model::{Checkpoint, Ticket};
use crate::play::Mode;
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard, MAX_TEXT, dialogue::MAX_CALLS_PER_MESSAGE, named};

/// How many tokens more a verbose reply has, by its characters.
pub(crate) const PADDING: u64 = 100;

/// A token of it.
const FILLING: &str = " ...";
/// What stands between two replies in one.
const PAUSE: &str = "\n\n";

named! {
    /// How an agent plays, by what `--agent` takes.
    pub enum Manner {
        /// Just so.
        Recorded = "oracle",
        /// With what comes later in the same reply, as far as it can: every possible jump is made.
        Jumper = "jumper",
        /// With 100 tokens more in each reply.
        Verbose = "verbose",
        /// The first checkpoint alone; then it takes its leave.
        PrematureClose = "fault:premature_close",
        /// It asks for more first; at the second attempt it does what was recorded.
        OverAsk = "fault:over_ask",
        WrongArgument = "fault:wrong_argument",
    }
}

impl Manner {
    /// The checkpoints, from 1 to their number, that it answers at the query of one.
    fn answered(self, ticket: &Ticket, number: usize) -> std::ops::RangeInclusive<usize> {
        let Some(own) = ticket.checkpoint(number) else { return number..=number };
        let later = ticket.checkpoints.iter().skip(number);
        // A call where none is needed would be one too many.
        let (mut calls, mut bytes) = (own.calls.len(), own.reply.len());
        let mut can_jump = |checkpoint: &&Checkpoint| {
            (calls, bytes) = (calls + checkpoint.calls.len(), bytes + checkpoint.reply.len() + PAUSE.len());
            let is_told = checkpoint.calls.is_empty() || !own.calls.is_empty();
            is_told && calls <= MAX_CALLS_PER_MESSAGE && bytes <= MAX_TEXT
        };
        let jumps = if self == Manner::Jumper { later.take_while(&mut can_jump).count() } else { 0 };
        number..=number + jumps
    }
}

pub struct PlannedAgent {
    ticket: Arc<Ticket>,
    manner: Manner,
    first: usize,
    /// How often the query of each checkpoint was heard.
    heard: BTreeMap<usize, u32>,
    next: VecDeque<AgentMessage>,
    is_again: bool,
}

impl PlannedAgent {
    /// An agent that plays a ticket in a mode and in some manner.
    pub fn new(ticket: Arc<Ticket>, mode: Mode, manner: Manner) -> PlannedAgent {
        PlannedAgent {
            ticket,
            manner,
            first: mode.first(),
            heard: BTreeMap::new(),
            next: VecDeque::new(),
            is_again: false,
        }
    }

    /// The checkpoint whose query this is: the latest that was heard where it is asked again, else the first after it.
    fn number(&self, query: &str) -> Option<usize> {
        let last = self.heard.iter().next_back().map(|(number, _)| *number);
        let is_asked = |number: &usize| self.ticket.checkpoint(*number).is_some_and(|asked| asked.query == query);
        let first = match last {
            Some(last) if self.is_again => last,
            Some(last) => last + 1,
            None => self.first,
        };
        (first..=self.ticket.checkpoints.len()).find(is_asked)
    }

    fn plan(&mut self, query: &str) -> VecDeque<AgentMessage> {
        let number = self.number(query);
        self.is_again = false;
        let Some(number) = number else { return say("I am sorry, I do not follow.") };
        let heard = self.heard.entry(number).or_default();
        *heard += 1;
        let is_first = *heard == 1;
        match self.manner {
            Manner::OverAsk if is_first => say("Before I do anything, could you tell me a little more about it?"),
            Manner::PrematureClose if number > 1 => say("I am glad that this is settled, so I close here. Goodbye!"),
            Manner::Recorded
            | Manner::Jumper
            | Manner::Verbose
            | Manner::PrematureClose
            | Manner::OverAsk
            | Manner::WrongArgument => self.answer(number),
        }
    }

    /// What was recorded at a checkpoint, in the agent's manner.
    fn answer(&self, number: usize) -> VecDeque<AgentMessage> {
        let range = self.manner.answered(&self.ticket, number);
        let answered = range.filter_map(|number| self.ticket.checkpoint(number));
        let (mut calls, mut replies) = (Vec::new(), Vec::new());
        for checkpoint in answered {
            calls.extend(checkpoint.calls.iter().map(|call| {
                let mut call = call.clone();
                if self.manner == Manner::WrongArgument {
                    spoil(&mut call.arguments);
                }
                call.made()
            }));
            replies.push(checkpoint.reply.as_str());
        }
        let mut reply = replies.join(PAUSE);
        if self.manner == Manner::Verbose {
            let room = MAX_TEXT.saturating_sub(reply.len()) / FILLING.len();
            reply.push_str(&FILLING.repeat(room.min(usize::try_from(PADDING).unwrap_or_default())));
        }
        let called = (!calls.is_empty()).then(|| AgentMessage { calls, ..AgentMessage::default() });
        called.into_iter().chain([AgentMessage::reply(reply)]).collect()
    }
}

fn say(text: &str) -> VecDeque<AgentMessage> {
    VecDeque::from([AgentMessage::reply(text)])
}

/// Makes a call another one.
fn spoil(arguments: &mut serde_json::Map<String, Value>) {
    match arguments.values_mut().next() {
        Some(Value::String(text)) => text.push('9'),
        Some(other) => *other = json!({"not": other}),
        None => drop(arguments.insert("also".to_owned(), json!("9"))),
    }
}

impl Agent for PlannedAgent {
    fn start(&mut self, _: &Brief) -> Result<(), AgentFault> {
        self.next.clear();
        Ok(())
    }

    fn expect_extra(&mut self) {
        self.is_again = true;
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        if let Heard::User(query) = heard {
            self.next = self.plan(query);
        }
        self.next.pop_front().ok_or_else(|| AgentFault::Failed("nothing is left of its plan".to_owned()))
    }
}
