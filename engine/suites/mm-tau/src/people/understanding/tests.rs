//! What agents say, and how it is understood, as `cases.txt` says.

use std::fmt::Debug;

use super::device_clause::{APPS, DEEDS, NETWORKS, PERMISSIONS, SUBJECTS};
use super::figures::{NEVER, money};
use super::mood::{DOUBTS, Doubt, ends_asking, is_choice, is_doubtful};
use super::words::{CUES, Cue, sentences};
use super::*;
use crate::case::{Reader, hold, row, yes};
use crate::measures::AgentAct;

/// A step as its tool with what it is told beside it.
fn shown(step: DeviceStep) -> String {
    match step {
        DeviceStep::Switch(_, Some(SwitchPosition::On)) => format!("{} on", step.tool()),
        DeviceStep::Switch(_, Some(SwitchPosition::Off)) => format!("{} off", step.tool()),
        DeviceStep::Prefer(mode) => format!("{} {}", step.tool(), mode.name()),
        DeviceStep::Grant(app, permission) => format!("{} {} {}", step.tool(), app.name(), permission.name()),
        _ => step.tool().to_owned(),
    }
}

fn listed(all: impl IntoIterator<Item = impl Debug>) -> String {
    row(all.into_iter().map(|one| format!("{one:?}")), ", ")
}

fn consents(text: &str) -> String {
    let topic = |act: &SpokenAct| if let SpokenAct::AskConsent(topic) = act { Some(*topic) } else { None };
    listed(understand(text).acts.iter().filter_map(topic))
}

fn choice_and_asking(text: &str) -> String {
    let sentence = sentences(text).remove(0);
    format!("{}, {}", yes(is_choice(&sentence)), yes(ends_asking(&sentence)))
}

fn cents(amounts: &[u64]) -> String {
    row(amounts.iter().map(|amount| if *amount == NEVER { "never".to_owned() } else { amount.to_string() }), " ")
}

const READERS: [(&str, Reader); 7] = [
    ("steps", |text| row(understand(text).steps().map(shown), ", ")),
    ("acts", |text| listed(&understand(text).acts)),
    ("consents", consents),
    ("doubtful", |text| yes(is_doubtful(text, &sentences(text)))),
    ("choice, asking", choice_and_asking),
    ("told", |text| cents(&money(text).told)),
    ("told, denied", |text| format!("{}, {}", cents(&money(text).told), cents(&money(text).denied))),
];

#[test]
fn free_wordings_are_understood_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}

#[test]
fn a_message_is_an_act_of_the_agent() {
    let key = r#"refuel_data {"customer_id":"C1001","gb_amount":2,"line_id":"L1002"}"#;
    assert_eq!(ConsentTopic::Refuel { gb: Some(2.0) }.key().as_deref(), Some(key));
    assert_eq!(understand("Shall I add 2 GB?").agent_acts(), [AgentAct::Confirm { key: Some(key.to_owned()) }]);
    assert_eq!(understand("").agent_acts(), [AgentAct::Inform]);
}

#[test]
fn every_list_is_there() {
    assert_eq!((SUBJECTS.lists().len(), DEEDS.lists().len()), (20, 12));
    assert_eq!((PERMISSIONS.lists().len(), APPS.lists().len(), NETWORKS.lists().len()), (4, 2, 4));
    assert_eq!((DOUBTS.lists().len(), CUES.lists().len()), (Doubt::Unasked as usize + 1, Cue::Okay as usize + 1));
}
