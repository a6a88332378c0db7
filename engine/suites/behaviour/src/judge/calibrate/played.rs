//! The episodes of a calibration: planted faults and, on the same task instances, the oracle.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::benchmark::record;
use crate::episode::fault::PlantedFault;
use crate::episode::plan::{Plan, PlanAgent};
use crate::episode::play::play_scripted;
use crate::model::variant::Variant;
use crate::suite::Suite;
use crate::task::Task;
use probity_bench::{EpisodeRecord, RunError, run::execute::threads};
use probity_engine::Stream;

pub struct Sample {
    pub faults: Vec<PlantedFault>,
    /// Task instances for each fault at most; all to which it applies when there is no limit.
    pub limit: Option<usize>,
    pub seed: u64,
}

pub struct CalibrationEpisode {
    /// The fault that was planted; none for the oracle.
    pub planted: Option<PlantedFault>,
    pub task: Arc<Task>,
    pub variant: Variant,
    pub record: EpisodeRecord,
}

impl CalibrationEpisode {
    pub fn instance(&self) -> (&str, Variant) {
        (self.task.id(), self.variant)
    }
}

type Instance = (Arc<Task>, Variant);

/// Plays every fault on a sample of the suite, and the oracle wherever a fault was played. Which instances are drawn
/// depends on the suite and the seed alone, and faults share them as far as they apply.
pub fn sample(suite: &Suite, sample: &Sample, jobs: usize) -> Result<Vec<CalibrationEpisode>, RunError> {
    let mut instances: Vec<Instance> = suite
        .tasks
        .values()
        .flat_map(|loaded| loaded.task.variants().keys().map(|variant| (Arc::clone(&loaded.task), *variant)))
        .collect();
    Stream::new(sample.seed, "calibrate", "instances").shuffle(&mut instances);
    Ok(threads(jobs)?.install(|| {
        let of_fault = |planted: &PlantedFault| {
            let played = instances.iter().filter_map(|instance| one(instance, Some(*planted), sample.seed));
            played.take(sample.limit.unwrap_or(usize::MAX)).collect::<Vec<_>>()
        };
        let mut faulted: Vec<CalibrationEpisode> = sample.faults.par_iter().map(of_fault).flatten().collect();
        let met: BTreeSet<(String, Variant)> =
            faulted.iter().map(|played| (played.task.id().to_owned(), played.variant)).collect();
        let is_met = |instance: &&Instance| met.contains(&(instance.0.id().to_owned(), instance.1));
        let oracles = instances.par_iter().filter(is_met).filter_map(|instance| one(instance, None, sample.seed));
        let mut played: Vec<CalibrationEpisode> = oracles.collect();
        played.append(&mut faulted);
        played
    }))
}

/// Plays one episode; nothing where the fault does not apply.
fn one((task, variant): &Instance, planted: Option<PlantedFault>, seed: u64) -> Option<CalibrationEpisode> {
    let (plan, name) = match planted {
        Some(planted) => (planted.plant(task, *variant, seed), format!("fault:{}", planted.name())),
        None => (Plan::of_oracle(task, *variant), "oracle".to_owned()),
    };
    let trace = play_scripted(task, *variant, seed, &mut PlanAgent::new(plan?))?;
    let record = record(&name, 0, task, trace)?;
    Some(CalibrationEpisode { planted, task: Arc::clone(task), variant: *variant, record })
}
