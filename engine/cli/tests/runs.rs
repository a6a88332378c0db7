//! Runs from the outside: reproducible, resumable, replayable, and honest about damage; `cases/sessions/runs.sh` has the
//! rest of it.

use std::fs;
use std::process::Command;

use crate::support::{binary, code, err, json, probity, run, sampled_root, scratch, tells, text};

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
fn a_run_of_more_than_one_command_plays_is_refused() {
    let folder = scratch("bounds");
    let directory = folder.join("run");
    run(&directory, &["--agent", "noop", "--limit", "1"]);
    let config = text(&directory, "run.json");
    let many = config.replace("\"trials\": 1,", "\"trials\": 10000,").replace("\"limit\": 1", "\"limit\": null");
    let agents: Vec<String> =
        (0..2000).map(|number| format!("{{ \"name\": \"noop {number}\", \"agent\": \"noop\" }}")).collect();
    let start = many.find("\"agents\": [").unwrap() + "\"agents\": [".len();
    let end = start + many[start..].find(']').unwrap();
    // A run in parts may have more units than one command plays, or names where they are missing.
    let cases = [
        (2000, "replay", "episodes is the most"),
        (20, "replay", "are missing, and 1000000 are named"),
        (20, "report", "are missing, and 1000000 are named"),
        (20, "run --resume", "and one command plays 1000000"),
    ];
    for (count, command, what) in cases {
        let text = format!("{}{}{}", &many[..start], agents[..count].join(","), &many[end..]);
        fs::write(directory.join("run.json"), text).unwrap();
        let words: Vec<&str> = command.split(' ').chain([directory.to_str().unwrap()]).collect();
        tells(probity(&words), 2, err, &[what]);
    }
}

#[test]
fn two_processes_do_not_write_to_one_run() {
    let folder = scratch("lock");
    let directory = folder.join("run");
    run(&directory, &["--agent", "noop", "--limit", "1"]);
    let held = fs::File::open(directory.join("run.json")).unwrap();
    held.lock().unwrap();
    tells(
        probity(&["run", "--resume", directory.to_str().unwrap()]),
        2,
        err,
        &["another `probity run`, `probity judge` or `probity merge` is writing to"],
    );
    drop(held);
    assert_eq!(code(&probity(&["run", "--resume", directory.to_str().unwrap()])), 0);
}

/// A full disk, as a limit on the size of files: what was written before stays whole, and the run goes on later.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_lines() {
    let folder = scratch("full");
    let directory = folder.join("run");
    let within = |blocks: u32| {
        Command::new("sh")
            .args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_probity")])
            .args(["--root", sampled_root().to_str().unwrap(), "run", "--out", directory.to_str().unwrap()])
            .args(["--agent", "oracle", "--agent", "noop", "--jobs", "2"])
            .output()
            .unwrap()
    };
    // Not even the inputs fit: the run has not begun, and can be begun again in the same place.
    tells(within(8), 2, err, &["help: "]);
    assert!(!directory.join("run.json").exists());
    tells(
        probity(&["run", "--resume", directory.to_str().unwrap()]),
        2,
        err,
        &["start it again with the same `--out`"],
    );
    let output = within(600);
    assert_eq!(code(&output), 2, "{}", err(&output));
    let left = text(&directory, "episodes.jsonl");
    assert!(left.ends_with('\n') && left.lines().count() > 1, "{} lines", left.lines().count());
    assert!(left.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(code(&probity(&["run", "--resume", directory.to_str().unwrap()])), 0);
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
}

#[test]
fn every_command_honours_json() {
    let folder = scratch("json");
    let tasks = json(&probity(&["show", "--json"]));
    let task = tasks["tasks"][0].as_str().unwrap();
    let prompt = json(&probity(&["show", task, "--prompt", "--json"]));
    assert!(prompt["tools"].is_array() && prompt["system"].is_string(), "{prompt}");
    let made =
        binary().args(["--root", folder.to_str().unwrap(), "new", "env", "shop/counter", "--json"]).output().unwrap();
    let made = json(&made);
    assert!(made["wrote"].as_array().unwrap().len() > 1, "{made}");
}
