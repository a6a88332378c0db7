//! The peer's sets of tasks.
//!
//! The base set was drawn by Python's `random` with seed 42, its division into train and test by nothing that is
//! known. Both are therefore data: `base.txt`, one task a line.

use std::collections::BTreeMap;

use super::composition::compositions;
use super::issue::Issue;
use super::persona::Persona;
use super::tables::Intent;
use super::task::TelecomTask;
use super::task_id::task;
use probity_bench::named;

const BASE: &str = include_str!("base.txt");

named! {
    pub enum TaskSet {
        /// The 20 tasks with one issue.
        Small = "small",
        /// The 114 tasks that tau2-bench plays, with two issues or more.
        Base = "base",
        /// The 74 tasks of the base set to train on.
        Train = "train",
        /// The 40 others: tau2-bench's test split, which are the tasks of the MM-tau-p2 paper (appendix A.1).
        Paper = "paper",
        /// The 2,285 tasks of the peer's files.
        Full = "full",
        /// All 3,405, with those on `data_usage_exceeded_no_refuel`, which the peer's files leave out.
        Extended = "extended",
    }
}

named! {
    pub enum Split {
        Train = "train",
        Test = "test",
    }
}

/// The tasks of a set, in the order of the peer's files.
pub fn tasks(set: TaskSet) -> impl Iterator<Item = TelecomTask> {
    dealt_tasks(set).map(|dealt| dealt.task)
}

/// The 40 tasks of the MM-tau-p2 paper.
pub fn paper_tasks() -> impl Iterator<Item = TelecomTask> {
    tasks(TaskSet::Paper)
}

/// The tasks of a set with the personas that the peer gave them, in the order of its files.
pub fn dealt_tasks(set: TaskSet) -> impl Iterator<Item = DealtTask> {
    let splits = splits();
    Intent::ALL.iter().copied().flat_map(dealt).filter(move |dealt| {
        let split = splits.get(&dealt.task).copied();
        let is_shipped = dealt.task.issues().iter().copied().all(Issue::is_shipped);
        match set {
            TaskSet::Small => is_shipped && dealt.task.issues().len() == 1,
            TaskSet::Base => split.is_some(),
            TaskSet::Train => split == Some(Split::Train),
            TaskSet::Paper => split == Some(Split::Test),
            TaskSet::Full => is_shipped,
            TaskSet::Extended => true,
        }
    })
}

/// The tasks of the base set and the part in which each is.
fn splits() -> BTreeMap<TelecomTask, Split> {
    BASE.lines().filter_map(split).collect()
}

fn split(line: &str) -> Option<(TelecomTask, Split)> {
    let (name, id) = line.split_once(' ')?;
    Some((task(id)?, Split::from_name(name)?))
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DealtTask {
    pub task: TelecomTask,
    pub persona: Persona,
}

impl DealtTask {
    pub fn id(&self) -> String {
        self.task.id_with(self.persona)
    }
}

/// All tasks of an intent with their personas, in the peer's order. Those that its files leave out are counted too, as
/// they were when the personas were dealt.
fn dealt(intent: Intent) -> impl Iterator<Item = DealtTask> {
    let personas = Persona::ALL.iter().copied().cycle();
    compositions(intent).into_iter().zip(personas).map(|(task, persona)| DealtTask { task, persona })
}

/// The persona that the peer gave a task. Makes all tasks of the intent: for many use
/// [`dealt_tasks`].
pub fn dealt_persona(task: &TelecomTask) -> Option<Persona> {
    dealt(task.intent()).find(|dealt| dealt.task == *task).map(|dealt| dealt.persona)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_base_set_is_a_task() {
        assert!(BASE.lines().all(|line| split(line).is_some()));
        assert_eq!((BASE.lines().count(), splits().len()), (114, 114));
    }

    #[test]
    fn sets_have_their_sizes() {
        let sizes = TaskSet::ALL.iter().map(|set| tasks(*set).count());
        assert_eq!(sizes.collect::<Vec<_>>(), [20, 114, 74, 40, 2285, 3405]);
    }

    #[test]
    fn twelve_of_the_paper_end_in_a_transfer() {
        let transfers: Vec<TelecomTask> = paper_tasks().filter(|task| task.gold().is_transfer()).collect();
        let locked = transfers.iter().filter(|task| task.issues().contains(&Issue::LockSimCardPin));
        assert_eq!((transfers.len(), locked.count()), (12, 11));
    }
}
