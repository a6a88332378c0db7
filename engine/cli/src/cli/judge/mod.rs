//! `probity judge`.

mod calibrate;
mod dialogues;
pub(super) mod judges;
mod kept;
mod labelled;
pub(super) mod remarks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::Exit;
use super::opened::Opened;
use super::run::{default_jobs, stop_on_signals};
use super::{Global, output, progress};
use crate::failure::Failure;
use dialogues::DialogueFlags;
use judges::JudgeFlags;
use probity_behaviour::judge::execute::{JudgingResult, Subject};
use probity_behaviour::judge::journal::Journal;
use probity_behaviour::judge::judgement::{EpisodeCard, FILE, Judgement, MAX_REPEATS};
use probity_behaviour::judge::labels::{self, Label};
use probity_behaviour::judge::model::card;
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::rating::Rating;
use probity_behaviour::judge::scale::Scale;
use probity_behaviour::judge::summary::{GradeSummary, Summary};
use probity_behaviour::judge::table;
use probity_behaviour::suite::Suite;
use probity_bench::agent::interrupt::Interrupt;
use probity_bench::run::config::RunConfig;
use probity_bench::run::directory::RunError;
use probity_bench::run::record::EpisodeRecord;
use probity_bench::usage::Usage;
use probity_engine::load::read::{MAX_FILE_BYTES, read_named};
use probity_report::judged::{Judged, JudgedMean};

/// Most errors of a label file that people are told.
const MAX_ERRORS: usize = 50;

/// Let language models and people grade the episodes of a run, and say how far they agree.
///
/// Each judge reads the task, a card of the environment and the dialogue of an episode, never who played it nor what
/// the rules found, and grades faithfulness (0 to 4), clarification (0 to 3) and discipline (0 to 3). Judgements are
/// kept in RUNDIR/judgements.jsonl and not asked for again; without a judge those that are there are summed up. With
/// --dialogues they grade dialogues that an agent held elsewhere, and point at what they hold untrue in them.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Judge {
    #[command(subcommand)]
    command: Option<JudgeCommand>,
    /// The run directory
    #[arg(value_name = "RUNDIR", required_unless_present = "dialogues", conflicts_with_all = ["dialogues", "limit", "out"])]
    run: Option<PathBuf>,
    #[command(flatten)]
    dialogues: DialogueFlags,
    /// Keep judgements of dialogues and their traffic in this directory, and go on with those that are there
    #[arg(long, value_name = "DIR", requires = "dialogues", required_unless_present = "run")]
    out: Option<PathBuf>,
    /// How often each judge grades each episode
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_REPEATS)))]
    repeats: u32,
    /// Grades that people gave, one JSON object a line (docs/JUDGES.md)
    #[arg(long, value_name = "FILE", conflicts_with = "dialogues")]
    labels: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

#[derive(clap::Subcommand)]
enum JudgeCommand {
    /// Which planted faults the rules and the judges see, and how often they see one where there is none
    Calibrate(Box<calibrate::Calibrate>),
}

impl Judge {
    pub(super) fn run(&self, global: &Global) -> Exit {
        match (&self.command, &self.run, &self.dialogues.dialogues, &self.out) {
            (Some(JudgeCommand::Calibrate(calibrate)), ..) => calibrate.run(global),
            (None, Some(run), ..) => self.judge(global, run),
            (None, None, Some(path), Some(directory)) => {
                let what = (&self.dialogues, path.as_path(), directory.as_path());
                dialogues::judge(global, what, &self.judges, self.repeats).unwrap_or_else(Stopped::tell)
            }
            // The parser lets nothing else through.
            (None, None, ..) => Exit::BadInput,
        }
    }

    fn judge(&self, global: &Global, run: &Path) -> Exit {
        let opened = match Opened::open(global, run) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let is_damaged = opened.is_damaged();
        if let Err(exit) = opened.note_gaps() {
            return exit;
        }
        let records = match opened.load() {
            Ok(records) => records,
            Err(exit) => return exit,
        };
        let suite = match opened.suite() {
            Ok(suite) => suite,
            Err(refusal) => return Stopped::from(refusal).tell(),
        };
        let result = subjects(&suite, &records).map_err(Stopped::from).and_then(|subjects| {
            let labels = self.labels(global, &subjects)?;
            let asked = self.ask(global, &opened, &subjects)?;
            Ok((subjects, labels, asked))
        });
        match result {
            Ok((subjects, labels, asked)) => conclude(global, &subjects, &labels, &asked, is_damaged),
            Err(stopped) => stopped.tell(),
        }
    }

