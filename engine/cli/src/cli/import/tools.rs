//! `probity import mcp` and `probity import openapi`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::asked::asked;
use super::seen::{Logs, logs};
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use probity_behaviour::suite::Suite;
use probity_bench::kit;
use probity_engine::ids::{identifier_of, split_environment_id};
use probity_engine::{Diagnostic, write_new, write_out};
use probity_import::{
    Draft, Gone, Left, Note, Only, Refused, Source, Texts, again, decide, diff, draft, gone, mcp, named_after, openapi,
};
use probity_local::Failure;
use probity_proof::check::check;
use probity_proof::store;

/// Most bytes of a source.
const MAX_SOURCE: u64 = 64 << 20;
/// Most guesses and notes that are listed; all stand in `--json`.
const LISTED: usize = 40;
/// Most places of one kind of note that are listed.
const PLACES: usize = 6;

/// Tools of an MCP server, as an environment that loads, passes `check` and plays.
///
/// The environment has the tools as they are called there, with complete schemas, collections, and a script that creates,
/// reads, lists, changes and deletes. What was guessed stands beside each tool and in a list. The same import again
/// changes only what came from the source, and shows it.
///
/// Exits with 1 where the import again left something of the source out, because you changed it too or it would not load.
#[derive(clap::Args)]
pub struct ImportMcp {
    #[arg(hide = true, value_name = "FILE")]
    misplaced: Option<PathBuf>,
    /// What the server answers to `tools/list`, as a file; `-` for standard input
    #[arg(long, value_name = "FILE", required_unless_present_any = ["command", "logs", "misplaced"])]
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
///
/// Exits with 1 where the import again left something of the source out, because you changed it too or it would not load.
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
    /// Where you and the source changed the same, yours stands for good: it is not told again
    #[arg(long)]
    keep_mine: bool,
}

impl ImportMcp {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        if let Some(file) = &self.misplaced {
            let help = format!("write `--tools {0}`; a command that runs a server is `--command`", file.display());
            return Err(Failure::new(format!("`{}` stands alone", file.display()), help));
        }
        let text = match (&self.tools, &self.command) {
            (Some(file), _) => Some((read(file), stem(file))),
            (None, Some(command)) => Some((asked(command), named_after(command))),
            (None, None) => None,
        };
        let from =
            text.as_ref().map_or_else(|| self.to.logs.first().and_then(|log| stem(log)), |(_, from)| from.clone());
        let read = |logs: &Logs| {
            let text = text.map_or_else(|| Ok(json!({"tools": logs.tools}).to_string()), |(text, _)| text)?;
            mcp(&text, &self.to.only()).map_err(|refused| of_file(self.tools.as_deref(), refused))
        };
        finish(read, (from, "tools of an MCP server"), &self.to, global)
    }
}

impl ImportOpenApi {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let read = |_: &Logs| {
            openapi(&read(&self.file)?, &self.to.only()).map_err(|refused| of_file(Some(&self.file), refused))
        };
        finish(read, (stem(&self.file), "an OpenAPI document"), &self.to, global)
    }
}

/// What is wrong with a source, with the name of its file.
fn of_file(file: Option<&Path>, refused: Refused) -> Failure {
    match file {
        Some(file) => Failure::new(format!("`{}`: {}", file.display(), refused.message), refused.help),
        None => failure(refused),
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
        // Other people's files may begin with a byte order mark.
        false => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
    }
}

/// Imports what `read` reads, and says what came of it; `name` is what it is called where no id is given, and `kind` what
/// it is made of.
fn finish(
    read: impl FnOnce(&Logs) -> Result<Source, Failure>,
    (name, kind): (Option<String>, &str),
    to: &To,
    global: &Global,
) -> Result<Exit, Failure> {
    let logs = logs(&to.logs)?;
    if to.out.exists() && !to.out.is_dir() {
        let message = format!("`--out {}` is no folder", to.out.display());
        return Err(Failure::new(message, "name the folder that `environments/` and `scripts/` are to lie in"));
    }
    let source = read(&logs)?;
    let named = name.filter(|name| !name.is_empty());
    let id = to.id.clone().unwrap_or_else(|| format!("imported/{}", named.as_deref().unwrap_or("tools")));
    if split_environment_id(&id).is_none() {
        let help = "write `domain/name` in lower-case letters, digits and `_`";
        return Err(Failure::new(format!("`{id}` is no id"), help));
    }
    let mut draft = draft(&id, source, &logs.seen).map_err(failure)?;
    let written = Files::of(&draft).written(&mut draft, to, kind)?;
    global.tell(|| as_value(&draft, &written), || listing(&draft, &written, &to.out));
    let is_settled = written.left.is_empty() || to.keep_mine;
    let is_clean = is_settled && written.gone.is_empty() && written.wrong.is_empty();
    Ok(if is_clean { Exit::Clean } else { Exit::Failed })
}

