//! The recorded tools: each call is answered from the recording, or missed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::call::{Miss, RecordedCall, arguments_of, canonical_name};
use super::equality::Matching;
use probity_engine::ToolCall;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    First,
    /// The first that has not answered yet, and when all have, the last: what was polled goes on.
    #[default]
    Sequence,
}

/// What came of a call: the record that answers it, by its position, or why none does.
pub type Answer = Result<usize, Miss>;

#[derive(Clone, Debug)]
pub struct Replay {
    matching: Matching,
    pick: Pick,
    /// Records that have answered.
    used: BTreeSet<usize>,
    misses: u32,
}

impl Replay {
    pub fn new(matching: Matching, pick: Pick) -> Replay {
        Replay { matching, pick, used: BTreeSet::new(), misses: 0 }
    }

    /// The first `count` records have answered, before anything is called here.
    #[must_use]
    pub fn after(mut self, count: usize) -> Replay {
        self.used.extend(0..count);
        self
    }

    /// How many calls in a row had no answer.
    pub fn misses(&self) -> u32 {
        self.misses
    }

    /// Another turn begins: calls without an answer are counted anew.
    pub(crate) fn begin_turn(&mut self) {
        self.misses = 0;
    }

    pub fn answered(&self) -> impl Iterator<Item = usize> {
        self.used.iter().copied()
    }

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
        let fresh = like.iter().find(|index| !self.used.contains(*index)).or(like.last());
        let answer = match self.pick {
            Pick::First => like.first(),
            Pick::Sequence => fresh,
        };
        self.used.extend(answer);
        answer.copied().ok_or(Miss::ArgumentMismatch)
    }
}
