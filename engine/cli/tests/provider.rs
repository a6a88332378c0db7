//! Agents behind a model, against the mock in every mode: what is the agent's fault, and what is its provider's.

use std::path::PathBuf;

use probity_local::mock::mode::{Expected, MODES};
use serde_json::Value;

use crate::support::mock::{Mock, mode};
use crate::support::{
    code, contents, err, out, probity, records, root, sampled, sampled_root, scratch, skipped, sr, succeeded, text,
};

fn end(record: &Value) -> &str {
    record["trace"]["events"].as_array().unwrap().last().unwrap()["reason"].as_str().unwrap()
}

/// Two task instances of one task in each mode.
const FEW: [&str; 8] = ["--variant", "ideal", "--variant", "goal_switching", "--limit", "4", "--jobs", "4"];

#[test]
fn every_mode_ends_with_the_right_one_to_blame() {
    let folder = scratch("provider-modes");
    for mode in &MODES {
        let mock = Mock::start(mode);
        let directory = folder.join(mode.name);
        let output = mock.run(&directory, &FEW);
        let said = err(&output);
        let records = records(&directory);
        assert_eq!(records.len(), 4, "{}: {said}", mode.name);
        let ends: Vec<(&str, &str)> = records.iter().map(|record| (end(record), sr(record))).collect();
        let is_as_expected = |(end, sr): &(&str, &str)| match mode.expected {
            Expected::Works | Expected::Stumbles => *end == "completed" && *sr == "pass",
            Expected::Fails => *end != "provider_unreachable" && *sr == "fail",
            Expected::Unreachable => *end == "provider_unreachable" && *sr == "not_scored",
        };
        assert!(ends.iter().all(is_as_expected), "{}: {ends:?} {said}", mode.name);
        let stumbles =
            records.iter().filter(|record| record["trace"]["events"].to_string().contains("\"rejected\"")).count();
        assert_eq!(stumbles, if mode.expected == Expected::Stumbles { 4 } else { 0 }, "{}", mode.name);
        let expected = if mode.expected == Expected::Unreachable { 3 } else { 0 };
        assert_eq!(code(&output), expected, "{}: {said}", mode.name);
    }
}

#[test]
fn the_whole_suite_runs_offline_from_its_cassette() {
    let folder = scratch("provider-cassette");
    let (live, again) = (folder.join("live"), folder.join("again"));
    let mock = Mock::start(mode("rate_limited"));
    succeeded(mock.run(&live, &["--as", "model", "--jobs", "2"]));
    drop(mock);
    let cassette = live.join("cassette.jsonl");
    let arguments = ["run", "--out", again.to_str().unwrap(), "--agent", "openai:mock", "--as", "model", "--cassette"];
    succeeded(probity(&[&arguments[..], &[cassette.to_str().unwrap(), "--jobs", "1"]].concat()));
    assert_eq!(text(&live, "episodes.jsonl"), text(&again, "episodes.jsonl"));
    assert_eq!(text(&live, "report.json"), text(&again, "report.json"));
    let records = records(&again);
    assert!(records.len() >= 112 && records.iter().all(|record| sr(record) == "pass"));
    assert!(records.iter().all(|record| record["usage"]["retries"].as_u64().unwrap() > 0));
    // Another option is another request: the cassette does not answer it.
    let other = folder.join("other");
    let arguments = ["run", "--out", other.to_str().unwrap(), "--agent", "openai:other", "--as", "model", "--cassette"];
    let output = probity(&[&arguments[..], &[cassette.to_str().unwrap(), "--limit", "1"]].concat());
    assert_eq!(code(&output), 3);
    assert!(text(&other, "episodes.jsonl").contains("recorded with another prompt, task, model or option"));
    assert_eq!(code(&probity(&["replay", again.to_str().unwrap()])), 0);
}

#[test]
fn the_example_workflow_runs_offline() {
    let folder = scratch("provider-workflow");
    let mock = Mock::start(mode("plain"));
    std::fs::create_dir_all(folder.join("gate")).unwrap();
    let base = folder.join("gate/base");
    assert_eq!(code(&mock.run(&base, &["--as", "agent"])), 0);
    drop(mock);
    std::fs::copy(base.join("cassette.jsonl"), folder.join("gate/cassette.jsonl")).unwrap();
    std::fs::create_dir_all(folder.join("docs")).unwrap();
    std::fs::copy(root().join("docs/gate.toml"), folder.join("docs/gate.toml")).unwrap();
    let workflow = contents(root().join("docs/gate.yml"));
    let commands: Vec<&str> = workflow.lines().filter_map(|line| line.trim().strip_prefix("run: ")).collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for command in commands {
        let program = format!("'{}' --root '{}' ", env!("CARGO_BIN_EXE_probity"), sampled_root().display());
        let line = command.replacen("probity ", &program, 1);
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(&folder)
            .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
            .output()
            .unwrap();
        let said = out(&output);
        assert!(output.status.success(), "{command}: {said}{}", err(&output));
    }
    assert!(contents(folder.join("summary.md")).contains("gate open"));
    // A standard parser reads the report of tests.
    let parse = "import sys, xml.etree.ElementTree as t; r = t.parse(sys.argv[1]).getroot(); print(r.tag, r.get('failures'), len(r.findall('.//testcase')))";
    let xml = folder.join("gate.xml");
    match std::process::Command::new("python3").args(["-c", parse, xml.to_str().unwrap()]).output() {
        Ok(output) => {
            let (said, played) = (out(&output), contents(folder.join("runs/new/episodes.jsonl")).lines().count());
            let cases = said.trim().strip_prefix("testsuites 0 ").and_then(|count| count.parse::<usize>().ok());
            assert!(cases.is_some_and(|cases| cases > played && played > 100), "{said}: {played} episodes");
        }
        Err(_) => skipped("python3, which reads the report of tests, is not here"),
    }
}

