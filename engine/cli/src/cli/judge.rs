//! `probity judge`.

mod calibrate;
mod dialogues;
pub(super) mod judges;
mod labelled;
mod labelling;
pub(super) mod remarks;
mod replies;
mod sentences;
mod subjects;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cli::exit::Exit;
use crate::cli::opened::Opened;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use dialogues::DialogueFlags;
use judges::{JudgeFlags, Keep, ask};
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement, MAX_REPEATS, Rating};
use probity_behaviour::judge::labels::Label;
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::judge::table::Summary;
use probity_behaviour::judge::{labels, table};
use probity_local::Failure;
use probity_ruling::session::Judging;
pub(super) use sentences::{of_record as sentences_of, print_block as print_sentences, words_by_digest};
use subjects::read_labels;
pub(super) use subjects::{judged, judged_episodes, known, of_run, print_block, read_journal, subjects};

/// Let language models and people grade the episodes of a run, and say how far they agree.
///
/// Each judge reads the task, a card of the environment and the dialogue of an episode, never who played it nor what
/// the rules found, and grades faithfulness (0 to 4), clarification (0 to 3) and discipline (0 to 3). Judgements are
/// kept in RUNDIR/judgements.jsonl and not asked for again; without a judge those that are there are summed up. Of a run
/// of the suite mm-tau they label messages and conversations for its measures, kept in RUNDIR/labels.jsonl. With
/// --dialogues they grade dialogues that an agent held elsewhere, and point at what they hold untrue in them. With
/// --unsupported they are asked about the sentences of reading lists alone, for a fraction of the price; what they say
/// is kept in unsupported.jsonl.
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
    /// Ask about the sentences that nothing known speaks for alone (`to read` in `probity show`), each with what was and
    /// was not known when it was said; dialogues without such sentences cost nothing
    #[arg(long, conflicts_with_all = ["wording", "labels"])]
    unsupported: bool,
    /// Grades that people gave, one JSON object a line (docs/JUDGES.md)
    #[arg(long, value_name = "FILE", conflicts_with = "dialogues")]
    labels: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

#[derive(clap::Subcommand)]
pub(super) enum JudgeCommand {
    /// Which planted faults the rules and the judges see, and how often they see one where there is none
    Calibrate(Box<calibrate::Calibrate>),
}

impl Judge {
    pub(crate) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        match (&self.command, &self.run, &self.dialogues.dialogues, &self.out) {
            (Some(JudgeCommand::Calibrate(calibrate)), ..) => calibrate.run(global),
            (None, Some(run), ..) => self.judge(global, run),
            (None, None, Some(path), Some(directory)) => {
                let what = (&self.dialogues, path.as_path(), directory.as_path());
                let judge = if self.unsupported { sentences::of_dialogues } else { dialogues::judge };
                judge(global, what, &self.judges, self.repeats)
            }
            // The parser lets nothing else through.
            (None, None, ..) => Ok(Exit::BadInput),
        }
    }

    fn judge(&self, global: &Global, run: &Path) -> Result<Exit, Stopped> {
        let opened = Opened::open(global, run)?;
        if opened.config.suite == probity_mm_tau::NAME && self.unsupported {
            let message = format!("a run of the suite `{}` has no reading lists", opened.config.suite);
            return Err(Failure::new(message, "leave out `--unsupported`").into());
        }
        if opened.config.suite == probity_mm_tau::NAME {
            return labelling::judge(global, &opened, (self.labels.as_deref(), &self.judges));
        }
        let is_damaged = opened.is_damaged();
        opened.note_gaps()?;
        let records = opened.episodes.load()?;
        let suite = opened.suite()?;
        let subjects = subjects(&suite, &records)?;
        let ask = |form: ReplyForm, subjects: &[Subject]| {
            let keep = Keep::Run(&opened.directory);
            ask(global, &self.judges, (Wording::of(form), self.repeats), &keep, subjects).map(|(_, asked)| asked)
        };
        let exit = if self.unsupported {
            let asked = ask(ReplyForm::Sentences, &sentences::with_list(&subjects))?;
            note_elsewhere(&subjects, &asked);
            sentences::conclude(global, &subjects, &asked, (Wording::of(ReplyForm::Grades), &[]))
        } else {
            let labels = self.labels(global, &subjects)?;
            conclude(global, &subjects, &labels, &ask(ReplyForm::Grades, &subjects)?)
        };
        Ok(if exit == Exit::Clean && is_damaged { Exit::Failed } else { exit })
    }

    fn labels(&self, global: &Global, subjects: &[Subject]) -> Result<Vec<Label>, Stopped> {
        let Some(path) = &self.labels else { return Ok(Vec::new()) };
        let episodes: Vec<EpisodeCard> = subjects.iter().map(|subject| subject.episode.clone()).collect();
        read_labels(global, (path, "name a file of labels"), |name, text| labels::read(name, text, &episodes))
    }
}

/// Prints what all raters say and how it ended.
pub(super) fn conclude(global: &Global, subjects: &[Subject], labels: &[Label], asked: &Judging<Judgement>) -> Exit {
    let here = note_elsewhere(subjects, asked);
    let of_models = here.iter().filter_map(|judgement| Rating::of(judgement));
    let ratings: Vec<Rating> = of_models.chain(labels.iter().map(Rating::from)).collect();
    let summary = Summary::of(&ratings);
    match (global.json, ratings.is_empty()) {
        (true, _) => output::json(&serde_json::to_value(&summary).unwrap_or_default()),
        (false, true) => output::note("no judgement yet; name a judge with `--judge openai:MODEL`, or `--labels FILE`"),
        (false, false) => output::print(&table::render(&summary)),
    }
    remarks::end(global, &here, asked, &remarks::NextStep::Same)
}

/// The judgements of these episodes; a note says how many there are of others.
fn note_elsewhere<'a>(subjects: &[Subject], asked: &'a Judging<Judgement>) -> Vec<&'a Judgement> {
    let episodes: BTreeSet<&EpisodeCard> = subjects.iter().map(|subject| &subject.episode).collect();
    let is_here = |judgement: &&Judgement| episodes.contains(&judgement.episode);
    let (here, elsewhere): (Vec<&Judgement>, Vec<&Judgement>) = asked.records.iter().partition(is_here);
    if !elsewhere.is_empty() {
        let count = output::count(elsewhere.len(), "judgement");
        output::note(&format!("note: {count} of episodes that this run does not hold (any more) are left out"));
    }
    here
}
