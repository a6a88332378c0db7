//! The user without a model: reads out what the task says of them. It understands nothing, and is for trying out.

use std::collections::VecDeque;

use super::calls_in_words::calls_in;
use super::first_person::first_person;
use super::protocol::{said_in, shown_text, was_transferred};
use crate::model::Scenario;
use probity_bench::{Event, User, UserFault, Utterance};
use probity_engine::{Actor, Environment, ToolCall};

/// Phrases by which an agent takes its leave.
const GOODBYES: [&str; 6] =
    ["goodbye", "good bye", "have a nice day", "have a great day", "have a good day", "have a wonderful day"];
/// Phrases by which an agent asks for a yes.
const CONFIRMATIONS: [&str; 12] = [
    "confirm",
    "proceed",
    "go ahead",
    "yes/no",
    "yes or no",
    "(yes",
    "shall i",
    "should i",
    "do you want me",
    "would you like me",
    "is that correct",
    "is that right",
];
/// Turns without anything new after which it leaves.
const PATIENCE: u32 = 2;

/// Says why it calls, what it knows once, and yes to whoever asks for it; makes the calls of its own tools that an
/// agent writes out.
#[derive(Clone)]
pub struct Reader {
    opening: Option<String>,
    untold: VecDeque<String>,
    tools: Vec<String>,
    asked_for: VecDeque<ToolCall>,
    idle: u32,
    farewell: Option<String>,
}

impl Reader {
    pub fn new(scenario: &Scenario, environment: &Environment) -> Reader {
        let told = [&scenario.known, &scenario.unknown].into_iter().flatten().filter(|text| !text.trim().is_empty());
        let own = environment.tools().iter().filter(|tool| tool.actor == Actor::User);
        Reader {
            opening: Some(first_person(scenario.reason.trim())),
            untold: told.map(|text| first_person(text.trim())).collect(),
            tools: own.map(|tool| tool.name.clone()).collect(),
            asked_for: VecDeque::new(),
            idle: 0,
            farewell: None,
        }
    }

    fn leave(&mut self) -> Option<String> {
        self.farewell = Some("Goodbye.".to_owned());
        None
    }

    /// What it answers; nothing when it leaves.
    fn answer(&mut self, since: &[Event]) -> Option<String> {
        if let Some(opening) = self.opening.take() {
            return Some(opening);
        }
        let shown = shown(since);
        let heard = said_in(since).unwrap_or_default().to_lowercase();
        if !shown.is_empty() {
            return Some(shown);
        }
        if was_transferred(since) || GOODBYES.iter().any(|phrase| heard.contains(phrase)) {
            return self.leave();
        }
        if CONFIRMATIONS.iter().any(|phrase| heard.contains(phrase)) {
            return Some("Yes, please.".to_owned());
        }
        if let Some(told) = self.untold.pop_front() {
            self.idle = 0;
            return Some(told);
        }
        self.idle += 1;
        if self.idle < PATIENCE { Some("I have nothing else to tell you.".to_owned()) } else { self.leave() }
    }
}

/// What the user's own calls showed, in words.
fn shown(since: &[Event]) -> String {
    let own = since.iter().filter_map(Event::step).filter(|step| step.actor == Actor::User);
    let shown = own.map(|step| format!("I did that, and it says: {}", shown_text(step)));
    shown.collect::<Vec<_>>().join("\n")
}

impl User for Reader {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        let has_acted = since.iter().any(|event| matches!(event, Event::Step(step) if step.actor == Actor::User));
        if !has_acted {
            self.asked_for = calls_in(&said_in(since).unwrap_or_default(), &self.tools).into();
        }
        self.asked_for.pop_front()
    }

    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        Ok(self.answer(since).map(Utterance::scripted))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        self.farewell.clone().map(Utterance::scripted)
    }
}
