//! The scores of an episode at a desk.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::desk_fields::DeskFields;
use super::desk_outcome::{desk_verdict, is_as_wanted, unlooked, untold};
use super::desk_retold::{DeskRetold, desk_retold};
use crate::card::CARD;
use crate::desk::task::DeskTask;
use crate::measures::{EscalationVerdict, Modality, count};
use crate::score::{key, numbers, word};
use crate::telecom::Persona;
use probity_bench::{EndReason, Event, Finding, Found, Reading, Scores, Trace};
use probity_engine::State;

/// The scores of a trace of a task; `optimal` is how many messages the oracle needs.
pub fn desk_scores(
    task: &Arc<DeskTask>,
    beginning: State,
    (persona, modality): (Persona, Modality),
    trace: &Trace,
    optimal: Option<u64>,
) -> Scores {
    if let Some((EndReason::ProviderUnreachable, _)) = trace.end() {
        return Scores::not_scored(&CARD, "the agent's provider could not be reached");
    }
    if let Some((EndReason::UserUnreachable, _)) = trace.end() {
        return Scores::not_scored(&CARD, "the programs that the user speaks through failed");
    }
    let Some(retold) = desk_retold(task, beginning.clone(), persona, trace) else {
        return Scores::not_scored(&CARD, "the user of the trace is not the task's");
    };
    let verdict = desk_verdict(task, &retold.calls);
    let findings = findings(task, beginning, &retold, &verdict, trace);
    let counts = count(&DeskFields::of(task).task(), modality, &retold.events);
    let sr = if findings.is_empty() { 1.0 } else { 0.0 };
    let mut metrics: BTreeMap<String, Reading> =
        numbers(&counts, optimal).into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect();
    metrics.insert("sr".to_owned(), Reading::new(Some(sr), ""));
    Scores {
        metrics,
        found: vec![Found { by: "outcome".to_owned(), findings }],
        tags: BTreeMap::from([("escalation".to_owned(), word(&verdict).to_owned())]),
        details: json!({ "counts": counts, "optimal": optimal }),
        ..Scores::default()
    }
}

fn findings(
    task: &DeskTask,
    beginning: State,
    retold: &DeskRetold,
    verdict: &EscalationVerdict,
    trace: &Trace,
) -> Vec<Finding> {
    let broken = retold.broken.iter();
    let mut found: Vec<Finding> =
        broken.map(|what| Finding::new("forbidden_call", format!("the policy forbids this: {what}"))).collect();
    if let Some((EndReason::AgentFailed | EndReason::ContextOverflow | EndReason::MaxMessages, _)) = trace.end() {
        found.push(Finding::new("not_ended", "the agent broke off before the user was done"));
    }
    if retold.is_unrefused {
        found.push(Finding::new("not_refused", "the user was never told that it cannot be had"));
    }
    if !is_as_wanted(task, beginning, &retold.last) {
        let wanted: Vec<String> = task.gold().map(|call| key(&task.environment, &call.made())).collect();
        let text = match wanted.is_empty() {
            true => "something was changed although nothing may be".to_owned(),
            false => format!("the records are not as after: {}", wanted.join(", ")),
        };
        found.push(Finding::new("not_as_wanted", text));
    }
    let replies: Vec<&str> = trace
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Reply { text, aside: false, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    found.extend(
        untold(task, &replies)
            .into_iter()
            .map(|value| Finding::new("not_told", format!("the user was never told `{value}`"))),
    );
    found.extend(unlooked(task, &retold.calls).into_iter().map(|tool| {
        Finding::new("not_looked", format!("nothing shows that this must be refused: `{tool}` was not called"))
    }));
    let handover = match verdict {
        EscalationVerdict::Correct | EscalationVerdict::NotEscalated => None,
        EscalationVerdict::Premature { missing } => {
            Some(format!("the user was handed over before a look that shows why: {}", missing.join(", ")))
        }
        EscalationVerdict::Unwarranted => Some("the user was handed over although the desk can serve them".to_owned()),
        EscalationVerdict::Missed => {
            Some("the user was not handed over although the desk cannot serve them".to_owned())
        }
    };
    found.extend(handover.map(|text| Finding::new("wrong_hand_over", text)));
    found
}
