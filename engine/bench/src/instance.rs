//! What is played: a task at a level of each setting, and how.

use crate::levels::Levels;
use crate::options::Options;
use crate::trace::Limits;

/// One thing to play: a task at a level of each setting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// The task's id.
    pub task: String,
    /// The levels of the card's settings, which with the task are the instance's name.
    pub setting: Levels,
    /// The levels of the factors that the task brings.
    pub properties: Levels,
}

impl Instance {
    /// The levels of all factors.
    pub fn factors(&self) -> Levels {
        self.properties.with(&self.setting)
    }
}

/// How an instance is played, the agent aside.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The seed of the episode.
    pub seed: u64,
    /// The limits.
    pub limits: Limits,
    /// The user: one of [`users`](crate::Benchmark::users), with `:MODEL` behind it where a model speaks.
    pub user: &'a str,
    /// The options of the run.
    pub options: &'a Options,
    /// The next task's instance of the same setting in the run, for a user who says another's words.
    pub next: Option<&'a Instance>,
}
