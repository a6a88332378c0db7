//! Asking judges about episodes, each as often as is wanted.

use super::judgement::{EpisodeCard, FORMAT, JudgeCard, Judged, Judgement, NoGrades};
use super::model::ModelJudge;
use super::question::Subject;
use probity_bench::{Fault, RunError, Usage};
use probity_ruling::journal::Journal;
use probity_ruling::session::{Judging, Round, Session};

pub struct Asking<'a> {
    judges: Vec<(&'a ModelJudge, JudgeCard)>,
    repeats: u32,
    session: Session<'a, Judgement>,
}

struct JudgementRequest<'a> {
    judge: &'a ModelJudge,
    card: &'a JudgeCard,
    key: (String, EpisodeCard, u32),
    subject: &'a Subject<'a>,
}

impl<'a> Asking<'a> {
    /// Judges that are asked for every judgement that the journal does not hold yet.
    /// An error: the journal cannot be written.
    pub fn begin(
        judges: &'a [ModelJudge],
        repeats: u32,
        round: Round<'a>,
        journal: Option<Journal<Judgement>>,
    ) -> Result<Asking<'a>, RunError> {
        let judges = judges.iter().map(|judge| (judge, judge.card())).collect();
        Ok(Asking { judges, repeats, session: Session::begin(round, journal)? })
    }

    pub fn grade(&self, subject: &Subject) {
        for wanted in wanted(&self.judges, self.repeats, std::slice::from_ref(subject)) {
            // Who was asked to stop says nothing.
            let _ = self.session.ask(&wanted.key, |usage| wanted.judge(usage));
        }
    }

    /// Asks for all that is still missing and says what came of it.
    /// An error: the journal could not be written at some time; what was recorded is kept.
    pub fn end(self, subjects: &[Subject]) -> Result<Judging<Judgement>, RunError> {
        let wanted = wanted(&self.judges, self.repeats, subjects);
        self.session.end(&wanted, |wanted| wanted.key.clone(), JudgementRequest::judge)
    }
}

fn wanted<'b>(
    judges: &'b [(&'b ModelJudge, JudgeCard)],
    repeats: u32,
    subjects: &'b [Subject<'b>],
) -> Vec<JudgementRequest<'b>> {
    let mut wanted = Vec::new();
    for (judge, card) in judges {
        let key = card.key();
        for subject in subjects {
            let request =
                |repeat| JudgementRequest { judge, card, key: (key.clone(), subject.episode.clone(), repeat), subject };
            wanted.extend((0..repeats).map(request));
        }
    }
    wanted
}

impl JudgementRequest<'_> {
    /// An error: everything was asked to stop.
    fn judge(&self, spent: &mut Usage) -> Result<Judgement, Fault> {
        let Subject { episode, trace, .. } = self.subject;
        let mut usage = Usage::default();
        let judged = match trace.end() {
            Some((reason, detail)) if reason.is_unreached() => {
                let detail = detail.unwrap_or("a provider of the episode could not be reached").to_owned();
                Judged::NotScored { reason: NoGrades::EpisodeUnreached, detail, reply: None }
            }
            Some(_) | None => self.judge.judge(self.subject, &self.unit(), &mut usage)?,
        };
        *spent += usage;
        let (_, _, repeat) = self.key;
        Ok(Judgement { format: FORMAT, judge: self.card.clone(), repeat, episode: episode.clone(), judged, usage })
    }

    fn unit(&self) -> String {
        let (_, EpisodeCard { agent, task, variant, trial, dialogue, .. }, repeat) = &self.key;
        let dialogue = dialogue.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("{} {repeat} {agent} {task} {variant} #{trial}{dialogue}", self.card.id)
    }
}
