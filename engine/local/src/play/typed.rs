//! The user's side of a task by hand: what the agent does is told as it happens, and each turn is asked for.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use probity_behaviour::episode::user::{User, UserFault, Utterance};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Event, Heard, Usage};

/// What goes on, for whoever plays the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Message(AgentMessage),
    Observations(Vec<Value>),
    Turn,
}

/// A user whose turns are typed; no answer ends the dialogue.
#[derive(Clone)]
pub struct TypedUser {
    tell: Sender<Told>,
    turns: Arc<Mutex<Receiver<String>>>,
}

impl TypedUser {
    pub fn new(tell: Sender<Told>, turns: Receiver<String>) -> Self {
        TypedUser { tell, turns: Arc::new(Mutex::new(turns)) }
    }
}

impl User for TypedUser {
    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        // Whoever no longer listens or types has ended the dialogue.
        let typed = self
            .tell
            .send(Told::Turn)
            .ok()
            .and_then(|()| self.turns.lock().unwrap_or_else(PoisonError::into_inner).recv().ok());
        Ok(typed.map(Utterance::scripted))
    }
}

/// An agent whose messages are told before they are carried out.
pub struct Overheard {
    agent: Box<dyn Agent>,
    tell: Sender<Told>,
}

impl Overheard {
    pub fn new(agent: Box<dyn Agent>, tell: Sender<Told>) -> Self {
        Overheard { agent, tell }
    }

    /// Tells what goes on; that nobody listens any more is found out at the next turn.
    fn tell(&self, told: Told) {
        drop(self.tell.send(told));
    }
}

impl Agent for Overheard {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        self.agent.start(brief)
    }

    fn expect_extra(&mut self) {
        self.agent.expect_extra();
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        if let Heard::Observations(returned) = heard {
            self.tell(Told::Observations(returned.clone()));
        }
        let message = self.agent.respond(heard)?;
        self.tell(Told::Message(message.clone()));
        Ok(message)
    }

    fn usage(&self) -> Option<Usage> {
        self.agent.usage()
    }

    fn errors(&mut self) -> Option<String> {
        self.agent.errors()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins, in bytes.
    pub start: usize,
    pub text: &'a str,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words<'a> {
    pub words: Vec<Word<'a>>,
    /// The quotation mark, bracket or brace that is never closed.
    pub open: Option<char>,
}

pub fn split(line: &str) -> Words<'_> {
    let mut found = Words::default();
    let (mut start, mut closers, mut is_text, mut is_escaped) = (None, Vec::new(), false, false);
    for (at, c) in line.char_indices() {
        if c.is_whitespace() && !is_text && closers.is_empty() {
            found.words.extend(start.take().and_then(|start| word(line, start, at)));
            continue;
        }
        start.get_or_insert(at);
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            '{' if !is_text => closers.push('}'),
            '[' if !is_text => closers.push(']'),
            c if !is_text && closers.last() == Some(&c) => drop(closers.pop()),
            _ => {}
        }
    }
    found.words.extend(start.and_then(|start| word(line, start, line.len())));
    let opener = |closer: char| if closer == '}' { '{' } else { '[' };
    found.open = if is_text { Some('"') } else { closers.last().copied().map(opener) };
    found
}

fn word(line: &str, start: usize, end: usize) -> Option<Word<'_>> {
    line.get(start..end).map(|text| Word { start, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        split(line).words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn blanks_part_only_outside_of_json() {
        assert_eq!(texts("  a b=1\tc "), ["a", "b=1", "c"]);
        assert_eq!(
            texts(r#"t a="x \" y" b=[1, {"c": "] "}] d=é f"#),
            ["t", r#"a="x \" y""#, r#"b=[1, {"c": "] "}]"#, "d=é", "f"]
        );
        assert_eq!(texts("O'Neill ] x"), ["O'Neill", "]", "x"]);
        assert_eq!(split("a é b").words[2], Word { start: 5, text: "b" });
    }

    #[test]
    fn what_stays_open_is_named() {
        assert_eq!(split("a b=\"x y").open, Some('"'));
        assert_eq!(split("a b=[1, {").open, Some('{'));
        assert_eq!(split("a b=[1]").open, None);
    }
}
