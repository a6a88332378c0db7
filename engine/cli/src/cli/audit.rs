//! `probity audit`.

mod compared;
mod document;
mod inputs;
mod summary;
mod text;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::exit::Exit;
use super::finish::width;
use super::overwrite::refuse_overwrite;
use super::{Global, output};
use crate::failure::Failure;
use compared::Sides;
use inputs::LogInput;
use probity_audit::{Auditor, CARD, Held, Told, record};
use probity_bench::run::execute::threads;
use probity_bench::{EpisodeRecord, Spool};
use probity_engine::{MAX_FILE_BYTES, read::read_named};
use probity_logs::{Dialogue, Form, Reader, Unread};
use probity_report::compare::rates::checks;
use probity_report::{About, Page, SuiteCounts, Tally, junit};
use summary::Summary;

/// Dialogues that are in memory at the same time.
const BATCH: usize = 256;
/// How a document of an audit begins, once there is something to say.
const EPISODES: &str = "{\"episodes\": [";
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

/// A dialogue that was held against its ledger, or what could not be read.
type Taken = Result<Dialogue, Unread>;

impl Audit {
    pub(super) fn run(&self, global: &Global) -> Exit {
        self.audit(global).unwrap_or_else(|failure| output::fail(&failure))
    }

    fn audit(&self, global: &Global) -> Result<Exit, Failure> {
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
            Some(path) => std::fs::write(path, text).map_err(|error| unwritable(path, &error)),
            None => Ok(()),
        };
        write(&self.junit, junit::render_checks(&sides.title(), &checks))?;
        write(&self.markdown, compared::markdown(&sides, &rates, &checks))?;
        match global.json {
            true => output::json(&compared::document(&sides, &rates, &checks)),
            false => output::print(&compared::text(&sides, &rates, &checks)),
        }
        let exits = [sides.base.exit(), sides.new.exit()];
        Ok(match () {
            () if exits.contains(&Exit::BadInput) => Exit::BadInput,
            () if is_closed || sides.new.exit() == Exit::Failed => Exit::Failed,
            () => Exit::Clean,
        })
    }

    fn books(&self) -> Books {
        Books { summary: Summary::new(&self.fail_on), page: None, json: false }
    }

    fn read(&self, global: &Global, logs: &[PathBuf], mut books: Books) -> Result<Books, Failure> {
        let files = inputs::files(logs)?;
        for out in [&self.html, &self.junit, &self.markdown].into_iter().flatten() {
            refuse_overwrite(Some(out), &files)?;
        }
        let inputs = match self.example {
            true => vec![LogInput::Text("example.jsonl", EXAMPLE)],
            false => files.iter().map(|file| LogInput::File(file)).collect(),
        };
        let auditor = Auditor::new(self.told()?);
        let pool = threads(0).map_err(|error| Failure::new(error.to_string(), error.help()))?;
        let progress = super::program::progress(global, inputs.len());
        for input in inputs {
            let name = input.name();
            progress.set_message(name.clone());
            let mut reader = Reader::new(&name, input.open()?, self.format);
            loop {
                let batch: Vec<Taken> = reader.by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    break;
                }
                let held = pool.install(|| hold(&auditor, batch));
                books.take(held)?;
            }
            progress.inc(1);
            books.summary.file(&name, reader.found());
        }
        progress.finish_and_clear();
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

/// What is written down while dialogues are read.
struct Books {
    summary: Summary,
    page: Option<Pages>,
    json: bool,
}

/// Holds dialogues against their ledgers, in parallel, in their order.
fn hold(auditor: &Auditor, batch: Vec<Taken>) -> Vec<Result<(Dialogue, Held), Unread>> {
    let hold = |dialogue: Dialogue| {
        let held = auditor.hold(&dialogue);
        (dialogue, held)
    };
    batch.into_par_iter().map(|taken| taken.map(hold)).collect()
}

impl Books {
    fn take(&mut self, batch: Vec<Result<(Dialogue, Held), Unread>>) -> Result<(), Failure> {
        for taken in batch {
            let (dialogue, held) = match taken {
                Ok(held) => held,
                Err(unread) => {
                    self.summary.unread(unread);
                    continue;
                }
            };
            if self.json {
                let between = if self.summary.dialogues == 0 { EPISODES } else { "," };
                output::json_text(&format!("{between}\n{}", document::episode(&dialogue, &held)));
            }
            let trial = self.summary.add(&dialogue, &held);
            if let Some(page) = &mut self.page {
                page.add(record(&dialogue, held, trial))?;
            }
        }
        Ok(())
    }
}

/// The page while it is made.
struct Pages {
    page: Page<Spool>,
    tally: Tally<'static>,
    waiting: Vec<EpisodeRecord>,
}

impl Pages {
    fn new(path: &Path) -> Result<Pages, Failure> {
        let spool = Spool::beside(path).map_err(|error| unwritable(path, &error))?;
        let (page, tally) = (Page::new(&CARD, spool), Tally::of_card(&CARD));
        Ok(Pages { page, tally, waiting: Vec::new() })
    }

    fn add(&mut self, record: EpisodeRecord) -> Result<(), Failure> {
        self.tally.add(&record);
        self.waiting.push(record);
        if self.waiting.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        self.page.add(&waiting).map_err(|error| unwritable(Path::new("the page"), &error))
    }

    fn write(mut self, path: &Path, summary: &Summary) -> Result<(), Failure> {
        self.flush()?;
        let (tasks, task_instances) = (summary.dialogues, summary.dialogues);
        let report = self.tally.report(SuiteCounts { tasks, task_instances, ..SuiteCounts::default() });
        let mut about = About::default();
        about.command = format!("probity audit{}", text::guessed(summary));
        let file = std::fs::File::create(path).map_err(|error| unwritable(path, &error))?;
        let mut file = std::io::BufWriter::new(file);
        self.page.write(&mut file, &report, &about).map_err(|error| unwritable(path, &error))?;
        std::io::Write::flush(&mut file).map_err(|error| unwritable(path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}`: {error}", path.display()), "name a file in a directory that can be written, with room")
}
