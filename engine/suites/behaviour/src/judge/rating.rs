//! What one rater, a model or a person, says of one episode: the common ground of judgements and labels.

use super::judgement::{EpisodeCard, JudgeCard, Judged, Judgement, NoGrades};
use super::scale::Scale;

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
