//! Agents that cheat: what each of them does, what a report says of them, and what they get in each suite.

use std::path::Path;

use serde_json::{Value, json};

use crate::dial::probity;
use crate::support::{path, probity_at, report, root, scratch, succeeded, text};
use probity::cli::exit::Exit;
use probity_bench::cheat::{CheatAgent, Jump};
use probity_bench::{
    Agent, AgentFault, AgentMessage, AgentName, AgentSpec, Benchmark, Brief, Cheat, Files, Heard, Instance, Interrupt,
    Limits, Options, Past, Services, Setting,
};
use probity_engine::ToolCall;

/// An oracle that calls once and then says what came of it.
struct Told;

impl Agent for Told {
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(match heard {
            Heard::User(_) => AgentMessage::call(ToolCall::new("look".to_owned(), json!({"id": "B-17"}))),
            Heard::Observations(_) => AgentMessage::reply("It costs $31.20. Shall I go ahead?"),
        })
    }
}

fn brief() -> Brief {
    let parameters = json!({
        "type": "object", "required": ["booking_id", "seats", "kind", "note"],
        "properties": {
            "booking_id": {"type": "string"}, "seats": {"type": "integer"}, "kind": {"enum": ["one", "other"]},
            "note": {"type": "object", "properties": {"is_loud": {"type": "boolean"}}}, "unasked": {"type": "string"},
        },
    });
    let tools = json!([{"type": "function", "function": {"name": "book", "parameters": parameters}}]);
    let history = vec![Past::Heard(Heard::User("My booking is B-17.".to_owned()))];
    Brief { system: "Be kind.".to_owned(), tools, history }
}

/// What a cheat does in a turn, message by message.
fn turn(cheat: Cheat) -> Vec<AgentMessage> {
    let blind = CheatAgent::blind(cheat);
    let mut agent = blind.unwrap_or_else(|| CheatAgent::informed(cheat, Box::new(Told), 1));
    agent.start(&brief()).unwrap();
    let mut heard = Heard::User("Make it 4 seats.".to_owned());
    let mut said = Vec::new();
    loop {
        let message = agent.respond(&heard).unwrap();
        let is_over = message.calls.is_empty();
        said.push(message);
        if is_over {
            return said;
        }
        heard = Heard::Observations(vec![json!({"id": "B-99", "price": {"whole": 31.2}, "tags": ["new"]})]);
    }
}

fn words(cheat: Cheat) -> String {
    turn(cheat).pop().unwrap().text.unwrap()
}

#[test]
fn each_cheat_does_what_its_name_says() {
    assert_eq!(words(Cheat::PastePrompt), "Be kind.");
    assert_eq!(words(Cheat::RepeatUser), "My booking is B-17.\nMake it 4 seats.");
    let everything = words(Cheat::SayEverything);
    assert!(
        ["It is done. It is not done.", "Be kind.", "Make it 4 seats."].iter().all(|part| everything.contains(part))
    );
    assert!(words(Cheat::YesToAll).starts_with("Yes") && words(Cheat::RefuseEverything).contains("cannot"));
    assert_eq!(words(Cheat::PasteObservations), "id is B-99. whole is 31.2. tags is new.");
    let nonsense = words(Cheat::Nonsense);
    assert!(nonsense.ends_with(" Shall I go ahead?") && !nonsense.contains("31.20"), "{nonsense}");
    assert!(words(Cheat::BlanketPermission).contains("whatever I like"));
    let denied = words(Cheat::DenyAround);
    assert!(denied.contains("It costs $31.20. Shall I go ahead?") && denied.len() > 50, "{denied}");
    for cheat in Cheat::ALL.into_iter().filter(|cheat| cheat.is_informed() && *cheat != Cheat::JumpAhead) {
        assert_eq!(turn(cheat)[0].calls, [ToolCall::new("look".to_owned(), json!({"id": "B-17"}))], "{cheat:?}");
    }
}

#[test]
fn every_tool_is_called_with_what_is_in_sight() {
    let calls: Vec<Value> = turn(Cheat::CallEverything)
        .iter()
        .flat_map(|message| &message.calls)
        .map(|call| call.arguments.clone())
        .collect();
    let call = |id: &str, seats: u64, kind: &str, is_loud: bool| json!({"booking_id": id, "seats": seats, "kind": kind, "note": {"is_loud": is_loud}});
    assert_eq!(calls, [call("B-17", 4, "one", true), call("B-99", 4, "other", false), call("B-99", 4, "one", true)]);
}

