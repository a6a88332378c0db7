//! `probity new`: files to start from, which pass `check`.

mod calls;
mod command;
mod lookup;
mod outline;

pub use command::New;
