//! Commands that are killed at any moment, or find the disk full, lose nothing: called again they end as if nothing had
//! happened.
//!
//! `PROBITY_KILLS=200` kills each command at so many moments, and tells how long that took.

#![cfg(target_os = "linux")]
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::mock::{Mock, PATIENCE, mode};
use crate::support::{binary, cases, code, copy, drawn, err, out, scratch, shop, skipped, succeeded};

/// Moments at which each command is killed where nobody asks for more.
const MOMENTS: u64 = 3;
/// Where the lines stand that are typed into a command.
const TYPED: &str = "typed.txt";
/// Runs and imports are small: a disk of so many bytes holds what they read.
const SIZES: [u64; 6] = [4_096, 8_192, 20_480, 65_536, 262_144, 524_288];

/// A command, what it works on, and what it leaves.
struct Scene {
    name: &'static str,
    /// What it works on; each time a copy is made.
    given: PathBuf,
    arguments: Vec<String>,
    /// What says nothing of the result: it tells the time, or is a cache.
    unlike: &'static [&'static str],
}

impl Scene {
    fn command(&self, folder: &Path) -> Command {
        let mut command = binary();
        command.args(&self.arguments).current_dir(folder);
        // What is typed, where anything is.
        if let Ok(typed) = fs::File::open(folder.join(TYPED)) {
            command.stdin(typed);
        }
        command
    }

    fn given(&self, folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        copy(&self.given, folder);
    }

    /// All files that it leaves, by their place, with what they hold.
    fn left(&self, folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        gather(folder, folder, &mut files);
        files.retain(|path, _| !self.unlike.iter().any(|unlike| path.contains(unlike)));
        files
    }

    /// What it leaves, says and ends with when nothing happens, and how long that takes.
    fn undisturbed(&self, folder: &Path) -> (BTreeMap<String, Vec<u8>>, Output, Duration) {
        let mut ended = None;
        for _ in 0..2 {
            self.given(folder);
            let start = Instant::now();
            let output = self.command(folder).output().unwrap();
            assert!([0, 1].contains(&code(&output)), "{}: {}", self.name, err(&output));
            let again = (self.left(folder), output, start.elapsed());
            if let Some((left, _, _)) = &ended {
                assert!(*left == again.0, "{}: it does not leave the same twice", self.name);
            }
            ended = Some(again);
        }
        ended.unwrap()
    }

    /// What it says when it is called again after it has ended.
    fn repeated(&self, folder: &Path) -> Output {
        self.given(folder);
        assert!([0, 1].contains(&code(&self.command(folder).output().unwrap())), "{}", self.name);
        self.command(folder).output().unwrap()
    }

    /// What is wrong after a kill and another call.
    fn killed(
        &self,
        folder: &Path,
        (expected, output, time): (&BTreeMap<String, Vec<u8>>, &Output, Duration),
        seed: u64,
    ) -> Option<String> {
        self.given(folder);
        let signal = if seed.is_multiple_of(2) { "KILL" } else { "TERM" };
        let at = time.mul_f64(1.05 * drawn(seed));
        let mut child = self.command(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(at);
        let kill =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).stderr(Stdio::null()).status();
        assert!(kill.is_ok());
        let first = child.wait().unwrap();
        if first.success() {
            return None;
        }
        // Killed when all was written, it had ended: a run that is there is not played again.
        let had_ended = self.left(folder) == *expected;
        let again = self.command(folder).output().unwrap();
        let after = format!("{} {signal} after {at:?} (seed {seed})", self.name);
        if code(&again) != code(output) && !(had_ended && code(&again) == code(&self.repeated(folder))) {
            return Some(format!("{after}: {}", err(&again)));
        }
        let left = self.left(folder);
        (left != *expected).then(|| format!("{after}: {}", unlike(expected, &left)))
    }
}

fn gather(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => gather(root, &entry.path(), files),
            false => {
                let place = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(place, fs::read(entry.path()).unwrap());
            }
        }
    }
}

