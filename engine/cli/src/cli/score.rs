//! `probity score`.

mod dialogues;
mod peer;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::exit::Exit;
use super::opened::Opened;
use super::{Global, output};
use probity_bench::{EpisodeRecord, RunError, run::execute::threads};
use probity_report::Tally;

/// Score the episodes of a run again with this version's scorers.
///
/// Prints the table; the run directory stays as it is. Says which episodes score differently now. With `--format`
/// the run is another benchmark's: its verdicts stand beside ours, with the reason for every difference. With
/// `--dialogues` it is a file of dialogues that some agent held somewhere; where readers have labelled them, it says
/// how far the rules agree with them.
#[derive(clap::Args)]
pub struct Score {
    /// The run directory
    #[arg(required_unless_present_any = ["format", "dialogues"], conflicts_with_all = ["format", "dialogues"])]
    run: Option<PathBuf>,
    /// Score dialogues from elsewhere: their calls are replayed on the tasks below --root
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    dialogues: Option<PathBuf>,
    /// Score runs of another benchmark
    #[arg(long, value_enum, requires_all = ["samples", "blueprints", "results"])]
    format: Option<Format>,
    /// Its samples
    #[arg(long, value_name = "FILE", requires = "format")]
    samples: Option<PathBuf>,
    /// Its environments and tasks
    #[arg(long, value_name = "FILE", requires = "format")]
    blueprints: Option<PathBuf>,
    /// Its runs
    #[arg(long, value_name = "FILE", requires = "format")]
    results: Option<PathBuf>,
}

/// Whose files are scored.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// RUT-Bench
    RutBench,
}

impl Score {
    pub(super) fn run(&self, global: &Global) -> Exit {
        if let Some(path) = &self.dialogues {
            return dialogues::score_all(global, path);
        }
        match (self.format, &self.run, &self.samples, &self.blueprints, &self.results) {
            (Some(Format::RutBench), _, Some(samples), Some(blueprints), Some(results)) => {
                peer::score(global, samples, blueprints, results)
            }
            (None, Some(run), ..) => again(global, run),
            // The parser lets nothing else through.
            _ => Exit::BadInput,
        }
    }
}

/// Scores our own run again.
fn again(global: &Global, run: &Path) -> Exit {
    let opened = match Opened::open(global, run) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let mut is_damaged = opened.is_damaged();
    if let Err(exit) = opened.note_gaps() {
        return exit;
    }
    let tally = match threads(0).and_then(|threads| threads.install(|| tally_again(global, &opened))) {
        Ok((tally, is_scored)) => {
            is_damaged |= !is_scored;
            tally
        }
        Err(error) => {
            output::error(&error.to_string(), error.help());
            return Exit::BadInput;
        }
    };
    let finished = opened.finished();
    let report = finished.report(tally);
    match global.json {
        true => output::json(&serde_json::to_value(&report).unwrap_or_default()),
        false => output::print(&finished.table(&report)),
    }
    if is_damaged { Exit::Failed } else { Exit::Clean }
}

/// Counts the episodes of a run as they are scored now, and whether all could be; says which score differently.
fn tally_again(global: &Global, opened: &Opened) -> Result<(Tally, bool), RunError> {
    let card = opened.benchmark.card();
    let (mut tally, mut is_scored) = (Tally::new(card), true);
    for batch in opened.episodes.batches() {
        let batch = batch?;
        let again = |record: &EpisodeRecord| {
            let scores = card.checked(opened.benchmark.score(&record.instance(), &record.trace));
            EpisodeRecord { scores, ..record.clone() }
        };
        let scored: Vec<EpisodeRecord> = batch.par_iter().map(again).collect();
        for (record, again) in batch.iter().zip(&scored) {
            if let Some(why) = card.unscorable(&again.scores) {
                output::note(&format!("error: {} {why}", record.name()));
                is_scored = false;
            } else if again.scores != record.scores && !global.quiet {
                output::note(&format!("scores differently now: {}", record.name()));
            }
            tally.add(again);
        }
    }
    Ok((tally, is_scored))
}
