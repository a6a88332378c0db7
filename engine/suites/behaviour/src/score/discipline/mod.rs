//! Tool discipline by rules (RUT-Bench 4.2): what the calls themselves show, without a language model.

mod affairs;
mod consent;
mod scorer;
mod words;
mod write;

pub use scorer::{Discipline, score};