fn unlike(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>) -> String {
    let lost: Vec<_> = expected.keys().filter(|place| !found.contains_key(*place)).collect();
    let more: Vec<_> = found.keys().filter(|place| !expected.contains_key(*place)).collect();
    let is_other = |place: &&String| found.get(*place).is_some_and(|text| Some(text) != expected.get(*place));
    let other: Vec<_> = expected.keys().filter(is_other).collect();
    format!("lost {lost:?}, left {more:?}, other {other:?}")
}

fn moments() -> u64 {
    std::env::var("PROBITY_KILLS").ok().map_or(MOMENTS, |count| count.parse().unwrap())
}

/// Which scenes are asked for: all, or those that `PROBITY_KILLED` names.
fn is_wanted(name: &str) -> bool {
    std::env::var("PROBITY_KILLED").map_or(true, |wanted| wanted.split(',').any(|one| one == name))
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A run of the shop in `given/runs/NAME`, with more words.
fn played(given: &Path, name: &str, more: &str) {
    let arguments = format!("run -q --root . --out runs/{name} --agent oracle --agent noop --trials 8 {more}");
    succeeded(binary().args(words(arguments.trim())).current_dir(given).output().unwrap());
}

/// A line of raw dialogues.
fn dialogue(number: u32) -> String {
    let messages = json!([
        {"role": "user", "content": format!("Is srv-{number} up?")},
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function":
            {"name": "server_look", "arguments": format!("{{\"server\":\"srv-{number}\"}}")}}]},
        {"role": "tool", "tool_call_id": "c", "content": "{\"state\":\"up\"}"},
        {"role": "assistant", "content": "It is up since Monday."},
    ]);
    let known = json!([{"turn": 1, "reply_type": "solution", "facts": ["monday"]}]);
    format!(
        "{}\n",
        json!({"id": format!("up_{number}"), "category": "server", "messages": messages, "checkpoints": known})
    )
}

fn scenes(mock: &Mock, test: &str) -> Vec<Scene> {
    let made = |name: &str| scratch(&format!("{test}-{name}"));
    let shop = shop(&format!("{test}-shop"));
    for command in [&["check", "--update"][..], &["fmt"]] {
        binary().arg("--root").arg(&shop).args(command).output().unwrap();
    }
    let _ = fs::remove_dir_all(shop.join(".probity"));
    let given = |name: &str| {
        let folder = made(name);
        copy(&shop, &folder);
        folder
    };
    let older = made("upgrade");
    copy(&cases("format1"), &older.join("runs/old"));
    let raw = made("import");
    fs::write(raw.join("raw.jsonl"), (0..20).map(dialogue).collect::<String>()).unwrap();
    let played = given("play");
    fs::write(played.join(TYPED), "find_orders customer=\"Mara Weber\"\nsave task begun\n").unwrap();
    let places = [given("run"), given("report"), given("judge"), given("fmt"), older, raw, given("merge"), played];
    commands(mock, &places)
}

/// The commands, each in the place where it is called: for run, report, judge, fmt, upgrade, import, merge and play.
fn commands(mock: &Mock, [plain, run, judged, unformatted, older, raw, parts, typed]: &[PathBuf; 8]) -> Vec<Scene> {
    played(run, "base", "--seed 1");
    played(run, "new", "--seed 2");
    played(judged, "base", "--limit 2");
    for arguments in [
        "plan --root . --agent oracle --agent noop --trials 8 --out plan.json",
        "run --plan plan.json --shard 0/2 --out parts/0",
        "run --plan plan.json --shard 1/2 --out parts/1",
    ] {
        succeeded(binary().args(words(arguments)).current_dir(parts).output().unwrap());
    }
    let task = unformatted.join("tasks/shop/counter/more_teapots.json");
    let text = fs::read_to_string(&task).unwrap();
    for number in 0..40 {
        let other = task.with_file_name(format!("task_{number}.json"));
        fs::write(other, text.replace("more_teapots", &format!("task_{number}")).replace('\n', "\n   ")).unwrap();
    }
    let provider = format!("{} --base-url {}", PATIENCE.join(" "), mock.url);
    let scene = |name, given: &Path, arguments: &str, unlike| Scene {
        name,
        given: given.to_owned(),
        arguments: words(arguments),
        unlike,
    };
    vec![
        scene(
            "run",
            plain,
            "run --root . --out runs/base --agent oracle --agent noop --agent heuristic --trials 2",
            &[][..],
        ),
        scene("part", parts, "run --plan plan.json --shard 1/3 --out parts/2", &[][..]),
        scene("merge", parts, "merge parts/0 parts/1 --plan plan.json --out runs/base", &[][..]),
        scene(
            "judge",
            judged,
            &format!("judge runs/base --root . --judge openai:mock --jobs 1 {provider}"),
            &["cassette"][..],
        ),
        scene("certify", plain, "certify --root .", &[".probity/"][..]),
        scene("import", raw, "import tickets --dialogues raw.jsonl --out out", &[][..]),
        scene("new_env", raw, "new env toys/shelf --root .", &[".probity/"][..]),
        scene("new_task", plain, "new task shop/counter/look --root .", &[".probity/"][..]),
        scene("save_task", typed, "play shop/counter --root .", &[".probity/"][..]),
        scene("upgrade", older, "upgrade runs/old", &[][..]),
        scene("fmt", unformatted, "fmt --root .", &[".probity/"][..]),
        scene("report", run, "report runs/base --root .", &[][..]),
        scene(
            "compare",
            run,
            "compare runs/base runs/new --root . --junit junit.xml --markdown compared.md --html compared.html --gate",
            &[][..],
        ),
    ]
}

