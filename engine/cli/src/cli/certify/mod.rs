//! `probity certify`.

mod cache;
mod command;
mod meant;

pub use command::Certify;
