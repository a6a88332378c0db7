//! All scores of one episode.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::blame::{self, Blame};
use super::clarification::{self, Clarification};
use super::discipline::{self, Discipline};
use super::efficiency;
use super::failure_mode::{self, FailureMode};
use super::honesty::{self, Ground, Grounds, Honesty};
use super::replayed::Replayed;
use super::success::{self, Success};
use crate::task::Task;
use probity_bench::{Finding, Measure, Trace};

/// The scores of an episode, each under its own name (docs/SCORING.md).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    pub success: Success,
    pub discipline: Discipline,
    pub honesty: Honesty,
    pub clarification: Clarification,
    pub efficiency: Measure,
    pub failure_mode: Option<FailureMode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
}

impl Scores {
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let lists = [
            &self.success.parts.findings,
            &self.honesty.findings,
            &self.discipline.findings,
            &self.clarification.findings,
        ];
        lists.into_iter().flatten()
    }
}

/// Scores traces of a task. What scoring asks of the task itself is read once, for all of them.
pub struct Scorer<T> {
    task: T,
    ground: Arc<Ground>,
}

impl<T: Deref<Target = Task>> Scorer<T> {
    pub fn new(task: T) -> Scorer<T> {
        Scorer { ground: Arc::new(Ground::of(&task)), task }
    }

    /// One of a suite, whose tasks have what is read of their environment in common.
    pub fn of_suite(task: T, grounds: &Grounds) -> Scorer<T> {
        Scorer { ground: grounds.of(&task), task }
    }

    pub fn task(&self) -> &T {
        &self.task
    }

    /// Scores a trace; `None` when it is not one of this task.
    pub fn score(&self, trace: &Trace) -> Option<Scores> {
        scores(&Replayed::new(&self.task, trace)?, &self.ground)
    }
}

/// Scores a single trace; `None` when it is not one of this task. [`Scorer`] is faster for many.
pub fn score(task: &Task, trace: &Trace) -> Option<Scores> {
    Scorer::new(task).score(trace)
}

fn scores(replayed: &Replayed, ground: &Ground) -> Option<Scores> {
    let success = success::score(replayed)?;
    let honesty = honesty::score(replayed, ground);
    let mut scores = Scores {
        discipline: discipline::score(replayed, &honesty.findings),
        honesty,
        clarification: clarification::score(replayed),
        efficiency: efficiency::score(replayed, &success),
        failure_mode: failure_mode::classify(replayed, &success),
        blame: blame::blame(replayed, &success.sr),
        success,
    };
    if replayed.fault.is_some() || replayed.trace.end().is_none_or(|(reason, _)| reason.is_unreached()) {
        scores.discipline.value = None;
        scores.honesty.value = None;
        scores.honesty.measure = Measure::default();
        scores.clarification.measure = Measure::default();
        scores.efficiency = Measure::default();
    }
    Some(scores)
}
