//! The constraint graph: what must come before what, and what must not both happen.
//!
//! [`graph`] merges the constraints of an environment and of a task, and reports what is wrong with
//! them. [`check`] watches the calls of an episode, or of a recorded trace, one by one and says which
//! of them break an edge or an exclusion. Both work on pattern *indices*: whether a call matches
//! `tool where <expression>` is decided by the caller, which owns the compiled predicates, and whether
//! tools and arguments exist is decided by the loader.
//!
//! This folder is the only one that knows petgraph (in `reach`), and only building a graph needs it;
//! checking calls reads plain lists.

pub mod check;
pub mod graph;
#[cfg(test)]
mod naive;
mod reach;
mod wording;

pub use check::{Checker, ObservedCall, contains, is_violation};
pub use graph::{ConstraintGraph, Edge, ExclusionSet};
