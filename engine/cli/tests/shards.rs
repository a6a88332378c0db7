//! A run in parts: planned, played anywhere, killed and begun again, merged into what one process plays;
//! `cases/sessions/parts*.sh` type what needs no model and no clock.
//!
//! `PROBITY_ALL=1` plays 100,000 units in 64 shards, of which twenty are killed, and plans ten million.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use probity_bench::{EpisodeRecord, Event};
use serde_json::{Value, json};

use crate::support::mock::{Mock, mode};
use crate::support::{
    PROGRAM, binary, code, contents, copy, drawn, err, is_all, out, path, peak, probity, root, run, said, sampled,
    scratch, shell, skipped, succeeded, tells, text,
};

/// What a part is played on: one environment, two agents.
const FEW: [&str; 6] = ["--agent", "oracle", "--agent", "noop", "--env", "finance/bank"];

/// A plan of what these flags say.
fn planned(folder: &Path, flags: &[&str]) -> PathBuf {
    let plan = folder.join("plan.json");
    let _ = fs::remove_file(&plan);
    succeeded(probity(&[&["plan", "--out", path(&plan)], flags].concat()));
    plan
}

fn part(plan: &Path, share: [&str; 2], to: &Path) -> Output {
    binary().args(["run", "--plan", path(plan), "--out", path(to)]).args(share).output().unwrap()
}

/// The parts of so many shards, in a folder.
fn parts(plan: &Path, count: usize, folder: &Path) -> Vec<PathBuf> {
    let one = |index: usize| {
        let to = folder.join(format!("part-{index}"));
        succeeded(part(plan, ["--shard", &format!("{index}/{count}")], &to));
        to
    };
    (0..count).map(one).collect()
}

fn merge(plan: &Path, parts: &[PathBuf], to: &Path, more: &[&str]) -> Output {
    binary().args(["merge", "--plan", path(plan), "--out", path(to)]).args(parts).args(more).output().unwrap()
}

/// What a run leaves that says anything is another's too.
#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    for file in ["run.json", "episodes.jsonl", "report.json", "report.html"] {
        assert!(fs::read(one.join(file)).unwrap() == fs::read(other.join(file)).unwrap(), "{file}");
    }
    let inputs = |run: &Path| fs::read_dir(run.join("inputs")).unwrap().count();
    assert_eq!(inputs(one), inputs(other));
}

/// A part whose first record says something else, with the right digest.
fn another(part: &Path, to: &Path) -> String {
    copy(part, to);
    fs::remove_file(to.join("part.json")).unwrap();
    let lines = contents(to.join("episodes.jsonl"));
    let (first, rest) = lines.split_once('\n').unwrap();
    let mut record: EpisodeRecord = serde_json::from_str(first).unwrap();
    let reply = record.trace.events.iter_mut().find_map(|event| match event {
        Event::Reply { text, .. } => Some(text),
        _ => None,
    });
    *reply.unwrap() = "Something else.".into();
    record.digest = record.trace.digest();
    fs::write(to.join("episodes.jsonl"), format!("{}\n{rest}", json!(record))).unwrap();
    record.name()
}

#[test]
fn two_records_of_one_unit_are_shown_where_they_part() {
    let folder = scratch("shards-parting");
    let plan = planned(&folder, &[&FEW[..], &["--limit", "2"]].concat());
    let parts = parts(&plan, 2, &folder);
    let (other, to) = (folder.join("other"), folder.join("to"));
    let unit = another(&parts[0], &other);
    let all = [&parts[..], std::slice::from_ref(&other)].concat();
    for prefer in [&[][..], &["--prefer", "first"]] {
        let told = [
            unit.as_str(),
            "played twice and not alike",
            "/events/",
            "the second says \"Something else.\"",
            "built-in",
        ];
        tells(merge(&plan, &all, &to, prefer), 1, err, &told);
        assert!(!to.exists());
    }
    // What does not have its own digest is no record.
    let lines = contents(other.join("episodes.jsonl"));
    fs::write(other.join("episodes.jsonl"), lines.replacen("Something else.", "Something more.", 1)).unwrap();
    tells(merge(&plan, &all, &to, &[]), 0, err, &["line 1 of", "is not that of its trace"]);
}

/// Who asked how often and was answered, in the order of a cassette; the mock counts its calls, so that requests differ.
fn traffic(run: &Path) -> Vec<Value> {
    let asked = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        json!([entry["unit"], entry["number"], entry["answer"]["reply"]["status"]])
    };
    text(run, "cassette.jsonl").lines().map(asked).collect()
}

