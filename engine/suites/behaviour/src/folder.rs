//! What lies in the folders of a suite: files that are read, files that lie or are called so that they never would be,
//! and everything else, of which an author is told.

use std::path::Path;

use probity_bench::kit;
use probity_engine::Diagnostic;
use probity_engine::ids::is_identifier;

use crate::load::lock;
use crate::suite::Files;

/// The folders below a root, each with the ending of its files.
pub const FOLDERS: [(&str, &str); 3] = [("environments", "json"), ("scripts", "rhai"), ("tasks", "json")];

/// The texts of all files below a root that can be read, and what is to be said of the others.
pub fn read_all(root: &Path) -> (Files, Vec<Diagnostic>) {
    let there: Vec<(&str, &str)> = FOLDERS.into_iter().filter(|(folder, _)| is_expected(root, folder)).collect();
    let (files, mut diagnostics) = kit::read_all(root, &there);
    // A root that is not there is missed by each of its folders.
    diagnostics.dedup();
    (files, diagnostics)
}

/// Whether a folder has to be there: an environment can be played without a task.
pub fn is_expected(root: &Path, folder: &str) -> bool {
    folder != "tasks" || root.join(folder).exists() || !root.join("environments").is_dir()
}

/// The folders between one of ours and a file in it; nothing for a file that lies in none, or in none of its folders.
pub fn below(path: &str) -> Option<&str> {
    let (_, below) =
        FOLDERS.iter().find_map(|(folder, _)| Some((folder, path.strip_prefix(folder)?.strip_prefix('/')?)))?;
    below.rsplit_once('/').map(|(folders, _)| folders)
}

/// What is wrong with the place or the name of a file that is read: by them it is known.
pub fn misplaced(path: &str) -> Option<Diagnostic> {
    let (folder, ending) = FOLDERS.into_iter().find(|(folder, _)| path.starts_with(&format!("{folder}/")))?;
    let own = path.strip_prefix(folder)?.strip_prefix('/')?;
    let (own, ending) = match own.strip_suffix(lock::ENDING).filter(|_| folder == "tasks") {
        Some(own) => (own, lock::ENDING.to_owned()),
        None => (own.strip_suffix(&format!(".{ending}"))?, format!(".{ending}")),
    };
    let parts: Vec<&str> = own.split('/').collect();
    let (form, wanted): (&str, usize) = match (folder, parts.as_slice()) {
        ("tasks", _) => ("tasks/<domain>/<environment>/<name>", 3),
        ("scripts", ["lib", ..]) => ("scripts/lib/<name>", 2),
        ("scripts", _) => ("scripts/<domain>/<name>", 2),
        (..) => ("environments/<domain>/<name>", 2),
    };
    let refused = |message: String, help: String| Some(Diagnostic::file(path, "misplaced_file", message).help(help));
    if parts.len() != wanted {
        let message = format!("a file here lies at {form}{ending}");
        let up = parts.get(..wanted.saturating_sub(1)).zip(parts.last()).filter(|_| parts.len() > wanted);
        let help = up.map_or_else(
            || format!("put it there: {} is known by its place", if folder == "tasks" { "a task" } else { "it" }),
            |(folders, name)| {
                let place = folders.iter().chain([name]).copied().collect::<Vec<_>>().join("/");
                format!("move it to {folder}/{place}{ending}, or out of {folder}/ if it is not to be used")
            },
        );
        return refused(message, help);
    }
    let odd = parts.iter().find(|part| !is_identifier(part))?;
    let better = identifier(odd);
    let help = match better.is_empty() {
        true => "letters, digits and `_`, beginning with a letter".to_owned(),
        false => format!("rename it, for example to `{better}`"),
    };
    refused(format!("`{odd}` is no lower-case identifier, by which it could be named"), help)
}

/// A name as a lower-case identifier: `BrokenJars` is `broken_jars`.
fn identifier(name: &str) -> String {
    let mut own = String::new();
    let mut before = ' ';
    for c in name.chars().take(60) {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) && !own.ends_with('_') {
            own.push('_');
        }
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => own.push(c),
            _ if own.is_empty() || own.ends_with('_') => {}
            _ => own.push('_'),
        }
        before = c;
    }
    own.trim_matches('_').trim_start_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{hold, row};

    fn told(path: &str) -> String {
        row(misplaced(path).map(|found| format!("{}; {}", found.message, found.help.unwrap())), "")
    }

    #[test]
    fn names_and_places_are_told_as_the_cases_say() {
        hold(include_str!("folder_cases.txt"), &[("misplaced", told)]);
    }
}
