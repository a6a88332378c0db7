//! Users who answer: what the contract user says, how a model speaks for it, and who is to blame.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use probity_behaviour::episode::play::{Setting, play};
use probity_behaviour::episode::user::contract::ContractUser;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::blame::Blame;
use probity_behaviour::score::episode::score;
use probity_behaviour::task::Task;
use probity_behaviour::task::question::{FactPhrases, questions};
use probity_bench::{Agent, AgentFault, AgentMessage, Heard, Limits, MAX_EXTRA_REPLIES};
use probity_engine::Stream;
use serde::Deserialize;
use serde_json::Value;

use crate::support::mock::{Mock, mode};
use crate::support::{code, out, probity, records, report, run, scratch, sr, succeeded, suite, text};

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

#[test]
fn the_oracle_passes_and_the_idle_agent_does_not_with_a_contract_user() {
    let folder = scratch("users-contract");
    let (one, two) = (folder.join("one"), folder.join("two"));
    let agents = ["--agent", "oracle", "--agent", "noop", "--user", "contract"];
    succeeded(run(&one, &[&agents[..], &["--jobs", "1"]].concat()));
    let records = records(&one);
    let of = |agent: &str| records.iter().filter(|record| record["agent"] == agent).collect::<Vec<_>>();
    assert!(of("oracle").len() >= 112);
    for record in of("oracle") {
        assert_eq!(sr(record), "pass", "{}", record["trace"]);
        assert!(record["scores"]["tags"]["blame"].is_null());
        let found = record["scores"]["found"].as_array().unwrap();
        let clarification = found.iter().find(|found| found["by"] == "clarification").unwrap();
        assert_eq!(clarification["findings"].as_array().unwrap().len(), 0, "{clarification}");
    }
    for record in of("noop") {
        assert_eq!(record["scores"]["tags"]["blame"], "agent", "{}", record["trace"]);
        assert_eq!(sr(record), "fail");
        assert_eq!(record["trace"]["header"]["user"], "contract");
    }
    assert_eq!(code(&run(&two, &[&agents[..], &["--jobs", "2"]].concat())), 0);
    assert_eq!(text(&one, "episodes.jsonl"), text(&two, "episodes.jsonl"));
    assert_eq!(text(&one, "report.json"), text(&two, "report.json"));
    assert_eq!(code(&probity(&["replay", one.to_str().unwrap()])), 0);
}

// ---- The model user ----

/// A run in which the mock speaks for the user.
fn spoken(mock: &Mock, directory: &Path, more: &[&str]) -> Output {
    let user = ["--user", "model", "--user-model", "user", "--user-base-url", &mock.url];
    let provider = ["--attempts", "2", "--retry-wait", "1", "--request-timeout", "5"];
    run(directory, &[&user[..], &provider, more].concat())
}

fn utterances(record: &Value) -> Vec<&Value> {
    record["trace"]["events"].as_array().unwrap().iter().filter(|event| event["type"] == "user").collect()
}

#[test]
fn a_model_speaks_for_the_user_and_is_replayed_and_kept() {
    let folder = scratch("users-model");
    let (live, again, jobs) = (folder.join("live"), folder.join("again"), folder.join("jobs"));
    let mock = Mock::start(mode("plain"));
    succeeded(spoken(&mock, &live, &["--agent", "oracle", "--jobs", "1"]));
    let records = records(&live);
    assert!(records.len() >= 112);
    for record in &records {
        assert_eq!(sr(record), "pass", "{record}");
        assert_eq!(record["trace"]["header"]["user"], "model:user");
        assert!(record["user_usage"]["requests"].as_u64().unwrap() > 0);
        for utterance in utterances(record) {
            assert_ne!(utterance["text"], utterance["rephrased"]["meant"]);
            assert!(utterance["rephrased"]["refused"].is_null(), "{utterance}");
        }
    }
    assert_eq!(code(&probity(&["replay", live.to_str().unwrap()])), 0);
    assert_eq!(code(&spoken(&mock, &jobs, &["--agent", "oracle", "--jobs", "2"])), 0);
    assert_eq!(text(&live, "episodes.jsonl"), text(&jobs, "episodes.jsonl"));
    drop(mock);
    let cassette = live.join("cassette.jsonl");
    let offline = ["--agent", "oracle", "--user", "model", "--user-model", "user", "--cassette"];
    succeeded(run(&again, &[&offline[..], &[cassette.to_str().unwrap()]].concat()));
    assert_eq!(text(&live, "report.json"), text(&again, "report.json"));
    // Words that say something else than was meant are not taken from a record.
    let tampered = text(&live, "episodes.jsonl").replacen("Thanks.", "Thanks, 4711.", 1);
    std::fs::write(live.join("episodes.jsonl"), tampered).unwrap();
    assert_eq!(code(&probity(&["replay", live.to_str().unwrap()])), 1);
}

