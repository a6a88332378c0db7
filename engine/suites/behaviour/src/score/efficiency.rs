//! Efficiency: the action budget against the calls that were made (RUT-Bench 4.3).

use super::replayed::Replayed;
use super::success::Success;
use probity_bench::{Measure, Verdict};

/// Budget of the nearest accepted outcome plus the reads the user asked for, over the calls made; at most 1.
/// Scored for episodes that were solved with calls: a quick failure is not efficient.
pub fn score(replayed: &Replayed, success: &Success) -> Measure {
    let outcome = replayed.task.outcomes().iter().find(|outcome| outcome.name == success.parts.outcome);
    match (&success.solved, outcome) {
        (Verdict::Pass, Some(outcome)) => {
            let extra = replayed.behaviour.extra_calls.len().min(replayed.steps.len().saturating_sub(outcome.budget()));
            let allowed = outcome.budget() + extra;
            Measure::of(allowed.min(replayed.steps.len()), replayed.steps.len())
        }
        (Verdict::Pass | Verdict::Fail | Verdict::NotScored { .. }, _) => Measure::default(),
    }
}
