//! A run on a board: whose it is, what it says of each agent, and why it is not ranked; who stands where by a metric.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::aggregate::{AgentReport, Report, Score, Summary};
use crate::table::count;
use probity_bench::{AgentGroup, AgentName, Aggregation, Card, Interval, Isolation, Metric, NamedAgent, RunConfig};
use probity_engine::Hash;

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
    /// Its 95 % interval; nothing with fewer than two tasks, nor where it is pooled: what a report has there is of the
    /// mean over episodes, another number.
    pub interval: Option<Interval>,
}

impl BoardScore {
    fn of(metric: &Metric, score: &Score) -> Self {
        let Score { value, n, not_scored, interval, .. } = *score;
        let interval = interval.filter(|_| metric.aggregation == Aggregation::Mean);
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
    /// What stands behind that name, and whether it answered from a cassette.
    pub what: String,
    /// What it was in the run for.
    pub group: AgentGroup,
    /// Why it is not ranked, beside what keeps its whole run from it.
    pub not_ranked: Vec<String>,
    /// Its rank by each metric of the table, or why it has none.
    pub ranks: Vec<Rank>,
    /// Over all its episodes, by the metrics of the table.
    pub overall: Vec<BoardScore>,
    /// The same by the levels of each factor.
    pub factors: BTreeMap<&'static str, BTreeMap<String, Vec<BoardScore>>>,
    #[serde(skip)]
    is_process: bool,
}

/// A run that could be read.
#[derive(Clone, Debug, Serialize)]
pub struct BoardRun {
    pub run: RunName,
    /// The address of its page, as a link on the board names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    engine: String,
    user: String,
    seed: u64,
    pub(super) trials: u32,
    task_instances: usize,
    episodes: usize,
    digest: String,
    #[serde(skip)]
    agent_timeout: u64,
    /// Why none of its agents is ranked.
    pub not_ranked: Vec<String>,
    /// What there is to know of it all the same.
    pub remarks: Vec<String>,
    /// In the order of the run.
    pub agents: Vec<BoardAgent>,
}

/// A run as it was read, with what is wrong with it.
pub struct ReadRun<'a> {
    pub run: RunName,
    /// The address of its page, as a link on the board names it.
    pub page: Option<String>,
    /// What it was asked to do.
    pub config: &'a RunConfig,
    pub report: &'a Report,
    /// In words, why its numbers cannot be held against others.
    pub faults: Vec<String>,
}

impl ReadRun<'_> {
    /// The hash of all that tells it from other runs: what was asked for, what came of it, and what is wrong with it.
    pub(super) fn identity(&self) -> Option<Hash> {
        let all = serde_json::to_vec(&(self.config, &self.report.digest, &self.faults)).ok()?;
        Some(Hash::of_bytes(&all))
    }
}

impl BoardRun {
    pub(super) fn of(card: &'static Card, read: ReadRun) -> BoardRun {
        let ReadRun { run, page, config, report, faults: not_ranked } = read;
        let has_process = config.agents.iter().any(|named| matches!(named.agent, AgentName::Exec(_)));
        let apart = config.isolation.as_ref().filter(|how| has_process && how.is_apart());
        let mut remarks: Vec<String> = apart.map(Isolation::to_string).into_iter().collect();
        if config.system.is_some() {
            remarks
                .push("agents behind a model were told words of their own in place of the suite's advice".to_owned());
        }
        let order: Vec<String> = config.agents.iter().map(|named| named.name.clone()).collect();
        let ordered = report.ordered(&order).into_iter();
        let agents = ordered.filter_map(|(name, agent)| {
            let named = config.agents.iter().find(|named| named.name == name)?;
            Some(BoardAgent::of(card, config, named, agent))
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
            agent_timeout: config.agent_timeout,
            not_ranked,
            remarks,
            agents: agents.collect(),
        }
    }

    /// Seconds that its ranked agents in a process had for a message; nothing without such.
    pub(super) fn timeout(&self) -> Option<u64> {
        self.ranked().any(|agent| agent.is_process).then_some(self.agent_timeout)
    }

    /// Says of its agents in a process that they had another time for a message than usual.
    pub(super) fn hold_to(&mut self, usual: Option<u64>) {
        let Some(usual) = usual.filter(|usual| *usual != self.agent_timeout) else { return };
        let why = format!("it had {} s for a message, not {usual} s", self.agent_timeout);
        let processes = self.agents.iter_mut().filter(|agent| agent.is_process);
        processes.for_each(|agent| agent.not_ranked.push(why.clone()));
    }

    /// Its agents that are ranked.
    pub(super) fn ranked(&self) -> impl Iterator<Item = &BoardAgent> {
        self.agents.iter().filter(|agent| self.not_ranked.is_empty() && agent.is_ranked())
    }
}

impl BoardAgent {
    fn of(card: &'static Card, config: &RunConfig, named: &NamedAgent, agent: &AgentReport) -> BoardAgent {
        let scores = |summary: &Summary| -> Vec<BoardScore> {
            card.in_table().map(|metric| BoardScore::of(metric, &summary.score(metric.name))).collect()
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
        let is_process = matches!(named.agent, AgentName::Exec(_));
        let exposed = is_process.then(|| exposed(config)).flatten();
        BoardAgent {
            agent: named.name.clone(),
            what: what(config, &named.agent),
            group: named.agent.group(),
            not_ranked: unreached.into_iter().chain(silent).chain(recorded).chain(exposed).collect(),
            ranks: Vec::new(),
            overall: scores(&agent.overall),
            factors: card.factors.iter().filter_map(of_factor).collect(),
            is_process,
        }
    }

    /// By what it is the same agent in another run: its name, and what stands behind it.
    pub(super) fn identity(&self) -> (String, String) {
        (self.agent.clone(), self.what.clone())
    }

    /// Whether it is examined and nothing is wrong with what it did: the others stand in tiers of their own.
    pub(super) fn is_ranked(&self) -> bool {
        self.group == AgentGroup::Examined && self.not_ranked.is_empty()
    }
}

/// What stands behind the name of an agent.
fn what(config: &RunConfig, agent: &AgentName) -> String {
    let provider = config.provider.as_ref().filter(|_| agent.model().is_some());
    match provider.is_some_and(|provider| provider.cassette.is_some()) {
        true => format!("{agent}, from a cassette"),
        false => agent.to_string(),
    }
}

/// Why an agent in a process could have looked at its tasks' solutions, if it could.
fn exposed(config: &RunConfig) -> Option<String> {
    match &config.isolation {
        None => Some("not isolated: the run does not say what agents in a process could reach".to_owned()),
        Some(how) => (!how.is_apart()).then(|| format!("not isolated: {how}")),
    }
}

/// Where an agent stands by a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Rank {
    /// One more than there are ranked agents of which the whole interval is better than its own.
    Place(usize),
    /// It has none, and why.
    No(String),
}

/// How much of a metric was scored in a run.
#[derive(Clone, Copy)]
struct Share {
    run: usize,
    n: usize,
    of: usize,
    /// How many of its episodes were scored for each trial.
    per_trial: f64,
}

/// What agents are held to by a metric.
struct Field<'a> {
    at: usize,
    metric: &'a Metric,
    /// By the name and the nature of each agent the last run in which it is ranked.
    latest: BTreeMap<(String, String), usize>,
    /// The most that of any ranked agent was scored.
    most: Option<Share>,
}

