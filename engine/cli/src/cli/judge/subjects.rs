//! What is judged, and what was judged before, by models and by people.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::cli::opened::Opened;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::judge::execute::card;
use probity_behaviour::judge::grades::Scale;
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement, Rating};
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::question::Subject;
use probity_behaviour::judge::table;
use probity_behaviour::judge::table::{GradeSummary, Summary};
use probity_behaviour::suite::Suite;
use probity_bench::{EpisodeRecord, RunConfig, RunError, Usage};
use probity_engine::{Diagnostic, MAX_FILE_BYTES, read::read_named};
use probity_local::Failure;
use probity_report::{Judged, JudgedMean};
use probity_ruling::journal::{Journal, Record};

/// Most errors of a file of labels that people are told.
const MAX_ERRORS: usize = 50;

pub(crate) fn subjects<'a>(suite: &'a Suite, records: &'a [EpisodeRecord]) -> Result<Vec<Subject<'a>>, Failure> {
    let subject = |record: &'a EpisodeRecord| {
        let loaded = suite.tasks.get(record.task()).filter(|task| task.task.hash() == record.trace.header.task_hash);
        let found = EpisodeCard::of(record).zip(loaded);
        let (episode, loaded) = found.ok_or_else(|| {
            let message = format!("{} is not of a task that the run holds", record.name());
            Failure::new(message, "`probity replay` says what was changed")
        })?;
        Ok(Subject { episode, task: &loaded.task, trace: &record.trace, listed: &record.scores.reading_list })
    };
    records.iter().map(subject).collect()
}

/// The judgements that are there.
pub(crate) fn read_journal(path: &Path) -> Result<Journal<Judgement>, Failure> {
    whole(Journal::open(path.to_owned())?)
}

/// A journal of which every line can be read. One that cannot may have been paid for: nothing is written over it.
pub(super) fn whole<R: Record>(journal: Journal<R>) -> Result<Journal<R>, Failure> {
    match journal.damaged.first() {
        Some((line, what)) => {
            let message = format!("`{}`: line {line} cannot be read: {what}", journal.path.display());
            Err(Failure::new(message, "mend the line or take it out of the file"))
        }
        None => {
            note_doubled(&journal);
            Ok(journal)
        }
    }
}

/// What a file of labels holds that was named, by who reads such a file from its name and text.
pub(super) fn read_labels<T>(
    global: &Global,
    (path, help): (&Path, &str),
    read: impl FnOnce(&str, &str) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Stopped> {
    let name = path.display().to_string();
    let text = read_named(path, MAX_FILE_BYTES).map_err(|what| Failure::new(format!("`{name}`: {what}"), help))?;
    read(&name, &text).map_err(|found| output::refuse_lines(global.json, &found, MAX_ERRORS).into())
}

pub(crate) fn of_run<'a>(
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
pub(crate) fn judged(config: &RunConfig, judgements: &[&Judgement]) -> Option<Judged> {
    let prices = config.judge.as_ref()?.provider.prices;
    let ratings: Vec<Rating> = judgements.iter().filter_map(|judgement| Rating::of(judgement)).collect();
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

fn note_doubled<R: Record>(journal: &Journal<R>) {
    let file = journal.name();
    if journal.doubled > 0 {
        let lines = output::count(journal.doubled, "line");
        output::note(&format!(
            "note: {lines} of {file} left out: a later one is of the same judge, repeat and episode"
        ));
    }
}

/// The journal of a run for a reader who asks nobody: what cannot be read is told and left out.
pub(crate) fn known(opened: &Opened, wording: Wording) -> Vec<Judgement> {
    let file = wording.file();
    let journal: Journal<Judgement> = match Journal::open(opened.directory.file(file)) {
        Ok(journal) => journal,
        Err(error) => {
            output::note(&format!("note: {error}"));
            return Vec::new();
        }
    };
    note_doubled(&journal);
    for (line, what) in &journal.damaged {
        output::note(&format!("note: line {line} of {file} cannot be read: {what}"));
    }
    journal.records
}

/// Prints what judges said of a run so far, where any did; `--json` has it in `probity judge`.
pub(crate) fn print_block(global: &Global, episodes: &BTreeSet<EpisodeCard>, judgements: &[Judgement]) {
    let here = judgements.iter().filter(|judgement| episodes.contains(&judgement.episode));
    let ratings: Vec<Rating> = here.filter_map(Rating::of).collect();
    if !global.json && !ratings.is_empty() {
        output::print(&format!("\n{}", table::render(&Summary::of(&ratings))));
    }
}

/// The episodes of a run that were judged; all are read only when something was judged.
pub(crate) fn judged_episodes(judgements: &[&Judgement], opened: &Opened) -> Result<BTreeSet<EpisodeCard>, RunError> {
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
