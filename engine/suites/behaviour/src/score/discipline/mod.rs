//! Tool discipline by rules (RUT-Bench 4.2): what the calls themselves show, without a language model.

mod affairs;
mod scorer;

pub use scorer::{Discipline, score};
