//! Who holds vectors against our answers, what a vector turns out to be, and how many of each kind came out so.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::case::{Case, Failure, Family};
use crate::tau::{Held, RecordingKind, TauWorlds};
use probity_engine::Diagnostic;

pub enum Examiner {
    /// Our scorers, on questions with answers.
    Scorers(Family),
    /// Our worlds of tau2-bench's tools, on recordings of it.
    Worlds(Box<TauWorlds>, RecordingKind),
}

#[derive(Debug)]
pub enum Outcome {
    Agrees,
    Differs(Box<Failure>),
    /// It came out otherwise by a rule that the docs name.
    Diverges(&'static str),
    /// Nothing was asked of it: the kind of such vectors.
    Skipped(String),
}

/// The kind of recordings in which the peer took what its own schema forbids.
pub const LAX: &str = "lax";

impl Examiner {
    /// Reads a line of a vector file.
    /// An error: everything that is wrong with it.
    pub fn read(&self, file: &str, line: usize, value: Value) -> Result<Case, Vec<Diagnostic>> {
        let fault = |message: String, help: &str| {
            vec![Diagnostic { line, column: 1, ..Diagnostic::file(file, "bad_vector", message).help(help) }]
        };
        match self {
            Examiner::Scorers(family) => {
                let case = Case::parse(file, line, value)?;
                match case.input_fault(*family) {
                    Some(what) => Err(fault(what, "an input has the fields that its kind asks about")),
                    None => Ok(case),
                }
            }
            Examiner::Worlds(_, kind) => {
                if let Some(name) = kind.missing(&value) {
                    let help = "docs/MM_TAU.md has what a recording of a task, or of calls, holds";
                    return Err(fault(format!("it has no `{name}`"), help));
                }
                let text = |name: &str| value.get(name).and_then(Value::as_str);
                let domain = text("domain").unwrap_or_default();
                let id = text("task_id").or_else(|| text("seq_id")).unwrap_or_default();
                let (id, kind) = (format!("{domain} {id}"), domain.to_owned());
                Ok(Case { id, kind, is_quirk: false, input: value, expected: Value::Null })
            }
        }
    }

    pub fn examine(&self, case: &Case) -> Outcome {
        let failure = |reason: String| Outcome::Differs(Box::new(Failure { case: case.clone(), actual: None, reason }));
        match self {
            Examiner::Scorers(family) if family.information().contains(&case.kind.as_str()) => {
                Outcome::Skipped(case.kind.clone())
            }
            Examiner::Scorers(family) => match case.check(*family) {
                Ok(()) => Outcome::Agrees,
                Err(failure) => Outcome::Differs(failure),
            },
            Examiner::Worlds(worlds, _) => match worlds.hold(&case.input) {
                Ok(Held::Agrees) => Outcome::Agrees,
                Ok(Held::Diverges(rule)) => Outcome::Diverges(rule.name()),
                Ok(Held::Lax) => Outcome::Skipped(LAX.to_owned()),
                Ok(Held::Differs(what)) | Err(what) => failure(what),
            },
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub cases: usize,
    pub passed: usize,
    pub failed: usize,
    /// Vectors that hang on no oddity of the reference.
    pub plain_cases: usize,
    pub plain_passed: usize,
}

#[derive(Debug, Default)]
pub struct Tally {
    pub kinds: BTreeMap<String, Counts>,
    /// In the order of the files.
    pub failures: Vec<Failure>,
    /// Vectors that could not be read. They count as failed, so that no run looks clean without them.
    pub unreadable: usize,
    /// Vectors by kind that nothing was asked of: they tell what the other program does.
    pub skipped: BTreeMap<String, usize>,
    /// Vectors that came out otherwise by a rule that the docs name, by the rule. They count as passed.
    pub diverged: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub fn add(&mut self, case: &Case, outcome: Outcome) {
        let passed = match outcome {
            Outcome::Skipped(kind) => {
                *self.skipped.entry(kind).or_default() += 1;
                return;
            }
            Outcome::Agrees => 1,
            Outcome::Diverges(rule) => {
                *self.diverged.entry(rule).or_default() += 1;
                1
            }
            Outcome::Differs(failure) => {
                self.failures.push(*failure);
                0
            }
        };
        let counts = self.kinds.entry(case.kind.clone()).or_default();
        let plain = usize::from(!case.is_quirk);
        counts.cases += 1;
        counts.passed += passed;
        counts.failed += 1 - passed;
        counts.plain_cases += plain;
        counts.plain_passed += plain * passed;
    }

    pub fn failed(count: usize) -> Counts {
        Counts { cases: count, failed: count, plain_cases: count, ..Counts::default() }
    }

    /// All kinds together, and what could not be read.
    pub fn total(&self) -> Counts {
        let mut total = Self::failed(self.unreadable);
        for counts in self.kinds.values() {
            total.cases += counts.cases;
            total.passed += counts.passed;
            total.failed += counts.failed;
            total.plain_cases += counts.plain_cases;
            total.plain_passed += counts.plain_passed;
        }
        total
    }
}
