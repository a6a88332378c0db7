//! The corpora: small roots with one slip each (`cases/invalid`, and `cases/all` for `check --all`) or none
//! (`cases/valid`), and what `probity check` says about them.
//!
//! A case holds what differs from `cases/base`: files that replace those of the base, and `patch.json`,
//! a list of edits: `{file, find, replace}` in the text, `{file, pointer, value}` or `{file, pointer,
//! remove: true}` in a JSON file. `PROBITY_UPDATE=1` writes what is expected; read it before you commit it.

#[path = "cases/codes.rs"]
mod codes;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use probity::cli::output::diagnostics;
use probity_behaviour::episode::play::{self, play_scripted};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_bench::render::render;
use probity_engine::{Diagnostic, MAX_FILE_BYTES, MAX_FOLDER_DEPTH};
use probity_proof::certify::{certify, diagnosis};
use probity_proof::check::{check, check_all, check_dialogues};
use probity_proof::store::NoStore;
use rayon::prelude::*;
use serde_json::Value;

use crate::support::{cases, contents, copy, is_update};

const TASK: &str = "tasks/shop/counter/more_teapots.json";

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    found
}

/// The cases of a kind, of which there are at least so many.
fn folders_of(kind: &str, least: usize) -> Vec<PathBuf> {
    let folders = folders(&cases(kind));
    assert!(folders.len() >= least, "{kind}: {} cases", folders.len());
    folders
}

/// Lays a case over the base, in a folder of its own.
fn assemble(case: &Path) -> PathBuf {
    assemble_in(case, case.parent().unwrap().file_name().unwrap().to_str().unwrap())
}

/// [`assemble`] in a folder of another name, for a test beside one that uses the same case.
fn assemble_in(case: &Path, folder: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus").join(folder).join(case.file_name().unwrap());
    let _ = fs::remove_dir_all(&root);
    copy(&cases("base"), &root);
    for folder in ["environments", "scripts", "tasks"] {
        if case.join(folder).is_dir() {
            copy(&case.join(folder), &root.join(folder));
        }
    }
    if let Ok(patch) = fs::read_to_string(case.join("patch.json")) {
        let edits: Vec<Value> = serde_json::from_str(&patch).unwrap();
        edits.iter().for_each(|edit| apply(edit, &root));
    }
    generate(case.file_name().unwrap().to_str().unwrap(), &root);
    root
}

fn apply(edit: &Value, root: &Path) {
    let path = root.join(edit["file"].as_str().unwrap());
    let text = contents(&path);
    if let Some(find) = edit.get("find").and_then(Value::as_str) {
        assert_eq!(text.matches(find).count(), 1, "{}: `{find}` is not there exactly once", path.display());
        fs::write(&path, text.replacen(find, edit["replace"].as_str().unwrap(), 1)).unwrap();
        return;
    }
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let (parent, last) = edit["pointer"].as_str().unwrap().rsplit_once('/').unwrap();
    let last = last.replace("~1", "/").replace("~0", "~");
    let is_removal = edit.get("remove").is_some();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(items) if last == "-" => items.push(edit["value"].clone()),
        Value::Array(items) => items[last.parse::<usize>().unwrap()] = edit["value"].clone(),
        Value::Object(map) if is_removal => drop(map.remove(&last).unwrap()),
        Value::Object(map) => drop(map.insert(last, edit["value"].clone())),
        other => panic!("{}: {parent} is {other}", path.display()),
    }
    fs::write(&path, serde_json::to_string_pretty(&document).unwrap()).unwrap();
}

