//! What the trials of one run say of chance in the next: how much a sum of changes varies when both runs are played so
//! many times and the new one has lost so much.

use probity_bench::stats::moments::{mean, round, variance};
use probity_bench::stats::{normal, permutation};
use probity_bench::{Direction, MAX_TRIALS, Metric};

/// How often a drop is halved to find the smallest that is found: to a millionth of a millionth of what can be lost.
const HALVINGS: u32 = 40;

/// Sums over the instances of a base run.
///
/// The drop is thought to be spread: of all that the base has, the new run loses the same share everywhere, an episode
/// losing all or nothing. One that takes some instances whole is no harder to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook<'a> {
    metric: &'a Metric,
    pub instances: usize,
    /// Trials of an instance, at least.
    pub trials: usize,
    /// Instances that have something to lose.
    live: usize,
    /// Of the means of instances, counted from the worst value that there is.
    has: f64,
    /// Of the means of their squares.
    squares: f64,
    /// Of the variances of single outcomes.
    variance: f64,
    /// Of the squares of these.
    fourths: f64,
}

/// The worst value of a metric; nothing where there is none.
fn worst(metric: &Metric) -> Option<f64> {
    let (least, most) = metric.range;
    let worst = if metric.direction == Direction::Down { most } else { least };
    Some(worst).filter(|worst| worst.is_finite())
}

/// The width of a metric's range; 0 where it has no end.
fn width(metric: &Metric) -> f64 {
    Some(metric.range.1 - metric.range.0).filter(|width| width.is_finite()).unwrap_or_default()
}

/// How much an outcome has that could be lost; where there is no worst value, as much as it is good.
pub(super) fn above(metric: &Metric, value: f64) -> f64 {
    metric.direction.sign() * (value - worst(metric).unwrap_or_default())
}

/// Whether outcomes have nothing to lose, as far as was seen.
pub(super) fn is_at_worst(metric: &Metric, values: &[f64]) -> bool {
    worst(metric).is_some() && values.iter().all(|value| above(metric, *value) <= 0.0)
}

impl<'a> Outlook<'a> {
    /// One of no instances yet.
    pub fn new(metric: &'a Metric) -> Outlook<'a> {
        let (has, squares, variance, fourths) = (0.0, 0.0, 0.0, 0.0);
        Outlook { metric, instances: 0, trials: 0, live: 0, has, squares, variance, fourths }
    }

    /// Adds the outcomes of an instance: of one alone the variance is not known, and counts as none.
    #[expect(clippy::cast_precision_loss, reason = "trials of an instance are at most 10 000")]
    pub fn add(&mut self, values: &[f64]) {
        self.live += usize::from(!is_at_worst(self.metric, values));
        let values: Vec<f64> = values.iter().map(|value| above(self.metric, *value)).collect();
        let Some(mean) = mean(&values) else { return };
        let (variance, trials) = (variance(&values).unwrap_or_default(), values.len() as f64);
        self.trials = if self.instances == 0 { values.len() } else { self.trials.min(values.len()) };
        self.instances += 1;
        self.has += mean;
        self.squares += mean * mean + variance * (trials - 1.0) / trials;
        self.variance += variance;
        self.fourths += variance * variance;
    }

    #[expect(clippy::cast_precision_loss, reason = "instances are at most a million")]
    fn count(&self) -> f64 {
        self.instances as f64
    }

    /// The standard error of the sum of variances: a base of few trials may have been steadier than its agent is. Where
    /// nothing can be lost there is nothing to be wrong about.
    #[expect(clippy::cast_precision_loss, reason = "instances are at most a million")]
    fn error(&self) -> f64 {
        let count = self.live as f64;
        if count < 2.0 {
            return 0.0;
        }
        let spread = (self.fourths - self.variance * self.variance / count).max(0.0);
        (spread * count / (count - 1.0)).sqrt()
    }

    /// How far the metric can fall at most; nothing where that has no end.
    pub fn most(&self) -> Option<f64> {
        worst(self.metric).map(|_| self.has / self.count().max(1.0))
    }

    /// What both runs can find with so many trials, the new one having lost so much.
    #[expect(clippy::cast_precision_loss, reason = "trials are at most 10 000")]
    fn power(&self, drop: f64, trials: usize) -> Power {
        let (width, n) = (width(self.metric), trials as f64);
        let variance = self.variance + self.error();
        let (of_new, of_losses) = match self.most().filter(|most| *most > 0.0) {
            Some(most) => {
                let lost = (drop / most).min(1.0);
                let kept = 1.0 - lost;
                // What is left of the squares of means without the chance in them.
                let means = (self.squares - self.variance).max(0.0);
                (kept * (lost * self.squares + kept * variance), lost * lost * means)
            }
            None => (variance, 0.0),
        };
        // Half an episode on either side that might have come out otherwise, among the trials that were played.
        let unseen = width * width / self.trials.max(1) as f64;
        let played = n * (variance + of_new + unseen);
        // Outcomes that are dealt anew also vary by what the two runs differ in.
        let dealt = played + of_losses * n * n / (2.0 * n - 1.0);
        Power { pairs: n * self.count(), trials, width, dealt, played }
    }

    fn finds(&self, (drop, trials): (f64, usize), share: f64) -> bool {
        self.instances > 0 && round(self.power(drop, trials).smallest(share)) <= drop
    }

    /// The fewest trials with which a drop is found four times out of five; nothing where a run has not as many. That is
    /// asked of each number of trials that a run may have, 10,000 at most, whatever the base holds.
    pub fn trials(&self, drop: f64, share: f64) -> Option<u32> {
        let is_enough = |trials: &u32| {
            let trials = usize::try_from(*trials).unwrap_or(usize::MAX);
            self.finds((drop, trials), share)
        };
        (1..=MAX_TRIALS).find(is_enough)
    }

    /// The smallest drop that is found with as many trials as there are; nothing where none is.
    pub fn smallest(&self, share: f64) -> Option<f64> {
        let found = |drop: f64| self.finds((drop, self.trials), share);
        // Where there is no worst value the error does not depend on the drop.
        let at_once = || round(self.power(0.0, self.trials).smallest(share));
        let (mut least, mut most) = (0.0, self.most().unwrap_or_else(at_once));
        if !found(most) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = least + (most - least) / 2.0;
            (least, most) = if found(middle) { (least, middle) } else { (middle, most) };
        }
        Some(most)
    }
}

/// Pairs of episodes in one metric, and how much chance there is in the sum of their changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Power {
    /// Pairs of episodes.
    pub pairs: f64,
    /// Trials of each instance in either run, at least.
    pub trials: usize,
    /// The width of the metric's range; 0 where it has none.
    pub width: f64,
    /// The variance of the sum, were the outcomes of each instance dealt to both runs anew: what p is reckoned by.
    pub dealt: f64,
    /// The variance of the sum, were both runs played again.
    pub played: f64,
}

impl Power {
    /// The smallest drop of the mean that a question with so much of the level to itself finds four times out of five: so
    /// many errors, and at least as many outcomes as must fall for chance to be rare enough.
    pub fn smallest(&self, share: f64) -> f64 {
        let by_error = normal::upper(share) * self.dealt.sqrt() + normal::POWER * self.played.sqrt();
        by_error.max(self.width * permutation::fewest(self.trials, share)) / self.pairs
    }
}
