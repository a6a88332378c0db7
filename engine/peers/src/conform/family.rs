//! Benchmarks whose vectors are known.

use serde_json::Value;

use crate::rut;

/// A benchmark whose vectors are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Family {
    /// RUT-Bench
    Rut,
}

impl Family {
    /// The kinds of its vectors.
    pub fn kinds(self) -> &'static [&'static str] {
        match self {
            Family::Rut => &rut::kind::KINDS,
        }
    }

    /// What an input lacks to be a question of this kind, if anything.
    pub fn input_fault(self, kind: &str, input: &Value) -> Option<String> {
        match self {
            Family::Rut => rut::kind::input_fault(kind, input),
        }
    }

    /// What our scorer answers to the input of a vector; `None` for a kind it does not know.
    pub fn answer(self, kind: &str, input: &Value) -> Option<Value> {
        match self {
            Family::Rut => rut::kind::answer(kind, input),
        }
    }
}
