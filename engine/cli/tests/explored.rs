//! What random calls and the exploration find: no author's fault in the shipped environments, and each of those that
//! were there before when its mend is taken out again.

use std::fs;
use std::path::{Path, PathBuf};

use probity_behaviour::suite::Suite;
use probity_engine::Problem;
use probity_proof::check::environment::{explore, tasks_of};

use crate::support::{
    binary, contents, copy_environments, json, out, probity_at, root, sampled_root, scratch, succeeded,
};

/// A copy of a shipped environment with its script and tasks, with a file changed.
fn changed(name: &str, file: &str, change: impl FnOnce(String) -> String) -> PathBuf {
    let folder = scratch(name);
    let (_, id) = file.rsplit_once('.').unwrap().0.split_once('/').unwrap();
    copy_environments(&[id], &folder);
    let path = folder.join(file);
    let text = contents(&path);
    let new = change(text.clone());
    assert_ne!(new, text, "{file} is as it was");
    fs::write(path, new).unwrap();
    folder
}

/// The text without the precondition of this code, wherever it stands.
fn without(text: &str, precondition: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find(&format!("\"code\": \"{precondition}\"")) {
        let (from, to) = (text[..at].rfind('{').unwrap(), at + text[at..].find('}').unwrap() + 1);
        let behind = text[to..].strip_prefix(',').map(|_| to + 1);
        // The last of a list takes the comma before it along.
        let from = if behind.is_some() { from } else { text[..from].rfind(',').unwrap() };
        text.replace_range(from..behind.unwrap_or(to), "");
    }
    text
}

fn explored(folder: &Path, id: &str) -> Vec<Problem> {
    let suite = Suite::load(folder);
    let environment = suite.environments.get(id).unwrap_or_else(|| panic!("{:?}", suite.diagnostics));
    explore(environment, &tasks_of(&suite, id)).problems
}

fn finds(problems: &[Problem], code: &str, what: &str) {
    let found = problems.iter().find(|problem| problem.code == code && problem.message.contains(what));
    assert!(found.is_some(), "{code} {what}: {problems:#?}");
}

#[test]
fn a_stay_that_grows_beyond_its_schema_is_found() {
    let file = "environments/travel_hospitality/front_desk.json";
    let folder = changed("grown", file, |text| without(&text, "stay_too_long"));
    finds(&explored(&folder, "travel_hospitality/front_desk"), "call_breaks_schema", "`extend_stay`");
}

#[test]
fn a_stay_that_begins_on_the_last_day_is_found() {
    let stop = "fn departure(booking) { if booking.arrival == \"9999-12-31\" { throw \"beyond\"; }";
    let file = "scripts/travel_hospitality/front_desk.rhai";
    let folder = changed("last-day", file, |text| {
        let text = text.replace("fn departure(booking) {", stop);
        text.replace(
            "let leave = add_days(arrival, nights);",
            "let leave = departure(#{ arrival: arrival, nights: nights });",
        )
    });
    finds(&explored(&folder, "travel_hospitality/front_desk"), "call_faults", "`find_free_rooms`");
}

#[test]
fn a_window_that_begins_on_the_last_day_is_found() {
    let file = "scripts/infrastructure_devops/platform.rhai";
    let folder = changed("last-window", file, |text| {
        text.replace(
            "fn window_start(day, start_time) {",
            "fn window_start(day, start_time) { if day == \"9999-12-31\" { throw \"beyond\"; }",
        )
    });
    finds(&explored(&folder, "infrastructure_devops/platform"), "call_faults", "`schedule_window`");
}

#[test]
fn a_patient_in_two_places_is_found_and_told_by_a_short_way() {
    let file = "environments/healthcare/clinic.json";
    let folder = changed("two-places", file, |text| without(&text, "patient_busy"));
    let found = json(&probity_at(&folder, &["check", "healthcare", "--json", "--explore", "20000"]));
    let faults = found["diagnostics"].as_array().unwrap();
    let fault = faults.iter().find(|fault| fault["code"] == "invariant_broken").unwrap();
    let help = fault["help"].as_str().unwrap();
    // Two bookings are enough, or one where the state has a booking already.
    assert!((1..=2).contains(&help.matches("book_slot").count()), "{help}");
    assert!(help.contains("populate ("), "{help}");
}

#[test]
fn random_calls_find_nothing_and_are_the_same_with_any_number_of_threads() {
    let explored = |root: &Path, threads: &str, more: &[&str]| {
        let mut command = binary();
        command.env("RAYON_NUM_THREADS", threads).arg("--root").arg(root).arg("check").args(more).output().unwrap()
    };
    let explore = |root: &Path, threads: &str, calls: &str| {
        out(&succeeded(explored(root, threads, &["--json", "--explore", calls])))
    };
    let all = explore(&root(), "3", "12000");
    assert!(all.contains("\"explored_calls\": 12000") || all.contains("\"explored_calls\":12000"), "{all}");
    // Of each environment as many calls as above.
    assert_eq!(explore(sampled_root(), "3", "3000"), explore(sampled_root(), "1", "3000"));
    let folder =
        changed("again", "environments/travel_hospitality/front_desk.json", |text| without(&text, "stay_too_long"));
    let faulty = |threads: &str| out(&explored(&folder, threads, &["travel_hospitality", "--explore", "10000"]));
    let found = faulty("1");
    assert!(found.contains("call_breaks_schema") && found.contains("extend_stay"), "{found}");
    assert_eq!(faulty("3"), found);
}
