//! `probity-peers import cirrus`.

use std::path::{Path, PathBuf};

use probity::cli::exit::Exit;
use probity::cli::import::tickets::{PreparationFlags, lines, text};
use probity::cli::{Global, Stopped, output};
use probity_local::Failure;
use probity_peers::{CirrusTask, CirrusTool, raw_ticket};
use probity_tickets::model::ToolFile;
use probity_tickets::preparation::{Fillers, Preparation, Prepared};
use serde_json::Value;

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
            let id = task.id().to_owned();
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
