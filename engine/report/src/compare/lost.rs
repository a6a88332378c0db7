//! Tasks that the base solved and the new run no longer does: what a verdict begins with.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pair::Pair;
use probity_bench::{Card, Levels};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostTask {
    pub task: String,
    pub settings: Vec<String>,
    /// At how many settings the base solved it.
    pub solved: usize,
}

/// The tasks that are lost: at some setting every trial of the base is a success, and not every one of the new run.
pub fn lost(card: &Card, pairs: &[Pair]) -> Vec<LostTask> {
    let mut solved: BTreeMap<(&str, &Levels), (bool, bool)> = BTreeMap::new();
    for pair in pairs {
        // What is not scored in either says nothing of the instance.
        let Some((base, new)) = pair.values(card.headline()) else { continue };
        let [base, new] = [base, new].map(|value| card.is_success(value));
        let both = solved.entry((pair.task(), pair.levels())).or_insert((true, true));
        *both = (both.0 && base, both.1 && new);
    }
    let mut tasks: BTreeMap<&str, LostTask> = BTreeMap::new();
    for ((task, levels), (_, new)) in solved.into_iter().filter(|(_, (base, _))| *base) {
        let entry = || LostTask { task: task.to_owned(), settings: Vec::new(), solved: 0 };
        let lost = tasks.entry(task).or_insert_with(entry);
        lost.solved += 1;
        lost.settings.extend((!new).then(|| levels.to_string()));
    }
    let mut lost: Vec<LostTask> = tasks.into_values().filter(|task| !task.settings.is_empty()).collect();
    lost.sort_by(|a, b| b.settings.len().cmp(&a.settings.len()).then_with(|| a.task.cmp(&b.task)));
    lost
}

impl std::fmt::Display for LostTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.settings.len() == self.solved && self.solved > 1 {
            true => write!(f, "{}: all {} that the base solved", self.task, self.solved),
            false => write!(f, "{}: {}", self.task, self.settings.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;

    #[test]
    fn what_is_not_scored_is_not_lost() {
        let of = |sr| Sketch { sr, ..Sketch::default() }.record();
        let lost = |base, new| !lost(&CARD, &[Pair { base: &of(base), new: &of(new) }]).is_empty();
        assert!(lost(Some(true), Some(false)) && !lost(Some(true), None));
        assert!(!lost(None, None) && !lost(None, Some(false)) && !lost(Some(true), Some(true)));
    }
}
