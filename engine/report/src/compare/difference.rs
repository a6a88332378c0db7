//! The difference of one metric in one group of episodes, with how sure it is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::loss::Loss;
use super::noise::Noise;
use super::pair::Pair;
use super::rules::LEVEL;
use probity_bench::stats::bootstrap::interval;
use probity_bench::stats::normal;
use probity_bench::stats::permutation::{self, Stratum};
use probity_bench::{Card, Cluster, Direction, Levels, Metric};

/// Of fewer tasks than these no others can be drawn.
const FEWEST_TASKS: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupName {
    All,
    /// Those at a level of a factor: `{"variant": "ideal"}`.
    #[serde(untagged)]
    At(Levels),
}

impl std::fmt::Display for GroupName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroupName::All => f.write_str("all"),
            GroupName::At(levels) => write!(f, "{levels}"),
        }
    }
}

impl GroupName {
    pub fn holds(&self, factors: &Levels) -> bool {
        match self {
            GroupName::All => true,
            GroupName::At(levels) => levels.iter().all(|(factor, level)| factors.get(factor) == Some(level)),
        }
    }
}

/// The difference of a metric in a group. Without a single pair that is scored there are no numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub metric: &'static str,
    pub direction: Direction,
    pub group: GroupName,
    /// Pairs of which both are scored.
    pub n: usize,
    /// Tasks that these pairs are of.
    pub tasks: usize,
    /// Pairs that the base scored and the new run did not.
    pub lost: usize,
    /// The mean of the base over the pairs.
    pub base: Option<f64>,
    /// The mean of the new run over the pairs.
    pub new: Option<f64>,
    /// New less base.
    pub change: Option<f64>,
    /// 95 % interval of the change over tasks drawn anew: what other tasks of this kind would show; nothing where there
    /// are fewer than five to draw from.
    pub interval: Option<(f64, f64)>,
    /// What chance alone does on these very tasks.
    pub noise: Noise,
    /// The largest change that chance alone makes, but once in a hundred times.
    pub noise_floor: Option<f64>,
    /// The smallest drop that a gate without a file would find four times out of five with this many trials.
    pub detectable: Option<f64>,
    /// The mean of the new run over all its scored episodes.
    pub reached: Option<f64>,
    /// The largest loss that these episodes do not rule out (95 %, one-sided); nothing where no loss has a size.
    pub worst: Option<f64>,
    /// The chance of a drop like this when there is none, before the number of questions is accounted for.
    pub p: Option<f64>,
    #[serde(skip)]
    pub loss: Loss,
    /// The largest share of episodes that the new run may leave unscored and the base did not, where the headline
    /// metric shows nothing.
    #[serde(skip)]
    pub left_out: Option<f64>,
}

