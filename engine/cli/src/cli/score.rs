//! `probity score`.

mod dialogues;

pub(super) use dialogues::finding;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::Exit;
use super::opened::Unread;
use super::proof::Doubts;
use super::stopped::Stopped;
use super::{Global, output};
use probity_bench::Replayer;
use probity_bench::run::{execute::threads, replay::Proved};
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
    let unread = Unread::open(global, run)?;
    let benchmark = Arc::clone(&unread.benchmark);
    let units = unread.units()?;
    let replayer = Replayer::new(&units, benchmark.card());
    let begin = || Rescored {
        tally: Tally::new(benchmark.as_ref()),
        is_scored: true,
        notes: Vec::new(),
        doubts: Doubts::default(),
    };
    let take = |rescored: &mut Rescored, batch| rescored.take(global, replayer.prove(batch));
    let (opened, rescored) = threads(0)?.install(|| unread.read(begin, take))?;
    let is_damaged = opened.is_damaged();
    opened.note_gaps()?;
    rescored.notes.iter().for_each(|note| output::note(note));
    rescored.doubts.say(opened.directory.path());
    let finished = opened.finished();
    let report = finished.report(rescored.tally);
    global.tell(|| serde_json::json!(report), || finished.table(&report));
    let is_sound = rescored.is_scored && rescored.doubts.is_empty() && !is_damaged;
    Ok(if is_sound { Exit::Clean } else { Exit::Failed })
}

/// The episodes of a run as they are scored now.
struct Rescored<'b> {
    tally: Tally<'b>,
    /// Whether all could be.
    is_scored: bool,
    /// What is to be said of some of them.
    notes: Vec<String>,
    doubts: Doubts,
}

impl Rescored<'_> {
    /// Counts records with their proofs. Nothing of a record is believed but what was said: that its scores are others is
    /// no fault, for scorers change.
    fn take(&mut self, global: &Global, proved: Vec<Proved>) {
        for Proved { record, divergence } in proved {
            if let Some(why) = &record.scores.unscorable {
                self.notes.push(format!("error: {} cannot be scored: {why}", record.name()));
                self.is_scored = false;
            }
            match divergence {
                _ if record.scores.unscorable.is_some() => {}
                Some(divergence) if !divergence.path.starts_with("/scores/") => self.doubts.add(Some(divergence)),
                Some(_) if !global.quiet => self.notes.push(format!("scores differently now: {}", record.name())),
                Some(_) | None => {}
            }
            self.tally.add(&record);
        }
    }
}
