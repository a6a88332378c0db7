//! The edges of `check`, `certify` and `show`: odd paths, damaged caches, files with errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{
    cases, code, contents, err, json, out, path, probity_at, probity_in, sampled_root, scratch, shop, succeeded, tells,
};
use serde_json::Value;

const TASK: &str = "tasks/shop/counter/more_teapots.json";

fn edit(root: &Path, from: &str, to: &str) {
    let text = contents(root.join(TASK));
    assert_eq!(text.matches(from).count(), 1, "{from}");
    fs::write(root.join(TASK), text.replace(from, to)).unwrap();
}

fn kept(root: &Path) -> PathBuf {
    let files: Vec<PathBuf> =
        fs::read_dir(root.join(".probity/certificates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.into_iter().next().unwrap()
}

fn certified(root: &Path) -> (String, bool) {
    let output = succeeded(probity_in(root, &["certify"]));
    (out(&output), err(&output).contains("1 certificates from the cache"))
}

#[test]
fn an_edited_certificate_is_not_believed() {
    let root = shop("edges-cache");
    let (proved, _) = certified(&root);
    assert_eq!(certified(&root), (proved.clone(), true));
    let file = kept(&root);
    let whole = contents(&file);
    let mut edited: Value = serde_json::from_str(&whole).unwrap();
    edited["found"]["problems"] = serde_json::json!([{"pointer": "", "code": "x", "message": "x", "help": "x"}]);
    for text in [edited.to_string(), "{".to_owned(), String::new(), edited["found"].to_string()] {
        fs::write(&file, text).unwrap();
        assert_eq!(certified(&root), (proved.clone(), false));
        assert_eq!(contents(&file), whole, "it is written anew");
    }
    fs::File::create(&file).unwrap().set_len(1 << 26).unwrap();
    assert_eq!(certified(&root), (proved, false));
}

/// The files that `check` keeps; what it prints is the same with and without them.
fn checked(root: &Path, more: &[&str]) -> (String, usize) {
    let output = probity_in(root, &[&["check"], more].concat());
    let afresh = probity_in(root, &[&["check", "--no-cache"], more].concat());
    assert_eq!((code(&output), out(&output)), (code(&afresh), out(&afresh)));
    let kept = fs::read_dir(root.join(".probity/checked")).map_or(0, Iterator::count);
    (out(&output), kept)
}

#[test]
fn what_was_found_clean_is_looked_at_again_when_it_changes() {
    let root = shop("edges-checked");
    succeeded(probity_in(&root, &["check", "--all", "--no-cache"]));
    assert!(!root.join(".probity").exists(), "nothing is kept");
    let (clean, kept) = checked(&root, &["--all"]);
    assert!(clean.contains("0 errors, 0 warnings") && kept >= 4, "{kept}: {clean}");
    assert_eq!(checked(&root, &["--all"]), (clean.clone(), kept));
    let (_, more) = checked(&root, &[]);
    // What is wrong is told each time, and not kept.
    edit(&root, "\"3\",\n     \"three\"", "\"nine\"");
    let (wrong, with_states) = checked(&root, &[]);
    assert!(wrong.contains("oracle_not_perfect"), "{wrong}");
    assert_eq!(checked(&root, &[]), (wrong, with_states));
    assert!(with_states <= more + 1, "{with_states}");
    edit(&root, "\"nine\"", "\"3\",\n     \"three\"");
    assert_eq!(checked(&root, &[]).1, with_states);
    // A script that changed is asked again, and so is what was damaged.
    let script = root.join("scripts/shop/counter.rhai");
    fs::write(&script, contents(&script) + "\n// as before\n").unwrap();
    assert!(checked(&root, &["--all"]).1 > with_states);
    for file in fs::read_dir(root.join(".probity/checked")).unwrap() {
        fs::write(file.unwrap().path(), "{\"hash\":\"sha256:00\",\"found\":null}").unwrap();
    }
    assert_eq!(checked(&root, &["--all"]).0, clean);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_no_certificate() {
    let root = shop("edges-fifo");
    let (proved, _) = certified(&root);
    let file = kept(&root);
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(certified(&root), (proved.clone(), false));
    assert_eq!(certified(&root), (proved.clone(), true), "the fifo has made way");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(certified(&root), (proved, false));
    assert_eq!(kept(&root), file, "nothing is left beside it");
}

#[test]
fn an_outcome_without_calls_is_an_explained_refusal() {
    let root = shop("edges-refusal");
    let text = contents(root.join(TASK));
    let mut task: Value = serde_json::from_str(&text).unwrap();
    let refusal = serde_json::json!({
        "name": "refused", "budget": 0, "oracle": [], "must_say": [["cannot"]],
        "replies": ["I cannot do that.", "No, I cannot do that."]
    });
    task["outcomes"].as_array_mut().unwrap().push(refusal);
    task["variants"]["contradictory_constraints"]["accept"] = serde_json::json!(["refused"]);
    fs::write(root.join(TASK), task.to_string()).unwrap();
    let output = probity_in(&root, &["check", "--json"]);
    let found = json(&output);
    let codes: Vec<&Value> = found["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert!(!codes.iter().any(|code| *code == "bare_turn"), "{found:#}");
    assert_eq!(code(&output), 0, "{found:#}");
}

#[test]
fn a_violation_is_shown_once() {
    let run = scratch("edges-show").join("run");
    let run = run.to_str().unwrap();
    succeeded(probity_in(sampled_root(), &["run", "--agent", "fault:swaps_order", "--variant", "ideal", "--out", run]));
    let shown = out(&probity_in(sampled_root(), &["show", run]));
    let mut violations = 0;
    for episode in shown.split("== ") {
        let lines: Vec<&str> = episode.lines().filter_map(|line| Some(line.split_once("_violated: ")?.1)).collect();
        let told: std::collections::BTreeSet<&&str> = lines.iter().collect();
        assert_eq!(told.len(), lines.len(), "{episode}");
        violations += lines.len();
    }
    assert!(violations > 0, "{shown}");
}

/// Another program of ours, where it stands beside this one, gets what was asked, and its exit code is the command's.
#[cfg(unix)]
#[test]
fn what_another_program_does_is_handed_on_to_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = scratch("edges-programs");
    let own = folder.join("probity");
    fs::hard_link(env!("CARGO_BIN_EXE_probity"), &own).unwrap();
    let kept = folder.join("kept");
    succeeded(probity_at(&cases("base"), &["run", "--agent", "oracle", "--out", path(&kept)]));
    let browsed = "show --agent oracle --level variant=ideal kept --failed --browse -q";
    for (program, typed, line) in [
        ("probity-peers", "conform rut a+file.jsonl", "conform rut 'a+file.jsonl'"),
        ("probity-browse", browsed, "--agent=oracle --level=variant=ideal --failed --quiet kept"),
    ] {
        let called = || Command::new(&own).args(typed.split(' ')).current_dir(&folder).output().unwrap();
        tells(called(), 2, err, &[&format!("the program `{program}`"), &format!("cargo run -p {program} -- {line}\n")]);
        let other = folder.join(program);
        fs::write(&other, "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 3\n").unwrap();
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
        let handed = called();
        assert_eq!((code(&handed), out(&handed)), (3, line.replace('\'', "").replace(' ', "|") + "|"));
    }
}
