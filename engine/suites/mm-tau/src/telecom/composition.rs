//! Which issues make a task together, and all of these compositions.

use std::collections::BTreeSet;
use std::fmt;

use super::issue::Issue;
use super::tables::Intent;
use super::task::TelecomTask;

/// Why issues make no task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositionError {
    Foreign {
        intent: Intent,
        issue: Issue,
    },
    Exclusive {
        first: Issue,
        second: Issue,
    },
    /// No issue makes a task of the intent by itself.
    NothingEssential {
        intent: Intent,
    },
}

impl fmt::Display for CompositionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompositionError::Foreign { intent, issue } => write!(out, "`{issue}` is no issue of `{intent}`"),
            CompositionError::Exclusive { first, second } => {
                write!(out, "`{first}` and `{second}` exclude one another")
            }
            CompositionError::NothingEssential { intent } => {
                write!(out, "none of the issues makes a task of `{intent}` by itself")
            }
        }
    }
}

impl std::error::Error for CompositionError {}

pub(super) fn check(intent: Intent, issues: &BTreeSet<Issue>) -> Result<(), CompositionError> {
    let sets = &intent.block().sets;
    let foreign = issues.iter().find(|issue| !sets.iter().any(|set| set.members.contains(issue)));
    if let Some(&issue) = foreign {
        return Err(CompositionError::Foreign { intent, issue });
    }
    let mut has_essential = false;
    for set in sets {
        let mut chosen = issues.iter().filter(|issue| set.members.contains(issue));
        let first = chosen.next();
        if let (Some(&first), Some(&second)) = (first, chosen.next()) {
            return Err(CompositionError::Exclusive { first, second });
        }
        has_essential |= set.is_essential && first.is_some();
    }
    if has_essential { Ok(()) } else { Err(CompositionError::NothingEssential { intent }) }
}

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
}