#[test]
fn models_without_tool_calls_write_blocks() {
    let folder = scratch("provider-prompt");
    let mock = Mock::start(mode("plain"));
    succeeded(
        mock.run(&folder.join("run"), &["--tool-mode", "prompt", "--variant", "ideal", "--variant", "goal_switching"]),
    );
    assert!(records(&folder.join("run")).iter().all(|record| sr(record) == "pass"));
}

#[test]
fn a_stopped_run_asks_only_for_what_is_missing() {
    let folder = scratch("provider-resume");
    let directory = folder.join("run");
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&mock.run(&directory, &["--variant", "ideal", "--jobs", "1"])), 0);
    let before = mock.count();
    let whole = text(&directory, "episodes.jsonl");
    let kept: Vec<&str> = whole.split_inclusive('\n').collect();
    let missing: u64 = kept[kept.len() - 2..]
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["usage"]["requests"].as_u64().unwrap())
        .sum();
    std::fs::write(directory.join("episodes.jsonl"), kept[..kept.len() - 2].concat()).unwrap();
    succeeded(probity(&["run", "--resume", directory.to_str().unwrap()]));
    assert_eq!(text(&directory, "episodes.jsonl"), whole);
    assert_eq!((mock.count() - before) as u64, missing);
}

#[test]
fn what_could_not_be_reached_is_played_again() {
    let folder = scratch("provider-unreached");
    let directory = folder.join("run");
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&mock.run(&directory, &FEW)), 0);
    let whole = text(&directory, "episodes.jsonl");
    // As if the provider had been away for one episode.
    let down = Mock::start(mode("down"));
    let lost = folder.join("lost");
    assert_eq!(code(&down.run(&lost, &FEW)), 3);
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    lines[1] = text(&lost, "episodes.jsonl").lines().nth(1).unwrap().to_owned();
    std::fs::write(directory.join("episodes.jsonl"), lines.join("\n") + "\n").unwrap();
    succeeded(probity(&["run", "--resume", directory.to_str().unwrap()]));
    assert_eq!(text(&directory, "episodes.jsonl"), whole);
}

#[test]
fn the_key_is_sent_and_nowhere_kept() {
    let folder = scratch("provider-key");
    let directory = folder.join("run");
    let mock = Mock::start(mode("echo_key"));
    let secret = "sk-very-secret-1234567890";
    let output = sampled()
        .args(["run", "--out", directory.to_str().unwrap()])
        .args([
            "--agent",
            "openai:mock",
            "--base-url",
            &mock.url,
            "--attempts",
            "1",
            "--limit",
            "2",
            "--api-key-env",
            "PROBITY_TEST_KEY",
        ])
        .env("PROBITY_TEST_KEY", secret)
        .output()
        .unwrap();
    assert_eq!(code(&output), 3);
    let mut all = vec![out(&output), err(&output)];
    let mut folders: Vec<PathBuf> = vec![directory.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { all.push(contents(path)) }
        }
    }
    assert!(all.iter().any(|text| text.contains("wrong key [key]")), "{all:?}");
    assert!(all.iter().all(|text| !text.contains(secret)));
}

/// What came in on a loopback port: the first line of the first request. It is answered by nothing.
fn first_line(listener: std::net::TcpListener) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stream), &mut line).unwrap();
        line
    })
}

#[test]
fn a_request_goes_through_the_named_proxy_and_no_other() {
    let folder = scratch("provider-proxy");
    let ask = |name: &str, variables: &[(&str, &str)], url: &str| {
        sampled()
            .args(["run", "--agent", "openai:x", "--limit", "1", "--base-url", url])
            .args(["--out", folder.join(name).to_str().unwrap(), "--attempts", "1", "--request-timeout", "5"])
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    };
    let bound = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = |listener: &std::net::TcpListener| format!("http://{}", listener.local_addr().unwrap());

    let proxy = bound();
    let variables = [("PROBITY_PROXY", url(&proxy))];
    let line = first_line(proxy);
    let output =
        ask("named", &variables.each_ref().map(|(name, url)| (*name, url.as_str())), "http://provider.invalid/v1");
    assert_eq!(code(&output), 3, "a proxy that says nothing is no provider");
    let line = line.join().unwrap();
    assert!(line.contains("provider.invalid"), "{line}");

    // What other programs are told is not for us: the provider is asked itself.
    let (other, provider) = (bound(), bound());
    let (at, base) = (url(&other), format!("{}/v1", url(&provider)));
    let line = first_line(provider);
    let variables = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map(|name| (name, at.as_str()));
    ask("ignored", &variables, &base);
    assert!(line.join().unwrap().starts_with("POST /v1/chat/completions"));
    other.set_nonblocking(true).unwrap();
    assert!(other.accept().is_err(), "nobody called there");
}
