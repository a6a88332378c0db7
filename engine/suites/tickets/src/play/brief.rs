//! How a ticket is played, and what an agent is told and has heard of it (paper, 3.3): never what it should call or say.

use serde_json::Value;

use super::attempt::of_text;
use crate::model::{RULES, SaidFile, Ticket};
use crate::recording::RecordedCall;
use probity_bench::{AgentMessage, Brief, Event, Heard, Levels, Past};

/// The factor that says how a ticket is played.
pub const MODE: &str = "mode";
/// The factor that says which checkpoint is played alone.
pub(crate) const CHECKPOINT: &str = "checkpoint";
pub const MODES: [&str; 2] = ["multi_turn", "single_turn"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From the first checkpoint on, each query after a reply that was accepted.
    MultiTurn,
    /// One checkpoint alone, from 1, after the recorded dialogue that led to it.
    SingleTurn(usize),
}

impl Mode {
    pub fn first(self) -> usize {
        match self {
            Mode::MultiTurn => 1,
            Mode::SingleTurn(number) => number,
        }
    }

    pub fn levels(self) -> Levels {
        match self {
            Mode::MultiTurn => Levels::from_iter([(MODE, MODES[0].to_owned())]),
            Mode::SingleTurn(number) => {
                Levels::from_iter([(MODE, MODES[1].to_owned()), (CHECKPOINT, format!("cp{number}"))])
            }
        }
    }

    pub fn of(levels: &Levels) -> Option<Mode> {
        match (levels.get(MODE)?, levels.get(CHECKPOINT)) {
            ("multi_turn", None) => Some(Mode::MultiTurn),
            ("single_turn", Some(level)) => level.strip_prefix("cp")?.parse().ok().map(Mode::SingleTurn),
            _ => None,
        }
    }
}

/// What an agent is told and has heard before it is played.
pub fn brief(ticket: &Ticket, mode: Mode) -> Brief {
    let references =
        ticket.references.iter().map(|document| format!("### {}\n{}\n", document.name, document.text.trim()));
    let references: Vec<String> = references.collect();
    let system = match references.is_empty() {
        true => RULES.to_owned(),
        false => format!("{RULES}\n\nReferences\n{}", references.join("\n")),
    };
    Brief { system, tools: ticket.tools.clone(), history: recorded_until(ticket, mode.first()) }
}

/// The tokens that an agent reads before its last reply, by their characters: what it is told, and the recorded
/// dialogue up to there.
pub fn input_tokens(ticket: &Ticket, mode: Mode) -> u64 {
    let number = match mode {
        Mode::MultiTurn => ticket.checkpoints.len(),
        Mode::SingleTurn(number) => number,
    };
    let told = Brief { history: recorded_until(ticket, number), ..brief(ticket, mode) };
    let query = ticket.checkpoint(number).map_or("", |checkpoint| checkpoint.query.as_str());
    let past = serde_json::to_string(&(&told.tools, &told.history)).unwrap_or_default();
    of_text(&told.system) + of_text(&past) + of_text(query)
}

/// What was said, as an agent would have heard and said it.
pub fn said(turns: &[SaidFile]) -> impl Iterator<Item = Past> {
    turns.iter().map(|turn| match turn {
        SaidFile::User(text) => Past::Heard(Heard::User(text.clone())),
        SaidFile::Agent(text) => Past::Said(AgentMessage::reply(text.clone())),
    })
}

/// The recorded dialogue up to the query of a checkpoint, from 1, without it.
pub(crate) fn recorded_until(ticket: &Ticket, number: usize) -> Vec<Past> {
    let mut past: Vec<Past> = said(&ticket.history).collect();
    for (index, checkpoint) in ticket.checkpoints.iter().take(number).enumerate() {
        past.extend(said(&checkpoint.before));
        if index + 1 == number {
            break;
        }
        past.push(Past::Heard(Heard::User(checkpoint.query.clone())));
        if !checkpoint.calls.is_empty() {
            let calls = checkpoint.calls.iter().map(RecordedCall::made).collect();
            past.push(Past::Said(AgentMessage { calls, ..AgentMessage::default() }));
            let results = checkpoint.calls.iter().map(|call| call.result.clone()).collect();
            past.push(Past::Heard(Heard::Observations(results)));
        }
        past.push(Past::Said(AgentMessage::reply(checkpoint.reply.clone())));
    }
    past
}

/// A query with what the agent did then, as it goes on counting.
pub(crate) fn exchanged(query: &str, events: &[Event]) -> Vec<Past> {
    let mut past = vec![Past::Heard(Heard::User(query.to_owned()))];
    let mut open: Option<(u32, AgentMessage, Vec<Value>)> = None;
    for event in events {
        let number = match event {
            Event::Reply { message, .. } => *message,
            Event::Step(step) => step.message,
            Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => continue,
        };
        if open.as_ref().is_none_or(|(known, ..)| *known != number) {
            close(open.take(), &mut past);
        }
        let (_, message, observed) = open.get_or_insert_with(|| (number, AgentMessage::default(), Vec::new()));
        match event {
            Event::Reply { text, .. } => message.text = Some(text.clone()),
            Event::Step(step) => {
                message.calls.push(step.call());
                observed.push(step.shown());
            }
            Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    close(open, &mut past);
    past
}

fn close(open: Option<(u32, AgentMessage, Vec<Value>)>, past: &mut Vec<Past>) {
    let Some((_, message, observed)) = open else { return };
    past.push(Past::Said(message));
    if !observed.is_empty() {
        past.push(Past::Heard(Heard::Observations(observed)));
    }
}
