//! `probity run`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::exit::Exit;
use super::finish::{self, Finished};
use super::{Global, output};
use crate::episode::spec::{AgentName, AgentSpec};
use crate::load::suite::Suite;
use crate::model::ids::{Difficulty, Variant};
use crate::model::number::MAX_SAFE_INTEGER;
use crate::run::config::{FORMAT, NamedAgent, RunConfig, Selection, UserKind};
use crate::run::directory::{RunDirectory, RunError, needed_files};
use crate::run::execute::{Watch, execute};
use crate::run::plan::{Unit, instances, units};
use crate::trace::{Limits, Trace};

/// The agents of a run that names none.
const DEFAULT_AGENTS: [&str; 3] = ["oracle", "heuristic", "noop"];

/// Play agents against users on all tasks, score them, and write a report.
///
/// Without flags it plays the oracle, the heuristic and the do-nothing agent on every task under all
/// seven user behaviours. The run directory holds everything needed to replay it.
#[derive(clap::Args)]
pub struct Run {
    /// An agent: oracle, heuristic, noop, fault:NAME, replay:FILE or exec:CMD; may be repeated
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    /// The agent's name in the report; one for each --agent, in the same order
    #[arg(long = "as", value_name = "NAME")]
    names: Vec<String>,
    /// Print all agents with what each is for, and stop
    #[arg(long)]
    list_agents: bool,
    /// Only this environment (domain/name); may be repeated
    #[arg(long = "env", value_name = "ID")]
    environments: Vec<String>,
    /// Only this domain; may be repeated
    #[arg(long = "domain", value_name = "DOMAIN")]
    domains: Vec<String>,
    /// Only this task (its id or the last part of it); may be repeated
    #[arg(long = "task", value_name = "ID")]
    tasks: Vec<String>,
    /// Only this user behaviour; may be repeated
    #[arg(long = "variant", value_name = "VARIANT")]
    variants: Vec<Variant>,
    /// Only this difficulty; may be repeated
    #[arg(long = "difficulty", value_name = "DIFFICULTY")]
    difficulties: Vec<Difficulty>,
    /// At most so many task instances
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How often each task instance is played
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    trials: u32,
    /// The root seed of everything random
    #[arg(long, default_value_t = 0, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=MAX_SAFE_INTEGER as u64))]
    seed: u64,
    /// Agent messages in one episode at most
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_messages: u32,
    /// Seconds an exec: agent has for each message
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    agent_timeout: u64,
    /// A control experiment: every user says the turns of another task, so only an agent that does not listen succeeds
    #[arg(long)]
    swap_turns: bool,
    /// Episodes played at the same time; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The run directory; it must not exist yet
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with a run that was stopped; finished episodes are kept, other flags come from the run
    #[arg(long, value_name = "RUNDIR", conflicts_with_all = ["agents", "names", "environments", "domains", "tasks", "variants", "difficulties", "limit", "swap_turns"])]
    resume: Option<PathBuf>,
}

impl Run {
    pub(super) fn run(&self, global: &Global) -> Exit {
        if self.list_agents {
            output::print(&super::agents::list(global.json));
            return Exit::Clean;
        }
        let started = match &self.resume {
            Some(path) => self.resume(path),
            None => self.start(global),
        };
        match started.and_then(|started| self.play(global, started)) {
            Ok(exit) => exit,
            Err((message, help)) => {
                output::error(&message, &help);
                Exit::BadInput
            }
        }
    }

    fn resume(&self, path: &Path) -> Result<Started, Refusal> {
        let (directory, config) = RunDirectory::open(path).map_err(|error| refusal(&error))?;
        if config.engine != env!("CARGO_PKG_VERSION") {
            let message = format!("the run was started by version {}", config.engine);
            return Err((message, "go on with the same version, or start a new run".to_owned()));
        }
        let suite = directory.suite(&config).map_err(|error| refusal(&error))?;
        Ok(Started { directory, config, suite })
    }

    fn start(&self, global: &Global) -> Result<Started, Refusal> {
        let suite = Suite::load(&global.root);
        if suite.has_errors() {
            output::note(&output::diagnostics(&suite.diagnostics));
            return Err((
                "the environments or tasks have errors".to_owned(),
                "mend what stands above; `probity check` shows all".to_owned(),
            ));
        }
        let agents = self.named_agents()?;
        let selection = self.selection();
        let chosen = instances(&suite, &selection);
        if chosen.is_empty() {
            return Err((
                "no task instance is selected".to_owned(),
                "loosen the filters; `probity show` lists all tasks".to_owned(),
            ));
        }
        let ids: Vec<String> = chosen.iter().map(|(task, _)| task.id().to_owned()).collect();
        let (files, inputs) = needed_files(&suite, &ids);
        let config = RunConfig {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            agents,
            selection,
            trials: self.trials,
            seed: self.seed,
            limits: Limits { max_messages: self.max_messages },
            agent_timeout: self.agent_timeout,
            user: if self.swap_turns { UserKind::ScriptedSwapped } else { UserKind::Scripted },
            inputs,
        };
        agent_specs(&config)?;
        let path = self.out.clone().unwrap_or_else(|| default_directory(&config));
        let directory = RunDirectory::create(&path, &config, &files).map_err(|error| refusal(&error))?;
        Ok(Started { directory, config, suite })
    }

