//! `probity judge calibrate`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::judges::JudgeFlags;
use super::{FILE, Refusal, Stopped, journal, output, remarks};
use crate::cli::Global;
use crate::cli::exit::Exit;
use crate::episode::fault::{FAULTS, Planted, Severity};
use crate::episode::interrupt::Interrupt;
use crate::judge::calibrate::played::{Played, Sample, sample};
use crate::judge::calibrate::rates::{Calibration, of_judge, of_rules};
use crate::judge::calibrate::table;
use crate::judge::execute::{Asked, Subject};
use crate::judge::judgement::{EpisodeCard, JudgeCard, Judgement};
use crate::judge::model::ModelJudge;
use crate::judge::prompt::Wording;
use crate::judge::rating::Rating;
use crate::load::suite::Suite;
use crate::run::config::MAX_SEED;

/// Play planted faults and the oracle, and say which of them the rules and the judges flag.
///
/// Without a judge nothing is asked of anybody. With judges, each episode is graded once; --sample keeps that cheap,
/// and --out keeps what was paid for.
#[derive(clap::Args)]
pub struct Calibrate {
    /// Only this fault (NAME or NAME@SEVERITY); may be repeated
    #[arg(long = "fault", value_name = "FAULT", value_parser = Planted::parse)]
    faults: Vec<Planted>,
    /// Task instances for each fault at most, drawn by --seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The seed of the draw and of the episodes
    #[arg(long, default_value_t = 0, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    /// Keep judgements and traffic in this directory, and go on with those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

impl Calibrate {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let suite = Suite::load(&global.root);
        if suite.has_errors() {
            return output::refuse(global.json, &suite.diagnostics);
        }
        match self.calibrate(global, &suite) {
            Ok(exit) => exit,
            Err(Stopped::Refused((message, help))) => {
                output::error(&message, &help);
                Exit::BadInput
            }
            Err(Stopped::Told(exit)) => exit,
        }
    }

    fn calibrate(&self, global: &Global, suite: &Suite) -> Result<Exit, Stopped> {
        self.check_out()?;
        let faults = self.faults();
        let limit = self.sample.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let wanted = Sample { faults: faults.clone(), limit, seed: self.seed };
        let played =
            sample(suite, &wanted, self.judges.jobs()).map_err(|error| (error.to_string(), error.help().to_owned()))?;
        let mut calibrations = vec![of_rules(&played, &faults)];
        if self.judges.is_empty() {
            print(global, &calibrations);
            return Ok(Exit::Clean);
        }
        let (judges, asked) = self.ask(global, &played)?;
        let ratings: Vec<Rating> = asked.judgements.iter().map(Rating::from).collect();
        let cards: Vec<JudgeCard> = judges.iter().map(ModelJudge::card).collect();
        calibrations.extend(cards.iter().map(|card| of_judge(card, &ratings, &played, &faults)));
        print(global, &calibrations);
        // A directory may hold other judges and other faults of earlier commands.
        let episodes: BTreeSet<EpisodeCard> = played.iter().map(|played| EpisodeCard::of(&played.record)).collect();
        let is_here =
            |judgement: &&Judgement| cards.contains(&judgement.judge) && episodes.contains(&judgement.episode);
        let here: Vec<&Judgement> = asked.judgements.iter().filter(is_here).collect();
        Ok(remarks::end(global, &here, &asked, self.out.is_some()))
    }

    /// Judgements of a calibration are of other episodes than those of a run: they do not go into its files.
    fn check_out(&self) -> Result<(), Refusal> {
        match self.out.as_deref().filter(|directory| directory.join("run.json").exists()) {
            Some(directory) => {
                let message = format!("`{}` is a run directory", directory.display());
                Err((message, "choose another `--out` for a calibration".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// The faults that are played, in the order of the table.
    fn faults(&self) -> Vec<Planted> {
        match self.faults.is_empty() {
            true => FAULTS.iter().map(|fault| Planted { fault, severity: Severity::default() }).collect(),
            false => {
                let position = |planted: &Planted| FAULTS.iter().position(|fault| fault == planted.fault);
                let mut faults = self.faults.clone();
                faults.sort_by_key(|planted| (position(planted), planted.severity));
                faults.dedup();
                faults
            }
        }
    }

    fn ask(&self, global: &Global, played: &[Played]) -> Result<(Vec<ModelJudge>, Asked), Stopped> {
        let interrupt = Arc::new(Interrupt::default());
        let directory = self.out.as_deref();
        if let Some(directory) = directory {
            let failed = |error: std::io::Error| {
                (format!("`{}`: {error}", directory.display()), "choose another `--out`".to_owned())
            };
            std::fs::create_dir_all(directory).map_err(failed)?;
        }
        let judges = self.judges.connect(Wording::Reliability, directory, &interrupt)?;
        let journal = directory.map(|directory| journal(&directory.join(FILE))).transpose()?;
        let subject = |played: &Played| EpisodeCard::of(&played.record);
        let subjects: Vec<Subject> = played
            .iter()
            .map(|played| Subject { episode: subject(played), task: &played.task, trace: &played.record.trace })
            .collect();
        let asked = judges.ask(global, &subjects, journal, (1, self.judges.jobs()), &interrupt)?;
        Ok((judges.judges, asked))
    }
}

fn print(global: &Global, calibrations: &[Calibration]) {
    match global.json {
        true => output::json(&serde_json::json!({"raters": calibrations})),
        false => output::print(&table::render(calibrations)),
    }
}
