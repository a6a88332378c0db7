//! Who stands where by a metric, and why others stand nowhere.

use std::collections::BTreeMap;

use serde::Serialize;

use super::entry::{BoardAgent, BoardRun, BoardScore};
use crate::table::count;
use probity_bench::{AgentGroup, Aggregation, Metric};

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