/// The files of a draft, and what an import keeps of itself so that the next one knows what the author changed.
struct Files {
    environment: String,
    script: String,
    kept: String,
}

/// What an import did.
#[derive(Default)]
struct Imported {
    wrote: Vec<String>,
    /// What changed in files that were there.
    diff: String,
    /// What stays as the author has it, although the source changed it.
    left: Vec<Left>,
    /// What the author's functions name and the source has no longer.
    gone: Vec<Gone>,
    /// What `check` finds wrong with what was written, tasks and all.
    wrong: Vec<Diagnostic>,
    /// How many guesses the author has decided.
    decided: usize,
}

/// The text of what an import keeps; `from` is what it was made of.
fn kept(texts: &Texts, from: &str) -> String {
    let (environment, script) = (&texts.environment, &texts.script);
    format!("{:#}\n", json!({"format": 1, "from": from, "environment": environment, "script": script}))
}

const BRING_BACK: &str = "bring it back, or import into an empty folder";

impl Files {
    fn of(draft: &Draft) -> Files {
        let path = |folder: &str, end: &str| format!("{folder}/{}.{end}", draft.id);
        Files {
            environment: path("environments", "json"),
            script: path("scripts", "rhai"),
            kept: path("imports", "json"),
        }
    }

    fn written(&self, draft: &mut Draft, to: &To, from: &str) -> Result<Imported, Failure> {
        let new = draft.texts.clone();
        let path = to.out.join(&self.kept);
        let Ok(text) = fs::read_to_string(&path) else { return self.begun(&new, &to.out, from) };
        let unread =
            |why: String| Failure::new(format!("`{}` is not what an import wrote: {why}", self.kept), BRING_BACK);
        let old: Value = serde_json::from_str(&text).map_err(|error| unread(error.to_string()))?;
        let old_text = |key: &str| {
            let text = old.get(key).and_then(Value::as_str).map(str::to_owned);
            text.ok_or_else(|| unread(format!("it has no `{key}`")))
        };
        // Earlier ones do not say what they were made of.
        if let Some(before) = old.get("from").and_then(Value::as_str).filter(|before| *before != from) {
            let message = format!("`{}` was made of {before}, and this is {from}", draft.id);
            return Err(Failure::new(message, "give it an id of its own with `--id`, or import into another folder"));
        }
        let old = Texts { environment: old_text("environment")?, script: old_text("script")? };
        let present = |path: &str| {
            fs::read_to_string(to.out.join(path))
                .map_err(|error| Failure::new(format!("`{path}` cannot be read: {error}"), BRING_BACK))
        };
        let mine = Texts { environment: present(&self.environment)?, script: present(&self.script)? };
        let (others, _) = kit::read_all(&to.out, &[("scripts", "rhai")]);
        let found = again(&draft.id, &old, &mine, &new, &kit::scripts(&others, "")).map_err(failure)?;
        let gone = gone(&mine, &found.texts, &new);
        draft.collections = found.collections;
        let mut done = Imported { left: found.left, gone, ..Imported::default() };
        done.decided = decide(&old, &mine, &mut draft.guesses);
        let next = kept(if to.keep_mine { &new } else { &found.kept }, from);
        for (path, before, after) in [
            (&self.environment, &mine.environment, &found.texts.environment),
            (&self.script, &mine.script, &found.texts.script),
            (&self.kept, &text, &next),
        ] {
            if before == after {
                continue;
            }
            write_out(&to.out.join(path), |file| std::io::Write::write_all(file, after.as_bytes())).map_err(
                |error| {
                    Failure::new(
                        format!("cannot write `{path}`: {error}"),
                        "look at the permissions and the free space",
                    )
                },
            )?;
            done.wrote.push(path.clone());
            if *path != self.kept {
                done.diff.push_str(&format!("{path}\n{}", diff(before, after)));
            }
        }
        if !done.diff.is_empty() {
            let mut suite = Suite::load(&to.out);
            suite.narrow(|id| id == draft.id, |_| false);
            done.wrong = check(&suite, &store::NoStore).into_iter().filter(Diagnostic::is_error).collect();
        }
        Ok(done)
    }

    /// The first import.
    fn begun(&self, new: &Texts, out: &Path, from: &str) -> Result<Imported, Failure> {
        let kept = kept(new, from);
        let all = [(&self.environment, &new.environment), (&self.script, &new.script), (&self.kept, &kept)];
        let written = write_new(out, &all.map(|(path, text)| (path.as_str(), text.as_str())));
        let help = "bring it back (it belongs into your repository), or import into an empty folder with `--out`";
        written.map_err(|unwritten| match unwritten.is_taken() {
            true => {
                let (path, kept) = (&unwritten.path, &self.kept);
                let why = format!("`{kept}`, by which an import tells your edits from its own, is missing");
                Failure::new(format!("`{path}` exists already, and {why}"), help)
            }
            false => Failure::unwritten(&unwritten, help),
        })?;
        Ok(Imported { wrote: all.iter().map(|(path, _)| (*path).clone()).collect(), ..Imported::default() })
    }

