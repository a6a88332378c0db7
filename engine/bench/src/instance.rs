//! What is played: a task at a level of each setting, and how; where it stands in a benchmark's factors: `{"variant":
//! "ideal"}`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

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

/// The limits of an episode; part of the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Agent messages at most; 20 by default, as in the paper.
    pub max_messages: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_messages: 20 }
    }
}

/// The options of a run that are not the usual ones, by name.
pub type Options = BTreeMap<String, String>;

/// A level for each of some factors, by the factors' names. Copies are shared: an instance is named in many places.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Levels(Arc<BTreeMap<String, String>>);

impl Levels {
    /// The level of a factor; nothing where it has none.
    pub fn get(&self, factor: &str) -> Option<&str> {
        self.0.get(factor).map(String::as_str)
    }

    /// The factors with their levels, in the order of the factors' names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(factor, level)| (factor.as_str(), level.as_str()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These and those of `others`, which count where both have one.
    #[must_use]
    pub fn with(&self, others: &Levels) -> Levels {
        self.iter().chain(others.iter()).collect()
    }
}

impl<F: Into<String>, L: Into<String>> FromIterator<(F, L)> for Levels {
    fn from_iter<I: IntoIterator<Item = (F, L)>>(levels: I) -> Levels {
        Levels(Arc::new(levels.into_iter().map(|(factor, level)| (factor.into(), level.into())).collect()))
    }
}

/// The levels alone, a space between: how episodes are named. `-` where there is none.
impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<&str> = self.0.values().map(String::as_str).collect();
        f.write_str(if levels.is_empty() { "-" } else { "" })?;
        f.write_str(&levels.join(" "))
    }
}
