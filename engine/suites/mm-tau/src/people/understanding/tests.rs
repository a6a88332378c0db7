use super::device_clause::{APPS, DEEDS, NETWORKS, PERMISSIONS, SUBJECTS};
use super::mood::{DOUBTS, Doubt};
use super::words::{CUES, Cue};
use super::*;
use crate::measures::AgentAct;
use serde::Deserialize;

/// What is said, and how it is understood (`cases.toml`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cases {
    steps: Vec<(String, String)>,
    no_steps: Vec<String>,
    pub(super) doubtful: Vec<String>,
    pub(super) plain: Vec<String>,
    /// Amounts that are told; -1 is one that is never right.
    pub(super) told: Vec<(String, Vec<i64>)>,
    pub(super) denied: Vec<(String, Vec<i64>, Vec<i64>)>,
}

pub(super) fn cases() -> Cases {
    toml::from_str(include_str!("cases.toml")).unwrap()
}

/// The steps of a message, each as its tool with what it is told beside it.
fn told(text: &str) -> String {
    let shown = |step: DeviceStep| match step {
        DeviceStep::Switch(_, Some(SwitchPosition::On)) => format!("{} on", step.tool()),
        DeviceStep::Switch(_, Some(SwitchPosition::Off)) => format!("{} off", step.tool()),
        DeviceStep::Prefer(mode) => format!("{} {}", step.tool(), mode.name()),
        DeviceStep::Grant(app, permission) => format!("{} {} {}", step.tool(), app.name(), permission.name()),
        _ => step.tool().to_owned(),
    };
    understand(text).steps().map(shown).collect::<Vec<_>>().join(", ")
}

