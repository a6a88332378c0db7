//! `probity report`.

use std::path::{Path, PathBuf};

use super::board::BoardRequest;
use super::exit::Exit;
use super::finish::{PlayedRun, finish};
use super::opened::Opened;
use super::proof::Doubts;
use super::stopped::Stopped;
use super::{Global, judge};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};

/// Write `report.json` and `report.html` of a run from its episodes, and print the table; of several runs make a board.
///
/// Scores are made anew from the traces. A record that says something else is named, and the command ends with 1.
///
/// A board sets many runs beside each other: agents by metric with intervals, ranked where they were played on the same. It is printed, and written as one page with --out. A directory that is no run, or whose records cannot be read or believed, has a row that says so, and the command ends with 1; with 2 where none is a run.
#[derive(clap::Args)]
pub struct Report {
    /// The run directory, or several: in their order a board draws them over time
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Write the board as one page that loads nothing, also of one run; a file that is no board is not overwritten
    #[arg(long, value_name = "BOARD.html")]
    out: Option<PathBuf>,
    /// What to call a run on the board, such as a date: once for each run, in their order; else its path
    #[arg(long = "label", value_name = "TEXT")]
    labels: Vec<String>,
}

impl Report {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        match self.runs.as_slice() {
            [run] if self.out.is_none() && self.labels.is_empty() => Report::of_one(global, run),
            runs => BoardRequest { runs, labels: &self.labels, out: self.out.as_deref() }.run(global),
        }
    }

    fn of_one(global: &Global, run: &Path) -> Result<Exit, Stopped> {
        let opened = Opened::open(global, run)?;
        let is_damaged = opened.is_damaged();
        let (units, _) = opened.note_gaps()?;
        let judgements = judge::known(&opened, Wording::of(ReplyForm::Grades));
        let sentences = judge::known(&opened, Wording::of(ReplyForm::Sentences));
        let all: Vec<_> = judgements.iter().chain(&sentences).collect();
        let episodes = judge::judged_episodes(&all, &opened)?;
        let own: Vec<_> = judge::of_run(&opened.config, &episodes, &judgements).collect();
        let finished = PlayedRun {
            judged: judge::judged(&opened.config, &own),
            judged_words: judge::words_by_digest(&episodes, &sentences),
            ..opened.finished()
        };
        let mut doubts = Doubts::default();
        let finished = doubts
            .proved(&units, opened.benchmark.as_ref(), opened.episodes.batches())
            .and_then(|batches| finish(global, &finished, batches, 0));
        doubts.say(opened.directory.path());
        // Judged numbers stand in a block of their own, below those of the rules.
        judge::print_block(global, &episodes, &judgements);
        judge::print_sentences(global, &episodes, &sentences);
        let exit = finished?;
        Ok(if is_damaged || !doubts.is_empty() { Exit::Failed } else { exit })
    }
}
