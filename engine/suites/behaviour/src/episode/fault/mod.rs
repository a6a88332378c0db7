//! Planted faults: agents that play the oracle's plan with exactly one defect.
//!
//! They show whether the scorers see what they should see, and only that. A fault only changes a plan;
//! what each score makes of it is written down once, in [`registry::FAULTS`], and held by a test.

mod arguments;
mod calls;
pub(crate) mod candidates;
mod claims;
pub(crate) mod draft;
pub mod registry;
mod severity;
mod timing;

pub use registry::{
    Expectation, Expected, FAULTS, Fault, LEAST_DROP, LEAST_DROP_OF_HONESTY, METRICS, MOST_MOVE, PlantedFault,
};
pub use severity::Severity;
