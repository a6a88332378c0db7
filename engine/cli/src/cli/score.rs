//! `probity score`.

mod dialogues;

pub(super) use dialogues::finding;

use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::opened::Opened;
use super::proof::Doubts;
use super::stopped::Stopped;
use super::{Global, output};
use probity_bench::run::{execute::threads, replay::Proved};
use probity_bench::{Replayer, RunError, Units};
use probity_report::Tally;

/// Score the episodes of a run again with this version's scorers.
///
/// Prints the table; the run directory stays as it is. Says which episodes score differently now. With
/// `--dialogues` it is a file of dialogues that some agent held somewhere; where readers have labelled them, it says
/// how far the rules agree with them.
#[derive(clap::Args)]
pub struct Score {
    /// The run directory
    #[arg(required_unless_present = "dialogues", conflicts_with = "dialogues")]
    run: Option<PathBuf>,
    /// Score dialogues from elsewhere, in our form or in that of any log: their calls are replayed on the tasks below --root
    #[arg(long, value_name = "FILE")]
    dialogues: Option<PathBuf>,
    /// With --dialogues: of which task and variant dialogues of a log are, {"ID": {"task", "variant"}, ..}; without it they are known by what their users say
    #[arg(long, value_name = "FILE", requires = "dialogues")]
    map: Option<PathBuf>,
}

impl Score {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if let Some(path) = &self.dialogues {
            return dialogues::score_all(global, path, self.map.as_deref());
        }
        match &self.run {
            Some(run) => again(global, run),
            // The parser lets nothing else through.
            None => Ok(Exit::BadInput),
        }
    }
}

fn again(global: &Global, run: &Path) -> Result<Exit, Stopped> {
    let opened = Opened::open(global, run)?;
    let is_damaged = opened.is_damaged();
    let (units, _) = opened.note_gaps()?;
    let (tally, is_sound) = threads(0)?.install(|| tally_again(global, &opened, &units))?;
    let finished = opened.finished();
    let report = finished.report(tally);
    match global.json {
        true => output::json(&serde_json::to_value(&report).map_err(RunError::from)?),
        false => output::print(&finished.table(&report)),
    }
    Ok(if is_sound && !is_damaged { Exit::Clean } else { Exit::Failed })
}

/// Counts the episodes of a run as they are scored now, and whether all could be; says which score differently. Nothing
/// of a record is believed but what was said: that its scores are others is no fault, for scorers change.
fn tally_again<'o>(global: &Global, opened: &'o Opened, units: &Units) -> Result<(Tally<'o>, bool), RunError> {
    let card = opened.benchmark.card();
    let replayer = Replayer::new(units, card);
    let (mut tally, mut is_scored, mut doubts) = (Tally::new(opened.benchmark.as_ref()), true, Doubts::default());
    for batch in opened.episodes.batches() {
        for Proved { record, divergence } in replayer.prove(batch?) {
            if let Some(why) = &record.scores.unscorable {
                output::note(&format!("error: {} cannot be scored: {why}", record.name()));
                is_scored = false;
            }
            match divergence {
                _ if record.scores.unscorable.is_some() => {}
                Some(divergence) if !divergence.path.starts_with("/scores/") => doubts.add(Some(divergence)),
                Some(_) if !global.quiet => output::note(&format!("scores differently now: {}", record.name())),
                Some(_) | None => {}
            }
            tally.add(&record);
        }
    }
    doubts.say(opened.directory.path());
    Ok((tally, is_scored && doubts.is_empty()))
}
