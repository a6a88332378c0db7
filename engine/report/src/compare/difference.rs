//! The difference of one metric in one group of episodes, with how sure it is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::noise::{Loss, Noise};
use super::outlook::Power;
use super::pair::Pair;
use probity_bench::stats::bootstrap::interval;
use probity_bench::stats::holm;
use probity_bench::stats::moments::{mean, round};
use probity_bench::stats::permutation::{self, Chance, Stratum};
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
    pub(super) fn of(levels: &Levels) -> GroupName {
        match levels.is_empty() {
            true => GroupName::All,
            false => GroupName::At(levels.clone()),
        }
    }

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
    /// The largest change that chance alone makes, but once in a hundred times; nothing where no chance was seen.
    pub noise_floor: Option<f64>,
    /// The smallest drop that would be found four times out of five with this many trials, where it is asked about.
    pub detectable: Option<f64>,
    /// The mean of the new run over all its scored episodes.
    pub reached: Option<f64>,
    /// The largest loss that these episodes do not rule out (95 %, one-sided); nothing where no loss has a size.
    pub worst: Option<f64>,
    /// The chance of a drop like this when there is none, with the number of questions accounted for: what decides.
    /// Nothing where no gate asks.
    pub p: Option<f64>,
    #[serde(skip)]
    pub decided: Option<Decided>,
    /// Episodes of which the headline metric is not scored in either run: nothing was measured there.
    pub unmeasured: usize,
    #[serde(skip)]
    strata: Vec<Stratum>,
    /// The width of the metric's range.
    #[serde(skip)]
    width: f64,
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
        let is_measured = |pair: &&Pair| pair.values(card.headline()).is_some();
        let is_lost =
            |pair: &&Pair| pair.base.scores.value(metric).is_some() && pair.new.scores.value(metric).is_none();
        let lost = pairs.iter().filter(is_measured).filter(is_lost).count();
        let unmeasured = pairs.len() - pairs.iter().filter(is_measured).count();
        let noise = Noise::of(&pairs, metric, is_repeatable);
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
        let of =
            |side: fn(&(f64, f64)) -> f64| mean(&scored.iter().map(|(_, values)| side(values)).collect::<Vec<_>>());
        let (base, new) = (of(|values| values.0), of(|values| values.1));
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
            interval: interval(&clusters, seed, metric)
                .filter(|_| tasks >= FEWEST_TASKS)
                .map(|(low, high)| (round(low), round(high))),
            noise,
            noise_floor: noise.floor().map(round),
            detectable: None,
            reached: mean(&reached).map(round),
            worst: loss.worst.map(round),
            p: None,
            decided: None,
            unmeasured,
            width: measured.range.1 - measured.range.0,
            strata,
            loss,
            left_out: left_out(&pairs, (metric, card.headline()), noise),
            group,
        }
    }

    /// By how much the new run is better; below 0 where it is worse.
    pub fn gain(&self) -> Option<f64> {
        self.change.map(|change| self.direction.sign() * change)
    }

    /// The chance of a drop like this when there is none; nothing without numbers.
    pub fn chance(&self, seed: u64) -> Option<Chance> {
        let gain = self.gain()?;
        Some(match self.noise {
            // What always comes out the same way has changed when it comes out otherwise.
            Noise::None => Chance::sure(if gain < 0.0 { 0.0 } else { 1.0 }),
            Noise::Trials(_) | Noise::Unknown => permutation::drop(&self.strata, seed),
        })
    }

    /// Notes what a gate decides by: the corrected chance, and what it could have found when a question has so much of
    /// the level to itself.
    pub fn decide(&mut self, decided: Option<Decided>, share: f64) {
        self.decided = decided;
        self.p = decided.map(|decided| round(decided.p));
        self.detectable = self.detectable_at(share).map(round);
    }

    /// Takes back what another gate decides by.
    pub fn forget(&mut self) {
        (self.decided, self.p, self.detectable) = (None, None, None);
    }

    /// The smallest drop that is found four times out of five. Where no trial differs from another, half an episode on
    /// either side that might have keeps the error from being none at all.
    fn detectable_at(&self, share: f64) -> Option<f64> {
        if self.n == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
        let pairs = self.n as f64;
        let width = if self.width.is_finite() { self.width } else { 0.0 };
        let variance = match self.noise {
            Noise::None => return Some(0.0),
            Noise::Trials(error) => (error * pairs).powi(2),
            Noise::Unknown => self.strata.iter().map(Stratum::variance).sum(),
        };
        let variance = variance + width * width;
        let trials = self.strata.iter().map(|stratum| stratum.new.len()).min().unwrap_or(1);
        Some(Power { pairs, trials, width, dealt: variance, played: variance }.smallest(share))
    }

    /// `noise floor 0.150`, or why there is none.
    pub(crate) fn noise_said(&self) -> String {
        match (self.noise, self.noise_floor) {
            (Noise::Trials(_), Some(floor)) => format!("noise floor {floor:.3}"),
            (Noise::Trials(_), None) => format!("no variance seen in {} trials", 2 * self.n),
            (Noise::None, _) => "no noise, both agents do the same every time".to_owned(),
            (Noise::Unknown, _) => "noise not known, one trial each".to_owned(),
        }
    }
}

/// The chance of a drop with the number of questions accounted for: what decides, and all that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    pub p: f64,
    /// The least and the greatest that it may be, where swaps were drawn.
    pub bounds: (f64, f64),
}

/// The corrected chances of differences, by Holm; nothing for one that has no numbers.
pub fn decide(asked: &[&Difference], seed: u64) -> Vec<Option<Decided>> {
    let chances: Vec<Option<Chance>> = asked.iter().map(|difference| difference.chance(seed)).collect();
    let tested = |of: fn(Chance) -> f64| holm::adjust(&chances.iter().flatten().copied().map(of).collect::<Vec<_>>());
    let all = [tested(|chance| chance.p), tested(|chance| chance.bounds().0), tested(|chance| chance.bounds().1)];
    let mut all = all.map(Vec::into_iter);
    chances
        .iter()
        .map(|chance| {
            chance.as_ref()?;
            let [p, low, high] = all.each_mut().map(Iterator::next);
            Some(Decided { p: p?, bounds: (low?, high?) })
        })
        .collect()
}

impl Decided {
    /// Whether it is below a level whatever is drawn.
    pub fn is_below(self, level: f64) -> bool {
        self.bounds.1 < level
    }

    /// Whether other draws could put it on the other side of a level.
    pub fn is_near(self, level: f64) -> bool {
        let (low, high) = self.bounds;
        low < level && level <= high
    }
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
    for pair in pairs.iter().filter(|pair| pair.values(headline).is_some()).filter(is_same) {
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
