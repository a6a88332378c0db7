//! The episodes of one client, and what it asks of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::request::Request;
use super::{Episode, Offer, Refusal};

/// Most episodes that a client has open.
pub const MAX_OPEN: usize = 100_000;
/// Most forks of one request.
pub const MAX_FORKS: u64 = 10_000;
/// Most bytes that a client's open episodes hold, with all that can be gone back to, roughly.
pub const MAX_HELD: usize = 2 << 30;

/// The open episodes of one client.
pub struct Hall<'s, 'a> {
    offer: &'s Offer<'a>,
    open: BTreeMap<u64, Episode<'a>>,
    opened: u64,
    /// What its moments hold, each once however many forks have it.
    held: Arc<AtomicUsize>,
}

impl<'s, 'a> Hall<'s, 'a> {
    /// A client that has opened nothing.
    pub fn new(offer: &'s Offer<'a>) -> Hall<'s, 'a> {
        Hall { offer, open: BTreeMap::new(), opened: 0, held: Arc::default() }
    }

    /// Carries a request out.
    ///
    /// # Errors
    /// Why it is not carried out.
    pub(crate) fn answer(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Instances { task } => {
                let all = self.offer.instances(task.as_deref());
                Ok(
                    json!({"instances": all.map(|at| json!({"task": at.task, "levels": at.setting})).collect::<Vec<_>>()}),
                )
            }
            Request::Open(opening) => {
                self.check_room(1)?;
                let episode = self.offer.open(&opening, &self.held)?;
                let mut said = episode.told();
                if let Some(map) = said.as_object_mut() {
                    map.remove("history");
                    map.insert("brief".to_owned(), json!(episode.brief()));
                }
                Ok(with("episode", json!(self.keep(episode)), said))
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
                let forked = self.place(&episode)?.1.clone();
                let names = (0..count).map(|_| self.keep(forked.clone())).collect::<Vec<_>>();
                Ok(json!({"episodes": names}))
            }
            Request::Score { episode, record } => {
                let episode = self.place(&episode)?.1;
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
                self.open.remove(&number);
                Ok(json!({"closed": episode}))
            }
        }
    }

    fn place(&mut self, name: &str) -> Result<(u64, &mut Episode<'a>), Refusal> {
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
        let (_, episode) = self.place(name)?;
        change(episode)?;
        Ok(episode.told())
    }

    fn keep(&mut self, episode: Episode<'a>) -> String {
        self.opened += 1;
        self.open.insert(self.opened, episode);
        format!("e{}", self.opened)
    }

    fn check_room(&self, more: usize) -> Result<(), Refusal> {
        if self.open.len().saturating_add(more) > MAX_OPEN {
            let message = format!("{MAX_OPEN} open episodes are the most");
            return Err(Refusal::new("too_many", message, "`close` those that are not needed"));
        }
        if self.held.load(Ordering::Relaxed) > MAX_HELD {
            let message = format!("the open episodes hold more than {MAX_HELD} bytes");
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
