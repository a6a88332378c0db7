//! What a log does not have, so that something is not judged.

use serde::Serialize;

/// What a dialogue lacks, so that something cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::EnumIter)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// No definition of a tool: a tool that does not exist is not found, and arguments are not held against schemas.
    Tools,
    /// No brief: rules are not known.
    Brief,
    /// No day on which it was held: what is said of today and tomorrow is not judged well.
    Date,
    /// Not a word of the agent to the user.
    Words,
    /// No call.
    Calls,
    /// A text that is longer than what is read of one: what is not known may stand there.
    Cut,
    /// Longer than what is read of one dialogue.
    Rest,
}

impl Lack {
    /// What therefore cannot be judged, in a line.
    pub fn meaning(self) -> &'static str {
        match self {
            Lack::Tools => {
                "without definitions of tools: what their schemas and annotations say (give them with --tools)"
            }
            Lack::Brief => "without a brief: rules that are told wrongly (give it with --brief)",
            Lack::Date => "without a date: what is said of today, tomorrow and days without a year",
            Lack::Words => "without a word to the user: honesty",
            Lack::Calls => "without a call: discipline",
            Lack::Cut => {
                "with a text of more than 65,536 characters, cut there: values, rules and news that nothing known has"
            }
            Lack::Rest => "longer than 4,000 events or 16 MiB: what comes after them",
        }
    }
}