    fn labels(&self, global: &Global, subjects: &[Subject]) -> Result<Vec<Label>, Stopped> {
        let Some(path) = &self.labels else { return Ok(Vec::new()) };
        let name = path.display().to_string();
        let text = read_named(path, MAX_FILE_BYTES)
            .map_err(|what| Failure::new(format!("`{name}`: {what}"), "name a file of labels"))?;
        let episodes: Vec<EpisodeCard> = subjects.iter().map(|subject| subject.episode.clone()).collect();
        labels::read(&name, &text, &episodes)
            .map_err(|found| Stopped::Told(output::refuse_lines(global.json, &found, MAX_ERRORS)))
    }

    fn ask(&self, global: &Global, opened: &Opened, subjects: &[Subject]) -> Result<JudgingResult, Stopped> {
        let path = opened.directory.file(FILE);
        let interrupt = Arc::new(Interrupt::default());
        let judges = self.judges.connect(Wording::Reliability, Some(opened.directory.path()), &interrupt)?;
        if judges.judges.is_empty() {
            return Ok(JudgingResult { judgements: read_journal(&path)?.judgements, ..JudgingResult::default() });
        }
        let _lock = opened.directory.lock().map_err(|error| Failure::new(error.to_string(), error.help()))?;
        // Read when the lock is ours: what another process wrote before counts too.
        let journal = read_journal(&path)?;
        judges.ask(global, subjects, Some(journal), (self.repeats, self.judges.jobs()), &interrupt)
    }
}

/// Why a command goes no further.
enum Stopped {
    /// This is to be told.
    Refused(Failure),
    /// It has been told.
    Told(Exit),
}

impl Stopped {
    /// Tells what is to be told, and gives the exit code.
    fn tell(self) -> Exit {
        match self {
            Stopped::Refused(failure) => output::fail(&failure),
            Stopped::Told(exit) => exit,
        }
    }
}

impl From<Failure> for Stopped {
    fn from(refusal: Failure) -> Self {
        Stopped::Refused(refusal)
    }
}

/// The episodes of a run with their tasks.
pub(super) fn subjects<'a>(suite: &'a Suite, records: &'a [EpisodeRecord]) -> Result<Vec<Subject<'a>>, Failure> {
    let subject = |record: &'a EpisodeRecord| {
        let loaded = suite.tasks.get(record.task()).filter(|task| task.task.hash() == record.trace.header.task_hash);
        let found = EpisodeCard::of(record).zip(loaded);
        let (episode, loaded) = found.ok_or_else(|| {
            let message = format!("{} is not of a task that the run holds", record.name());
            Failure::new(message, "`probity replay` says what was changed")
        })?;
        Ok(Subject { episode, task: &loaded.task, trace: &record.trace })
    };
    records.iter().map(subject).collect()
}

/// The judgements that are there. A line that cannot be read may have been paid for: nothing is written over it.
pub(super) fn read_journal(path: &Path) -> Result<Journal, Failure> {
    let journal = Journal::open(path.to_owned()).map_err(|error| Failure::new(error.to_string(), error.help()))?;
    match journal.damaged.first() {
        Some((line, what)) => {
            let message = format!("`{}`: line {line} cannot be read: {what}", path.display());
            Err(Failure::new(message, "mend the line or take it out of the file"))
        }
        None => {
            note_doubled(&journal);
            Ok(journal)
        }
    }
}

/// What a run's own judge said of its episodes.
pub(super) fn of_run<'a>(
    config: &RunConfig,
    episodes: &'a BTreeSet<EpisodeCard>,
    judgements: &'a [Judgement],
) -> impl Iterator<Item = &'a Judgement> {
    let own =
        config.judge.as_ref().and_then(|judge| Some(card(&judge.model, judge.wording.parse().ok()?, &judge.provider)));
    judgements
        .iter()
        .filter(move |one| one.repeat == 0 && own.as_ref() == Some(&one.judge) && episodes.contains(&one.episode))
}

