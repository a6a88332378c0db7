//! The state machine: environments, states and the step. It never sees a task, an oracle or a score.

mod build;
pub mod constraint;
pub mod environment;
pub mod events;
pub mod load;
pub mod model;
pub mod schema;
pub mod script;
pub mod state;
pub mod step;
pub mod sum;
pub mod tool;
pub mod transaction;