#[test]
fn of_models_the_first_is_kept_and_the_other_apart() {
    let folder = scratch("shards-models");
    let mock = Mock::start(mode("plain"));
    let (whole, plan) = (folder.join("whole"), folder.join("plan.json"));
    let few = ["--variant", "ideal", "--env", "finance/bank", "--limit", "4"];
    succeeded(mock.run(&whole, &few));
    let asked = ["--agent", "openai:mock", "--base-url", &mock.url];
    let patience = crate::support::mock::PATIENCE;
    succeeded(probity(&[&["plan", "--out", path(&plan)][..], &asked, &patience, &few].concat()));
    let parts = parts(&plan, 2, &folder);
    let merged = folder.join("merged");
    succeeded(merge(&plan, &parts, &merged, &[]));
    assert_same(&whole, &merged);
    assert_eq!(traffic(&whole), traffic(&merged));
    let (other, to) = (folder.join("other"), folder.join("to"));
    let unit = another(&parts[0], &other);
    // Only the traffic of what is kept is.
    let cassette = text(&other, "cassette.jsonl");
    fs::write(other.join("cassette.jsonl"), cassette.replace("\"status\":200", "\"status\":299")).unwrap();
    let all = [&parts[..], std::slice::from_ref(&other)].concat();
    tells(merge(&plan, &all, &to, &[]), 1, err, &[&unit, "`--prefer first` keeps"]);
    tells(merge(&plan, &all, &to, &["--prefer", "first"]), 0, err, &["1 record"]);
    assert_same(&whole, &to);
    assert_eq!(traffic(&whole), traffic(&to));
    assert_eq!(text(&to, "apart.jsonl"), text(&other, "episodes.jsonl").split_inclusive('\n').next().unwrap());
    drop(mock);
    // Nobody answers any more: the part says so, ends with 3 and has not ended.
    let late = folder.join("late");
    let output = tells(part(&plan, ["--shard", "0/2"], &late), 3, err, &["could not reach a provider"]);
    assert!(!late.join("part.json").exists(), "{}", said(&output));
    // What was not reached gives way to what was, wherever it stands.
    let last = folder.join("last");
    succeeded(merge(&plan, &[&[late], &parts[..]].concat(), &last, &[]));
    assert_same(&whole, &last);
}

/// One process that plays a shard, and when it is to be killed.
struct Playing {
    shard: usize,
    child: Child,
    killed_at: Option<Instant>,
}

/// Plays shards over some processes, so many of which are killed at moments that a seed draws; they are begun again.
fn play_and_kill(plan: &Path, folder: &Path, (shards, processes, kills): (usize, usize, u64)) {
    let start = |shard: usize| {
        let mut command = binary();
        command.args(["run", "--quiet", "--jobs", "1", "--plan", path(plan), "--shard", &format!("{shard}/{shards}")]);
        command.arg("--out").arg(folder.join(format!("part-{shard}")));
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    // How long a shard takes among the others is not known before.
    let begun = Instant::now();
    assert!(start(0).wait().unwrap().success());
    let took = begun.elapsed();
    let mut waiting: Vec<usize> = (1..shards).rev().collect();
    let (mut playing, mut planned, mut killed): (Vec<Playing>, u64, u64) = (Vec::new(), 0, 0);
    while !(waiting.is_empty() && playing.is_empty()) {
        while playing.len() < processes
            && let Some(shard) = waiting.pop()
        {
            let at = (killed + playing.iter().filter(|one| one.killed_at.is_some()).count() as u64) < kills;
            let at = at.then(|| Instant::now() + took.mul_f64(0.9 * drawn(planned)));
            planned += 1;
            playing.push(Playing { shard, child: start(shard), killed_at: at });
        }
        std::thread::sleep(Duration::from_millis(2));
        playing.retain_mut(|one| {
            if let Some(status) = one.child.try_wait().unwrap() {
                assert!(status.success(), "shard {}: {status}", one.shard);
                return false;
            }
            if one.killed_at.is_none_or(|at| Instant::now() < at) {
                return true;
            }
            one.child.kill().unwrap();
            killed += u64::from(!one.child.wait().unwrap().success());
            waiting.push(one.shard);
            false
        });
    }
    assert_eq!(killed, kills);
}

/// Seconds of a processor that ended children of this process have taken so far.
fn spent() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(") ").next().unwrap_or_default().split(' ').filter_map(|field| field.parse().ok()).collect();
    // Fields 16 and 17 of all; the name and the state are no numbers.
    fields.get(12..14).map_or(0.0, |times| times.iter().sum::<f64>() / 100.0)
}

