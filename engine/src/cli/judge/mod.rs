//! `probity judge`.

mod calibrate;
mod judges;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::Exit;
use super::opened::Opened;
use super::run::{Refusal, default_jobs, stop_on_signals};
use super::{Global, output, progress};
use crate::episode::interrupt::Interrupt;
use crate::judge::execute::{Asked, Journal, Subject};
use crate::judge::judgement::{EpisodeCard, FILE, Judgement};
use crate::judge::labels::{self, Label};
use crate::judge::rating::Rating;
use crate::judge::summary::Summary;
use crate::judge::table;
use judges::JudgeFlags;

/// Let language models and people grade the episodes of a run, and say how far they agree.
///
/// Each judge reads the task, a card of the environment and the dialogue of an episode, never who played it nor what
/// the rules found, and grades faithfulness (0 to 4), clarification (0 to 3) and discipline (0 to 3). Judgements are
/// kept in RUNDIR/judgements.jsonl and not asked for again; without a judge those that are there are summed up.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Judge {
    #[command(subcommand)]
    command: Option<Command>,
    /// The run directory
    #[arg(value_name = "RUNDIR", required = true)]
    run: Option<PathBuf>,
    /// How often each judge grades each episode
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeats: u32,
    /// Grades that people gave, one JSON object a line (docs/JUDGES.md)
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Which planted faults the rules and the judges see, and how often they see one where there is none
    Calibrate(Box<calibrate::Calibrate>),
}

impl Judge {
    pub(super) fn run(&self, global: &Global) -> Exit {
        match (&self.command, &self.run) {
            (Some(Command::Calibrate(calibrate)), _) => calibrate.run(global),
            (None, Some(run)) => self.judge(global, run),
            // The parser lets nothing else through.
            (None, None) => Exit::BadInput,
        }
    }

    fn judge(&self, global: &Global, run: &Path) -> Exit {
        let opened = match Opened::open(run) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let is_damaged = opened.is_damaged();
        if let Err(exit) = opened.note_gaps() {
            return exit;
        }
        let result = subjects(&opened).and_then(|subjects| {
            let labels = self.labels(global, &subjects)?;
            let asked = self.ask(global, &opened, &subjects)?;
            Ok((subjects, labels, asked))
        });
        match result {
            Ok((subjects, labels, asked)) => conclude(global, &subjects, &labels, &asked, is_damaged),
            Err(Stopped::Refused((message, help))) => {
                output::error(&message, &help);
                Exit::BadInput
            }
            Err(Stopped::Told(exit)) => exit,
        }
    }

    fn labels(&self, global: &Global, subjects: &[Subject]) -> Result<Vec<Label>, Stopped> {
        let Some(path) = &self.labels else { return Ok(Vec::new()) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| (format!("`{name}`: {error}"), "name a file of labels".to_owned()))?;
        let episodes: Vec<EpisodeCard> = subjects.iter().map(|subject| subject.episode.clone()).collect();
        labels::read(&name, &text, &episodes).map_err(|found| Stopped::Told(output::refuse(global.json, &found)))
    }

    fn ask(&self, global: &Global, opened: &Opened, subjects: &[Subject]) -> Result<Asked, Stopped> {
        let journal = journal(&opened.directory.file(FILE))?;
        let interrupt = Arc::new(Interrupt::default());
        let judges = self.judges.connect(Some(opened.directory.path()), &interrupt)?;
        if judges.judges.is_empty() {
            return Ok(Asked { judgements: journal.lines.records, ..Asked::default() });
        }
        let _lock = opened.directory.lock().map_err(|error| (error.to_string(), error.help().to_owned()))?;
        // What another process wrote before the lock was ours counts too.
        let journal = self::journal(&opened.directory.file(FILE))?;
        judges.ask(global, subjects, Some(journal), (self.repeats, self.judges.jobs()), &interrupt)
    }
}

