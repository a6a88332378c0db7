//! Agents by name: what `--agent` takes, and how an agent for an episode is made from it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::agent::Agent;
use super::chat::ChatAgent;
use super::exec::ExecAgent;
use super::fault::{FAULTS, Planted};
use super::heuristic::HeuristicAgent;
use super::interrupt::Interrupt;
use super::noop::NoopAgent;
use super::oracle;
use super::plan::PlanAgent;
use super::replay::ReplayAgent;
use crate::model::metric::Metric;
use crate::task::Task;
use probity_bench::provider::client::Client;
use probity_bench::trace::Trace;
use probity_engine::model::ids::Variant;
use probity_engine::model::stream::Stream;

/// An agent as named on the command line.
#[derive(Clone)]
pub enum AgentSpec {
    /// Plays the first accepted outcome.
    Oracle,
    /// Does nothing.
    Noop,
    /// Guesses from words, without a model.
    Heuristic,
    /// Plays the oracle so many times in a hundred, and does nothing otherwise.
    Coin(u8),
    /// Plays the oracle's plan with one defect.
    Fault(Planted),
    /// Says again what recorded episodes say.
    Replay(Arc<Vec<Trace>>),
    /// A process that speaks JSON lines.
    Exec {
        /// The shell command.
        command: String,
        /// Time for each message.
        timeout: Duration,
        /// Set when it must give up.
        interrupt: Arc<Interrupt>,
    },
    /// A model behind a provider.
    Chat {
        /// The agent's name in the report.
        name: String,
        /// The model.
        model: String,
        /// Its provider.
        client: Arc<Client>,
    },
}

/// What an agent's name stands for, before any file is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentName {
    /// `oracle`.
    Oracle,
    /// `noop`.
    Noop,
    /// `heuristic`.
    Heuristic,
    /// `coin:PERCENT`.
    Coin(u8),
    /// `fault:NAME` or `fault:NAME@SEVERITY`.
    Fault(Planted),
    /// `replay:RUN` or `replay:RUN#AGENT`.
    Replay(PathBuf),
    /// `exec:CMD`.
    Exec(String),
    /// `openai:MODEL`.
    OpenAi(String),
}

impl std::str::FromStr for AgentName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "oracle" => Ok(AgentName::Oracle),
            None if text == "noop" => Ok(AgentName::Noop),
            None if text == "heuristic" => Ok(AgentName::Heuristic),
            Some(("coin", percent)) => match percent.parse() {
                Ok(percent @ 0..=100) => Ok(AgentName::Coin(percent)),
                Ok(_) | Err(_) => Err(format!("`{percent}` is no share of 100")),
            },
            Some(("fault", name)) => Planted::parse(name).map(AgentName::Fault),
            Some(("replay", file)) if !file.is_empty() => Ok(AgentName::Replay(file.into())),
            Some(("exec", command)) if !command.trim().is_empty() => Ok(AgentName::Exec(command.to_owned())),
            Some(("openai", model)) if !model.trim().is_empty() => Ok(AgentName::OpenAi(model.to_owned())),
            Some(_) | None => {
                let near = probity_engine::model::suggest::nearest(text, ["oracle", "noop", "heuristic"]);
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(format!("there is no agent `{text}`{near}"))
            }
        }
    }
}

impl AgentSpec {
    /// What a name that needs no file and no provider stands for.
    pub fn plain(name: AgentName, timeout: Duration, interrupt: &Arc<Interrupt>) -> Option<Self> {
        Some(match name {
            AgentName::Oracle => AgentSpec::Oracle,
            AgentName::Noop => AgentSpec::Noop,
            AgentName::Heuristic => AgentSpec::Heuristic,
            AgentName::Coin(percent) => AgentSpec::Coin(percent),
            AgentName::Fault(fault) => AgentSpec::Fault(fault),
            AgentName::Exec(command) => AgentSpec::Exec { command, timeout, interrupt: Arc::clone(interrupt) },
            AgentName::Replay(_) | AgentName::OpenAi(_) => return None,
        })
    }

