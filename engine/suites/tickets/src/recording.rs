//! Recorded tool calls: what answers an agent's calls, and how well an agent's calls cover them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use probity_bench::named;
use probity_engine::{Fields, ToolCall, arguments, number::is_same};

/// A call that the recorded agent made, and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// The tool.
    pub tool: String,
    /// The arguments, by name.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Value>")]
    pub arguments: Fields,
    /// What came back, word for word.
    pub result: Value,
}

impl RecordedCall {
    pub fn made(&self) -> ToolCall {
        ToolCall::new(self.tool.clone(), Value::Object(self.arguments.clone()))
    }
}

named! {
    /// Why a call has no recorded answer; an unknown name weighs more than bad arguments.
    pub enum Miss {
        UnknownTool = "unknown_tool",
        InvalidArguments = "invalid_arguments",
        /// The tool was called, but never like this.
        ArgumentMismatch = "argument_mismatch",
    }
}

/// A tool's name as all are compared: records of some desks write `#` where functions cannot.
pub fn canonical_name(tool: &str) -> String {
    tool.replace('#', "_")
}

/// The arguments of an agent's call: an object, or a text that holds one, as models write them; none at all is an
/// empty object, and anything else is nothing.
pub fn arguments_of(call: &ToolCall) -> Option<Fields> {
    match &call.arguments {
        Value::Object(fields) => Some(fields.clone()),
        Value::Null => Some(Fields::new()),
        Value::String(text) => arguments::read(text).ok(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

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
    pub used: BTreeSet<usize>,
    /// How many calls in a row had no answer.
    pub misses: u32,
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

    /// Another turn begins: calls without an answer are counted anew.
    pub(crate) fn begin_turn(&mut self) {
        self.misses = 0;
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
