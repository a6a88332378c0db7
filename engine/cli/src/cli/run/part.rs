//! `probity run --plan`: a part of a planned run, played where nobody knows of the others.

use std::path::Path;
use std::sync::Arc;

use super::prepared::Prepared;
use super::started::{Started, recorded};
use super::{Run, one_command_plays};
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use probity_bench::run::part::{self, Part, PartEnd, Share};
use probity_bench::run::plan::{Plan, listed};
use probity_bench::{Executed, Interrupt, RunConfig, RunDirectory, RunError, Units};
use probity_engine::pointer::first_difference;
use probity_engine::{ListHasher, read::read_named};
use probity_local::Failure;
use serde_json::json;

/// The longest list of units, in bytes.
const MAX_LIST: u64 = 4 << 30;

impl Run {
    /// The part that the flags name, begun or where it was stopped.
    pub(super) fn part(
        &self,
        global: &Global,
        (path, out): (&Path, &Path),
        interrupt: &Arc<Interrupt>,
    ) -> Result<Started, Failure> {
        let plan = Plan::read(path)?;
        let (benchmark, units) = plan.opened(global.suites)?;
        let (units, share) = self.share(&plan, &units)?;
        one_command_plays(units.len())?;
        let config = RunConfig { part: Some(Part { plan: plan.digest, units: share }), ..plan.run.clone() };
        let directory = begun(out, &config)?;
        let quarters = recorded(&config, global, out)?;
        let (files, input) = (plan.files()?, |hash: &_| plan.input(hash));
        let prepared = Prepared::of(config, benchmark, &files, quarters.as_ref(), (out, &input), interrupt)?;
        let prepared = Prepared { units: prepared.units.part(units), ..prepared };
        Started::of(directory, prepared)
    }

    /// The numbers of the units that are meant, and how they are named.
    fn share(&self, plan: &Plan, units: &Units) -> Result<(Vec<usize>, Share), Failure> {
        if let Some(shard) = self.shard {
            return Ok((shard.numbers(units.len()), Share::Shard(shard)));
        }
        // The parser lets nothing else through.
        let path = self.units.as_deref().unwrap_or(Path::new(""));
        let help = "name units as `probity merge` and `probity plan --list` print them, one a line";
        let refusal = |what: String| Failure::new(format!("`{}`: {what}", path.display()), help);
        let list = read_named(path, MAX_LIST).map_err(refusal)?;
        let mut numbers = listed(&list, units, &plan.keys()).map_err(refusal)?;
        numbers.sort_unstable();
        numbers.dedup();
        let mut hasher = ListHasher::default();
        numbers.iter().for_each(|number| hasher.add(&number.to_string()));
        Ok((numbers, Share::Listed(hasher.hash())))
    }
}

/// The directory of a part, which may have been begun before.
fn begun(path: &Path, config: &RunConfig) -> Result<RunDirectory, Failure> {
    match RunDirectory::create(path, config, &probity_bench::Files::new(), &[]) {
        Err(RunError::Exists(_)) => {
            let (directory, own) = RunDirectory::open_any(path)?;
            match other(&own, config) {
                None => Ok(directory),
                Some(what) => Err(RunError::Plan { path: path.display().to_string(), what }.into()),
            }
        }
        directory => Ok(directory?),
    }
}

/// What a directory holds that another part was to be played in, or is to be merged with.
pub(in crate::cli) fn other(own: &RunConfig, wanted: &RunConfig) -> Option<String> {
    if own == wanted {
        return None;
    }
    let [ours, theirs] = [own, wanted].map(|config| json!(RunConfig { part: None, ..config.clone() }));
    let at = first_difference(&ours, &theirs);
    Some(match (&own.part, &wanted.part, at) {
        (_, _, Some(at)) => {
            let [own, wanted] = [ours.pointer(&at), theirs.pointer(&at)].map(|value| json!(value));
            format!("it is of another plan: {at} is {own} there, and {wanted} in this one")
        }
        (Some(own), Some(wanted), None) if own.plan != wanted.plan => {
            format!("it is of the plan {}, and this is {}", own.plan, wanted.plan)
        }
        (Some(own), Some(wanted), None) => format!("it holds {}, not {}", own.units, wanted.units),
        (None, _, None) | (_, None, None) => "it is a run of its own, and no part".to_owned(),
    })
}

/// How a part ends: what says that it has is written last.
pub(super) fn end(
    global: &Global,
    (directory, part): (&RunDirectory, &Part),
    executed: &Executed,
    unreached: usize,
) -> Result<Exit, Failure> {
    let path = directory.path().display();
    if unreached > 0 {
        let episodes = output::count(unreached, "episode");
        output::note(&format!("{episodes} could not reach a provider; the same command plays them again"));
        return Ok(Exit::Infrastructure);
    }
    let end = PartEnd::of(part, &executed.episodes);
    let text = serde_json::to_string_pretty(&end).map_err(RunError::from)?;
    directory.write(part::FILE, &format!("{text}\n"))?;
    match global.json {
        true => output::json(&json!(end)),
        false => {
            let count = output::count(end.episodes, "episode");
            output::print(&format!("{path}: {}, {count}, {} not played\n", part.units, executed.not_played));
        }
    }
    Ok(Exit::Clean)
}
