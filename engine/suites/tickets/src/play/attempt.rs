//! What an agent did after each query, read from the events of an episode.

use super::tokens::TokenSource;
use crate::resolution::Attempt;
use probity_bench::{Event, reply_in};
use probity_engine::Actor;

pub fn last_message(events: &[Event]) -> Option<u32> {
    events.iter().rev().find_map(|event| match event {
        Event::Reply { message, .. } => Some(*message),
        Event::Step(step) => Some(step.message),
        Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    })
}

/// What an agent did in the events after a query.
pub fn attempt(events: &[Event], source: TokenSource) -> Attempt {
    let calls = events.iter().filter_map(|event| match event {
        Event::Step(step) if step.actor == Actor::Agent => Some(step.call()),
        Event::Step(_)
        | Event::User { .. }
        | Event::Reply { .. }
        | Event::Finding(_)
        | Event::Note(_)
        | Event::End { .. } => None,
    });
    Attempt { reply: reply_in(events).map(str::to_owned), calls: calls.collect(), tokens: source.count(events) }
}

/// What came of each query of an episode, in order: the events until the customer spoke again.
pub fn turns(events: &[Event]) -> Vec<&[Event]> {
    let mut turns = Vec::new();
    for (at, event) in events.iter().enumerate() {
        if matches!(event, Event::User { .. }) {
            let rest = events.get(at + 1..).unwrap_or_default();
            let is_over = |event: &Event| matches!(event, Event::User { .. } | Event::End { .. });
            let length = rest.iter().position(is_over).unwrap_or(rest.len());
            turns.extend(rest.get(..length));
        }
    }
    turns
}
