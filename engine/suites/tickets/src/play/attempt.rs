//! What an agent did after each query, read from the events of an episode.

use super::tokens::TokenSource;
use crate::resolution::Attempt;
use probity_bench::{Event, Step, reply_in};
use probity_engine::Actor;

pub fn last_message(events: &[Event]) -> Option<u32> {
    let number = |event: &Event| event.step().map(|step| step.message).or(event.reply().map(|(message, _)| message));
    events.iter().rev().find_map(number)
}

/// What an agent did in the events after a query.
pub fn attempt(events: &[Event], source: TokenSource) -> Attempt {
    let own = events.iter().filter_map(Event::step).filter(|step| step.actor == Actor::Agent);
    let calls = own.map(Step::call).collect();
    Attempt { reply: reply_in(events).map(str::to_owned), calls, tokens: source.count(events) }
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