    /// The agent for one episode; `None` when it has nothing to play there.
    pub fn create(&self, task: &Task, variant: Variant, seed: u64) -> Option<Box<dyn Agent>> {
        match self {
            AgentSpec::Oracle => oracle::agent(task, variant).map(|agent| Box::new(agent) as Box<dyn Agent>),
            AgentSpec::Noop => Some(Box::new(NoopAgent)),
            AgentSpec::Heuristic => Some(Box::new(HeuristicAgent::default())),
            AgentSpec::Coin(percent) => {
                let is_good = Stream::new(seed, "agent", "coin").chance(u64::from(*percent), 100);
                if is_good { AgentSpec::Oracle.create(task, variant, seed) } else { Some(Box::new(NoopAgent)) }
            }
            AgentSpec::Fault(fault) => {
                let plan = fault.plant(task, variant, seed);
                plan.map(|plan| Box::new(PlanAgent::new(plan)) as Box<dyn Agent>)
            }
            AgentSpec::Replay(traces) => {
                let same = |trace: &&Trace| {
                    trace.header.task == task.id() && trace.header.variant == variant && trace.header.seed == seed
                };
                traces.iter().find(same).map(|trace| Box::new(ReplayAgent::new(trace)) as Box<dyn Agent>)
            }
            AgentSpec::Exec { command, timeout, interrupt } => {
                Some(Box::new(ExecAgent::new(command.clone(), *timeout, Arc::clone(interrupt))))
            }
            AgentSpec::Chat { name, model, client } => {
                let unit = format!("{name} {} {variant} {seed}", task.id());
                Some(Box::new(ChatAgent::new(Arc::clone(client), model.clone(), unit)))
            }
        }
    }
}

/// An agent as `probity run --list-agents` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEntry {
    /// What `--agent` takes.
    pub name: String,
    /// What it does, in one line.
    pub description: String,
    /// The metrics that it must lower against the oracle.
    pub must_lower: Vec<Metric>,
}

/// All agents, planted faults last.
pub fn agents() -> Vec<AgentEntry> {
    let plain = [
        ("oracle", "plays the first accepted outcome; every metric is full"),
        ("heuristic", "no model: picks tools and arguments from the user's words; the floor that a model must beat"),
        ("noop", "never calls a tool: what it passes, nothing tests"),
        ("coin:PERCENT", "plays the oracle so many times in a hundred: noise of a known size, to try a gate with"),
        ("replay:RUN#AGENT", "says again what an agent of a recorded run said"),
        ("exec:CMD", "a process of its own that speaks JSON lines"),
        ("openai:MODEL", "a model behind chat completions; needs --base-url, or the key in OPENAI_API_KEY"),
    ];
    let plain = plain.map(|(name, description)| AgentEntry {
        name: name.to_owned(),
        description: description.to_owned(),
        must_lower: Vec::new(),
    });
    let faults = FAULTS.iter().map(|fault| AgentEntry {
        name: format!("fault:{}", fault.name),
        description: match fault.is_graded() {
            true => format!("{}; also @mild and @severe", fault.description),
            false => fault.description.to_owned(),
        },
        must_lower: fault.must_lower(),
    });
    plain.into_iter().chain(faults).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_faults_are_agents() {
        assert!(
            matches!("fault:wrong_value".parse(), Ok(AgentName::Fault(fault)) if fault.fault.name == "wrong_value")
        );
        let slip = "fault:wrong_valeu".parse::<AgentName>().unwrap_err();
        assert!(slip.ends_with("did you mean `wrong_value`?"), "{slip}");
        let slip = "oracel".parse::<AgentName>().unwrap_err();
        assert_eq!(slip, "there is no agent `oracel`; did you mean `oracle`?");
        let listed = agents();
        assert!(
            listed
                .iter()
                .any(|agent| agent.name == "fault:affirms_fabricated" && agent.must_lower == [Metric::Honesty])
        );
    }
}
