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

/// Stands in the folder that is written to until all is there.
const BEGUN: &str = ".probity/import";

/// Where files are begun that are written there.
const UNFINISHED: &str = ".probity/unfinished";

/// Writes all files or, when one is there already or cannot be written, none. What an import that was stopped has written
/// of the same files stays.
pub fn write(out: &Path, files: &[(&str, &str)]) -> Result<Written, Failure> {
    let is_begun = out.join(BEGUN).is_file();
    let is_in_the_way = |path: &str, text: &str| match is_written(&out.join(path), text) {
        Ok(is_there) => is_there && !is_begun,
        Err(_) => true,
    };
    if let Some((path, _)) = files.iter().find(|(path, text)| is_in_the_way(path, text)) {
        return Err(Failure::new(format!("`{path}` exists already"), "name an empty folder with `--out`"));
    }
    let mut made = Vec::new();
    let mut create = |path: &str, text: &str| {
        let created = create(out, &out.join(path), text, &mut made);
        created.map_err(|error| {
            // What another import has begun stays marked as begun.
            let _ = fs::remove_dir(out.join(UNFINISHED));
            // The newest first: folders are empty by then.
            made.iter().rev().for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
            let help = "nothing of it is left behind; look at the permissions and the free space, then call it again";
            Failure::new(format!("cannot write `{path}`: {error}"), help)
        })
    };
    create(BEGUN, "")?;
    files.iter().try_for_each(|(path, text)| create(path, text))?;
    Ok(Written(out.to_owned()))
}

/// An import of which all is written. Until this is gone, as late as can be, the same import again ends as this one does.
pub struct Written(PathBuf);

impl Drop for Written {
    fn drop(&mut self) {
        tidy(&self.0);
    }
}

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

/// Takes away what stood there while files were written, where nothing else is in it.
fn tidy(out: &Path) {
    let _ = fs::remove_file(out.join(BEGUN));
    for folder in [UNFINISHED, ".probity"] {
        let _ = fs::remove_dir(out.join(folder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_import_takes_away_only_what_it_began() {
        let out = std::env::temp_dir().join(format!("probity-import-{}", std::process::id()));
        let files = [("tasks/a.json", "{}"), ("tasks/b.json/c.json", "{}")];
        for is_begun in [false, true] {
            let _ = fs::remove_dir_all(&out);
            fs::create_dir_all(out.join("tasks")).unwrap();
            fs::write(out.join("tasks/b.json"), "").unwrap();
            if is_begun {
                fs::create_dir_all(out.join(".probity")).unwrap();
                fs::write(out.join(BEGUN), "").unwrap();
                fs::write(out.join("tasks/a.json"), "{}").unwrap();
            }
            assert!(write(&out, &files).is_err());
            assert_eq!(out.join(BEGUN).is_file(), is_begun);
            assert_eq!(out.join("tasks/a.json").is_file(), is_begun);
            assert_eq!(out.join(".probity").is_dir(), is_begun);
        }
        fs::remove_dir_all(out).unwrap();
    }
}
