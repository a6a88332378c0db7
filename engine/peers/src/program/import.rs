//! `probity-peers import`.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use probity::cli::exit::Exit;
use probity::cli::import::tickets::{PreparationFlags, lines, text};
use probity::cli::import::write;
use probity::cli::{Global, Stopped, output};
use probity_engine::{ids::is_identifier, words};
use probity_local::Failure;
use probity_peers::tau::{Domain, Package, PackageSource, TauSet};
use probity_peers::{CirrusTask, CirrusTool, Drafts, PeerFiles, PeerPaths, drafts, raw_ticket};
use probity_tickets::model::ToolFile;
use probity_tickets::preparation::{Fillers, Preparation, Prepared};

/// Turn another benchmark's samples into drafts of environments, tasks and tickets.
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
    RutBench(ImportRut),
    /// Task files of CirrusBench, as tickets
    Cirrus(ImportCirrus),
    /// Tasks of tau2-bench, with its databases and policies, to be played as they are
    Tau2(ImportTau2),
}

impl Import {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        match &self.from {
            From::RutBench(import) => import.run(global),
            From::Cirrus(import) => import.run(global),
            From::Tau2(import) => import.run(global),
        }
    }
}

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

/// Task files of CirrusBench.
#[derive(clap::Args)]
pub struct ImportCirrus {
    /// Its tasks, JSON lines
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// Its tool schemas, JSON lines
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// The folder of its references, `references_<id>.json`
    #[arg(long, value_name = "DIR")]
    references: Option<PathBuf>,
    #[command(flatten)]
    flags: PreparationFlags,
}

impl ImportCirrus {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        Ok(self.flags.finish(global, &self.prepared()?)?)
    }

    fn prepared(&self) -> Result<Prepared, Failure> {
        let tools = self.tools.as_deref().map(lines::<CirrusTool>).transpose()?.unwrap_or_default();
        let tools: Vec<ToolFile> = tools.into_iter().map(CirrusTool::tool).collect();
        let (mut raw, mut passed_over, mut log) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(folder) = self.references.as_deref().filter(|folder| !folder.is_dir()) {
            return Err(Failure::new(format!("`{}` is no folder", folder.display()), "name the folder of references"));
        }
        for task in lines::<CirrusTask>(&self.tasks)? {
            let id = task.id.clone();
            let reference = self.references.as_deref().map(|folder| reference(folder, &id)).transpose()?.flatten();
            if self.references.is_some() && reference.is_none() {
                log.push(format!("{id}: there is no `references_{id}.json`, so it has no document"));
            }
            match raw_ticket(task, &tools, reference.as_ref()) {
                Ok((ticket, left_out)) => {
                    if left_out > 0 {
                        let what = output::count(left_out, "message");
                        log.push(format!("{id}: {what} of calls and results that no checkpoint names left out"));
                    }
                    raw.push(ticket);
                }
                Err(why) => passed_over.push((id, why)),
            }
        }
        // Positions of its checkpoints hold for the dialogue as it is.
        let preparation = Preparation { names: self.flags.names()?, fillers: Fillers::of([]) };
        let mut prepared = preparation.tickets(&raw);
        passed_over.append(&mut prepared.passed_over);
        log.append(&mut prepared.log);
        Ok(Prepared { passed_over, log, ..prepared })
    }
}

fn reference(folder: &Path, id: &str) -> Result<Option<Value>, Failure> {
    let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let path = folder.join(format!("references_{id}.json"));
    if !is_plain || !path.exists() {
        return Ok(None);
    }
    let wrong = |error| Failure::new(format!("`{}`: {error}", path.display()), "mend the JSON, or take the file away");
    serde_json::from_str(&text(&path)?).map(Some).map_err(wrong)
}

/// Tasks, databases and policies of tau2-bench, as a folder that the suite `tau2` plays.
///
/// The tools are those of `mm-tau/` below `--root`. Nothing is overwritten, and nothing is written unless all is right.
#[derive(clap::Args)]
pub struct ImportTau2 {
    /// tau2-bench's data: a folder for each world, and the databases with all fields filled in
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The folder to write to, outside your repository; `--root` of later commands
    #[arg(long, value_name = "PKG")]
    out: PathBuf,
    /// A world [default: all three]
    #[arg(long, value_name = "WORLD", value_parser = WORLDS)]
    world: Vec<String>,
    /// Which telecom tasks; the other worlds have one set
    #[arg(long, value_name = "SET", value_parser = ["base", "small", "full"], default_value = "base")]
    set: String,
}

const WORLDS: [&str; 3] = ["retail", "airline", "telecom"];

impl ImportTau2 {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let set = match self.set.as_str() {
            "small" => TauSet::Small,
            "full" => TauSet::Full,
            _ => TauSet::Base,
        };
        let all = [Domain::Retail, Domain::Airline, Domain::Telecom];
        let is_meant = |world: &Domain| self.world.is_empty() || self.world.iter().any(|name| name == world.name());
        let worlds: Vec<Domain> = all.into_iter().filter(is_meant).collect();
        let source = PackageSource { root: &global.root, data: &self.data, set };
        let package = source.package(&worlds).map_err(|found| output::refuse(global.json, &found))?;
        let files: Vec<(&str, &str)> =
            package.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        write(&self.out, &files)?;
        global.tell(|| json!({"wrote": package.files.len(), "tasks": package.tasks}), || self.listing(&package));
        Ok(Exit::Clean)
    }

    fn listing(&self, package: &Package) -> String {
        let mut text = String::new();
        for (world, tasks) in &package.tasks {
            text.push_str(&format!("{world}: {}\n", output::count(*tasks, "task")));
        }
        let (out, files) = (self.out.display(), output::count(package.files.len(), "file"));
        text.push_str(&format!(
            "wrote {files}; they hold tau2-bench's data, see {out}/tau2/NOTICE.md\n\
             play them with `probity run --suite tau2 --root {out}`\n"
        ));
        text
    }
}