fn dials() -> std::sync::Arc<dyn Benchmark> {
    crate::dial::REGISTERED.open(Files::new()).benchmark
}

fn at(task: &str) -> Instance {
    let is_it = |at: &Instance| at.task == task && at.setting.get("pace") == Some("slow");
    dials().instances().into_iter().find(is_it).unwrap()
}

#[test]
fn who_jumps_ahead_makes_the_last_call_first() {
    let dials = dials();
    // Six in steps of two is the same backwards; there is nothing to jump over.
    assert_eq!(Jump::of(dials.as_ref(), &at("dial/to_6"), 0), None);
    let spec = AgentSpec::plain(
        "cheat:jump_ahead".parse().unwrap(),
        std::time::Duration::ZERO,
        None,
        &Interrupt::default().into(),
    );
    assert!(spec.unwrap().create(dials.as_ref(), &at("dial/to_6"), 0).is_none());
    assert_eq!(Jump::of(dials.as_ref(), &at("dial/to_2"), 0), None);
}

#[test]
fn a_dial_is_not_set_by_words() {
    let dials = dials();
    let options = Options::new();
    let setting = Setting { seed: 0, limits: Limits::default(), user: "scripted", options: &options, next: None };
    let with = Services { user_client: None, line: None, user_unit: "" };
    for cheat in Cheat::ALL {
        let spec = AgentSpec::Cheat(cheat);
        let Some(mut agent) = spec.create(dials.as_ref(), &at("dial/to_4"), 0) else { continue };
        let played = dials.play(&at("dial/to_4"), &setting, agent.as_mut(), &with).unwrap();
        let hit = dials.score(&at("dial/to_4"), &played).unwrap().metrics["hit"].value();
        assert_eq!(hit, Some(f64::from(u8::from(cheat.is_informed()))), "{cheat:?}");
    }
}

#[test]
fn cheats_are_played_when_they_are_asked_for_and_told_apart() {
    let folder = scratch("cheats-run");
    let (all, none) = (folder.join("all"), folder.join("none"));
    let run = |out: &Path, agents: &[&str]| {
        let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
        let arguments = ["run", "--suite", "dial", "--out", out.to_str().unwrap()].into_iter().chain(agents);
        probity(&arguments.collect::<Vec<_>>())
    };
    assert_eq!(run(&none, &[]), Exit::Clean);
    assert!(!text(&none, "run.json").contains("cheat") && report(&none).get("cheats").is_none());
    assert_eq!(run(&all, &["cheats", "oracle"]), Exit::Clean);
    let all_of_it = report(&all);
    assert_eq!(text(&all, "run.json").matches("\"cheat:").count() / 2, Cheat::ALL.len());
    let floor = &all_of_it["cheats"][0];
    assert_eq!((floor["metric"].clone(), floor["blind"]["value"].clone()), (json!("hit"), json!(0.0)));
    assert_eq!(floor["informed"], json!({"agent": "cheat:paste_observations", "n": 8, "value": 1.0}));
    let page = text(&all, "report.html");
    assert!(page.contains(r#""groups":["cheat""#) && page.contains(r#"id="cheats""#));
    for (name, what) in [("cheat:nonsens", "did you mean `cheat:nonsense`?"), ("cheat:", "there is no agent")] {
        assert!(name.parse::<AgentName>().unwrap_err().contains(what), "{name}");
    }
}

#[test]
fn who_does_not_do_the_work_resolves_no_ticket() {
    let out = scratch("cheats-tickets").join("run");
    let run = ["--quiet", "run", "--suite", "tickets", "--agent", "cheats", "--out", path(&out)];
    succeeded(probity_at(&root(), &run));
    let report = report(&out);
    for cheat in Cheat::ALL.into_iter().filter(|cheat| !cheat.is_informed()) {
        let name = format!("cheat:{}", cheat.name());
        let metrics = &report["agents"][&name]["overall"]["metrics"];
        for of in ["sr_pass1", "rr"] {
            assert!(metrics[of]["value"].as_f64().unwrap_or(0.0) <= 0.05, "{name}: {of} {}", metrics[of]);
        }
    }
}
