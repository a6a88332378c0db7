//! The doors: the same moves have one digest whichever way they come in, and a client harms itself alone.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::Arc;

use probity::cli::SUITES;
use probity_bench::run::unit::episode_seed;
use probity_bench::{
    Agent, AgentMessage, AgentName, Benchmark, Heard, Instance, Limits, Options, ReplayAgent, Services, Setting, Trace,
};
use probity_doors::mcp::{MODERN, McpServer, SAY};
use probity_doors::{Offer, Opening, jsonl};
use probity_engine::ToolCall;
use serde_json::{Value, json};

use crate::support::{binary, contents, err, is_all, out, real_root, root, sampled_root, scratch, succeeded};

const TASK: &str = "travel_hospitality/front_desk/late_move";

fn opened(suite: &str) -> Arc<dyn Benchmark> {
    SUITES.iter().find(|registered| registered.name == suite).unwrap().load(sampled_root()).benchmark
}

/// An instance played by one of the suite's own agents, as a run does.
fn played(benchmark: &dyn Benchmark, agent: &AgentName, at: &Instance) -> Option<Trace> {
    let (seed, options) = (episode_seed(0, at, 0), Options::new());
    let setting =
        Setting { seed, limits: Limits::default(), user: benchmark.users()[0], options: &options, next: None };
    let mut agent = benchmark.agent(agent, at, seed)?;
    Some(benchmark.play(at, &setting, agent.as_mut(), &Services::default())?.trace)
}

fn messages(trace: &Trace) -> Vec<AgentMessage> {
    let mut agent = ReplayAgent::new(trace);
    std::iter::from_fn(|| agent.respond(&Heard::User(String::new())).ok()).collect()
}

