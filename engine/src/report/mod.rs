//! Reports: what a run shows, as numbers with denominators.

pub mod aggregate;
mod deflate;
pub mod document;
mod group;
pub mod html;
pub mod spread;
pub mod table;
pub mod transcript;

#[cfg(test)]
pub(crate) mod sample;