/// Why a command goes no further.
enum Stopped {
    /// This is to be told.
    Refused(Refusal),
    /// It has been told.
    Told(Exit),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Self {
        Stopped::Refused(refusal)
    }
}

/// The episodes of a run with their tasks.
fn subjects(opened: &Opened) -> Result<Vec<Subject<'_>>, Stopped> {
    let subject = |record| {
        let EpisodeCard { task, .. } = EpisodeCard::of(record);
        let loaded = opened.suite.tasks.get(&task).filter(|task| task.task.hash() == record.trace.header.task_hash);
        let loaded = loaded.ok_or_else(|| {
            let message = format!("{} is not of a task that the run holds", record.name());
            (message, "`probity replay` says what was changed".to_owned())
        })?;
        Ok(Subject { episode: EpisodeCard::of(record), task: &loaded.task, trace: &record.trace })
    };
    opened.episodes.records.iter().map(subject).collect()
}

/// The judgements that are there. A line that cannot be read may have been paid for: nothing is written over it.
fn journal(path: &Path) -> Result<Journal, Stopped> {
    let journal = Journal::open(path.to_owned()).map_err(|error| (error.to_string(), error.help().to_owned()))?;
    match journal.lines.damaged.first() {
        Some((line, what)) => {
            let message = format!("`{}`: line {line} cannot be read: {what}", path.display());
            Err((message, "mend the line or take it out of the file".to_owned()).into())
        }
        None => Ok(journal),
    }
}

/// Prints what judges said of a run so far, where any did; `--json` has it in `probity judge`.
pub(super) fn print_block(global: &Global, opened: &Opened) {
    let journal = match Journal::open(opened.directory.file(FILE)) {
        Ok(journal) => journal,
        Err(error) => return output::note(&format!("note: {error}")),
    };
    for (line, what) in &journal.lines.damaged {
        output::note(&format!("note: line {line} of {FILE} cannot be read: {what}"));
    }
    let episodes: BTreeSet<EpisodeCard> = opened.episodes.records.iter().map(EpisodeCard::of).collect();
    let here = journal.lines.records.iter().filter(|judgement| episodes.contains(&judgement.episode));
    let ratings: Vec<Rating> = here.map(Rating::from).collect();
    if !global.json && !ratings.is_empty() {
        output::print(&format!("\n{}", table::render(&Summary::of(&ratings))));
    }
}

/// Prints what all raters say and how it ended.
fn conclude(global: &Global, subjects: &[Subject], labels: &[Label], asked: &Asked, is_damaged: bool) -> Exit {
    let episodes: BTreeSet<&EpisodeCard> = subjects.iter().map(|subject| &subject.episode).collect();
    let is_here = |judgement: &&Judgement| episodes.contains(&judgement.episode);
    let (here, elsewhere): (Vec<&Judgement>, Vec<&Judgement>) = asked.judgements.iter().partition(is_here);
    if !elsewhere.is_empty() {
        let count = output::count(elsewhere.len(), "judgement");
        output::note(&format!("note: {count} of episodes that this run does not hold (any more) are left out"));
    }
    let ratings: Vec<Rating> = here.into_iter().map(Rating::from).chain(labels.iter().map(Rating::from)).collect();
    let summary = Summary::of(&ratings);
    match (global.json, ratings.is_empty()) {
        (true, _) => output::json(&serde_json::to_value(&summary).unwrap_or_default()),
        (false, true) => output::note("no judgement yet; name a judge with `--judge openai:MODEL`, or `--labels FILE`"),
        (false, false) => output::print(&table::render(&summary)),
    }
    match asked {
        Asked { is_interrupted: true, .. } => {
            output::note("interrupted; the same command goes on");
            Exit::Interrupted
        }
        Asked { is_unreached: true, .. } => Exit::Infrastructure,
        Asked { .. } if is_damaged => Exit::Failed,
        Asked { .. } => Exit::Clean,
    }
}
