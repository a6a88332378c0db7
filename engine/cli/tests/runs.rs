//! Runs from the outside: reproducible, resumable, replayable, and honest about damage.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{binary, code, err, json, out, probity, run, sampled_root, scratch, succeeded, tells, text};

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
    succeeded(probity(&["run", "--resume", torn.to_str().unwrap()]));
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
    let said = out(&output);
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
    tells(probity(&["replay", directory.to_str().unwrap()]), 1, err, &["line 1 of episodes.jsonl"]);
    let input = fs::read_dir(directory.join("inputs")).unwrap().next().unwrap().unwrap().path();
    fs::write(&input, "changed").unwrap();
    tells(probity(&["replay", directory.to_str().unwrap()]), 2, err, &["the file was changed"]);
}

#[test]
fn missing_and_doubled_episodes_are_told() {
    let folder = scratch("gaps");
    let directory = folder.join("run");
    let path = directory.to_str().unwrap();
    run(&directory, &["--agent", "oracle", "--agent", "fault:wrong_value", "--limit", "4"]);
    assert_eq!(code(&probity(&["replay", path])), 0);
    let whole = text(&directory, "episodes.jsonl");
    let (first, rest) = whole.split_once('\n').unwrap();
    let name: serde_json::Value = serde_json::from_str(first).unwrap();
    let header = &name["trace"]["header"];
    let unit = format!(
        "fault:wrong_value {} {} #0",
        header["task"].as_str().unwrap(),
        header["levels"]["variant"].as_str().unwrap()
    );

    fs::write(directory.join("episodes.jsonl"), rest).unwrap();
    let output = probity(&["replay", path]);
    let said = out(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains(&format!("replay of `{unit}` diverged, /trace: it has no record")), "{said}");
    assert!(said.contains("replay of `report.json` diverged, /digest"), "{said}");

    fs::write(directory.join("episodes.jsonl"), format!("{first}\n{whole}")).unwrap();
    let output = probity(&["replay", path]);
    let said = out(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains(&format!("replay of `{unit}` diverged, /trace: it has more than one record")), "{said}");
    tells(probity(&["show", path]), 1, err, &[&format!("1 episode recorded more than once, first: {unit}")]);

    fs::write(directory.join("episodes.jsonl"), &whole).unwrap();
    let report = text(&directory, "report.json");
    fs::write(directory.join("report.json"), report.replacen("\"value\": 1.0", "\"value\": 0.9", 1)).unwrap();
    let output = probity(&["replay", path]);
    let said = out(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("replay of `report.json` diverged, /agents/"), "{said}");

    // Nobody judged this run.
    fs::write(directory.join("report.json"), report.replacen('{', "{\"judged\": {},", 1)).unwrap();
    tells(probity(&["replay", path]), 1, out, &["replay of `report.json` diverged, /judged"]);

    fs::write(directory.join("episodes.jsonl"), rest).unwrap();
    fs::remove_file(directory.join("report.json")).unwrap();
    let (episodes, expected) = (rest.lines().count(), whole.lines().count());
    let go_on = format!("{episodes} of {expected} episodes; go on with `probity run --resume {path}`");
    for (command, exit) in [("replay", 1), ("score", 0), ("report", 0)] {
        let output = probity(&[command, path]);
        let said = err(&output);
        assert!(said.contains(&go_on), "{command}: {said}");
        assert_eq!(code(&output), exit, "{command}");
    }
}

