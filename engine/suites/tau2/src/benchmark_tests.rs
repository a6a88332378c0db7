//! A small world of jars played by every agent, with every user, in both modes.

use std::collections::BTreeMap;

use super::*;
use crate::card::{MODE, VERDICTS};
use probity_bench::{
    AgentFault, AgentMessage, Broken, Client, EndReason, Heard, Levels, Limits, Outgoing, ProviderConfig, Reply,
    Services, Trace,
};
use probity_engine::ToolCall;
use serde_json::{Value, json};

const SCRIPT: &str = "fn look(db, args) { db.jars[args.jar] }\n\
    fn fill(db, args) { let jar = db.jars[args.jar]; jar.content.push(args.fruit); jar }\n\
    fn press(db, args) { db.lamp.is_on = !db.lamp.is_on; \"pressed\" }\n\
    fn switch_off(db, args) { db.lamp.is_on = false; () }\n\
    fn is_lit(db, args) { db.lamp.is_on == args.expected }\n\
    fn transfer_to_human_agents(db, args) { \"done\" }\n\
    fn populate(db, rng, size) { db.lamp = #{ is_on: true }; db.compat = #{ odd: false }; }\n";

fn environment() -> Value {
    let own = |mut tool: Value, actor: &str| {
        tool["actor"] = json!(actor);
        tool
    };
    json!({
        "id": "tau/cellar", "title": "Cellar", "summary": "Jars and a lamp.", "clock": "2026-01-01T00:00:00Z",
        "policy": [],
        "state": {
            "jars": {"key": "jar", "fields": {"jar": "string", "content": "list of string"}},
            "lamp": {"fields": {"is_on": "boolean"}},
            "compat": {"fields": {"odd": "boolean"}}
        },
        "tools": [
            {"name": "look", "description": "Look.", "parameters": {"jar": "ref jars"}, "returns": "jars"},
            {"name": "fill", "description": "Fill.", "parameters": {"jar": "ref jars", "fruit": "string"},
                "returns": "jars", "changes": {"jars": "update"}},
            {"name": "transfer_to_human_agents", "description": "Hand over.", "parameters": {"summary": "string"},
                "returns": "string", "free_text": ["summary"]},
            own(json!({"name": "press", "description": "Press.", "parameters": {}, "returns": "string",
                "changes": {"lamp": "update"}}), "user"),
            own(json!({"name": "switch_off", "description": "Dark.", "parameters": {}, "returns": {"type": "null"},
                "changes": {"lamp": "update"}}), "task"),
            own(json!({"name": "is_lit", "description": "Lit?", "parameters": {"expected": "boolean"},
                "returns": "boolean"}), "task")
        ],
        "populate": {"function": "populate", "sizes": {"easy": {}, "medium": {}, "hard": {}}}
    })
}

fn task(id: &str, rest: &Value) -> (String, String) {
    let mut task = json!({"id": id, "split": "train", "reward_basis": ["db"],
        "scenario": {"reason": "You want a jar filled.", "known": "It is jar A."}});
    probity_engine::merge::merge(&mut task, rest);
    (format!("tau2/tasks/cellar/{id}.json"), task.to_string())
}

fn call(side: &str, tool: &str, arguments: &Value) -> Value {
    json!({"side": side, "tool": tool, "arguments": arguments})
}

fn world() -> Files {
    let state = json!({"jars": {"A": {"jar": "A", "content": []}}, "lamp": {"is_on": true}, "compat": {"odd": true}});
    BTreeMap::from([
        ("tau2/environments/tau/cellar.json".to_owned(), environment().to_string()),
        ("tau2/scripts/tau/cellar.rhai".to_owned(), SCRIPT.to_owned()),
        ("tau2/data/cellar.json".to_owned(), json!({"clock": 0, "state": state}).to_string()),
        ("tau2/policy/cellar.md".to_owned(), "Be kind.".to_owned()),
        ("tau2/policy/cellar_solo.md".to_owned(), "Be quick.".to_owned()),
    ])
}

