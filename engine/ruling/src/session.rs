//! Asking judges about many things in parallel, each answer recorded as it comes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::journal::{Journal, Record, in_order};
use probity_bench::{Appender, Fault, Interrupt, RunError, Usage, run::execute::threads};

#[derive(Clone, Copy)]
pub struct Round<'a> {
    /// Answers asked for at the same time; results do not depend on it.
    pub jobs: usize,
    pub stop: &'a Interrupt,
    pub on_answer: &'a (dyn Fn() + Sync),
}

#[derive(Debug)]
pub struct Asked<A> {
    pub answers: A,
    pub usage: Usage,
    /// Why nobody was asked any more.
    pub fault: Option<Fault>,
}

impl Round<'_> {
    /// Asks about all of some things. After a fault nobody is asked any more, and about what is left there is no answer.
    /// An error: there are no threads.
    pub fn ask<Q: Sync, A: Send>(
        &self,
        all: &[Q],
        one: impl Fn(&Q, &mut Usage) -> Result<A, Fault> + Sync,
    ) -> Result<Asked<Vec<Option<A>>>, RunError> {
        let sum = Mutex::new((Usage::default(), None));
        let kept = || sum.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |question: &Q| {
            let is_over = self.stop.is_set() || kept().1.is_some();
            let mut usage = Usage::default();
            let answer = (!is_over).then(|| one(question, &mut usage));
            kept().0 += usage;
            (self.on_answer)();
            answer?.map_err(|fault| kept().1.get_or_insert(fault).clone()).ok()
        };
        let answers = threads(self.jobs)?.install(|| all.par_iter().with_max_len(1).map(answer).collect());
        let (usage, fault) = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Asked { answers, usage, fault })
    }
}

/// Judges that are asked for what a journal does not hold yet. Without a journal nothing is kept.
pub struct Session<'a, R: Record> {
    round: Round<'a>,
    finished: BTreeSet<R::Key>,
    earlier: Vec<R>,
    journal: Option<Journal<R>>,
    kept: Mutex<Kept<R>>,
}

/// What was asked for so far, recorded as it came; after a failure nothing more is asked.
struct Kept<R: Record> {
    appender: Option<Appender>,
    failure: Option<std::io::Error>,
    asked: BTreeMap<R::Key, R>,
    usage: Usage,
}

pub struct Judging<R> {
    /// All records, those of earlier sessions included, in order.
    pub records: Vec<R>,
    pub wanted: usize,
    /// How many of these are there; who could not be reached gave none.
    pub there: usize,
    pub usage: Usage,
    pub is_unreached: bool,
    pub is_interrupted: bool,
    /// Why nobody was asked any more.
    pub fault: Option<Fault>,
}

impl<R> Judging<R> {
    /// Nobody was asked, and these are there.
    pub fn known(records: Vec<R>) -> Judging<R> {
        let usage = Usage::default();
        Judging { records, wanted: 0, there: 0, usage, is_unreached: false, is_interrupted: false, fault: None }
    }
}

impl<'a, R: Record> Session<'a, R> {
    /// An error: the journal cannot be written.
    pub fn begin(round: Round<'a>, mut journal: Option<Journal<R>>) -> Result<Self, RunError> {
        let mut earlier = journal.as_mut().map(|journal| std::mem::take(&mut journal.records)).unwrap_or_default();
        // Who could not be reached is asked again.
        earlier.retain(|record| !record.is_unreached());
        let appender = journal.as_ref().map(Journal::appender).transpose()?;
        let kept = Kept { appender, failure: None, asked: BTreeMap::new(), usage: Usage::default() };
        let finished = earlier.iter().map(Record::key).collect();
        Ok(Session { round, finished, earlier, journal, kept: Mutex::new(kept) })
    }

    /// Asks anew about what is recorded and is of something else by now.
    pub fn forget(&mut self, stale: &BTreeSet<R::Key>) {
        self.finished.retain(|key| !stale.contains(key));
    }

    /// Asks for one record, unless it is there or everything is to stop.
    pub fn ask(&self, key: &R::Key, one: impl FnOnce(&mut Usage) -> Result<R, Fault>) -> Result<(), Fault> {
        let is_there = self.finished.contains(key) || self.kept().asked.contains_key(key);
        let is_over = self.round.stop.is_set() || self.kept().failure.is_some();
        if is_there || is_over {
            return Ok(());
        }
        let mut usage = Usage::default();
        let answer = one(&mut usage);
        let mut kept = self.kept();
        let kept = &mut *kept;
        kept.usage += usage;
        let record = answer?;
        if let (Some(appender), None) = (&mut kept.appender, &kept.failure) {
            kept.failure = appender.push(&record).err();
        }
        kept.asked.insert(key.clone(), record);
        Ok(())
    }

