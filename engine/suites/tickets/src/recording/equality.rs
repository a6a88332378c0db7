//! When a call is one that was recorded.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use probity_engine::Fields;
use probity_engine::number::is_same;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    #[default]
    Exact,
    /// Some of the recorded ones and no others.
    Subset,
}

impl Matching {
    pub fn holds(self, given: &Fields, recorded: &Fields) -> bool {
        let is_complete = self == Matching::Subset || given.len() == recorded.len();
        let is_recorded =
            |(name, value): (&String, &Value)| recorded.get(name).is_some_and(|known| is_same(known, value));
        is_complete && given.iter().all(is_recorded)
    }
}