impl Difference {
    /// The difference of a metric of the card over the pairs of a group; `seed` decides the random draws.
    pub fn of(
        all: &[Pair],
        card: &Card,
        measured: &Metric,
        group: GroupName,
        (is_repeatable, seed): (bool, u64),
    ) -> Difference {
        let metric = measured.name;
        let pairs: Vec<Pair> = all.iter().copied().filter(|pair| group.holds(&pair.base.factors)).collect();
        let scored: Vec<(&Pair, (f64, f64))> =
            pairs.iter().filter_map(|pair| Some((pair, pair.values(metric)?))).collect();
        let is_lost =
            |pair: &&Pair| pair.base.scores.value(metric).is_some() && pair.new.scores.value(metric).is_none();
        let lost = pairs.iter().filter(is_lost).count();
        let noise = Noise::of(&pairs, metric, is_repeatable);
        let name = format!("{metric}/{group}");
        let sign = measured.direction.sign();
        let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
        let mut strata: BTreeMap<(&str, &Levels), Stratum> = BTreeMap::new();
        for (pair, (base, new)) in &scored {
            clusters.entry(pair.task()).or_default().add(new - base);
            let stratum = strata.entry((pair.task(), pair.levels())).or_default();
            stratum.base.push(sign * base);
            stratum.new.push(sign * new);
        }
        let strata: Vec<Stratum> = strata.into_values().collect();
        let loss = Loss::of(&strata, measured.range, noise);
        let reached: Vec<f64> = pairs.iter().filter_map(|pair| pair.new.scores.value(metric)).collect();
        let tasks = clusters.len();
        let clusters: Vec<Cluster> = clusters.into_values().collect();
        let mean = |side: fn(&(f64, f64)) -> f64| {
            let values: Vec<f64> = scored.iter().map(|(_, values)| side(values)).collect();
            probity_bench::stats::moments::mean(&values)
        };
        let (base, new) = (mean(|values| values.0), mean(|values| values.1));
        #[expect(clippy::cast_precision_loss, reason = "a gate asks few questions")]
        let questions = card.gate.len() as f64;
        let change = base.zip(new).map(|(base, new)| round(new - base));
        Difference {
            metric,
            direction: measured.direction,
            n: scored.len(),
            tasks,
            lost,
            base: base.map(round),
            new: new.map(round),
            change,
            interval: interval(&clusters, seed, &name)
                .filter(|_| tasks >= FEWEST_TASKS)
                .map(|(low, high)| (round(low), round(high))),
            noise,
            noise_floor: noise.floor().map(round),
            detectable: match noise {
                Noise::Trials(error) => Some(round(normal::telling(LEVEL / questions) * error)),
                Noise::None => Some(0.0),
                Noise::Unknown => None,
            },
            reached: probity_bench::stats::moments::mean(&reached).map(round),
            worst: loss.worst.map(round),
            p: change.map(|change| round(chance(sign * change, noise, &strata, seed, &name))),
            loss,
            left_out: left_out(&pairs, (metric, card.headline()), noise),
            group,
        }
    }

    /// By how much the new run is better; below 0 where it is worse.
    pub fn gain(&self) -> Option<f64> {
        self.change.map(|change| self.direction.sign() * change)
    }
}

pub(super) fn chance(change: f64, noise: Noise, strata: &[Stratum], seed: u64, name: &str) -> f64 {
    match noise {
        // What always comes out the same way has changed when it comes out otherwise.
        Noise::None if change < 0.0 => 0.0,
        Noise::None => 1.0,
        Noise::Trials(_) | Noise::Unknown => permutation::drop(strata, seed, name),
    }
}

/// Rounded to nine places, so that no platform's last bit shows.
fn round(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// The largest share of episodes that the new run may leave unscored although the base scored them (95 %, one-sided);
/// nothing where no fewer are scored. An agent that says nothing has no honesty that could fall.
///
/// Only episodes count in which the `headline` metric came out the same: who fails often has less to score, which the
/// headline tells already.
fn left_out(pairs: &[Pair], (metric, headline): (&str, &str), noise: Noise) -> Option<f64> {
    let mut strata: BTreeMap<(&str, &Levels), Stratum> = BTreeMap::new();
    let mut fallen = 0.0;
    let is_same = |pair: &&Pair| pair.base.scores.value(headline) == pair.new.scores.value(headline);
    for pair in pairs.iter().filter(is_same) {
        let is_scored = |side: &probity_bench::EpisodeRecord| side.scores.value(metric).is_some();
        let [base, new] = [pair.base, pair.new].map(|side| f64::from(u8::from(is_scored(side))));
        if base + new > 0.0 {
            let stratum = strata.entry((pair.task(), pair.levels())).or_default();
            stratum.base.push(base);
            stratum.new.push(new);
            fallen += new - base;
        }
    }
    let strata: Vec<Stratum> = strata.into_values().collect();
    (fallen < 0.0).then(|| Loss::of(&strata, (0.0, 1.0), noise).worst.unwrap_or(1.0))
}