impl Rank {
    /// The place, if it has one.
    pub(super) fn place(&self) -> Option<usize> {
        if let Rank::Place(place) = self { Some(*place) } else { None }
    }
}

impl Share {
    fn of(run: &BoardRun, score: &BoardScore) -> Share {
        let per_trial = score.n as f64 / f64::from(run.trials.max(1));
        Share { run: run.run.number, n: score.n, of: score.n + score.not_scored, per_trial }
    }
}

impl Field<'_> {
    fn of<'a>(runs: &[BoardRun], at: usize, metric: &'a Metric) -> Field<'a> {
        let ranked = || runs.iter().flat_map(|run| run.ranked().map(move |agent| (run, agent)));
        let latest = ranked().map(|(run, agent)| (agent.identity(), run.run.number)).collect();
        let shares = ranked().filter_map(|(run, agent)| Some(Share::of(run, agent.overall.get(at)?)));
        let most = shares.reduce(|most, share| if share.per_trial > most.per_trial { share } else { most });
        Field { at, metric, latest, most }
    }

    /// Both ends of an agent's interval, the better one last; else why it has no rank.
    fn reach(&self, run: &BoardRun, agent: &BoardAgent) -> Result<(f64, f64), String> {
        let held = match agent.group {
            AgentGroup::Examined if !run.not_ranked.is_empty() => Some("its run is not ranked"),
            AgentGroup::Examined if !agent.is_ranked() => Some("it is not ranked"),
            AgentGroup::Examined => None,
            AgentGroup::BuiltIn => Some("built-in agents have no rank"),
            AgentGroup::PlantedFault => Some("planted faults have no rank"),
            AgentGroup::Cheat => Some("cheats have no rank"),
        };
        if let Some(why) = held {
            return Err(why.to_owned());
        }
        if let Some(later) = self.latest.get(&agent.identity()).filter(|latest| **latest != run.run.number) {
            return Err(format!("ranked once, by its last run, which is run {later}"));
        }
        if self.metric.aggregation == Aggregation::Pooled {
            return Err("no interval: pooled over all episodes".to_owned());
        }
        let score = agent.overall.get(self.at).filter(|score| score.value.is_some()).ok_or("not scored")?;
        let share = Share::of(run, score);
        if let Some(most) = self.most.filter(|most| share.per_trial < most.per_trial) {
            let (own, run) = (count(share.of, "episode"), most.run);
            return Err(format!("scored in {} of {own}, in run {run} in {} of {}", share.n, most.n, most.of));
        }
        let (low, high) = score.interval.ok_or("no interval: scored in a single task")?;
        Ok(if self.metric.direction.sign() > 0.0 { (low, high) } else { (-high, -low) })
    }
}

/// Gives each agent its rank by the metric at this place of the table.
pub(super) fn rank(runs: &mut [BoardRun], at: usize, metric: &Metric) {
    let field = Field::of(runs, at, metric);
    let of_run = |run: &BoardRun| run.agents.iter().map(|agent| field.reach(run, agent)).collect();
    let reaches: Vec<Vec<Result<(f64, f64), String>>> = runs.iter().map(of_run).collect();
    let mut worst: Vec<f64> = reaches.iter().flatten().flatten().map(|(worst, _)| *worst).collect();
    worst.sort_by(f64::total_cmp);
    let place = |best: f64| 1 + worst.len() - worst.partition_point(|worst| *worst <= best);
    for (run, reaches) in runs.iter_mut().zip(reaches) {
        for (agent, reach) in run.agents.iter_mut().zip(reaches) {
            agent.ranks.push(reach.map_or_else(Rank::No, |(_, best)| Rank::Place(place(best))));
        }
    }
}
