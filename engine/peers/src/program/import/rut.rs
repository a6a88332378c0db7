//! `probity-peers import rut-bench`.

use std::path::PathBuf;

use probity::cli::exit::Exit;
use probity::cli::import::write;
use probity::cli::{Global, Stopped, output};
use probity_engine::{ids::is_identifier, words};
use probity_local::Failure;
use probity_peers::{Drafts, PeerFiles, PeerPaths, drafts};
use serde_json::json;

/// Samples of RUT-Bench.
///
/// What they do not say is listed: the bodies of the tools above all. Nothing is overwritten.
#[derive(clap::Args)]
pub struct ImportRut {
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
}

impl ImportRut {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let ImportRut { samples, blueprints, out, domain } = self;
        if !is_identifier(domain) {
            let help = "lower-case letters, digits and `_`";
            return Err(Failure::new(format!("`{domain}` is no name of a domain"), help).into());
        }
        let files = PeerFiles::read(PeerPaths { samples, blueprints, results: None })
            .map_err(|problems| output::refuse(global.json, &problems))?;
        if !global.quiet {
            files.warnings.iter().for_each(|warning| output::note(&warning.to_string()));
        }
        let drafts = drafts(&files, domain, &words::is_reserved);
        let files: Vec<(&str, &str)> =
            drafts.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        write(out, &files)?;
        global.tell(|| as_value(&drafts), || listing(&drafts));
        Ok(Exit::Clean)
    }
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
