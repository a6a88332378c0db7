//! What an episode was worth, from its trace alone: by tau2-bench's rules, and by ours.

mod marks;
mod own_verdict;

use std::collections::BTreeMap;

use marks::{Ends, Marks, gold_matches};
use own_verdict::OwnVerdict;
use serde_json::json;

use crate::card::{CARD, VERDICTS};
use crate::model::TaskFile;
use crate::play::{Ending, Mode, TRANSFER};
use probity_bench::{Event, Finding, Found, Measure, Reading, Scores, Trace};
use probity_engine::{Environment, State};

/// Tools that neither look nor change anything.
const GENERIC: [&str; 2] = [TRANSFER, "calculate"];

pub fn scores(environment: &Environment, mode: Mode, task: &TaskFile, beginning: &State, trace: &Trace) -> Scores {
    let ending = Ending::of(trace);
    let mut scores = match ending {
        Ending::Unreached => return Scores::not_scored(&CARD, "a provider could not be reached"),
        Ending::Stopped => graded(environment, mode, task, beginning, trace),
        Ending::TooManyErrors | Ending::MaxSteps | Ending::AgentError => ungraded(ending),
    };
    let counted = rates(environment, task, trace).into_iter().chain([("agent_messages", messages(trace))]);
    scores.metrics.extend(counted.map(|(name, reading)| (name.to_owned(), reading)));
    let value = |name: &str| scores.value(name);
    let word = match (value("reward"), value("sr")) {
        (Some(reward), Some(sr)) if reward > sr => "stricter",
        (Some(reward), Some(sr)) if reward < sr => "laxer",
        (Some(_), Some(_)) => "same",
        (None, _) | (_, None) => "open",
    };
    scores.tags =
        BTreeMap::from([(VERDICTS.to_owned(), word.to_owned()), ("ending".to_owned(), ending.name().to_owned())]);
    scores
}

fn graded(environment: &Environment, mode: Mode, task: &TaskFile, beginning: &State, trace: &Trace) -> Scores {
    let ends = Ends::of(environment, mode, task, beginning, trace);
    let marks = Marks::of(environment, task, &ends, trace);
    let own = OwnVerdict::of(environment, task, &ends, trace);
    let mut metrics: BTreeMap<String, Reading> =
        marks.iter().map(|(component, mark)| (component.metric().to_owned(), mark.reading())).collect();
    metrics.insert("reward".to_owned(), marks.reward(&task.reward_basis));
    metrics.insert("sr".to_owned(), own.sr);
    Scores {
        metrics,
        found: vec![Found { by: "sr".to_owned(), findings: own.findings }],
        details: json!({"reward_basis": task.reward_basis}),
        ..Scores::default()
    }
}

/// The scores of an episode that did not come to its own end: it has no reward, and nothing else is looked at.
fn ungraded(ending: Ending) -> Scores {
    let why = "nothing is graded where no side ended the dialogue";
    let mut scores = Scores::not_scored(&CARD, why);
    for name in ["reward", "sr"] {
        scores.metrics.insert(name.to_owned(), Reading::new(Some(0.0), ""));
    }
    let finding = Finding::new("not_ended", format!("no side ended the dialogue: {}", ending.name()));
    Scores { found: vec![Found { by: "sr".to_owned(), findings: vec![finding] }], ..scores }
}

/// How many of the gold calls that look, and of those that change something, were made.
fn rates(environment: &Environment, task: &TaskFile, trace: &Trace) -> [(&'static str, Reading); 2] {
    let made = gold_matches(&task.gold, trace);
    let rate = |is_read: bool| {
        let of_kind: Vec<bool> = task
            .gold
            .iter()
            .zip(&made)
            .filter(|(call, _)| !GENERIC.contains(&call.tool.as_str()) && environment.is_read(&call.tool) == is_read)
            .map(|(_, is_made)| *is_made)
            .collect();
        let parts = Measure::of(of_kind.iter().filter(|is_made| **is_made).count(), of_kind.len());
        Reading::new(parts.value(), "the gold calls have none of the kind").made_of(&parts)
    };
    [("reads", rate(true)), ("writes", rate(false))]
}

fn messages(trace: &Trace) -> Reading {
    let messages = trace.events.iter().filter(|event| matches!(event, Event::Reply { .. })).count();
    Reading::new(Some(Measure::of(messages, 1).numerator), "")
}
