//! A number of episodes, and how it is made, counted together and shown.

use serde::{Deserialize, Serialize};

use crate::instance::Levels;
use crate::kit::{pair, word};

/// One number of an episode.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Its name in JSON, reports and gates: `sr`.
    #[serde(deserialize_with = "word")]
    pub name: &'static str,
    /// Its title: `SR`.
    #[serde(deserialize_with = "word")]
    pub title: &'static str,
    /// What it means, in a sentence.
    #[serde(deserialize_with = "word")]
    pub meaning: &'static str,
    /// How it is made.
    #[serde(deserialize_with = "word")]
    pub formula: &'static str,
    /// The section of docs/SCORING.md, or of the benchmark's own page, that has all of it.
    #[serde(deserialize_with = "word")]
    pub section: &'static str,
    /// Its least and its greatest value.
    #[serde(default = "share")]
    pub range: (f64, f64),
    /// How the episodes of a group become one number.
    #[serde(default)]
    pub aggregation: Aggregation,
    /// Whether more of it is better.
    #[serde(default)]
    pub direction: Direction,
    /// Where it is shown.
    pub place: Visibility,
    /// The factor and its level at which alone it is measured; nothing where it is everywhere.
    #[serde(default, deserialize_with = "pair")]
    pub only: Option<(&'static str, &'static str)>,
}

/// The range of what is a share of something.
fn share() -> (f64, f64) {
    (0.0, 1.0)
}

/// How the episodes of a group become one number. What was not scored is in neither part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// The mean over scored episodes.
    #[default]
    Mean,
    /// All numerators over all denominators: an episode with more weighs more.
    Pooled,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// More is better.
    #[default]
    Up,
    /// Less is better.
    Down,
}

/// Where a metric is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// In every table, list and comparison, with an interval.
    Table,
    /// On the page with an interval, in comparisons and gates.
    Page,
    /// The same, without an interval.
    Beside,
}

impl Metric {
    /// Whether it is measured in an episode with these factors.
    pub fn applies(&self, factors: &Levels) -> bool {
        self.only.is_none_or(|(factor, level)| factors.get(factor) == Some(level))
    }
}

impl Direction {
    /// 1 where more is better, -1 where less is.
    pub fn sign(self) -> f64 {
        match self {
            Direction::Up => 1.0,
            Direction::Down => -1.0,
        }
    }
}
