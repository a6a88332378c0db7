//! Asking judges about episodes in parallel, each judgement recorded as it comes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::journal::{Journal, in_order};
use super::judgement::{EpisodeCard, FORMAT, JudgeCard, Judged, Judgement, NoGrades};
use super::model::ModelJudge;
use super::question::Subject;
use probity_bench::{Appender, Interrupt, RunError, Usage};

pub struct Session<'a> {
    pub judges: &'a [ModelJudge],
    pub repeats: u32,
    /// Judgements asked for at the same time; results do not depend on it.
    pub jobs: usize,
    pub stop: &'a Interrupt,
    pub on_judgement: &'a (dyn Fn() + Sync),
}

#[derive(Default)]
pub struct JudgingResult {
    /// All judgements, those of earlier sessions included, in order.
    pub judgements: Vec<Judgement>,
    pub wanted: usize,
    /// How many of these are there; who could not be reached gave none.
    pub there: usize,
    pub usage: Usage,
    pub is_unreached: bool,
    pub is_interrupted: bool,
}

struct JudgementRequest<'a> {
    judge: &'a ModelJudge,
    card: &'a JudgeCard,
    key: &'a str,
    subject: &'a Subject<'a>,
    repeat: u32,
}

impl Session<'_> {
    /// Asks for every judgement that the journal does not hold yet. Without a journal nothing is kept.
    /// An error: the journal can no longer be written; what was recorded is kept.
    pub fn ask(&self, subjects: &[Subject], journal: Option<Journal>) -> Result<JudgingResult, RunError> {
        self.begin(journal)?.end(subjects)
    }

    pub fn begin(&self, mut journal: Option<Journal>) -> Result<Asking<'_>, RunError> {
        let mut earlier = journal.as_mut().map(|journal| std::mem::take(&mut journal.judgements)).unwrap_or_default();
        // Who could not be reached is asked again.
        earlier.retain(|judgement| !judgement.is_unreached());
        let appender = journal.as_ref().map(Journal::appender).transpose()?;
        Ok(Asking {
            session: self,
            cards: self.judges.iter().map(ModelJudge::card).map(|card| (card.clone(), card.key())).collect(),
            finished: earlier.iter().map(place).collect(),
            earlier,
            journal,
            kept: Mutex::new(Kept { appender, failure: None, asked: BTreeMap::new() }),
        })
    }
}

pub struct Asking<'a> {
    session: &'a Session<'a>,
    cards: Vec<(JudgeCard, String)>,
    finished: BTreeSet<JudgementKey>,
    earlier: Vec<Judgement>,
    journal: Option<Journal>,
    kept: Mutex<Kept>,
}

type JudgementKey = (String, EpisodeCard, u32);

/// What was asked for so far, recorded as it came; after a failure nothing more is asked.
struct Kept {
    appender: Option<Appender>,
    failure: Option<std::io::Error>,
    asked: BTreeMap<JudgementKey, Judgement>,
}

impl Asking<'_> {
    pub fn grade(&self, subject: &Subject) {
        self.wanted(std::slice::from_ref(subject)).iter().for_each(|wanted| self.judge(wanted));
    }

    /// Asks for all that is still missing, puts the journal in order and says what came of it.
    /// An error: the journal could not be written at some time; what was recorded is kept.
    pub fn end(self, subjects: &[Subject]) -> Result<JudgingResult, RunError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.session.jobs).build();
        let pool = pool.map_err(|error| RunError::File { path: "threads".to_owned(), what: error.to_string() })?;
        let wanted = self.wanted(subjects);
        pool.install(|| wanted.par_iter().for_each(|wanted| self.judge(wanted)));
        let wanted: Vec<JudgementKey> = wanted.iter().map(JudgementRequest::place).collect();
        let Asking { session, finished, earlier, journal, kept, .. } = self;
        let Kept { failure, asked, .. } = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(error), Some(journal)) = (failure, &journal) {
            return Err(journal.failed(&error));
        }
        let is_given = |place: &JudgementKey| asked.get(place).is_some_and(|judgement| !judgement.is_unreached());
        let there = wanted.iter().filter(|place| finished.contains(*place) || is_given(place)).count();
        let is_unreached = asked.values().any(Judgement::is_unreached);
        let mut usage = Usage::default();
        asked.values().for_each(|judgement| usage += judgement.usage);
        let (judgements, _) = in_order(earlier.into_iter().chain(asked.into_values()));
        if let Some(journal) = &journal {
            journal.rewrite(&judgements)?;
        }
        let is_interrupted = session.stop.is_set();
        Ok(JudgingResult { judgements, wanted: wanted.len(), there, usage, is_unreached, is_interrupted })
    }

    fn wanted<'b>(&'b self, subjects: &'b [Subject<'b>]) -> Vec<JudgementRequest<'b>> {
        let judges = self.session.judges.iter().zip(&self.cards);
        let of = |(judge, (card, key)): (&'b ModelJudge, &'b (JudgeCard, String))| {
            let repeats = move |subject: &'b Subject<'b>| {
                (0..self.session.repeats).map(move |repeat| JudgementRequest { judge, card, key, subject, repeat })
            };
            subjects.iter().flat_map(repeats)
        };
        judges.flat_map(of).collect()
    }

    /// Asks for a judgement, unless it is there or everything is to stop.
    fn judge(&self, wanted: &JudgementRequest) {
        let place = wanted.place();
        let is_there = self.finished.contains(&place) || self.kept().asked.contains_key(&place);
        let is_over = self.session.stop.is_set() || self.kept().failure.is_some();
        if let Some(judgement) = (!is_there && !is_over).then(|| wanted.judge()).flatten() {
            self.kept().push(place, judgement);
        }
        (self.session.on_judgement)();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn push(&mut self, place: JudgementKey, judgement: Judgement) {
        if let (Some(appender), None) = (&mut self.appender, &self.failure) {
            self.failure = appender.push(&judgement).err();
        }
        self.asked.insert(place, judgement);
    }
}

fn place(judgement: &Judgement) -> JudgementKey {
    let (key, episode, repeat) = judgement.order();
    (key, episode.clone(), repeat)
}

impl JudgementRequest<'_> {
    fn place(&self) -> JudgementKey {
        (self.key.to_owned(), self.subject.episode.clone(), self.repeat)
    }

    /// The judgement; nothing when everything was asked to stop.
    fn judge(&self) -> Option<Judgement> {
        let Subject { episode, trace, .. } = self.subject;
        let (judged, usage) = match trace.end() {
            Some((reason, detail)) if reason.is_unreached() => {
                let detail = detail.unwrap_or("a provider of the episode could not be reached").to_owned();
                (Judged::NotScored { reason: NoGrades::EpisodeUnreached, detail, reply: None }, Usage::default())
            }
            Some(_) | None => self.judge.judge(self.subject, &self.unit())?,
        };
        let (judge, repeat, episode) = (self.card.clone(), self.repeat, episode.clone());
        Some(Judgement { format: FORMAT, judge, repeat, episode, judged, usage })
    }

    fn unit(&self) -> String {
        let EpisodeCard { agent, task, variant, trial, dialogue, .. } = &self.subject.episode;
        let dialogue = dialogue.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("{} {} {agent} {task} {variant} #{trial}{dialogue}", self.card.id, self.repeat)
    }
}
