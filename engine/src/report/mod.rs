//! Reports: what a run shows, as numbers with denominators.

pub mod aggregate;
pub mod document;
mod group;
pub mod html;
pub mod judged;
mod notes;
pub mod spent;
pub mod spread;
pub mod table;
pub mod transcript;

#[cfg(test)]
pub(crate) mod sample;
