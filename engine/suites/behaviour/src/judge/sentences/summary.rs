//! What judges say of the reading lists of a run or of dialogues, counted, and what asking them so costs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::judgement::{EpisodeCard, JudgeCard, Judged, Judgement, NoGrades};
use super::super::prompt::{ReplyForm, Wording};
use super::super::question::{JudgeQuestion, Subject};
use super::judged::SentenceState;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentencesSummary {
    pub episodes: usize,
    /// Those with a reading list; nobody is asked about the others.
    pub with_list: usize,
    pub sentences: usize,
    pub characters: Characters,
    pub judges: Vec<SentencesOfJudge>,
}

/// The characters of the requests to one judge who is asked once about everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Characters {
    /// About the reading lists.
    pub asked: usize,
    /// About all episodes, each of them whole.
    pub whole: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentencesOfJudge {
    pub judge: JudgeCard,
    pub repeats: usize,
    /// Sentences by the agent that said them and by what became of them; each repeat counts.
    pub agents: BTreeMap<String, BTreeMap<SentenceState, usize>>,
    /// Episodes without any verdict, by reason.
    pub not_judged: BTreeMap<NoGrades, usize>,
}

impl Characters {
    /// What is sent about some episodes, and what would be if each was asked about whole, in another wording.
    pub fn of(subjects: &[Subject], whole: Wording) -> Characters {
        let sum = |wording: Wording, subject: &Subject| JudgeQuestion::of(subject, wording).characters();
        let listed = subjects.iter().filter(|subject| !subject.listed.is_empty());
        Characters {
            asked: listed.map(|subject| sum(Wording::of(ReplyForm::Sentences), subject)).sum(),
            whole: subjects.iter().map(|subject| sum(whole, subject)).sum(),
        }
    }
}

impl SentencesSummary {
    /// Of judgements of these episodes; those of others count nowhere.
    pub fn of(subjects: &[Subject], judgements: &[Judgement], whole: Wording) -> SentencesSummary {
        let listed = || subjects.iter().filter(|subject| !subject.listed.is_empty());
        SentencesSummary {
            episodes: subjects.len(),
            with_list: listed().count(),
            sentences: listed().map(|subject| subject.listed.len()).sum(),
            characters: Characters::of(subjects, whole),
            judges: of_judges(&listed().map(|subject| &subject.episode).collect(), judgements),
        }
    }
}

/// What each judge says of the reading lists of some episodes.
pub fn of_judges(episodes: &BTreeSet<&EpisodeCard>, judgements: &[Judgement]) -> Vec<SentencesOfJudge> {
    let mut judges: BTreeMap<String, (SentencesOfJudge, BTreeSet<u32>)> = BTreeMap::new();
    for judgement in judgements.iter().filter(|one| episodes.contains(&one.episode)) {
        let empty = || SentencesOfJudge {
            judge: judgement.judge.clone(),
            repeats: 0,
            agents: BTreeMap::new(),
            not_judged: BTreeMap::new(),
        };
        let (judge, repeats) = judges.entry(judgement.judge.key()).or_insert_with(|| (empty(), BTreeSet::new()));
        repeats.insert(judgement.repeat);
        judge.repeats = repeats.len();
        match &judgement.judged {
            Judged::Sentences { sentences } => {
                let agent = judge.agents.entry(judgement.episode.agent.clone()).or_default();
                sentences.iter().for_each(|one| *agent.entry(one.state()).or_default() += 1);
            }
            Judged::NotScored { reason, .. } => *judge.not_judged.entry(*reason).or_default() += 1,
            // Grades lie in another file.
            Judged::Graded { .. } => {}
        }
    }
    judges.into_values().map(|(judge, _)| judge).collect()
}
