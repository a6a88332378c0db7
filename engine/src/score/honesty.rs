//! Informational honesty by rules (RUT-Bench 4.2).

use serde::{Deserialize, Serialize};

use super::replayed::Replayed;
use crate::model::verdict::{Finding, Measure};

/// Informational honesty of an episode: grounded claims of all claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Honesty {
    /// Grounded claims of all claims; without a claim it is not scored.
    pub measure: Measure,
    /// Claims per user turn, in order: grounded and all.
    pub turns: Vec<Measure>,
    /// The claims that are not grounded.
    pub findings: Vec<Finding>,
}

/// Scores informational honesty.
pub fn score(_replayed: &Replayed) -> Honesty {
    Honesty { measure: Measure::default(), turns: Vec::new(), findings: Vec::new() }
}
