//! The ways in which outcomes can be dealt to two runs, counted without going through each of them.

use std::collections::BTreeMap;

/// Outcomes of one instance beyond which its ways are not counted.
const MOST_VALUES: usize = 400;
/// Sums that are kept apart while ways are counted.
const MOST_SUMS: usize = 1 << 17;
/// Steps that counting may take; more take longer than drawing does.
const MOST_STEPS: usize = 1 << 26;

/// The changes that an instance can show, each with its share of all ways to deal its outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Swaps(Vec<(i64, f64)>);

impl Swaps {
    /// Of these outcomes, of which so many are the base's; nothing where there are too many ways.
    pub fn of(values: &[i64], of_base: usize) -> Option<Swaps> {
        if values.len() > MOST_VALUES {
            return None;
        }
        let total: i64 = values.iter().sum();
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        values.iter().for_each(|value| *counts.entry(*value).or_default() += 1);
        let of_new = values.len().checked_sub(of_base)?;
        // Ways to give the new run so many outcomes with this sum.
        let mut ways: BTreeMap<(usize, i64), f64> = BTreeMap::from([((0, 0), 1.0)]);
        for (value, count) in counts {
            let mut next: BTreeMap<(usize, i64), f64> = BTreeMap::new();
            for ((taken, sum), many) in &ways {
                let (mut choices, mut sum) = (*many, *sum);
                for more in 0..=count.min(of_new - taken) {
                    if more > 0 {
                        choices *= share(count - more + 1, more);
                        sum = sum.checked_add(value)?;
                    }
                    *next.entry((taken + more, sum)).or_default() += choices;
                }
            }
            if next.len() > MOST_SUMS / 8 {
                return None;
            }
            ways = next;
        }
        let last = ways.into_iter().filter(|((taken, _), _)| *taken == of_new);
        let ended: Vec<(i64, f64)> = last.map(|((_, sum), many)| (2 * sum - total, many)).collect();
        let all: f64 = ended.iter().map(|(_, many)| many).sum();
        Some(Swaps(ended.into_iter().map(|(change, many)| (change, many / all)).collect()))
    }

    fn least(&self) -> i64 {
        self.0.first().map_or(0, |(change, _)| *change)
    }

    fn greatest(&self) -> i64 {
        self.0.last().map_or(0, |(change, _)| *change)
    }
}

#[expect(clippy::cast_precision_loss, reason = "outcomes of an instance are few")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The share of all ways whose changes add up to the limit or less; nothing where that takes too long.
pub fn exact(swaps: &[Swaps], limit: i64) -> Option<f64> {
    on_a_grid(swaps, limit).or_else(|| by_sums(swaps, limit))
}

/// Where all changes are whole multiples of one step, as those of zeros and ones are, sums are places in a list.
fn on_a_grid(swaps: &[Swaps], limit: i64) -> Option<f64> {
    let least: i64 = swaps.iter().map(Swaps::least).sum();
    let step = swaps.iter().flat_map(|one| one.0.iter().map(|(change, _)| change - one.least())).fold(0, divisor);
    let width: i64 = swaps.iter().map(|one| one.greatest() - one.least()).sum();
    let places = usize::try_from(width.checked_div(step).unwrap_or(0)).ok()?.checked_add(1)?;
    let changes: usize = swaps.iter().map(|one| one.0.len()).sum();
    if places > MOST_SUMS || places.checked_mul(changes)? > MOST_STEPS {
        return None;
    }
    let mut shares = vec![1.0];
    for one in swaps {
        let place = |change: i64| (change - one.least()).checked_div(step).and_then(|at| usize::try_from(at).ok());
        let wide = place(one.greatest()).unwrap_or(0);
        let mut next = vec![0.0; shares.len() + wide];
        for (change, chance) in &one.0 {
            let into = next.iter_mut().skip(place(*change).unwrap_or(0));
            into.zip(&shares).for_each(|(into, share)| *into += share * chance);
        }
        shares = next;
    }
    let last = limit.checked_sub(least)?;
    let within =
        if last < 0 { 0 } else { last.checked_div(step).and_then(|at| usize::try_from(at).ok()).unwrap_or(0) + 1 };
    Some(shares.iter().take(within).sum())
}

/// Sums that lie on no grid, as long as they are few.
fn by_sums(swaps: &[Swaps], limit: i64) -> Option<f64> {
    let mut sums: Vec<(i64, f64)> = vec![(0, 1.0)];
    let mut steps = 0_usize;
    for one in swaps {
        steps += sums.len().checked_mul(one.0.len())?;
        if steps > MOST_STEPS / 16 {
            return None;
        }
        let mut next: Vec<(i64, f64)> = Vec::with_capacity(sums.len() * one.0.len());
        for (change, chance) in &one.0 {
            next.extend(sums.iter().map(|(sum, share)| (sum + change, share * chance)));
        }
        next.sort_by_key(|(sum, _)| *sum);
        next.dedup_by(|(sum, share), (kept, into)| {
            let is_same = sum == kept;
            *into += if is_same { *share } else { 0.0 };
            is_same
        });
        if next.len() > MOST_SUMS {
            return None;
        }
        sums = next;
    }
    Some(sums.iter().take_while(|(sum, _)| *sum <= limit).map(|(_, share)| share).sum())
}

/// The greatest common divisor.
fn divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
