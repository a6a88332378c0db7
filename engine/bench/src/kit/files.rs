//! The authored files of a suite, before anything is made of them.

use std::path::Path;

use crate::benchmark::Files;
use probity_engine::{Diagnostic, Scripts, Severity, Source, is_unfinished, read};

/// The texts of the files in some folders below a root, each folder with an ending, and what is to be said of the
/// others.
pub fn read_all(root: &Path, folders: &[(&str, &str)]) -> (Files, Vec<Diagnostic>) {
    let (mut files, mut refused) = (Files::new(), Vec::new());
    for (at, (folder, ending)) in folders.iter().enumerate() {
        let listing = read::list(root, folder, ending);
        refused.extend(listing.refused);
        // What another ending of the same folder reads is told nowhere, and what none reads only once.
        let endings = || folders.iter().filter(|(of, _)| of == folder).map(|(_, ending)| format!(".{ending}"));
        let is_first = folders.iter().position(|(of, _)| of == folder) == Some(at);
        let others = listing.others.iter().filter(|path| is_first && !endings().any(|ending| path.ends_with(&ending)));
        refused.extend(others.filter_map(|path| unread(folders, path)));
        for path in listing.files {
            match read::read(root, &path) {
                Ok(text) => drop(files.insert(path, text)),
                Err(found) => refused.push(found),
            }
        }
    }
    (files, refused)
}

/// The files in a folder with an ending: the name between them, the path, the text.
pub fn below<'f>(
    files: &'f Files,
    folder: &'f str,
    ending: &'f str,
) -> impl Iterator<Item = (&'f str, &'f str, &'f str)> {
    files.iter().filter_map(move |(path, text)| {
        let name = path.strip_prefix(folder)?.strip_suffix(ending)?;
        Some((name, path.as_str(), text.as_str()))
    })
}

/// The scripts in a folder, by the path that environments in it know them by.
pub fn scripts(files: &Files, folder: &str) -> Scripts {
    let script = |(path, text): (&String, &String)| {
        let own = path.strip_prefix(folder).filter(|own| own.ends_with(".rhai"))?;
        Some((own.to_owned(), Source { file: path.clone(), text: text.clone() }))
    };
    files.iter().filter_map(script).collect()
}

/// Beginnings of names that may lie anywhere, in capitals.
const PAPERS: [&str; 6] = ["README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG"];
/// How editors and tools end what they keep of an earlier text.
const BACKUPS: [&str; 10] = ["~", ".bak", ".orig", ".rej", ".old", ".save", ".swp", ".tmp", ".backup", ".copy"];
/// Endings of what may be meant as an authored file.
const DATA: [&str; 10] = ["json", "jsonc", "json5", "jsonl", "yaml", "yml", "toml", "rhai", "js", "txt"];

