//! The user of a desk: a state machine that reads an agent's words and answers in the words of a persona.

mod desk_user;
mod proposals;
mod turns;

pub use desk_user::DeskUser;
