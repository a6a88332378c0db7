//! Findings that are new at an instance: in trials of the new run, and in none of the base's.

use std::collections::BTreeMap;

use super::instance::Instance;
use super::pair::Pair;
use probity_bench::{Card, EpisodeRecord, Finding};

/// A code that an instance has newly.
pub struct NewFinding<'i, 'a> {
    pub instance: &'i Instance<'a>,
    pub code: &'a str,
    /// In how many measured trials of the new run, and of how many.
    pub trials: (usize, usize),
    /// The first of them.
    pub first: &'a Finding,
}

/// What is new at an instance, by code: in pairs that were measured, as nothing is known of the other side of the rest.
/// What the base has anywhere is not new.
pub(crate) fn new_findings<'i, 'a>(card: &'static Card, instance: &'i Instance<'a>) -> Vec<NewFinding<'i, 'a>> {
    let measured: Vec<Pair<'a>> =
        instance.pairs.iter().copied().filter(|pair| pair.values(card.headline()).is_some()).collect();
    let found = |pairs: &[Pair<'a>], side: fn(&Pair<'a>) -> &'a EpisodeRecord| {
        let mut codes: BTreeMap<&'a str, (usize, &'a Finding)> = BTreeMap::new();
        for pair in pairs {
            let mut own: BTreeMap<&'a str, &'a Finding> = BTreeMap::new();
            for finding in card.findings(&side(pair).scores) {
                own.entry(&finding.code).or_insert(finding);
            }
            own.into_iter().for_each(|(code, finding)| codes.entry(code).or_insert((0, finding)).0 += 1);
        }
        codes
    };
    let (base, new) = (found(&instance.pairs, |pair| pair.base), found(&measured, |pair| pair.new));
    let is_new = |(code, _): &(&'a str, (usize, &'a Finding))| !base.contains_key(code);
    let of = |(code, (count, first)): (&'a str, (usize, &'a Finding))| {
        let trials = (count, measured.len());
        NewFinding { instance, code, trials, first }
    };
    new.into_iter().filter(is_new).map(of).collect()
}

/// The severe ones among what is new, at all instances.
pub(crate) fn new_severe<'i, 'a>(card: &'static Card, instances: &'i [Instance<'a>]) -> Vec<NewFinding<'i, 'a>> {
    instances.iter().flat_map(|instance| new_findings(card, instance)).filter(|new| card.is_severe(new.code)).collect()
}

impl std::fmt::Display for NewFinding<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (count, trials) = self.trials;
        write!(f, "{} in {count} of {trials} trials of {}: {}", self.code, self.instance.name(), self.first.text)
    }
}
