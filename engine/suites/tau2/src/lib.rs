//! tau2-bench's own tasks, played in our worlds of the same tools: its verdicts, and ours beside them (docs/TAU2.md).

mod agents;
mod benchmark;
mod card;
pub mod model;
mod play;
mod score;
mod suite;
mod task;

pub use benchmark::{REGISTERED, Tau2Benchmark};
pub use play::{Fidelity, Tau2World};
