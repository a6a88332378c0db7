//! Which files are read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Cursor, Read, stdin};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use probity_bench::code::FindingCode;
use probity_engine::suggest;
use probity_logs::Form;
use strum::IntoEnumIterator;

/// What an audit can find.
const CODES: [FindingCode; 17] = [
    FindingCode::UnknownTool,
    FindingCode::InvalidArguments,
    FindingCode::ToolRefused,
    FindingCode::FairTry,
    FindingCode::RepeatedCall,
    FindingCode::RepeatedWrite,
    FindingCode::UngroundedArgument,
    FindingCode::SameBatch,
    FindingCode::PrecedenceViolated,
    FindingCode::NoConsent,
    FindingCode::WrongValue,
    FindingCode::MisquotedRule,
    FindingCode::ContradictsItself,
    FindingCode::UnreadState,
    FindingCode::UngroundedAction,
    FindingCode::ClaimedAfterError,
    FindingCode::UnmadeCheck,
];
/// How deep folders are looked through.
const MAX_DEPTH: usize = 8;
/// Endings of files that are logs, where a folder is named.
const ENDINGS: [&str; 7] = ["json", "jsonl", "ndjson", "gz", "zst", "eval", "txt"];

/// Something to read.
pub enum LogInput<'a> {
    File(&'a Path),
    Text(&'static str, &'static str),
}

impl LogInput<'_> {
    pub fn name(&self) -> String {
        match self {
            LogInput::File(path) if is_standard(path) => "standard input".to_owned(),
            LogInput::File(path) => path.display().to_string(),
            LogInput::Text(name, _) => (*name).to_owned(),
        }
    }

    pub fn open(&self) -> Result<Box<dyn Read>, Failure> {
        match self {
            LogInput::File(path) if is_standard(path) => Ok(Box::new(stdin())),
            LogInput::File(path) => File::open(path).map(|file| Box::new(file) as Box<dyn Read>).map_err(|error| {
                Failure::new(format!("`{}`: {error}", path.display()), "name a file that can be read")
            }),
            LogInput::Text(_, text) => Ok(Box::new(Cursor::new(*text))),
        }
    }
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The files of what was named, those of a folder in the order of their names.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in named {
        if is_standard(path) || !path.is_dir() {
            if !is_standard(path) && !path.exists() {
                let message = format!("there is no `{}`", path.display());
                return Err(Failure::new(message, "name a file or a folder of logs, or `-` for standard input"));
            }
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        walk(path, MAX_DEPTH, &mut BTreeSet::new(), &mut found).map_err(|error| {
            Failure::new(format!("`{}`: {error}", path.display()), "name a folder that can be read")
        })?;
        if found.len() == before {
            let message = format!("`{}` holds no log", path.display());
            return Err(Failure::new(message, format!("in folders files that end in {} are read", ENDINGS.join(", "))));
        }
    }
    Ok(found)
}

/// Each folder once, however many links lead to it.
fn walk(folder: &Path, depth: usize, seen: &mut BTreeSet<PathBuf>, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !seen.insert(folder.canonicalize()?) {
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        let is_log = path.extension().and_then(|ending| ending.to_str()).is_some_and(|own| ENDINGS.contains(&own));
        if path.is_dir() && depth > 0 {
            walk(&path, depth - 1, seen, found)?;
        } else if path.is_file() && is_log {
            found.push(path);
        }
    }
    Ok(())
}

/// A form by its name.
pub fn form(name: &str) -> Result<Form, String> {
    let name_of = |form: Form| serde_json::to_value(form).ok().and_then(|name| name.as_str().map(str::to_owned));
    let names: Vec<String> = Form::iter().filter_map(name_of).collect();
    let help = || suggest::help(name, names.iter().map(String::as_str));
    name.parse().map_err(|_| format!("there is no such form; {}", help()))
}

/// The code of a finding, or a word for several.
pub fn code(name: &str) -> Result<String, String> {
    // What only an environment or a task can show is never found in a log; what is merely not known is no finding.
    let found = CODES.iter().map(|code| code.name());
    let names = || ["any", "contradicted"].into_iter().chain(found.clone());
    match names().any(|own| own == name) {
        true => Ok(name.to_owned()),
        false => Err(format!("there is no such code; {}", suggest::help(name, names()))),
    }
}
