//! Agents at hand: how the agent of an episode is made.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::chat::ChatAgent;
use super::exec::ExecAgent;
use super::name::AgentName;
use super::process::Interrupt;
use super::quarters::Quarters;
use super::replay::ReplayAgent;
use super::{Agent, AgentFault, AgentMessage, Heard};
use crate::benchmark::Benchmark;
use crate::cheat::{Cheat, CheatAgent, Jump};
use crate::instance::{Instance, Levels};
use crate::provider::client::Client;
use crate::trace::Trace;
use probity_engine::Stream;

/// An agent with what it takes to make it.
#[derive(Clone)]
pub enum AgentSpec {
    /// One that the benchmark makes: its oracle, a planted fault, another of its own.
    Own(AgentName),
    /// Does nothing.
    Noop,
    /// The oracle so many times in a hundred, else nothing.
    Coin(u8),
    /// Tries to get numbers without the work.
    Cheat(Cheat),
    /// Says again what recorded episodes say.
    Replay(Arc<RecordedTraces>),
    /// A process that speaks JSON lines.
    Exec {
        /// The shell command.
        command: String,
        /// Time for each message.
        timeout: Duration,
        /// Where it lives.
        quarters: Arc<Quarters>,
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
        /// What it is told in place of the suite's own advice how to work.
        system: Option<Arc<str>>,
    },
}

/// Recorded traces by task, levels and seed.
#[derive(Default)]
pub struct RecordedTraces(BTreeMap<String, BTreeMap<(Levels, u64), Trace>>);

impl FromIterator<Trace> for RecordedTraces {
    /// Of traces of one place the first counts.
    fn from_iter<I: IntoIterator<Item = Trace>>(traces: I) -> RecordedTraces {
        let mut recorded = RecordedTraces::default();
        for trace in traces {
            let of_task = recorded.0.entry(trace.header.task.clone()).or_default();
            of_task.entry((trace.header.levels.clone(), trace.header.seed)).or_insert(trace);
        }
        recorded
    }
}

impl RecordedTraces {
    fn find(&self, at: &Instance, seed: u64) -> Option<&Trace> {
        self.0.get(&at.task)?.get(&(at.setting.clone(), seed))
    }
}

impl AgentSpec {
    /// What a name that needs no file and no provider stands for; one in a process lives in `quarters`.
    pub fn plain(
        name: AgentName,
        timeout: Duration,
        quarters: Option<&Arc<Quarters>>,
        interrupt: &Arc<Interrupt>,
    ) -> Option<Self> {
        Some(match name {
            AgentName::Noop => AgentSpec::Noop,
            AgentName::Coin(percent) => AgentSpec::Coin(percent),
            AgentName::Cheat(cheat) => AgentSpec::Cheat(cheat),
            AgentName::Exec(command) => {
                let (quarters, interrupt) = (Arc::clone(quarters?), Arc::clone(interrupt));
                AgentSpec::Exec { command, timeout, quarters, interrupt }
            }
            AgentName::Oracle | AgentName::Fault(_) | AgentName::Own(_) => AgentSpec::Own(name),
            AgentName::Replay(_) | AgentName::Model(_) => return None,
        })
    }

    /// The agent for one episode; `None` when it has nothing to play there.
    pub fn create(&self, benchmark: &dyn Benchmark, at: &Instance, seed: u64) -> Option<Box<dyn Agent>> {
        match self {
            AgentSpec::Own(name) => benchmark.agent(name, at, seed),
            AgentSpec::Noop => Some(Box::new(NoopAgent)),
            AgentSpec::Coin(percent) => {
                let is_good = Stream::new(seed, "agent", "coin").chance(u64::from(*percent), 100);
                if is_good { benchmark.agent(&AgentName::Oracle, at, seed) } else { Some(Box::new(NoopAgent)) }
            }
            AgentSpec::Cheat(cheat) => {
                cheating(*cheat, benchmark, at, seed).map(|agent| Box::new(agent) as Box<dyn Agent>)
            }
            AgentSpec::Replay(traces) => {
                traces.find(at, seed).map(|trace| Box::new(ReplayAgent::new(trace)) as Box<dyn Agent>)
            }
            AgentSpec::Exec { command, timeout, quarters, interrupt } => {
                let (quarters, interrupt) = (Arc::clone(quarters), Arc::clone(interrupt));
                Some(Box::new(ExecAgent::new(command.clone(), *timeout, quarters, interrupt)))
            }
            AgentSpec::Chat { name, model, client, system } => {
                let unit = format!("{name} {} {} {seed}", at.task, at.setting);
                Some(Box::new(ChatAgent::new(Arc::clone(client), model.clone(), unit).advised(system.clone())))
            }
        }
    }
}

/// One that cheats; nothing where it would do no more and no less than the oracle.
fn cheating(cheat: Cheat, benchmark: &dyn Benchmark, at: &Instance, seed: u64) -> Option<CheatAgent> {
    match cheat {
        Cheat::JumpAhead => Jump::of(benchmark, at, seed).map(CheatAgent::jumping),
        _ if cheat.is_informed() => {
            benchmark.agent(&AgentName::Oracle, at, seed).map(|oracle| CheatAgent::informed(cheat, oracle, seed))
        }
        _ => CheatAgent::blind(cheat),
    }
}

/// Replies politely and never calls a tool.
struct NoopAgent;

impl Agent for NoopAgent {
    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(AgentMessage::reply("Understood."))
    }
}
