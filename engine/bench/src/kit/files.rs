//! The authored files of a suite, before anything is made of them.

use std::path::Path;

use super::unread::unread;
use crate::benchmark::Files;
use probity_engine::{Diagnostic, Scripts, Source, read};

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
