//! All that a run is played with, made from what it is asked to do.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::speech::line;
use crate::cli::judge::judges::Judges;
use crate::cli::provider::connect;
use probity_behaviour::suite::{Files, Suite};
use probity_bench::run::config;
use probity_bench::{AgentSpec, Benchmark, Interrupt, Quarters, Recorder, RunConfig, RunError, Units};
use probity_engine::Hash;
use probity_local::Failure;

/// A run that could be played, before it has a directory.
pub(super) struct Prepared {
    pub(super) config: RunConfig,
    pub(super) benchmark: Arc<dyn Benchmark>,
    /// The tasks that a judge reads; none where no judge is asked.
    pub(super) judged: Suite,
    pub(super) agents: BTreeMap<String, AgentSpec>,
    pub(super) units: Units,
    pub(super) recorder: Option<Arc<Recorder>>,
    pub(super) judges: Option<Judges>,
}

pub(super) type Input<'a> = &'a dyn Fn(&Hash) -> Result<String, RunError>;

impl Prepared {
    /// What plays a run on a benchmark made of `files`; traffic with providers is kept in `directory`.
    pub(super) fn of(
        config: RunConfig,
        benchmark: Arc<dyn Benchmark>,
        files: &Files,
        quarters: Option<&Arc<Quarters>>,
        (directory, input): (&Path, Input),
        interrupt: &Arc<Interrupt>,
    ) -> Result<Prepared, Failure> {
        let cassette = |hash: Option<&Hash>| hash.map(input).transpose();
        let own = cassette(config.providers().find_map(|provider| provider.cassette.as_ref()))?;
        let connections = connect(&config, own.as_deref(), directory, interrupt)?;
        let of_judge = cassette(config.judge.as_ref().and_then(|judge| judge.provider.cassette.as_ref()))?;
        let of_run = |judge| Judges::of_run(judge, of_judge.as_deref(), directory, interrupt);
        let judges = config.judge.as_ref().map(of_run).transpose()?;
        let agents = config::specs(&config, interrupt, quarters, connections.agents.as_ref(), input)?;
        let mut units = Units::of(&benchmark, &config)?;
        connections.user.iter().for_each(|client| units.ask(client));
        let spoken = config.speech.as_ref().map(|speech| line(speech, directory.join("speech")));
        spoken.iter().for_each(|line| units.speak_over(line));
        let judged = judges.as_ref().map(|_| Suite::from_files(files.clone(), Vec::new())).unwrap_or_default();
        Ok(Prepared { config, benchmark, judged, agents, units, recorder: connections.recorder, judges })
    }
}
