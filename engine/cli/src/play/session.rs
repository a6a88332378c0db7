//! A play by hand: moments that can be taken back and forks of them, on states that are never changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;

use crate::failure::Failure;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::Task;
use probity_behaviour::task::position::Position;
use probity_bench::{AgentMessage, EndReason, Event, Limits, MAX_TEXT, MAX_TOOL_NAME};
use probity_engine::{Actor, Delta, State, ToolCall, ids::is_identifier, suggest};

pub const FIRST: &str = "main";
const MAX_FORKS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// With nobody: an environment's tools are tried.
    Nobody,
    /// With the user of a task, whose agent the player is.
    User,
}

/// A point of a play, with what led to it from the point before.
pub struct Moment {
    message: Option<AgentMessage>,
    events: Vec<Event>,
    position: Position,
    turn: usize,
    messages: u32,
    is_over: bool,
}

impl Moment {
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn state(&self) -> &State {
        self.position.state()
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

/// A line of play. Cloning it costs nothing.
#[derive(Clone)]
struct Line {
    now: Arc<Moment>,
    past: Vector<Arc<Moment>>,
    undone: Vector<Arc<Moment>>,
}

pub struct Session {
    task: Arc<Task>,
    variant: Variant,
    partner: Partner,
    limits: Limits,
    turns: Vec<String>,
    line: Line,
    name: String,
    others: BTreeMap<String, Line>,
}

impl Session {
    /// The start of a play; `None` when the task has no such variant.
    pub fn new(task: Arc<Task>, variant: Variant, partner: Partner, limits: Limits) -> Option<Self> {
        let turns = task.behaviour(variant)?.turns.clone();
        let first = turns.first().map(|text| Event::user(1, text.clone()));
        let now = Moment {
            message: None,
            events: first.into_iter().collect(),
            position: Position::start(&task),
            turn: 1,
            messages: 0,
            is_over: false,
        };
        let line = Line { now: Arc::new(now), past: Vector::new(), undone: Vector::new() };
        Some(Session { task, variant, partner, limits, turns, line, name: FIRST.to_owned(), others: BTreeMap::new() })
    }

    /// The task that is played; a blank one where only an environment's tools are tried.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub fn partner(&self) -> Partner {
        self.partner
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn now(&self) -> &Moment {
        &self.line.now
    }

    pub fn moments(&self) -> impl Iterator<Item = &Moment> {
        self.line.past.iter().chain(std::iter::once(&self.line.now)).map(AsRef::as_ref)
    }

    /// What the player said and called on this line.
    pub fn messages(&self) -> Vec<AgentMessage> {
        self.moments().filter_map(|moment| moment.message.clone()).collect()
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.moments().flat_map(Moment::events)
    }

    /// Calls a tool, as a message of its own.
    /// An error: the dialogue is over, or no agent could make such a call.
    pub fn call(&mut self, call: ToolCall) -> Result<&Moment, Failure> {
        self.check_open()?;
        if call.tool.len() > MAX_TOOL_NAME {
            return Err(Failure::new(format!("a tool's name longer than {MAX_TOOL_NAME} bytes"), "shorten it"));
        }
        if !call.is_within_limits() {
            return Err(Failure::new("the arguments are too large or nested too deep", "give smaller ones"));
        }
        let mut next = self.next(AgentMessage::call(call.clone()));
        let (step, findings) = next.position.step(&self.task, call, Actor::Agent, next.messages);
        next.events.push(Event::Step(step));
        next.events.extend(findings.into_iter().map(Event::Finding));
        self.end_when_used_up(&mut next);
        Ok(self.go_to(next))
    }

    /// Replies to the user, who then says the next turn.
    /// An error: the dialogue is over, there is nobody to talk to, or nothing is said.
    pub fn say(&mut self, text: &str) -> Result<&Moment, Failure> {
        if self.partner == Partner::Nobody {
            return Err(Failure::new("there is nobody to talk to", "`probity play TASK` has a user"));
        }
        self.check_open()?;
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_TEXT {
            return Err(Failure::new(format!("a reply has 1 to {MAX_TEXT} bytes"), "for example `say One moment.`"));
        }
        let mut next = self.next(AgentMessage::reply(text));
        next.events.push(Event::Reply { message: next.messages, text: text.to_owned(), aside: false });
        match self.turns.get(next.turn) {
            Some(words) => {
                next.turn += 1;
                let turn = u32::try_from(next.turn).unwrap_or(u32::MAX);
                next.events.push(Event::user(turn, words.clone()));
                self.end_when_used_up(&mut next);
            }
            None => end(&mut next, EndReason::Completed),
        }
        Ok(self.go_to(next))
    }

    fn check_open(&self) -> Result<(), Failure> {
        if self.line.now.is_over {
            return Err(Failure::new("the dialogue is over", "`undo` takes the last message back"));
        }
        // Without a user the last message is kept for the words that end the episode.
        let is_last = self.line.now.messages.saturating_add(1) >= self.limits.max_messages;
        if self.partner == Partner::Nobody && is_last {
            let message = format!("one episode has {} messages at most", self.limits.max_messages);
            return Err(Failure::new(message, "`undo` takes calls back; `save` keeps what was played"));
        }
        Ok(())
    }

    fn next(&self, message: AgentMessage) -> Moment {
        let now = &self.line.now;
        Moment {
            message: Some(message),
            events: Vec::new(),
            position: now.position.clone(),
            turn: now.turn,
            messages: now.messages + 1,
            is_over: false,
        }
    }

    fn end_when_used_up(&self, next: &mut Moment) {
        if self.partner == Partner::User && next.messages >= self.limits.max_messages {
            end(next, EndReason::MaxMessages);
        }
    }

    fn go_to(&mut self, next: Moment) -> &Moment {
        let before = std::mem::replace(&mut self.line.now, Arc::new(next));
        self.line.past.push_back(before);
        self.line.undone.clear();
        &self.line.now
    }

    /// Takes the last messages back and gives them, the last first.
    /// An error: there are not so many.
    pub fn undo(&mut self, count: usize) -> Result<Vec<Arc<Moment>>, Failure> {
        let there = self.line.past.len();
        if count > there {
            return Err(too_many("undone", count, there));
        }
        let mut undone = Vec::new();
        for _ in 0..count {
            let Some(before) = self.line.past.pop_back() else { break };
            let after = std::mem::replace(&mut self.line.now, before);
            undone.push(Arc::clone(&after));
            self.line.undone.push_back(after);
        }
        Ok(undone)
    }

    /// Does again what was taken back.
    pub fn redo(&mut self, count: usize) -> Result<(), Failure> {
        let there = self.line.undone.len();
        if count > there {
            return Err(too_many("done again", count, there));
        }
        for _ in 0..count {
            let Some(after) = self.line.undone.pop_back() else { break };
            let before = std::mem::replace(&mut self.line.now, after);
            self.line.past.push_back(before);
        }
        Ok(())
    }

    /// Goes on with a copy of this line under another name; this one stays as it is.
    /// An error: the name is taken or is none, or there are too many forks.
    pub fn fork(&mut self, name: &str) -> Result<(), Failure> {
        if !is_identifier(name) {
            return Err(Failure::new(format!("`{name}` is no name"), "lower-case letters, digits and `_`"));
        }
        if name == self.name || self.others.contains_key(name) {
            let help = format!("choose another name, or `switch {name}`");
            return Err(Failure::new(format!("there is a line `{name}` already"), help));
        }
        if self.others.len() >= MAX_FORKS {
            return Err(Failure::new(format!("{MAX_FORKS} forks are the most"), "go on with one of them"));
        }
        let left = std::mem::replace(&mut self.name, name.to_owned());
        self.others.insert(left, self.line.clone());
        Ok(())
    }

    pub fn switch(&mut self, name: &str) -> Result<(), Failure> {
        if name == self.name {
            return Ok(());
        }
        let Some(line) = self.others.remove(name) else { return Err(self.no_line(name)) };
        let left = std::mem::replace(&mut self.line, line);
        self.others.insert(std::mem::replace(&mut self.name, name.to_owned()), left);
        Ok(())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of all lines with how many messages each has, in order of the names.
    pub fn lines(&self) -> BTreeMap<&str, usize> {
        let others = self.others.iter().map(|(name, line)| (name.as_str(), line.past.len()));
        others.chain(std::iter::once((self.name.as_str(), self.line.past.len()))).collect()
    }

    /// What differs between where two lines stand.
    pub fn diff(&self, from: &str, to: &str) -> Result<Delta, Failure> {
        Ok(self.line(from)?.now.state().changes_to(self.line(to)?.now.state()))
    }

    fn line(&self, name: &str) -> Result<&Line, Failure> {
        if name == self.name { Ok(&self.line) } else { self.others.get(name).ok_or_else(|| self.no_line(name)) }
    }

    fn no_line(&self, name: &str) -> Failure {
        Failure::new(format!("there is no line `{name}`"), suggest::help(name, self.lines().into_keys()))
    }
}

fn end(moment: &mut Moment, reason: EndReason) {
    moment.is_over = true;
    moment.events.push(Event::End { reason, detail: None });
}

fn too_many(done: &str, count: usize, there: usize) -> Failure {
    let message = format!("{count} messages cannot be {done}");
    let help = if there == 0 { "there is nothing left".to_owned() } else { format!("{there} can") };
    Failure::new(message, help)
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
