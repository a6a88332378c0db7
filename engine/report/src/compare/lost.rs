//! Tasks that the base solved and the new run no longer does: what a verdict begins with.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pair::Pair;
use probity_bench::{Card, Direction, Levels};

/// A task, and where it was solved and no longer is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostTask {
    /// The task's id.
    pub task: String,
    /// The levels of its settings at which it is lost.
    pub settings: Vec<String>,
    /// At how many settings the base solved it.
    pub solved: usize,
}

/// By instance: the sums of both runs, and the number of pairs.
type Sums<'a> = BTreeMap<(&'a str, &'a Levels), (f64, f64, f64)>;

/// The tasks that are lost: every trial of the base has the best value of the first metric, and not every one of the
/// new run.
pub fn lost(card: &Card, pairs: &[Pair]) -> Vec<LostTask> {
    let Some(metric) = card.metrics.first() else { return Vec::new() };
    let mut sums = Sums::new();
    for pair in pairs {
        let Some((base, new)) = pair.values(metric.name) else { continue };
        let sum = sums.entry((pair.task(), pair.levels())).or_default();
        *sum = (sum.0 + base, sum.1 + new, sum.2 + 1.0);
    }
    let best = match metric.direction {
        Direction::Up => metric.range.1,
        Direction::Down => metric.range.0,
    };
    let mut tasks: BTreeMap<&str, LostTask> = BTreeMap::new();
    for ((task, levels), (base, new, n)) in sums {
        let is_best = |sum: f64| (sum / n - best).abs() < 1e-9;
        if !is_best(base) {
            continue;
        }
        let entry = || LostTask { task: task.to_owned(), settings: Vec::new(), solved: 0 };
        let lost = tasks.entry(task).or_insert_with(entry);
        lost.solved += 1;
        if !is_best(new) {
            lost.settings.push(levels.to_string());
        }
    }
    let mut lost: Vec<LostTask> = tasks.into_values().filter(|task| !task.settings.is_empty()).collect();
    lost.sort_by(|a, b| b.settings.len().cmp(&a.settings.len()).then_with(|| a.task.cmp(&b.task)));
    lost
}

impl std::fmt::Display for LostTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.settings.len() == self.solved && self.solved > 1 {
            true => write!(f, "{}: all {}", self.task, self.solved),
            false => write!(f, "{}: {}", self.task, self.settings.join(", ")),
        }
    }
}
