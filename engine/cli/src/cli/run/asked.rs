//! What a run is asked to play: the flags that `run` and `plan` share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::judged::RunJudgeFlags;
use super::selected::{every_filter_matches, level};
use super::speech::SpeechFlags;
use crate::cli::isolate::IsolationFlags;
use crate::cli::meant::Meant;
use crate::cli::provider::{ProviderFlags, one_form};
use crate::cli::recorded::recorded;
use crate::cli::user::{UserFlags, names_are_apart};
use crate::cli::{Global, output};
use probity_behaviour::benchmark::NAME;
use probity_bench::run::config::{DEFAULT_AGENT_TIMEOUT, FORMAT};
use probity_bench::run::directory::hashes;
use probity_bench::{
    AgentName, Benchmark, Cheat, Files, Limits, Loaded, MAX_AGENT_TIMEOUT, MAX_MESSAGES, MAX_SEED, MAX_TRIALS,
    NamedAgent, Quarters, Registered, RunConfig, RunError, Selection,
};
use probity_engine::{Diagnostic, Hash, read::read_named};
use probity_local::Failure;
use probity_proof::benchmark::benchmark;

/// What `--agent` takes for all cheats.
const CHEATS: &str = "cheats";
/// The longest text that agents are told by a file, in bytes.
const MAX_SYSTEM: u64 = 256 << 10;

/// Those of its flags that say what is played: where that is known already, none can be given.
pub const PLAYED: [&str; 21] = [
    "agents",
    "names",
    "suite",
    "environments",
    "domains",
    "tasks",
    "variants",
    "difficulties",
    "levels",
    "options",
    "limit",
    "trials",
    "seed",
    "max_messages",
    "agent_timeout",
    "system",
    "IsolationFlags",
    "SpeakerFlags",
    "SpeechFlags",
    "RunJudgeFlags",
    "AskingFlags",
];

/// Those that say what it costs.
pub(crate) const PRICED: [&str; 2] = ["PriceFlags", "UserPriceFlags"];

/// Who plays what against whom, and how.
#[derive(clap::Args)]
pub struct AskedRun {
    /// An agent: oracle, heuristic, noop, coin:PERCENT, fault:NAME, cheat:NAME, cheats (all of them), replay:RUN#AGENT, exec:CMD, openai:MODEL or a model in another wire form, such as anthropic:MODEL; may be repeated
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    /// The agent's name in the report; one for each --agent, in the same order
    #[arg(long = "as", value_name = "NAME")]
    names: Vec<String>,
    /// The benchmark that is played
    #[arg(long, default_value = NAME, value_name = "NAME")]
    suite: String,
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
    variants: Vec<String>,
    /// Only this difficulty; may be repeated
    #[arg(long = "difficulty", value_name = "DIFFICULTY")]
    difficulties: Vec<String>,
    /// Only this level of one of the suite's factors; may be repeated
    #[arg(long = "level", value_name = "FACTOR=LEVEL", value_parser = level)]
    levels: Vec<(String, String)>,
    /// A choice of the suite between ways to play, such as attempts=2; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = level)]
    options: Vec<(String, String)>,
    /// At most so many task instances
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How often each task instance is played
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TRIALS)))]
    trials: u32,
    /// The root seed of everything random
    #[arg(long, default_value_t = 0, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    /// Agent messages in one episode at most
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MESSAGES)))]
    max_messages: u32,
    /// Seconds an exec: agent has for each message
    #[arg(long, default_value_t = DEFAULT_AGENT_TIMEOUT, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=MAX_AGENT_TIMEOUT))]
    agent_timeout: u64,
    /// Tell agents behind a model what this file says in place of the suite's advice how to work, or of all that it says
    /// where `{{policy}}` stands for its rules; `{{tools}}` are the tools in words
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    system: Option<PathBuf>,
    #[command(flatten)]
    isolation: IsolationFlags,
    #[command(flatten)]
    user: UserFlags,
    #[command(flatten)]
    speech: SpeechFlags,
    #[command(flatten)]
    judge: RunJudgeFlags,
    #[command(flatten)]
    provider: ProviderFlags,
}

/// What is asked for, and all that it takes to play it.
pub(in crate::cli) struct Asking {
    pub(in crate::cli) config: RunConfig,
    pub(in crate::cli) benchmark: Arc<dyn Benchmark>,
    /// The authored files.
    pub(in crate::cli) files: Files,
    /// Episodes and cassettes that are said again.
    pub(in crate::cli) recorded: Vec<String>,
    pub(super) quarters: Option<Arc<Quarters>>,
}

