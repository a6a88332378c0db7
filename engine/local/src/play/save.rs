//! A play as a run that every other command reads, and as the draft of a task.

use std::sync::Arc;

use super::draft;
use super::session::{PLAYER, Session};
use crate::failure::Failure;
use probity_behaviour::benchmark::{BehaviourBenchmark, NAME, SCRIPTED};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::{Files, Suite};
use probity_bench::run::config::{DEFAULT_AGENT_TIMEOUT, FORMAT};
use probity_bench::run::directory::hashes;
use probity_bench::run::journal::line;
use probity_bench::{
    AgentName, Benchmark, EpisodeRecord, Levels, Limits, NamedAgent, Options, RunConfig, Selection, Unit, Units,
};
use probity_engine::ids::{is_identifier, split_task_id};
use probity_engine::{Difficulty, Environment, Hash};

/// The last part of the id of the task in which an environment's tools are tried.
const BY_HAND: &str = "by_hand";

/// A run of one episode, with all that its directory holds.
pub struct Saved {
    /// Its `run.json`.
    pub config: RunConfig,
    pub files: Files,
    pub record: EpisodeRecord,
    /// Its line, which the agent of the run says again.
    pub line: String,
}

/// A suite of one environment and a blank task to try its tools in, and the task's id.
/// An error, a line for the author: the state cannot be made.
pub fn by_hand(
    environment: &Environment,
    file: &str,
    size: Difficulty,
    seed: u64,
) -> Result<(Arc<Suite>, String), String> {
    let id = format!("{}/{BY_HAND}", environment.id());
    let task = draft::blank(environment, &id, size, seed)?;
    let mut files = Files::new();
    files.insert(format!("environments/{}.json", environment.id()), file.to_owned());
    files.insert(format!("tasks/{id}.json"), serde_json::to_string_pretty(&task).unwrap_or_default());
    let sources = environment.sources();
    for source in std::iter::once(&sources.main).chain(sources.libraries.values()) {
        files.insert(source.file.clone(), source.text.clone());
    }
    let suite = Suite::from_files(files, Vec::new());
    match suite.diagnostics.iter().find(|found| found.is_error()) {
        Some(error) => Err(error.to_string()),
        None => Ok((Arc::new(suite), id)),
    }
}

/// The one episode of a run in which `agent` plays a task.
pub fn unit(suite: &Arc<Suite>, agent: &str, task: &str, variant: Variant, limits: Limits) -> Option<Unit> {
    let config = config(&suite.files_of(&[task.to_owned()]), agent, (task, &variant.levels()), limits);
    let benchmark: Arc<dyn Benchmark> = Arc::new(BehaviourBenchmark::new(Arc::clone(suite)));
    Units::of(&benchmark, &config).ok()?.get(0)
}

fn config(files: &Files, agent: &str, (task, levels): (&str, &Levels), limits: Limits) -> RunConfig {
    let levels = levels.iter().map(|(factor, level)| (factor.to_owned(), vec![level.to_owned()])).collect();
    RunConfig {
        options: Options::new(),
        format: FORMAT,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        suite: NAME.to_owned(),
        agents: vec![NamedAgent { name: agent.to_owned(), agent: AgentName::Replay(PLAYER.into()), recorded: None }],
        selection: Selection { tasks: vec![task.to_owned()], levels, limit: None },
        trials: 1,
        seed: 0,
        limits,
        agent_timeout: DEFAULT_AGENT_TIMEOUT,
        system: None,
        isolation: None,
        user: SCRIPTED.to_owned(),
        user_model: None,
        speech: None,
        provider: None,
        judge: None,
        part: None,
        inputs: hashes(files),
    }
}

/// A play as a run; `None` when it cannot be scored.
pub fn saved(session: &Session, suite: &Suite) -> Option<Saved> {
    recorded(suite.files_of(&[session.task().id().to_owned()]), 0, session.record()?)
}

/// A record, played on these files by a root seed, as a run: its agent says the record again; `None` when the record
/// cannot be written.
pub fn recorded(files: Files, seed: u64, record: EpisodeRecord) -> Option<Saved> {
    let line = line(&record).ok()?;
    let header = &record.trace.header;
    let mut config = config(&files, &record.agent, (&header.task, &header.levels), header.limits);
    (config.suite, config.options, config.seed) = (header.benchmark.clone(), header.options.clone(), seed);
    config.user.clone_from(&header.user);
    for agent in &mut config.agents {
        agent.recorded = Some(Hash::of_bytes(line.as_bytes()));
    }
    Some(Saved { config, files, record, line })
}

/// The id of a draft's task: a name, a whole id, or the path of its file.
/// An error: it is no task of this environment.
pub fn task_id(text: &str, environment: &Arc<Environment>) -> Result<String, Failure> {
    let text = text.strip_prefix("tasks/").unwrap_or(text);
    let text = text.strip_suffix(".json").unwrap_or(text);
    let id = if text.contains('/') { text.to_owned() } else { format!("{}/{text}", environment.id()) };
    match split_task_id(&id) {
        Some((parent, name)) if parent == environment.id() && is_identifier(name) => Ok(id),
        Some(_) | None => {
            let help = format!("for example `{}/my_task`, or `my_task` alone", environment.id());
            Err(Failure::new(format!("`{text}` is no task of this environment"), help))
        }
    }
}