/// What a door of JSON lines answers to these requests, in order.
fn asked(offer: &Offer, requests: &[Value]) -> Vec<Value> {
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut said = Vec::new();
    jsonl::serve(offer, lines.as_bytes(), &mut said).unwrap();
    String::from_utf8(said).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The requests that play an episode straight, and in a second way: forked in the middle, where a message that is taken
/// back is said as well.
fn moves(at: &Instance, messages: &[AgentMessage], names: [&str; 2]) -> Vec<Value> {
    let step = |episode: &str, message: &AgentMessage| json!({"step": {"episode": episode, "message": message}});
    let middle = messages.len() / 2;
    let mut all = vec![json!({"open": {"task": at.task, "levels": at.setting}})];
    for (number, message) in messages.iter().enumerate() {
        if number == middle {
            all.push(json!({"fork": {"episode": names[0]}}));
            all.push(step(names[1], &AgentMessage::reply("Never mind.")));
            all.push(json!({"undo": {"episode": names[1]}}));
        }
        all.push(step(names[0], message));
    }
    all.extend(messages.iter().skip(middle).map(|message| step(names[1], message)));
    all.extend(names.map(|episode| json!({"score": {"episode": episode}})));
    all.extend(names.map(|episode| json!({"close": {"episode": episode}})));
    all
}

#[test]
fn the_same_moves_have_one_digest_through_every_door() {
    let agents = [AgentName::Oracle, AgentName::Own("heuristic".to_owned()), AgentName::Own("reckless".to_owned())];
    let mut counted = Vec::new();
    for (suite, every) in [("behaviour", 1), ("tickets", 3), ("mm-tau", 5)] {
        let every = if is_all() { 1 } else { every };
        let benchmark = opened(suite);
        let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
        let (mut episodes, mut batches, mut by_mcp) = (0, 0, 0);
        let mut opened = 0;
        for (at, agent) in
            benchmark.instances().iter().step_by(every).flat_map(|at| agents.iter().map(move |agent| (at, agent)))
        {
            let Some(trace) = played(benchmark.as_ref(), agent, at) else { continue };
            let (messages, digest) = (messages(&trace), json!(trace.digest()));
            let names = ["e1", "e2"];
            let answers = asked(&offer, &moves(at, &messages, names));
            opened += 2;
            let scored: Vec<&Value> = answers.iter().filter(|answer| answer.get("digest").is_some()).collect();
            let wrong = || format!("{suite} {} {} by {agent:?}: {answers:#?}", at.task, at.setting);
            assert!(scored.len() == 2 && scored.iter().all(|answer| answer["digest"] == digest), "{}", wrong());
            let record = benchmark.record("client", 0, at, trace.into());
            assert!(scored.iter().all(|answer| answer["scores"] == json!(record.scores)), "{}", wrong());
            episodes += 1;
            let is_plain = |message: &AgentMessage| message.calls.len() + usize::from(message.text.is_some()) == 1;
            batches += messages.iter().filter(|message| message.calls.len() > 1).count();
            // One call is one message of an agent there.
            if messages.iter().all(is_plain) {
                assert_eq!(json!(by_mcp_alone(&offer, at, &messages)), digest, "{} {}", at.task, at.setting);
                by_mcp += 1;
            }
        }
        assert!(opened == 2 * episodes, "{suite}");
        counted.push(format!("{suite}: {episodes} episodes, {batches} messages of several calls, {by_mcp} over MCP"));
        assert!(episodes > 50 && by_mcp > 20, "{counted:?}");
    }
    eprintln!("{}", counted.join("; "));
}

/// The digest of an episode whose moves come over MCP.
fn by_mcp_alone(offer: &Offer, at: &Instance, messages: &[AgentMessage]) -> String {
    let levels = at.setting.iter().map(|(factor, level)| (factor.to_owned(), level.to_owned())).collect();
    let opening = Opening { task: at.task.clone(), levels, ..Opening::default() };
    let mut server = McpServer::new(offer.open(&opening, &Arc::default()).unwrap()).unwrap();
    for (number, message) in messages.iter().enumerate() {
        let (name, arguments) = match (&message.text, message.calls.first()) {
            (Some(text), _) => (SAY, json!({"text": text})),
            (None, Some(call)) => (call.tool.as_str(), call.arguments.clone()),
            (None, None) => unreachable!("an empty message"),
        };
        let call = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        let answer = server.answer(call.to_string().as_bytes()).unwrap();
        assert!(answer["result"]["content"].is_array(), "{call}: {answer}");
    }
    server.leave().record().unwrap().digest.to_string()
}

/// Parameters as the revision without a handshake has them.
fn modern(mut params: Value) -> Value {
    let of = |key: &str| format!("io.modelcontextprotocol/{key}");
    params["_meta"] = json!({of("protocolVersion"): MODERN, of("clientCapabilities"): {}});
    params
}

/// Damages a line in one of some ways.
fn damaged(line: &str, seed: u64) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    let draw = |salt: u64| usize::try_from((seed ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33).unwrap();
    let at = draw(1) % bytes.len();
    match draw(2) % 6 {
        0 => bytes.truncate(at),
        1 => bytes[at] = u8::try_from(draw(3) % 256).unwrap().max(11),
        2 => bytes.extend(line.bytes().skip(at)),
        3 => drop(bytes.drain(at..(at + draw(3) % 20).min(line.len()))),
        4 => bytes.splice(at..at, b"[[[[{\"\\ud800".iter().copied().cycle().take(draw(3) % 3000)).for_each(drop),
        _ => bytes.splice(at..at, b"e9/../null-1".iter().copied().take(draw(3) % 12)).for_each(drop),
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

#[test]
fn nonsense_is_answered_line_by_line_and_touches_nothing() {
    let benchmark = opened("behaviour");
    let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
    let at = benchmark.instances().into_iter().find(|at| at.task == TASK).unwrap();
    let trace = played(benchmark.as_ref(), &AgentName::Oracle, &at).unwrap();
    let good = moves(&at, &messages(&trace), ["e1", "e2"]);
    let mut lines = Vec::new();
    let mut sent = 0;
    for (number, request) in good.iter().enumerate() {
        lines.extend(format!("{request}\n").into_bytes());
        // Names of episodes that are not open, so that no damage makes a move of it.
        let other = request.to_string().replace("\"e1\"", "\"e71\"").replace("\"e2\"", "\"e72\"");
        for seed in 0..400_u64 {
            let line = damaged(&other, seed.wrapping_mul(1 + number as u64));
            // A line that still opens an episode would give the next one another name.
            if line.iter().all(u8::is_ascii_whitespace) || other.contains("\"open\"") {
                continue;
            }
            sent += 1;
            lines.extend(line);
            lines.push(b'\n');
        }
    }
    let mut said = Vec::new();
    jsonl::serve(&offer, lines.as_slice(), &mut said).unwrap();
    let answers: Vec<Value> =
        String::from_utf8(said).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), good.len() + sent);
    assert!(sent > 4000, "{sent}");
    let digests: Vec<&Value> = answers.iter().filter_map(|answer| answer.get("digest")).collect();
    assert_eq!(digests, [&json!(trace.digest()); 2]);
}

#[test]
fn nonsense_over_mcp_is_an_error_or_a_refused_call() {
    let benchmark = opened("behaviour");
    let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
    let opening = Opening { task: TASK.to_owned(), ..Opening::default() };
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_booking", "arguments": {"booking_id": "B0001"}}});
    let discover = json!({"jsonrpc": "2.0", "id": "a", "method": "server/discover", "params": modern(json!({}))});
    let mut server = McpServer::new(offer.open(&opening, &Arc::default()).unwrap()).unwrap();
    let mut answered = 0;
    for line in [&call, &discover] {
        for seed in 0..5000 {
            let answer = server.answer(&damaged(&line.to_string(), seed));
            answered += usize::from(answer.is_some_and(|answer| {
                let is_sound = answer["error"]["code"].is_i64() || answer["result"].is_object() || answer.is_array();
                assert!(is_sound, "{answer}");
                true
            }));
        }
    }
    assert!(answered > 9000, "{answered}");
}

#[test]
fn what_is_refused_says_so_and_changes_nothing() {
    let benchmark = opened("behaviour");
    let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
    let words = json!({"text": "Good day."});
    let too_many: Vec<Value> = (0..65).map(|_| json!({"tool": "x", "arguments": {}})).collect();
    for (request, code) in [
        (json!({"open": {"task": "late_mov"}}), "unknown_task"),
        (json!({"open": {"task": TASK, "levels": {"variant": "angry"}}}), "unknown_levels"),
        (json!({"open": {"task": TASK, "levels": {"mood": "ideal"}}}), "unknown_levels"),
        (json!({"open": {"task": TASK, "user": "somebody"}}), "unknown_user"),
        (json!({"open": {"task": TASK, "user": "model:x"}}), "unknown_user"),
        (json!({"open": {"task": TASK, "user": "openai:x"}}), "unknown_user"),
        (json!({"open": {"task": TASK, "options": {"x": "y"}}}), "unknown_option"),
        (json!({"open": {"task": TASK, "max_messages": 0}}), "bad_request"),
        (json!({"open": {"task": TASK, "seed": u64::MAX}}), "bad_request"),
        (json!({"step": {"episode": "e2", "message": words}}), "unknown_episode"),
        (json!({"step": {"episode": "e01", "message": words}}), "unknown_episode"),
        (json!({"step": {"episode": "e1", "message": {"words": 1}}}), "bad_request"),
        (json!({"score": {"episode": "e1"}}), "not_over"),
        (json!({"undo": {"episode": "e1"}}), "nothing_to_undo"),
        (json!({"fork": {"episode": "e1", "count": 10_001}}), "too_many"),
    ] {
        let answers = asked(
            &offer,
            &[json!({"open": {"task": TASK}}), request.clone(), json!({"step": {"episode": "e1", "message": words}})],
        );
        assert_eq!(answers[1]["error"]["code"], code, "{request}: {}", answers[1]);
        assert!(answers[1]["error"]["help"].as_str().is_some_and(|help| !help.is_empty()), "{}", answers[1]);
        assert_eq!(answers[2]["done"], false, "{}", answers[2]);
    }
    let broken = |message: Value| {
        let step = json!({"step": {"episode": "e1", "message": message}});
        let again = step.clone();
        asked(&offer, &[json!({"open": {"task": TASK}}), step, again, json!({"score": {"episode": "e1"}})])
    };
    for message in [json!({}), json!({"calls": too_many}), json!({"text": "x".repeat(65 << 10)})] {
        let answers = broken(message);
        assert_eq!((&answers[1]["done"], &answers[1]["end"]), (&json!(true), &json!("agent_failed")), "{}", answers[1]);
        assert_eq!(answers[2]["error"]["code"], "over");
        assert_eq!(answers[3]["reward"], 0.0);
    }
}

#[test]
fn shaping_tells_how_far_it_is_and_nothing_at_the_end() {
    let benchmark = opened("behaviour");
    let at = benchmark.instances().into_iter().find(|at| at.task == TASK).unwrap();
    let said = messages(&played(benchmark.as_ref(), &AgentName::Oracle, &at).unwrap());
    let mut requests = vec![json!({"open": {"task": TASK}})];
    requests.extend(said.iter().map(|message| json!({"step": {"episode": "e1", "message": message}})));
    let offer = || Offer::new(benchmark.as_ref(), Services::default(), "client");
    assert!(asked(&offer(), &requests).iter().all(|answer| answer.get("potential").is_none()));
    let told: Vec<f64> =
        asked(&offer().shaped(true), &requests).iter().map(|answer| answer["potential"].as_f64().unwrap()).collect();
    let (last, before) = told.split_last().unwrap();
    assert!((*last, before[0]) == (0.0, 0.0) && before.is_sorted() && before.last() == Some(&1.0), "{told:?}");
}

pub struct Client {
    child: Child,
    said: BufReader<std::process::ChildStdout>,
}

impl Client {
    fn start(arguments: &[&str]) -> Client {
        Client::start_in(std::path::Path::new("."), arguments)
    }

    fn start_in(folder: &std::path::Path, arguments: &[&str]) -> Client {
        let mut child = binary()
            .args(["--root", &real_root(), "serve"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        Client { child, said }
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.child.stdin.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request}: {error}: {line}"))
    }

    /// What is said by a server that does not start.
    pub fn refused(arguments: &[&str]) -> String {
        let output = binary().args(["--root", root().to_str().unwrap(), "serve"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        err(&output)
    }

    fn leave(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_client_of_mcp_plays_one_episode_and_its_score_is_written_when_it_leaves() {
    let at = scratch("serve_mcp");
    let score = at.join("score.json");
    let kept = at.join("run");
    let places = ["--score", score.to_str().unwrap(), "--out", kept.to_str().unwrap()];
    let mut client = Client::start(&[&["--mcp", "late_move", "--variant", "ideal"], &places[..]].concat());
    let mut number = 0;
    let mut ask = |method: &str, params: Value| {
        number += 1;
        client.ask(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))["result"].clone()
    };
    let hello = ask(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    assert_eq!(hello["protocolVersion"], "2025-06-18");
    assert!(hello["instructions"].as_str().unwrap().contains("Ines Okafor"), "{hello}");
    let tools = ask("tools/list", json!({}))["tools"].clone();
    let tool = |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap().clone();
    assert_eq!(tool("find_booking")["annotations"]["readOnlyHint"], true);
    assert_eq!(tool("cancel_booking")["annotations"]["readOnlyHint"], false);
    assert_eq!(tool("find_booking")["outputSchema"]["type"], "object", "{tools}");
    // Nothing shows or changes more than an agent may.
    for forbidden in ["reset", "score", "state", "step", "close"] {
        assert!(tools.as_array().unwrap().iter().all(|tool| tool["name"] != forbidden));
    }
    let refused = ask("tools/call", json!({"name": "find_booking", "arguments": {"booking_id": "nobody"}}));
    assert_eq!(refused["isError"], true, "{refused}");
    let brief = ask("resources/read", json!({"uri": "probity://brief"}));
    assert!(brief["contents"][0]["text"].as_str().unwrap().contains("Rules"), "{brief}");
    let modern = ask("tools/list", modern(json!({})));
    assert_eq!((&modern["resultType"], &modern["tools"]), (&json!("complete"), &tools));
    let next = ask("tools/call", json!({"name": SAY, "arguments": {"text": "One moment, please."}}));
    assert!(next["content"][0]["text"].as_str().unwrap().len() > 10, "{next}");
    client.leave();
    let score: Value = serde_json::from_str(&std::fs::read_to_string(&score).unwrap()).unwrap();
    assert_eq!((&score["end"], &score["reward"]), (&json!("agent_failed"), &json!(0.0)), "{score}");
    let proved = succeeded(binary().arg("replay").arg(&kept).output().unwrap());
    assert!(out(&proved).contains("1 of 1 episode verified"), "{}", out(&proved));
    // A client starts its server anew for each session: scores are added, and what nobody played is none.
    Client::start(&["--mcp", "late_move", "--score", places[1]]).leave();
    assert_eq!(std::fs::read_to_string(at.join("score.json")).unwrap().lines().count(), 1);
    let again = Client::refused(&["--mcp", "late_move", "--out", places[3]]);
    assert!(again.contains("exists already"), "{again}");
}

/// The README's own line, as a client of MCP starts it.
#[test]
fn the_line_for_claude_code_starts_a_desk() {
    let readme = contents(root().join("README.md"));
    let block = readme.split("```").find(|block| block.contains("claude mcp add ")).unwrap();
    let line = block.lines().find_map(|line| line.strip_prefix("claude mcp add desk -- probity serve ")).unwrap();
    let score = block.lines().find_map(|line| line.strip_prefix("cat ")).unwrap();
    let at = scratch("serve_claude");
    let mut client = Client::start_in(&at, &line.split_whitespace().collect::<Vec<_>>());
    let about = json!({"name": "claude-code", "version": "2"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about});
    let mut ask = |method: &str, params: Value| {
        client.ask(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))["result"].clone()
    };
    let told = ask("initialize", hello)["instructions"].clone();
    assert!(told.as_str().unwrap().contains("The user says:\n"), "{told}");
    assert!(ask("tools/list", json!({}))["tools"].as_array().unwrap().len() > 2);
    let say = json!({"name": SAY, "arguments": {"text": "One moment, please."}});
    assert_eq!(ask("tools/call", say)["isError"], false);
    client.leave();
    let scored: Value = serde_json::from_str(&contents(at.join(score))).unwrap();
    assert_eq!((&scored["end"], &scored["reward"]), (&json!("agent_failed"), &json!(0.0)), "{scored}");
}

#[test]
fn a_client_that_ends_the_program_has_left_and_is_scored() {
    let score = scratch("serve_signal").join("score.jsonl");
    let mut client = Client::start(&["--mcp", "late_move", "--score", score.to_str().unwrap()]);
    let say = json!({"name": SAY, "arguments": {"text": "One moment."}});
    client.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": say}));
    // Its input stays open: it is the signal that ends it.
    let _open = client.child.stdin.take();
    let pid = client.child.id().to_string();
    assert!(std::process::Command::new("kill").arg(pid).status().unwrap().success());
    assert_eq!(client.child.wait().unwrap().code(), Some(130));
    let score: Value = serde_json::from_str(&std::fs::read_to_string(&score).unwrap()).unwrap();
    assert_eq!(score["end"], "agent_failed", "{score}");
}

#[test]
fn over_mcp_only_what_was_said_counts_and_nothing_is_lost() {
    let (tickets, behaviour) = (opened("tickets"), opened("behaviour"));
    let open = |benchmark: &'static Arc<dyn Benchmark>, opening: &Opening| {
        let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
        McpServer::new(offer.open(opening, &Arc::default()).unwrap()).unwrap()
    };
    let (tickets, behaviour) = (&*Box::leak(Box::new(tickets)), &*Box::leak(Box::new(behaviour)));
    let call = |server: &mut McpServer, name: &str, arguments: Value| {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        server.answer(call.to_string().as_bytes()).unwrap()["result"].clone()
    };
    // What was said before a checkpoint is told.
    let at = tickets
        .instances()
        .into_iter()
        .find(|at| at.task.ends_with("phone_in_the_lake") && at.setting.get("mode") == Some("single_turn"))
        .unwrap();
    let levels = at.setting.iter().map(|(factor, level)| (factor.to_owned(), level.to_owned())).collect();
    let mut server = open(tickets, &Opening { task: at.task.clone(), levels, ..Opening::default() });
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}});
    let told = server.answer(hello.to_string().as_bytes()).unwrap();
    assert!(told["result"]["instructions"].as_str().unwrap().contains("What was said before:\nuser: "), "{told}");
    // A message that no agent may send is told to the model, and the episode goes on.
    let mut server = open(behaviour, &Opening { task: TASK.to_owned(), ..Opening::default() });
    let shown = call(&mut server, "find_booking", json!({"confirmation": "100000"}));
    assert_eq!((&shown["isError"], shown.get("structuredContent")), (&json!(true), None), "{shown}");
    let deep = (0..80).fold(json!(1), |value, _| json!([value]));
    for (name, arguments) in
        [(SAY, json!({"text": "x".repeat(70_000)})), ("find_booking", json!({"confirmation": deep}))]
    {
        let refused = call(&mut server, name, arguments);
        assert!(refused["isError"] == true && refused.to_string().contains("nothing has happened"), "{refused}");
    }
    assert!(!server.episode().is_over() && server.episode().messages() == 1);
    // A batch, an old resource, a wrong version, an id that is too long.
    let code = |server: &mut McpServer, message: Value| {
        let answer = server.answer(message.to_string().as_bytes()).unwrap();
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"))
    };
    let asked = |id: Value, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let batch = server
        .answer(json!([asked(json!(1), "ping", json!({})), asked(json!(2), "ping", json!({}))]).to_string().as_bytes());
    assert_eq!(batch.unwrap().as_array().unwrap().len(), 2);
    for (message, wanted) in [
        (asked(json!(1), "ping", modern(json!({}))), -32601),
        (asked(json!(1), "initialize", modern(json!({}))), -32601),
        (asked(json!(1), "resources/read", modern(json!({"uri": "x"}))), -32602),
        (asked(json!(1), "resources/read", json!({"uri": "x"})), -32002),
        (
            asked(json!(1), "tools/list", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2025-11-25"}})),
            -32022,
        ),
        (asked(json!(1), "tools/list", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}})), -32602),
        (asked(json!(1), "tools/list", json!("x")), -32602),
        (asked(json!("x".repeat(300)), "tools/list", json!({})), -32600),
        (asked(json!(1), "nothing", json!({})), -32601),
    ] {
        assert_eq!(code(&mut server, message.clone()), wanted, "{message}");
    }
}