#[test]
fn killed_shards_lose_nothing_and_double_nothing() {
    let folder = scratch("shards-killed");
    let (whole, merged) = (folder.join("whole"), folder.join("merged"));
    // Two agents on 16 tasks of seven variants; all of them take minutes.
    let (trials, sizes) = if is_all() { ("163", (64, 4, 20)) } else { ("2", (8, 4, 5)) };
    let flags = ["--agent", "oracle", "--agent", "noop", "--trials", trials];
    let plan = planned(&folder, &flags);
    let before = spent();
    let first = succeeded(run(&whole, &flags));
    let one = spent();
    play_and_kill(&plan, &folder, sizes);
    let parts: Vec<PathBuf> = (0..sizes.0).map(|shard| folder.join(format!("part-{shard}"))).collect();
    let played = spent();
    let second = succeeded(merge(&plan, &parts, &merged, &[]));
    eprintln!(
        "{} units: {:.1} s of a processor in one process; {:.1} s in shards with what was killed, {:.1} s to merge",
        contents(merged.join("episodes.jsonl")).lines().count(),
        one - before,
        played - one,
        spent() - played
    );
    assert_eq!(out(&first), out(&second));
    assert_same(&whole, &merged);
}

#[test]
fn millions_of_planned_units_take_little_memory() {
    if !Path::new("/proc/self/status").exists() {
        return skipped("without /proc nobody tells how much memory a process has had");
    }
    let folder = scratch("shards-memory");
    let plan = folder.join("plan.json");
    let mut flags = vec!["plan", "--out", path(&plan), "--trials", "10000", "--agent", "noop"];
    let names: Vec<String> = (0..if is_all() { 9 } else { 0 }).map(|number| format!("coin:{number}")).collect();
    names.iter().for_each(|name| flags.extend(["--agent", name]));
    let (planning, _) = peak(sampled().args(&flags));
    let part_0 = folder.join("part-0");
    succeeded(part(&plan, ["--shard", "0/20000"], &part_0));
    let to = folder.join("to");
    let (merging, _) = peak(binary().args(["merge", "--plan", path(&plan), "--out", path(&to), path(&part_0)]));
    let units = serde_json::from_str::<Value>(&contents(&plan)).unwrap()["units"].as_u64().unwrap();
    eprintln!("{units} units: {planning} KiB to plan, {merging} KiB to merge one of 20,000 parts");
    assert!(units >= 1_000_000 && planning < 2048 << 10 && merging < 2048 << 10, "{units}: {planning}, {merging}");
}

#[test]
fn kubernetes_and_slurm_name_a_shard_by_a_variable_alone() {
    let folder = scratch("shards-driven");
    planned(&folder, &[&FEW[..], &["--trials", "8"]].concat());
    let job: Value = serde_yaml_ng::from_str(&contents(root().join("docs/kubernetes.yml"))).unwrap();
    let spec = &job["spec"];
    assert_eq!((&job["apiVersion"], &job["kind"]), (&json!("batch/v1"), &json!("Job")));
    assert_eq!((&spec["completionMode"], &spec["completions"]), (&json!("Indexed"), &json!(64)));
    assert_eq!(spec["template"]["spec"]["restartPolicy"], "Never");
    let container = &spec["template"]["spec"]["containers"][0];
    assert_eq!(spec["podFailurePolicy"]["rules"][0]["onExitCodes"]["values"], json!([1, 2]));
    assert_eq!(spec["podFailurePolicy"]["rules"][0]["onExitCodes"]["containerName"], container["name"]);
    assert_eq!(container["command"], json!(["sh", "-c"]));
    let shared = container["args"][0].as_str().unwrap().replace("/shared", path(&folder));
    let script = root().join("docs/slurm.sh");
    assert!(contents(&script).lines().any(|line| line.starts_with("#SBATCH --array=0-63")));
    let array = format!("sh '{}'", script.canonicalize().unwrap().display());
    // The command of a file with the variable of its driver set, for one shard.
    let driven = |command: &str, variable: &str, shard: usize| {
        shell(PROGRAM, command, &folder).env(variable, shard.to_string()).output().unwrap()
    };
    for (command, name) in [(shared, "JOB_COMPLETION_INDEX"), (array, "SLURM_ARRAY_TASK_ID")] {
        for index in [0, 63] {
            succeeded(driven(&command, name, index));
            let end: Value = serde_json::from_str(&contents(folder.join(format!("parts/{index}/part.json")))).unwrap();
            assert_eq!(end["part"]["units"]["shard"], format!("{index}/64"));
            assert!(end["episodes"].as_u64().unwrap() >= 7, "{end}");
        }
        assert_eq!(code(&driven(&command, name, 64)), 2);
        fs::remove_dir_all(folder.join("parts")).unwrap();
    }
}
