//! Runs from the outside: reproducible, resumable, replayable, and honest about damage.

#![expect(clippy::unwrap_used, reason = "a helper of a test stops it like the test itself")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn probity(arguments: &[&str]) -> Output {
    let root = root();
    Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["--root", root.to_str().unwrap()])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn run(directory: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["run", "--out", directory.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

fn text(path: &Path, name: &str) -> String {
    fs::read_to_string(path.join(name)).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn results_do_not_depend_on_jobs() {
    let folder = scratch("jobs");
    let (one, two) = (folder.join("one"), folder.join("two"));
    assert_eq!(code(&run(&one, &["--jobs", "1"])), 0);
    assert_eq!(code(&run(&two, &["--jobs", "2"])), 0);
    assert_eq!(text(&one, "report.json"), text(&two, "report.json"));
    assert_eq!(text(&one, "episodes.jsonl"), text(&two, "episodes.jsonl"));
    assert_eq!(code(&probity(&["replay", one.to_str().unwrap()])), 0);
}

#[test]
fn a_killed_run_goes_on_and_ends_the_same() {
    let folder = scratch("resume");
    let (whole, torn) = (folder.join("whole"), folder.join("torn"));
    run(&whole, &["--agent", "oracle", "--agent", "noop"]);
    run(&torn, &["--agent", "oracle", "--agent", "noop"]);
    // What a kill leaves: some whole lines in any order, a torn last one, no report.
    let lines: Vec<String> = text(&torn, "episodes.jsonl").lines().rev().take(5).map(str::to_owned).collect();
    let cut = &lines[4][..lines[4].len() / 2];
    fs::write(torn.join("episodes.jsonl"), format!("{}\n{cut}", lines[..4].join("\n"))).unwrap();
    fs::remove_file(torn.join("report.json")).unwrap();
    let resumed = probity(&["run", "--resume", torn.to_str().unwrap()]);
    assert_eq!(code(&resumed), 0, "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(text(&whole, "report.json"), text(&torn, "report.json"));
    assert_eq!(text(&whole, "episodes.jsonl"), text(&torn, "episodes.jsonl"));
}

#[test]
fn a_changed_observation_is_named_with_episode_step_and_path() {
    let folder = scratch("tamper");
    let directory = folder.join("run");
    run(&directory, &["--agent", "oracle", "--variant", "ideal", "--limit", "1"]);
    let before = text(&directory, "episodes.jsonl");
    let record: serde_json::Value = serde_json::from_str(before.lines().next().unwrap()).unwrap();
    let events = record["trace"]["events"].as_array().unwrap();
    let index = events.iter().position(|event| event["type"] == "step").unwrap();
    let mut changed = record.clone();
    let observation = &mut changed["trace"]["events"][index]["outcome"]["observation"];
    let mut written = observation.to_string();
    let at = written.rfind(|c: char| c.is_ascii_lowercase()).unwrap();
    let other = if written.as_bytes()[at] == b'x' { "y" } else { "x" };
    written.replace_range(at..=at, other);
    *observation = serde_json::from_str(&written).unwrap_or_else(|_| serde_json::json!("x"));
    fs::write(directory.join("episodes.jsonl"), format!("{changed}\n")).unwrap();
    let output = probity(&["replay", directory.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code(&output), 1, "{said}");
    let task = record["trace"]["header"]["task"].as_str().unwrap();
    assert!(said.contains(&format!("oracle {task} ideal #0")), "{said}");
    assert!(said.contains("at step 1"), "{said}");
    assert!(said.contains(&format!("/trace/events/{index}/outcome/observation")), "{said}");
}

#[test]
fn a_changed_input_and_a_damaged_line_are_refused() {
    let folder = scratch("damage");
    let directory = folder.join("run");
    run(&directory, &["--agent", "noop", "--limit", "2"]);
    let episodes = text(&directory, "episodes.jsonl");
    fs::write(directory.join("episodes.jsonl"), format!("{{nonsense\n{episodes}")).unwrap();
    let output = probity(&["replay", directory.to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1 of episodes.jsonl"));
    let input = fs::read_dir(directory.join("inputs")).unwrap().next().unwrap().unwrap().path();
    fs::write(&input, "changed").unwrap();
    let output = probity(&["replay", directory.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the file was changed"));
}

#[test]
fn bad_usage_is_told_with_help() {
    let folder = scratch("usage");
    let existing = run(&folder, &[]);
    assert_eq!(code(&existing), 2);
    assert!(String::from_utf8_lossy(&existing.stderr).contains("exists already"));
    let twice = run(&folder.join("a"), &["--agent", "noop", "--agent", "noop"]);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("two agents are called `noop`"));
    let unknown = run(&folder.join("b"), &["--agent", "genius"]);
    assert_eq!(code(&unknown), 2);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--list-agents"));
    let nothing = run(&folder.join("c"), &["--task", "no_such_task"]);
    assert_eq!(code(&nothing), 2);
    assert_eq!(code(&probity(&["fly"])), 2);
}

/// An agent that hangs, floods, dies or talks nonsense fails its episode and nothing else.
#[test]
fn hostile_agents_fail_their_episode() {
    let folder = scratch("hostile");
    let cases = [
        ("dies", "exit 3", "it exited"),
        ("hangs", "sleep 60", "no answer within 1 second"),
        ("nonsense", "while read line; do echo 'hello'; done", "its answer is not"),
        ("floods", "yes '{\"calls\": [' | tr -d '\\n'", "a line longer than"),
        ("empty", "while read line; do echo '{}'; done", "an empty message"),
        ("missing", "no-such-program-anywhere", "it exited"),
    ];
    for (name, command, expected) in cases {
        let directory = folder.join(name);
        let agent = format!("exec:{command}");
        let more = ["--agent", &agent, "--as", name, "--limit", "1", "--agent-timeout", "1"];
        let output = run(&directory, &more);
        assert_eq!(code(&output), 0, "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let record: serde_json::Value = serde_json::from_str(text(&directory, "episodes.jsonl").trim()).unwrap();
        let end = record["trace"]["events"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(end["reason"], "agent_failed", "{name}: {end}");
        assert!(end["detail"].as_str().unwrap().contains(expected), "{name}: {end}");
        assert_eq!(record["scores"]["success"]["sr"]["status"], "fail");
        assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0, "{name}");
    }
}
