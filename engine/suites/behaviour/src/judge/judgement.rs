//! A judgement: one line of `judgements.jsonl` or `unsupported.jsonl`, complete in itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::grades::{Grades, Pointed, Scale};
use super::prompt::{PromptCard, ReplyForm};
use super::sentences::judged::JudgedSentence;
use crate::dialogue::file::Dialogue;
use crate::model::variant::Variant;
use probity_bench::{EpisodeRecord, ModelName, Trace, Usage, named};
use probity_engine::{Hash, canonical};
use probity_ruling::journal::Record;

/// The version of the judgement format this build writes and reads.
pub const FORMAT: u32 = 1;

/// How often one rater may grade an episode.
pub const MAX_REPEATS: u32 = 100;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub format: u32,
    pub judge: JudgeCard,
    /// Which repetition, from 0.
    pub repeat: u32,
    pub episode: EpisodeCard,
    pub judged: Judged,
    pub usage: Usage,
}

/// A judge: two judgements can be compared when theirs are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeCard {
    /// `openai:MODEL` or the like, or `human:NAME`.
    pub id: String,
    /// The wording it was asked with; nobody asks people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptCard>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
}

/// What of a request's options bears on the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    pub temperature: f64,
    /// Tokens of one reply at most.
    pub max_tokens: u32,
    /// What is merged into every request.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
}

/// An episode: where it stands in its run, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeCard {
    /// The agent's name in the report.
    pub agent: String,
    pub task: String,
    pub variant: Variant,
    /// Which repetition of the rollout, from 0.
    pub trial: u32,
    /// The digest of the trace that was read.
    pub digest: Hash,
    /// The name of the dialogue, when it is none of a run but of a file of dialogues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialogue: Option<String>,
}

impl EpisodeCard {
    /// The card of a record, if it is of a task under a behaviour; the digest is of what stands there, whatever the record says.
    pub fn of(record: &EpisodeRecord) -> Option<Self> {
        let header = &record.trace.header;
        Some(EpisodeCard {
            agent: record.agent.clone(),
            task: header.task.clone(),
            variant: Variant::of(&header.levels)?,
            trial: record.trial,
            digest: record.trace.digest(),
            dialogue: None,
        })
    }

