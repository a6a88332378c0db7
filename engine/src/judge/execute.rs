//! Asking judges about episodes in parallel, each judgement recorded as it comes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::judgement::{EpisodeCard, FORMAT, JudgeCard, Judged, Judgement, NoGrades};
use super::model::ModelJudge;
use crate::episode::interrupt::Interrupt;
use crate::model::event::EndReason;
use crate::model::usage::Usage;
use crate::run::directory::RunError;
use crate::run::journal::{self, Appender, Lines};
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

/// The file that judgements are kept in.
pub struct Journal {
    path: PathBuf,
    /// What it holds so far.
    pub lines: Lines<Judgement>,
}

impl Journal {
    /// Reads the file at `path`; there need not be one.
    ///
    /// # Errors
    /// It is there but cannot be read.
    pub fn open(path: PathBuf) -> Result<Journal, RunError> {
        let lines = match File::open(&path) {
            Ok(file) => journal::read(&mut BufReader::new(file), Judgement::read).map_err(|e| failed(&path, &e))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Lines { records: Vec::new(), damaged: Vec::new(), is_torn: false }
            }
            Err(error) => return Err(failed(&path, &error)),
        };
        Ok(Journal { path, lines })
    }

    fn appender(&self) -> Result<Appender, RunError> {
        let made = File::options().append(true).create(true).open(&self.path);
        made.and_then(|_| Appender::open(&self.path)).map_err(|error| failed(&self.path, &error))
    }

    fn rewrite(&self, judgements: &[Judgement]) -> Result<(), RunError> {
        let text: String = judgements.iter().map(journal::line).collect();
        journal::write(&self.path, &text).map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &std::path::Path, error: &std::io::Error) -> RunError {
    RunError::File { path: path.display().to_string(), what: error.to_string() }
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
        let wanted = self.wanted(subjects, &cards);
        let mut earlier =
            journal.as_mut().map(|journal| std::mem::take(&mut journal.lines.records)).unwrap_or_default();
        // Who could not be reached is asked again.
        earlier.retain(|judgement| !judgement.is_unreached());
        let finished: BTreeSet<_> = earlier.iter().map(Judgement::order).collect();
        let appender = journal.as_ref().map(Journal::appender).transpose()?;
        let writer = Mutex::new(Writer { appender, failure: None });
        let judge = |wanted: &Wanted| {
            let is_finished = finished.contains(&(wanted.key.to_owned(), &wanted.subject.episode, wanted.repeat));
            let judgement = if is_finished || self.stop.is_set() { None } else { wanted.judge() };
            if let Some(judgement) = &judgement {
                writer.lock().unwrap_or_else(PoisonError::into_inner).push(judgement, self.stop);
            }
            (self.on_judgement)();
            judgement
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let pool = pool.map_err(|error| RunError::File { path: "threads".to_owned(), what: error.to_string() })?;
        let asked: Vec<Option<Judgement>> = pool.install(|| wanted.par_iter().map(judge).collect());
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(error), Some(journal)) = (writer.failure, &journal) {
            return Err(failed(&journal.path, &error));
        }
        let asked: Vec<Judgement> = asked.into_iter().flatten().collect();
        let is_unreached = asked.iter().any(Judgement::is_unreached);
        let mut usage = Usage::default();
        asked.iter().for_each(|judgement| usage += judgement.usage);
        let judgements = in_order(earlier.into_iter().chain(asked));
        if let Some(journal) = &journal {
            journal.rewrite(&judgements)?;
        }
        Ok(Asked { judgements, usage, is_unreached, is_interrupted: self.stop.is_set() })
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

/// In the order of files; of judgements with one place the last counts.
fn in_order(judgements: impl Iterator<Item = Judgement>) -> Vec<Judgement> {
    let place = |judgement: Judgement| {
        let (key, episode, repeat) = judgement.order();
        ((key, episode.clone(), repeat), judgement)
    };
    judgements.map(place).collect::<BTreeMap<_, _>>().into_values().collect()
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
