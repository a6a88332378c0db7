//! What counts as said before a query.

use crate::model::{SaidFile, Ticket};
use probity_bench::{AgentMessage, Event, Heard, Past, Step};
use probity_engine::ToolCall;
use serde_json::Value;

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
            let call = |call: &crate::recording::RecordedCall| {
                ToolCall::new(call.tool.clone(), Value::Object(call.arguments.clone()))
            };
            let calls = checkpoint.calls.iter().map(call).collect();
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
            Event::Step(step) => take_step(step, message, observed),
            Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    close(open, &mut past);
    past
}

fn take_step(step: &Step, message: &mut AgentMessage, observed: &mut Vec<Value>) {
    message.calls.push(step.call());
    observed.push(step.shown());
}

fn close(open: Option<(u32, AgentMessage, Vec<Value>)>, past: &mut Vec<Past>) {
    let Some((_, message, observed)) = open else { return };
    past.push(Past::Said(message));
    if !observed.is_empty() {
        past.push(Past::Heard(Heard::Observations(observed)));
    }
}
