//! The scores of an episode, from its trace alone.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fields::CriticalFields;
use super::handover::handover;
use super::numbers::numbers;
use super::retold::{Retold, retold};
use crate::card::CARD;
use crate::measures::{EscalationVerdict, Modality, TraceCounts, count};
use crate::telecom::{Persona, TelecomTask};
use probity_bench::{EndReason, Finding, Found, Reading, Scores, Trace};
use probity_engine::{Actor, Environment, State, ToolCall};

/// The scores of a trace of a task; `optimal` is how many messages the oracle needs.
pub fn scores(
    environment: &Environment,
    beginning: State,
    (task, persona, modality): (&TelecomTask, Persona, Modality),
    trace: &Trace,
    optimal: Option<u64>,
) -> Scores {
    if let Some((EndReason::ProviderUnreachable, _)) = trace.end() {
        return Scores::not_scored(&CARD, "the agent's provider could not be reached");
    }
    if let Some((EndReason::UserUnreachable, _)) = trace.end() {
        return Scores::not_scored(&CARD, "the programs that the user speaks through failed");
    }
    let Some(retold) = retold(environment, beginning, (task, persona), trace) else {
        return Scores::not_scored(&CARD, "the user of the trace is not the task's");
    };
    let verdict = handover(task.escalation(), &retold.calls, &retold.last);
    let missed = unmet(environment, task, &retold);
    let is_right = match task.gold().is_transfer() {
        true => verdict == EscalationVerdict::Correct,
        false => verdict == EscalationVerdict::NotEscalated,
    };
    let counts = count(&CriticalFields::of(task).task(), modality, &retold.events);
    let is_ended = !matches!(trace.end(), Some((EndReason::AgentFailed | EndReason::ContextOverflow, _)));
    let sr = if missed.is_empty() && retold.broken.is_empty() && is_ended && is_right { 1.0 } else { 0.0 };
    let mut metrics: BTreeMap<String, Reading> =
        numbers(&counts, optimal).into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect();
    metrics.insert("sr".to_owned(), Reading::new(Some(sr), ""));
    Scores {
        metrics,
        found: vec![Found {
            by: "outcome".to_owned(),
            findings: findings(&missed, &retold.broken, is_ended, &verdict),
        }],
        tags: BTreeMap::from([("escalation".to_owned(), word(&verdict).to_owned())]),
        details: details(&counts, optimal),
        ..Scores::default()
    }
}

fn unmet(environment: &Environment, task: &TelecomTask, retold: &Retold) -> Vec<String> {
    let is_unmet = |call: &ToolCall, expected: bool| {
        let asked = environment.step(&retold.last, call, Actor::Task).result;
        !asked.is_ok_and(|applied| applied.observation == Value::Bool(expected))
    };
    let all = task.assertions().into_iter().map(|assertion| {
        (ToolCall::new(assertion.call.function, Value::Object(assertion.call.object())), assertion.expected)
    });
    all.filter(|(call, expected)| is_unmet(call, *expected))
        .map(|(call, _)| format!("{} {}", call.tool, call.arguments))
        .collect()
}

fn findings(missed: &[String], broken: &[String], is_ended: bool, verdict: &EscalationVerdict) -> Vec<Finding> {
    let missed =
        missed.iter().map(|what| Finding::new("not_as_wanted", format!("at the end this does not hold: {what}")));
    let broken = broken.iter().map(|what| Finding::new("forbidden_call", format!("the policy forbids this: {what}")));
    let handover = match verdict {
        EscalationVerdict::Correct | EscalationVerdict::NotEscalated => None,
        EscalationVerdict::Premature { missing } => {
            Some(format!("the user was handed over before a look that shows why: {}", missing.join(" or ")))
        }
        EscalationVerdict::Unwarranted => Some("the user was handed over although everything can be mended".to_owned()),
        EscalationVerdict::Missed => {
            Some("the user was not handed over although something cannot be mended".to_owned())
        }
    };
    let broken_off = (!is_ended).then(|| Finding::new("not_ended", "the agent broke off before the user was done"));
    missed.chain(broken).chain(broken_off).chain(handover.map(|text| Finding::new("wrong_hand_over", text))).collect()
}

pub fn word(verdict: &EscalationVerdict) -> &'static str {
    match verdict {
        EscalationVerdict::Correct => "correct",
        EscalationVerdict::Premature { .. } => "premature",
        EscalationVerdict::Unwarranted => "unwarranted",
        EscalationVerdict::Missed => "missed",
        EscalationVerdict::NotEscalated => "none",
    }
}

fn details(counts: &TraceCounts, optimal: Option<u64>) -> Value {
    json!({ "counts": counts, "optimal": optimal })
}
