//! The numbers of an episode, from its trace alone (docs/MM_TAU.md, "Numbers").

mod played_task;
mod retold;

pub use played_task::{CriticalFields, Person, PlayedTask, key, written};
pub use retold::{Retold, StagedCall};

use std::collections::BTreeMap;

use serde_json::json;

use retold::retold;

use crate::card::CARD;
use crate::measures::{Modality, RATIOS, Ratio, TraceCounts, count};
use crate::telecom::Persona;
use probity_bench::{EndReason, Finding, Found, Measure, Reading, Scores, Trace};

/// The scores of a trace of a task; `optimal` is how many messages the oracle needs. Nothing where the world cannot
/// begin.
pub fn scores(
    task: &dyn PlayedTask,
    (persona, modality): (Persona, Modality),
    trace: &Trace,
    optimal: Option<u64>,
) -> Option<Scores> {
    let beginning = task.beginning()?;
    let unscored = |why: &str| Some(Scores::not_scored(&CARD, why));
    match trace.end() {
        Some((EndReason::ProviderUnreachable, _)) => return unscored("the agent's provider could not be reached"),
        Some((EndReason::UserUnreachable, _)) => {
            return unscored("the programs that the user speaks through failed");
        }
        _ => {}
    }
    let Some(retold) = retold(task, persona, beginning, trace) else {
        return unscored("the user of the trace is not the task's");
    };
    let verdict = task.verdict(&retold);
    let mut findings = task.findings(&retold, trace);
    findings.extend(task.wrong_hand_over(&verdict).map(|text| Finding::new("wrong_hand_over", text)));
    let counts = count(&task.fields().task(), modality, &retold.events);
    let sr = if findings.is_empty() && task.wants(&verdict) { 1.0 } else { 0.0 };
    let mut metrics: BTreeMap<String, Reading> =
        numbers(&counts, optimal).into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect();
    metrics.insert("sr".to_owned(), Reading::new(Some(sr), ""));
    Some(Scores {
        metrics,
        found: vec![Found { by: "outcome".to_owned(), findings }],
        tags: BTreeMap::from([("escalation".to_owned(), verdict.word().to_owned())]),
        details: json!({ "counts": counts, "optimal": optimal }),
        ..Scores::default()
    })
}

pub fn broken(retold: &Retold) -> impl Iterator<Item = Finding> {
    let broken = retold.broken.iter();
    broken.map(|what| Finding::new("forbidden_call", format!("the policy forbids this: {what}")))
}

/// A finding where an episode ended for one of these reasons.
pub fn not_ended(trace: &Trace, reasons: &[EndReason]) -> Option<Finding> {
    let is_broken_off = trace.end().is_some_and(|(reason, _)| reasons.contains(&reason));
    is_broken_off.then(|| Finding::new("not_ended", "the agent broke off before the user was done"))
}

/// The numbers that are made of counts; `optimal` is how many messages the oracle needs.
fn numbers(counts: &TraceCounts, optimal: Option<u64>) -> Vec<(&'static str, Reading)> {
    let messages = counts.agent_messages;
    let turns = optimal.map_or(Ratio::new(0, 0), |optimal| Ratio::new(optimal.min(messages), messages));
    let shares = RATIOS.iter().map(|ratio| (ratio.metric, ratio.of(counts), ratio.undefined));
    let all = shares.chain([("te", turns, "nobody knows how few messages would do")]);
    let all = all.map(|(name, ratio, undefined)| (name, reading(ratio, undefined)));
    all.chain([("agent_messages", Reading::new(Some(number(messages)), ""))]).collect()
}

fn reading(ratio: Ratio, undefined: &str) -> Reading {
    match ratio.value() {
        None => Reading::new(None, undefined),
        value => Reading::new(value, undefined).made_of(&Measure::new(number(ratio.part), number(ratio.whole))),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of an episode are small")]
fn number(count: u64) -> f64 {
    count as f64
}
