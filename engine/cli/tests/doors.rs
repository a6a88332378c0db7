//! The doors: the same moves have one digest whichever way they come in, and a client harms itself alone;
//! `cases/sessions/serve*.sh` have what is answered.

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

use crate::support::{is_all, sampled_root};

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
