//! An oracle that stops: which reference leads nowhere, what refused the call and why, or which fault of the
//! environment it met.

use super::environment::fault_of_tool;
use super::oracle::OracleProblems;
use probity_behaviour::task::oracle::{OracleStop, StopReason};
use probity_behaviour::task::reference::Dangling;
use probity_behaviour::task::{Outcome, Task};
use probity_engine::{Problem, Rejection, State, ToolCall, suggest};

/// Notes where and why the oracle of an outcome, which stands at `at`, stops.
pub(super) fn note(task: &Task, outcome: &Outcome, at: &str, stopped: &OracleStop, found: &mut OracleProblems) {
    let which = format!("oracle call {} of `{}`", stopped.call + 1, outcome.name);
    let at = format!("{at}/oracle/{}", stopped.call);
    match &stopped.why {
        StopReason::Dangling(dangling) => found.of_task.push(nowhere(&which, &at, dangling)),
        StopReason::Refused { before, call, rejection } if rejection.kind.is_author_fault() => {
            let index = task.environment().tools().iter().position(|tool| tool.name == call.tool);
            let flaw = index.and_then(|index| fault_of_tool(task.environment(), index, (before, call), rejection));
            let met = format!("{which} of {} meets it", task.id());
            found.of_environment.extend(flaw.map(|flaw| flaw.shown(&met)));
        }
        StopReason::Refused { before, call, rejection } => {
            found.of_task.push(refused(task, (&which, &at), before, call, rejection));
        }
    }
}

fn nowhere(which: &str, at: &str, dangling: &Dangling) -> Problem {
    let Dangling { at: below, reference, call, part, known } = dangling;
    let message = format!("{which} refers to `{reference}`, but there is no `{part}` in what call {call} returned");
    let help = suggest::help(part, known.iter().map(String::as_str));
    Problem::error(format!("{at}/arguments{below}"), "oracle_fails", message).help(help)
}

fn refused(task: &Task, (which, at): (&str, &str), before: &State, call: &ToolCall, rejection: &Rejection) -> Problem {
    let (kind, code) = (rejection.kind.name(), rejection.code.as_str());
    let code = if kind == code { code.to_owned() } else { format!("{kind}: {code}") };
    let message = format!("{which} fails: {code}: {}", rejection.message);
    let failed = task.environment().failed_precondition(before, call, &rejection.code);
    let because = failed.map(|failed| {
        let values = failed.values.iter().map(|(operand, value)| format!("`{operand}` is {value}"));
        let values: Vec<String> = values.collect();
        let values = if values.is_empty() { String::new() } else { format!(", and {}", values.join(", ")) };
        format!("it asks for `{}`{values}; ", failed.expression)
    });
    let because = because.unwrap_or_default();
    let help = format!("{because}mend the call, the state or the tool; `probity play {}` tries it by hand", task.id());
    Problem::error(at, "oracle_fails", message).help(help)
}
