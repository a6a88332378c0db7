//! Keeps the agent's picture of who calls: every few messages of the user it is made anew.

use std::num::NonZeroUsize;

use serde_json::{Map, Value};

use super::inferred_profile::InferredProfile;
use crate::measures::{ContextSchedule, MessageRole};
use probity_bench::Event;

/// Messages that a profile is made from, at most, and messages of the user between one and the next.
const SCHEDULE: ContextSchedule = ContextSchedule { window: at_least_one(16), every: at_least_one(3) };
/// Most bytes of a model's profile that are told back to it.
const MOST: usize = 4096;

const QUESTION: &str = "\
Below is a part of a call for help. Say what it shows of the person who calls, as one JSON object and nothing else, with
those of these keys that the call shows something of: \"age\", \"gender\", \"articulation_skill\",
\"language_understanding_skill\", \"technical_skill\", \"frustration_level\" (the last four whole numbers from 0 to 10),
\"persona\" (a few sentences), \"reasoning\", and further numbers from 0 to 10 under names of your own.";

const fn at_least_one(count: usize) -> NonZeroUsize {
    match NonZeroUsize::new(count) {
        Some(count) => count,
        None => NonZeroUsize::MIN,
    }
}

#[derive(Clone, Default)]
pub struct Profiler {
    /// What the user said in the window that is being looked at.
    said: Vec<String>,
}

impl Profiler {
    /// What the agent's model is asked after these events; nothing while the profile is fresh.
    pub fn question(&mut self, events: &[&Event]) -> Option<String> {
        let messages: Vec<(MessageRole, &str)> = events.iter().copied().filter_map(message).collect();
        let roles: Vec<MessageRole> = messages.iter().map(|(role, _)| *role).collect();
        let last = SCHEDULE.refreshes(&roles).pop().filter(|refresh| refresh.after_index + 1 == messages.len())?;
        let window = messages.get(last.window.0..last.window.1)?;
        self.said =
            window.iter().filter(|(role, _)| *role == MessageRole::User).map(|(_, text)| (*text).into()).collect();
        let line = |(role, text): &(MessageRole, &str)| match role {
            MessageRole::User => format!("user: {text}\n"),
            MessageRole::Agent => format!("agent: {text}\n"),
        };
        Some(format!("{QUESTION}\n\n{}", window.iter().map(line).collect::<String>()))
    }

    /// What the agent is told: its own profile, where it gave one that can be read, else that by rule.
    pub fn context(&self, answer: Option<&str>) -> String {
        let said: Vec<&str> = self.said.iter().map(String::as_str).collect();
        let own = answer.and_then(object).filter(|text| text.len() <= MOST);
        let profile = own.unwrap_or_else(|| serde_json::to_string(&InferredProfile::of(&said)).unwrap_or_default());
        format!("Who calls, as far as the call shows it (from 0 to 10)\n{profile}")
    }
}

fn message(event: &Event) -> Option<(MessageRole, &str)> {
    let user = event.heard().map(|(_, text)| (MessageRole::User, text));
    user.or(event.last_reply().map(|text| (MessageRole::Agent, text)))
}

/// The object of an answer, which may stand in a fence, without what is not known.
fn object(answer: &str) -> Option<String> {
    let (start, end) = (answer.find('{')?, answer.rfind('}')?);
    let mut object: Map<String, Value> = serde_json::from_str(answer.get(start..=end)?).ok()?;
    object.retain(|_, value| !value.is_null() && value.as_str() != Some("N/A"));
    serde_json::to_string(&object).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> Event {
        Event::Reply { message: 1, text: text.to_owned(), aside: false }
    }

    #[test]
    fn a_profile_is_due_with_every_third_message_of_the_user() {
        let mut events = Vec::new();
        let mut due = Vec::new();
        let mut profiler = Profiler::default();
        for turn in 1..=7 {
            events.push(Event::user(turn, format!("message {turn}")));
            due.extend(
                profiler
                    .question(&events.iter().collect::<Vec<_>>())
                    .map(|question| (turn, question.lines().last().map(str::to_owned))),
            );
            events.push(reply("Yes."));
        }
        let last = |turn: u32| (turn, Some(format!("user: message {turn}")));
        assert_eq!(due, [last(3), last(6)]);
    }

    #[test]
    fn what_cannot_be_read_is_made_by_rule() {
        let profiler = Profiler { said: vec!["Where do I find the APN?".to_owned()] };
        let by_rule = profiler.context(None);
        for answer in ["", "They seem nice.", "{\"age\": ", "[1, 2]", "} {"] {
            assert_eq!(profiler.context(Some(answer)), by_rule, "{answer}");
        }
        let fenced = profiler.context(Some("```json\n{\"age\": 64, \"gender\": \"N/A\"}\n```"));
        assert!(fenced.ends_with("{\"age\":64}"), "{fenced}");
    }
}
