//! Episodes of two runs that were played on the same thing: same task, levels and trial.

use std::collections::BTreeMap;

use probity_bench::{EpisodeRecord, Levels};

#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub base: &'a EpisodeRecord,
    pub new: &'a EpisodeRecord,
}

/// How the episodes of one agent in each run fit together.
#[derive(Default)]
pub struct Pairs<'a> {
    /// Those that fit, in unit order.
    pub pairs: Vec<Pair<'a>>,
    /// Episodes of the base run that the new one lacks.
    pub only_base: Vec<String>,
    /// Episodes of the new run that the base lacks.
    pub only_new: Vec<String>,
    /// Episodes that were played on other versions of a task, under other limits or options, or with another user.
    pub unlike: Vec<String>,
}

impl<'a> Pairs<'a> {
    pub fn of(base: &'a [EpisodeRecord], base_agent: &str, new: &'a [EpisodeRecord], new_agent: &str) -> Self {
        let (mut left, mut right) = (by_unit(base, base_agent), by_unit(new, new_agent));
        let mut pairs = Pairs::default();
        for (unit, base) in std::mem::take(&mut left) {
            match right.remove(&unit) {
                None => pairs.only_base.push(base.instance_name()),
                Some(new) if !is_alike(base, new) => pairs.unlike.push(base.instance_name()),
                Some(new) => pairs.pairs.push(Pair { base, new }),
            }
        }
        pairs.only_new.extend(right.into_values().map(EpisodeRecord::instance_name));
        pairs
    }
}

impl<'a> Pair<'a> {
    /// The values of a metric in both; nothing when either was not scored.
    pub fn values(&self, metric: &str) -> Option<(f64, f64)> {
        Some((self.base.scores.value(metric)?, self.new.scores.value(metric)?))
    }

    pub fn task(&self) -> &'a str {
        &self.base.trace.header.task
    }

    pub fn levels(&self) -> &'a Levels {
        &self.base.trace.header.levels
    }
}

type UnitKey<'a> = (&'a str, &'a Levels, u32);

fn by_unit<'a>(records: &'a [EpisodeRecord], agent: &str) -> BTreeMap<UnitKey<'a>, &'a EpisodeRecord> {
    let own = records.iter().filter(|record| record.agent == agent);
    own.map(|record| ((record.task(), &record.trace.header.levels, record.trial), record)).collect()
}

/// Whether two episodes were played on the same thing.
fn is_alike(base: &EpisodeRecord, new: &EpisodeRecord) -> bool {
    base.trace.header.unlike(&new.trace.header).is_empty()
}
