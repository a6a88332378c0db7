//! What all judges say of a run, and how far they agree. Judged numbers stand apart from those found by rules.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::agreement::{RaterAgreement, agreements};
use super::judgement::{JudgeCard, NoGrades};
use super::rating::Rating;
use super::scale::Scale;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub judges: Vec<JudgeSummary>,
    /// How far judges agree among each other and with themselves.
    pub agreement: Vec<RaterAgreement>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeSummary {
    pub judge: JudgeCard,
    pub repeats: usize,
    /// Its grades by the agent that is graded.
    pub agents: BTreeMap<String, BTreeMap<Scale, GradeSummary>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GradeSummary {
    /// Grades added up, over the best there could be; nothing when nothing was graded.
    pub mean: Option<f64>,
    pub numerator: u64,
    /// The best grade, times those that were given.
    pub denominator: u64,
    pub graded: usize,
    /// Grades not given, by reason; they are in no mean.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_scored: BTreeMap<NoGrades, usize>,
}

impl GradeSummary {
    fn add(&mut self, scale: Scale, grade: Result<u8, NoGrades>) {
        match grade {
            Ok(grade) => {
                self.graded += 1;
                self.numerator += u64::from(grade);
                self.denominator += u64::from(scale.best());
                #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
                let mean = self.numerator as f64 / self.denominator as f64;
                self.mean = Some(mean);
            }
            Err(reason) => *self.not_scored.entry(reason).or_default() += 1,
        }
    }
}

impl Summary {
    pub fn of(ratings: &[Rating]) -> Summary {
        let mut judges: BTreeMap<String, JudgeSummary> = BTreeMap::new();
        let mut repeats: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for rating in ratings {
            let empty = || JudgeSummary { judge: rating.judge.clone(), repeats: 0, agents: BTreeMap::new() };
            let judge = judges.entry(rating.judge.key()).or_insert_with(empty);
            let repeats = repeats.entry(rating.judge.key()).or_default();
            repeats.insert(rating.repeat);
            judge.repeats = repeats.len();
            let agent = judge.agents.entry(rating.episode.agent.clone()).or_default();
            for scale in Scale::ALL {
                agent.entry(scale).or_default().add(scale, rating.on(scale));
            }
        }
        Summary { judges: judges.into_values().collect(), agreement: agreements(ratings) }
    }
}