fn benchmark() -> Arc<dyn Benchmark> {
    let fill = |fruit: &str| call("agent", "fill", &json!({"jar": "A", "fruit": fruit}));
    let mut files = world();
    files.extend([
        task(
            "two",
            &json!({"gold": [fill("plums"), fill("figs")], "communicate": ["4"],
            "reward_basis": ["db", "communicate"]}),
        ),
        task(
            "judged",
            &json!({"gold": [fill("plums")], "nl_assertions": ["It is kind."],
            "reward_basis": ["db", "nl_assertion"]}),
        ),
        task("refused", &json!({"gold": [call("agent", "look", &json!({"jar": "A"}))]})),
        task("idle", &json!({"gold": []})),
        task(
            "lamp",
            &json!({"ticket": "The lamp is dark.", "start": [call("user", "switch_off", &json!({}))],
            "gold": [call("user", "press", &json!({}))], "reward_basis": ["env_assertion"],
            "assertions": [{"side": "user", "tool": "is_lit", "arguments": {"expected": true}, "expected": true}]}),
        ),
        task(
            "lost",
            &json!({"gold": [{"side": "agent", "tool": "transfer_to_human_agents",
            "arguments": {"summary": "x"}, "compared": []}], "reward_basis": ["action"]}),
        ),
    ]);
    let loaded = open(files, Vec::new());
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.benchmark
}

/// Plays with the reader, holds the replay against it, and gives the trace with its scores.
fn played(task: &str, mode: &str, agent: &mut dyn Agent) -> (Trace, Scores) {
    played_with(READER, None, (task, mode), agent)
}

fn played_with(
    user: &str,
    client: Option<&Arc<Client>>,
    (task, mode): (&str, &str),
    agent: &mut dyn Agent,
) -> (Trace, Scores) {
    let benchmark = benchmark();
    let at = Instance {
        task: format!("cellar/{task}"),
        setting: Levels::from_iter([(MODE, mode)]),
        properties: Levels::default(),
    };
    let options = Options::new();
    let setting = Setting { seed: 1, limits: Limits::default(), user, options: &options, next: None };
    let with = Services { user_client: client, line: None, user_unit: "user" };
    let played = benchmark.play(&at, &setting, agent, &with).unwrap();
    assert_eq!(benchmark.replay(&at, &setting, &played.trace).unwrap().trace, played.trace);
    let scores = CARD.checked(benchmark.score(&at, &played));
    assert_eq!(scores.unscorable, None);
    (played.trace, scores)
}

fn by(agent: &str, task: &str, mode: &str) -> Scores {
    let setting = Levels::from_iter([(MODE, mode)]);
    let at = Instance { task: format!("cellar/{task}"), setting, properties: Levels::default() };
    let mut agent = benchmark().agent(&agent.parse().unwrap(), &at, 1).unwrap();
    played(task, mode, agent.as_mut()).1
}

/// The numbers of the reward and of ours, and how they compare.
fn verdicts(scores: &Scores) -> (Option<f64>, Option<f64>, &str) {
    (scores.value("reward"), scores.value("sr"), scores.tag(VERDICTS).unwrap())
}

/// Says what it is given, call by call or in words.
struct Puppet(std::vec::IntoIter<AgentMessage>);

impl Agent for Puppet {
    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(self.0.next().unwrap_or_else(|| AgentMessage::reply("Goodbye.")))
    }
}

fn puppet(messages: Vec<AgentMessage>) -> Puppet {
    Puppet(messages.into_iter())
}

fn fills(fruits: &[&str]) -> Vec<AgentMessage> {
    let call = |fruit: &&str| AgentMessage::call(ToolCall::new("fill", json!({"jar": "A", "fruit": fruit})));
    fruits.iter().map(call).collect()
}

