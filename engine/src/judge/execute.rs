//! Asking judges about episodes in parallel, each judgement recorded as it comes.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::journal::{Journal, in_order};
use super::judgement::{EpisodeCard, FORMAT, JudgeCard, Judged, Judgement, NoGrades};
use super::model::ModelJudge;
use crate::episode::interrupt::Interrupt;
use crate::model::event::EndReason;
use crate::model::usage::Usage;
use crate::run::directory::RunError;
use crate::run::journal::Appender;
use crate::task::Task;
use crate::trace::Trace;

/// An episode that is to be judged.
pub struct Subject<'a> {
    /// Which it is.
    pub episode: EpisodeCard,
    /// Its task.
    pub task: &'a Task,
    /// What happened.
    pub trace: &'a Trace,
}

/// How judges are asked.
pub struct Session<'a> {
    /// Who is asked.
    pub judges: &'a [ModelJudge],
    /// How often each judge grades each episode.
    pub repeats: u32,
    /// Judgements asked for at the same time; results do not depend on it.
    pub jobs: usize,
    /// Set from outside to stop.
    pub stop: &'a Interrupt,
    /// Called after each judgement.
    pub on_judgement: &'a (dyn Fn() + Sync),
}

/// What came of it.
#[derive(Default)]
pub struct Asked {
    /// All judgements, those of earlier sessions included, in order.
    pub judgements: Vec<Judgement>,
    /// How many were wanted.
    pub wanted: usize,
    /// How many of these are there; who could not be reached gave none.
    pub there: usize,
    /// What was asked for now.
    pub usage: Usage,
    /// Whether a judge that was asked now could not be reached.
    pub is_unreached: bool,
    /// Whether it was interrupted before its end.
    pub is_interrupted: bool,
}

/// One judgement that is wanted.
struct Wanted<'a> {
    judge: &'a ModelJudge,
    card: &'a JudgeCard,
    key: &'a str,
    subject: &'a Subject<'a>,
    repeat: u32,
}

impl Session<'_> {
    /// Asks for every judgement that the journal does not hold yet. Without a journal nothing is kept.
    ///
    /// # Errors
    /// The journal can no longer be written; what was recorded is kept.
    pub fn ask(&self, subjects: &[Subject], mut journal: Option<Journal>) -> Result<Asked, RunError> {
        let cards: Vec<(JudgeCard, String)> =
            self.judges.iter().map(ModelJudge::card).map(|card| (card.clone(), card.key())).collect();
        let mut earlier = journal.as_mut().map(|journal| std::mem::take(&mut journal.judgements)).unwrap_or_default();
        // Who could not be reached is asked again.
        earlier.retain(|judgement| !judgement.is_unreached());
        let finished: BTreeSet<_> = earlier.iter().map(Judgement::order).collect();
        let wanted = self.wanted(subjects, &cards);
        let (there, missing): (Vec<&Wanted>, Vec<&Wanted>) =
            wanted.iter().partition(|wanted| finished.contains(&wanted.place()));
        there.iter().for_each(|_| (self.on_judgement)());
        let there = there.len();
        let appender = journal.as_ref().map(Journal::appender).transpose()?;
        let writer = Mutex::new(Writer { appender, failure: None });
        let judge = |wanted: &&Wanted| {
            let judgement = if self.stop.is_set() { None } else { wanted.judge() };
            if let Some(judgement) = &judgement {
                writer.lock().unwrap_or_else(PoisonError::into_inner).push(judgement, self.stop);
            }
            (self.on_judgement)();
            judgement
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let pool = pool.map_err(|error| RunError::File { path: "threads".to_owned(), what: error.to_string() })?;
        let asked: Vec<Option<Judgement>> = pool.install(|| missing.par_iter().map(judge).collect());
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(error), Some(journal)) = (writer.failure, &journal) {
            return Err(journal.failed(&error));
        }
        let asked: Vec<Judgement> = asked.into_iter().flatten().collect();
        let unreached = asked.iter().filter(|judgement| judgement.is_unreached()).count();
        let there = there + asked.len() - unreached;
        let mut usage = Usage::default();
        asked.iter().for_each(|judgement| usage += judgement.usage);
        let (judgements, _) = in_order(earlier.into_iter().chain(asked));
        if let Some(journal) = &journal {
            journal.rewrite(&judgements)?;
        }
        let (is_unreached, is_interrupted) = (unreached > 0, self.stop.is_set());
        Ok(Asked { judgements, wanted: wanted.len(), there, usage, is_unreached, is_interrupted })
    }

    fn wanted<'a>(&'a self, subjects: &'a [Subject<'a>], cards: &'a [(JudgeCard, String)]) -> Vec<Wanted<'a>> {
        let judges = self.judges.iter().zip(cards);
        let of = |(judge, (card, key)): (&'a ModelJudge, &'a (JudgeCard, String))| {
            let repeats = move |subject: &'a Subject<'a>| {
                (0..self.repeats).map(move |repeat| Wanted { judge, card, key, subject, repeat })
            };
            subjects.iter().flat_map(repeats)
        };
        judges.flat_map(of).collect()
    }
}

impl Wanted<'_> {
    /// Where it stands in files, as [`Judgement::order`].
    fn place(&self) -> (String, &EpisodeCard, u32) {
        (self.key.to_owned(), &self.subject.episode, self.repeat)
    }

    /// The judgement; nothing when everything was asked to stop.
    fn judge(&self) -> Option<Judgement> {
        let Subject { episode, task, trace } = self.subject;
        let (judged, usage) = match trace.end() {
            Some((EndReason::ProviderUnreachable, detail)) => {
                let detail = detail.unwrap_or("the provider of its agent could not be reached").to_owned();
                (Judged::NotScored { reason: NoGrades::EpisodeUnreached, detail, reply: None }, Usage::default())
            }
            Some(_) | None => self.judge.judge(task, trace, &self.unit())?,
        };
        let (judge, repeat, episode) = (self.card.clone(), self.repeat, episode.clone());
        Some(Judgement { format: FORMAT, judge, repeat, episode, judged, usage })
    }

    /// The name in a cassette.
    fn unit(&self) -> String {
        let EpisodeCard { agent, task, variant, trial, .. } = &self.subject.episode;
        format!("{} {} {agent} {task} {variant} #{trial}", self.card.id, self.repeat)
    }
}

/// The one who writes: after a failure nothing more is asked.
struct Writer {
    appender: Option<Appender>,
    failure: Option<std::io::Error>,
}

impl Writer {
    fn push(&mut self, judgement: &Judgement, stop: &Interrupt) {
        let Some(appender) = &mut self.appender else { return };
        if self.failure.is_none() {
            self.failure = appender.push(judgement).err();
        }
        if self.failure.is_some() {
            stop.set();
        }
    }
}
