//! `probity import`.

mod asked;
mod seen;
pub mod tickets;
mod tools;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Global;
use super::exit::Exit;
use crate::failure::Failure;
use clap::Subcommand;
use probity_engine::{is_written, write_new};

/// Turn tools of others or raw dialogues into environments, tasks and tickets.
///
/// What they do not say is listed: the bodies of the tools above all, or what a reply must convey. Nothing is
/// overwritten.
#[derive(clap::Args)]
pub struct Import {
    #[command(subcommand)]
    from: From,
}

#[derive(Subcommand)]
enum From {
    /// Tools of an MCP server, as an environment that plays
    Mcp(tools::ImportMcp),
    /// Operations of an OpenAPI document, as an environment that plays
    #[command(name = "openapi")]
    OpenApi(tools::ImportOpenApi),
    /// Raw service dialogues, masked and put in turns, as tickets
    Tickets(tickets::ImportTickets),
}

impl Import {
    pub(super) fn run(&self, global: &Global) -> Exit {
        match &self.from {
            From::Mcp(import) => import.run(global),
            From::OpenApi(import) => import.run(global),
            From::Tickets(import) => import.run(global),
        }
    }
}

/// Where files are begun that are written.
const UNFINISHED: &str = ".probity/unfinished";

/// Writes all files or, when another text is there already or one cannot be written, none. What is there with the same
/// text stays: an import that was stopped, at its last moment even, ends as it would have when it is called again.
pub fn write(out: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    if let Some((path, _)) = files.iter().find(|(path, text)| is_written(&out.join(path), text).is_err()) {
        let help = "an import overwrites nothing: name an empty folder with `--out`";
        return Err(Failure::new(format!("`{path}` exists already, with another text"), help));
    }
    let mut made = Vec::new();
    let create = |(path, text): &(&str, &str)| {
        create(out, &out.join(path), text, &mut made)
            .map_err(|error| Failure::new(format!("cannot write `{path}`: {error}"), FAILED))
    };
    let created = files.iter().try_for_each(create);
    tidy(out);
    if created.is_err() {
        // The newest first: folders are empty by then.
        made.iter().rev().for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
    }
    created
}

const FAILED: &str = "nothing of it is left behind; look at the permissions and the free space, then call it again";

/// Creates a file and the folders above it, and notes what was not there before.
fn create(out: &Path, path: &Path, text: &str, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if is_written(path, text)? {
        return Ok(());
    }
    let folders: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| !folder.is_dir()).collect();
    for folder in folders.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir(folder)?;
        made.push(folder.to_owned());
    }
    write_new(out, path, text)?;
    made.push(path.to_owned());
    Ok(())
}

/// Takes away where files were begun, where nothing else is in it.
fn tidy(out: &Path) {
    for folder in [UNFINISHED, ".probity"] {
        let _ = fs::remove_dir(out.join(folder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> PathBuf {
        let out = std::env::temp_dir().join(format!("probity-import-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(out.join("tasks")).unwrap();
        out
    }

    #[test]
    fn a_failed_import_takes_away_only_what_it_began() {
        let files = [("tasks/a.json", "{}"), ("tasks/b.json/c.json", "{}")];
        for is_begun in [false, true] {
            let out = place("failed");
            fs::write(out.join("tasks/b.json"), "").unwrap();
            if is_begun {
                fs::write(out.join("tasks/a.json"), "{}").unwrap();
            }
            assert!(write(&out, &files).is_err());
            assert_eq!(out.join("tasks/a.json").is_file(), is_begun);
            assert!(!out.join(".probity").is_dir());
            fs::remove_dir_all(out).unwrap();
        }
    }

    #[test]
    fn an_import_that_was_done_is_done_again_and_another_text_is_in_its_way() {
        let out = place("again");
        for _ in 0..2 {
            write(&out, &[("tasks/a.json", "{}"), ("b.json", "[]")]).unwrap();
        }
        assert!(write(&out, &[("c.json", ""), ("tasks/a.json", "{ }")]).is_err());
        assert!(!out.join("c.json").exists());
        fs::remove_dir_all(out).unwrap();
    }
}
