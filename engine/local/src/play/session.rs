//! A play by hand: an episode of the doors, with lines that are taken back, done again and left for others.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;

use crate::failure::Failure;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::Task;
use probity_bench::{AgentMessage, Benchmark, EpisodeRecord, Event, Limits, MAX_TEXT, MAX_TOOL_NAME, Services};
use probity_doors::{Episode, Offer, Opening};
use probity_engine::{Delta, State, ToolCall, ids::is_identifier, suggest};

/// The agent's name in records.
pub const PLAYER: &str = "hand";
/// What ends the episode in which an environment's tools were tried.
const LAST_WORDS: &str = "This was played by hand.";
const FIRST: &str = "main";
const MAX_FORKS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// With nobody: an environment's tools are tried.
    Nobody,
    /// With the user of a task, whose agent the player is.
    User,
}

/// A line of play. Cloning it costs nothing.
#[derive(Clone)]
struct Line<'a> {
    now: Episode<'a>,
    /// Where it stood before messages were taken back, the last first to be done again.
    undone: Vector<Episode<'a>>,
}

pub struct Session<'a> {
    task: Arc<Task>,
    variant: Variant,
    partner: Partner,
    limits: Limits,
    line: Line<'a>,
    name: String,
    others: BTreeMap<String, Line<'a>>,
}

impl<'a> Session<'a> {
    /// The start of a play; `None` when the benchmark has no such task, or the task no such variant.
    pub fn new(
        benchmark: &'a dyn Benchmark,
        task: Arc<Task>,
        variant: Variant,
        (partner, limits): (Partner, Limits),
    ) -> Option<Self> {
        let levels = variant.levels();
        let opening = Opening {
            task: task.id().to_owned(),
            levels: levels.iter().map(|(factor, level)| (factor.to_owned(), level.to_owned())).collect(),
            max_messages: Some(limits.max_messages),
            ..Opening::default()
        };
        let offer = Offer::new(benchmark, Services::default(), PLAYER);
        let line = Line { now: offer.open(&opening, &Arc::default()).ok()?, undone: Vector::new() };
        Some(Session { task, variant, partner, limits, line, name: FIRST.to_owned(), others: BTreeMap::new() })
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

    pub fn state(&self) -> &State {
        self.line.state(&self.task)
    }

    pub fn is_over(&self) -> bool {
        self.line.now.is_over()
    }

    /// How many messages the player has said on this line.
    pub fn messages(&self) -> usize {
        self.line.messages()
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.line.now.events()
    }

    /// What the last message brought; before one, what the play starts with.
    pub fn latest(&self) -> impl Iterator<Item = &Event> {
        self.line.now.latest()
    }

    /// The record of the play, ended here where it is not over; nothing where it cannot be ended.
    pub fn record(&self) -> Option<EpisodeRecord> {
        let mut episode = self.line.now.clone();
        if !episode.is_over() {
            let ended = match self.partner {
                Partner::Nobody => episode.step(AgentMessage::reply(LAST_WORDS)),
                Partner::User => episode.end("the player left"),
            };
            ended.ok()?;
        }
        episode.record().ok()
    }

    /// Calls a tool, as a message of its own.
    /// An error: the dialogue is over, or no agent could make such a call.
    pub fn call(&mut self, call: ToolCall) -> Result<(), Failure> {
        self.check_open()?;
        if call.tool.len() > MAX_TOOL_NAME {
            return Err(Failure::new(format!("a tool's name longer than {MAX_TOOL_NAME} bytes"), "shorten it"));
        }
        if !call.is_within_limits() {
            return Err(Failure::new("the arguments are too large or nested too deep", "give smaller ones"));
        }
        self.take(AgentMessage::call(call))
    }

    /// Replies to the user, who then says the next turn.
    /// An error: the dialogue is over, there is nobody to talk to, or nothing is said.
    pub fn say(&mut self, text: &str) -> Result<(), Failure> {
        if self.partner == Partner::Nobody {
            return Err(Failure::new("there is nobody to talk to", "`probity play TASK` has a user"));
        }
        self.check_open()?;
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_TEXT {
            return Err(Failure::new(format!("a reply has 1 to {MAX_TEXT} bytes"), "for example `say One moment.`"));
        }
        self.take(AgentMessage::reply(text))
    }

    fn check_open(&self) -> Result<(), Failure> {
        if self.is_over() {
            return Err(Failure::new("the dialogue is over", "`undo` takes the last message back"));
        }
        // Without a user the last message is kept for the words that end the episode.
        let is_last = self.line.now.messages().saturating_add(1) >= self.limits.max_messages;
        if self.partner == Partner::Nobody && is_last {
            let message = format!("one episode has {} messages at most", self.limits.max_messages);
            return Err(Failure::new(message, "`undo` takes calls back; `save` keeps what was played"));
        }
        Ok(())
    }

    fn take(&mut self, message: AgentMessage) -> Result<(), Failure> {
        self.line.now.step(message)?;
        self.line.undone.clear();
        Ok(())
    }

    /// Takes the last messages back and gives what each had brought, the last first.
    /// An error: there are not so many.
    pub fn undo(&mut self, count: usize) -> Result<Vec<Vec<Event>>, Failure> {
        let there = self.messages();
        if count > there {
            return Err(too_many("undone", count, there));
        }
        let mut undone = Vec::new();
        for _ in 0..count {
            let after = self.line.now.clone();
            self.line.now.undo(1)?;
            undone.push(after.latest().cloned().collect());
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
            self.line.now = self.line.undone.pop_back().unwrap_or_else(|| self.line.now.clone());
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
        let others = self.others.iter().map(|(name, line)| (name.as_str(), line.messages()));
        others.chain(std::iter::once((self.name.as_str(), self.messages()))).collect()
    }

    /// What differs between where two lines stand.
    pub fn diff(&self, from: &str, to: &str) -> Result<Delta, Failure> {
        Ok(self.line(from)?.state(&self.task).changes_to(self.line(to)?.state(&self.task)))
    }

    fn line(&self, name: &str) -> Result<&Line<'a>, Failure> {
        if name == self.name { Ok(&self.line) } else { self.others.get(name).ok_or_else(|| self.no_line(name)) }
    }

    fn no_line(&self, name: &str) -> Failure {
        Failure::new(format!("there is no line `{name}`"), suggest::help(name, self.lines().into_keys()))
    }
}

impl Line<'_> {
    /// Each message is one that can be taken back.
    fn messages(&self) -> usize {
        usize::try_from(self.now.messages()).unwrap_or(usize::MAX)
    }

    /// Where the state machine stands; a task's world is always one.
    fn state<'s>(&'s self, task: &'s Task) -> &'s State {
        self.now.state().unwrap_or(task.initial())
    }
}

fn too_many(done: &str, count: usize, there: usize) -> Failure {
    let message = format!("{count} messages cannot be {done}");
    let help = if there == 0 { "there is nothing left".to_owned() } else { format!("{there} can") };
    Failure::new(message, help)
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
