//! The resolution of a ticket, checkpoint by checkpoint (Algorithm 1, repaired): which query is asked next, which
//! response counts, and when it is over. It speaks to nobody: responses and verdicts are handed in.

mod course;
mod figures;
mod response;
mod rules;
mod session;

#[cfg(test)]
mod hand_tests;
#[cfg(test)]
mod loop_tests;

pub use course::{Course, Goal, Judge, Next, mark};
pub use figures::Figures;
pub use response::Response;
pub use rules::{Policy, Rules};
pub use session::{Attempt, Exchange, Marks, Session, Standing, Termination};