    fn of_left(&self, left: &Left) -> &str {
        if left.is_of_script() { &self.script } else { &self.environment }
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
    let files = Files::of(draft);
    let left = |left: &Left| {
        let (file, element) = (files.of_left(left), left.element());
        json!({"file": file, "element": element, "yours": left.yours, "source": left.source, "why": left.why})
    };
    let left: Vec<Value> = done.left.iter().map(left).collect();
    let gone = |gone: &Gone| json!({"file": files.script, "line": gone.line, "name": gone.name, "of": gone.of, "new": gone.new});
    let gone: Vec<Value> = done.gone.iter().map(gone).collect();
    json!({
        "id": draft.id, "wrote": done.wrote, "tools": draft.tools, "collections": draft.collections,
        "guesses": guesses, "decided": done.decided, "notes": notes, "diff": done.diff, "left": left,
        "gone": gone, "wrong": done.wrong,
    })
}

/// What is not as the source has it, once a kind, with the places of each.
fn kinds(notes: &[Note]) -> Vec<(&str, Vec<String>)> {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for note in notes {
        let place = format!("{}{}", note.tool, note.at);
        match kinds.iter_mut().find(|(kind, _)| *kind == note.text) {
            Some((_, places)) => places.push(place),
            None => kinds.push((&note.text, vec![place])),
        }
    }
    kinds
}

/// A part of a file, which begins behind its own indent: as a block of its own.
fn block(part: &str) -> String {
    let below = part.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = below.map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default();
    let lines =
        part.lines().enumerate().map(|(at, line)| if at == 0 { line } else { line.get(indent..).unwrap_or("") });
    let lines: Vec<String> = lines.map(|line| format!("    {line}").trim_end().to_owned()).collect();
    if lines.is_empty() { "    (it is not there)".to_owned() } else { lines.join("\n") }
}

/// What stays as the author has it, beside the source's.
fn left(files: &Files, all: &[Left]) -> String {
    let mut text = String::new();
    for left in all {
        let why = match left.why.as_str() {
            "" => "you changed what the source changed as well; yours stands".to_owned(),
            why => format!("yours stands: {why}"),
        };
        let (file, element) = (files.of_left(left), left.element());
        let (yours, source) = (block(&left.yours), block(&left.source));
        text.push_str(&format!("\n{file}, {element}: {why}\n  yours\n{yours}\n  the source's\n{source}\n"));
    }
    if !all.is_empty() {
        text.push_str(
            "\nwhat is left is told by each import until yours is as the source has it; `--keep-mine` ends that\n",
        );
    }
    text
}

/// What the author has to change after an import: lines that name what is gone, and what `check` refuses.
fn refused(files: &Files, done: &Imported) -> String {
    let mut text = String::new();
    for gone in &done.gone {
        let (line, name, of) = (gone.line, &gone.name, &gone.of);
        text.push_str(&format!("\n{}:{line}: `{name}` is still named here, and {of} has it no longer\n", files.script));
        if !gone.new.is_empty() {
            text.push_str(&format!("  help: new there: `{}`\n", gone.new.join("`, `")));
        }
    }
    if !done.wrong.is_empty() {
        text.push_str(&format!("\nwhat `check` says of it now:\n{}", output::diagnostics(&done.wrong)));
    }
    text
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
    let files = Files::of(draft);
    text.push_str(&left(&files, &done.left));
    text.push_str(&refused(&files, done));
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
    let kinds = kinds(&draft.notes);
    if !kinds.is_empty() {
        text.push_str("\nnot as the source has it:\n");
    }
    for (kind, places) in kinds.iter().take(LISTED) {
        let shown: Vec<&str> =
            places.iter().take(PLACES).map(String::as_str).filter(|place| !place.is_empty()).collect();
        let more = places.len().saturating_sub(PLACES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let of = if shown.is_empty() { "" } else { ": " };
        text.push_str(&format!("  {kind}{of}{}{more}\n", shown.join(", ")));
    }
    if kinds.len() > LISTED {
        text.push_str(&format!("  and {} more: `--json` has all\n", kinds.len() - LISTED));
    }
    let root = out.display();
    let decided = if done.decided > 0 { format!(" ({} decided)", done.decided) } else { String::new() };
    text.push_str(&format!(
        "\n{}, {} to decide{decided}, {} otherwise than in the source\nnext: `probity --root {root} check`, then `probity --root {root} play {}`\n",
        output::count(draft.tools, "tool"),
        doubtful.len(),
        kinds.len(),
        draft.id
    ));
    text
}
