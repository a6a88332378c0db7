//! The scores of an episode, from its trace and a judge alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::findings;
use crate::card::CARD;
use crate::judge::Verdict;
use crate::measures::{of_figures, of_response};
use crate::model::{Checkpoint, Ticket};
use crate::play::{Mode, TokenSource, attempt, turns};
use crate::recording::Hits;
use crate::resolution::{
    Attempt, Course, Exchange, Figures, Judge, Next, Policy, Response, Rules, Standing, Termination,
};
use probity_bench::{EndReason, Finding, Found, Measure, Reading, Scores, Trace};

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
    let mut scored = match mode {
        Mode::MultiTurn => resolution(ticket, rules, trace, source, &mut judge),
        Mode::SingleTurn(number) => response(Response::new(ticket, number, rules), ticket, trace, source, &mut judge),
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

fn resolution(ticket: &Ticket, rules: Rules, trace: &Trace, source: TokenSource, judge: &mut Counted) -> Scored {
    let mut course = Course::new(&ticket.checkpoints, rules);
    let has_tools = rules.policy == Policy::Strict;
    let mut found = Vec::new();
    for turn in turns(&trace.events) {
        let number = course.open();
        if course.end().is_some() {
            break;
        }
        let next = course.take(attempt(turn, source), judge);
        found = match next {
            // What is taken back is not held against anybody.
            Next::Again(_) => found,
            Next::Ask(_) | Next::Over(_) => {
                let session = course.sessions().last();
                let own = session.map_or(Vec::new(), |session| {
                    let mut own =
                        findings::of_attempt(ticket, number, turn, (&session.last, &session.marks), has_tools);
                    own.extend(findings::of_second_attempt(number, session.accepted, session.attempts as usize, turn));
                    own
                });
                found.into_iter().chain(own).collect()
            }
        };
    }
    // An agent that failed has no further attempt.
    while course.end().is_none() {
        course.take(Attempt::default(), judge);
    }
    if course.end() == Some(Termination::NotFluent) {
        found.push(findings::of_query(course.open(), judge.errors > 0));
    }
    let figures = Figures::of(&course);
    Scored {
        readings: of_figures(&figures),
        findings: found,
        tags: termination(course.end(), figures.pass_at_1),
        details: json!({"checkpoints": course.standing(), "accepted": figures.accepted, "judged": course.judged()}),
    }
}

fn response(
    mut response: Response,
    ticket: &Ticket,
    trace: &Trace,
    source: TokenSource,
    judge: &mut Counted,
) -> Scored {
    let (number, rules) = (response.number(), response.rules());
    let mut found = Vec::new();
    for turn in turns(&trace.events) {
        let next = response.take(attempt(turn, source), judge);
        // The metrics are the first attempt's, and so is what lowers them.
        if let [(attempt, marks, _)] = response.attempts() {
            found = findings::of_attempt(ticket, number, turn, (attempt, marks), true);
        }
        if matches!(next, Next::Over(_)) {
            break;
        }
    }
    if response.attempts().is_empty() {
        response.take(Attempt::default(), judge);
    }
    let mut readings = Vec::new();
    if let Some((first, marks, is_accepted)) = response.attempts().first() {
        readings = of_response(marks, first.tokens);
        let goal = ticket.checkpoint(number);
        let hits = Hits::count(goal.map_or(&[], |goal: &Checkpoint| &goal.calls), &first.calls, rules.matching);
        let parts = [("tsa_calls", hits.name_hits), ("tev_calls", hits.exact_hits)];
        readings.extend(parts.map(|(name, count)| {
            let parts = Measure::of(count, hits.recorded);
            (name, Reading::new(parts.value(), "no tool was needed").made_of(&parts))
        }));
        readings.push(("sr_pass1", share(Some(*is_accepted))));
    }
    let any = |is: fn(&(Attempt, crate::resolution::Marks, bool)) -> bool| {
        share((rules.attempts > 1).then(|| response.attempts().iter().any(is)))
    };
    readings.push(("sr_pass2", any(|(_, _, is_accepted)| *is_accepted)));
    readings.push(("rr_pass2", any(|(_, marks, _)| marks.rr == Verdict::Yes)));
    let is_accepted = response.attempts().iter().any(|(_, _, is_accepted)| *is_accepted);
    let last = turns(&trace.events).pop().unwrap_or_default();
    found.extend(findings::of_second_attempt(number, is_accepted, response.attempts().len(), last));
    let (standing, end) = match is_accepted {
        true => (Standing::Answered, Termination::Resolved),
        false => (Standing::Failed, Termination::Rejected),
    };
    Scored {
        readings,
        findings: found,
        tags: termination(Some(end), response.attempts().len() == 1),
        details: json!({"checkpoint": number, "standing": standing}),
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
