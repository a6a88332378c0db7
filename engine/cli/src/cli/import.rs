//! `probity import`.

mod tau2;
mod tickets;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::exit::Exit;
use super::{Global, output};
use crate::failure::Failure;
use probity_engine::{ids::is_identifier, words};
use probity_peers::{Drafts, PeerFiles, PeerPaths, drafts};

/// Turn another benchmark's samples, or raw dialogues, into drafts.
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
    /// Samples of RUT-Bench
    RutBench {
        /// Its samples
        #[arg(long, value_name = "FILE")]
        samples: PathBuf,
        /// Its environments and tasks
        #[arg(long, value_name = "FILE")]
        blueprints: PathBuf,
        /// The folder to write to; `--root` of later commands
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// The domain of the drafts
        #[arg(long, default_value = "imported", value_name = "NAME")]
        domain: String,
    },
    /// Raw service dialogues, masked and put in turns, as tickets
    Tickets(tickets::ImportTickets),
    /// Task files of CirrusBench, as tickets
    Cirrus(tickets::ImportCirrus),
    /// Tasks of tau2-bench, with its databases and policies, to be played as they are
    Tau2(tau2::ImportTau2),
}

impl Import {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let (samples, blueprints, out, domain) = match &self.from {
            From::RutBench { samples, blueprints, out, domain } => (samples, blueprints, out, domain),
            From::Tickets(import) => return import.run(global),
            From::Cirrus(import) => return import.run(global),
            From::Tau2(import) => return import.run(global),
        };
        if !is_identifier(domain) {
            output::error(&format!("`{domain}` is no name of a domain"), "lower-case letters, digits and `_`");
            return Exit::BadInput;
        }
        let files = match PeerFiles::read(PeerPaths { samples, blueprints, results: None }) {
            Ok(files) => files,
            Err(problems) => return output::refuse(global.json, &problems),
        };
        if !global.quiet {
            files.warnings.iter().for_each(|warning| output::note(&warning.to_string()));
        }
        let drafts = drafts(&files, domain, &words::is_reserved);
        let files: Vec<(&str, &str)> =
            drafts.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        if let Err(failure) = write(out, &files) {
            return output::fail(&failure);
        }
        match global.json {
            true => output::json(&as_value(&drafts)),
            false => output::print(&listing(&drafts)),
        }
        Exit::Clean
    }
}

/// Writes all files or, when one is there already or cannot be written, none.
fn write(out: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    if let Some((path, _)) = files.iter().find(|(path, _)| out.join(path).symlink_metadata().is_ok()) {
        return Err(Failure::new(format!("`{path}` exists already"), "name an empty folder with `--out`"));
    }
    let mut made = Vec::new();
    for (path, text) in files {
        if let Err(error) = create(&out.join(path), text, &mut made) {
            // The newest first: folders are empty by then.
            made.iter().rev().for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
            let help = "nothing is left behind; look at the permissions and the free space".to_owned();
            return Err(Failure::new(format!("cannot write `{path}`: {error}"), help));
        }
    }
    Ok(())
}

/// Creates a file and the folders above it, and notes what was not there before.
fn create(path: &Path, text: &str, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let folders: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| !folder.is_dir()).collect();
    for folder in folders.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir(folder)?;
        made.push(folder.to_owned());
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    made.push(path.to_owned());
    file.write_all(text.as_bytes())
}

fn as_value(drafts: &Drafts) -> serde_json::Value {
    let wrote: Vec<&str> = drafts.files.iter().map(|file| file.path.as_str()).collect();
    let passed_over: Vec<_> =
        drafts.passed_over.iter().map(|(sample, why)| json!({"sample_id": sample, "why": why})).collect();
    json!({"wrote": wrote, "left": drafts.left, "passed_over": passed_over})
}

fn listing(drafts: &Drafts) -> String {
    let mut text: String = drafts.files.iter().map(|file| format!("wrote {}\n", file.path)).collect();
    for (sample, why) in &drafts.passed_over {
        text.push_str(&format!("no draft of {sample}: {why}\n"));
    }
    text.push_str("\nleft to the author:\n");
    let mut file = "";
    for left in &drafts.left {
        if left.file != file {
            file = &left.file;
            text.push_str(&format!("{file}\n"));
        }
        text.push_str(&format!("  {}: {}\n", left.pointer, left.what));
    }
    let files = output::count(drafts.files.len(), "file");
    text.push_str(&format!("{files}, {} left to the author\n", output::count(drafts.left.len(), "thing")));
    text
}
