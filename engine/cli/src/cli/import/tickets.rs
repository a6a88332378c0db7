//! `probity import tickets` and `probity import cirrus`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::write;
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use crate::failure::Failure;
use probity_peers::{CirrusTask, CirrusTool, raw_ticket};
use probity_tickets::model::ToolFile;
use probity_tickets::preparation::{Counts, Fillers, Preparation, Prepared, RawTicket};

/// Raw service dialogues, a line of JSON each: {"id", "category"?, "messages", "tools"?, "references"?, "checkpoints"?}.
#[derive(clap::Args)]
pub struct ImportTickets {
    /// The dialogues
    #[arg(long, value_name = "FILE")]
    dialogues: PathBuf,
    /// Texts that say nothing and are dropped, a line each [default: greetings and the like]
    #[arg(long, value_name = "FILE")]
    fillers: Option<PathBuf>,
    #[command(flatten)]
    flags: PreparationFlags,
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

#[derive(clap::Args)]
struct PreparationFlags {
    /// Names of people that are masked, a line each
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// The folder to write to; `--root` of later commands
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl ImportTickets {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let prepared = lines::<RawTicket>(&self.dialogues).and_then(|raw| {
            let own = self.fillers.as_deref().map(text).transpose()?;
            let fillers = own.map_or_else(Fillers::default, |text| Fillers::of(text.lines()));
            Ok(Preparation { names: self.flags.names()?, fillers }.tickets(&raw))
        });
        self.flags.finish(global, prepared)
    }
}

impl ImportCirrus {
    pub(super) fn run(&self, global: &Global) -> Exit {
        self.flags.finish(global, self.prepared())
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

impl PreparationFlags {
    fn names(&self) -> Result<Vec<String>, Failure> {
        let text = self.names.as_deref().map(text).transpose()?.unwrap_or_default();
        Ok(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
    }

    fn finish(&self, global: &Global, prepared: Result<Prepared, Failure>) -> Exit {
        let written = prepared.and_then(|prepared| {
            let files: Vec<(&str, &str)> =
                prepared.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let written = write(&self.out, &files)?;
            Ok((written, prepared))
        });
        match written {
            Ok((_written, prepared)) => {
                match global.json {
                    true => output::json(&as_value(&prepared)),
                    false => output::print(&listing(&prepared)),
                }
                Exit::Clean
            }
            Err(failure) => output::fail(&failure),
        }
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::new(format!("cannot read `{}`: {error}", path.display()), "look at the path and its permissions")
    })
}

/// A value of each line that is not empty.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let message = format!("`{}`, line {}: {error}", path.display(), index + 1);
            Failure::new(message, "docs/TICKETS.md, section \"From raw dialogues\", has the form of a line")
        })
    };
    lines.map(parse).collect()
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

fn as_value(prepared: &Prepared) -> Value {
    let passed_over: Vec<_> = prepared.passed_over.iter().map(|(id, why)| json!({"id": id, "why": why})).collect();
    json!({
        "wrote": prepared.files.keys().collect::<Vec<_>>(), "log": prepared.log, "passed_over": passed_over,
        "counts": prepared.counts,
    })
}

fn listing(prepared: &Prepared) -> String {
    let mut text: String = prepared.log.iter().map(|line| format!("{line}\n")).collect();
    for (id, why) in &prepared.passed_over {
        text.push_str(&format!("no ticket of {id}: {why}\n"));
    }
    let Counts { read, made, checkpoints, drafted, calls, masked, fillers } = prepared.counts;
    let counted = [
        (read, "raw dialogue"),
        (made, "ticket"),
        (checkpoints, "checkpoint"),
        (drafted, "draft"),
        (calls, "recorded call"),
        (masked, "masked text"),
        (fillers, "dropped message"),
    ];
    let counted: Vec<String> = counted.into_iter().map(|(number, noun)| output::count(number, noun)).collect();
    text.push_str(&format!("{}\n", counted.join(", ")));
    text
}
