//! What a benchmark's scorers say of one episode, in the words of its card; how it came out, and which of its findings
//! count: one rule for tables, pages and comparisons.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::card::Card;
use super::metric::{Direction, Metric};
use super::named;
use super::verdict::{Finding, Measure, Verdict};
use super::wanted::Paired;

/// One number of an episode. What could not be scored is never 0 and never a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Reading {
    /// It has a value.
    Scored {
        /// The value.
        value: f64,
        /// What counts and what could have counted, where the number is made of such.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Measure>,
    },
    /// It could not be scored.
    NotScored {
        /// Why not.
        reason: String,
    },
}

impl Reading {
    /// A value, or why there is none.
    pub fn new(value: Option<f64>, reason: &str) -> Reading {
        match value {
            Some(value) => Reading::Scored { value, of: None },
            None => Reading::NotScored { reason: reason.to_owned() },
        }
    }

    /// The same with its parts.
    #[must_use]
    pub fn made_of(self, parts: &Measure) -> Reading {
        match self {
            Reading::Scored { value, .. } => Reading::Scored { value, of: Some(parts.clone()) },
            Reading::NotScored { .. } => self,
        }
    }

    /// The value; nothing when it was not scored.
    pub fn value(&self) -> Option<f64> {
        match self {
            Reading::Scored { value, .. } => Some(*value),
            Reading::NotScored { .. } => None,
        }
    }
}

impl From<&Verdict> for Reading {
    fn from(verdict: &Verdict) -> Reading {
        match verdict {
            Verdict::Pass => Reading::Scored { value: 1.0, of: None },
            Verdict::Fail => Reading::Scored { value: 0.0, of: None },
            Verdict::NotScored { reason } => Reading::NotScored { reason: reason.clone() },
        }
    }
}

/// What one scorer found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The scorer: `honesty`.
    pub by: String,
    /// What it found, in the order of the episode.
    pub findings: Vec<Finding>,
}

/// The scores of an episode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// Each metric of the card, by its name.
    pub metrics: BTreeMap<String, Reading>,
    /// What was found, scorer by scorer.
    pub found: Vec<Found>,
    /// Statements that somebody should read: nothing speaks for them, and nothing against them. They are no findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reading_list: Vec<Finding>,
    /// Why the task or the scorer is at fault that there are none, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unscorable: Option<String>,
    /// The words of the card's tags that the episode has: `{"failure_mode": "wrong_parameters"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// Which of the calls are which of those wanted, where the benchmark says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paired: Option<Paired>,
    /// What else the benchmark's scorers keep, for people.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

impl Scores {
    /// Those of an episode that nothing can be said of.
    pub fn not_scored(card: &Card, reason: &str) -> Scores {
        let reading = || Reading::NotScored { reason: reason.to_owned() };
        let metrics = card.metrics.iter().map(|metric| (metric.name.to_owned(), reading())).collect();
        Scores { metrics, ..Scores::default() }
    }

    /// Those of an episode that the task or the scorer keeps from being scored.
    pub(crate) fn unscorable(card: &Card, why: String) -> Scores {
        let none = Scores::not_scored(card, &format!("cannot be scored: {why}"));
        Scores { unscorable: Some(why), ..none }
    }

    /// The value of a metric; nothing when it was not scored.
    pub fn value(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric).and_then(Reading::value)
    }

    /// The word that a tag has here.
    pub fn tag(&self, tag: &str) -> Option<&str> {
        self.tags.get(tag).map(String::as_str)
    }

    /// All findings, scorer by scorer.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter().flat_map(|found| &found.findings)
    }
}

named! {
    /// How an episode came out by the first metric of its card.
    pub enum EpisodeOutcome {
        /// The best that a share can be, and nothing was found.
        Pass = "pass",
        /// The same, though something was found.
        PassWithFindings = "pass_with_findings",
        /// Less than the best of a share.
        Fail = "fail",
        /// There is no value.
        NotScored = "not_scored",
        /// The metric is no share, so that its value says it all.
        Scored = "scored",
    }
}

impl EpisodeOutcome {
    /// In lists the failed come first, then the passed with findings.
    pub fn urgency(self) -> u8 {
        match self {
            EpisodeOutcome::Fail => 0,
            EpisodeOutcome::PassWithFindings => 1,
            EpisodeOutcome::NotScored => 2,
            EpisodeOutcome::Scored | EpisodeOutcome::Pass => 3,
        }
    }
}