#[test]
fn a_command_that_was_killed_ends_when_it_is_called_again() {
    let mock = Mock::start(mode("plain"));
    let mut wrong = Vec::new();
    for scene in scenes(&mock, "killed").iter().filter(|scene| is_wanted(scene.name)) {
        let folder = scratch(&format!("killed-at-{}", scene.name));
        let (expected, output, time) = scene.undisturbed(&folder);
        let found: Vec<String> =
            (0..moments()).filter_map(|seed| scene.killed(&folder, (&expected, &output, time), seed)).collect();
        eprintln!("{}: {} of {} wrong, {time:?} undisturbed", scene.name, found.len(), moments());
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A small disk in memory at a place, gone with this; nothing where none can be mounted.
struct Disk(PathBuf);

impl Disk {
    fn of(path: &Path, size: u64) -> Option<Disk> {
        fs::create_dir_all(path).unwrap();
        let size = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(path).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| Disk(path.to_owned()))
    }

    fn grow(&self) {
        let grown = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&self.0).status();
        assert!(grown.unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn size(folder: &Path) -> u64 {
    let mut files = BTreeMap::new();
    gather(folder, folder, &mut files);
    // In pages.
    files.values().map(|text| (text.len() as u64).div_ceil(4096) * 4096).sum()
}

#[test]
fn a_command_that_finds_the_disk_full_says_so_and_ends_when_there_is_room() {
    let mock = Mock::start(mode("plain"));
    let mut wrong = Vec::new();
    for scene in scenes(&mock, "full").iter().filter(|scene| is_wanted(scene.name)) {
        let folder = scratch(&format!("full-at-{}", scene.name));
        let (expected, output, _) = scene.undisturbed(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let (mut full, mut found) = (0, Vec::new());
        for room in SIZES {
            let Some(disk) = Disk::of(&folder, size(&scene.given) + room) else {
                return skipped("no tmpfs can be mounted");
            };
            copy(&scene.given, &folder);
            let first = scene.command(&folder).output().unwrap();
            if code(&first) == code(&output) && scene.left(&folder) == expected {
                continue;
            }
            full += 1;
            let told = err(&first);
            // A part of a plan is tried again by whoever gave it out: that passes.
            let ending = if scene.name == "part" { 3 } else { 2 };
            if code(&first) != ending || !told.to_lowercase().contains("space") || !told.contains("help: ") {
                found.push(format!("{} with {room}: exit {}: {told}{}", scene.name, code(&first), out(&first)));
            }
            disk.grow();
            let again = scene.command(&folder).output().unwrap();
            let left = scene.left(&folder);
            if code(&again) != code(&output) || left != expected {
                found.push(format!("{} again after {room}: {} {}", scene.name, err(&again), unlike(&expected, &left)));
            }
        }
        eprintln!("{}: {} of {full} full disks wrong", scene.name, found.len());
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