#[test]
fn a_hostile_run_file_is_refused() {
    let folder = scratch("bounds");
    let directory = folder.join("run");
    run(&directory, &["--agent", "noop", "--limit", "1"]);
    let config = text(&directory, "run.json");
    for (from, to) in
        [("\"trials\": 1,", "\"trials\": 4294967295,"), ("\"seed\": 0,", "\"seed\": 18446744073709551615,")]
    {
        fs::write(directory.join("run.json"), config.replace(from, to)).unwrap();
        for command in ["show", "score", "replay", "report"] {
            let output = probity(&[command, directory.to_str().unwrap()]);
            assert_eq!(code(&output), 2, "{command}");
            assert!(err(&output).contains("not from "), "{command}");
        }
    }
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
    let output = within(8);
    let told = err(&output);
    assert!(code(&output) == 2 && told.contains("help: "), "{told}");
    assert!(!directory.join("run.json").exists());
    let resumed = probity(&["run", "--resume", directory.to_str().unwrap()]);
    let told = err(&resumed);
    assert!(code(&resumed) == 2 && told.contains("start it again with the same `--out`"), "{told}");
    let output = within(600);
    assert_eq!(code(&output), 2, "{}", err(&output));
    let left = text(&directory, "episodes.jsonl");
    assert!(left.ends_with('\n') && left.lines().count() > 1, "{} lines", left.lines().count());
    assert!(left.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(code(&probity(&["run", "--resume", directory.to_str().unwrap()])), 0);
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
}

/// What is no leftover of ours is never taken for one.
#[test]
fn a_folder_of_somebody_else_is_not_begun_in() {
    let folder = scratch("unbegun");
    fs::create_dir_all(folder.join("run/inputs")).unwrap();
    fs::write(folder.join("run/inputs/thesis.txt"), "mine").unwrap();
    tells(run(&folder.join("run"), &["--agent", "noop", "--limit", "1"]), 2, err, &["exists already"]);
    fs::remove_file(folder.join("run/inputs/thesis.txt")).unwrap();
    fs::write(folder.join("run/inputs").join("a".repeat(64)), "ours").unwrap();
    assert_eq!(code(&run(&folder.join("run"), &["--agent", "noop", "--limit", "1"])), 0);
    assert_eq!(code(&probity(&["replay", folder.join("run").to_str().unwrap()])), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn lost_results_are_an_error() {
    let folder = scratch("lost");
    let directory = folder.join("run");
    run(&directory, &["--agent", "noop", "--limit", "1"]);
    let path = directory.to_str().unwrap();
    for arguments in [&["score", path, "--json"][..], &["show", path], &["check"], &["--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = binary();
        command.args(arguments).args(["--root", sampled_root().to_str().unwrap()]).stdout(full);
        let output = command.output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(err(&output).contains("cannot write to standard output"), "{arguments:?}");
    }
}

#[test]
fn recorded_agents_are_named_and_kept() {
    let folder = scratch("recorded");
    let (source, again) = (folder.join("source"), folder.join("again"));
    let limit = ["--variant", "ideal", "--limit", "2"];
    run(&source, &[&["--agent", "oracle", "--agent", "noop"], &limit[..]].concat());
    let replay = |agent: &str, to: &Path, more: &[&str]| {
        run(to, &[&["--agent", agent, "--as", "again"], &limit[..], more].concat())
    };
    let path = source.to_str().unwrap();
    let both = replay(&format!("replay:{path}"), &folder.join("a"), &[]);
    assert_eq!(code(&both), 2);
    assert!(err(&both).contains(&format!("`replay:{path}#noop` or `replay:{path}#oracle`")), "{}", err(&both));
    let slip = replay(&format!("replay:{path}#orcale"), &folder.join("b"), &[]);
    assert!(code(&slip) == 2 && err(&slip).contains("did you mean `oracle`?"), "{}", err(&slip));
    let nothing = replay(&format!("replay:{path}#oracle"), &folder.join("c"), &["--seed", "5"]);
    assert!(code(&nothing) == 2 && err(&nothing).contains("has nothing to say again"), "{}", err(&nothing));
    assert!(!folder.join("c").exists());
    assert_eq!(code(&replay(&format!("replay:{path}#oracle"), &again, &[])), 0);
    // The recorded episodes are among the inputs: the source is no longer needed.
    let whole = text(&again, "episodes.jsonl");
    fs::remove_dir_all(&source).unwrap();
    fs::write(again.join("episodes.jsonl"), "").unwrap();
    assert_eq!(code(&probity(&["run", "--resume", again.to_str().unwrap()])), 0);
    assert_eq!(text(&again, "episodes.jsonl"), whole);
    assert_eq!(code(&probity(&["replay", again.to_str().unwrap()])), 0);
}

#[test]
fn bad_usage_is_told_with_help() {
    let folder = scratch("usage");
    fs::write(folder.join("notes"), "not a run").unwrap();
    let existing = run(&folder, &[]);
    assert_eq!(code(&existing), 2);
    assert!(err(&existing).contains("exists already"));
    let twice = run(&folder.join("a"), &["--agent", "noop", "--agent", "noop"]);
    assert!(err(&twice).contains("two agents are called `noop`"));
    let unknown = run(&folder.join("b"), &["--agent", "genius"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("--list-agents"));
    let nothing = run(&folder.join("c"), &["--task", "no_such_task"]);
    assert_eq!(code(&nothing), 2);
    let tasks = json(&probity(&["show", "--json"]));
    let task = tasks["tasks"][0].as_str().unwrap();
    let slip = format!("{}x", tasks["tasks"][1].as_str().unwrap());
    let half = run(&folder.join("d"), &["--task", task, "--task", &slip]);
    let said = err(&half);
    assert!(code(&half) == 2 && said.contains("matches no task") && said.contains("did you mean"), "{said}");
    for flag in ["--trials", "--seed", "--max-messages", "--agent-timeout"] {
        let output = probity(&["run", "--resume", folder.to_str().unwrap(), flag, "3"]);
        assert!(err(&output).contains("cannot be used with"), "{flag}");
    }
    assert_eq!(code(&probity(&["fly"])), 2);
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