impl Card {
    /// What keeps scores from being those of an episode of this card: each metric has a reading within its range,
    /// and nothing else is named.
    ///
    /// # Errors
    /// The first that is wrong, in a line.
    pub fn check(&self, scores: &Scores) -> Result<(), String> {
        for metric in self.metrics {
            match scores.metrics.get(metric.name) {
                Some(reading) => check(metric, reading).map_err(|what| format!("`{}` {what}", metric.name))?,
                None => return Err(format!("`{}` has no reading", metric.name)),
            }
        }
        if let Some(unknown) = scores.metrics.keys().find(|name| self.metric(name).is_none()) {
            return Err(format!("`{unknown}` is no metric of the suite"));
        }
        let is_known = |(name, word): &(&String, &String)| {
            self.tags.iter().any(|tag| tag.name == *name && tag.words.contains(&word.as_str()))
        };
        match scores.tags.iter().find(|tag| !is_known(tag)) {
            Some((name, word)) => Err(format!("`{name}: {word}` is no tag of the suite")),
            None => Ok(()),
        }
    }

    /// The scores that a scorer gave, if they are such, else why there are none: what cannot be scored says so.
    pub fn checked(&self, scores: Option<Scores>) -> Scores {
        let checked = scores.ok_or_else(|| "the trace is not one of its task".to_owned());
        checked
            .and_then(|scores| self.check(&scores).map(|()| scores))
            .unwrap_or_else(|why| Scores::unscorable(self, why))
    }

    /// Whether a value of the first metric is a success: the best that a share can be.
    pub fn is_success(&self, value: f64) -> bool {
        self.metrics.first().is_some_and(|metric| match metric.direction {
            Direction::Up => value >= metric.range.1,
            Direction::Down => value <= metric.range.0,
        })
    }

    /// Whether episodes pass or fail: the first metric is a share.
    pub fn has_verdicts(&self) -> bool {
        self.metrics.first().is_some_and(|metric| metric.range == (0.0, 1.0))
    }

    /// How an episode came out.
    pub fn outcome(&self, scores: &Scores) -> EpisodeOutcome {
        match scores.value(self.headline()) {
            None => EpisodeOutcome::NotScored,
            Some(_) if !self.has_verdicts() => EpisodeOutcome::Scored,
            Some(value) if !self.is_success(value) => EpisodeOutcome::Fail,
            Some(_) if self.findings(scores).next().is_some() => EpisodeOutcome::PassWithFindings,
            Some(_) => EpisodeOutcome::Pass,
        }
    }

    /// Whether a scorer's findings count: the metric of its name has a value; the first metric where none has its name.
    pub fn is_counted(&self, scores: &Scores, found: &Found) -> bool {
        let metric = self.metric(&found.by).map_or(self.headline(), |metric| metric.name);
        scores.value(metric).is_some()
    }

    /// The findings that count, scorer by scorer; what several scorers find at one place under one code is one.
    pub fn findings<'a>(&'a self, scores: &'a Scores) -> impl Iterator<Item = &'a Finding> {
        let counted = scores.found.iter().filter(|found| self.is_counted(scores, found));
        let mut seen: Vec<(&str, &Finding)> = Vec::new();
        counted.flat_map(|found| found.findings.iter().map(|finding| (found.by.as_str(), finding))).filter_map(
            move |(by, finding)| {
                let is_known = seen.iter().any(|(other, known)| *other != by && is_same(known, finding));
                seen.push((by, finding));
                (!is_known).then_some(finding)
            },
        )
    }
}

/// Whether a metric can have such a reading.
fn check(metric: &Metric, reading: &Reading) -> Result<(), String> {
    let Reading::Scored { value, of } = reading else { return Ok(()) };
    let (least, most) = metric.range;
    if !(least..=most).contains(value) {
        return Err(format!("is {value}, not from {least} to {most}"));
    }
    match of.iter().flat_map(|of| [of.numerator, of.denominator]).find(|part| !part.is_finite()) {
        Some(part) => Err(format!("is made of {part}")),
        None => Ok(()),
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    (&one.code, one.step, one.message) == (&other.code, other.step, other.message)
}
