//! A run in its directory, anew or from where it stopped: played to its end, judged and reported.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::prepared::Prepared;
use super::{judged, one_command_plays, part};
use crate::cli::exit::Exit;
use crate::cli::finish::{PlayedRun, finish, finish_proved};
use crate::cli::global::{default_jobs, progress};
use crate::cli::isolate::recorded_quarters;
use crate::cli::provider::CASSETTE;
use crate::cli::{Global, output, signals};
use probity_bench::run::execute::{Finished, execute};
use probity_bench::{
    AgentName, EpisodeRecord, Executed, Interrupt, NamedAgent, Quarters, RunConfig, RunDirectory, RunError, Unit, Watch,
};
use probity_engine::Held;
use probity_engine::plain::plain;
use probity_local::Failure;

pub(super) struct Started {
    pub(super) directory: RunDirectory,
    pub(super) prepared: Prepared,
    is_resumed: bool,
    _lock: Held,
}

impl Started {
    pub(super) fn of(directory: RunDirectory, prepared: Prepared) -> Result<Started, Failure> {
        let lock = directory.lock()?;
        Ok(Started { directory, prepared, is_resumed: false, _lock: lock })
    }

    /// Opens a run that was stopped: it goes on from its directory alone.
    pub(super) fn resume(global: &Global, path: &Path, interrupt: &Arc<Interrupt>) -> Result<Started, Failure> {
        let (directory, config) = RunDirectory::open(path)?;
        if config.engine != env!("CARGO_PKG_VERSION") {
            let message = format!("the run was started by version {}", config.engine);
            return Err(Failure::new(message, "go on with the same version, or start a new run"));
        }
        let lock = directory.lock()?;
        let benchmark = directory.benchmark(&config, global.suites)?;
        let files = directory.files(&config)?;
        let input = |hash: &_| directory.input(hash);
        let quarters = recorded(&config, global, directory.path())?;
        let prepared = Prepared::of(config, benchmark, &files, quarters.as_ref(), (path, &input), interrupt)?;
        one_command_plays(prepared.units.len())?;
        Ok(Started { directory, prepared, is_resumed: true, _lock: lock })
    }

    /// Plays what is not played yet, and writes the report.
    pub(super) fn play(&self, global: &Global, jobs: Option<u16>, interrupt: &Arc<Interrupt>) -> Result<Exit, Failure> {
        let Started { directory, prepared, .. } = self;
        let Prepared { config, benchmark, judged: tasks, agents, units, recorder, judges } = prepared;
        let earlier = Finished::of(units, directory)?;
        for (line, what) in &earlier.damaged {
            output::note(&format!("note: line {line} of episodes.jsonl cannot be read and is played again: {what}"));
        }
        let jobs = jobs.map_or_else(default_jobs, usize::from);
        let begin = |judges| judged::begin(judges, jobs, interrupt, directory);
        let asking = judges.as_ref().map(begin).transpose()?;
        let bar = progress(global, units.len());
        signals::stop(interrupt);
        let unreached = AtomicUsize::default();
        let on_unit = |unit: &Unit, record: Option<&EpisodeRecord>| {
            unreached.fetch_add(usize::from(record.is_some_and(EpisodeRecord::is_unreached)), Ordering::Relaxed);
            judged::grade(tasks, asking.as_ref(), record);
            bar.set_message(plain(&format!("{} {}", unit.agent, unit.at.task)));
            bar.inc(1);
        };
        let watch = Watch { stop: interrupt, on_unit: &on_unit };
        let executed = execute(units, agents, &earlier, directory, jobs, &watch);
        bar.finish_and_clear();
        let kept = recorder.as_ref().map_or(Ok(()), |recorder| recorder.finish());
        let executed = match executed {
            Ok(executed) => executed,
            Err(error) => return ended(error),
        };
        if let Err(what) = kept {
            output::note(&format!("note: {CASSETTE} is not complete: {what}"));
        }
        let judged =
            judges.as_ref().zip(asking).map(|asked| judged::end(global, (prepared, directory), asked, &executed));
        // What keeps a judge from grading keeps no number of the rules back.
        let judged = judged.transpose().unwrap_or_else(|failure| {
            output::note(&format!(
                "note: the judge's part is not complete: {}\n  help: {}",
                failure.message, failure.help
            ));
            Some((None, Exit::BadInput))
        });
        if executed.is_interrupted {
            let path = directory.path().display();
            let again =
                if config.part.is_some() { "the same command" } else { &format!("`probity run --resume {path}`") };
            output::note(&format!("interrupted; go on with {again}"));
            return Ok(Exit::Interrupted);
        }
        if let Some(part) = &config.part {
            return part::end(global, (directory, part), &executed, unreached.into_inner());
        }
        let (judged, of_judge) = judged.unwrap_or((None, Exit::Clean));
        let played = PlayedRun { judged, ..PlayedRun::of(directory, config, benchmark.as_ref()) };
        match self.report(global, &played, &executed) {
            Ok(exit) if of_judge == Exit::Clean => Ok(exit),
            Ok(_) => Ok(of_judge),
            Err(error) => ended(error),
        }
    }

    /// Reports the run. What an earlier part of it has left behind is scored anew.
    fn report(&self, global: &Global, played: &PlayedRun, executed: &Executed) -> Result<Exit, RunError> {
        let (batches, not_played) = (executed.episodes.batches(), executed.not_played);
        match self.is_resumed {
            true => finish_proved(global, played, &self.prepared.units, batches, not_played),
            false => finish(global, played, batches, not_played),
        }
    }
}

/// Where the agents of a run live that was begun elsewhere or before; nothing where none is a process.
pub(super) fn recorded(config: &RunConfig, global: &Global, path: &Path) -> Result<Option<Arc<Quarters>>, Failure> {
    let isolation = config.isolation.clone().unwrap_or_default();
    let is_process = |named: &NamedAgent| matches!(named.agent, AgentName::Exec(_));
    config.agents.iter().any(is_process).then(|| recorded_quarters(&isolation, global, path)).transpose()
}

/// How a run ends that cannot go on: what others did to its files has failed it, anything else is bad input.
fn ended(error: RunError) -> Result<Exit, Failure> {
    let is_changed = matches!(error, RunError::Changed { .. });
    let failure = Failure::from(error);
    if !is_changed {
        return Err(failure);
    }
    output::error(&failure.message, &failure.help);
    Ok(Exit::Failed)
}

/// A directory below `runs/` that is not there yet, named after the time and the agents.
#[expect(clippy::disallowed_methods, reason = "only the directory's name knows the time")]
pub(super) fn default_directory(agents: &[NamedAgent]) -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_secs()).ok().and_then(|s| jiff::Timestamp::from_second(s).ok());
    let time = now.map(|now| now.strftime("%Y%m%d-%H%M%S").to_string()).unwrap_or_default();
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let names: String = names.join("-").chars().map(plain).take(40).collect();
    let wanted = PathBuf::from("runs").join(format!("{time}-{names}"));
    let free = (2..1000).map(|n| PathBuf::from("runs").join(format!("{time}-{names}-{n}")));
    std::iter::once(wanted.clone()).chain(free).find(|path| !path.exists()).unwrap_or(wanted)
}