#[test]
fn what_is_forgotten_is_held_no_more() {
    let benchmark = opened("behaviour");
    let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
    let held: Arc<std::sync::atomic::AtomicUsize> = Arc::default();
    let now = || held.load(std::sync::atomic::Ordering::Relaxed);
    let mut episode = offer.open(&Opening { task: TASK.to_owned(), ..Opening::default() }, &held).unwrap();
    let long =
        AgentMessage { text: Some("x".repeat(50_000)), calls: vec![ToolCall::new("nothing", json!({}))], tokens: None };
    let begun: usize = now();
    for _ in 0..20 {
        episode.step(long.clone()).unwrap();
        assert!(now() > begun + 100_000, "{}", now());
        episode.undo(1).unwrap();
        assert_eq!(now(), begun);
    }
    episode.step(long.clone()).unwrap();
    let mut fork = episode.clone();
    let shared = now();
    fork.step(long).unwrap();
    drop(episode);
    assert!(now() > shared, "the fork has it still");
    drop(fork);
    assert_eq!(now(), 0);
}

#[cfg(unix)]
#[test]
fn each_client_of_a_socket_has_episodes_of_its_own() {
    use std::os::unix::net::UnixStream;
    let socket = scratch("serve_socket").join("s");
    let mut server = binary()
        .args(["--root", root().to_str().unwrap(), "-q", "serve", "--jsonl", "--socket", socket.to_str().unwrap()])
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    let connect = || loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => return stream,
            Err(_) if begun.elapsed().as_secs() < 60 => std::thread::sleep(std::time::Duration::from_millis(20)),
            Err(error) => panic!("{error}"),
        }
    };
    let ask = |stream: &UnixStream, request: &Value| -> Value {
        writeln!(&mut &*stream, "{request}").unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let (one, two) = (connect(), connect());
    assert_eq!(ask(&one, &json!({"open": {"task": TASK}}))["episode"], "e1");
    assert_eq!(
        ask(&two, &json!({"step": {"episode": "e1", "message": {"text": "x"}}}))["error"]["code"],
        "unknown_episode"
    );
    // One that dies in the middle of a line, and one that floods and never reads.
    write!(&mut &one, r#"{{"step": {{"episode"#).unwrap();
    drop(one);
    let three = connect();
    three.set_nonblocking(true).unwrap();
    let flood = json!({"instances": {}}).to_string() + "\n";
    for _ in 0..10_000 {
        if (&three).write(flood.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(ask(&two, &json!({"open": {"task": TASK}}))["episode"], "e1");
    drop(three);
    server.kill().unwrap();
    server.wait().unwrap();
    // What a killed server left is in nobody's way, and one that is stopped leaves nothing.
    let mut server = binary()
        .args(["--root", root().to_str().unwrap(), "-q", "serve", "--jsonl", "--socket", socket.to_str().unwrap()])
        .spawn()
        .unwrap();
    let four = connect();
    assert_eq!(ask(&four, &json!({"open": {"task": TASK}}))["episode"], "e1");
    assert!(std::process::Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    server.wait().unwrap();
    assert!(!socket.exists());
}

#[test]
fn an_environment_alone_is_served_as_a_stateful_twin() {
    let mut client = Client::start(&["--jsonl", "travel_hospitality/front_desk", "--seed", "3"]);
    let task = client.ask(&json!({"instances": {}}))["instances"][0]["task"].clone();
    let opened = client.ask(&json!({"open": {"task": task}}));
    assert_eq!(opened["episode"], "e1", "{opened}");
    let call = json!({"tool": "list_bookings", "arguments": {}});
    let shown = client.ask(&json!({"step": {"episode": "e1", "message": {"calls": [call]}}}));
    assert!(shown["heard"]["observations"][0].is_object() || shown["heard"]["observations"][0].is_array(), "{shown}");
    let ended = client.ask(&json!({"end": {"episode": "e1"}}));
    assert_eq!(
        (&ended["done"], &client.ask(&json!({"score": {"episode": "e1"}}))["reward"]),
        (&json!(true), &Value::Null)
    );
    client.leave();
    let wrong = binary().args(["--root", root().to_str().unwrap(), "serve", "--jsonl", "no/where"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2), "{}{}", out(&wrong), err(&wrong));
    drop(succeeded(binary().args(["serve", "--help"]).output().unwrap()));
}

/// What is wrong with a request.
fn asked_of_behaviour(request: &Value) -> Value {
    let benchmark = opened("behaviour");
    let offer = Offer::new(benchmark.as_ref(), Services::default(), "client");
    asked(&offer, std::slice::from_ref(request))[0]["error"].clone()
}

#[test]
fn a_model_is_no_user_here_and_why_is_told() {
    let is_told = |said: &str| {
        let words =
            ["asks a model", "the same moves have the same digest", "`scripted`, `contract`", "--user-model MODEL"];
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    for user in ["openai:gpt-x", "model", "model:x"] {
        is_told(&asked_of_behaviour(&json!({"open": {"task": TASK, "user": user}})).to_string());
    }
    is_told(&Client::refused(&["--mcp", "late_move", "--user", "openai:gpt-x"]));
    let option = asked_of_behaviour(&json!({"open": {"task": TASK, "options": {"x": "y"}}}));
    assert!(option["help"].as_str().unwrap().starts_with("the field is `options`; "), "{option}");
}
