//! What the tasks of a suite are like, in numbers, beside those of the paper (RUT-Bench, section 4).

use std::collections::BTreeSet;

use compact_str::CompactString;

use crate::model::variant::Variant;
use crate::suite::Suite;
use crate::task::{Behaviour, Task};
use probity_bench::census::Figure;
use probity_engine::{Difficulty, Environment};
use probity_prose::token::whole_words;
use probity_ruling::agreement::pairs;

type OfEnvironment = fn(&Environment) -> usize;
type OfTask = fn(&Task) -> f64;
type OfInstance = fn(&Task, Variant, &Behaviour) -> bool;

const OF_ENVIRONMENTS: [(&str, OfEnvironment); 6] = [
    ("tools of an environment", |environment| environment.tools().len()),
    ("rules of an environment", |environment| environment.file().policy.len()),
    ("edges of an environment", |environment| environment.file().constraints.precedence.len()),
    ("exclusions of an environment", |environment| environment.file().constraints.exclusions.len()),
    ("invariants of an environment", |environment| environment.file().invariants.len()),
    ("events of an environment", |environment| environment.file().events.len()),
];

/// A number of each task; where it is 0 or 1, the mean is a share.
const OF_TASKS: [(&str, Option<f64>, OfTask); 5] = [
    ("user turns of a task", Some(1.69), |task| turns(task) as f64),
    ("action budget of a task", Some(5.97), |task| task.outcomes().first().map_or(0, |base| base.budget()) as f64),
    ("share easy", Some(0.251), |task| share(task.difficulty() == Difficulty::Easy)),
    ("share medium", Some(0.502), |task| share(task.difficulty() == Difficulty::Medium)),
    ("share hard", Some(0.247), |task| share(task.difficulty() == Difficulty::Hard)),
];

/// Kinds of traps; the mean is the share of instances with one.
const TRAPS: [(&str, OfInstance); 7] = [
    ("share with a fact withheld", |_, _, behaviour| !behaviour.withheld.is_empty()),
    ("share with an option made up", |_, _, behaviour| !behaviour.planted.is_empty()),
    ("share with wishes that clash", |_, _, behaviour| !behaviour.contradicts.is_empty()),
    ("share with a read on top", |_, _, behaviour| !behaviour.extra_calls.is_empty()),
    ("share with a yes to wait for", |_, _, behaviour| behaviour.consents.iter().any(|(turn, _)| *turn > 1)),
    ("share that may end otherwise", |_, _, behaviour| behaviour.accept != [0]),
    ("share with something forbidden", |task, _, _| {
        task.outcomes().iter().any(|outcome| outcome.forbidden.len() > task.environment().file().forbidden.len())
    }),
];

const WORDS: [&str; Variant::ALL.len()] = [
    "words of a turn, ideal",
    "words of a turn, underspecification",
    "words of a turn, overload",
    "words of a turn, fabricated",
    "words of a turn, goal switching",
    "words of a turn, contradictory",
    "words of a turn, impatience",
];

pub fn figures(suite: &Suite) -> Vec<Figure> {
    let tasks: Vec<&Task> = suite.tasks.values().map(|loaded| loaded.task.as_ref()).collect();
    let environments = OF_ENVIRONMENTS.iter().map(|(name, of)| {
        Figure::new(name, suite.environments.values().map(|environment| of(environment) as f64).collect())
    });
    let of_tasks = OF_TASKS.iter().map(|(name, paper, of)| Figure {
        paper: *paper,
        ..Figure::new(name, tasks.iter().map(|task| of(task)).collect())
    });
    let traps = TRAPS.iter().map(|(name, is)| {
        let of = |task: &Task| -> Vec<f64> {
            task.variants().iter().map(|(variant, behaviour)| share(is(task, *variant, behaviour))).collect()
        };
        Figure::new(name, tasks.iter().flat_map(|task| of(task)).collect())
    });
    let spoken = WORDS.iter().zip(Variant::ALL).map(|(name, variant)| {
        let turns = tasks.iter().filter_map(|task| task.behaviour(variant)).flat_map(|behaviour| &behaviour.turns);
        Figure::new(name, turns.map(|turn| whole_words(turn).len() as f64).collect())
    });
    environments.chain(of_tasks).chain(traps).chain(spoken).chain(overlaps(&tasks)).collect()
}

/// How alike users are: of the words that two of them use, the share that both do (Jaccard).
fn overlaps(tasks: &[&Task]) -> [Figure; 2] {
    let spoken: Vec<Vec<BTreeSet<CompactString>>> = tasks.iter().map(|task| vocabularies(task)).collect();
    let within = spoken.iter().flat_map(|users| pairs(users).map(|(one, other)| shared(one, other)));
    let ideal: Vec<(&str, &BTreeSet<CompactString>)> =
        tasks.iter().zip(&spoken).filter_map(|(task, users)| Some((task.domain(), users.first()?))).collect();
    let of_domain = pairs(&ideal).filter(|(one, other)| one.0 == other.0);
    let between = of_domain.map(|(one, other)| shared(one.1, other.1));
    [
        Figure::new("words shared by users of a task", within.collect()),
        Figure::new("words shared by tasks of a domain", between.collect()),
    ]
}

/// The words of each user of a task, the ideal one first.
fn vocabularies(task: &Task) -> Vec<BTreeSet<CompactString>> {
    let said = |behaviour: &Behaviour| behaviour.turns.iter().flat_map(|turn| whole_words(turn)).collect();
    task.variants().values().map(said).collect()
}

fn shared(one: &BTreeSet<CompactString>, other: &BTreeSet<CompactString>) -> f64 {
    match one.union(other).count() {
        0 => 0.0,
        all => one.intersection(other).count() as f64 / all as f64,
    }
}

fn turns(task: &Task) -> usize {
    task.behaviour(Variant::Ideal).map_or(0, |behaviour| behaviour.turns.len())
}

fn share(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_among_words_of_either() {
        let set = |text: &str| whole_words(text).into_iter().collect::<BTreeSet<_>>();
        assert_eq!(shared(&set("A room, please."), &set("a room with a view")), 0.4);
    }
}