impl Asking {
    pub(in crate::cli) fn input(&self, hash: &Hash) -> Result<String, RunError> {
        let found = self.recorded.iter().find(|text| Hash::of_text(text) == *hash);
        found.cloned().ok_or_else(|| RunError::Agent("recorded episodes are missing".to_owned()))
    }
}

impl AskedRun {
    /// A run with the prices that are given in place of its own.
    /// An error: it asks no model that they could be for.
    pub(in crate::cli) fn priced(&self, run: &RunConfig) -> Result<RunConfig, Failure> {
        let (agents, users) = (self.provider.prices(), self.user.prices());
        let mut run = run.clone();
        for (flag, prices, is_asked) in [
            ("--prices", agents, run.provider.is_some() || run.user_model.is_some()),
            ("--user-prices", users, run.user_model.is_some()),
        ] {
            if prices.is_some() && !is_asked {
                let message = format!("`{flag}` means nothing here: the run asked no such model");
                return Err(Failure::new(message, "leave it out"));
            }
        }
        if let Some(provider) = &mut run.provider {
            provider.prices = agents.or(provider.prices);
        }
        if let Some(model) = &mut run.user_model {
            model.provider.prices = users.or(agents).or(model.provider.prices);
        }
        Ok(run)
    }

    pub(super) fn suite(&self) -> &str {
        &self.suite
    }

    /// What it takes to play it in a directory, which may be named after the agents, and the directory.
    pub(in crate::cli) fn asking(
        &self,
        global: &Global,
        directory: impl FnOnce(&[NamedAgent]) -> PathBuf,
    ) -> Result<(Asking, PathBuf), Failure> {
        let named = [self.environments.as_slice(), &self.domains, &self.tasks].concat();
        let benchmark = played_on(global.suite(&self.suite)?, global, &named)?;
        let (agents, mut recorded) = self.named_agents(benchmark.as_ref())?;
        let form = one_form(agents.iter().filter_map(|named| named.agent.model()))?;
        let system = self.system(form.is_some())?;
        let (provider, cassette) = form.map(|form| self.provider.config(form)).transpose()?.unzip();
        let asked = (&self.provider, form);
        let mut options = benchmark.card().options(&self.options).map_err(|(what, help)| Failure::new(what, help))?;
        let speech = self.speech.speech(benchmark.card(), &mut options)?;
        let user = self.user.kind(benchmark.as_ref())?;
        let (user_model, user_cassette) = self.user.model(&user, asked)?;
        if user_model.is_some() {
            names_are_apart(&agents)?;
        }
        let (judge, judge_cassette) = self.judge.judge(&self.suite, asked)?;
        recorded.extend(cassette.flatten().or(user_cassette));
        recorded.extend(judge_cassette);
        let (selection, tasks) = self.selected(benchmark.as_ref())?;
        let files = benchmark.files(&tasks);
        let path = directory(&agents);
        let processes = agents.iter().map(|named| &named.agent);
        let quarters = self.isolation.quarters(global, processes, Some(&path))?;
        let config = RunConfig {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            suite: self.suite.clone(),
            agents,
            selection,
            trials: self.trials,
            seed: self.seed,
            limits: Limits { max_messages: self.max_messages },
            options,
            agent_timeout: self.agent_timeout,
            isolation: quarters.as_ref().map(|quarters| quarters.isolation().clone()),
            user,
            user_model,
            speech,
            provider,
            system,
            judge,
            part: None,
            inputs: hashes(&files),
        };
        Ok((Asking { config, benchmark, files, recorded, quarters }, path))
    }

    /// What agents behind a model are told, if they are told it by a file.
    fn system(&self, is_asked: bool) -> Result<Option<String>, Failure> {
        let Some(path) = &self.system else { return Ok(None) };
        if !is_asked {
            let help = "leave it out, or play a model such as `openai:MODEL`: other agents bring their own words";
            return Err(Failure::new("`--system` means nothing here: no agent is behind a model", help));
        }
        let help = "give a text file with what your agent is told";
        let text =
            read_named(path, MAX_SYSTEM).map_err(|what| Failure::new(format!("`{}`: {what}", path.display()), help))?;
        match text.trim().is_empty() {
            true => Err(Failure::new(format!("`{}` holds no words", path.display()), help)),
            false => Ok(Some(text)),
        }
    }