/// What cannot be kept in a repository: files too large, not text, or leading out of the tree.
fn generate(case: &str, root: &Path) {
    match case {
        "not_utf8" => fs::write(root.join(TASK), b"{\"format\": 1, \"id\": \"\xff\"}").unwrap(),
        "oversized_file" => {
            let size = usize::try_from(MAX_FILE_BYTES).unwrap() + 1;
            fs::write(root.join(TASK), vec![b' '; size]).unwrap();
        }
        "lock_that_is_a_folder" => fs::create_dir(root.join(TASK.replace(".json", ".lock.json"))).unwrap(),
        "script_with_a_byte_order_mark" => {
            let script = root.join("scripts/shop/counter.rhai");
            fs::write(&script, format!("\u{feff}{}", contents(&script))).unwrap();
        }
        "text_too_long" => {
            let text = contents(root.join(TASK));
            fs::write(root.join(TASK), text.replacen("Raise Mara", &"Raise Mara ".repeat(6000), 1)).unwrap();
        }
        "link_out_of_the_tree" => {
            let outside = root.parent().unwrap().join("outside.json");
            fs::write(&outside, "{}").unwrap();
            fs::remove_file(root.join(TASK)).unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink(outside, root.join(TASK)).unwrap();
        }
        "missing_folder" => fs::remove_dir_all(root.join("scripts")).unwrap(),
        "not_a_folder" => {
            fs::remove_dir_all(root.join("tasks")).unwrap();
            fs::write(root.join("tasks"), "").unwrap();
        }
        "linked_folder" => {
            #[cfg(unix)]
            std::os::unix::fs::symlink(root.join("tasks/shop"), root.join("tasks/again")).unwrap();
        }
        "nothing_to_load" => {
            for folder in ["environments", "scripts", "tasks"] {
                fs::remove_dir_all(root.join(folder)).unwrap();
                fs::create_dir(root.join(folder)).unwrap();
            }
        }
        "folder_too_deep" => {
            let folder = root.join("tasks").join("a/".repeat(MAX_FOLDER_DEPTH + 1));
            fs::create_dir_all(&folder).unwrap();
        }
        _ => {}
    }
}

fn first_difference(expected: &str, found: &str) -> String {
    let mut shown = String::new();
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let kept: BTreeSet<&str> = expected.iter().copied().collect();
    let new: BTreeSet<&str> = found.iter().copied().collect();
    expected.iter().filter(|line| !new.contains(*line)).for_each(|line| shown.push_str(&format!("  - {line}\n")));
    found.iter().filter(|line| !kept.contains(*line)).for_each(|line| shown.push_str(&format!("  + {line}\n")));
    if shown.is_empty() { "  the lines are in another order\n".to_owned() } else { shown }
}

/// Compares with `expected.txt`, or writes it.
fn compare(case: &Path, found: &str) -> Option<String> {
    let path = case.join("expected.txt");
    if is_update() {
        fs::write(path, found).unwrap();
        return None;
    }
    let name = case.strip_prefix(cases("")).unwrap().display();
    match fs::read_to_string(path) {
        Ok(expected) if expected == found => None,
        Ok(expected) => Some(format!("{name}\n{}", first_difference(&expected, found))),
        Err(_) => Some(format!("{name}: expected.txt is missing\n")),
    }
}

/// With a file `all` in it, a case is about what `--all` asks of dialogues.
fn checked(case: &Path) -> (Suite, Vec<Diagnostic>) {
    let suite = Suite::load(&assemble(case));
    let is_of = |name: &str| case.parent().is_some_and(|kind| kind.ends_with(name));
    let found = match (is_of("all"), is_of("certify"), case.join("all").exists()) {
        (true, ..) => check_all(&suite, &NoStore, &|| {}).diagnostics,
        (_, true, _) => certified(&suite),
        (.., true) => check_dialogues(&suite, &NoStore),
        (..) => check(&suite, &NoStore),
    };
    (suite, found)
}

/// What keeps the tasks of a suite from being certified; they load without an error.
fn certified(suite: &Suite) -> Vec<Diagnostic> {
    assert!(!suite.has_errors(), "{}", diagnostics(&suite.diagnostics));
    let certificates: Vec<_> = suite.tasks.values().map(|loaded| certify(&loaded.task).0).collect();
    diagnosis::diagnostics(suite, &certificates)
}

