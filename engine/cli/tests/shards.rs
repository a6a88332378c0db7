//! A run in parts: planned, played anywhere, killed and begun again, merged into what one process plays.
//!
//! `PROBITY_ALL=1` plays 100,000 units in 64 shards, of which twenty are killed, and plans ten million.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use probity_bench::{EpisodeRecord, Event};
use serde_json::{Value, json};

use crate::support::mock::{Mock, mode};
use crate::support::{
    binary, code, contents, copy, drawn, err, is_all, out, path, peak, probity, root, run, said, sampled, scratch,
    shell, skipped, succeeded, tells, text,
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

#[test]
fn merged_parts_are_the_run_of_one_process() {
    let folder = scratch("shards");
    let (whole, merged) = (folder.join("whole"), folder.join("merged"));
    // A fault has nothing to play in some units: no part misses them.
    let flags = [&FEW[..], &["--agent", "fault:wrong_value", "--trials", "3"]].concat();
    let first = succeeded(run(&whole, &flags));
    let plan = planned(&folder, &flags);
    let parts = parts(&plan, 3, &folder);
    let second = succeeded(merge(&plan, &parts, &merged, &[]));
    assert_eq!(out(&first), out(&second));
    assert_same(&whole, &merged);
    for command in ["replay", "report", "score"] {
        succeeded(probity(&[command, path(&merged)]));
    }
    succeeded(probity(&["compare", path(&whole), path(&merged), "--gate"]));
    assert_same(&whole, &merged);
    // Another number of shards is the same run, and so is what was played twice.
    let again = folder.join("again");
    let twice = self::parts(&plan, 2, &folder.join("two"));
    succeeded(merge(&plan, &[parts, twice].concat(), &again, &[]));
    assert_same(&whole, &again);
}

#[test]
fn what_is_missing_is_listed_and_the_list_can_be_played() {
    let folder = scratch("shards-missing");
    let (whole, merged) = (folder.join("whole"), folder.join("merged"));
    succeeded(run(&whole, &FEW));
    let plan = planned(&folder, &FEW);
    let mut parts = parts(&plan, 4, &folder);
    // One is lost, and one was stopped within a line.
    let units = contents(parts[3].join("episodes.jsonl")).lines().count();
    let lines = contents(parts[2].join("episodes.jsonl"));
    fs::write(parts[2].join("episodes.jsonl"), &lines[..lines.len() - 100]).unwrap();
    fs::remove_file(parts[2].join("part.json")).unwrap();
    parts.pop();
    let output = tells(merge(&plan, &parts, &merged, &[]), 1, err, &["stopped", "last line cut off", "not played"]);
    assert!(!merged.exists());
    let list = folder.join("missing.txt");
    fs::write(&list, out(&output)).unwrap();
    assert_eq!(out(&output).lines().count(), units + 1);
    let rest = folder.join("rest");
    succeeded(part(&plan, ["--units", path(&list)], &rest));
    assert_eq!(contents(rest.join("episodes.jsonl")).lines().count(), units + 1);
    parts.push(rest.clone());
    succeeded(merge(&plan, &parts, &merged, &[]));
    assert_same(&whole, &merged);
    // With keys, as a plan lists them; a key of another plan is none of this.
    let all = out(&succeeded(binary().args(["plan", "--list", path(&plan)]).output().unwrap()));
    let (key, name) = all.lines().next().unwrap().split_once(' ').unwrap();
    fs::write(&list, format!("\n{key} {name}\r\n{name}\n")).unwrap();
    succeeded(part(&plan, ["--units", path(&list)], &folder.join("keyed")));
    assert_eq!(contents(folder.join("keyed/episodes.jsonl")).lines().count(), 1);
    // As `--json` prints them.
    let json = out(&succeeded(binary().args(["--json", "plan", "--list", path(&plan)]).output().unwrap()));
    let lost = out(&merge(&plan, &parts[..1], &folder.join("lost"), &["--json"]));
    assert!(lost.lines().next().unwrap().starts_with("{\"missing\":"), "{lost}");
    fs::write(&list, format!("{}\n{lost}", json.lines().next().unwrap())).unwrap();
    succeeded(part(&plan, ["--units", path(&list)], &folder.join("json")));
    let played = contents(folder.join("json/episodes.jsonl")).lines().count();
    assert!(played == lost.lines().count() || played == lost.lines().count() + 1, "{played}");
    fs::write(&list, json.replacen(key, "sha256:0", 1)).unwrap();
    tells(part(&plan, ["--units", path(&list)], &folder.join("other")), 2, err, &["line 1", "in this plan", key]);
    fs::write(&list, format!("sha256:{} {name}\n", "f".repeat(64))).unwrap();
    tells(part(&plan, ["--units", path(&list)], &folder.join("other")), 2, err, &["line 1", "in this plan", key]);
    fs::write(&list, "oracle nowhere ideal #0\n").unwrap();
    tells(part(&plan, ["--units", path(&list)], &folder.join("other")), 2, err, &["line 1", "has no unit"]);
    // Another list is another part.
    tells(part(&plan, ["--shard", "0/4"], &rest), 2, err, &["it holds the units listed as", "not shard 0/4"]);
}

#[test]
fn keys_tell_what_is_played_apart() {
    let folder = scratch("shards-keys");
    let listed = |flags: &[&str]| {
        let plan = planned(&folder, flags);
        let list = out(&succeeded(binary().args(["plan", "--list", path(&plan)]).output().unwrap()));
        let pair = |line: &str| line.split_once(' ').map(|(key, name)| (name.to_owned(), key.to_owned())).unwrap();
        list.lines().map(pair).collect::<std::collections::BTreeMap<String, String>>()
    };
    let noop = ["--agent", "noop", "--env", "finance/bank"];
    let base = listed(&[&noop[..], &["--trials", "2"]].concat());
    let distinct: std::collections::BTreeSet<&String> = base.values().collect();
    assert_eq!(distinct.len(), base.len());
    // The same unit of another plan has the same key, unless something of it is another.
    let fewer = listed(&[&noop[..], &["--limit", "3", "--agent", "oracle"]].concat());
    let common: Vec<&String> = fewer.keys().filter(|name| base.contains_key(*name)).collect();
    assert!(common.len() == 3 && common.iter().all(|name| base[*name] == fewer[*name]), "{fewer:?}");
    for other in [&["--seed", "1"][..], &["--max-messages", "9"], &["--user", "contract"]] {
        let other = listed(&[&noop[..], other].concat());
        assert!(other.iter().all(|(name, key)| base[name] != *key), "{other:?}");
    }
}

#[test]
fn what_is_not_of_this_plan_is_refused_and_says_what_differs() {
    let folder = scratch("shards-refused");
    let plan = planned(&folder, &[&FEW[..], &["--limit", "2"]].concat());
    let parts = parts(&plan, 2, &folder);
    let (other, to) = (folder.join("other.json"), folder.join("to"));
    let given = contents(&plan);
    let changed = |from: &str, to: &str| {
        assert!(given.contains(from), "{from}");
        fs::write(&other, given.replacen(from, to, 1)).unwrap();
    };
    let input = given.split("\"inputs\": {").last().unwrap().split('"').nth(1).unwrap();
    let cases = [
        ("{\n  \"format\": 1,", "{\n  \"format\": 7,".to_owned(), "plan format 7 is not known; this build reads 1"),
        ("\"engine\": \"", "\"engine\": \"9.".to_owned(), "it was made by version 9."),
        ("\"trials\": 1", "\"trials\": 2".to_owned(), "its digest is"),
        ("\"trials\": 1", "\"trials\": 70000".to_owned(), "`trials` is 70000"),
        (&format!("\"{input}\": \"") as &str, format!("\"{input}\": \" "), "it was changed"),
        ("\"units\": 4", "\"units\": 5".to_owned(), "it says 5 units, and has 4"),
        ("{", "[".to_owned(), "it is no plan"),
    ];
    for (from, into, what) in cases {
        changed(from, &into);
        tells(part(&other, ["--shard", "0/2"], &to), 2, err, &[what, "help: "]);
        tells(merge(&other, &parts, &to, &[]), 2, err, &[what, "help: "]);
    }
    assert!(!to.exists());
    // Parts of another plan, a part that was not copied whole, and what is no part.
    let seed = folder.join("seed");
    fs::create_dir_all(&seed).unwrap();
    let third = planned(&seed, &[&FEW[..], &["--limit", "2", "--seed", "1"]].concat());
    tells(merge(&third, &parts, &to, &[]), 2, err, &["of another plan: /seed is 0 there, and 1 in this one"]);
    tells(part(&third, ["--shard", "0/2"], &parts[0]), 2, err, &["of another plan: /seed"]);
    tells(part(&plan, ["--shard", "1/2"], &parts[0]), 2, err, &["it holds shard 0/2, not shard 1/2"]);
    let (whole, half) = (folder.join("whole"), folder.join("half"));
    succeeded(run(&whole, &[&FEW[..], &["--limit", "2"]].concat()));
    tells(merge(&plan, std::slice::from_ref(&whole), &to, &[]), 2, err, &["it is a run of its own"]);
    tells(part(&plan, ["--shard", "0/2"], &whole), 2, err, &["it is a run of its own"]);
    copy(&parts[0], &half);
    let lines = contents(half.join("episodes.jsonl"));
    fs::write(half.join("episodes.jsonl"), lines.lines().next().unwrap().to_owned() + "\n").unwrap();
    tells(merge(&plan, &[half, parts[1].clone()], &to, &[]), 2, err, &["not copied whole"]);
    // Nor is a part a run.
    for command in [&["report"][..], &["replay"], &["score"], &["run", "--resume"]] {
        tells(
            probity(&[command, &[path(&parts[0])]].concat()),
            2,
            err,
            &["is a part of a planned run", "probity merge"],
        );
    }
    tells(merge(&plan, &parts, &whole, &[]), 2, err, &["exists already"]);
    for flag in ["--trials", "--seed", "--env"] {
        let output =
            binary().args(["run", "--plan", path(&plan), "--shard", "0/2", flag, "3", "--out", path(&to)]).output();
        tells(output.unwrap(), 2, err, &["cannot be used with"]);
        tells(probity(&["plan", "--list", path(&plan), flag, "3"]), 2, err, &["cannot be used with"]);
    }
    for share in ["2/2", "0/0", "1"] {
        tells(part(&plan, ["--shard", share], &to), 2, err, &["--shard"]);
    }
    tells(probity(&["plan", "--out", path(&to), "--judge", "openai:judge"]), 2, err, &["not judged"]);
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

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_and_hang_nothing() {
    let folder = scratch("shards-devices");
    let plan = planned(&folder, &[&FEW[..], &["--limit", "1"]].concat());
    let sound = parts(&plan, 1, &folder).remove(0);
    for file in ["episodes.jsonl", "cassette.jsonl", "part.json"] {
        for kind in ["pipe", "device"] {
            let [other, to] = ["part", "to"].map(|name| folder.join(format!("{name}-{kind}-{file}")));
            copy(&sound, &other);
            let place = other.join(file);
            let _ = fs::remove_file(&place);
            match kind {
                "pipe" => assert!(Command::new("mkfifo").arg(&place).status().unwrap().success()),
                _ => std::os::unix::fs::symlink("/dev/zero", &place).unwrap(),
            }
            let output = tells(merge(&plan, &[other], &to, &[]), 2, err, &[file, "regular file", "help: "]);
            assert!(!err(&output).contains("give the plan"), "{}", err(&output));
        }
    }
}

#[test]
fn scores_that_a_part_claims_are_not_believed() {
    let folder = scratch("shards-claims");
    let (flags, whole, to) = ([&FEW[..], &["--limit", "2"]].concat(), folder.join("whole"), folder.join("to"));
    let first = succeeded(run(&whole, &flags));
    let plan = planned(&folder, &flags);
    let parts = parts(&plan, 2, &folder);
    fs::remove_file(parts[0].join("part.json")).unwrap();
    let lines = contents(parts[0].join("episodes.jsonl"));
    let claimed = |line: &str| {
        let (trace, scores) = line.rsplit_once("\"scores\":").unwrap();
        format!("{trace}\"scores\":{}\n", scores.replace("\"value\":1.0", "\"value\":0.0"))
    };
    fs::write(parts[0].join("episodes.jsonl"), lines.lines().map(claimed).collect::<String>()).unwrap();
    let output = tells(merge(&plan, &parts, &to, &[]), 1, err, &["diverged, /scores", "probity replay"]);
    assert_eq!(out(&output), out(&first));
    assert_eq!(text(&to, "report.json"), text(&whole, "report.json"));
}

#[test]
fn a_part_that_another_process_still_has_is_tried_again() {
    let folder = scratch("shards-busy");
    let plan = planned(&folder, &[&FEW[..], &["--limit", "1"]].concat());
    let held = parts(&plan, 1, &folder).remove(0);
    let lock = fs::File::open(held.join("run.json")).unwrap();
    lock.lock().unwrap();
    tells(part(&plan, ["--shard", "0/1"], &held), 3, err, &["`probity merge` is writing to", "help: wait"]);
    drop(lock);
    succeeded(part(&plan, ["--shard", "0/1"], &held));
}

#[test]
fn a_plan_takes_the_place_of_no_other_file() {
    let folder = scratch("shards-plans");
    let plan = planned(&folder, &FEW);
    let before = contents(&plan);
    succeeded(probity(&[&["plan", "--out", path(&plan)], &FEW[..]].concat()));
    tells(probity(&["plan", "--out", path(&plan), "--agent", "noop"]), 2, err, &["is not this plan", "help: "]);
    assert_eq!(contents(&plan), before);
    let other = folder.join("other.json");
    fs::write(&other, "mine").unwrap();
    tells(probity(&[&["plan", "--out", path(&other)], &FEW[..]].concat()), 2, err, &["exists already"]);
    assert_eq!(contents(other), "mine");
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
        shell(command, &folder).env(variable, shard.to_string()).output().unwrap()
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
