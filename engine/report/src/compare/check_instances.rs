//! Checks of instances: those lost whole, findings that are new, and how often all of some trials succeed.

use std::collections::BTreeMap;

use super::check::{Check, Outcome, chance, nothing};
use super::comparison::Comparison;
use super::difference::GroupName;
use super::pair::{Instance, Pair, Trials};
use super::rules::{FindingRule, LEVEL, LostRule, PassKRule};
use crate::table::count;
use probity_bench::stats::moments::{mean, round};
use probity_bench::stats::turned;
use probity_bench::{Card, EpisodeRecord, Finding, Levels};

/// Instances that are named in a check.
const NAMED: usize = 5;
/// The chance of a false alarm about lost instances alone.
const LOST_LEVEL: f64 = LEVEL / 2.0;
/// Trials in which something must come again to be no accident.
const TWICE: usize = 2;

/// That no instance was lost whole which the base solves in all of at least two trials, of as many of the
/// new run. Where trials of other instances
/// waver, chance turns an instance round now and then: then it takes as many as chance seldom makes.
pub(super) fn lost(card: &Card, comparison: &Comparison) -> Check {
    let turned = Turned::of(card, &comparison.instances, comparison.least_trials(TWICE));
    let lost = turned.lost.len();
    let name = "no instance is lost whole";
    let instances = turned.lost.iter().map(|instance| instance.name()).collect();
    let (outcome, text) = if lost == 0 {
        (Outcome::Pass, "none".to_owned())
    } else if comparison.is_repeatable || turned.is_steady || turned.p < LOST_LEVEL {
        (Outcome::Fail, named(&turned.lost, card))
    } else {
        let p = chance(turned.p);
        let near = count(turned.near, "instance");
        let why = format!("; no more than chance makes of {near} solved about as often as not (p {p})");
        (Outcome::Pass, format!("{}{why}", named(&turned.lost, card)))
    };
    Check { instances, ..Check::whole(name, outcome, text) }
}

/// That there are no more lost instances than a rule allows.
pub(super) fn lost_by_rule(card: &Card, comparison: &Comparison, rule: &LostRule) -> Check {
    let some = match at(comparison, &rule.levels) {
        Ok(some) => some,
        Err(check) => {
            return Check { name: format!("lost instances {}", GroupName::of(&rule.levels)), metric: None, ..*check };
        }
    };
    let turned = Turned::of(card, &some, 1);
    let name = format!("lost instances {}: at most {}", GroupName::of(&rule.levels), rule.most);
    let is_held = turned.lost.len() <= rule.most;
    let text = if turned.lost.is_empty() { "none".to_owned() } else { named(&turned.lost, card) };
    let instances = turned.lost.iter().map(|instance| instance.name()).filter(|_| !is_held).collect();
    Check { instances, ..Check::whole(name, holds(is_held), text) }
}

/// `2 instances: a ideal (3 of 3 -> 0 of 3), b ideal (3 of 3 -> 0 of 3)`.
fn named(lost: &[&Instance], card: &Card) -> String {
    let each = lost.iter().take(NAMED).map(|instance| {
        let (base, new) = instance.trials(card);
        let of = |Trials { n, successes }: Trials| format!("{successes} of {n}");
        format!("{} ({} -> {})", instance.name(), of(base), of(new))
    });
    let more = lost.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}: {}{more}", count(lost.len(), "instance"), each.collect::<Vec<_>>().join(", "))
}

/// That nothing severe is new and comes again: in at least two trials of an instance, and in none of the base's.
pub(super) fn severe(card: &'static Card, comparison: &Comparison) -> Check {
    let name = "nothing severe is new and comes again";
    let least = comparison.least_trials(TWICE);
    let (again, once): (Vec<_>, Vec<_>) =
        new_severe(card, &comparison.instances).into_iter().partition(|new| new.trials.0 >= least);
    let seen_once = match once.first() {
        Some(first) => {
            let help = if comparison.trials < TWICE {
                "; play both runs with `--trials 3` to see whether it comes again"
            } else {
                ""
            };
            format!("{} new, each in one trial, first: {first}{help}", once.len())
        }
        None => "none".to_owned(),
    };
    if again.is_empty() {
        return Check::whole(name, Outcome::Pass, seen_once);
    }
    Check { instances: instances_of(&again), ..Check::whole(name, Outcome::Fail, told(&again)) }
}

fn told(all: &[NewFinding]) -> String {
    let each: Vec<String> = all.iter().take(NAMED).map(ToString::to_string).collect();
    let more = all.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{more}", each.join("; "))
}

fn instances_of(all: &[NewFinding]) -> Vec<String> {
    let mut names: Vec<String> = all.iter().map(|new| new.instance.name()).collect();
    names.dedup();
    names
}

/// That a finding is new at no more instances than a rule allows.
pub(super) fn finding(card: &'static Card, comparison: &Comparison, rule: &FindingRule) -> Check {
    let some = match at(comparison, &rule.levels) {
        Ok(some) => some,
        Err(check) => {
            return Check { name: format!("{} {}", rule.code, GroupName::of(&rule.levels)), metric: None, ..*check };
        }
    };
    let new: Vec<NewFinding> = some
        .iter()
        .flat_map(|instance| new_findings(card, instance))
        .filter(|new| new.code == rule.code && new.trials.0 >= rule.trials)
        .collect();
    let name =
        format!("{} {}: new at {} at most", rule.code, GroupName::of(&rule.levels), count(rule.max_new, "instance"));
    let is_held = new.len() <= rule.max_new;
    let text = if new.is_empty() { "new at none".to_owned() } else { told(&new) };
    let instances = if is_held { Vec::new() } else { instances_of(&new) };
    Check { instances, ..Check::whole(name, holds(is_held), text) }
}

