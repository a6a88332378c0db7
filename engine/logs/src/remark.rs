//! What there is to say about the reading of a dialogue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing to know about how a dialogue was read. Each is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// Calls for which the log has no result.
    CallWithoutResult,
    /// Results that belong to no call; they are left out.
    ResultWithoutCall,
    /// Further results of a call that has one; the first counts.
    ResultAgain,
    /// Calls whose id another call has; results are given to them in order.
    RepeatedId,
    /// Arguments that are no JSON object; they stand as text.
    RawArguments,
    /// Pictures, sounds and files; a word in brackets stands for each.
    Placeholder,
    /// Thoughts of the agent; they are left out.
    Thought,
    /// Words of the machinery in the user's place; they are left out.
    Machinery,
    /// Messages of branches that were given up; the last one is read.
    OtherBranch,
    /// Messages of agents that this one employed; they are left out.
    Subagent,
    /// Messages that come twice; the first is read.
    RepeatedMessage,
    /// Places where the history was replaced by a summary; what was before it is read.
    Compacted,
    /// Requests to a model whose history is another one's beginning, or the same; they are read once.
    RepeatedHistory,
    /// Requests to a model that do not belong to the longest history; they are left out.
    OtherHistory,
    /// The history begins in an earlier log.
    EarlierLog,
    /// Texts that stand elsewhere and are not in the log.
    MissingAttachment,
    /// Parents that lead around in a circle; the path ends there.
    CircularParents,
}

impl Remark {
    /// What it means, for people, after its number: `2 calls have no result in the log`.
    pub fn sentence(self) -> &'static str {
        match self {
            Remark::CallWithoutResult => "calls have no result in the log",
            Remark::ResultWithoutCall => "results belong to no call and were left out",
            Remark::ResultAgain => "results came for a call that had one; the first counts",
            Remark::RepeatedId => "calls have an id that another call has; results were given to them in order",
            Remark::RawArguments => "calls have arguments that are no JSON object; they stand as text",
            Remark::Placeholder => "pictures, sounds or files are no words; a word in brackets stands for each",
            Remark::Thought => "thoughts of the agent were left out",
            Remark::Machinery => "texts of the machinery in the user's place were left out",
            Remark::OtherBranch => "messages stand on branches that were given up; the last branch was read",
            Remark::Subagent => "messages of agents that this one employed were left out",
            Remark::RepeatedMessage => "messages come twice; the first was read",
            Remark::Compacted => "times the history was replaced by a summary; what was before it was read",
            Remark::RepeatedHistory => "requests repeat the history of another one; it was read once",
            Remark::OtherHistory => "requests do not belong to the longest history and were left out",
            Remark::EarlierLog => "times the log refers to an earlier one that it does not hold",
            Remark::MissingAttachment => "texts stand elsewhere and are not in the log",
            Remark::CircularParents => "parents lead around in a circle; the path ends there",
        }
    }
}
