//! `probity audit`.

mod books;
mod compared;
mod document;
pub(in crate::cli) mod inputs;
mod pages;
mod summary;
mod text;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::finish::width;
use super::overwrite::refuse_overwrite;
use super::{Global, output};
use books::{Books, EPISODES, batch};
use compared::Sides;
use inputs::LogInput;
use pages::Pages;
use probity_audit::{Auditor, Told};
use probity_bench::run::execute::threads;
use probity_engine::{MAX_FILE_BYTES, read::read_named, write_out};
use probity_local::Failure;
use probity_logs::{Form, Reader};
use probity_report::compare::rates::checks;
use probity_report::junit;
use summary::Summary;

/// The log that comes along.
const EXAMPLE: &str = include_str!("audit/example.jsonl");

/// Hold agents' logs against their own ledger of calls: what was said that is not so, and what was called that should not
/// have been. No environment, no task, no model, no key.
///
/// Reads the logs of most frameworks as they are (docs/FORMATS.md, "Logs of agents"); docs/AUDIT.md says what is found.
/// Rules read English.
#[derive(clap::Args)]
pub struct Audit {
    /// A file or a folder of logs, `-` for standard input; two are the base and the new logs of a comparison
    #[arg(value_name = "LOGS", required_unless_present = "example", conflicts_with = "example")]
    logs: Vec<PathBuf>,
    /// Audit the small log that comes along
    #[arg(long)]
    example: bool,
    /// The form of the logs, where it is not found rightly
    #[arg(long, value_name = "FORM", value_parser = inputs::form)]
    format: Option<Form>,
    /// Definitions of tools for logs that have none: what a provider is given, or an MCP server's tools/list
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// The rules of the desk for logs that have no system message
    #[arg(long, value_name = "FILE")]
    brief: Option<PathBuf>,
    /// Tools that change something, whatever their names say
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    changes: Vec<String>,
    /// Tools that only read
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    reads: Vec<String>,
    /// Parameters whose values are generated: never made up, never a difference
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    ignore: Vec<String>,
    /// End with 1 when there is a finding of this code; `contradicted` is all of honesty, `any` is all
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = inputs::code)]
    fail_on: Vec<String>,
    /// End with 2 when anything could not be read, though the rest was
    #[arg(long)]
    strict: bool,
    /// Write a page to look at: every dialogue with what was found in it
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Write a comparison's checks as JUnit XML
    #[arg(long, value_name = "OUT.xml")]
    junit: Option<PathBuf>,
    /// Write a comparison's summary in Markdown
    #[arg(long, value_name = "OUT.md")]
    markdown: Option<PathBuf>,
    /// The seed of the draws behind a comparison's intervals and chances
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl Audit {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        match self.logs.as_slice() {
            [base, new] => self.compare(global, base, new),
            [_, _, _, ..] => {
                let help = "put them into one folder and name that; two name the base and the new logs of a comparison";
                Err(Failure::new("more than two paths were named", help))
            }
            _ if self.junit.is_some() || self.markdown.is_some() || self.seed.is_some() => Err(Failure::new(
                "--junit, --markdown and --seed are for comparisons",
                "name two paths: the base and the new logs",
            )),
            one => self.audit_one(global, one),
        }
    }

    fn audit_one(&self, global: &Global, logs: &[PathBuf]) -> Result<Exit, Failure> {
        let page = self.html.as_deref().map(Pages::new).transpose()?;
        let Books { summary, page, .. } = self.read(global, logs, Books { page, json: global.json, ..self.books() })?;
        if let (Some(page), Some(path)) = (page, self.html.as_deref()) {
            page.write(path, &summary)?;
        }
        match global.json {
            true => {
                let start = if summary.dialogues == 0 { EPISODES } else { "" };
                output::json_text(&format!("{start}\n], \"summary\": {:#}}}\n", document::summary(&summary)));
            }
            false => output::print(&text::render(&summary, self.html.as_deref(), width())),
        }
        Ok(summary.exit())
    }

    /// Whether findings became more from one set of logs to another.
    fn compare(&self, global: &Global, base: &Path, new: &Path) -> Result<Exit, Failure> {
        if self.html.is_some() {
            return Err(Failure::new("a comparison of logs has no page", "audit each set alone with --html"));
        }
        let read = |logs: &Path| self.read(global, &[logs.to_owned()], self.books()).map(|books| books.summary);
        let sides =
            Sides { base: read(base)?, new: read(new)?, names: [base, new].map(|path| path.display().to_string()) };
        let rates = sides.rates(self.seed.unwrap_or_default());
        let checks = checks(&rates);
        let is_closed = checks.iter().any(|check| check.outcome.closes());
        let write = |path: &Option<PathBuf>, text: String| match path {
            Some(path) => {
                write_out(path, |file| file.write_all(text.as_bytes())).map_err(|error| unwritable(path, &error))
            }
            None => Ok(()),
        };
        write(&self.junit, junit::render_checks(&sides.title(), &checks))?;
        write(&self.markdown, compared::markdown(&sides, &rates, &checks))?;
        global.tell(|| compared::document(&sides, &rates, &checks), || compared::text(&sides, &rates, &checks));
        let exits = [sides.base.exit(), sides.new.exit()];
        Ok(match () {
            () if exits.contains(&Exit::BadInput) => Exit::BadInput,
            () if is_closed || sides.new.exit() == Exit::Failed => Exit::Failed,
            () => Exit::Clean,
        })
    }

    fn books(&self) -> Books {
        Books { summary: Summary::new(&self.fail_on, self.strict), page: None, json: false }
    }

    fn read(&self, global: &Global, logs: &[PathBuf], mut books: Books) -> Result<Books, Failure> {
        let files = inputs::files(logs)?;
        for out in [&self.html, &self.junit, &self.markdown].into_iter().flatten() {
            refuse_overwrite(Some(out), &files.found)?;
        }
        for unread in files.unread {
            books.summary.unread(unread);
        }
        let files = files.found;
        let inputs = match self.example {
            true => vec![LogInput::Text("example.jsonl", EXAMPLE)],
            false => files.iter().map(|file| LogInput::File(file)).collect(),
        };
        let auditor = Auditor::new(self.told()?);
        let pool = threads(0).map_err(|error| Failure::new(error.to_string(), error.help()))?;
        let progress = super::global::progress(global, inputs.len());
        for input in inputs {
            let name = input.name();
            progress.set_message(name.clone());
            match input.open() {
                Ok(opened) => {
                    let mut reader = Reader::new(&name, opened, self.format);
                    while let Some(batch) = batch(&mut reader) {
                        let audited = pool.install(|| books::hold(&auditor, batch));
                        books.take(audited, auditor.told())?;
                    }
                    books.summary.file(&name, reader.found());
                }
                Err(unread) => books.summary.unread(unread),
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        books.summary.unused = auditor.told().unused(&books.summary.names);
        Ok(books)
    }

    fn told(&self) -> Result<Told, Failure> {
        let read = |path: &Path| {
            read_named(path, MAX_FILE_BYTES)
                .map_err(|error| Failure::new(format!("`{}`: {error}", path.display()), "name a file that can be read"))
        };
        let tools = self.tools.as_deref().map(|path| {
            let tools = probity_logs::tools_of(&read(path)?);
            let message = || format!("`{}` defines no tool", path.display());
            let help = "give the list of tools that a provider is given, or an MCP server's answer to tools/list";
            tools.filter(|tools| !tools.is_empty()).ok_or_else(|| Failure::new(message(), help))
        });
        if let Some(both) = self.changes.iter().find(|name| self.reads.contains(name)) {
            let message = format!("`{both}` is said to change something and to only read");
            return Err(Failure::new(message, "name it with --changes or with --reads"));
        }
        Ok(Told {
            tools: tools.transpose()?.unwrap_or_default(),
            brief: self.brief.as_deref().map(read).transpose()?.unwrap_or_default(),
            changes: self.changes.iter().cloned().collect(),
            reads: self.reads.iter().cloned().collect(),
            ignored: self.ignore.iter().cloned().collect(),
        })
    }
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}`: {error}", path.display()), "name a file in a directory that can be written, with room")
}
