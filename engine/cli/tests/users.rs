//! Users who answer: what the contract user says, and when it is to blame; `cases/sessions/users.sh` has how a model speaks
//! for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::support::suite;
use probity_behaviour::episode::play::{Setting, play};
use probity_behaviour::episode::user::contract::ContractUser;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::score;
use probity_behaviour::score::failure_mode::Blame;
use probity_behaviour::task::Task;
use probity_behaviour::task::question::{FactPhrases, questions};
use probity_bench::{Agent, AgentFault, AgentMessage, Heard, Limits, MAX_EXTRA_REPLIES};
use probity_engine::Stream;

// ---- The contract user ----

/// A dialogue as data: what the agent replies, and what the user then says; `null` ends it.
#[derive(Deserialize)]
struct Dialogue {
    name: String,
    variant: String,
    /// Merged into the shared task before it is built.
    #[serde(default)]
    task: Value,
    says: Vec<(Option<String>, Option<String>)>,
}

#[test]
fn the_contract_user_answers_by_the_table() {
    let cases = include_str!("cases/user/dialogues.jsonl");
    let mut played = 0;
    let mut wrong = Vec::new();
    for line in cases.lines().filter(|line| !line.trim().is_empty()) {
        let case: Dialogue = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let task = guest_task(&case.task);
        let mut user = ContractUser::new(&task, case.variant.parse().unwrap()).unwrap();
        for (reply, expected) in &case.says {
            let said = user.next(reply.as_deref()).map(|utterance| utterance.text);
            if said != *expected {
                wrong.push(format!("{}: after {reply:?} {said:?}, not {expected:?}", case.name));
            }
        }
        played += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(played >= 20, "{played}");
}

/// A task of the suite with the facts and users of `cases/user/guest.json`, with a merge patch.
fn guest_task(patch: &Value) -> Task {
    let suite = suite();
    let any = suite.tasks.values().find(|loaded| loaded.task.id().ends_with("/late_move")).unwrap();
    let mut file = serde_json::to_value(any.task.file()).unwrap();
    let shared: Value = serde_json::from_str(include_str!("cases/user/guest.json")).unwrap();
    shared.as_object().unwrap().iter().for_each(|(key, value)| file[key] = value.clone());
    if patch.is_object() {
        probity_engine::merge::merge(&mut file, patch);
    }
    let file = serde_json::from_value(file).unwrap();
    let (task, problems) = Task::build(file, Arc::clone(any.task.environment()));
    task.unwrap_or_else(|| panic!("{problems:?}"))
}

/// Says these replies, one a turn, and the last one for ever.
struct Asker(Vec<&'static str>);

impl Agent for Asker {
    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        let next = if self.0.len() > 1 { self.0.remove(0) } else { self.0[0] };
        Ok(AgentMessage::reply(next))
    }
}

#[test]
fn a_user_without_a_reply_left_is_to_blame_and_no_other() {
    let task = guest_task(&Value::Null);
    let variant = Variant::Underspecification;
    let blame = |replies: &[&'static str]| {
        let user = ContractUser::new(&task, variant).unwrap();
        let setting = Setting { task: &task, variant, seed: 0, limits: Limits::default(), user: "contract" };
        let trace = play(setting, &mut Asker(replies.to_vec()), user);
        score(&task, &trace).unwrap().blame
    };
    let (why, when, name) = ("Why?", "What is your arrival date?", "What is your first name?");
    let tired = |then: &[&'static str]| blame(&[&[why; MAX_EXTRA_REPLIES], then].concat());
    assert_eq!(tired(&[when]), Some(Blame::User));
    assert_eq!(tired(&[why, when]), Some(Blame::User));
    // It was answered, it is in the script, or nothing withheld was asked for.
    assert_eq!(blame(&[when, why, why, when]), Some(Blame::Agent));
    assert_eq!(tired(&[name]), Some(Blame::Agent));
    assert_eq!(blame(&[why]), Some(Blame::Agent));
    assert_eq!(blame(&["Done."]), Some(Blame::Agent));
}

/// Any replies at all: the user ends in time, and beside its script says no withheld value that no question asked for.
#[test]
fn the_contract_user_keeps_what_is_not_asked_for() {
    let suite = suite();
    let mut told = 0;
    for loaded in suite.tasks.values() {
        let task = &loaded.task;
        let known = task.voices();
        for (variant, behaviour) in task.variants() {
            let withheld: Vec<&FactPhrases> =
                known.iter().filter(|fact| behaviour.withheld.contains(&fact.name)).collect();
            for seed in 0..if withheld.is_empty() { 2 } else { 25 } {
                let mut stream = Stream::new(seed, "test", task.id());
                let mut user = ContractUser::new(task, *variant).unwrap();
                let (mut reply, mut utterances, mut asked) = (None::<String>, 0, BTreeSet::new());
                let mut heard = String::new();
                while let Some(utterance) = user.next(reply.as_deref()) {
                    utterances += 1;
                    let tells = |fact: &&&FactPhrases| fact.ways.are_in(&utterance.text) && !fact.ways.are_in(&heard);
                    for fact in withheld.iter().filter(tells).filter(|_| utterance.extra) {
                        assert!(asked.contains(&fact.name), "{}: {} tells {}", task.id(), utterance.text, fact.name);
                        told += 1;
                    }
                    heard.push_str(&format!("\n{}", utterance.text));
                    let next = some_reply(task, &mut stream);
                    let is_asked =
                        |fact: &&FactPhrases| questions(&next).iter().any(|question| fact.is_asked_in(question));
                    asked.extend(known.iter().filter(is_asked).map(|fact| fact.name.clone()));
                    reply = Some(next);
                }
                assert!(utterances <= behaviour.turns.len() + MAX_EXTRA_REPLIES, "{} {variant}", task.id());
            }
        }
    }
    assert!(told >= 20, "{told}");
}

fn some_reply(task: &Task, stream: &mut Stream) -> String {
    let mut cues: Vec<String> = task.file().facts.values().flat_map(|fact| fact.cues.clone()).collect();
    cues.push("nothing".to_owned());
    let cue = &cues[usize::try_from(stream.below(cues.len() as u64)).unwrap()];
    match stream.below(7) {
        0 => "Done.".to_owned(),
        1 => "Shall I go ahead?".to_owned(),
        2 => "Is there anything else?".to_owned(),
        3 => format!("I need your {cue}."),
        4 => "What is the airspeed of a swallow?".to_owned(),
        _ => format!("Could you tell me the {cue}?"),
    }
}

// ---- The model user ----