#[test]
fn the_oracle_has_all_that_can_be_scored() {
    for (task, mode, reward, sr) in [
        ("two", "dual", Some(1.0), Some(1.0)),
        ("judged", "dual", None, Some(1.0)),
        ("refused", "dual", Some(1.0), Some(1.0)),
        ("idle", "dual", Some(1.0), None),
        ("lamp", "dual", Some(1.0), Some(1.0)),
        ("lamp", "solo", Some(1.0), Some(1.0)),
        ("lost", "dual", Some(1.0), Some(1.0)),
    ] {
        let scores = by("oracle", task, mode);
        assert_eq!((scores.value("reward"), scores.value("sr")), (reward, sr), "{task} {mode}: {scores:?}");
    }
}

#[test]
fn doing_nothing_passes_there_what_it_must_not_pass_here() {
    assert_eq!(verdicts(&by("fault:does_nothing", "refused", "dual")), (Some(1.0), Some(0.0), "stricter"));
    assert_eq!(verdicts(&by("fault:does_nothing", "idle", "dual")), (Some(1.0), None, "open"));
    assert_eq!(verdicts(&by("fault:does_nothing", "judged", "dual")), (Some(0.0), Some(0.0), "same"));
    assert_eq!(verdicts(&by("fault:does_nothing", "lost", "dual")), (Some(0.0), Some(0.0), "same"));
    assert_eq!(verdicts(&by("fault:skips_last_write", "lamp", "solo")), (Some(0.0), Some(0.0), "same"));
}

#[test]
fn order_counts_there_and_not_here_and_a_digit_is_not_a_number() {
    let mut messages = fills(&["figs", "plums"]);
    messages.push(AgentMessage::reply("It is 4. Goodbye."));
    let (_, scores) = played("two", "dual", &mut puppet(messages));
    assert_eq!(verdicts(&scores), (Some(0.0), Some(1.0), "laxer"));
    let mut messages = fills(&["plums", "figs"]);
    messages.push(AgentMessage::reply("It is 14. Goodbye."));
    let (_, scores) = played("two", "dual", &mut puppet(messages));
    assert_eq!(verdicts(&scores), (Some(1.0), Some(0.0), "stricter"));
}

#[test]
fn what_no_side_ended_has_no_reward() {
    let unknown = || AgentMessage::call(ToolCall::new("unknown", json!({})));
    let (trace, scores) = played("idle", "dual", &mut puppet((0..12).map(|_| unknown()).collect()));
    assert_eq!((scores.value("reward"), scores.value("sr"), scores.value("db")), (Some(0.0), Some(0.0), None));
    assert_eq!(scores.tag("ending"), Some("too_many_errors"), "{trace:?}");
    let looks = (0..40).map(|_| AgentMessage::call(ToolCall::new("look", json!({"jar": "A"})))).collect();
    let (_, scores) = played("idle", "dual", &mut puppet(looks));
    assert_eq!(scores.tag("ending"), Some("agent_error"), "a turn without a reply");
    let asked = (0..150).map(|_| AgentMessage::reply("Shall I go ahead?")).collect();
    let (_, scores) = played("idle", "dual", &mut puppet(asked));
    assert_eq!((scores.tag("ending"), scores.value("reward")), (Some("max_steps"), Some(0.0)));
}

#[test]
fn the_reader_tells_what_it_knows_once_and_says_yes() {
    let say = |words: &str| AgentMessage::reply(words);
    let messages = vec![say("Which jar?"), say("Shall I go ahead?"), say("Anything else?"), say("And now?")];
    let (trace, _) = played("two", "dual", &mut puppet(messages));
    let heard: Vec<&str> = trace.heard().map(|(_, text)| text).collect();
    let told = ["I want a jar filled.", "It is jar A.", "Yes, please.", "I have nothing else to tell you.", "Goodbye."];
    assert_eq!(heard, told);
}

