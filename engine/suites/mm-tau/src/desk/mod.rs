//! The tasks of the order desk and of the airline: a user without tools, whose wishes change while the agent works, and
//! agents that serve them. The user is a machine of rules: it reads an agent's words, and what it read is what the
//! measures count.

mod agent;
mod desk_play;
mod desk_user;
mod proposals;
mod reading;
mod suite;
mod task;
mod turns;

pub use suite::desk_tasks;
pub use task::{DESK_WORLDS, DeskTask, DeskTaskFile, certify_desk};
