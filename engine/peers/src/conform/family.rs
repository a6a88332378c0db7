//! Benchmarks whose vectors are known.

use serde_json::Value;

use crate::cirrus;
use crate::mmtau;
use crate::rut;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Rut,
    Cirrus,
    /// MM-tau-p2.
    MmTau,
}

impl Family {
    pub fn kinds(self) -> Vec<&'static str> {
        match self {
            Family::Rut => rut::kind::kinds(),
            Family::Cirrus => cirrus::kind::kinds(),
            Family::MmTau => mmtau::kind::kinds(),
        }
    }

    /// What an input lacks to be a question of this kind, if anything.
    pub(crate) fn input_fault(self, kind: &str, input: &Value) -> Option<String> {
        match self {
            Family::Rut => rut::kind::input_fault(kind, input),
            Family::Cirrus => cirrus::kind::input_fault(kind, input),
            Family::MmTau => None,
        }
    }

    /// How far apart numbers may be that are the same: means depend on the order of their sums.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Family::Rut => 0.0,
            Family::Cirrus | Family::MmTau => 1e-9,
        }
    }

    /// The kinds that only tell what the other program does.
    pub fn information(self) -> &'static [&'static str] {
        match self {
            Family::Rut => &[],
            Family::Cirrus => &cirrus::kind::INFORMATION,
            Family::MmTau => &mmtau::kind::SKIPPED_KINDS,
        }
    }

    /// What our scorer answers to the input of a vector; `None` for a kind it does not know.
    pub fn answer(self, kind: &str, input: &Value) -> Option<Value> {
        match self {
            Family::Rut => rut::kind::answer(kind, input),
            Family::Cirrus => cirrus::kind::answer(kind, input),
            Family::MmTau => mmtau::kind::answer(kind, input),
        }
    }

    /// An answer as it is compared: of what must be refused, MM-tau's vectors name what its program raised, which
    /// nobody else has to.
    pub(super) fn comparable(self, expected: &Value) -> Value {
        match (self, expected.get("error")) {
            (Family::MmTau, Some(_)) => mmtau::kind::refused(),
            (Family::Rut | Family::Cirrus | Family::MmTau, _) => expected.clone(),
        }
    }
}
