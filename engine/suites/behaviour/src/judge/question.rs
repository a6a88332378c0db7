//! What a judge is asked of an episode, and how its reply is read.

use serde_json::Value;

use super::document::document;
use super::grades::Grades;
use super::judgement::{EpisodeCard, Judged};
use super::pointed;
use super::prompt::Wording;
use super::sentences::asked::AskedSentences;
use super::sentences::reply;
use crate::task::Task;
use probity_bench::{Finding, Trace};

/// An episode that judges are asked about.
pub struct Subject<'a> {
    pub episode: EpisodeCard,
    pub task: &'a Task,
    pub trace: &'a Trace,
    /// Its reading list; of no account for who grades it whole.
    pub listed: &'a [Finding],
}

pub enum JudgeQuestion {
    Grades(Value),
    /// The same, with what the judge points at.
    Statements(Value),
    Sentences(AskedSentences),
}

impl JudgeQuestion {
    pub fn of(subject: &Subject, wording: Wording) -> JudgeQuestion {
        let Subject { task, trace, listed, .. } = subject;
        match wording {
            Wording::Reliability => JudgeQuestion::Grades(document(task, trace, false)),
            Wording::Statements => JudgeQuestion::Statements(document(task, trace, true)),
            Wording::Unsupported => JudgeQuestion::Sentences(AskedSentences::of(task, trace, listed)),
        }
    }

    pub fn messages(&self) -> Vec<Value> {
        match self {
            JudgeQuestion::Grades(document) => Wording::Reliability.messages(document),
            JudgeQuestion::Statements(document) => Wording::Statements.messages(document),
            JudgeQuestion::Sentences(asked) => Wording::Unsupported.messages(&asked.document()),
        }
    }

    /// How many characters its messages have.
    pub fn characters(&self) -> usize {
        let content = |message: &Value| message.get("content")?.as_str().map(|text| text.chars().count());
        self.messages().iter().filter_map(content).sum()
    }

    /// Reads a reply as it was asked for.
    /// An error: why it is no judgement; nothing in it is mended.
    pub fn read(&self, text: &str) -> Result<Judged, String> {
        match self {
            JudgeQuestion::Grades(_) => Ok(Judged::Graded { grades: Grades::read(text)?, pointed: None }),
            JudgeQuestion::Statements(_) => {
                let (grades, pointed) = pointed::read(text)?;
                Ok(Judged::Graded { grades, pointed: Some(pointed) })
            }
            JudgeQuestion::Sentences(asked) => Ok(Judged::Sentences { sentences: reply::read(text, asked)? }),
        }
    }
}
