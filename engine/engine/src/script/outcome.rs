//! How calls into Rhai end, sorted by who is to blame.

use rhai::{Dynamic, EvalAltResult};
use serde_json::Value;

use super::error::{line_column, plain};
use super::fuel;
use super::natives::Failure;
use super::unit::Called;

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

/// What is wrong, and where in which script; a place in an expression tells an author nothing.
fn describe(error: &EvalAltResult) -> String {
    let (script, error) = match error {
        EvalAltResult::ErrorInFunctionCall(_, script, inner, _) => (script.as_str(), inner.as_ref()),
        error => ("", error),
    };
    let (text, at) = (error.to_string(), error.position());
    let text = plain(text.strip_suffix(&format!(" ({at})")).unwrap_or(&text));
    let (line, column) = line_column(at);
    let place = if script.is_empty() { String::new() } else { format!(" ({script}:{line}:{column})") };
    match error {
        EvalAltResult::ErrorDataRace(..) => {
            format!("{text}{place}; the closure uses what its own chain starts from: put the list into a `let` first")
        }
        _ => text + &place,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::case::{Reader, hold, pair};
    use crate::model::call::ToolCall;
    use crate::model::environment_file::Actor;
    use crate::model::ids::Difficulty;
    use crate::world::built;

    /// What an author is told of a call of `look`, which has this body from line 2 on, beside a library from line 1 on.
    fn fault(text: &str) -> String {
        let (body, tea) = pair(text);
        let file = r#"{"title": "Cups", "summary": "Cups.", "clock": "2026-01-01T00:00:00Z", "policy": [],
            "state": {"desk": {"fields": {"n?": "integer"}}},
            "tools": [{"name": "look", "description": "Looks.", "returns": true, "parameters": {"n": "integer"},
                "preconditions": [{"code": "none", "message": "None.", "expr": "[1][args.n] == 1"}]}],
            "populate": {"sizes": {"easy": {}, "medium": {}, "hard": {}}}}"#;
        let script =
            format!("fn look(db, args) {{\n{body}\n}}\nfn populate(db, rng, size) {{ db.desk = #{{ n: 1 }}; }}");
        let (world, _) = built(file, &script, tea).unwrap();
        let state = world.populate(Difficulty::Easy, 1).unwrap();
        let n = i64::from(body.is_empty());
        world.step(&state, &ToolCall::new("look", json!({"n": n})), Actor::Agent).result.unwrap_err().detail.unwrap()
    }

    #[test]
    fn faults_are_placed_in_their_script() {
        hold(include_str!("fault_cases.txt"), &[("fault", fault as Reader)]);
    }
}
