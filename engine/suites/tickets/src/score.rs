//! The scores of an episode, from its trace and a judge alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::card::CARD;
use crate::judge::{Verdict, lacking};
use crate::measures::{of_figures, of_response};
use crate::model::{Checkpoint, Ticket};
use crate::play::{Mode, TokenSource, attempt, course, last_message, turns};
use crate::recording::{Hits, canonical_name};
use crate::resolution::{Attempt, Course, Exchange, Figures, Judge, Next, Policy, Rules, Session, Termination, Tried};
use probity_bench::{EndReason, Event, Finding, Found, Measure, Reading, Scores, Trace};

const OTHER_MODE: &str = "it is not played in this mode";
/// Why nothing is made of an episode whose judge failed.
const NO_VERDICT: &str = "the judge gave no verdict";

pub fn scores(ticket: &Arc<Ticket>, mode: Mode, rules: Rules, trace: &Trace, judge: &mut dyn Judge) -> Scores {
    match trace.end() {
        Some((EndReason::ProviderUnreachable, _)) => {
            return Scores::not_scored(&CARD, "the agent's provider could not be reached");
        }
        Some((EndReason::UserUnreachable, _)) => {
            return Scores::not_scored(&CARD, "the judge's provider could not be reached");
        }
        Some(_) | None => {}
    }
    let source = TokenSource::of(&trace.events);
    let mut judge = Counted { judge, errors: 0 };
    let course = course(ticket, mode, rules);
    let mut scored = match mode {
        Mode::MultiTurn => resolution(course, ticket, trace, source, &mut judge),
        Mode::SingleTurn(number) => response(course, (ticket, number), trace, source, &mut judge),
    };
    if judge.errors > 0 {
        let words = ["sr_pass1", "sr_pass2", "rr", "rr_pass2"];
        let is_unsure = |name: &str| mode == Mode::MultiTurn || words.contains(&name);
        scored.readings.iter_mut().filter(|(name, _)| is_unsure(name)).for_each(|(_, reading)| {
            *reading = Reading::new(None, NO_VERDICT);
        });
        scored.tags.clear();
        if let Some(details) = scored.details.as_object_mut() {
            details.insert("judge_errors".to_owned(), json!(judge.errors));
        }
    }
    scored.tags.insert("token_source".to_owned(), source.name().to_owned());
    let other = |name: &str| (name.to_owned(), Reading::new(None, OTHER_MODE));
    let mut metrics: BTreeMap<String, Reading> = CARD.metrics.iter().map(|metric| other(metric.name)).collect();
    metrics.extend(scored.readings.into_iter().map(|(name, reading)| (name.to_owned(), reading)));
    Scores {
        unscorable: None,
        reading_list: Vec::new(),
        metrics,
        found: vec![Found { by: "checkpoints".to_owned(), findings: scored.findings }],
        tags: scored.tags,
        paired: None,
        details: scored.details,
    }
}

struct Scored {
    readings: Vec<(&'static str, Reading)>,
    findings: Vec<Finding>,
    tags: BTreeMap<String, String>,
    details: serde_json::Value,
}

struct Counted<'a> {
    judge: &'a mut dyn Judge,
    errors: u32,
}

impl Counted<'_> {
    fn note(&mut self, verdict: Verdict) -> Verdict {
        self.errors += u32::from(verdict == Verdict::Error);
        verdict
    }
}

impl Judge for Counted<'_> {
    fn covers(&mut self, reply: &str, checkpoint: usize, behind: &[Exchange]) -> Verdict {
        let verdict = self.judge.covers(reply, checkpoint, behind);
        self.note(verdict)
    }

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let verdict = self.judge.is_fluent(behind, checkpoint);
        self.note(verdict)
    }
}

/// An agent that failed has no further attempt.
fn close(course: &mut Course<Checkpoint>, judge: &mut Counted) {
    while course.end.is_none() {
        course.take(Attempt::default(), judge);
    }
}

