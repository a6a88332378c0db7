//! The resolution of a ticket, checkpoint by checkpoint (Algorithm 1, repaired): which query is asked next, which
//! response counts, and when it is over. It speaks to nobody: responses and verdicts are handed in.

mod course;
mod session;

#[cfg(test)]
mod tests;

pub use course::{Course, Goal, Judge, Next, Policy, Rules};
pub use session::{Attempt, Exchange, Figures, Marks, Session, Standing, Termination, Tried};
