//! What an agent did after each query, read from the events of an episode, and its output tokens: counted by the provider,
//! or by their characters, and never both in one number.

use std::collections::BTreeMap;

use crate::resolution::Attempt;
use probity_bench::{Event, Note, Step, named, reply_in};
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

/// Characters that count as a token where no provider counts.
const CHARACTERS: usize = 4;

named! {
    /// Who counts the tokens of a message.
    pub enum TokenSource {
        /// The provider that was asked.
        Provider = "provider",
        /// Nobody: four characters are one.
        Characters = "characters",
    }
}

impl TokenSource {
    /// Who counted: the provider wherever there is one, also where it did not say.
    pub fn of(events: &[Event]) -> TokenSource {
        match events.iter().any(|event| matches!(event, Event::Note(Note::Tokens { .. }))) {
            true => TokenSource::Provider,
            false => TokenSource::Characters,
        }
    }

    /// The output tokens of all messages in some events; nothing where there is none, or where the provider did not
    /// say those of each.
    pub fn count(self, events: &[Event]) -> Option<u64> {
        let messages = messages(events);
        match self {
            TokenSource::Provider => provided(events, &messages),
            TokenSource::Characters => {
                (!messages.is_empty()).then(|| messages.values().map(|text| of_text(text)).sum())
            }
        }
    }
}

pub fn of_text(text: &str) -> u64 {
    text.chars().count().div_ceil(CHARACTERS) as u64
}

fn provided(events: &[Event], messages: &BTreeMap<u32, String>) -> Option<u64> {
    let counted = events.iter().filter_map(|event| match event {
        Event::Note(Note::Tokens { message, written }) => Some((*message, *written)),
        Event::Note(Note::Ruling(_) | Note::Context(_))
        | Event::User { .. }
        | Event::Reply { .. }
        | Event::Step(_)
        | Event::Finding(_)
        | Event::End { .. } => None,
    });
    let counted: BTreeMap<u32, Option<u64>> = counted.collect();
    let is_whole = !messages.is_empty() && messages.keys().all(|message| counted.contains_key(message));
    let all = counted.into_values().try_fold(0_u64, |all, own| all.checked_add(own?));
    all.filter(|_| is_whole)
}

/// The messages of the agent: their words, and the names and arguments of their calls.
fn messages(events: &[Event]) -> BTreeMap<u32, String> {
    let mut messages: BTreeMap<u32, String> = BTreeMap::new();
    for event in events {
        match event {
            Event::Reply { message, text, .. } => messages.entry(*message).or_default().push_str(text),
            Event::Step(step) if step.actor == Actor::Agent => {
                let text = messages.entry(step.message).or_default();
                text.push_str(&step.tool);
                text.push_str(&step.arguments.to_string());
            }
            Event::Step(_) | Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(message: u32, text: &str) -> Event {
        Event::Reply { message, text: text.to_owned(), aside: false }
    }

    fn counted(message: u32, written: Option<u64>) -> Event {
        Event::Note(Note::Tokens { message, written })
    }

    #[test]
    fn a_provider_that_counts_is_believed_and_one_that_does_not_leaves_no_number() {
        let plain = [reply(1, "Grüße!"), reply(2, "Bye")];
        assert_eq!(
            (TokenSource::of(&plain), TokenSource::Characters.count(&plain)),
            (TokenSource::Characters, Some(3))
        );
        let all = [counted(1, Some(7)), reply(1, "Hello"), counted(2, Some(3)), reply(2, "Bye")];
        assert_eq!((TokenSource::of(&all), TokenSource::Provider.count(&all)), (TokenSource::Provider, Some(10)));
        let some = [counted(1, Some(7)), reply(1, "Hello"), counted(2, None), reply(2, "Bye")];
        assert_eq!((TokenSource::of(&some), TokenSource::Provider.count(&some)), (TokenSource::Provider, None));
        let one = [counted(1, Some(7)), reply(1, "Hello"), reply(2, "Bye")];
        assert_eq!(TokenSource::Provider.count(&one), None, "each message has to be counted");
        assert_eq!(TokenSource::Characters.count(&[]), None, "who says nothing is not the quickest");
        let endless = [counted(1, Some(u64::MAX)), reply(1, "Hello"), counted(2, Some(1)), reply(2, "Bye")];
        assert_eq!(TokenSource::Provider.count(&endless), None);
    }
}
