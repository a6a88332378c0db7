//! `probity import mcp` and `probity import openapi`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::asked::asked;
use super::seen::{Logs, logs};
use super::write;
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use crate::failure::Failure;
use probity_engine::ids::{identifier_of, split_environment_id};
use probity_engine::write_out;
use probity_import::{Draft, Only, Refused, Source, again, draft, mcp, named_after, openapi};

/// Most bytes of a source.
const MAX_SOURCE: u64 = 64 << 20;
/// Most guesses and notes that are listed; all stand in `--json`.
const LISTED: usize = 40;

/// Tools of an MCP server, as an environment that loads, passes `check` and plays.
///
/// The environment has the tools as they are called there, with complete schemas, collections, and a script that creates,
/// reads, lists, changes and deletes. What was guessed stands beside each tool and in a list. The same import again
/// changes only what came from the source, and shows it.
#[derive(clap::Args)]
pub struct ImportMcp {
    /// What the server answers to `tools/list`, as a file; `-` for standard input
    #[arg(long, value_name = "FILE", required_unless_present_any = ["command", "logs"])]
    tools: Option<PathBuf>,
    /// A server to be asked over its standard input and output, as `npx -y some-server`
    #[arg(long, value_name = "COMMAND", conflicts_with = "tools")]
    command: Option<String>,
    #[command(flatten)]
    to: To,
}

/// Operations of an OpenAPI document (3.0 or 3.1, JSON or YAML), as an environment that loads, passes `check` and plays.
///
/// As `import mcp`: each operation is a tool. Nothing is fetched.
#[derive(clap::Args)]
pub struct ImportOpenApi {
    /// The document; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    to: To,
}

#[derive(clap::Args)]
struct To {
    /// The folder to write to; `--root` of later commands
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// `domain/name` of the environment [default: imported/ and the file's name]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Logs in any form that `audit` reads, files and folders: what tools returned there fills shapes, examples, listed
    /// values and a first state. Credentials, e-mail addresses and numbers of phones, cards and accounts are masked; names
    /// stay. May be repeated; logs that carry their `tools` need nothing else
    #[arg(long, value_name = "LOGS")]
    logs: Vec<PathBuf>,
    /// Only tools whose name or path begins so; may be repeated
    #[arg(long, value_name = "BEGINNING")]
    only: Vec<String>,
}

impl ImportMcp {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let text = match (&self.tools, &self.command) {
            (Some(file), _) => Some((read(file), stem(file))),
            (None, Some(command)) => Some((asked(command), named_after(command))),
            (None, None) => None,
        };
        let from =
            text.as_ref().map_or_else(|| self.to.logs.first().and_then(|log| stem(log)), |(_, from)| from.clone());
        let read = |logs: &Logs| {
            let text = text.map_or_else(|| Ok(json!({"tools": logs.tools}).to_string()), |(text, _)| text)?;
            mcp(&text, &self.to.only()).map_err(failure)
        };
        finish(read, from, &self.to, global)
    }
}

impl ImportOpenApi {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let read = |_: &Logs| openapi(&read(&self.file)?, &self.to.only()).map_err(failure);
        finish(read, stem(&self.file), &self.to, global)
    }
}

impl To {
    fn only(&self) -> Only {
        Only(self.only.clone())
    }
}

fn stem(file: &Path) -> Option<String> {
    file.file_stem().map(|stem| identifier_of(&stem.to_string_lossy()))
}

fn failure(refused: Refused) -> Failure {
    Failure::new(refused.message, refused.help)
}

fn read(file: &Path) -> Result<String, Failure> {
    let help = "name a file of text, or `-` for standard input";
    let failed = |why: String| Failure::new(format!("`{}` cannot be read: {why}", file.display()), help);
    let is_standard = file == Path::new("-");
    // What is no file may never end, or never begin.
    if !is_standard && fs::metadata(file).is_ok_and(|about| !about.is_file()) {
        return Err(failed("it is no file".to_owned()));
    }
    let from: Box<dyn Read> = match is_standard {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(fs::File::open(file).map_err(|error| failed(error.to_string()))?),
    };
    let mut text = String::new();
    from.take(MAX_SOURCE + 1).read_to_string(&mut text).map_err(|error| failed(error.to_string()))?;
    match text.len() as u64 > MAX_SOURCE {
        true => Err(failed(format!("it has more than {MAX_SOURCE} bytes"))),
        false => Ok(text),
    }
}

fn finish(read: impl FnOnce(&Logs) -> Result<Source, Failure>, from: Option<String>, to: &To, global: &Global) -> Exit {
    let found = logs(&to.logs).and_then(|logs| {
        let source = Source { seen: logs.seen.clone(), ..read(&logs)? };
        let named = from.filter(|name| !name.is_empty());
        let id = to.id.clone().unwrap_or_else(|| format!("imported/{}", named.as_deref().unwrap_or("tools")));
        if split_environment_id(&id).is_none() {
            return Err(Failure::new(
                format!("`{id}` is no id"),
                "write `domain/name` in lower-case letters, digits and `_`",
            ));
        }
        let draft = draft(&id, source).map_err(failure)?;
        let written = Files::of(&draft).written(&to.out)?;
        Ok((draft, written))
    });
    match found {
        Ok((draft, written)) => {
            match global.json {
                true => output::json(&as_value(&draft, &written)),
                false => output::print(&listing(&draft, &written, &to.out)),
            }
            Exit::Clean
        }
        Err(failure) => output::fail(&failure),
    }
}

