//! The recorded tools: each call is answered from the recording, or missed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::{Miss, RecordedCall, arguments_of, canonical_name};
use super::equality::Matching;
use probity_engine::{ToolCall, canonical};

/// Which of several equal records answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// Always the first.
    First,
    /// The n-th call like this gets the n-th of them, and from then on the last: what was polled goes on.
    #[default]
    Sequence,
}

/// What came of a call: the record that answers it, by its position, or why none does.
pub type Answer = Result<usize, Miss>;

/// Records, and how far calls have come in them.
#[derive(Clone, Debug)]
pub struct Replay {
    matching: Matching,
    pick: Pick,
    /// How often each call was made, by its canonical text.
    made: BTreeMap<String, usize>,
    misses: u32,
}

impl Replay {
    /// Nothing has been called.
    pub fn new(matching: Matching, pick: Pick) -> Replay {
        Replay { matching, pick, made: BTreeMap::new(), misses: 0 }
    }

    /// How many calls in a row had no answer.
    pub fn misses(&self) -> u32 {
        self.misses
    }

    /// The record that answers a call.
    pub fn answer(&mut self, records: &[RecordedCall], call: &ToolCall) -> Answer {
        let answer = self.find(records, call);
        self.misses = if answer.is_ok() { 0 } else { self.misses.saturating_add(1) };
        answer
    }

    fn find(&mut self, records: &[RecordedCall], call: &ToolCall) -> Answer {
        let name = canonical_name(&call.tool);
        let mut same = records.iter().enumerate().filter(|(_, record)| canonical_name(&record.tool) == name).peekable();
        same.peek().ok_or(Miss::UnknownTool)?;
        let given = arguments_of(call).ok_or(Miss::InvalidArguments)?;
        let like: Vec<usize> =
            same.filter(|(_, record)| self.matching.holds(&given, &record.arguments)).map(|(index, _)| index).collect();
        let made = self.made.entry(format!("{name} {}", canonical::to_string(&Value::Object(given)))).or_default();
        let nth = match self.pick {
            Pick::First => 0,
            Pick::Sequence => *made,
        };
        *made += 1;
        like.get(nth).or_else(|| like.last()).copied().ok_or(Miss::ArgumentMismatch)
    }
}
