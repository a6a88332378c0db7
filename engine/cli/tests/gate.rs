//! Comparing runs and gating on them: faults are kept out, and chance is not taken for change; `cases/sessions/gate*.sh` have
//! what a gate says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, OnceLock, PoisonError};

use probity_behaviour::{
    benchmark::CARD,
    episode::fault::{FAULTS, Fault},
};
use probity_bench::run::journal::line;
use probity_bench::{EpisodeRecord, Event};
use probity_engine::Stream;
use probity_report::{Comparison, GroupName, Side};

use crate::support::{code, contents, copy, episodes, is_all, json, light, out, probity, run, scratch, tells};
use crate::support::{succeeded, text};

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
        succeeded(run(&directory, &["--agent", agent]));
    }
    directory
}

fn compare(base: &Path, new: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["compare", base.to_str().unwrap(), new.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

/// Faults to be kept out: all that must lower what a gate asks about, or one for each set of such metrics.
fn kept_out() -> Vec<&'static Fault> {
    let mut sets = BTreeSet::new();
    let asks = |fault: &&Fault| !asked(fault).is_empty();
    FAULTS.iter().filter(asks).filter(|fault| sets.insert(asked(fault)) || is_all()).collect()
}

/// The metrics that a fault must lower and that a gate asks about.
fn asked(fault: &Fault) -> Vec<&'static str> {
    let gate = CARD.gate;
    fault.must_lower().into_iter().filter(|name| gate.contains(name)).collect()
}

#[test]
fn planted_faults_are_kept_out_and_named() {
    let base = played("oracle");
    for fault in kept_out() {
        let new = folder().join(&fault.name);
        let output = run(&new, &["--agent", &format!("fault:{}", fault.name)]);
        assert_eq!(code(&output), 0, "{}", fault.name);
        // A fault has episodes only where it applies: the base is held to the same ones.
        let same = folder().join(format!("{}-base", fault.name));
        copy_units(&base, &new, &same);
        let junit = folder().join(format!("{}.xml", fault.name));
        let output = compare(&same, &new, &["--gate", "--junit", junit.to_str().unwrap()]);
        let said = out(&output);
        assert_eq!(code(&output), 1, "{}: {said}", fault.name);
        assert!(said.starts_with("gate closed"), "{said}");
        for metric in asked(fault) {
            let check = format!("  NO  {metric} all: no significant drop: ");
            assert!(said.contains(&check), "{}: {said}", fault.name);
        }
        assert!(said.contains("  found ") || said.contains("first differing event"), "{}: {said}", fault.name);
        let xml = contents(junit);
        assert!(xml.contains("<failure") && xml.contains("no significant drop"), "{xml}");
    }
}

/// A run directory with those episodes of the base that the new run has units for.
fn copy_units(base: &Path, new: &Path, to: &Path) {
    copy(base, to);
    let units: Vec<(String, String)> = episodes(new).iter().map(unit).collect();
    let kept: Vec<String> = text(base, "episodes.jsonl")
        .split_inclusive('\n')
        .zip(episodes(base))
        .filter(|(_, record)| units.contains(&unit(record)))
        .map(|(line, _)| line.to_owned())
        .collect();
    std::fs::write(to.join("episodes.jsonl"), kept.concat()).unwrap();
}

fn unit(record: &EpisodeRecord) -> (String, String) {
    (record.trace.header.task.clone(), record.trace.header.levels.to_string())
}

/// A trace that is not what its calls do is not scored at all.
#[test]
fn a_forged_trace_is_not_scored() {
    let (base, forged) = (played("oracle"), folder().join("forged_trace"));
    copy(&base, &forged);
    let mut all = episodes(&base);
    let step = all[0].trace.events.iter_mut().find_map(|event| match event {
        Event::Step(step) => Some(step),
        _ => None,
    });
    step.unwrap().step = 7;
    all[0].digest = all[0].trace.digest();
    std::fs::write(forged.join("episodes.jsonl"), all.iter().map(|record| line(record).unwrap()).collect::<String>())
        .unwrap();
    tells(compare(&base, &forged, &["--gate"]), 1, out, &["the new run is not to be believed: 1 record not what"]);
    let report = probity(&["report", forged.to_str().unwrap(), "--json"]);
    let report = json(&report);
    assert_eq!(report["agents"]["oracle"]["overall"]["metrics"]["sr"]["not_scored"], 1);
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
    let [oracle, noop] = ["oracle", "noop"].map(|agent| light(episodes(&played(agent))));
    let sides: Vec<Vec<EpisodeRecord>> = (0..200).map(|seed| coin(seed, &oracle, &noop)).collect();
    let side = |records| Side { records, agent: "coin", is_repeatable: false };
    let within = sides.chunks(2).filter(|pair| {
        let comparison = Comparison::asked(&CARD, side(&pair[0]), side(&pair[1]), 0);
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
    let (oracle, noop) = (episodes(&played("oracle")), episodes(&played("noop")));
    let expected = coin(3, &oracle, &noop);
    for record in episodes(&directory) {
        let same = expected.iter().find(|other| other.order() == record.order()).unwrap();
        assert_eq!(record.scores.value("sr"), same.scores.value("sr"), "{}", record.name());
    }
}
