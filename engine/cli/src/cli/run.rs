//! `probity run`.

mod asked;
mod judged;
mod part;
mod prepared;
mod selected;
mod speech;
mod started;

use std::path::PathBuf;
use std::sync::Arc;

use super::exit::Exit;
use super::finish::PAGE;
use super::{Global, output};
use crate::cli::stopped::Stopped;
pub(super) use asked::{AskedRun, PLAYED, PRICED, played_on};
pub(super) use part::other;
use prepared::Prepared;
use probity_behaviour::suite::Files;
use probity_bench::agent::name::shared;
use probity_bench::run::config::MAX_EPISODES;
use probity_bench::run::part::Shard;
use probity_bench::{AgentEntry, Benchmark, Cheat, Interrupt, RunDirectory, RunError};
use probity_local::Failure;
pub(super) use selected::{level, something_is_played};
use started::{Started, default_directory};

/// Flags behind those of `AskedRun` would else stand below its last heading.
pub(super) const NO_HEADING: Option<&str> = None;

/// Play agents against users on all tasks, score them, and write a report.
///
/// Without flags it plays the oracle, the heuristic and the do-nothing agent on every task under all
/// seven user behaviours. The run directory holds everything needed to replay it. With `--plan` it plays a part of what
/// `probity plan` wrote; the same command again goes on where one was stopped.
#[derive(clap::Args)]
pub struct Run {
    #[command(flatten)]
    asked: AskedRun,
    /// Print all agents with what each is for, and stop
    #[arg(long, help_heading = NO_HEADING)]
    list_agents: bool,
    /// Episodes played at the same time; results do not depend on it
    #[arg(long, value_name = "N", help_heading = NO_HEADING, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The run directory; it must not exist yet
    #[arg(long, value_name = "DIR", help_heading = NO_HEADING, conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with a run that was stopped; finished episodes are kept, what is played comes from the run
    #[arg(long, value_name = "RUNDIR", help_heading = NO_HEADING, conflicts_with_all = PLAYED, conflicts_with_all = PRICED)]
    resume: Option<PathBuf>,
    /// Play a part of this plan of `probity plan`, with --shard or --units, into --out
    #[arg(long, value_name = "PLAN.json", requires = "out", requires = "share", help_heading = "Parts of a plan", conflicts_with_all = PLAYED, conflicts_with_all = PRICED)]
    plan: Option<PathBuf>,
    /// Its units of this shard, from 0: 0/64 to 63/64
    #[arg(long, value_name = "INDEX/COUNT", group = "share", requires = "plan", help_heading = "Parts of a plan")]
    shard: Option<Shard>,
    /// Its units that this file names, one a line, as `probity merge` and `probity plan --list` print them
    #[arg(long, value_name = "FILE", group = "share", requires = "plan", help_heading = "Parts of a plan")]
    units: Option<PathBuf>,
}

impl Run {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if self.list_agents {
            let benchmark = global.suite(self.asked.suite())?.open(Files::new()).benchmark;
            output::print(&list(benchmark.as_ref(), global.json));
            return Ok(Exit::Clean);
        }
        let interrupt = Arc::new(Interrupt::default());
        let started = match (&self.resume, &self.plan, &self.out) {
            (Some(path), _, _) => Started::resume(global, path, &interrupt),
            (None, Some(plan), Some(out)) => self.part(global, (plan, out), &interrupt),
            (None, _, _) => self.start(global, &interrupt),
        };
        started.and_then(|started| started.play(global, self.jobs, &interrupt)).map_err(|failure| {
            if failure.is_passing && self.plan.is_some() {
                output::fail(&failure);
                // Whoever drives parts tries such a one again.
                return Exit::Infrastructure.into();
            }
            failure.into()
        })
    }

    fn start(&self, global: &Global, interrupt: &Arc<Interrupt>) -> Result<Started, Failure> {
        let directory = |agents: &_| self.out.clone().unwrap_or_else(|| default_directory(agents));
        let (asking, path) = self.asked.asking(global, directory)?;
        let (input, quarters) = (|hash: &_| asking.input(hash), asking.quarters.as_ref());
        let (config, benchmark) = (asking.config.clone(), Arc::clone(&asking.benchmark));
        let prepared = Prepared::of(config, benchmark, &asking.files, quarters, (&path, &input), interrupt)?;
        something_is_played(&prepared.units, &prepared.agents)?;
        one_command_plays(prepared.units.len())?;
        match RunDirectory::create(&path, &prepared.config, &asking.files, &asking.recorded) {
            Err(RunError::Exists(_)) if RunDirectory::is_stopped(&path, &prepared.config, PAGE) => {
                output::note(&format!("note: `{}` is this run, stopped before its end: it goes on", path.display()));
                drop(prepared);
                Started::resume(global, &path, interrupt)
            }
            directory => Started::of(directory?, prepared),
        }
    }
}

/// Refuses more units than one command plays: where their episodes stand is held in memory.
fn one_command_plays(units: usize) -> Result<(), RunError> {
    let what = || format!("{units} episodes, and one command plays {MAX_EPISODES}");
    if units > MAX_EPISODES { Err(RunError::TooLarge(what())) } else { Ok(()) }
}

/// All agents with what each does and must lower, as text or JSON; planted faults and cheats last.
fn list(benchmark: &dyn Benchmark, json: bool) -> String {
    let agents: Vec<AgentEntry> = shared().into_iter().chain(benchmark.agents()).chain(Cheat::entries()).collect();
    if json {
        let entry = |agent: &AgentEntry| serde_json::json!({"agent": agent.name, "description": agent.description, "must_lower": agent.must_lower});
        let entries: Vec<_> = agents.iter().map(entry).collect();
        return format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default());
    }
    let line = |agent: &AgentEntry| {
        let lowers = match agent.must_lower.is_empty() {
            true => String::new(),
            false => format!("; must lower {}", agent.must_lower.join(", ")),
        };
        format!("{:<28} {}{lowers}\n", agent.name, agent.description)
    };
    agents.iter().map(line).collect()
}
