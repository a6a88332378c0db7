//! What a response must do to count, and how often it may be tried.

use serde::{Deserialize, Serialize};

use crate::card::CARD;
use crate::recording::{Matching, Pick};
use probity_bench::Options;

/// What makes a response count beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    #[default]
    Strict,
    /// Nothing: the words alone.
    Reply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub policy: Policy,
    /// Attempts at each checkpoint, 1 or 2.
    pub attempts: u32,
    pub matching: Matching,
    /// Which of several equal records answers.
    pub pick: Pick,
}

impl Rules {
    pub fn of(options: &Options) -> Rules {
        let is = |name: &str, value: &str| CARD.option(options, name) == Some(value);
        Rules {
            policy: if is("policy", "reply") { Policy::Reply } else { Policy::Strict },
            attempts: if is("attempts", "2") { 2 } else { 1 },
            matching: if is("match", "subset") { Matching::Subset } else { Matching::Exact },
            pick: if is("pick", "first") { Pick::First } else { Pick::Sequence },
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules { policy: Policy::default(), attempts: 1, matching: Matching::default(), pick: Pick::default() }
    }
}
