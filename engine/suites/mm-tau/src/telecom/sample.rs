//! Samples of our own: as many tasks of each intent and number of issues, drawn by a seed.

use std::collections::BTreeMap;

use super::intent::Intent;
use super::task::TelecomTask;
use super::task_set::{TaskSet, tasks};
use probity_engine::Stream;

/// At most `per_bucket` tasks of a set for each intent and number of issues from two on (those with one are
/// [`TaskSet::Small`]), in the order of the set. Every bucket draws from a stream of its own, and the first tasks drawn
/// are the same for every `per_bucket`, so that a larger sample contains the smaller.
pub fn sample(set: TaskSet, per_bucket: usize, seed: u64) -> Vec<TelecomTask> {
    let mut buckets: BTreeMap<(Intent, usize), Vec<(usize, TelecomTask)>> = BTreeMap::new();
    for (place, task) in tasks(set).enumerate().filter(|(_, task)| task.issues().len() > 1) {
        buckets.entry((task.intent(), task.issues().len())).or_default().push((place, task));
    }
    let mut drawn: Vec<(usize, TelecomTask)> = Vec::new();
    for ((intent, count), bucket) in buckets {
        let mut random = Stream::new(seed, "sample", &format!("{} {count}", intent.name()));
        drawn.extend(draw(bucket, per_bucket, &mut random));
    }
    drawn.sort();
    drawn.into_iter().map(|(_, task)| task).collect()
}

/// The first items of the list in a random order.
fn draw<T>(mut items: Vec<T>, count: usize, random: &mut Stream) -> Vec<T> {
    for place in 0..count.min(items.len()) {
        let rest = (items.len() - place) as u64;
        let offset = usize::try_from(random.below(rest)).unwrap_or(0);
        items.swap(place, place + offset);
    }
    items.truncate(count);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_gives_one_sample_and_another_seed_another() {
        let first = sample(TaskSet::Full, 9, 1);
        assert_eq!(first, sample(TaskSet::Full, 9, 1));
        assert_ne!(first, sample(TaskSet::Full, 9, 2));
        assert!(first.len() > 100 && first.iter().all(|task| task.issues().len() > 1));
    }

    #[test]
    fn a_larger_sample_contains_the_smaller() {
        let small = sample(TaskSet::Full, 3, 7);
        let large: BTreeSet<TelecomTask> = sample(TaskSet::Full, 5, 7).into_iter().collect();
        assert!(small.iter().all(|task| large.contains(task)));
        assert!(sample(TaskSet::Full, 0, 7).is_empty());
        assert_eq!(sample(TaskSet::Full, usize::MAX, 7).len(), 2285 - 20);
    }

    /// A change of this is a change of every sample.
    #[test]
    fn a_sample_stays_what_it_was() {
        let ids: Vec<String> = sample(TaskSet::Full, 1, 41).iter().map(TelecomTask::id).take(3).collect();
        let expected = [
            "[mobile_data_issue]airplane_mode_on|user_abroad_roaming_enabled_off",
            "[mobile_data_issue]airplane_mode_on|data_mode_off|user_abroad_roaming_enabled_off",
            "[mobile_data_issue]bad_network_preference|bad_vpn|data_mode_off|data_saver_mode_on",
        ];
        assert_eq!(ids, expected);
    }
}