    pub fn of_dialogue(dialogue: &Dialogue, trace: &Trace) -> Self {
        EpisodeCard {
            agent: dialogue.agent.clone(),
            task: dialogue.task.clone(),
            variant: dialogue.variant,
            trial: 0,
            digest: trace.digest(),
            dialogue: Some(dialogue.id.clone()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
pub enum Judged {
    Graded {
        grades: Grades,
        /// What it points at, when its wording asks for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pointed: Option<Pointed>,
    },
    /// Verdicts on the sentences of its reading list, in their order; no grades.
    Sentences { sentences: Vec<JudgedSentence> },
    /// None, and why; never a number.
    NotScored {
        reason: NoGrades,
        detail: String,
        /// The start of what the judge said last, when it said something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply: Option<String>,
    },
}

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum NoGrades {
        /// No reply of the judge was one typed object with grades in range.
        JudgeUnreadable = "judge_unreadable",
        JudgeUnreachable = "judge_unreachable",
        /// The episode is longer than it can read.
        JudgeOverflow = "judge_overflow",
        /// The provider of the episode's agent could not be reached, so there is nothing to judge.
        EpisodeUnreached = "episode_unreached",
        Unlabelled = "unlabelled",
    }
}

impl JudgeCard {
    /// All of it as text: judges are told apart and put in order by it.
    pub fn key(&self) -> String {
        serde_json::to_value(self).map(|card| canonical::to_string(&card)).unwrap_or_default()
    }
}

/// The judgements of each judge on known episodes; judges are compared by their first repeat.
pub(super) fn by_judge(judgements: &[Judgement], is_known: impl Fn(&EpisodeCard) -> bool) -> Vec<Vec<&Judgement>> {
    let mut judges: BTreeMap<String, Vec<&Judgement>> = BTreeMap::new();
    for judgement in judgements.iter().filter(|one| one.repeat == 0 && is_known(&one.episode)) {
        judges.entry(judgement.judge.key()).or_default().push(judgement);
    }
    judges.into_values().collect()
}

impl Record for Judgement {
    /// The order in files: judge, episode, repetition.
    type Key = (String, EpisodeCard, u32);

    fn key(&self) -> Self::Key {
        (self.judge.key(), self.episode.clone(), self.repeat)
    }

    fn read(line: &[u8]) -> Result<Judgement, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let version: Version = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if version.format != FORMAT {
            let found = version.format;
            return Err(format!("judgement format {found} is not known; this build reads {FORMAT}"));
        }
        let judgement: Judgement = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        judgement.check()?;
        Ok(judgement)
    }

    fn is_unreached(&self) -> bool {
        matches!(self.judged, Judged::NotScored { reason: NoGrades::JudgeUnreachable, .. })
    }
}

impl Judgement {
    /// Its verdicts on sentences; none where it has grades, or nothing.
    pub fn sentences(&self) -> &[JudgedSentence] {
        match &self.judged {
            Judged::Sentences { sentences } => sentences,
            Judged::Graded { .. } | Judged::NotScored { .. } => &[],
        }
    }

    /// What only the meaning of the keys tells.
    fn check(&self) -> Result<(), String> {
        if self.judge.id.parse::<ModelName>().is_err() {
            return Err(format!(
                "`{}` is no judge {}; people's grades come by `--labels`",
                self.judge.id,
                ModelName::ways()
            ));
        }
        if self.repeat >= MAX_REPEATS {
            return Err(format!("repeat {} is not from 0 to {}", self.repeat, MAX_REPEATS - 1));
        }
        let is_asked = |form| self.judge.prompt.as_ref().is_some_and(|prompt| prompt.asks_for(form));
        match &self.judged {
            Judged::Graded { grades, pointed } => {
                grades.check()?;
                if is_asked(ReplyForm::Statements) != pointed.is_some() || is_asked(ReplyForm::Sentences) {
                    return Err("its wording and what it points at do not belong together".to_owned());
                }
                pointed.as_ref().map_or(Ok(()), Pointed::check)
            }
            Judged::Sentences { .. } if !is_asked(ReplyForm::Sentences) => {
                Err("its wording asks for no verdicts on sentences".to_owned())
            }
            Judged::Sentences { sentences } => sentences.iter().try_for_each(JudgedSentence::check),
            Judged::NotScored { .. } => Ok(()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Rating<'a> {
    pub judge: &'a JudgeCard,
    /// Which repetition, from 0.
    pub repeat: u32,
    pub episode: &'a EpisodeCard,
    /// A grade for each of [`Scale::ALL`], or why there is none.
    pub grades: [Result<u8, NoGrades>; 3],
}

impl Rating<'_> {
    pub fn on(&self, scale: Scale) -> Result<u8, NoGrades> {
        let [faithfulness, clarification, discipline] = self.grades;
        match scale {
            Scale::Faithfulness => faithfulness,
            Scale::Clarification => clarification,
            Scale::Discipline => discipline,
        }
    }
}

impl<'a> Rating<'a> {
    /// What a judgement says on the scales; nothing of one that is about sentences.
    pub fn of(judgement: &'a Judgement) -> Option<Self> {
        let grades = match &judgement.judged {
            Judged::Graded { grades, .. } => Scale::ALL.map(|scale| Ok(grades.of(scale).grade)),
            Judged::NotScored { reason, .. } => [Err(*reason); 3],
            Judged::Sentences { .. } => return None,
        };
        Some(Rating { judge: &judgement.judge, repeat: judgement.repeat, episode: &judgement.episode, grades })
    }
}
