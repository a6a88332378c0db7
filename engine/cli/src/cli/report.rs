//! `probity report`.

use std::path::PathBuf;

use super::exit::Exit;
use super::finish::{PlayedRun, finish};
use super::opened::Opened;
use super::proof::Doubts;
use super::{Global, judge, output};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};

/// Write `report.json` and `report.html` of a run from its episodes, and print the table.
///
/// Scores are made anew from the traces. A record that says something else is named, and the command ends with 1.
#[derive(clap::Args)]
pub struct Report {
    /// The run directory
    run: PathBuf,
}

impl Report {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let opened = match Opened::open(global, &self.run) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let is_damaged = opened.is_damaged();
        let (units, _) = match opened.note_gaps() {
            Ok(noted) => noted,
            Err(exit) => return exit,
        };
        let judgements = judge::known(&opened, Wording::of(ReplyForm::Grades));
        let sentences = judge::known(&opened, Wording::of(ReplyForm::Sentences));
        let all: Vec<_> = judgements.iter().chain(&sentences).collect();
        let episodes = match judge::judged_episodes(&all, &opened) {
            Ok(episodes) => episodes,
            Err(error) => {
                output::error(&error.to_string(), error.help());
                return Exit::BadInput;
            }
        };
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
        match finished {
            Ok(_) if is_damaged || !doubts.is_empty() => Exit::Failed,
            Ok(exit) => exit,
            Err(error) => {
                output::error(&error.to_string(), error.help());
                Exit::BadInput
            }
        }
    }
}
