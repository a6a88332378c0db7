//! The tau2 suite: a package made of another benchmark's data, played, and its verdicts beside ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{cases, contents, copy, outside, peers, probity, said, scratch, succeeded, tells};
use probity::cli::exit::Exit;
use serde_json::Value;

fn import(data: &Path, package: &Path, more: &[&str]) -> Output {
    let start = ["import", "tau2", "--data", data.to_str().unwrap(), "--out", package.to_str().unwrap()];
    peers(&start.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
}

/// The reward and ours, by agent and task.
type Verdicts<'r> = BTreeMap<(&'r str, &'r str), (Option<f64>, Option<f64>)>;

/// The records of a run of some agents on a package.
fn records(package: &Path, to: &Path, agents: &[&str], more: &[&str]) -> Vec<Value> {
    let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
    let start = ["run", "--suite", "tau2", "--out", to.to_str().unwrap()];
    let arguments: Vec<&str> = start.into_iter().chain(agents).chain(more.iter().copied()).collect();
    assert_eq!(probity(package, &arguments), Exit::Clean);
    contents(to.join("episodes.jsonl")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn task(record: &Value) -> &str {
    record["trace"]["header"]["task"].as_str().unwrap()
}

fn value(record: &Value, metric: &str) -> Option<f64> {
    record["scores"]["metrics"][metric]["value"].as_f64()
}

fn of<'r>(records: &'r [Value], agent: &'r str) -> impl Iterator<Item = &'r Value> {
    records.iter().filter(move |record| record["agent"] == agent)
}

#[test]
fn a_handful_of_tasks_is_imported_played_and_replayed() {
    let folder = scratch("tau2-handful");
    let package = folder.join("package");
    tells(import(&cases("tau2"), &package, &["--world", "retail"]), 0, said, &["retail: 3 tasks"]);
    fs::write(package.join("tau2/NOTICE.md"), "Mine.\n").unwrap();
    tells(import(&cases("tau2"), &package, &["--world", "retail"]), 2, said, &["exists already, with another text"]);
    let agents = ["oracle", "fault:does_nothing", "fault:skips_last_write"];
    let run = folder.join("run");
    let records = records(&package, &run, &agents, &["--set", "compat=off"]);
    let found: Verdicts = records
        .iter()
        .map(|record| {
            ((record["agent"].as_str().unwrap(), task(record)), (value(record, "reward"), value(record, "sr")))
        })
        .collect();
    let nothing = "fault:does_nothing";
    assert_eq!(found[&("oracle", "retail/0")], (Some(1.0), Some(1.0)));
    assert_eq!(found[&("oracle", "retail/1")], (Some(1.0), Some(1.0)));
    assert_eq!(found[&("oracle", "retail/2")], (None, Some(1.0)), "a judge is needed");
    assert_eq!(found[&(nothing, "retail/0")], (Some(0.0), Some(0.0)));
    assert_eq!(found[&(nothing, "retail/1")], (Some(1.0), Some(0.0)), "what inaction passes");
    assert_eq!(found[&("fault:skips_last_write", "retail/2")], (Some(0.0), Some(0.0)));
    assert_eq!(records.len(), 8, "a task without a write has none to skip");
    assert_eq!(probity(&package, &["replay", run.to_str().unwrap()]), Exit::Clean);
}

#[test]
fn what_is_wrong_with_data_is_told_with_its_task() {
    let folder = scratch("tau2-wrong");
    let data = folder.join("data");
    copy(&cases("tau2"), &data);
    let tasks = data.join("retail/tasks.json");
    let written = contents(&tasks);
    let wrong = written.replacen("\"find_user_id_by_email\"", "\"find_user_by_email\"", 1);
    let wrong = wrong.replacen("\"order_id\": \"#W1\"", "\"order\": \"#W1\"", 1);
    fs::write(&tasks, wrong.replace("\"id\": \"2\",", "\"id\": \"2\", \"mood\": 1,")).unwrap();
    let output = import(&data, &folder.join("package"), &["--world", "retail"]);
    let parts = [
        "task `0`: the agent has no tool `find_user_by_email`",
        "unknown key `order`",
        "task `2`: unknown field `mood`",
    ];
    tells(output, 2, said, &parts);
    assert!(!folder.join("package").exists(), "nothing is written");
    fs::write(&tasks, "[]").unwrap();
    tells(import(&data, &folder.join("package"), &["--world", "retail"]), 2, said, &["there is no task in it"]);
    fs::write(&tasks, written.replace("\"id\": \"1\"", "\"id\": \"0\"")).unwrap();
    let twice = "there is another task `0` before it";
    tells(import(&data, &folder.join("package"), &["--world", "retail"]), 2, said, &[twice]);
    fs::write(&tasks, &written).unwrap();
    for (splits, told) in [
        (r#"{"train": ["0", "1"], "test": ["1"]}"#, "task `1` is in `train` already"),
        (r#"{"train": ["0"], "test": ["99"]}"#, "there is no task `99`"),
    ] {
        fs::write(data.join("retail/split_tasks.json"), splits).unwrap();
        let output = import(&data, &folder.join("package"), &["--world", "retail"]);
        tells(output, 2, said, &[told, "split_tasks.json:1:"]);
    }
    tells(
        import(&cases("tau2"), &folder.join("package"), &["--world", "telecom"]),
        2,
        said,
        &["initial_telecom_user.canonical.json"],
    );
}

/// All base tasks of tau2-bench, where its data are: its own evaluator gives every oracle its reward.
#[test]
fn the_peers_tasks_come_out_as_its_own_evaluator_says() {
    let Some(data) = outside("shared/peers/tau2/data") else { return };
    let folder = scratch("tau2-peer");
    let package = folder.join("package");
    succeeded(import(&data, &package, &[]));
    let records = records(&package, &folder.join("run"), &["oracle", "fault:does_nothing"], &[]);
    assert_eq!(of(&records, "oracle").count(), 114 + 50 + 114 + 114, "telecom in both modes");
    for record in of(&records, "oracle") {
        let has_judge = task(record).starts_with("retail/") && value(record, "reward").is_none();
        assert!(has_judge || value(record, "reward") == Some(1.0), "{}", task(record));
        for metric in ["sr", "db", "env", "action", "communicate"] {
            assert!(value(record, metric).is_none_or(|value| value == 1.0), "{}: {metric}", task(record));
        }
        assert_eq!(value(record, "db"), Some(1.0), "{}", task(record));
    }
    let counted = |agent: &str, world: &str, is: fn(&Value) -> bool| {
        of(&records, agent).filter(|record| task(record).starts_with(world) && is(record)).count()
    };
    assert_eq!(counted("oracle", "retail/", |record| value(record, "reward").is_none()), 40);
    let passed: fn(&Value) -> bool = |record| value(record, "reward") == Some(1.0);
    let nothing = "fault:does_nothing";
    let counts = ["airline/", "retail/", "telecom/"].map(|world| counted(nothing, world, passed));
    assert_eq!(counts, [23, 6, 0], "what inaction passes there");
    assert_eq!(counted(nothing, "", |record| value(record, "sr") == Some(1.0)), 0, "and here");
}
