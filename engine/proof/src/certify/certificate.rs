//! The certificate of a task: what was proved of each accepted outcome, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::minimality::Minimality;
use super::omission::Omissions;
use super::order::Orders;
use probity_behaviour::model::variant::Variant;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    pub task: String,
    /// One part for each accepted outcome and each way in which users accept it.
    pub parts: Vec<OutcomeProof>,
    /// What keeps the task from being certified; a certificate is clean when this is empty.
    pub problems: Vec<CertificationFailure>,
    /// Environment-wide edges, by position, that some mutant violates.
    pub edges_violated: Vec<usize>,
    /// Environment-wide edges, by position, that reject an order against which nothing else speaks, each with what
    /// is wrong with the words that it names in `told`.
    pub edges_unreasoned: BTreeMap<usize, String>,
    /// Environment-wide exclusions, by position, that some mutant violates.
    pub exclusions_violated: Vec<usize>,
    /// Of environment-wide exclusions, by position, that nothing violates: how often the second call of a pair was
    /// refused, by code.
    pub exclusions_refused: BTreeMap<usize, BTreeMap<String, usize>>,
    /// Calls that the environment forbids, by position, that some mutant makes.
    pub forbidden_made: Vec<usize>,
    /// What the rules of the policy are bound to, as far as some slip violates it.
    pub rules: Vec<RuleRow>,
}

/// Something that a rule of the policy is bound to, with a slip that violates it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleRow {
    pub rule: String,
    pub check: String,
    pub slip: String,
}

/// Something that keeps a task from being certified, at its place in the task file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificationFailure {
    /// JSON Pointer into the task file.
    pub pointer: String,
    pub code: String,
    pub message: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeProof {
    pub outcome: String,
    pub variants: Vec<Variant>,
    /// The oracle's calls, with their values filled in.
    pub calls: Vec<String>,
    /// What each group of `must_say` needs, in order.
    pub needs: Vec<NeedRow>,
    pub omissions: Omissions,
    pub orders: Orders,
    pub minimality: Minimality,
    pub checks: Vec<CheckRow>,
    pub mutants: Vec<TallyRow>,
    pub survivors: Vec<SurvivorRow>,
}

/// What a group of `must_say` needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeedRow {
    pub phrase: String,
    /// `told`, `seen`, `derived`, `words` or `unknown`.
    pub known: String,
    /// The oracle's calls, from 1, whose observations tell it.
    pub calls: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRow {
    pub check: String,
    pub killed_by: Option<String>,
    pub is_alone: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyRow {
    pub family: String,
    pub made: usize,
    pub killed: usize,
    /// Mutants that solve the outcome and end in the oracle's state: other ways to the same end.
    pub same: usize,
    /// Mutants that solve the outcome and end in another state.
    pub survived: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurvivorRow {
    pub mutant: String,
    pub remedy: String,
}

impl CertificationFailure {
    /// Whether an oracle does not run or does not solve its outcome, so that nothing is proved by it.
    pub fn is_of_oracle(&self) -> bool {
        matches!(self.code.as_str(), "oracle_fails" | "oracle_does_not_solve")
    }
}

impl Certificate {
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}