fn resolution(
    mut course: Course<Checkpoint>,
    ticket: &Ticket,
    trace: &Trace,
    source: TokenSource,
    judge: &mut Counted,
) -> Scored {
    let has_tools = course.rules.policy == Policy::Strict;
    let mut found = Vec::new();
    for turn in turns(&trace.events) {
        let number = course.open;
        if course.end.is_some() {
            break;
        }
        // What is taken back is not held against anybody.
        if matches!(course.take(attempt(turn, source), judge), Next::Again(_)) {
            continue;
        }
        if let Some(session) = course.sessions.last() {
            found.extend(of_attempt(ticket, number, turn, &session.last, has_tools));
            found.extend(of_second_attempt(session, turn));
        }
    }
    close(&mut course, judge);
    if course.end == Some(Termination::NotFluent) {
        found.push(of_query(course.open, judge.errors > 0));
    }
    let figures = Figures::of(&course);
    Scored {
        readings: of_figures(&figures),
        findings: found,
        tags: termination(course.end, figures.pass_at_1),
        details: json!({"checkpoints": course.standing, "accepted": figures.accepted, "judged": course.judged}),
    }
}

fn response(
    mut course: Course<Checkpoint>,
    (ticket, number): (&Ticket, usize),
    trace: &Trace,
    source: TokenSource,
    judge: &mut Counted,
) -> Scored {
    let rules = course.rules;
    let turns = turns(&trace.events);
    for turn in &turns {
        if course.end.is_none() {
            course.take(attempt(turn, source), judge);
        }
    }
    close(&mut course, judge);
    let tried = || course.sessions.last().into_iter().flat_map(Session::tried);
    let (mut found, mut readings) = (Vec::new(), Vec::new());
    // The metrics are the first attempt's, and so is what lowers them.
    if let Some(first) = tried().next() {
        found.extend(turns.first().iter().flat_map(|turn| of_attempt(ticket, number, turn, first, true)));
        readings = of_response(&first.marks, first.attempt.tokens);
        let recorded = ticket.checkpoint(number).map_or(&[][..], |goal| &goal.calls);
        let hits = Hits::count(recorded, &first.attempt.calls, rules.matching);
        let parts = [("tsa_calls", hits.name_hits), ("tev_calls", hits.exact_hits)];
        readings.extend(parts.map(|(name, count)| {
            let parts = Measure::of(count, hits.recorded);
            (name, Reading::new(parts.value(), "no tool was needed").made_of(&parts))
        }));
        readings.push(("sr_pass1", share(Some(first.accepted))));
    }
    let any = |is: fn(&Tried) -> bool| share((rules.attempts > 1).then(|| tried().any(is)));
    readings.push(("sr_pass2", any(|tried| tried.accepted)));
    readings.push(("rr_pass2", any(|tried| tried.marks.rr == Verdict::Yes)));
    let last = turns.last().copied().unwrap_or_default();
    found.extend(course.sessions.last().and_then(|session| of_second_attempt(session, last)));
    Scored {
        readings,
        findings: found,
        tags: termination(course.end, tried().count() == 1),
        details: json!({"checkpoint": number, "standing": course.standing.get(number - 1)}),
    }
}

fn share(is: Option<bool>) -> Reading {
    Reading::new(is.map(|is| f64::from(u8::from(is))), "one attempt was allowed")
}

/// Why it was not resolved, or not by first attempts alone, as a tag.
fn termination(end: Option<Termination>, is_first: bool) -> BTreeMap<String, String> {
    let word = match end {
        Some(Termination::Rejected) => "rejected",
        Some(Termination::NotFluent) => "not_fluent",
        Some(Termination::Resolved) if !is_first => "second_attempt",
        Some(Termination::Resolved) | None => return BTreeMap::new(),
    };
    BTreeMap::from([("termination".to_owned(), word.to_owned())])
}

/// What is wrong with the response to the query of a checkpoint, from 1; with its calls where those weigh anything.
fn of_attempt(
    ticket: &Ticket,
    number: usize,
    turn: &[Event],
    Tried { attempt, marks, .. }: &Tried,
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
fn of_second_attempt(session: &Session, turn: &[Event]) -> Option<Finding> {
    (session.last.accepted && !session.earlier.is_empty()).then(|| {
        let number = session.checkpoint;
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
fn of_query(number: usize, is_unsure: bool) -> Finding {
    if is_unsure {
        return Finding::new("no_verdict", format!("the judge gave no verdict on the query of checkpoint {number}"));
    }
    let text = format!("after what was said, the query of checkpoint {number} makes no sense any more");
    Finding::new("not_fluent", text)
}