    /// Asks for all that is still missing of what is wanted, puts the journal in order and says what came of it.
    /// An error: the journal could not be written at some time; what was recorded is kept.
    pub fn end<W: Sync>(
        self,
        wanted: &[W],
        key: impl Fn(&W) -> R::Key + Sync,
        one: impl Fn(&W, &mut Usage) -> Result<R, Fault> + Sync,
    ) -> Result<Judging<R>, RunError> {
        let asked = self.round.ask(wanted, |wanted, _| self.ask(&key(wanted), |usage| one(wanted, usage)))?;
        let Session { round, finished, earlier, journal, kept } = self;
        let Kept { failure, asked: new, usage, .. } = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(error), Some(journal)) = (failure, &journal) {
            return Err(journal.failed(&error));
        }
        let is_given = |place: &R::Key| new.get(place).is_some_and(|record| !record.is_unreached());
        let there = wanted.iter().map(&key).filter(|place| finished.contains(place) || is_given(place)).count();
        let is_unreached = new.values().any(Record::is_unreached);
        let (records, _) = in_order(earlier.into_iter().chain(new.into_values()));
        if let Some(journal) = &journal {
            journal.rewrite(&records)?;
        }
        let (is_interrupted, wanted, fault) = (round.stop.is_set(), wanted.len(), asked.fault);
        Ok(Judging { records, wanted, there, usage, is_unreached, is_interrupted, fault })
    }

    fn kept(&self) -> MutexGuard<'_, Kept<R>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Said {
        about: u32,
        /// None where the judge could not be reached.
        said: Option<String>,
    }

    impl Record for Said {
        type Key = u32;

        fn key(&self) -> u32 {
            self.about
        }

        fn read(line: &[u8]) -> Result<Said, String> {
            serde_json::from_slice(line).map_err(|error| error.to_string())
        }

        fn is_unreached(&self) -> bool {
            self.said.is_none()
        }
    }

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("probity-ruling-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Asks about 1 to 4; about 3 nothing can be said.
    fn asked(path: &PathBuf, stop: &Interrupt) -> Judging<Said> {
        let round = Round { jobs: 1, stop, on_answer: &|| {} };
        let session = Session::begin(round, Some(Journal::open(path.clone()).unwrap())).unwrap();
        let one = |about: &u32, usage: &mut Usage| {
            usage.requests += 1;
            match about {
                3 => Err(Fault::Unreachable("gone".to_owned())),
                about => Ok(Said { about: *about, said: Some("new".to_owned()) }),
            }
        };
        session.end(&[1, 2, 3, 4], |about| *about, one).unwrap()
    }

    #[test]
    fn what_is_kept_is_not_asked_for_again() {
        let kept = "\n{\"about\": 9, \"said\": \"old\"}\n\n{\"about\": 1, \"said\": \"old\"}\n{\"about\": 2, \"said\": null}\n";
        let path = file("kept", kept);
        let judging = asked(&path, &Interrupt::default());
        let found: Vec<(u32, &str)> =
            judging.records.iter().map(|one| (one.about, one.said.as_deref().unwrap())).collect();
        assert_eq!(found, [(1, "old"), (2, "new"), (9, "old")]);
        assert_eq!((judging.wanted, judging.there, judging.usage.requests), (4, 2, 2));
        assert_eq!(judging.fault, Some(Fault::Unreachable("gone".to_owned())), "4 is not asked about any more");
        let journal: Journal<Said> = Journal::open(path.clone()).unwrap();
        assert_eq!((journal.records, journal.doubled, journal.damaged), (judging.records, 0, Vec::new()));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn of_two_records_the_later_counts_unless_it_says_nothing() {
        let path = file(
            "twice",
            "{\"about\": 1, \"said\": \"a\"}\n{\"about\": 1, \"said\": \"b\"}\n{\"about\": 1, \"said\": null}\nx\n",
        );
        let journal: Journal<Said> = Journal::open(path.clone()).unwrap();
        assert_eq!((journal.records[0].said.as_deref(), journal.doubled, journal.damaged[0].0), (Some("b"), 1, 4));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn who_is_to_stop_is_asked_nothing() {
        let path = file("stopped", "");
        let stop = Interrupt::default();
        stop.set();
        let judging = asked(&path, &stop);
        assert_eq!((judging.records.len(), judging.is_interrupted, judging.usage.requests), (0, true, 0));
        std::fs::remove_file(path).unwrap();
    }
}
