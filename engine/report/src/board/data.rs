//! The board: runs by suite, and who is ranked.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::conditions::Conditions;
use super::entry::{BoardAgent, BoardRun, BoardScore, ReadRun, RunName};
use probity_bench::{Card, Metric};

/// The version of the board format this build writes.
const FORMAT: u32 = 1;

/// A directory that a board was asked for and cannot show.
#[derive(Clone, Debug, Serialize)]
pub struct UnreadRun {
    /// Which one.
    pub run: RunName,
    /// Why, with the place.
    pub why: String,
}

/// Runs while they come in.
#[derive(Default)]
pub struct BoardDraft {
    suites: Vec<Gathered>,
    unread: Vec<UnreadRun>,
}

struct Gathered {
    card: &'static Card,
    /// Different ones, in the order in which they were met.
    conditions: Vec<Conditions>,
    /// Each with the place of its conditions.
    runs: Vec<(usize, BoardRun)>,
}

/// Many runs beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    format: u32,
    /// In the order in which their first runs were given.
    pub suites: Vec<SuiteBoard>,
    /// What is no run, or cannot be counted.
    pub unread: Vec<UnreadRun>,
}

/// The runs of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteBoard {
    #[serde(skip)]
    pub(super) card: &'static Card,
    suite: &'static str,
    /// The metrics that agents have scores and ranks by.
    metrics: Vec<&'static str>,
    /// The conditions of ranked runs; nothing where no run is ranked.
    pub(super) usual: Option<Usual>,
    /// In the order given.
    pub runs: Vec<BoardRun>,
}

/// The conditions that most runs have.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Usual {
    pub engine: String,
    pub user: String,
    pub task_instances: usize,
    /// How many runs have them.
    pub runs: usize,
    /// The number of the first of those.
    pub first: usize,
}

impl BoardDraft {
    /// Adds the next run of those given.
    pub fn add(&mut self, card: &'static Card, conditions: Conditions, read: ReadRun) {
        let run = BoardRun::of(card, read);
        let at = self.suites.iter().position(|suite| suite.card.name == card.name).unwrap_or_else(|| {
            self.suites.push(Gathered { card, conditions: Vec::new(), runs: Vec::new() });
            self.suites.len() - 1
        });
        let Some(suite) = self.suites.get_mut(at) else { return };
        let known = suite.conditions.iter().position(|known| *known == conditions);
        let place = known.unwrap_or(suite.conditions.len());
        if known.is_none() {
            suite.conditions.push(conditions);
        }
        suite.runs.push((place, run));
    }

    /// Adds what cannot be read.
    pub fn add_unread(&mut self, run: RunName, why: String) {
        self.unread.push(UnreadRun { run, why });
    }

    /// The board of all that was added.
    pub fn board(self) -> Board {
        Board { format: FORMAT, suites: self.suites.into_iter().map(Gathered::board).collect(), unread: self.unread }
    }
}

impl Gathered {
    /// The conditions that most runs have, of those with which nothing else is wrong; of as many the first.
    fn usual(&self) -> Option<(usize, usize)> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let sound = self.runs.iter().filter(|(_, run)| run.not_ranked.is_empty());
        sound.for_each(|(place, _)| *counts.entry(*place).or_default() += 1);
        counts.into_iter().max_by_key(|(place, count)| (*count, Reverse(*place)))
    }

    fn board(self) -> SuiteBoard {
        let usual = self.usual();
        let Gathered { card, conditions, runs } = self;
        let chosen = usual.and_then(|(place, count)| Some((place, count, conditions.get(place)?)));
        let first = |at: usize| runs.iter().find(|(place, _)| *place == at).map_or(0, |(_, run)| run.run.number);
        let told = chosen.map(|(place, runs, usual)| Usual {
            engine: usual.engine.clone(),
            user: usual.user.clone(),
            task_instances: usual.instances(),
            runs,
            first: first(place),
        });
        let unlike: Vec<Vec<String>> = conditions
            .iter()
            .map(|other| chosen.map(|(_, _, usual)| other.unlike(usual)).unwrap_or_default())
            .collect();
        let held = |(place, mut run): (usize, BoardRun)| {
            run.not_ranked.extend(unlike.get(place).into_iter().flatten().cloned());
            run
        };
        let mut runs: Vec<BoardRun> = runs.into_iter().map(held).collect();
        card.in_table().enumerate().for_each(|(at, metric)| rank(&mut runs, at, metric));
        let metrics = card.in_table().map(|metric| metric.name).collect();
        SuiteBoard { card, suite: card.name, metrics, usual: told, runs }
    }
}

/// Both ends of an interval, the better one last.
fn reach(score: &BoardScore, metric: &Metric) -> Option<(f64, f64)> {
    let (low, high) = score.interval.filter(|_| score.value.is_some())?;
    Some(if metric.direction.sign() > 0.0 { (low, high) } else { (-high, -low) })
}

/// Gives each agent its rank by a metric: one more than there are of which the whole interval is better than its own.
fn rank(runs: &mut [BoardRun], at: usize, metric: &Metric) {
    let of = |agent: &BoardAgent| reach(agent.overall.get(at)?, metric);
    let mut worst: Vec<f64> = runs.iter().flat_map(BoardRun::ranked).filter_map(of).map(|(worst, _)| worst).collect();
    worst.sort_by(f64::total_cmp);
    let place = |best: f64| 1 + worst.len() - worst.partition_point(|worst| *worst <= best);
    for run in runs {
        let is_sound = run.not_ranked.is_empty();
        for agent in &mut run.agents {
            let ends = of(agent).filter(|_| is_sound && agent.is_ranked());
            agent.ranks.push(ends.map(|(_, best)| place(best)));
        }
    }
}
