//! The behaviour suite: tasks a user brings in seven ways, and what an agent made of them.

pub mod annotate;
pub mod benchmark;
mod card;
#[cfg(test)]
#[path = "../../../prose/src/case.rs"]
mod case;
pub mod dialogue;
pub mod episode;
mod figures;
pub mod folder;
pub mod judge;
pub mod load;
pub mod model;
pub mod score;
pub mod suite;
pub mod task;
pub mod upgrade;
pub mod values;
mod wanted;
