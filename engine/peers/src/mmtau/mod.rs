//! MM-tau-p2: conformance vectors of its measures, held against ours.

mod escalation;
mod given;
mod judged;
pub(crate) mod kind;
mod paper;
mod proposed;