/// What is to be said of a file in one of these folders that none of them reads, each folder with an ending of its files.
pub fn unread(folders: &[(&str, &str)], path: &str) -> Option<Diagnostic> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_paper = PAPERS.iter().any(|paper| name.to_uppercase().starts_with(paper));
    if is_paper || name.ends_with(".md") {
        return None;
    }
    let holds = |folder: &str| path.strip_prefix(folder).is_some_and(|below| below.starts_with('/'));
    let (folder, _) = folders.iter().find(|(folder, _)| holds(folder))?;
    let endings: Vec<&str> = folders.iter().filter(|(of, _)| of == folder).map(|(_, ending)| *ending).collect();
    let warning = |message: &str, help: String| {
        let told = Diagnostic::file(path, "unread_file", message).help(help);
        Some(Diagnostic { severity: Severity::Warning, ..told })
    };
    let is_left = |ending: &&str| {
        let of = name.split_once(&format!(".{ending}.")).map(|(of, _)| format!("{of}.{ending}"));
        of.is_some_and(|of| is_unfinished(name, &of))
    };
    if endings.iter().any(is_left) {
        let help = "remove it: nothing in it is lost, the file itself is whole";
        return warning("left by a command that was stopped while it wrote", help.to_owned());
    }
    let is_backup = BACKUPS.iter().any(|backup| name.ends_with(backup)) || name.starts_with(['#', '~']);
    if is_backup {
        return warning(
            "not read: an earlier text, as editors keep it",
            format!("move it out of {folder}/, or remove it"),
        );
    }
    let known: Vec<String> = endings.iter().map(|ending| format!("`.{ending}`")).collect();
    let message = format!("not read: files of {folder}/ end in {}", known.join(" or "));
    let (stem, last) =
        name.split_once('.').map_or((name, ""), |(stem, _)| (stem, name.rsplit('.').next().unwrap_or("")));
    let last = last.to_lowercase();
    if !DATA.contains(&last.as_str()) {
        return warning(&message, format!("move it out of {folder}/, or begin its name with a dot"));
    }
    let homes = folders.iter().filter(|(of, wanted)| last == *wanted && of != folder);
    let homes: Vec<&str> = homes.map(|(of, _)| *of).filter(|_| !endings.contains(&last.as_str())).collect();
    let lies = |(at, of): (usize, &&str)| {
        let what = of.rsplit('/').next().unwrap_or_default();
        format!("{what} {}below {of}/", if at == 0 { "lie " } else { "" })
    };
    let help = match (homes.is_empty(), endings.first()) {
        (true, Some(ending)) => format!("write it as `{stem}.{ending}`, or move it out of {folder}/"),
        _ => homes.iter().enumerate().map(lies).collect::<Vec<_>>().join(", "),
    };
    Some(Diagnostic::file(path, "unread_file", message).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDERS: [(&str, &str); 3] = [("environments", "json"), ("scripts", "rhai"), ("tasks", "json")];

    #[test]
    fn what_is_not_read_is_told_by_what_it_is() {
        for (path, severity, help) in [
            ("tasks/a/b/x.jsonc", "error", "write it as `x.json`, or move it out of tasks/"),
            ("tasks/a/b/x.JSON", "error", "write it as `x.json`, or move it out of tasks/"),
            ("tasks/a/b/x.json.txt", "error", "write it as `x.json`, or move it out of tasks/"),
            ("tasks/a/b/x.yaml", "error", "write it as `x.json`, or move it out of tasks/"),
            ("tasks/a/b/x.rhai", "error", "scripts lie below scripts/"),
            ("scripts/a/x.json", "error", "environments lie below environments/, tasks below tasks/"),
            ("tasks/a/b/x.json.bak", "warning", "move it out of tasks/, or remove it"),
            ("tasks/a/b/x.json~", "warning", "move it out of tasks/, or remove it"),
            ("tasks/a/b/#x.json#", "warning", "move it out of tasks/, or remove it"),
            ("tasks/a/b/x.json.4711-0.tmp", "warning", "remove it: nothing in it is lost, the file itself is whole"),
            ("tasks/a/b/picture.png", "warning", "move it out of tasks/, or begin its name with a dot"),
        ] {
            let found = unread(&FOLDERS, path).unwrap();
            assert_eq!((found.is_error(), found.help.as_deref()), (severity == "error", Some(help)), "{path}");
        }
        for path in ["tasks/README", "tasks/a/readme.txt", "tasks/LICENSE", "tasks/a/notes.md"] {
            assert_eq!(unread(&FOLDERS, path), None, "{path}");
        }
    }

    #[test]
    fn a_folder_may_have_files_of_several_endings() {
        let folders = ["json", "md"].map(|ending| ("tickets", ending));
        let found = unread(&folders, "tickets/sms/late.yaml").unwrap();
        assert_eq!(found.message, "not read: files of tickets/ end in `.json` or `.md`");
        assert_eq!(found.help.as_deref(), Some("write it as `late.json`, or move it out of tickets/"));
    }
}