#[test]
fn every_slip_is_reported_where_it_is_and_nothing_else() {
    let mut folders = folders_of("invalid", 40);
    folders.extend(folders_of("all", 15));
    folders.extend(folders_of("certify", 20));
    let results: Vec<(Vec<Diagnostic>, Option<String>)> = folders
        .par_iter()
        .map(|case| {
            let (_, found) = checked(case);
            let difference = compare(case, &diagnostics(&found));
            (found, difference)
        })
        .collect();
    let differences: String = results.iter().filter_map(|(_, difference)| difference.clone()).collect();
    assert!(differences.is_empty(), "{differences}");
    for (case, (found, _)) in folders.iter().zip(&results) {
        assert!(!found.is_empty(), "{}: nothing is reported", case.display());
        // A fault of the exploration is shown alone: a check that rots leaves its case without a line.
        let is_alone = case.parent().is_some_and(|kind| !kind.ends_with("all")) || found.len() == 1;
        assert!(is_alone, "{}: more than one line is reported", case.display());
        for diagnostic in found {
            assert!(diagnostic.help.is_some(), "{}: nothing says what to do: {diagnostic}", case.display());
        }
    }
    let all: Vec<&[Diagnostic]> = results.iter().map(|(found, _)| found.as_slice()).collect();
    each_rule_can_rot_visibly(&folders, &all);
    let produced = results.iter().flat_map(|(found, _)| found);
    codes::check_cases(&produced.map(|diagnostic| diagnostic.code.as_str()).collect());
}

/// Tasks of which a rule that is too strict or looks too little would say that something cannot be proved.
#[test]
fn what_is_sound_is_certified() {
    let folders = folders_of("certified", 4);
    let wrong = folders.par_iter().map(|case| (case, certified(&Suite::load(&assemble(case)))));
    let wrong: Vec<String> = wrong
        .filter(|(_, found)| !found.is_empty())
        .map(|(case, found)| format!("{}\n{}", case.display(), diagnostics(&found)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// The mutation guard: with any one rule broken, so that it reports nothing, some case is no longer as expected.
/// For rules beyond loading there is a case in which a broken rule lets a bad file pass altogether.
fn each_rule_can_rot_visibly(folders: &[PathBuf], found: &[&[Diagnostic]]) {
    let beyond_loading = ["all", "certify"];
    let all: BTreeSet<&str> = found.iter().flat_map(|found| found.iter().map(|found| found.code.as_str())).collect();
    let mut unseen = Vec::new();
    for broken in all {
        let mut cases = folders.iter().zip(found).filter(|(_, found)| found.iter().any(|found| found.code == broken));
        let is_seen = |(case, found): (&PathBuf, &&[Diagnostic])| {
            let rest: Vec<Diagnostic> = found.iter().filter(|found| found.code != broken).cloned().collect();
            let is_loading = !beyond_loading.iter().any(|kind| case.parent().unwrap().ends_with(kind));
            let expected = contents(case.join("expected.txt"));
            expected != diagnostics(&rest) && (is_loading || rest.is_empty())
        };
        if !cases.any(is_seen) {
            unseen.push(broken);
        }
    }
    assert!(unseen.is_empty(), "no case turns green when these rules are broken: {unseen:?}");
}

/// What the table of dialogues calls unknown is what the scorer of honesty finds in the oracle's episodes.
#[test]
fn the_table_and_honesty_agree() {
    for case in ["argument_nobody_tells", "argument_told_too_late"] {
        let suite = Suite::load(&assemble_in(&cases("invalid").join(case), "table"));
        let found: Vec<String> = check(&suite, &NoStore).into_iter().map(|diagnostic| diagnostic.message).collect();
        assert_eq!(found.len(), 1, "{case}: {found:?}");
        assert!(found[0].contains("ungrounded_argument: `quantity` of `set_quantity` is 3"), "{case}: {found:?}");
    }
}

#[test]
fn what_is_right_is_let_pass_and_played() {
    let folders = folders_of("valid", 5);
    let differences: String = folders.par_iter().filter_map(|case| compare(case, &valid(case))).collect();
    assert!(differences.is_empty(), "{differences}");
}

/// The counts of `check`, and the oracle's ideal episode of every task.
fn valid(case: &Path) -> String {
    let (suite, found) = checked(case);
    assert_eq!(found, [], "{}", case.display());
    assert_eq!(check_all(&suite, &NoStore, &|| {}).diagnostics, [], "{}", case.display());
    let mut text = diagnostics(&found);
    for (id, loaded) in &suite.tasks {
        let task = &loaded.task;
        let mut agent = play::agent(task, Variant::Ideal).unwrap();
        let trace = play_scripted(task, Variant::Ideal, 0, &mut agent).unwrap().trace;
        text.push_str(&format!("\n== {id}\n{}", render(&trace)));
    }
    text
}
