//! `probity run --resume`: a run goes on from its directory alone.

use std::path::Path;
use std::sync::Arc;

use super::{Started, judged, judged_tasks, refusal, with_user};
use crate::cli::Global;
use crate::cli::isolate::recorded_quarters;
use crate::cli::provider::connect;
use crate::failure::Failure;
use probity_bench::run::agents;
use probity_bench::run::plan::units;
use probity_bench::{AgentName, Interrupt, NamedAgent, RunDirectory, RunError};

/// Opens a run that was stopped.
pub(super) fn resume(global: &Global, path: &Path, interrupt: &Arc<Interrupt>) -> Result<Started, Failure> {
    let (directory, config) = RunDirectory::open(path).map_err(|error| refusal(&error))?;
    if config.engine != env!("CARGO_PKG_VERSION") {
        let message = format!("the run was started by version {}", config.engine);
        return Err(Failure::new(message, "go on with the same version, or start a new run"));
    }
    let lock = directory.lock().map_err(|error| refusal(&error))?;
    let cassette = config.providers().find_map(|provider| provider.cassette.as_ref());
    let cassette = cassette.map(|hash| directory.input(hash)).transpose().map_err(|error| refusal(&error))?;
    let connections = connect(&config, cassette.as_deref(), directory.path(), interrupt)?;
    let judge_cassette = config.judge.as_ref().and_then(|judge| judge.provider.cassette.as_ref());
    let judge_cassette =
        judge_cassette.map(|hash| directory.input(hash)).transpose().map_err(|error| refusal(&error))?;
    let judges = judged::connect(&config, judge_cassette.as_deref(), directory.path(), interrupt)?;
    let isolation = config.isolation.clone().unwrap_or_default();
    let is_process = |named: &NamedAgent| matches!(named.agent, AgentName::Exec(_));
    let hidden = [global.root.as_path(), directory.path()];
    let quarters = config.agents.iter().any(is_process).then(|| recorded_quarters(&isolation, &hidden)).transpose()?;
    let read = || {
        let benchmark = directory.benchmark(&config, global.suites)?;
        let units = with_user(units(&benchmark, &config)?, connections.user.as_ref());
        let agents = agents::specs(&config, interrupt, quarters.as_ref(), connections.agents.as_ref(), &|hash| {
            directory.input(hash)
        })?;
        Ok((benchmark, judged_tasks(&config, &directory.files(&config)?), units, agents))
    };
    let (benchmark, judged, units, agents) = read().map_err(|error: RunError| refusal(&error))?;
    Ok(Started {
        directory,
        config,
        benchmark,
        judged,
        agents,
        units,
        recorder: connections.recorder,
        judges,
        _lock: lock,
    })
}
