//! Agents in a process from the outside: whatever they do, the run ends and its record can be read.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{binary, code, contents, err, out, probity, real_root, run, sampled, scratch, text};

/// A signal reaches a run whose agent is silent, and what it cut short is played again.
#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_with_a_silent_agent() {
    let folder = scratch("signal");
    for signal in ["INT", "TERM"] {
        let directory = folder.join(signal);
        let marker = folder.join(format!("{signal}.pid"));
        let agent = format!("exec:echo $$ > {}; exec sleep 100", marker.display());
        let child = sampled()
            .args(["run", "--out", directory.to_str().unwrap()])
            .args(["--agent", &agent, "--as", "silent", "--limit", "1", "--isolate", "never"])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until(&|| fs::read_to_string(&marker).is_ok_and(|pid| pid.ends_with('\n')));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let start = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed().as_secs() < 60, "{signal}: {:?}", start.elapsed());
        assert_eq!(code(&output), 130, "{signal}");
        assert_eq!(text(&directory, "episodes.jsonl"), "", "{signal}");
        let is_gone = format!("! kill -0 {}", contents(&marker).trim());
        assert!(Command::new("sh").args(["-c", &is_gone]).status().unwrap().success(), "{signal}");
    }
}

/// From its first moment on a signal ends the program as interrupted, whatever it does.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_is_heard_before_the_run_has_begun() {
    for command in [&["run", "--out", "never"][..], &["check", "--all"]] {
        let folder = scratch("early");
        let mut child = binary()
            .args(["--root", &real_root()])
            .args(command)
            .current_dir(&folder)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        // The 15th bit of the signals it catches is SIGTERM.
        let catches = |line: &str| {
            let mask = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask & (1 << 14) != 0)
        };
        wait_until(&|| fs::read_to_string(&status).is_ok_and(|text| text.lines().any(catches)));
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command:?}");
    }
}

/// Where nothing stands in its way an agent may rename its folder; it is gone all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_an_agent_renamed_is_gone_afterwards() {
    let folder = scratch("renamed");
    let done = "{\"text\": \"Done.\"}";
    for (name, said, end) in [("ends", done, "read end"), ("fails", "Done.", "read end"), ("dies", done, "exit 3")] {
        let moved = folder.join(format!("{name}-moved"));
        let agent = format!(
            "exec:echo mine >note; mv \"$HOME\" {0}; mkdir \"$HOME\"; echo mine >\"$HOME/note\"; read start; read user; test -e {0}/note && echo '{said}'; {end}",
            moved.display()
        );
        let directory = folder.join(name);
        let output = run(&directory, &["--agent", &agent, "--as", "mover", "--limit", "1", "--isolate", "never"]);
        assert!([0, 3].contains(&code(&output)), "{}", err(&output));
        assert!(text(&directory, "episodes.jsonl").contains("Done."), "{name}");
        assert!(!moved.exists(), "{name}");
    }
}

fn wait_until(is_so: &dyn Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("waited too long");
}

#[test]
fn standard_error_of_a_failed_agent_is_kept_within_limits() {
    let folder = scratch("stderr");
    let directory = folder.join("run");
    let agent = "exec:yes 'noise' | head -c 300000 >&2; printf 'the \\033[31mcause\\n' >&2; exit 3";
    let output = run(&directory, &["--agent", agent, "--as", "dies", "--limit", "1"]);
    assert_eq!(code(&output), 3, "it never started");
    assert!(!err(&output).contains("noise"));
    let record: serde_json::Value = serde_json::from_str(text(&directory, "episodes.jsonl").trim()).unwrap();
    let errors = record["agent_errors"].as_str().unwrap();
    assert!(errors.ends_with("noise\nthe  [31mcause") && errors.lines().count() == 20, "{errors}");
    assert!(record["trace"].to_string().find("cause").is_none());
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
    let shown = probity(&["show", directory.to_str().unwrap()]);
    assert!(out(&shown).contains("stderr: the  [31mcause"));
}

/// Hears the first words and reads nothing more: it looks how much it was told, and calls whenever that has grown, until
/// the pipe takes no more.
const DEAF: &str = include_str!("cases/agents/deaf.py");

/// An agent that hangs, floods, dies or talks nonsense fails its episode and nothing else.
#[test]
fn hostile_agents_fail_their_episode() {
    let folder = scratch("hostile");
    let answers = |answer: &str| {
        format!(
            "import json, sys\ndeep = 1\nfor i in range(120): deep = [deep]\nsys.stdin.readline()\nfor line in sys.stdin: print(json.dumps({answer}), flush=True)"
        )
    };
    let python = |program: &str| {
        let file = folder.join(format!("{}.py", fs::read_dir(&folder).unwrap().count()));
        fs::write(&file, program).unwrap();
        format!("exec python3 {}", file.display())
    };
    let cases: [(&str, &str, &str); 13] = [
        ("dies", "exit 3", "it exited with status 3"),
        ("hangs", "sleep 60", "no answer within 1 second"),
        ("nonsense", "read start; while read line; do echo 'hello'; done", "its answer is not `"),
        ("babbles", "yes '{\"text\": \"No.\"}'", "before it was asked"),
        (
            "hasty",
            "read start; read user; printf '{\"text\": \"No.\"}\\n{\"text\": \"No.\"}\\n'; sleep 9",
            "before it was asked",
        ),
        ("floods", "yes '{\"calls\": [' | tr -d '\\n'", "a line longer than"),
        ("empty", "read start; while read line; do echo '{}'; done", "an empty message"),
        (
            "long_episode",
            &python(&answers("{'calls': [{'tool': 't', 'arguments': 'x' * 500000}]}")),
            "the episode is longer than",
        ),
        ("missing", "no-such-program-anywhere", "it exited with status 127: there is no such command"),
        ("deaf", &python(DEAF), "it did not read what it was told within 1 second"),
        (
            "deep",
            &python(&answers("{'calls': [{'tool': 't', 'arguments': deep}]}")),
            "arguments nested more than 64 deep",
        ),
        (
            "long_name",
            &python(&answers("{'calls': [{'tool': 'x' * 1000, 'arguments': {}}]}")),
            "a tool's name longer than",
        ),
        (
            "long_message",
            &python(&answers("{'calls': [{'tool': 't', 'arguments': 'x' * 600000}]}")),
            "a message longer than",
        ),
    ];
    for (name, command, expected) in cases {
        let directory = folder.join(name);
        let agent = format!("exec:{command}");
        let more = ["--agent", &agent, "--as", name, "--limit", "1", "--agent-timeout", "1", "--max-messages", "60"];
        let output = run(&directory, &more);
        // Who is not there or dies at once was never started, and nothing of it is scored.
        let exit = if ["dies", "missing"].contains(&name) { 3 } else { 0 };
        assert_eq!(code(&output), exit, "{name}: {}", err(&output));
        let record: serde_json::Value = serde_json::from_str(text(&directory, "episodes.jsonl").trim()).unwrap();
        let end = record["trace"]["events"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(end["reason"], "agent_failed", "{name}: {end}");
        assert!(end["detail"].as_str().unwrap().contains(expected), "{name}: {end}");
        assert_eq!(record["scores"]["metrics"]["sr"]["value"], 0.0);
        assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0, "{name}");
    }
}