#[test]
fn a_model_that_adds_changes_or_leaks_is_refused() {
    let folder = scratch("users-refused");
    let few = ["--agent", "oracle", "--variant", "underspecification", "--limit", "6"];
    for (mode, wanted) in
        [("user_adds", "adds_value"), ("user_changes", ""), ("user_leaks", "leaks_fact"), ("user_slips", "adds_value")]
    {
        let directory = folder.join(mode);
        succeeded(spoken(&Mock::start(self::mode(mode)), &directory, &few));
        let (mut refusals, mut fallbacks) = (Vec::new(), 0);
        for record in &records(&directory) {
            assert_eq!(sr(record), "pass", "{mode}: {record}");
            let utterances = utterances(record);
            let fell_back = utterances.iter().filter(|said| said["rephrased"]["fell_back"] == true).count() as u64;
            fallbacks += fell_back;
            // A farewell is fixed words: no model is asked for it.
            for said in utterances.into_iter().filter(|said| said.get("rephrased").is_some()) {
                let reasons: Vec<String> =
                    serde_json::from_value(said["rephrased"]["refused"].clone()).unwrap_or_default();
                match (mode, said["rephrased"]["fell_back"] == true) {
                    ("user_slips", fell_back) => assert!(!fell_back && reasons.len() == 1, "{said}"),
                    (_, true) => {
                        assert_eq!(reasons.len(), 3, "{said}");
                        assert_eq!(said["text"], said["rephrased"]["meant"]);
                    }
                    ("user_leaks", false) => assert_eq!(reasons.len(), 0, "{said}"),
                    (_, false) => panic!("{mode} passed: {said}"),
                }
                refusals.extend(reasons);
            }
        }
        let told = &report(&directory)["agents"]["oracle"]["overall"]["user_fallbacks"];
        assert_eq!(told.as_u64().unwrap_or(0), fallbacks, "{mode}");
        assert!(!refusals.is_empty() && refusals.iter().any(|why| why.starts_with(wanted)), "{mode}: {refusals:?}");
        assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0, "{mode}");
    }
}

#[test]
fn blame_is_split() {
    let folder = scratch("users-blame");
    let few = ["--agent", "noop", "--variant", "ideal", "--limit", "3"];
    let blames = |directory: &Path| report(directory)["agents"]["noop"]["overall"]["tags"]["blame"].clone();

    let directory = folder.join("infrastructure");
    let output = spoken(&Mock::start(mode("down")), &directory, &few);
    assert_eq!(code(&output), 3);
    assert_eq!(blames(&directory), serde_json::json!({"infrastructure": 3}));
    for record in &records(&directory) {
        let end = record["trace"]["events"].as_array().unwrap().last().unwrap();
        assert_eq!(end["reason"], "user_unreachable");
        assert_eq!(record["scores"]["metrics"]["sr"]["reason"], "the user's provider could not be reached");
    }
    assert!(out(&output).contains("noop: infrastructure: 3"));
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
    // It is played again when the provider is back.
    // The contract user's own words said what the model's would not: no excuse for an agent that does nothing.
    let directory = folder.join("refused");
    succeeded(spoken(&Mock::start(mode("user_adds")), &directory, &few));
    assert_eq!(blames(&directory), serde_json::json!({"agent": 3}));
    assert!(report(&directory)["agents"]["noop"]["overall"]["user_fallbacks"].as_u64().unwrap() >= 3);

    let directory = folder.join("agent");
    assert_eq!(code(&spoken(&Mock::start(mode("plain")), &directory, &few)), 0);
    assert_eq!(blames(&directory), serde_json::json!({"agent": 3}));
}
