//! `probity import tickets`, and what other imports of tickets share.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::write;
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use probity_local::Failure;
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

/// Flags of an import that makes tickets.
#[derive(clap::Args)]
pub struct PreparationFlags {
    /// Names of people that are masked, a line each
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// The folder to write to; `--root` of later commands
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl ImportTickets {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let raw = lines::<RawTicket>(&self.dialogues)?;
        let own = self.fillers.as_deref().map(text).transpose()?;
        let fillers = own.map_or_else(Fillers::default, |text| Fillers::of(text.lines()));
        self.flags.finish(global, &Preparation { names: self.flags.names()?, fillers }.tickets(&raw))
    }
}

impl PreparationFlags {
    /// Names of people that are masked.
    pub fn names(&self) -> Result<Vec<String>, Failure> {
        let text = self.names.as_deref().map(text).transpose()?.unwrap_or_default();
        Ok(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
    }

    /// Writes the tickets and says what became of each dialogue.
    pub fn finish(&self, global: &Global, prepared: &Prepared) -> Result<Exit, Failure> {
        let files: Vec<(&str, &str)> =
            prepared.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        write(&self.out, &files)?;
        global.tell(|| as_value(prepared), || listing(prepared));
        Ok(Exit::Clean)
    }
}

pub fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::new(format!("cannot read `{}`: {error}", path.display()), "look at the path and its permissions")
    })
}

/// A value of each line that is not empty.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(index, line): (usize, &str)| {
        // A struct would be made of a list as well.
        let read = match line.trim_start().starts_with('{') {
            true => serde_json::from_str(line).map_err(|error| error.to_string()),
            false => Err("a line is one JSON object".to_owned()),
        };
        read.map_err(|what| {
            let message = format!("`{}`, line {}: {what}", path.display(), index + 1);
            Failure::new(message, "docs/TICKETS.md, section \"From raw dialogues\", has the form of a line")
        })
    };
    lines.map(parse).collect()
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
