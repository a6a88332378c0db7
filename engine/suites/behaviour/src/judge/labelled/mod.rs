//! Judges and rules on labelled dialogues: what each sees of what readers found, and what a judge costs.

pub mod compare;
pub mod sample;
pub mod table;
