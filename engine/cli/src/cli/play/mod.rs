//! `probity play`.

mod command;
mod hand;
mod lines;
mod user;

pub use command::Play;
