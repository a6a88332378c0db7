//! `probity certify`.

mod cache;
mod command;

pub use command::Certify;