/// The block of a run's own judge in its report; nothing where it has none, or has said nothing yet.
pub(super) fn judged(config: &RunConfig, judgements: &[&Judgement]) -> Option<Judged> {
    let prices = config.judge.as_ref()?.provider.prices;
    let ratings: Vec<Rating> = judgements.iter().map(|judgement| Rating::from(*judgement)).collect();
    let summary = Summary::of(&ratings).judges.into_iter().next()?;
    let mean = |graded: GradeSummary| JudgedMean {
        mean: graded.mean,
        numerator: graded.numerator,
        denominator: graded.denominator,
        graded: graded.graded,
        not_graded: graded.not_scored.iter().map(|(reason, count)| (reason.name().to_owned(), *count)).collect(),
    };
    let by_scale = |scales: BTreeMap<Scale, GradeSummary>| {
        scales.into_iter().map(|(scale, graded)| (scale.name().to_owned(), mean(graded))).collect()
    };
    let mut usage = Usage::default();
    judgements.iter().for_each(|judgement| usage += judgement.usage);
    Some(Judged {
        judge: table::title(&summary.judge, 1),
        scales: Scale::ALL.map(|scale| scale.name().to_owned()).to_vec(),
        agents: summary.agents.into_iter().map(|(agent, scales)| (agent, by_scale(scales))).collect(),
        usage,
        cost: prices.and_then(|prices| prices.cost(&usage)),
    })
}

fn note_doubled(journal: &Journal) {
    if journal.doubled > 0 {
        let lines = output::count(journal.doubled, "line");
        output::note(&format!(
            "note: {lines} of {FILE} left out: a later one is of the same judge, repeat and episode"
        ));
    }
}

/// The journal of a run for a reader who asks nobody: what cannot be read is told and left out.
pub(super) fn known(opened: &Opened) -> Vec<Judgement> {
    let journal = match Journal::open(opened.directory.file(FILE)) {
        Ok(journal) => journal,
        Err(error) => {
            output::note(&format!("note: {error}"));
            return Vec::new();
        }
    };
    note_doubled(&journal);
    for (line, what) in &journal.damaged {
        output::note(&format!("note: line {line} of {FILE} cannot be read: {what}"));
    }
    journal.judgements
}

/// Prints what judges said of a run so far, where any did; `--json` has it in `probity judge`.
pub(super) fn print_block(global: &Global, episodes: &BTreeSet<EpisodeCard>, judgements: &[Judgement]) {
    let here = judgements.iter().filter(|judgement| episodes.contains(&judgement.episode));
    let ratings: Vec<Rating> = here.map(Rating::from).collect();
    if !global.json && !ratings.is_empty() {
        output::print(&format!("\n{}", table::render(&Summary::of(&ratings))));
    }
}

/// The episodes of a run that were judged; all are read only when something was judged.
pub(super) fn judged_episodes(judgements: &[Judgement], opened: &Opened) -> Result<BTreeSet<EpisodeCard>, RunError> {
    let wanted: BTreeSet<&EpisodeCard> = judgements.iter().map(|judgement| &judgement.episode).collect();
    let mut found = BTreeSet::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    for batch in opened.episodes.batches() {
        found.extend(batch?.iter().filter_map(EpisodeCard::of).filter(|card| wanted.contains(card)));
    }
    Ok(found)
}

/// Prints what all raters say and how it ended.
fn conclude(global: &Global, subjects: &[Subject], labels: &[Label], asked: &JudgingResult, is_damaged: bool) -> Exit {
    let episodes: BTreeSet<&EpisodeCard> = subjects.iter().map(|subject| &subject.episode).collect();
    let is_here = |judgement: &&Judgement| episodes.contains(&judgement.episode);
    let (here, elsewhere): (Vec<&Judgement>, Vec<&Judgement>) = asked.judgements.iter().partition(is_here);
    if !elsewhere.is_empty() {
        let count = output::count(elsewhere.len(), "judgement");
        output::note(&format!("note: {count} of episodes that this run does not hold (any more) are left out"));
    }
    let of_models = here.iter().map(|judgement| Rating::from(*judgement));
    let ratings: Vec<Rating> = of_models.chain(labels.iter().map(Rating::from)).collect();
    let summary = Summary::of(&ratings);
    match (global.json, ratings.is_empty()) {
        (true, _) => output::json(&serde_json::to_value(&summary).unwrap_or_default()),
        (false, true) => output::note("no judgement yet; name a judge with `--judge openai:MODEL`, or `--labels FILE`"),
        (false, false) => output::print(&table::render(&summary)),
    }
    match remarks::end(global, &here, asked, &remarks::NextStep::Same) {
        Exit::Clean if is_damaged => Exit::Failed,
        exit => exit,
    }
}