#[test]
fn an_agent_alone_has_both_sides_tools_and_the_ticket() {
    let press = vec![AgentMessage::call(ToolCall::new("press", json!({}))), AgentMessage::reply("Lit.")];
    let (trace, scores) = played("lamp", "solo", &mut puppet(press.clone()));
    assert_eq!(trace.heard().collect::<Vec<_>>(), [(1, "The lamp is dark.")]);
    assert_eq!(scores.value("env"), Some(1.0));
    let (_, scores) = played("lamp", "dual", &mut puppet(press));
    assert_eq!(scores.value("env"), Some(0.0), "with a user it is not the agent's to press");
}

#[test]
fn what_is_wrong_with_a_task_is_told() {
    let told = |files: Files| {
        let found = open(files, Vec::new()).diagnostics.into_iter();
        found.map(|found| format!("{} {}", found.file, found.code)).collect::<Vec<String>>()
    };
    let mut files = world();
    files.extend([task("wrong", &json!({"gold": [call("agent", "press", &json!({}))], "split": "all"}))]);
    let at = "tau2/tasks/cellar/wrong.json";
    assert_eq!(told(files.clone()), [format!("{at} unknown_tool"), format!("{at} unknown_split")]);
    files.remove("tau2/data/cellar.json");
    assert_eq!(told(files.clone()), ["tau2/data/cellar.json missing_file"], "its tasks are not told one by one");
    files.remove("tau2/environments/tau/cellar.json");
    assert_eq!(told(files), [format!("{at} no_world")]);
}

/// A provider that answers one request after the other, and what it was asked.
fn client(answers: &[Value]) -> (Arc<Client>, Arc<std::sync::Mutex<Vec<Value>>>) {
    let asked: Arc<std::sync::Mutex<Vec<Value>>> = Arc::default();
    let (tape, answers) = (Arc::clone(&asked), answers.to_vec());
    let provider = move |request: Outgoing<'_>| {
        let mut tape = tape.lock().unwrap();
        let message = answers.get(tape.len()).cloned();
        tape.push(serde_json::from_str(request.body).unwrap());
        let message = message.ok_or(Broken::Timeout(1))?;
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
        Ok(Reply { status: 200, body, ..Reply::default() })
    };
    let config = ProviderConfig { attempts: 1, ..ProviderConfig::at("http://127.0.0.1/v1") };
    (Arc::new(Client::new(config, Box::new(provider), Arc::new(|| false))), asked)
}

fn words(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

#[test]
fn a_model_uses_the_users_tools_and_ends_with_a_token() {
    let press = json!({"id": "a", "type": "function", "function": {"name": "press", "arguments": "{}"}});
    let pressing = json!({"role": "assistant", "content": null, "tool_calls": [press]});
    let answers = [words("It is dark."), pressing, words("Now it is lit."), words("###STOP###")];
    let (client, asked) = client(&answers);
    let agent = || puppet(vec![AgentMessage::reply("Press it."), AgentMessage::reply("Good.")]);
    let (trace, scores) = played_with("model:m", Some(&client), ("lamp", "dual"), &mut agent());
    let heard: Vec<&str> = trace.heard().map(|(_, text)| text).collect();
    assert_eq!(heard, ["It is dark.", "Now it is lit.", "###STOP###"]);
    assert_eq!((scores.value("reward"), trace.steps().count()), (Some(1.0), 1));
    let last = asked.lock().unwrap().last().unwrap()["messages"].clone();
    let roles: Vec<&str> = last.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(last[5]["content"], "pressed");
    let told = last[0]["content"].as_str().unwrap();
    assert!(told.contains("You want a jar filled.") && told.contains("what your tools returned"), "{told}");
}

#[test]
fn a_model_that_cannot_be_reached_or_says_nothing_scores_nothing() {
    for answers in [vec![words("Hello.")], vec![words("Hello."), words(""), words(" "), words("")]] {
        let (client, _) = client(&answers);
        let mut agent = puppet(vec![AgentMessage::reply("Yes?")]);
        let (trace, scores) = played_with("model:m", Some(&client), ("two", "dual"), &mut agent);
        assert_eq!(trace.end().unwrap().0, EndReason::UserUnreachable);
        assert_eq!((scores.value("reward"), scores.value("sr")), (None, None));
    }
}