/// The files of a draft, and what an import keeps of itself so that the next one knows what the author changed.
struct Files {
    environment: (String, String),
    script: (String, String),
    kept: (String, String),
}

/// What an import did.
#[derive(Default)]
struct Imported {
    wrote: Vec<String>,
    /// What changed in files that were there.
    diff: String,
    /// What the source has otherwise where the author changed the same lines.
    left: Vec<(String, String)>,
}

impl Files {
    fn of(draft: &Draft) -> Files {
        let kept = json!({"format": 1, "environment": draft.environment, "script": draft.script});
        Files {
            environment: (format!("environments/{}.json", draft.id), draft.environment.clone()),
            script: (format!("scripts/{}.rhai", draft.id), draft.script.clone()),
            kept: (format!("imports/{}.json", draft.id), format!("{kept:#}\n")),
        }
    }

    fn written(&self, out: &Path) -> Result<Imported, Failure> {
        let old: Option<Value> = match fs::read_to_string(out.join(&self.kept.0)) {
            Ok(text) => Some(serde_json::from_str(&text).map_err(|error| {
                let help = "bring it back, or import into an empty folder";
                Failure::new(format!("`{}` is not what an import wrote: {error}", self.kept.0), help)
            })?),
            Err(_) => None,
        };
        let all = [&self.environment, &self.script, &self.kept];
        let Some(old) = old else {
            let files: Vec<(&str, &str)> = all.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            write(out, &files)?;
            return Ok(Imported { wrote: all.iter().map(|(path, _)| path.clone()).collect(), ..Imported::default() });
        };
        let mut done = Imported::default();
        let mut texts = Vec::new();
        for ((path, new), key) in [(&self.environment, "environment"), (&self.script, "script")] {
            let text = fs::read_to_string(out.join(path)).map_err(|error| {
                Failure::new(
                    format!("`{path}` cannot be read: {error}"),
                    "bring it back, or import into an empty folder",
                )
            })?;
            let found = again(old.get(key).and_then(Value::as_str).unwrap_or_default(), &text, new);
            if !found.diff.is_empty() {
                done.diff.push_str(&format!("{path}\n{}", found.diff));
                texts.push((path, found.text));
            }
            done.left.extend(found.left.into_iter().map(|left| (path.clone(), left)));
        }
        let kept = (&self.kept.0, self.kept.1.clone());
        for (path, text) in texts.into_iter().chain([kept]) {
            write_out(&out.join(path), |file| std::io::Write::write_all(file, text.as_bytes())).map_err(|error| {
                Failure::new(format!("cannot write `{path}`: {error}"), "look at the permissions and the free space")
            })?;
            done.wrote.push(path.clone());
        }
        Ok(done)
    }
}

fn as_value(draft: &Draft, done: &Imported) -> Value {
    let guesses: Vec<Value> = draft
        .guesses
        .iter()
        .map(|guess| json!({"tool": guess.tool, "says": guess.says, "ground": guess.ground, "decide": guess.decide}))
        .collect();
    let notes: Vec<Value> =
        draft.notes.iter().map(|note| json!({"tool": note.tool, "at": note.at, "text": note.text})).collect();
    let left: Vec<Value> = done.left.iter().map(|(file, text)| json!({"file": file, "text": text})).collect();
    json!({
        "id": draft.id, "wrote": done.wrote, "tools": draft.tools, "collections": draft.collections,
        "guesses": guesses, "notes": notes, "diff": done.diff, "left": left,
    })
}

fn listing(draft: &Draft, done: &Imported, out: &Path) -> String {
    let mut text = String::new();
    for path in &done.wrote {
        text.push_str(&format!("wrote {path}\n"));
    }
    let collections = draft.collections.join(", ");
    text.push_str(&format!("{}: {}, over {collections}\n", draft.id, output::count(draft.tools, "tool")));
    if !done.diff.is_empty() {
        text.push_str(&format!("\nwhat changed:\n{}", done.diff));
    }
    for (file, left) in &done.left {
        text.push_str(&format!(
            "\nin {file} you changed what the source changed as well; yours stands, the source has\n{left}"
        ));
    }
    if draft.has_logs {
        text.push_str("\nnames of people, streets and the like stand there as the logs have them: look through them before you publish\n");
    }
    let doubtful: Vec<_> = draft.guesses.iter().filter(|guess| guess.doubt > 0).collect();
    if !doubtful.is_empty() {
        text.push_str("\nto decide, most telling first:\n");
    }
    for guess in doubtful.iter().take(LISTED) {
        text.push_str(&format!("  {} {}: {}\n    {}\n", guess.tool, guess.says, guess.ground, guess.decide));
    }
    if doubtful.len() > LISTED {
        text.push_str(&format!("  and {} more: `--json` has all\n", doubtful.len() - LISTED));
    }
    if !draft.notes.is_empty() {
        text.push_str("\nnot as the source has it:\n");
    }
    for note in draft.notes.iter().take(LISTED) {
        text.push_str(&format!("  {}{}: {}\n", note.tool, note.at, note.text));
    }
    if draft.notes.len() > LISTED {
        text.push_str(&format!("  and {} more: `--json` has all\n", draft.notes.len() - LISTED));
    }
    let root = out.display();
    text.push_str(&format!(
        "\n{}, {} to decide, {} otherwise than in the source\nnext: `probity --root {root} check`, then `probity --root {root} play {}`\n",
        output::count(draft.tools, "tool"),
        doubtful.len(),
        draft.notes.len(),
        draft.id
    ));
    text
}
