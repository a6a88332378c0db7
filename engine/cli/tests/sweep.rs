//! Authored files broken in ways that nobody thought of one by one: each shipped file, a seeded slip, and what `check`
//! says of it. `PROBITY_SWEEP=2000` tries so many, from `PROBITY_SWEEP_SEED` on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use probity_engine::Stream;
use serde_json::Value;

use crate::support::{Took, binary, contents, copy, root, scratch, watched};

#[path = "sweep/gate_file.rs"]
mod gate_file;
#[path = "sweep/place.rs"]
mod place;
#[path = "sweep/slip.rs"]
mod slip;

use place::PLACES;
use slip::{Expected, SLIPS};

/// Ways that are tried each time.
const FEW: u64 = 20;
/// How far the slips lie apart of which a few are tried; it shares no factor with their number.
const STRIDE: u64 = 23;
/// Most seconds of a processor that a check may take.
const MOST_SECONDS: u64 = 5;
const MOST_KIB: usize = 500 << 10;

/// One shipped file with those that belong to it, in a root of its own.
struct Broken {
    root: PathBuf,
    /// The file that is broken, below the root.
    file: String,
    /// All its files.
    whole: BTreeSet<String>,
    /// The files in which what is wrong may be told.
    told_in: BTreeSet<String>,
}

struct Checked {
    took: Took,
    diagnostics: Vec<Value>,
    said: String,
}

fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The environments, each with the names of its tasks.
fn shipped() -> Vec<(String, Vec<String>)> {
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for id in crate::support::suite().tasks.keys() {
        let (environment, name) = id.rsplit_once('/').unwrap();
        found.entry(environment.to_owned()).or_default().push(name.to_owned());
    }
    found.into_iter().collect()
}

fn lay(folder: &Path, number: u64, stream: &mut Stream, shipped: &[(String, Vec<String>)]) -> Broken {
    let root_of_case = folder.join(number.to_string());
    let (environment, tasks) = stream.pick(shipped).unwrap();
    let task = stream.pick(tasks).unwrap();
    let [json, rhai, task, lock] = [
        format!("environments/{environment}.json"),
        format!("scripts/{environment}.rhai"),
        format!("tasks/{environment}/{task}.json"),
        format!("tasks/{environment}/{task}.lock.json"),
    ];
    copy(&root().join("scripts/lib"), &root_of_case.join("scripts/lib"));
    let all = [&json, &rhai, &task, &lock];
    for file in all {
        fs::create_dir_all(root_of_case.join(file).parent().unwrap()).unwrap();
        fs::copy(root().join(file), root_of_case.join(file)).unwrap();
    }
    // A task says least of what surrounds it and has the most forms.
    let file = [&json, &rhai, &task, &task, &lock][usize::try_from(stream.below(5)).unwrap()].clone();
    // What is wrong with an environment may show in what is built on it, and with a lock in its task.
    let told_in = if file == task { vec![&task, &lock] } else { all.to_vec() };
    let whole = all.into_iter().cloned().collect();
    Broken { root: root_of_case, file, whole, told_in: told_in.into_iter().cloned().collect() }
}

fn check(root: &Path) -> Checked {
    let file = |name: &str| fs::File::create(root.join(name)).unwrap();
    let mut command = binary();
    command.arg("--root").arg(root).args(["--json", "check", "--no-cache"]).stdout(file("out")).stderr(file("err"));
    let took = watched(&mut command);
    let text = contents(root.join("out"));
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    let diagnostics = document["diagnostics"].as_array().cloned().unwrap_or_default();
    Checked { took, diagnostics, said: text + &contents(root.join("err")) }
}

/// What is said of a root before anything in it is broken: tasks that a policy names are not there.
fn without(known: &[Value], found: &mut Checked) {
    let same = |one: &Value, other: &Value| one["code"] == other["code"] && one["message"] == other["message"];
    found.diagnostics.retain(|found| !known.iter().any(|known| same(known, found)));
}

/// Names between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a text shows a character that nobody can see.
fn is_unseen(text: &str) -> bool {
    text.contains(['\u{200b}', '\u{a0}', '\u{feff}', '\0', '\r'])
}

/// Whether what is meant instead is what was written.
fn means_the_same(message: &str, help: &str) -> bool {
    let meant = help.split_once("did you mean").and_then(|(_, rest)| quoted(rest).next());
    meant.is_some_and(|meant| quoted(message).next() == Some(meant))
}

