//! The state machine of an environment. It knows no task, no oracle and no score.

pub mod schema;