    fn selected(&self, benchmark: &dyn Benchmark) -> Result<(Selection, Vec<String>), Failure> {
        let selection = self.selection();
        let instances = benchmark.instances();
        every_filter_matches(benchmark.card(), &instances, &selection)?;
        let chosen = selection.of(instances);
        match chosen.is_empty() {
            true => {
                Err(Failure::new("no task instance is selected", "loosen the filters; `probity show` lists all tasks"))
            }
            false => Ok((selection, chosen.into_iter().map(|at| at.task).collect())),
        }
    }

    /// The agents, and the texts of the episodes that they say again.
    fn named_agents(&self, benchmark: &dyn Benchmark) -> Result<(Vec<NamedAgent>, Vec<String>), Failure> {
        let agents = if self.agents.is_empty() { default_agents(benchmark) } else { all_cheats(&self.agents) };
        if !self.names.is_empty() && self.names.len() != agents.len() {
            let message = format!("{} names for {}", self.names.len(), output::count(agents.len(), "agent"));
            return Err(Failure::new(message, "give one `--as` for each `--agent`, in the same order"));
        }
        let names = if self.names.is_empty() { agents.clone() } else { self.names.clone() };
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
            return Err(Failure::new(format!("two agents are called `{twice}`"), "name them apart with `--as`"));
        }
        let (mut named, mut texts) = (Vec::new(), Vec::new());
        for (name, agent) in names.into_iter().zip(agents) {
            let mut hash = None;
            let unknown = |what: String| Failure::new(what, "`probity run --list-agents` shows all");
            let agent: AgentName = agent.parse().map_err(unknown)?;
            benchmark.knows(&agent).map_err(unknown)?;
            if let AgentName::Replay(run) = &agent {
                let text = recorded(run)?;
                hash = Some(Hash::of_text(&text));
                texts.push(text);
            }
            named.push(NamedAgent { name, agent, recorded: hash });
        }
        Ok((named, texts))
    }

    fn selection(&self) -> Selection {
        let flags = [
            ("environment", &self.environments),
            ("domain", &self.domains),
            ("variant", &self.variants),
            ("difficulty", &self.difficulties),
        ];
        let flags = flags.into_iter().flat_map(|(factor, levels)| levels.iter().map(move |level| (factor, level)));
        let others = self.levels.iter().map(|(factor, level)| (factor.as_str(), level));
        let mut levels: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (factor, level) in flags.chain(others) {
            levels.entry(factor.to_owned()).or_default().push(level.clone());
        }
        Selection { tasks: self.tasks.clone(), levels, limit: self.limit }
    }
}

/// The agents of a run that names none: the oracle, the benchmark's own without its faults, and nothing.
fn default_agents(benchmark: &dyn Benchmark) -> Vec<String> {
    let own = benchmark.agents().into_iter().map(|agent| agent.name).filter(|name| !name.contains(':'));
    std::iter::once("oracle".to_owned()).chain(own).chain(["noop".to_owned()]).collect()
}

/// The agents as they were named, with all cheats in place of `cheats`.
fn all_cheats(named: &[String]) -> Vec<String> {
    let expanded = named.iter().flat_map(|name| match name.as_str() {
        CHEATS => Cheat::entries().map(|entry| entry.name).collect(),
        name => vec![name.to_owned()],
    });
    expanded.collect()
}

/// What lies below the root, without errors: where tasks, environments or domains are named, that of these is enough.
pub(in crate::cli) fn played_on(
    registered: &Registered,
    global: &Global,
    named: &[String],
) -> Result<Arc<dyn Benchmark>, Failure> {
    let part = if registered.name == NAME { Meant::sound_part(named, &global.root) } else { None };
    if let Some(part) = part {
        return Ok(Arc::new(benchmark(Arc::new(part))));
    }
    let Loaded { benchmark, diagnostics } = registered.load(&global.root);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(benchmark);
    }
    output::note(&output::diagnostics(&diagnostics));
    let suite = if registered.name == NAME { String::new() } else { format!(" --suite {}", registered.name) };
    let help = format!("mend what stands above; `probity check{suite}` shows all");
    Err(Failure::new("the environments or tasks have errors", help))
}
