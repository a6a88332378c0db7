//! Comparing runs and gating on them: faults are found, the same run passes, and chance is not taken for change.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a helper of a test stops it like the test itself"
)]

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, OnceLock, PoisonError};

use probity_behaviour::{benchmark::BehaviourBenchmark, episode::fault::FAULTS};
use probity_bench::{EpisodeRecord, run::episodes};
use probity_engine::Stream;
use probity_report::{Comparison, GroupName, Side};

use crate::support::{code, copy, probity, run, scratch, text};

fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| scratch("gate"))
}

/// A run of one agent, played once, whichever test comes first.
fn played(agent: &str) -> PathBuf {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = folder().join(agent.replace(':', "-"));
    if !directory.join("report.json").exists() {
        let output = run(&directory, &["--agent", agent]);
        assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    }
    directory
}

fn compare(base: &Path, new: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["compare", base.to_str().unwrap(), new.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_planted_fault_is_kept_out_and_named() {
    let base = played("oracle");
    for fault in FAULTS {
        let new = folder().join(fault.name);
        let output = run(&new, &["--agent", &format!("fault:{}", fault.name)]);
        assert_eq!(code(&output), 0, "{}", fault.name);
        // A fault has episodes only where it applies: the base is held to the same ones.
        let same = folder().join(format!("{}-base", fault.name));
        copy_units(&base, &new, &same);
        let junit = folder().join(format!("{}.xml", fault.name));
        let output = compare(&same, &new, &["--gate", "--junit", junit.to_str().unwrap()]);
        let said = said(&output);
        assert_eq!(code(&output), 1, "{}: {said}", fault.name);
        assert!(said.contains("gate closed"), "{said}");
        for metric in fault.must_lower() {
            let check = format!("  {} all: no significant drop: ", metric.name());
            assert!(said.contains(&check), "{}: {said}", fault.name);
        }
        assert!(
            said.contains("findings that are new: ") || said.contains("first differing event"),
            "{}: {said}",
            fault.name
        );
        let xml = std::fs::read_to_string(junit).unwrap();
        assert!(xml.contains("<failure") && xml.contains("no significant drop"), "{xml}");
    }
}

/// A run directory with those episodes of the base that the new run has units for.
fn copy_units(base: &Path, new: &Path, to: &Path) {
    copy(base, to);
    let units: Vec<(String, String)> = records(new).iter().map(unit).collect();
    let kept: Vec<String> = text(base, "episodes.jsonl")
        .split_inclusive('\n')
        .zip(records(base))
        .filter(|(_, record)| units.contains(&unit(record)))
        .map(|(line, _)| line.to_owned())
        .collect();
    std::fs::write(to.join("episodes.jsonl"), kept.concat()).unwrap();
}

fn unit(record: &EpisodeRecord) -> (String, String) {
    (record.trace.header.task.clone(), record.trace.header.levels.to_string())
}

fn records(directory: &Path) -> Vec<EpisodeRecord> {
    episodes::read(text(directory, "episodes.jsonl").as_bytes()).unwrap().records
}

#[test]
fn the_same_run_is_let_through() {
    let base = played("oracle");
    let output = compare(&base, &base, &["--gate"]);
    let said = said(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.contains("no number changed") && said.contains("gate open: 66 checks hold"), "{said}");
}

#[test]
fn a_worse_agent_is_shown_event_by_event() {
    let output = compare(&played("oracle"), &played("noop"), &[]);
    let said = said(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.contains("changed episodes") && said.contains("first differing event 1"), "{said}");
    let markdown = folder().join("summary.md");
    let output =
        compare(&played("oracle"), &played("noop"), &["--gate", "--markdown", markdown.to_str().unwrap(), "--github"]);
    assert_eq!(code(&output), 1);
    assert!(std::fs::read_to_string(markdown).unwrap().contains("gate closed"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("::error title=sr all%3A no significant drop::1.000 -> "));
}

#[test]
fn a_file_says_what_must_hold() {
    let rules = folder().join("gate.toml");
    let gate = |text: &str, new: &str| {
        std::fs::write(&rules, format!("format = 1\n{text}")).unwrap();
        compare(&played("oracle"), &played(new), &["--gate", rules.to_str().unwrap()])
    };
    let floor = "[[rule]]\nmetric = \"sr\"\nmin = 0.05\n";
    assert_eq!(code(&gate(floor, "heuristic")), 1);
    assert_eq!(code(&gate(floor, "oracle")), 0);
    let drop = "[[rule]]\nmetric = \"honesty\"\nvariant = \"ideal\"\nmax_drop = 1.0\n";
    assert_eq!(code(&gate(drop, "heuristic")), 0);
    // What a rule asks for and nobody scored does not pass.
    let nobody = gate("[[rule]]\nmetric = \"sr\"\ndomain = \"space\"\nmin = 0.0\n", "oracle");
    assert_eq!(code(&nobody), 1);
    assert!(said(&nobody).contains("there are no such episodes in both runs"));
    let slip = gate("[[rule]]\nmetric = \"sr\"\nmini = 0.0\n", "oracle");
    assert_eq!(code(&slip), 2);
    assert!(String::from_utf8_lossy(&slip.stderr).contains("unknown key `mini`"));
}

#[test]
fn a_run_that_lacks_episodes_is_kept_out() {
    let (base, torn) = (played("oracle"), folder().join("torn"));
    copy(&base, &torn);
    let lines = text(&base, "episodes.jsonl");
    std::fs::write(torn.join("episodes.jsonl"), lines.split_inclusive('\n').skip(3).collect::<String>()).unwrap();
    let output = compare(&base, &torn, &["--gate"]);
    assert_eq!(code(&output), 1);
    assert!(said(&output).contains("3 missing in the new run, first: "), "{}", said(&output));
}

#[test]
fn a_base_that_lacks_episodes_is_no_base() {
    let (whole, torn) = (played("oracle"), folder().join("torn_base"));
    copy(&whole, &torn);
    let lines = text(&whole, "episodes.jsonl");
    std::fs::write(torn.join("episodes.jsonl"), lines.split_inclusive('\n').skip(3).collect::<String>()).unwrap();
    let output = compare(&torn, &whole, &["--gate"]);
    assert_eq!(code(&output), 1);
    assert!(said(&output).contains("gate closed: the runs cannot be compared"), "{}", said(&output));
    assert!(said(&output).contains("the base run is not complete: `probity run --resume`"), "{}", said(&output));
}

#[test]
fn what_nobody_scored_lets_nothing_through() {
    let dead = folder().join("dead");
    let away = ["--agent", "openai:x", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1", "--limit", "2"];
    assert_eq!(code(&run(&dead, &away)), 3);
    let output = compare(&dead, &dead, &["--gate"]);
    assert_eq!(code(&output), 1);
    assert!(said(&output).contains("no episode is scored in both runs"), "{}", said(&output));
    assert!(!said(&output).contains("findings"), "{}", said(&output));
}

#[test]
fn a_drop_that_so_few_tasks_cannot_tell_is_not_let_through() {
    let [base, new] = ["100", "0"].map(|percent| {
        let directory = folder().join(format!("coin-{percent}"));
        let coin = format!("coin:{percent}");
        let few = ["--agent", &coin, "--as", "coin", "--variant", "ideal", "--limit", "3"];
        assert_eq!(code(&run(&directory, &few)), 0);
        directory
    });
    let output = compare(&base, &new, &["--gate"]);
    assert_eq!(code(&output), 1);
    let told = said(&output);
    assert!(told.contains("sr all: no significant drop: 1.000 -> 0.000") && told.contains("--trials 3"), "{told}");
    assert_eq!(code(&compare(&base, &base, &["--gate"])), 0, "nothing fell");
}

/// Trials of each instance, in the runs of the noisy agent.
const TRIALS: u32 = 5;

/// A run of `coin:70`, put together from episodes of the two agents it is made of.
fn coin(seed: u64, oracle: &[EpisodeRecord], noop: &[EpisodeRecord]) -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for (good, bad) in oracle.iter().zip(noop) {
        for trial in 0..TRIALS {
            let header = &good.trace.header;
            let name = format!("{}/{}/{trial}", header.task, header.levels);
            let own = Stream::new(seed, "episode", &name).below(1 << 53);
            let is_good = Stream::new(own, "agent", "coin").chance(70, 100);
            records.push(EpisodeRecord { agent: "coin".to_owned(), trial, ..if is_good { good } else { bad }.clone() });
        }
    }
    records
}

#[test]
fn chance_stays_within_the_noise_floor() {
    let (oracle, noop) = (records(&played("oracle")), records(&played("noop")));
    let sides: Vec<Vec<EpisodeRecord>> = (0..200).map(|seed| coin(seed, &oracle, &noop)).collect();
    let side = |records| Side { records, agent: "coin", is_repeatable: false };
    let within = sides.chunks(2).filter(|pair| {
        let comparison = Comparison::of(BehaviourBenchmark::CARD, side(&pair[0]), side(&pair[1]), 0);
        let sr = comparison.difference("sr", &GroupName::All).unwrap();
        sr.change.unwrap().abs() <= sr.noise_floor.unwrap()
    });
    let within = within.count();
    assert!(within >= 95, "{within} of 100");
}

#[test]
fn the_coin_is_what_the_test_takes_it_for() {
    let directory = folder().join("coin");
    let more = ["--agent", "coin:70", "--as", "coin", "--trials", "5", "--variant", "ideal", "--seed", "3"];
    assert_eq!(code(&run(&directory, &more)), 0);
    let (oracle, noop) = (records(&played("oracle")), records(&played("noop")));
    let expected = coin(3, &oracle, &noop);
    for record in records(&directory) {
        let same = expected.iter().find(|other| other.order() == record.order()).unwrap();
        assert_eq!(record.scores.value("sr"), same.scores.value("sr"), "{}", record.name());
    }
}
