//! How well the calls of an attempt cover those of a checkpoint.

use serde::Serialize;

use super::call::{RecordedCall, arguments_of, canonical_name};
use super::equality::Matching;
use probity_engine::{Fields, ToolCall};

/// What covers what, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hits {
    pub recorded: usize,
    pub predicted: usize,
    /// Recorded calls whose tool was called.
    pub name_hits: usize,
    /// Recorded calls that were made; one call may be several of them.
    pub exact_hits: usize,
    /// Calls made that are none of the recorded.
    pub unmatched_predicted: usize,
    pub invalid_arguments: usize,
}

/// The three marks of tool use. The two that ask what was called are nothing where nothing was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Tool invocation accuracy: called if and only if it was needed.
    pub tia: bool,
    /// Tool selection accuracy: every recorded tool was called.
    pub tsa: Option<bool>,
    /// Tool execution validity: every recorded call was made.
    pub tev: Option<bool>,
}

impl Hits {
    /// Counts what covers what.
    pub fn count(recorded: &[RecordedCall], made: &[ToolCall], matching: Matching) -> Hits {
        let made: Vec<(String, Option<Fields>)> =
            made.iter().map(|call| (canonical_name(&call.tool), arguments_of(call))).collect();
        let is_named = |record: &RecordedCall, name: &str| canonical_name(&record.tool) == name;
        let is_hit = |record: &RecordedCall, (name, given): &(String, Option<Fields>)| {
            is_named(record, name) && given.as_ref().is_some_and(|given| matching.holds(given, &record.arguments))
        };
        Hits {
            recorded: recorded.len(),
            predicted: made.len(),
            name_hits: recorded.iter().filter(|r| made.iter().any(|(name, _)| is_named(r, name))).count(),
            exact_hits: recorded.iter().filter(|record| made.iter().any(|call| is_hit(record, call))).count(),
            unmatched_predicted: made.iter().filter(|call| !recorded.iter().any(|r| is_hit(r, call))).count(),
            invalid_arguments: made.iter().filter(|(_, given)| given.is_none()).count(),
        }
    }

    pub fn coverage(&self) -> Coverage {
        let needed = (self.recorded > 0).then_some(self.recorded);
        Coverage {
            tia: (self.recorded > 0) == (self.predicted > 0),
            tsa: needed.map(|all| self.name_hits == all),
            tev: needed.map(|all| self.exact_hits == all),
        }
    }
}

impl Coverage {
    /// Whether the tools were used as they had to be at a checkpoint of one's own.
    pub fn is_whole(&self) -> bool {
        self.tia && self.is_enough()
    }

    /// Whether everything that was recorded was made, whatever else was.
    pub fn is_enough(&self) -> bool {
        self.tsa != Some(false) && self.tev != Some(false)
    }
}