    fn named_agents(&self) -> Result<Vec<NamedAgent>, Refusal> {
        let default = DEFAULT_AGENTS.map(str::to_owned).to_vec();
        let agents = if self.agents.is_empty() { default } else { self.agents.clone() };
        if !self.names.is_empty() && self.names.len() != agents.len() {
            let message = format!("{} names for {}", self.names.len(), output::count(agents.len(), "agent"));
            return Err((message, "give one `--as` for each `--agent`, in the same order".to_owned()));
        }
        let names = if self.names.is_empty() { agents.clone() } else { self.names.clone() };
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
            return Err((format!("two agents are called `{twice}`"), "name them apart with `--as`".to_owned()));
        }
        Ok(names.into_iter().zip(agents).map(|(name, agent)| NamedAgent { name, agent }).collect())
    }

    fn selection(&self) -> Selection {
        Selection {
            environments: self.environments.clone(),
            domains: self.domains.clone(),
            tasks: self.tasks.clone(),
            variants: self.variants.clone(),
            difficulties: self.difficulties.clone(),
            limit: self.limit,
        }
    }

    fn play(&self, global: &Global, started: Started) -> Result<Exit, Refusal> {
        let Started { directory, config, suite } = started;
        let agents = agent_specs(&config)?;
        let units = units(&suite, &config);
        let earlier = directory.episodes().map_err(|error| refusal(&error))?;
        for (line, what) in &earlier.damaged {
            output::note(&format!("note: line {line} of episodes.jsonl cannot be read and is played again: {what}"));
        }
        let bar = progress(global, units.len());
        let stop = Arc::new(AtomicBool::new(false));
        let on_interrupt = Arc::clone(&stop);
        // A second handler in one process (tests) is refused; the first still works.
        let _ = ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed));
        let on_unit = |unit: &Unit| {
            bar.set_message(format!("{} {}", unit.agent, unit.task.id()));
            bar.inc(1);
        };
        let watch = Watch { stop: &stop, on_unit: &on_unit };
        let jobs = self.jobs.map_or_else(default_jobs, usize::from);
        let executed = execute(&units, &agents, earlier.records, &directory, jobs, &watch);
        bar.finish_and_clear();
        let executed = executed.map_err(|error| refusal(&error))?;
        if executed.is_interrupted {
            let path = directory.path().display();
            output::note(&format!("interrupted; go on with `probity run --resume {path}`"));
            return Ok(Exit::Interrupted);
        }
        let finished = Finished { directory: &directory, config: &config, suite: &suite, records: &executed.records };
        finish::finish(global, &finished, executed.not_played).map_err(|error| refusal(&error))
    }
}

/// A message and what to do next.
type Refusal = (String, String);

struct Started {
    directory: RunDirectory,
    config: RunConfig,
    suite: Suite,
}

fn refusal(error: &RunError) -> Refusal {
    (error.to_string(), error.help().to_owned())
}

/// What the agents of a run are, by their names in the report.
fn agent_specs(config: &RunConfig) -> Result<BTreeMap<String, AgentSpec>, Refusal> {
    let timeout = Duration::from_secs(config.agent_timeout);
    let mut specs = BTreeMap::new();
    for named in &config.agents {
        let parsed = named.agent.parse::<AgentName>();
        let name = parsed.map_err(|message| (message, "write one of the agents it names".to_owned()))?;
        let spec = match name {
            AgentName::Replay(file) => AgentSpec::Replay(Arc::new(recorded(&file)?)),
            other => AgentSpec::plain(other, timeout),
        };
        specs.insert(named.name.clone(), spec);
    }
    Ok(specs)
}

/// The traces of a file of episodes, or of a run directory.
fn recorded(path: &Path) -> Result<Vec<Trace>, Refusal> {
    let help = "name a run directory, or the episodes.jsonl of one".to_owned();
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let is_episodes = path.is_dir() || path.file_name().is_some_and(|name| name == "episodes.jsonl");
    if !is_episodes {
        return Err((format!("`{}` is no record of episodes", path.display()), help));
    }
    let opened = RunDirectory::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let episodes = opened.and_then(|(directory, _)| directory.episodes()).map_err(|error| (error.to_string(), help))?;
    Ok(episodes.records.into_iter().map(|record| record.trace).collect())
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[expect(clippy::disallowed_methods, reason = "only the directory's name knows the time")]
fn default_directory(config: &RunConfig) -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_secs()).ok().and_then(|s| jiff::Timestamp::from_second(s).ok());
    let time = now.map(|now| now.strftime("%Y%m%d-%H%M%S").to_string()).unwrap_or_default();
    let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let names: String = names.join("-").chars().map(plain).take(40).collect();
    let wanted = PathBuf::from("runs").join(format!("{time}-{names}"));
    let free = (2..1000).map(|n| PathBuf::from("runs").join(format!("{time}-{names}-{n}")));
    std::iter::once(wanted.clone()).chain(free).find(|path| !path.exists()).unwrap_or(wanted)
}

fn progress(global: &Global, units: usize) -> ProgressBar {
    let is_shown = !global.quiet && std::io::stderr().is_terminal();
    let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(units as u64), target);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}
