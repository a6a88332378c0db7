//! How calls into Rhai end, sorted by who is to blame.

use rhai::{Dynamic, EvalAltResult};
use serde_json::Value;

use super::natives::Failure;
use super::unit::Called;
use super::{fuel, lint};

/// How a call of a script ended.
#[derive(Debug)]
pub enum Outcome {
    /// The body returned this.
    Returned(Value),
    /// The precondition at this position does not hold.
    Refused(usize),
    /// The body called `fail(code, message)`.
    Failed {
        /// The business code.
        code: String,
        /// One line for the agent.
        message: String,
    },
    /// It used more than it may; the text says what.
    Limit(String),
    /// It stopped with an error of its own.
    Fault(String),
}

/// Why a script without codes of its own (a predicate, an event, `populate`) did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It used more than it may; the text says what.
    Limit(String),
    /// It stopped with an error of its own.
    Fault(String),
}

impl Stopped {
    /// The line for the author.
    pub fn into_detail(self) -> String {
        match self {
            Stopped::Limit(detail) | Stopped::Fault(detail) => detail,
        }
    }
}

fn describe(error: &EvalAltResult) -> String {
    let text = lint::plain(&error.to_string());
    match error.unwrap_inner() {
        EvalAltResult::ErrorDataRace(..) => {
            format!("{text}; the closure uses what its own chain starts from: put the list into a `let` first")
        }
        _ => text,
    }
}

/// What a call into Rhai came to. A script that catches the error of its limit has spent all the same.
pub fn classify(called: Called) -> Result<Dynamic, Outcome> {
    let error = match called {
        _ if fuel::is_spent() => return Err(spent()),
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    Err(match error.unwrap_inner() {
        EvalAltResult::ErrorRuntime(value, _) => match value.read_lock::<Failure>() {
            Some(failure) => Outcome::Failed { code: failure.code.clone(), message: failure.message.clone() },
            None => Outcome::Fault(describe(&error)),
        },
        EvalAltResult::ErrorTooManyOperations(_)
        | EvalAltResult::ErrorTerminated(..)
        | EvalAltResult::ErrorStackOverflow(_)
        | EvalAltResult::ErrorTooManyVariables(_)
        | EvalAltResult::ErrorDataTooLarge(..) => Outcome::Limit(describe(&error)),
        _ => Outcome::Fault(describe(&error)),
    })
}

/// There are no operations left.
pub fn spent() -> Outcome {
    Outcome::Limit(fuel::spent())
}

/// [`classify`] for what has no codes of its own.
pub fn finished(called: Called) -> Result<Dynamic, Stopped> {
    classify(called).map_err(|outcome| match outcome {
        Outcome::Limit(detail) => Stopped::Limit(detail),
        Outcome::Fault(detail) => Stopped::Fault(detail),
        Outcome::Failed { code, .. } => Stopped::Fault(format!("`fail(\"{code}\", ..)` outside of a tool")),
        Outcome::Returned(_) | Outcome::Refused(_) => Stopped::Fault("stopped without a value".to_owned()),
    })
}
