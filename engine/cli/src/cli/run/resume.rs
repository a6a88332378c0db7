//! `probity run --resume`: a run goes on from its directory alone.

use std::path::Path;
use std::sync::Arc;

use super::{Refusal, Started, judged, refusal, with_user};
use crate::cli::provider::connect;
use probity_behaviour::episode::interrupt::Interrupt;
use probity_behaviour::run::agents;
use probity_behaviour::run::directory::{RunDirectory, RunError};
use probity_behaviour::run::plan::units;

/// Opens a run that was stopped.
pub(super) fn resume(path: &Path, interrupt: &Arc<Interrupt>) -> Result<Started, Refusal> {
    let (directory, config) = RunDirectory::open(path).map_err(|error| refusal(&error))?;
    if config.engine != env!("CARGO_PKG_VERSION") {
        let message = format!("the run was started by version {}", config.engine);
        return Err((message, "go on with the same version, or start a new run".to_owned()));
    }
    let lock = directory.lock().map_err(|error| refusal(&error))?;
    let cassette = config.providers().find_map(|provider| provider.cassette.as_ref());
    let cassette = cassette.map(|hash| directory.input(hash)).transpose().map_err(|error| refusal(&error))?;
    let connections = connect(&config, cassette.as_deref(), directory.path(), interrupt)?;
    let judge_cassette = config.judge.as_ref().and_then(|judge| judge.provider.cassette.as_ref());
    let judge_cassette =
        judge_cassette.map(|hash| directory.input(hash)).transpose().map_err(|error| refusal(&error))?;
    let judges = judged::connect(&config, judge_cassette.as_deref(), directory.path(), interrupt)?;
    let read = || {
        let suite = directory.suite(&config)?;
        let units = with_user(units(&suite, &config)?, connections.user.as_ref());
        let agents = agents::specs(&config, interrupt, connections.agents.as_ref(), &|hash| directory.input(hash))?;
        Ok((suite, units, agents))
    };
    let (suite, units, agents) = read().map_err(|error: RunError| refusal(&error))?;
    Ok(Started { directory, config, suite, agents, units, recorder: connections.recorder, judges, _lock: lock })
}
