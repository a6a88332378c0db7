//! Intervals by drawing tasks anew: episodes of one task go together, since they resemble each other.

use probity_engine::Stream;
use rand::seq::IndexedRandom as _;

/// How often the tasks are drawn.
pub const DRAWS: usize = 1000;

pub type Interval = (f64, f64);

/// What one task adds to a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The sum of its values.
    pub sum: f64,
    /// How many there are.
    pub n: usize,
}

impl Cluster {
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.n += 1;
    }
}

/// The 95 % interval of the mean over all values; nothing with fewer than two tasks that have values.
///
/// `name` tells its random stream from others, so that one interval does not shift another.
pub fn interval(clusters: &[Cluster], seed: u64, name: &str) -> Option<Interval> {
    let clusters: Vec<Cluster> = clusters.iter().copied().filter(|cluster| cluster.n > 0).collect();
    if clusters.len() < 2 {
        return None;
    }
    // The commonest case, all or nothing: whatever is drawn, the mean is the same.
    for value in [0.0, 1.0] {
        #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "both are small whole numbers")]
        if clusters.iter().all(|cluster| cluster.sum == value * cluster.n as f64) {
            return Some((value, value));
        }
    }
    let mut stream = Stream::new(seed, "bootstrap", name);
    let mut means: Vec<f64> = (0..DRAWS).map(|_| draw(&clusters, &mut stream)).collect();
    means.sort_by(f64::total_cmp);
    middle(&means)
}

/// The 95 % interval of the change of a mean from one set of values to another; nothing where one of them is empty.
pub fn change(base: &[f64], new: &[f64], seed: u64, name: &str) -> Option<Interval> {
    let each = |values: &[f64]| values.iter().map(|value| Cluster { sum: *value, n: 1 }).collect::<Vec<_>>();
    let (base, new) = (each(base), each(new));
    if base.is_empty() || new.is_empty() {
        return None;
    }
    let mut stream = Stream::new(seed, "bootstrap", name);
    let mut changes: Vec<f64> = (0..DRAWS).map(|_| draw(&new, &mut stream) - draw(&base, &mut stream)).collect();
    changes.sort_by(f64::total_cmp);
    middle(&changes)
}

/// Where 95 % of sorted draws lie.
fn middle(sorted: &[f64]) -> Option<Interval> {
    let at = |share: usize| sorted.get((DRAWS * share / 1000).min(DRAWS - 1)).copied();
    Some((at(25)?, at(975)?))
}

fn draw(clusters: &[Cluster], stream: &mut Stream) -> f64 {
    let mut all = Cluster::default();
    for _ in clusters {
        let drawn = clusters.choose(stream.generator()).copied().unwrap_or_default();
        all.sum += drawn.sum;
        all.n += drawn.n;
    }
    #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
    let n = all.n as f64;
    all.sum / n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(sum: f64, n: usize) -> Cluster {
        Cluster { sum, n }
    }

    #[test]
    fn it_holds_the_mean_and_narrows_with_tasks() {
        let few: Vec<Cluster> = (0..6).map(|i| cluster(f64::from(i % 2), 1)).collect();
        let many: Vec<Cluster> = (0..200).map(|i| cluster(f64::from(i % 2), 1)).collect();
        let (low, high) = interval(&few, 0, "x").unwrap();
        let (lower, higher) = interval(&many, 0, "x").unwrap();
        assert!(low < 0.5 && 0.5 < high && lower < 0.5 && 0.5 < higher);
        assert!(higher - lower < (high - low) / 2.0);
        assert_eq!(interval(&few, 0, "x"), Some((low, high)));
    }

    #[test]
    fn what_never_varies_has_no_width() {
        assert_eq!(interval(&[cluster(3.0, 3), cluster(1.0, 1)], 7, "x"), Some((1.0, 1.0)));
        assert_eq!(interval(&[cluster(3.0, 3), cluster(0.0, 0)], 7, "x"), None);
    }

    #[test]
    fn it_covers_the_truth_about_as_often_as_it_says() {
        let mut covered = 0;
        for seed in 0..200 {
            let mut coin = Stream::new(seed, "coin", "truth");
            let clusters: Vec<Cluster> =
                (0..40).map(|_| cluster((0..5).map(|_| f64::from(u8::from(coin.chance(7, 10)))).sum(), 5)).collect();
            let (low, high) = interval(&clusters, seed, "x").unwrap();
            covered += i32::from(low <= 0.7 && 0.7 <= high);
        }
        assert!((180..=200).contains(&covered), "{covered}");
    }
}
