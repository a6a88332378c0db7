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
    /// Texts of the machinery in the user's place; none of them is read as the user's words.
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
    /// Requests whose history another dialogue goes on from, or that were asked twice.
    SharedHistory,
    /// Requests that were not answered.
    Unanswered,
    /// The history begins in an earlier log.
    EarlierLog,
    /// Texts that stand elsewhere and are not in the log.
    MissingAttachment,
    /// Parents that lead around in a circle; the path ends there.
    CircularParents,
}

impl Remark {
    /// What was counted, in words.
    pub fn what(self) -> &'static str {
        match self {
            Remark::CallWithoutResult => "calls without a result in the log",
            Remark::ResultWithoutCall => "results that belong to no call, left out",
            Remark::ResultAgain => "further results of a call that has one; the first counts",
            Remark::RepeatedId => "calls with the id of another one; results were given to them in order",
            Remark::RawArguments => "calls with arguments that are no JSON object; they stand as text",
            Remark::Placeholder => "pictures, sounds and files; a word in brackets stands for each",
            Remark::Thought => "thoughts of the agent, left out",
            Remark::Machinery => "texts of the machinery in the user's place",
            Remark::OtherBranch => "messages on branches that were given up, left out",
            Remark::Subagent => "messages of agents that this one employed, left out",
            Remark::RepeatedMessage => "messages that come twice; the first was read",
            Remark::Compacted => "summaries in place of the history; what was before them was read",
            Remark::RepeatedHistory => "requests that repeat the history of another one; it was read once",
            Remark::OtherHistory => "requests that do not belong to the longest history, left out",
            Remark::SharedHistory => {
                "requests that begin as another dialogue does: a retry, a branch, or somebody else's"
            }
            Remark::Unanswered => "requests that were not answered",
            Remark::EarlierLog => "references to an earlier log that this one does not hold",
            Remark::MissingAttachment => "texts that stand elsewhere and are not in the log",
            Remark::CircularParents => "parents that lead around in a circle; the path ends there",
        }
    }
}
