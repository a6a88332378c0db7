//! A run on a board: whose it is, what it says of each agent, and why it is not ranked.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::aggregate::{AgentReport, Report, Score, Summary};
use crate::table::count;
use probity_bench::{AgentGroup, AgentName, Card, Interval, Isolation, NamedAgent, RunConfig};

/// Which of the runs that a board was asked for it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunName {
    /// Its place in the order given, from 1: what stands for time.
    pub number: usize,
    /// What it is called.
    pub label: String,
    /// Its directory, as it was given.
    pub path: String,
}

/// A metric over some episodes, as the run's report has it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardScore {
    /// Nothing where none was scored.
    pub value: Option<f64>,
    /// How many were scored.
    pub n: usize,
    /// How many were not.
    pub not_scored: usize,
    /// Its 95 % interval; nothing with fewer than two tasks.
    pub interval: Option<Interval>,
}

impl From<&Score> for BoardScore {
    fn from(score: &Score) -> Self {
        let Score { value, n, not_scored, interval, .. } = *score;
        BoardScore { value, n, not_scored, interval }
    }
}

/// A list, since a page has tens of thousands: `[value, n, not scored]`, and behind them both ends of an interval.
impl Serialize for BoardScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.interval {
            Some((low, high)) => (self.value, self.n, self.not_scored, low, high).serialize(serializer),
            None => (self.value, self.n, self.not_scored).serialize(serializer),
        }
    }
}

/// An agent of a run.
#[derive(Clone, Debug, Serialize)]
pub struct BoardAgent {
    /// Its name in the report.
    pub agent: String,
    /// What it was in the run for.
    pub group: AgentGroup,
    /// Why it is not ranked, beside what keeps its whole run from it.
    pub not_ranked: Vec<String>,
    /// Its rank by each metric of the table; nothing where it has none.
    pub ranks: Vec<Option<usize>>,
    /// Over all its episodes, by the metrics of the table.
    pub overall: Vec<BoardScore>,
    /// The same by the levels of each factor.
    pub factors: BTreeMap<&'static str, BTreeMap<String, Vec<BoardScore>>>,
}

/// A run that could be read.
#[derive(Clone, Debug, Serialize)]
pub struct BoardRun {
    /// Which one.
    pub run: RunName,
    /// The address of its page, as a link on the board names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    engine: String,
    user: String,
    seed: u64,
    trials: u32,
    task_instances: usize,
    episodes: usize,
    digest: String,
    /// Why none of its agents is ranked.
    pub not_ranked: Vec<String>,
    /// What there is to know of it all the same.
    pub remarks: Vec<String>,
    /// In the order of the run.
    pub agents: Vec<BoardAgent>,
}

/// A run as it was read, with what is wrong with it.
pub struct ReadRun<'a> {
    /// Which one.
    pub run: RunName,
    /// The address of its page, as a link on the board names it.
    pub page: Option<String>,
    /// What it was asked to do.
    pub config: &'a RunConfig,
    /// Its report.
    pub report: &'a Report,
    /// In words, why its numbers cannot be held against others.
    pub faults: Vec<String>,
}

impl BoardRun {
    pub(super) fn of(card: &'static Card, read: ReadRun) -> BoardRun {
        let ReadRun { run, page, config, report, faults: mut not_ranked } = read;
        let mut remarks = Vec::new();
        match isolation(config) {
            Kept::Apart(how) => remarks.push(how),
            Kept::Not(how) => not_ranked.push(format!("not isolated: {how}")),
            Kept::InProcess => {}
        }
        if config.system.is_some() {
            remarks
                .push("agents behind a model were told words of their own in place of the suite's advice".to_owned());
        }
        let order: Vec<String> = config.agents.iter().map(|named| named.name.clone()).collect();
        let ordered = report.ordered(&order).into_iter();
        let agents = ordered.filter_map(|(name, agent)| {
            let named = config.agents.iter().find(|named| named.name == name)?;
            Some(BoardAgent::of(card, named, agent))
        });
        BoardRun {
            run,
            page,
            engine: config.engine.clone(),
            user: config.user_name(),
            seed: config.seed,
            trials: config.trials,
            task_instances: report.counts.task_instances,
            episodes: report.episodes,
            digest: report.digest.clone(),
            not_ranked,
            remarks,
            agents: agents.collect(),
        }
    }

    /// Its agents that are ranked.
    pub(super) fn ranked(&self) -> impl Iterator<Item = &BoardAgent> {
        self.agents.iter().filter(|agent| self.not_ranked.is_empty() && agent.is_ranked())
    }
}

impl BoardAgent {
    fn of(card: &'static Card, named: &NamedAgent, agent: &AgentReport) -> BoardAgent {
        let scores = |summary: &Summary| -> Vec<BoardScore> {
            card.in_table().map(|metric| BoardScore::from(&summary.score(metric.name))).collect()
        };
        let of_factor = |factor: &probity_bench::Factor| {
            let levels = agent.factors.get(factor.name)?;
            Some((factor.name, levels.iter().map(|(level, summary)| (level.clone(), scores(summary))).collect()))
        };
        let ends = agent.overall.ends.iter();
        let unreached: usize = ends.filter(|(reason, _)| reason.is_unreached()).map(|(_, count)| count).sum();
        let unreached = (unreached > 0).then(|| {
            format!("a provider could not be reached in {unreached} of {}", count(agent.overall.episodes, "episode"))
        });
        let silent = agent.overall.score(card.headline()).value.is_none();
        let silent = silent.then(|| "none of its episodes is scored".to_owned());
        let recorded = matches!(named.agent, AgentName::Replay(_))
            .then(|| "it says again what was recorded: how that was played is not known here".to_owned());
        BoardAgent {
            agent: named.name.clone(),
            group: named.agent.group(),
            not_ranked: unreached.into_iter().chain(silent).chain(recorded).collect(),
            ranks: Vec::new(),
            overall: scores(&agent.overall),
            factors: card.factors.iter().filter_map(of_factor).collect(),
        }
    }

    /// Whether it is examined and nothing is wrong with what it did: the others stand in tiers of their own.
    pub(super) fn is_ranked(&self) -> bool {
        self.group == AgentGroup::Examined && self.not_ranked.is_empty()
    }
}

/// How the agents of a run were kept from its tasks' solutions.
enum Kept {
    /// None of them is a process that could look.
    InProcess,
    Apart(String),
    Not(String),
}

fn isolation(config: &RunConfig) -> Kept {
    let has_process = config.agents.iter().any(|named| matches!(named.agent, AgentName::Exec(_)));
    match &config.isolation {
        _ if !has_process => Kept::InProcess,
        None => Kept::Not("the run does not say what agents in a process could reach".to_owned()),
        Some(how) if Isolation::is_apart(how) => Kept::Apart(how.to_string()),
        Some(how) => Kept::Not(how.to_string()),
    }
}
