//! What the tests of the command line share.

mod basics;
pub mod browser;
pub mod mock;
mod outside;
mod python;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use probity_behaviour::suite::Suite;
use probity_bench::{EpisodeRecord, Scores};
use serde_json::Value;

pub use basics::*;
pub use outside::{outside, skipped};
pub use python::{keeps_bytecode, python};

/// Environments on whose sixteen tasks each time is tried what takes minutes on all of them.
pub const SAMPLED: [&str; 4] =
    ["finance/bank", "healthcare/clinic", "infrastructure_devops/platform", "travel_hospitality/front_desk"];

/// Whether a test is to write what it would compare: `PROBITY_UPDATE=1`.
pub fn is_update() -> bool {
    std::env::var("PROBITY_UPDATE").is_ok()
}

/// Whether all environments are to be tried: `PROBITY_ALL=1`.
pub fn is_all() -> bool {
    std::env::var("PROBITY_ALL").is_ok()
}

/// The repository's suite, read once.
pub fn suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(&root()))
}

pub fn sampled_suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(sampled_root()))
}

/// The suite that the labelled dialogues were held on, read once.
pub fn labels_suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(&root().join("labels/suite")))
}

/// A root with the sampled environments and all else that commands look for.
pub fn sampled_root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        if is_all() {
            return root();
        }
        let sampled = scratch("sampled");
        for folder in ["mm-tau", "tickets", "labels", "docs", "schemas"] {
            copy(&root().join(folder), &sampled.join(folder));
        }
        copy_environments(&SAMPLED, &sampled);
        sampled
    })
}

/// Copies shipped environments, with their scripts and tasks.
pub fn copy_environments(ids: &[&str], to: &Path) {
    copy(&root().join("scripts/lib"), &to.join("scripts/lib"));
    for id in ids {
        let folder = format!("tasks/{id}");
        copy(&root().join(&folder), &to.join(&folder));
        for file in [format!("environments/{id}.json"), format!("scripts/{id}.rhai")] {
            fs::create_dir_all(to.join(&file).parent().unwrap()).unwrap();
            fs::copy(root().join(&file), to.join(&file)).unwrap();
        }
    }
}

/// The small shop of the corpora, in a folder of its own.
pub fn shop(name: &str) -> PathBuf {
    let root = scratch(name);
    copy(&cases("base"), &root);
    root
}

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_probity");

pub fn binary() -> Command {
    let mut command = Command::new(PROGRAM);
    command.stdin(Stdio::null());
    command
}

/// The program on the sampled environments.
pub fn sampled() -> Command {
    let mut command = binary();
    command.arg("--root").arg(sampled_root());
    command
}

pub fn probity(arguments: &[&str]) -> Output {
    sampled().args(arguments).output().unwrap()
}

/// The same with another root.
pub fn probity_at(root: &Path, arguments: &[&str]) -> Output {
    binary().arg("--root").arg(root).args(arguments).output().unwrap()
}

pub fn run(directory: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["run", "--out", directory.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

/// A run that ended well, in a folder below this one.
pub fn played(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let directory = folder.join(name);
    succeeded(run(&directory, more));
    directory
}

/// A number from 0 to 1, another for each seed.
pub fn drawn(seed: u64) -> f64 {
    let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    f64::from(u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap()) / f64::from(u32::MAX)
}

/// What a command took, and how it ended.
pub struct Took {
    /// The most memory that it had, in KiB.
    pub peak: usize,
    /// Hundredths of a second that a processor was busy with it.
    pub busy: u64,
    pub status: ExitStatus,
}

/// Watches a command until it ends, or for two minutes: memory's mark and time only rise, so that the last look is of the
/// whole time.
pub fn watched(command: &mut Command) -> Took {
    let (began, mut child) = (Instant::now(), command.spawn().unwrap());
    let of = PathBuf::from(format!("/proc/{}", child.id()));
    let read = |name: &str| fs::read_to_string(of.join(name)).unwrap_or_default();
    let (mut peak, mut busy) = (0, 0);
    loop {
        let status = read("status");
        let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let mark = mark.and_then(|mark| mark.trim().trim_end_matches(" kB").parse().ok());
        peak = mark.map_or(peak, |mark: usize| peak.max(mark));
        busy = ticks(&read("stat")).map_or(busy, |now| busy.max(now));
        if let Some(status) = child.try_wait().unwrap() {
            return Took { peak, busy, status };
        }
        if began.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The time in user and system mode of a process, as `/proc` tells it.
fn ticks(stat: &str) -> Option<u64> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// The most memory that a command has, in KiB, and how it ends; nobody hears it.
pub fn peak(command: &mut Command) -> (usize, ExitStatus) {
    let Took { peak, status, .. } = watched(command.stdout(Stdio::null()).stderr(Stdio::null()));
    (peak, status)
}

pub fn text(path: &Path, name: &str) -> String {
    contents(path.join(name))
}

pub fn records(directory: &Path) -> Vec<Value> {
    text(directory, "episodes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The same, as they are read.
pub fn episodes(directory: &Path) -> Vec<EpisodeRecord> {
    text(directory, "episodes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Records with what a gate decides by, numbers and findings: tests copy them a hundred thousand times.
pub fn light(mut records: Vec<EpisodeRecord>) -> Vec<EpisodeRecord> {
    for record in &mut records {
        record.trace.events.clear();
        let Scores { metrics, found, .. } = std::mem::take(&mut record.scores);
        record.scores = Scores { metrics, found, ..Scores::default() };
    }
    records
}

pub fn report(directory: &Path) -> Value {
    serde_json::from_str(&text(directory, "report.json")).unwrap()
}

pub fn sr(record: &Value) -> &'static str {
    match value(record, "sr") {
        Some(1.0) => "pass",
        Some(_) => "fail",
        None => {
            assert_eq!(record["scores"]["metrics"]["sr"]["status"], "not_scored");
            "not_scored"
        }
    }
}

pub fn value(record: &Value, metric: &str) -> Option<f64> {
    record["scores"]["metrics"][metric]["value"].as_f64()
}

pub fn task(record: &Value) -> &str {
    record["trace"]["header"]["task"].as_str().unwrap()
}
