//! Which files are read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Cursor, Read, stdin};
use std::path::{Path, PathBuf};

use probity_bench::code::FindingCode;
use probity_engine::suggest;
use probity_local::Failure;
use probity_logs::{Form, Unread};
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

    /// An error: it cannot be opened, and others may be read.
    pub fn open(&self) -> Result<Box<dyn Read>, Unread> {
        match self {
            LogInput::File(path) if is_standard(path) => Ok(Box::new(stdin())),
            LogInput::File(path) => {
                File::open(path).map(|file| Box::new(file) as Box<dyn Read>).map_err(|error| unopened(path, &error))
            }
            LogInput::Text(_, text) => Ok(Box::new(Cursor::new(*text))),
        }
    }
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

fn unopened(path: &Path, error: &std::io::Error) -> Unread {
    let help = "see to it that it can be read; the others were";
    let what = format!("it cannot be opened: {error}");
    let (file, pointer) = (path.display().to_string(), String::new());
    Unread { file, line: 0, column: 0, pointer, what, help: help.to_owned() }
}

/// The files that are read, and folders that could not be looked through.
#[derive(Default)]
pub struct LogFiles {
    pub found: Vec<PathBuf>,
    pub unread: Vec<Unread>,
    /// Each folder once, however many links lead to it.
    seen: BTreeSet<PathBuf>,
}

/// The files of what was named, those of a folder in the order of their names.
pub fn files(named: &[PathBuf]) -> Result<LogFiles, Failure> {
    let mut files = LogFiles::default();
    for path in named {
        if is_standard(path) || !path.is_dir() {
            if !is_standard(path) && !path.exists() {
                let message = format!("there is no `{}`", path.display());
                return Err(Failure::new(message, "name a file or a folder of logs, or `-` for standard input"));
            }
            files.found.push(path.clone());
            continue;
        }
        let before = files.found.len();
        files.walk(path, MAX_DEPTH).map_err(|error| {
            Failure::new(format!("`{}`: {error}", path.display()), "name a folder that can be read")
        })?;
        if files.found.len() == before {
            let message = format!("`{}` holds no log", path.display());
            return Err(Failure::new(message, format!("in folders files that end in {} are read", ENDINGS.join(", "))));
        }
    }
    Ok(files)
}

impl LogFiles {
    fn walk(&mut self, folder: &Path, depth: usize) -> std::io::Result<()> {
        if !self.seen.insert(folder.canonicalize()?) {
            return Ok(());
        }
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        entries.sort();
        for path in entries {
            let is_log = path.extension().and_then(|ending| ending.to_str()).is_some_and(|own| ENDINGS.contains(&own));
            if path.is_dir() && depth > 0 {
                if let Err(error) = self.walk(&path, depth - 1) {
                    self.unread.push(unopened(&path, &error));
                }
            } else if is_log && (path.is_file() || !path.exists()) {
                // A link to nothing is told where it is opened.
                self.found.push(path);
            }
        }
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_docs() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/AUDIT.md");
        let docs = std::fs::read_to_string(docs).unwrap();
        let told: BTreeSet<&str> =
            docs.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(code, _)| code).collect();
        let told: BTreeSet<&str> = told.into_iter().filter(|code| *code != "--tools").collect();
        let known: BTreeSet<&str> = CODES.iter().map(|code| code.name()).filter(|code| *code != "fair_try").collect();
        assert_eq!(told, known);
        assert!(docs.contains("`fair_try`") && code("fair_try").is_ok() && code("task_failed").is_err());
    }

    #[test]
    fn what_cannot_be_opened_is_unread_and_no_failure() {
        let unread = LogInput::File(Path::new("no/such/log.jsonl")).open().err().unwrap();
        assert!(unread.to_string().contains("no/such/log.jsonl: it cannot be opened"), "{unread}");
    }
}
