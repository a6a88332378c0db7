//! A task: an intent and the issues behind it. All else is derived, so that nothing in a task can contradict.

use std::collections::BTreeSet;

use serde::Serialize;

use super::call::{Assertion, Call};
use super::composition::{self, CompositionError};
use super::critical_field::{self, CriticalFieldUse};
use super::issue::Issue;
use super::named::named;
use super::record::TaskRecord;
use super::scenario::Scenario;
use super::tables::{Escalation, Ground, Intent, Repair, escalation, set_user_info, transfer};

named! {
    /// What gates the reward of a task; where it has several, all must be met.
    pub enum RewardBasis {
        /// All assertions hold at the end.
        EnvAssertion = "ENV_ASSERTION",
        Action = "ACTION",
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gold {
    /// These calls in order; each is compared by its name and arguments.
    Repair(Vec<Call>),
    /// One call that hands over, compared by its name alone.
    Transfer(Call),
}

impl Gold {
    pub fn calls(&self) -> &[Call] {
        match self {
            Gold::Repair(calls) => calls,
            Gold::Transfer(call) => std::slice::from_ref(call),
        }
    }

    /// Whether nothing is left but to hand over.
    pub fn is_transfer(&self) -> bool {
        matches!(self, Gold::Transfer(_))
    }
}

/// A task of the telecom environment. Its issues are a legal composition; their order does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "TaskRecord")]
pub struct TelecomTask {
    intent: Intent,
    issues: BTreeSet<Issue>,
}

impl TelecomTask {
    pub fn compose(intent: Intent, issues: impl IntoIterator<Item = Issue>) -> Result<TelecomTask, CompositionError> {
        let issues = issues.into_iter().collect();
        composition::check(intent, &issues)?;
        Ok(TelecomTask { intent, issues })
    }

    pub fn intent(&self) -> Intent {
        self.intent
    }

    pub fn issues(&self) -> &BTreeSet<Issue> {
        &self.issues
    }

    /// The calls that make the state of the task out of the environment's.
    pub fn initialization(&self) -> Vec<Call> {
        let of_issues = self.issues.iter().flat_map(|issue| &issue.block().initialization);
        std::iter::once(set_user_info()).chain(of_issues).cloned().collect()
    }

    /// The grounds on which handing over is right from the start; none where all can be repaired.
    pub fn grounds(&self) -> impl Iterator<Item = &'static Ground> {
        self.issues.iter().filter_map(|issue| issue.block().repair.ground())
    }

    /// What is to be done: the repairs of all issues, or a transfer as soon as one of them has none.
    pub fn gold(&self) -> Gold {
        let mut calls = Vec::new();
        for issue in &self.issues {
            match &issue.block().repair {
                Repair::Calls(repair) => calls.extend_from_slice(repair),
                Repair::Transfer(_) => return Gold::Transfer(transfer().clone()),
            }
        }
        Gold::Repair(calls)
    }

    pub fn assertions(&self) -> Vec<Assertion> {
        let of_intent = self.intent.block();
        if self.gold().is_transfer() {
            return of_intent.handed_over.to_vec();
        }
        let of_issues = self.issues.iter().flat_map(|issue| &issue.block().assertions);
        of_intent.solved.iter().chain(of_issues).cloned().collect()
    }

    /// What gates the reward: with a transfer the call too, since the assertions hold from the start.
    pub fn reward_basis(&self) -> &'static [RewardBasis] {
        match self.gold() {
            Gold::Repair(_) => &[RewardBasis::EnvAssertion],
            Gold::Transfer(_) => &[RewardBasis::EnvAssertion, RewardBasis::Action],
        }
    }

    /// The values that a voice channel must not spoil.
    pub fn critical_fields(&self) -> Vec<CriticalFieldUse> {
        critical_field::of_calls(self.gold().calls())
    }

    pub fn escalation(&self) -> &'static Escalation {
        escalation()
    }

    pub fn scenario(&self) -> Scenario {
        Scenario::new(self.intent, &self.issues)
    }
}
