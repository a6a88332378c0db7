//! `probity new`: files to start from, which pass `check`.

mod command;
mod lookup;

pub use command::New;
