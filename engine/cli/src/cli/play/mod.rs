//! `probity play`.

mod command;
mod hand;
mod lines;
mod side;
mod user;

pub use command::Play;
