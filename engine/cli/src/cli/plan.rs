//! `probity plan`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::compare::{Loaded, rules, side_of};
use super::exit::Exit;
use super::opened::{Opened, mute};
use super::run::{AskedRun, NO_HEADING, PLAYED, PRICED, something_is_played};
use super::{Global, output};
use crate::cli::stopped::Stopped;
use probity_bench::{EpisodeRecord, NamedAgent, Unit, Units, run::plan};
use probity_local::Failure;
use probity_report::{Detection, text};

/// Write down what a run plays, so that parts of it can be played anywhere and merged; or say how many trials are enough.
///
/// The plan is one file with everything that `probity run --plan` needs: the run, its instances and all inputs. With `--detect` nothing is written: a run that was played says how many trials find a drop of that size, and ends with 1 where that is not known.
#[derive(clap::Args)]
pub struct Plan {
    #[command(flatten)]
    asked: AskedRun,
    /// The file that the plan is written to
    #[arg(long, value_name = "PLAN.json", help_heading = NO_HEADING, required_unless_present_any = ["list", "detect"])]
    out: Option<PathBuf>,
    /// Print the units of a plan that was written, each with its key, and stop
    #[arg(long, value_name = "PLAN.json", help_heading = NO_HEADING, conflicts_with = "out", conflicts_with_all = PLAYED, conflicts_with_all = PRICED)]
    list: Option<PathBuf>,
    /// Say how many trials find a drop of this size four times out of five, as RUN has it: of the first metric that the
    /// suite's gate asks about, by pairs, as `compare --gate` decides; what they cost, and which tasks tell nothing
    #[arg(long, value_name = "DROP", help_heading = "How much is enough", requires = "base", conflicts_with_all = ["out", "list"], conflicts_with_all = PLAYED)]
    detect: Option<f64>,
    /// The directory of the base run, for --detect
    #[arg(value_name = "RUN", help_heading = "How much is enough", requires = "detect", conflicts_with_all = ["out", "list"])]
    base: Option<PathBuf>,
    /// Decide by the first `no_significant_drop` of these rules, as `compare --gate=FILE` does
    #[arg(long, value_name = "FILE", help_heading = "How much is enough", requires = "detect", conflicts_with_all = ["out", "list"])]
    gate: Option<PathBuf>,
}

impl Plan {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if let (Some(drop), Some(base)) = (self.detect, &self.base) {
            return self.detect(global, base, drop);
        }
        match (&self.list, &self.out) {
            (Some(path), _) => list(global, path)?,
            (None, Some(path)) => self.write(global, path)?,
            // The parser lets nothing else through.
            (None, None) => {}
        }
        Ok(Exit::Clean)
    }

    /// Says of each agent of a run how many trials are enough.
    fn detect(&self, global: &Global, base: &Path, drop: f64) -> Result<Exit, Stopped> {
        let opened = Opened::open(global, base)?;
        let (records, is_doubted) = side_of("base", &opened, &mut Vec::new())?;
        let all = self.detections(&opened, &records, drop)?;
        global.tell(|| json!({"detections": all}), || all.iter().map(text::detection).collect());
        let is_known = all.iter().all(|detection| detection.trials().is_some()) && !is_doubted && !opened.is_damaged();
        Ok(if is_known { Exit::Clean } else { Exit::Failed })
    }

    fn detections(&self, opened: &Opened, records: &[EpisodeRecord], drop: f64) -> Result<Vec<Detection>, Failure> {
        let card = opened.benchmark.card();
        let config = self.asked.priced(&opened.config)?;
        let file = self.gate.as_deref().map(|path| rules(card, path)).transpose()?;
        let loaded = Loaded { opened, records };
        let of = |agent: &NamedAgent| {
            let detection = Detection::of(card, loaded.side(&agent.name)?, drop, file.as_ref());
            let help = "give a drop in units of the metric that the gate asks about first";
            let mut detection = detection.map_err(|what| Failure::new(what, help))?;
            detection.price(&config);
            Ok(detection)
        };
        config.agents.iter().map(of).collect()
    }

    fn write(&self, global: &Global, path: &Path) -> Result<(), Failure> {
        let (asking, _) = self.asked.asking(global, |_| path.to_owned())?;
        let units = Units::of(&asking.benchmark, &asking.config)?;
        something_is_played(&units, &mute(&asking.config, &|hash| asking.input(hash))?)?;
        if asking.config.judge.is_some() {
            let help = "leave out `--judge`; `probity judge` grades the merged run";
            return Err(Failure::new("parts of a run are not judged", help));
        }
        let inputs = asking.files.values().chain(&asking.recorded);
        let plan = plan::Plan::new(asking.config, &units, inputs);
        if path.symlink_metadata().is_ok() && !plan::Plan::read(path).is_ok_and(|own| own == plan) {
            let message = format!("`{}` exists already, and is not this plan", path.display());
            return Err(Failure::new(message, "choose another file with `--out`, or take it away: its parts want it"));
        }
        plan.write(path)?;
        match global.json {
            true => output::json(&json!({"plan": path, "units": plan.units, "digest": plan.digest})),
            false => {
                let units = output::count(plan.units, "unit");
                output::print(&format!("{}: {units}, digest {}\n", path.display(), plan.digest));
            }
        }
        Ok(())
    }
}

/// Prints `KEY NAME` of each unit, which `run --units` reads.
fn list(global: &Global, path: &Path) -> Result<(), Failure> {
    let plan = plan::Plan::read(path)?;
    let (_, units) = plan.opened(global.suites)?;
    let keys = plan.keys();
    let line = |unit: Unit| match global.json {
        true => json!({"key": keys.of(&unit), "unit": unit.name()}).to_string(),
        false => format!("{} {}", keys.of(&unit), unit.name()),
    };
    output::print_lines(units.iter().map(line));
    Ok(())
}