/// How often all of `k` trials succeed, the mean over instances, in the new run and against the base.
pub(super) fn pass_k(card: &Card, comparison: &Comparison, rule: &PassKRule) -> Vec<Check> {
    let title = format!("pass^{} {}", rule.k, GroupName::of(&rule.levels));
    let some = match at(comparison, &rule.levels) {
        Ok(some) => some,
        Err(check) => return vec![Check { name: title, metric: None, ..*check }],
    };
    let side = |of: fn((Trials, Trials)) -> Trials| {
        let each: Option<Vec<f64>> = some.iter().map(|one| of(one.trials(card)).pass_hat(rule.k)).collect();
        each.and_then(|each| mean(&each)).map(round)
    };
    let (Some(base), Some(new)) = (side(|(base, _)| base), side(|(_, new)| new)) else {
        let unmeasured = some.iter().flat_map(|one| &one.pairs).any(|pair| pair.values(card.headline()).is_none());
        let outcome = if unmeasured { Outcome::NotMeasured } else { Outcome::Fail };
        let text =
            format!("an instance has fewer than {} scored trials: play both runs with `--trials {}`", rule.k, rule.k);
        return vec![Check::whole(title, outcome, text)];
    };
    let numbers = format!("{base:.3} -> {new:.3} ({:+.3}), n = {}", new - base, count(some.len(), "instance"));
    let min = rule.min.map(|min| (format!("{title}: at least {min}"), new >= min));
    let drop = rule.max_drop.map(|most| (format!("{title}: falls by at most {most}"), round(base - new) <= most));
    min.into_iter().chain(drop).map(|(name, is_held)| Check::whole(name, holds(is_held), numbers.clone())).collect()
}

fn holds(is_held: bool) -> Outcome {
    if is_held { Outcome::Pass } else { Outcome::Fail }
}

/// The instances at some levels; where there are none, the check that says so.
fn at<'a>(comparison: &Comparison<'a>, levels: &Levels) -> Result<Vec<Instance<'a>>, Box<Check>> {
    let of = GroupName::of(levels);
    let some: Vec<Instance> = comparison.instances.iter().filter(|one| of.holds(one.factors)).cloned().collect();
    if some.is_empty() { Err(Box::new(nothing("", of))) } else { Ok(some) }
}

/// A code that an instance has newly.
struct NewFinding<'i, 'a> {
    instance: &'i Instance<'a>,
    code: &'a str,
    /// In how many measured trials of the new run, and of how many.
    trials: (usize, usize),
    first: &'a Finding,
}

/// What is new at an instance, by code: in pairs that were measured, as nothing is known of the other side of the rest.
/// What the base has anywhere is not new.
fn new_findings<'i, 'a>(card: &'static Card, instance: &'i Instance<'a>) -> Vec<NewFinding<'i, 'a>> {
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
fn new_severe<'i, 'a>(card: &'static Card, instances: &'i [Instance<'a>]) -> Vec<NewFinding<'i, 'a>> {
    instances.iter().flat_map(|instance| new_findings(card, instance)).filter(|new| card.is_severe(new.code)).collect()
}

impl std::fmt::Display for NewFinding<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (count, trials) = self.trials;
        write!(f, "{} in {count} of {trials} trials of {}: {}", self.code, self.instance.name(), self.first.text)
    }
}

/// What the trials of all instances say of those that are lost whole.
struct Turned<'i, 'a> {
    lost: Vec<&'i Instance<'a>>,
    /// Instances that both runs together solve about as often as not, the lost ones among them.
    near: usize,
    /// Whether the trials of every instance agree within each run, so that nothing looks like chance.
    is_steady: bool,
    /// The chance of so many lost ones when nothing changed, at most.
    p: f64,
}

impl<'i, 'a> Turned<'i, 'a> {
    /// Counts them where both runs have at least so many trials.
    fn of(card: &Card, instances: &'i [Instance<'a>], least: usize) -> Turned<'i, 'a> {
        let mut turned = Turned { lost: Vec::new(), near: 0, is_steady: true, p: 1.0 };
        let mut fewest = usize::MAX;
        for instance in instances.iter().filter(|_| card.has_verdicts()) {
            let (base, new) = instance.trials(card);
            if base.n + new.n == 0 {
                continue;
            }
            let is_lost = base.all_succeed() && new.all_fail() && base.n >= least && new.n >= least;
            let agrees = [base, new].into_iter().all(|side| side.n < 2 || side.all_succeed() || side.all_fail());
            let both = base.successes + new.successes;
            turned.is_steady &= agrees;
            turned.near += usize::from(is_lost || (2 * both).abs_diff(base.n + new.n) <= 2);
            if is_lost {
                fewest = fewest.min(base.n).min(new.n);
                turned.lost.push(instance);
            }
        }
        if !turned.lost.is_empty() {
            turned.p = turned::chance(turned.lost.len(), turned.near, fewest);
        }
        turned
    }
}