/// What a check of a broken root should not have said or done.
fn faults(broken: &Broken, expected: Expected, found: &Checked) -> Vec<String> {
    let mut faults = Vec::new();
    let text = |found: &Value, key: &str| found[key].as_str().unwrap_or_default().to_owned();
    let Took { peak, busy, status } = found.took;
    if !matches!(status.code(), Some(0 | 2)) {
        faults.push(format!("it ends with {status}: {}", &found.said[..found.said.len().min(300)]));
    }
    if busy > MOST_SECONDS * 100 {
        faults.push(format!("it takes {busy} hundredths of a second"));
    }
    if peak > MOST_KIB {
        faults.push(format!("it takes {peak} KiB"));
    }
    let is_told = |found: &Value| broken.told_in.contains(&text(found, "file"));
    let is_placed = found.diagnostics.iter().any(is_told);
    match (expected, found.diagnostics.is_empty()) {
        (Expected::Told, true) => faults.push("nothing is told".to_owned()),
        (Expected::Clean, false) => faults.push(format!("what means nothing is told: {}", found.diagnostics[0])),
        (Expected::Told | Expected::Either, false) if !is_placed => {
            faults.push(format!("told elsewhere: {}", found.diagnostics[0]));
        }
        (Expected::Told | Expected::Either | Expected::Clean, _) => {}
    }
    for diagnostic in &found.diagnostics {
        let (message, help) = (text(diagnostic, "message"), text(diagnostic, "help"));
        if means_the_same(&message, &help) {
            faults.push(format!("it means the same: {message}; {help}"));
        }
        if help.is_empty() && text(diagnostic, "code") != "bad_json" {
            faults.push(format!("no help: {diagnostic}"));
        }
        if is_unseen(&message) || is_unseen(&help) {
            faults.push(format!("what cannot be seen is not shown: {message:?} {help:?}"));
        }
    }
    faults
}

#[test]
fn no_slip_is_passed_over_or_brings_check_down() {
    let few = wanted("PROBITY_SWEEP").unwrap_or(FEW);
    let seed = wanted("PROBITY_SWEEP_SEED").unwrap_or(0);
    let (folder, shipped) = (scratch("sweep"), shipped());
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<&str, (u64, u64)>::new());
    let mut before = BTreeMap::<BTreeSet<String>, Vec<Value>>::new();
    for number in 0..few {
        let mut stream = Stream::new(seed + number, "sweep", "author");
        let mut broken = lay(&folder, number, &mut stream, &shipped);
        let whole = broken.whole.clone();
        let known = before.entry(whole).or_insert_with(|| check(&broken.root).diagnostics).clone();
        let which = usize::try_from((seed + number) * STRIDE).unwrap() % (SLIPS.len() + PLACES.len());
        let done = match SLIPS.get(which) {
            Some((name, slip)) => {
                let path = broken.root.join(&broken.file);
                let text = fs::read_to_string(&path).unwrap();
                slip(&text, &broken.file, &mut stream).map(|(bytes, expected)| {
                    fs::write(&path, bytes).unwrap();
                    (*name, expected)
                })
            }
            None => {
                let (name, place) = PLACES[which - SLIPS.len()];
                place(&broken.root, &broken.file).map(|told_in| {
                    broken.told_in.extend(told_in);
                    (name, Expected::Told)
                })
            }
        };
        // Not every slip can be made in every file.
        let Some((name, expected)) = done else { continue };
        let mut found = check(&broken.root);
        without(&known, &mut found);
        let count = counts.entry(name).or_default();
        *count = (count.0 + 1, count.1 + u64::from(!found.diagnostics.is_empty()));
        let faults = faults(&broken, expected, &found);
        if faults.is_empty() {
            fs::remove_dir_all(&broken.root).unwrap();
        } else {
            wrong.push(format!(
                "{number} {name} in {} ({}): {}",
                broken.file,
                broken.root.display(),
                faults.join("\n  ")
            ));
        }
    }
    for (name, (tried, told)) in &counts {
        eprintln!("{name}: {tried} tried, {told} told");
    }
    assert!(wrong.is_empty(), "{} of {few}:\n{}", wrong.len(), wrong.join("\n"));
}
