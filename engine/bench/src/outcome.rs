//! How an episode came out, and which of its findings count: one rule for tables, pages and comparisons.

use crate::named;

use crate::card::Card;
use crate::metric::Direction;
use crate::scores::{Found, Scores};
use crate::verdict::Finding;

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

fn is_same(one: &Finding, other: &Finding) -> bool {
    (&one.code, one.step, one.message) == (&other.code, other.step, other.message)
}
