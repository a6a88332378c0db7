//! What the exploration finds when the mend of a shipped environment is taken out again.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test stops it like the test itself")]

use std::fs;
use std::path::{Path, PathBuf};

use probity_behaviour::check::environment::{explore, tasks_of};
use probity_behaviour::suite::Suite;
use probity_engine::Problem;

use crate::support::{copy, root, scratch};

/// A copy of the shipped environments, scripts and tasks, with a file changed.
fn changed(name: &str, file: &str, change: impl FnOnce(String) -> String) -> PathBuf {
    let folder = scratch(name);
    for part in ["environments", "scripts", "tasks"] {
        copy(&root().join(part), &folder.join(part));
    }
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
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
