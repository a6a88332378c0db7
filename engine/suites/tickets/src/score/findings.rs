//! What was wrong with a response, told for people.

use crate::judge::{Verdict, lacking};
use crate::model::Ticket;
use crate::play::last_message;
use crate::recording::canonical_name;
use crate::resolution::{Attempt, Marks};
use probity_bench::{Event, Finding};

/// What is wrong with the response to the query of a checkpoint, from 1; with its calls where those weigh anything.
pub(super) fn of_attempt(
    ticket: &Ticket,
    number: usize,
    turn: &[Event],
    (attempt, marks): (&Attempt, &Marks),
    has_tools: bool,
) -> Vec<Finding> {
    let Some(checkpoint) = ticket.checkpoint(number) else { return Vec::new() };
    let at = |finding: Finding| at_last_message(finding, turn);
    let mut found = Vec::new();
    match (&attempt.reply, marks.rr) {
        (None, _) => found.push(Finding::new("no_reply", format!("checkpoint {number} got no reply"))),
        (Some(_), Verdict::Error) => {
            found.push(at(Finding::new("no_verdict", format!("the judge gave no verdict on checkpoint {number}"))));
        }
        (Some(reply), Verdict::No) => {
            let lost = lacking(ticket, number, reply);
            let what = match lost.is_empty() {
                true => "what the recorded reply does".to_owned(),
                false => format!("`{}`", lost.join("`, `")),
            };
            found.push(at(Finding::new(
                "not_conveyed",
                format!("the reply to checkpoint {number} does not convey {what}"),
            )));
        }
        (Some(_), Verdict::Yes) => {}
    }
    let tools: Vec<String> = checkpoint.calls.iter().map(|call| canonical_name(&call.tool)).collect();
    let coverage = marks.coverage;
    let finding = match (coverage.tia, coverage.tsa, coverage.tev) {
        (false, ..) if tools.is_empty() => {
            Some(("needless_call", format!("checkpoint {number} needs no tool, and one was called")))
        }
        (false, ..) => {
            Some(("no_call", format!("checkpoint {number} needs `{}`, and nothing was called", tools.join("`, `"))))
        }
        (true, Some(false), _) => Some((
            "tool_not_called",
            format!("checkpoint {number} needs `{}`, and not all of them were called", tools.join("`, `")),
        )),
        (true, _, Some(false)) => Some((
            "other_arguments",
            format!("checkpoint {number}: a recorded call was made with other arguments, or not at all"),
        )),
        (true, ..) => None,
    };
    found.extend(finding.filter(|_| has_tools).map(|(code, text)| at(Finding::new(code, text))));
    found
}

/// That a checkpoint was not conveyed at once: pass@1 is lost, and pass@2 is not.
pub(super) fn of_second_attempt(number: usize, is_accepted: bool, attempts: usize, turn: &[Event]) -> Option<Finding> {
    (is_accepted && attempts > 1).then(|| {
        let text = format!("checkpoint {number} counts by a second attempt alone, which is against pass@1");
        at_last_message(Finding::new("second_attempt", text), turn)
    })
}

fn at_last_message(finding: Finding, turn: &[Event]) -> Finding {
    match last_message(turn) {
        Some(message) => finding.at_message(message),
        None => finding,
    }
}

/// That the query of a checkpoint does not follow from what was said, or that nobody could tell.
pub(super) fn of_query(number: usize, is_unsure: bool) -> Finding {
    if is_unsure {
        return Finding::new("no_verdict", format!("the judge gave no verdict on the query of checkpoint {number}"));
    }
    let text = format!("after what was said, the query of checkpoint {number} makes no sense any more");
    Finding::new("not_fluent", text)
}
