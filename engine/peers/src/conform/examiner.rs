//! Who holds vectors against our answers, and what a vector turns out to be.

use serde_json::Value;

use super::Family;
use super::case::{Case, Failure};
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
