//! What a suite holds, counted: its tasks and instances by the levels of the card's factors, and its own figures.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::benchmark::Benchmark;
use crate::instance::Instance;
use crate::stats::moments::mean;

/// A number that each task, or each part of one, has: how many turns, how many tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is counted: `checkpoints of a ticket`.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<f64>,
    /// The mean that the paper of the suite gives for its own.
    pub paper: Option<f64>,
}

impl Figure {
    /// A figure that no paper has.
    pub fn new(name: &'static str, values: Vec<f64>) -> Figure {
        Figure { name, values, paper: None }
    }
}

/// The census of a suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Census {
    /// How many tasks there are.
    pub tasks: usize,
    /// How many instances.
    pub instances: usize,
    /// The factors of the card that have a level here, in its order.
    pub factors: Vec<Counted>,
    /// The suite's own figures.
    pub figures: Vec<Summary>,
}

/// The levels of a factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted {
    /// Its name.
    pub factor: &'static str,
    /// Its title.
    #[serde(skip)]
    pub title: &'static str,
    /// The levels in the order of the card, then by name.
    pub levels: Vec<Count>,
}

/// How much there is of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The level.
    pub level: String,
    /// Tasks with an instance of it.
    pub tasks: usize,
    /// Instances.
    pub instances: usize,
}

/// A figure in few numbers; what has no value is not there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What is counted.
    pub name: &'static str,
    /// Over how many.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The mean in the suite's paper, of its own tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper: Option<f64>,
    /// The least.
    pub least: f64,
    /// The one in the middle; of an even number, the mean of the two there.
    pub median: f64,
    /// The greatest.
    pub most: f64,
}

impl Census {
    /// Counts a benchmark.
    pub fn of(benchmark: &dyn Benchmark) -> Census {
        let instances = benchmark.instances();
        let tasks: BTreeSet<&str> = instances.iter().map(|at| at.task.as_str()).collect();
        let factors = benchmark.card().factors.iter().filter_map(|factor| {
            let found = levels(factor.name, &instances);
            let count = |level: &str| {
                let (tasks, instances) = found.get(level)?;
                Some(Count { level: level.to_owned(), tasks: tasks.len(), instances: *instances })
            };
            let levels: Vec<Count> =
                factor.order(found.keys().map(String::as_str)).into_iter().filter_map(count).collect();
            (!levels.is_empty()).then_some(Counted { factor: factor.name, title: factor.title, levels })
        });
        Census {
            tasks: tasks.len(),
            instances: instances.len(),
            factors: factors.collect(),
            figures: benchmark.figures().into_iter().filter_map(Summary::of).collect(),
        }
    }
}

/// The tasks and the number of instances of each level.
fn levels<'a>(factor: &str, instances: &'a [Instance]) -> BTreeMap<String, (BTreeSet<&'a str>, usize)> {
    let mut found: BTreeMap<String, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for at in instances {
        let Some(level) = at.setting.get(factor).or_else(|| at.properties.get(factor)) else { continue };
        let (tasks, count) = found.entry(level.to_owned()).or_default();
        tasks.insert(&at.task);
        *count += 1;
    }
    found
}

impl Summary {
    fn of(Figure { name, mut values, paper }: Figure) -> Option<Summary> {
        values.sort_by(f64::total_cmp);
        let (least, most) = (*values.first()?, *values.last()?);
        let median = (values.get((values.len() - 1) / 2)? + values.get(values.len() / 2)?) / 2.0;
        Some(Summary { name, count: values.len(), mean: mean(&values)?, paper, least, median, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_in_few_numbers() {
        let of = |values: &[f64]| Summary::of(Figure::new("turns", values.to_vec()));
        let Some(Summary { count, mean, least, median, most, .. }) = of(&[4.0, 1.0, 2.0, 9.0]) else { panic!() };
        assert_eq!((count, mean, least, median, most), (4, 4.0, 1.0, 3.0, 9.0));
        assert_eq!(of(&[]), None);
    }
}
