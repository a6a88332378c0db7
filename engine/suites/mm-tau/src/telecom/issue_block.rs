//! What an issue is made of.

use serde::Serialize;

use super::call::{Assertion, Call};
use super::escalation::Ground;
use super::predicate::Predicate;

/// One issue as data: how it comes about, how it is repaired, and how both are seen in the state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IssueBlock {
    pub initialization: &'static [Call],
    pub repair: Repair,
    /// What holds of a healthy phone and line, and of which the issue breaks at least one.
    pub breaks: &'static [Predicate],
    /// What holds once the issue is dealt with: repaired, or left as it is for whom it is handed over to.
    pub leaves: &'static [Predicate],
    /// Assertions of its own, beside those of the intent, where it is repaired.
    pub assertions: &'static [Assertion],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    Calls(&'static [Call]),
    /// Nothing: neither side can repair it, and on this ground the user is handed over.
    Transfer(&'static Ground),
}
