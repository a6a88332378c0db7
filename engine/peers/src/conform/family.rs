//! Benchmarks whose vectors are known.

use serde_json::Value;

use crate::cirrus;
use crate::rut;

/// A benchmark whose vectors are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Family {
    /// RUT-Bench
    Rut,
    /// CirrusBench
    Cirrus,
}

impl Family {
    /// The kinds of its vectors.
    pub fn kinds(self) -> &'static [&'static str] {
        match self {
            Family::Rut => &rut::kind::KINDS,
            Family::Cirrus => &cirrus::kind::KINDS,
        }
    }

    /// What an input lacks to be a question of this kind, if anything.
    pub fn input_fault(self, kind: &str, input: &Value) -> Option<String> {
        match self {
            Family::Rut => rut::kind::input_fault(kind, input),
            Family::Cirrus => cirrus::kind::input_fault(kind, input),
        }
    }

    /// How far apart numbers may be that are the same: means depend on the order of their sums.
    pub fn tolerance(self) -> f64 {
        match self {
            Family::Rut => 0.0,
            Family::Cirrus => 1e-9,
        }
    }

    /// The kinds that only tell what the other program does.
    pub fn information(self) -> &'static [&'static str] {
        match self {
            Family::Rut => &[],
            Family::Cirrus => &cirrus::kind::INFORMATION,
        }
    }

    /// What our scorer answers to the input of a vector; `None` for a kind it does not know.
    pub fn answer(self, kind: &str, input: &Value) -> Option<Value> {
        match self {
            Family::Rut => rut::kind::answer(kind, input),
            Family::Cirrus => cirrus::kind::answer(kind, input),
        }
    }
}