#[test]
fn free_wordings_of_steps_are_understood() {
    let wrong: Vec<_> = cases()
        .steps
        .iter()
        .filter(|(text, steps)| told(text) != *steps)
        .map(|(text, _)| (text.clone(), told(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_not_to_be_done_is_no_step() {
    for text in &cases().no_steps {
        assert_eq!(told(text), "", "{text}");
    }
}

#[test]
fn a_condition_tells_a_step_only_by_itself() {
    assert_eq!(told("Let me know once you have restarted your phone."), "reboot_device");
    assert_eq!(told("Turn data on. Once you have restarted your phone, tell me."), "toggle_data on");
    assert_eq!(told("After restarting, what does the status bar show?"), "reboot_device, check_status_bar");
}

fn acts(text: &str) -> Vec<SpokenAct> {
    understand(text).acts.clone()
}

#[test]
fn questions_for_fields_and_values_are_understood() {
    let ask = |field, is_spelled| vec![SpokenAct::AskField { field, is_spelled }];
    assert_eq!(acts("May I have your phone number, please?"), ask(AskedField::PhoneNumber, false));
    assert_eq!(acts("Could you repeat the number digit by digit?"), ask(AskedField::PhoneNumber, true));
    assert_eq!(acts("Please provide your full name."), ask(AskedField::FullName, false));
    assert_eq!(acts("What is your date of birth?"), ask(AskedField::DateOfBirth, false));
    assert_eq!(acts("Thank you for your phone number."), []);
    let repeat = |value: &str, is_question| {
        vec![SpokenAct::Repeat { field: AskedField::PhoneNumber, value: value.to_owned(), is_question }]
    };
    assert_eq!(acts("You said 555-123-2002, is that right?"), repeat("5551232002", true));
    assert_eq!(
        acts("I heard five five five, one two three, double oh two two. Is that correct?"),
        repeat("5551230022", true)
    );
    assert_eq!(acts("I found your account with the number 555 123 2003."), repeat("5551232003", false));
    let name = SpokenAct::Repeat { field: AskedField::FullName, value: "Joan Smith".to_owned(), is_question: true };
    assert_eq!(acts("Am I speaking with Joan Smith?"), [name]);
}

#[test]
fn questions_for_consent_are_understood() {
    let topics = |text: &str| -> Vec<ConsentTopic> {
        let topic = |act: SpokenAct| if let SpokenAct::AskConsent(topic) = act { Some(topic) } else { None };
        acts(text).into_iter().filter_map(topic).collect()
    };
    let refuel = ConsentTopic::Refuel { gb: Some(2.0) };
    assert_eq!(topics("Shall I add 2 GB of data for $5.00?"), [refuel]);
    assert_eq!(topics("May I add 2 GB of data for $5.00 and enable roaming?"), [refuel, ConsentTopic::EnableRoaming]);
    assert_eq!(topics("Shall I add 2 GB of data for $50.00?"), [ConsentTopic::Mispriced]);
    let fee = "Shall I add 2 GB of data for $5.00, plus a handling fee of a hundred dollars?";
    assert_eq!(topics(fee), [ConsentTopic::Mispriced]);
    let battery = "Your phone shows 80 % battery. Shall I add 2 GB of data at $2.50 a GB?";
    assert_eq!(topics(battery), [refuel]);
    assert_eq!(topics("Would you like 1 GB for $2.50 or 2 GB for $5.00?"), []);
    assert_eq!(topics("2 GB would cost $5.00. Would that be okay?"), [refuel]);
    assert_eq!(topics("Would you like to buy two gigabytes of extra data?"), [refuel]);
    assert_eq!(topics("May I send you a payment request for the overdue bill?"), [ConsentTopic::PayBill]);
    assert_eq!(topics("Are you able to pay this bill today?"), [ConsentTopic::PayBill]);
    assert_eq!(topics("Do you want me to resume your line?"), [ConsentTopic::ResumeLine]);
    assert_eq!(topics("Is it okay if I enable roaming on your line?"), [ConsentTopic::EnableRoaming]);
    assert_eq!(topics("Would you like to change your plan?"), [ConsentTopic::ChangePlan]);
    assert_eq!(topics("Would you like me to transfer you to a human agent?"), [ConsentTopic::HandOver]);
    assert_eq!(topics("Do you consent to this charge?"), [ConsentTopic::Unnamed]);
    assert_eq!(topics("Would you like to turn on roaming on your phone?"), []);
    let key = r#"refuel_data {"customer_id":"C1001","gb_amount":2,"line_id":"L1002"}"#;
    assert_eq!(refuel.key().as_deref(), Some(key));
    assert_eq!(understand("Shall I add 2 GB?").agent_acts(), [AgentAct::Confirm { key: Some(key.to_owned()) }]);
}

#[test]
fn the_course_of_a_call_is_understood() {
    let table = [
        ("Hello, how can I help you today?", SpokenAct::AskProblem),
        ("Are you travelling abroad at the moment?", SpokenAct::AskWhereabouts),
        ("Your problem is solved.", SpokenAct::ClaimSolved),
        ("Everything should be working now.", SpokenAct::ClaimSolved),
        ("Is it working now?", SpokenAct::AskOutcome),
        ("Is there anything else I can do for you?", SpokenAct::AskElse),
        ("I am transferring you to a colleague.", SpokenAct::HandOver),
        ("One moment, please.", SpokenAct::Wait),
    ];
    for (text, act) in table {
        assert_eq!(acts(text), [act], "{text}");
    }
    assert_eq!(acts("It is not solved yet."), []);
    assert_eq!(understand("").agent_acts(), [AgentAct::Inform]);
}

#[test]
fn every_list_is_there() {
    assert_eq!((SUBJECTS.lists().len(), DEEDS.lists().len()), (20, 12));
    assert_eq!((PERMISSIONS.lists().len(), APPS.lists().len(), NETWORKS.lists().len()), (4, 2, 4));
    assert_eq!((DOUBTS.lists().len(), CUES.lists().len()), (Doubt::Unasked as usize + 1, Cue::Okay as usize + 1));
}
