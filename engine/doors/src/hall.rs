//! The episodes of one client, and what it asks of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::request::Request;
use super::{Episode, Refusal, Stage};

/// Most episodes that a client has open.
pub const MAX_OPEN: usize = 100_000;
/// Most forks of one request.
pub const MAX_FORKS: u64 = 10_000;
/// Most bytes of events, as JSON, that a client's open episodes were played with; what forks share counts once.
pub const MAX_HELD: usize = 1 << 30;

/// The open episodes of one client.
pub struct Hall<'s, 'a> {
    stage: &'s Stage<'a>,
    open: BTreeMap<u64, Place<'a>>,
    opened: u64,
    held: usize,
}

struct Place<'a> {
    episode: Episode<'a>,
    /// What it holds beside what it shares with the episode that it is a fork of, at most.
    held: usize,
}

impl<'s, 'a> Hall<'s, 'a> {
    /// A client that has opened nothing.
    pub fn new(stage: &'s Stage<'a>) -> Hall<'s, 'a> {
        Hall { stage, open: BTreeMap::new(), opened: 0, held: 0 }
    }

    /// How many episodes are open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Carries a request out.
    ///
    /// # Errors
    /// Why it is not carried out.
    pub(crate) fn answer(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Instances { task } => {
                let all = self.stage.instances(task.as_deref());
                Ok(
                    json!({"instances": all.map(|at| json!({"task": at.task, "levels": at.setting})).collect::<Vec<_>>()}),
                )
            }
            Request::Open(opening) => {
                self.check_room(1)?;
                let episode = self.stage.open(&opening)?;
                let mut said = episode.told();
                if let Some(map) = said.as_object_mut() {
                    map.remove("history");
                    map.insert("brief".to_owned(), json!(episode.brief()));
                }
                let held = episode.bytes();
                Ok(with("episode", json!(self.keep(episode, held)), said))
            }
            Request::Step { episode, message } => {
                self.check_room(0)?;
                self.change(&episode, |episode| episode.step(message))
            }
            Request::Undo { episode, count } => {
                self.change(&episode, |episode| episode.undo(usize::try_from(count).unwrap_or(usize::MAX)))
            }
            Request::End { episode } => self.change(&episode, |episode| episode.end("the agent gave up")),
            Request::Fork { episode, count } => {
                if count > MAX_FORKS {
                    let message = format!("{count} forks at once; {MAX_FORKS} are the most");
                    return Err(Refusal::new("too_many", message, "ask more than once"));
                }
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                self.check_room(count)?;
                let forked = self.place(&episode)?.1.episode.clone();
                let names = (0..count).map(|_| self.keep(forked.clone(), 0)).collect::<Vec<_>>();
                Ok(json!({"episodes": names}))
            }
            Request::Score { episode, record } => {
                let episode = &self.place(&episode)?.1.episode;
                let scored = episode.record()?;
                let said = json!({
                    "scores": scored.scores,
                    "reward": episode.reward(&scored),
                    "digest": scored.digest,
                    "end": scored.trace.end().map(|(reason, _)| reason),
                });
                Ok(if record { with("record", json!(scored), said) } else { said })
            }
            Request::Close { episode } => {
                let (number, _) = self.place(&episode)?;
                if let Some(gone) = self.open.remove(&number) {
                    self.held -= gone.held;
                }
                Ok(json!({"closed": episode}))
            }
        }
    }

    fn place(&mut self, name: &str) -> Result<(u64, &mut Place<'a>), Refusal> {
        let number = name.strip_prefix('e').and_then(|number| number.parse::<u64>().ok());
        let found = number.filter(|number| format!("e{number}") == name);
        let found = found.and_then(|number| Some((number, self.open.get_mut(&number)?)));
        found.ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            let message = format!("no episode `{shown}` is open here");
            Refusal::new("unknown_episode", message, "`open` gives the names of episodes; `close` ends them")
        })
    }

    fn change(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Episode<'a>) -> Result<(), Refusal>,
    ) -> Result<Value, Refusal> {
        let (_, place) = self.place(name)?;
        let before = place.episode.bytes();
        change(&mut place.episode)?;
        // What was taken back is still held by forks, perhaps.
        let more = place.episode.bytes().saturating_sub(before);
        place.held += more;
        let told = place.episode.told();
        self.held += more;
        Ok(told)
    }

    fn keep(&mut self, episode: Episode<'a>, held: usize) -> String {
        self.opened += 1;
        self.held += held;
        self.open.insert(self.opened, Place { episode, held });
        format!("e{}", self.opened)
    }

    fn check_room(&self, more: usize) -> Result<(), Refusal> {
        if self.open.len().saturating_add(more) > MAX_OPEN {
            let message = format!("{MAX_OPEN} open episodes are the most");
            return Err(Refusal::new("too_many", message, "`close` those that are not needed"));
        }
        if self.held > MAX_HELD {
            let message = format!("the open episodes hold more than {MAX_HELD} bytes of events");
            return Err(Refusal::new("full", message, "`close` those that are not needed"));
        }
        Ok(())
    }
}

/// An object with one more key.
fn with(key: &str, value: Value, mut object: Value) -> Value {
    if let Some(map) = object.as_object_mut() {
        map.insert(key.to_owned(), value);
    }
    object
}
