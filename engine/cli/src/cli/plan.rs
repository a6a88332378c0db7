//! `probity plan`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::exit::Exit;
use super::opened::mute;
use super::run::{AskedRun, CONFIGURED, NO_HEADING, something_is_played};
use super::{Global, output};
use crate::failure::Failure;
use probity_bench::{Unit, Units, run::plan};

/// Write down what a run plays, so that parts of it can be played anywhere and merged.
///
/// The plan is one file with everything that `probity run --plan` needs: the run, its instances and all inputs.
#[derive(clap::Args)]
pub struct Plan {
    #[command(flatten)]
    asked: AskedRun,
    /// The file that the plan is written to
    #[arg(long, value_name = "PLAN.json", help_heading = NO_HEADING, required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Print the units of a plan that was written, each with its key, and stop
    #[arg(long, value_name = "PLAN.json", help_heading = NO_HEADING, conflicts_with = "out", conflicts_with_all = CONFIGURED)]
    list: Option<PathBuf>,
}

impl Plan {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let done = match (&self.list, &self.out) {
            (Some(path), _) => list(global, path),
            (None, Some(path)) => self.write(global, path),
            // The parser lets nothing else through.
            (None, None) => Ok(()),
        };
        done.map_or_else(|failure| output::fail(&failure), |()| Exit::Clean)
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
