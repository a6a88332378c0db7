//! `probity judge calibrate`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::dialogues::DialogueFlags;
use super::judges::{JudgeFlags, Keep, ask};
use super::{labelled, remarks, replies};
use crate::cli::exit::Exit;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::episode::fault::{FAULTS, PlantedFault, Severity};
use probity_behaviour::judge::calibrate::{self, Calibration, CalibrationEpisode, Sample, of_judge, of_rules, sample};
use probity_behaviour::judge::judgement::{EpisodeCard, JudgeCard, Judgement, Rating};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::suite::Suite;
use probity_bench::MAX_SEED;
use probity_local::Failure;
use probity_ruling::session::Judging;

/// Play planted faults and the oracle, and say which of them the rules and the judges flag.
///
/// With --dialogues rules and judges are held against readers instead: what each of them sees of the untruths and the
/// faults that readers found in dialogues, and what a judge adds. Without a judge nothing is asked of anybody. With
/// judges, each episode is graded once; --sample and --limit keep that cheap, and --out keeps what was paid for.
#[derive(clap::Args)]
pub struct Calibrate {
    #[command(flatten)]
    dialogues: DialogueFlags,
    /// With --dialogues: ask about the sentences of reading lists alone (docs/JUDGES.md), and say what that loses
    #[arg(long, requires = "dialogues", conflicts_with_all = ["replies", "wording"])]
    unsupported: bool,
    /// Hold judges of recorded tickets against readers of replies to them (docs/TICKETS.md, section "Judging"): the facts,
    /// and every model that is named
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dialogues", "faults", "sample"])]
    replies: Option<PathBuf>,
    /// Only this fault (NAME or NAME@SEVERITY); may be repeated
    #[arg(long = "fault", value_name = "FAULT", value_parser = PlantedFault::parse, conflicts_with = "dialogues")]
    faults: Vec<PlantedFault>,
    /// Task instances for each fault at most, drawn by --seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "dialogues")]
    sample: Option<u32>,
    /// The seed of the draws and of the episodes
    #[arg(long, default_value_t = 0, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=MAX_SEED), conflicts_with = "replies")]
    seed: u64,
    /// Keep judgements and traffic in this directory, and go on with those that are there; with --replies the traffic
    /// alone, which --cassette plays again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

impl Calibrate {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        match (&self.dialogues.dialogues, &self.replies) {
            (_, Some(path)) => replies::calibrate(global, path, &self.judges, self.out.as_deref()),
            (Some(path), None) => {
                let drawn = (&self.dialogues, path.as_path(), self.seed);
                let form = if self.unsupported { ReplyForm::Sentences } else { ReplyForm::Statements };
                labelled::calibrate(global, drawn, &self.judges, self.out.as_deref(), form)
            }
            (None, None) => {
                let suite = Suite::load(&global.root);
                if suite.has_errors() {
                    return Err(output::refuse(global.json, &suite.diagnostics).into());
                }
                self.calibrate(global, &suite)
            }
        }
    }

    fn calibrate(&self, global: &Global, suite: &Suite) -> Result<Exit, Stopped> {
        Keep::beside(self.out.as_deref()).check()?;
        let faults = self.faults();
        let limit = self.sample.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let wanted = Sample { faults: faults.clone(), limit, seed: self.seed };
        let played = sample(suite, &wanted, self.judges.jobs())?;
        let mut calibrations = vec![of_rules(&played, &faults)];
        if self.judges.is_empty() {
            print(global, &calibrations);
            return Ok(Exit::Clean);
        }
        let (cards, asked) = self.ask(global, &played)?;
        let ratings: Vec<Rating> = asked.records.iter().filter_map(Rating::of).collect();
        calibrations.extend(cards.iter().map(|card| of_judge(card, &ratings, &played, &faults)));
        print(global, &calibrations);
        // A directory may hold other judges and other faults of earlier commands.
        let episodes: BTreeSet<EpisodeCard> =
            played.iter().filter_map(|played| EpisodeCard::of(&played.record)).collect();
        let is_here =
            |judgement: &&Judgement| cards.contains(&judgement.judge) && episodes.contains(&judgement.episode);
        let here: Vec<&Judgement> = asked.records.iter().filter(is_here).collect();
        let next = if self.out.is_some() { remarks::NextStep::Same } else { remarks::NextStep::Anew };
        Ok(remarks::end(global, &here, &asked, &next))
    }

    fn faults(&self) -> Vec<PlantedFault> {
        match self.faults.is_empty() {
            true => FAULTS.iter().map(|fault| PlantedFault { fault, severity: Severity::default() }).collect(),
            false => {
                let position = |planted: &PlantedFault| FAULTS.iter().position(|fault| fault == planted.fault);
                let mut faults = self.faults.clone();
                faults.sort_by_key(|planted| (position(planted), planted.severity));
                faults.dedup();
                faults
            }
        }
    }

    fn ask(
        &self,
        global: &Global,
        played: &[CalibrationEpisode],
    ) -> Result<(Vec<JudgeCard>, Judging<Judgement>), Failure> {
        let subject = |played: &CalibrationEpisode| EpisodeCard::of(&played.record);
        let subjects: Vec<Subject> = played
            .iter()
            .filter_map(|played| {
                let CalibrationEpisode { task, record, .. } = played;
                let listed = &record.scores.reading_list;
                Some(Subject { episode: subject(played)?, task, trace: &record.trace, listed })
            })
            .collect();
        ask(global, &self.judges, (Wording::of(ReplyForm::Grades), 1), &Keep::beside(self.out.as_deref()), &subjects)
    }
}

fn print(global: &Global, calibrations: &[Calibration]) {
    global.tell(|| serde_json::json!({"raters": calibrations}), || calibrate::render(calibrations));
}
