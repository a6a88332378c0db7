//! What a judge is asked of an episode, and how its reply is read.

use serde_json::Value;

use super::document::document;
use super::grades::Grades;
use super::judgement::{EpisodeCard, Judged};
use super::pointed;
use super::prompt::{ReplyForm, Wording};
use super::sentences::asked::AskedSentences;
use super::sentences::reply;
use crate::task::Task;
use probity_bench::{Finding, Trace};

/// An episode that judges are asked about.
#[derive(Clone)]
pub struct Subject<'a> {
    pub episode: EpisodeCard,
    pub task: &'a Task,
    pub trace: &'a Trace,
    /// Its reading list; of no account for who grades it whole.
    pub listed: &'a [Finding],
}

pub struct JudgeQuestion {
    wording: Wording,
    document: Value,
    /// What it is about, where it asks for verdicts on sentences.
    asked: Option<AskedSentences>,
}

impl JudgeQuestion {
    pub fn of(subject: &Subject, wording: Wording) -> JudgeQuestion {
        let Subject { task, trace, listed, .. } = subject;
        let asked = (wording.reply() == ReplyForm::Sentences).then(|| AskedSentences::of(task, trace, listed));
        let is_to_point = wording.reply() == ReplyForm::Statements;
        let document = asked.as_ref().map_or_else(|| document(task, trace, is_to_point), AskedSentences::document);
        JudgeQuestion { wording, document, asked }
    }

    /// Whether there is nothing to ask about.
    pub fn is_empty(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.sentences.is_empty())
    }

    pub fn messages(&self) -> Vec<Value> {
        self.wording.messages(&self.document)
    }

    /// How many characters its messages have.
    pub fn characters(&self) -> usize {
        let content = |message: &Value| message.get("content")?.as_str().map(|text| text.chars().count());
        self.messages().iter().filter_map(content).sum()
    }

    /// Reads a reply as it was asked for.
    /// An error: why it is no judgement; nothing in it is mended.
    pub fn read(&self, text: &str) -> Result<Judged, String> {
        match (&self.asked, self.wording.reply()) {
            (Some(asked), _) => Ok(Judged::Sentences { sentences: reply::read(text, asked)? }),
            (None, ReplyForm::Statements) => {
                let (grades, pointed) = pointed::read(text)?;
                Ok(Judged::Graded { grades, pointed: Some(pointed) })
            }
            (None, ReplyForm::Grades | ReplyForm::Sentences) => {
                Ok(Judged::Graded { grades: Grades::read(text)?, pointed: None })
            }
        }
    }
}
