//! Reports: what a run shows, as numbers with denominators.

pub mod aggregate;
mod bundles;
pub mod compare;
pub mod document;
mod group;
pub mod html;
pub mod judged;
mod notes;
mod rows;
pub mod spent;
pub mod spread;
pub mod table;
pub mod tally;
pub mod transcript;
