//! Two sets of dialogues that have no tasks in common: how often something is found in each, and whether that rose.

use probity_bench::stats::permutation::{self, Stratum};
use probity_bench::stats::{bootstrap, holm, moments, normal};
use serde::Serialize;

use super::check::{Check, Outcome, chance};
use super::rules::LEVEL;

/// Standard errors that chance alone makes once in a hundred times, on either side.
const RARE: f64 = 2.576;
/// Findings a dialogue that nobody can gain unnoticed: a rise that could be as large keeps the gate closed.
const MARGIN: f64 = 0.25;
/// Of fewer dialogues nothing can be said.
const FEWEST: usize = 5;

/// How many findings a dialogue has in the base and in the new set.
#[derive(Clone, Debug, Serialize)]
pub struct Rate {
    /// What is counted: `contradicted`, `discipline`.
    pub name: &'static str,
    /// Dialogues of the base and of the new set in which there was something to count in.
    pub n: (usize, usize),
    /// The mean of the base.
    pub base: Option<f64>,
    /// The mean of the new set.
    pub new: Option<f64>,
    /// New less base.
    pub change: Option<f64>,
    /// 95 % interval of the change, over dialogues drawn anew; nothing where either set has fewer than five.
    pub interval: Option<(f64, f64)>,
    /// The largest change that chance alone makes, but once in a hundred times.
    pub noise_floor: Option<f64>,
    /// The smallest rise that would be found four times out of five.
    pub detectable: Option<f64>,
    /// The chance of a rise like this when there is none.
    pub p: Option<f64>,
}

impl Rate {
    /// Counts findings a dialogue; `seed` decides the draws.
    pub fn of(name: &'static str, base: &[f64], new: &[f64], seed: u64) -> Rate {
        let (of_base, of_new) = (moments::mean(base), moments::mean(new));
        let change = of_base.zip(of_new).map(|(base, new)| new - base);
        let is_enough = base.len() >= FEWEST && new.len() >= FEWEST;
        let error = error(base, new).filter(|_| is_enough);
        Rate {
            name,
            n: (base.len(), new.len()),
            base: of_base,
            new: of_new,
            change,
            interval: if is_enough { bootstrap::change(base, new, seed, name) } else { None },
            noise_floor: error.map(|error| RARE * error),
            detectable: error.map(|error| normal::telling(LEVEL) * error),
            p: change.filter(|_| is_enough).map(|_| rise(base, new, seed)),
        }
    }

    fn check(&self, p: Option<f64>) -> Check {
        let worst = self.interval.map_or(f64::INFINITY, |(_, high)| high);
        let (outcome, why) = match (self.change, p) {
            (Some(change), Some(p)) if change > 0.0 && p < LEVEL => (Outcome::Fail, ""),
            (Some(change), Some(_)) if change > 0.0 && worst >= MARGIN => {
                (Outcome::Undecided, "; so few dialogues cannot tell this from chance: audit more of them")
            }
            (Some(_), Some(_)) => (Outcome::Pass, ""),
            _ if self.n == (0, 0) => (Outcome::NotScored, "; neither set has a dialogue with anything to count"),
            _ => (Outcome::Undecided, "; too few dialogues to say anything: audit at least five of each"),
        };
        let text = format!("{}{why}", self.numbers(p));
        let name = format!("{}: no significant rise", self.name);
        Check { metric: Some(self.name), ..Check::whole(name, outcome, text) }
    }

    /// `0.120 -> 0.310 a dialogue (+0.190, 0.040 to 0.340), noise floor 0.110, p = 0.0032, n = 100 and 98`.
    pub fn numbers(&self, p: Option<f64>) -> String {
        let (Some(base), Some(new), Some(change)) = (self.base, self.new, self.change) else {
            return "not measured".to_owned();
        };
        let interval = self.interval.map(|(low, high)| format!(", {low:+.3} to {high:+.3}")).unwrap_or_default();
        let floor = self.noise_floor.map(|floor| format!(", noise floor {floor:.3}")).unwrap_or_default();
        let p = p.filter(|_| change != 0.0).map(|p| format!(", p {}", chance(p))).unwrap_or_default();
        let (of_base, of_new) = self.n;
        format!("{base:.3} -> {new:.3} a dialogue ({change:+.3}{interval}){floor}{p}, n = {of_base} and {of_new}")
    }
}

/// A check for each rate: none may have risen.
pub fn checks(rates: &[Rate]) -> Vec<Check> {
    let tested: Vec<f64> = rates.iter().filter_map(|rate| rate.p).collect();
    let mut adjusted = holm::adjust(&tested).into_iter();
    rates.iter().map(|rate| rate.check(rate.p.and_then(|_| adjusted.next()))).collect()
}

/// The chance of so large a rise, were it chance alone which set a dialogue is in.
fn rise(base: &[f64], new: &[f64], seed: u64) -> f64 {
    let all: Vec<f64> = base.iter().chain(new).copied().collect();
    // About their common mean, sums of sets of any sizes fall and rise as their means do.
    let center = moments::mean(&all).unwrap_or_default();
    let fallen = |values: &[f64]| values.iter().map(|value| center - value).collect();
    permutation::drop(&[Stratum { base: fallen(base), new: fallen(new) }], seed).p
}

/// The standard error of the change, were both sets of one kind.
fn error(base: &[f64], new: &[f64]) -> Option<f64> {
    let all: Vec<f64> = base.iter().chain(new).copied().collect();
    #[expect(clippy::cast_precision_loss, reason = "there are fewer dialogues than that")]
    let share = |values: &[f64]| 1.0 / values.len() as f64;
    moments::variance(&all).map(|variance| (variance * (share(base) + share(new))).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(base: &[f64], new: &[f64]) -> Outcome {
        checks(&[Rate::of("contradicted", base, new, 0)])[0].outcome
    }

    /// Of `n` dialogues `bad` have one finding.
    fn set(n: usize, bad: usize) -> Vec<f64> {
        (0..n).map(|at| f64::from(u8::from(at < bad))).collect()
    }

    #[test]
    fn a_rise_closes_the_gate_and_a_fall_does_not() {
        assert_eq!(outcome(&set(100, 5), &set(80, 24)), Outcome::Fail);
        assert_eq!(outcome(&set(100, 24), &set(80, 4)), Outcome::Pass);
        assert_eq!(outcome(&set(100, 10), &set(60, 6)), Outcome::Pass);
        assert_eq!(outcome(&set(8, 1), &set(8, 3)), Outcome::Undecided);
        assert_eq!(outcome(&set(3, 0), &set(100, 0)), Outcome::Undecided);
        assert_eq!(outcome(&[], &set(100, 0)), Outcome::Undecided);
        assert_eq!(outcome(&[], &[]), Outcome::NotScored);
    }

    #[test]
    fn sets_of_one_kind_seldom_close_it() {
        let mut closed = 0;
        for seed in 0..200 {
            let mut coin = probity_engine::Stream::new(seed, "coin", "rates");
            let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| f64::from(u8::from(coin.chance(2, 10)))).collect() };
            let (base, new) = (draw(120), draw(90));
            closed += usize::from(outcome(&base, &new) == Outcome::Fail);
        }
        assert!(closed <= 14, "{closed} of 200");
    }
}
