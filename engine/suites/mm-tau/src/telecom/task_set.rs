//! All compositions of issues to tasks, and the peer's sets of these.
//!
//! The base set was drawn by Python's `random` with seed 42, its division into train and test by nothing that is
//! known. Both are therefore data: `base.txt`, one task a line.

use std::collections::{BTreeMap, BTreeSet};

use super::scenario::Persona;
use super::tables::{Intent, Issue};
use super::task::{TelecomTask, task};
use probity_bench::named;

/// All tasks of an intent, those with few issues first, otherwise in the order of the sets (the last varies fastest,
/// and "no member" comes last in each).
pub fn compositions(intent: Intent) -> Vec<TelecomTask> {
    let mut chosen: Vec<BTreeSet<Issue>> = vec![BTreeSet::new()];
    for set in &intent.block().sets {
        chosen = chosen.iter().flat_map(|issues| extended(issues, &set.members)).collect();
    }
    let composed = chosen.into_iter().filter_map(|issues| TelecomTask::compose(intent, issues).ok());
    let mut tasks: Vec<TelecomTask> = composed.collect();
    tasks.sort_by_key(|task| task.issues().len());
    tasks
}

/// The issues with each of the members in turn, and then without any.
fn extended(issues: &BTreeSet<Issue>, members: &[Issue]) -> impl Iterator<Item = BTreeSet<Issue>> {
    let with = members.iter().map(|member| issues.iter().chain([member]).copied().collect());
    with.chain([issues.clone()])
}

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
    fn as_many_as_the_sets_allow() {
        let counts = Intent::ALL.iter().map(|intent| compositions(*intent).len());
        assert_eq!(counts.collect::<Vec<_>>(), [382, 47, 2976]);
    }

    #[test]
    fn a_wrong_composition_says_why() {
        let said = |intent, issues: &[Issue]| {
            TelecomTask::compose(intent, issues.iter().copied()).map_err(|error| error.to_string()).unwrap_err()
        };
        assert_eq!(said(Intent::Mms, &[Issue::BadVpn]), "`bad_vpn` is no issue of `mms_issue`");
        assert_eq!(
            said(Intent::Service, &[Issue::OverdueBillSuspension, Issue::ContractEndSuspension]),
            "`contract_end_suspension` and `overdue_bill_suspension` exclude one another"
        );
        assert_eq!(
            said(Intent::MobileData, &[Issue::AirplaneModeOn]),
            "none of the issues makes a task of `mobile_data_issue` by itself"
        );
        assert_eq!(
            said(Intent::Service, &[Issue::LockSimCardPuk]),
            "`lock_sim_card_puk` is no issue of `service_issue`"
        );
    }

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
