//! What a benchmark says of itself: by what its episodes are grouped, and which numbers they have. Reports,
//! comparisons, gates and pages loop over it and know nothing else of a benchmark.

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::levels::Levels;
use crate::options::RunOption;
use crate::scores::{Reading, Scores};

/// The card of a benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Card {
    /// The name that `--suite` takes.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// By what its episodes are grouped, the columns of its table first.
    pub factors: &'static [Factor],
    /// Its numbers, in the order of tables; the first is what pass@k goes by.
    pub metrics: &'static [Metric],
    /// The metrics that a gate without a file asks about, in this order: few, and none that follows from another.
    pub gate: &'static [&'static str],
    /// The words that its scorers have for an episode, such as why it failed.
    pub tags: &'static [Tag],
    /// The codes that its findings have, list by list.
    #[serde(skip)]
    pub codes: &'static [&'static [Code]],
    /// In which other ways it can be played; a run is played in one.
    pub options: &'static [RunOption],
    /// The level of a factor at which an oracle reaches the best there is; nothing where it does at all levels.
    #[serde(skip)]
    pub sure: Option<(&'static str, &'static str)>,
    /// The option and its value with which what the user says goes through programs, if it can.
    #[serde(skip)]
    pub spoken: Option<(&'static str, &'static str)>,
    /// What stands below its table, and what its numbers must not be taken for.
    pub legend: &'static str,
}

/// One way to group episodes.
#[derive(Clone, Debug, Serialize)]
pub struct Factor {
    /// Its name in JSON, flags and gates: `variant`.
    pub name: &'static str,
    /// Its title on a page: `Behaviour`.
    pub title: &'static str,
    /// Its levels in the order of columns; empty where they come from the tasks.
    pub levels: &'static [Level],
    /// The level that the others are held against, if there is one.
    pub baseline: Option<&'static str>,
    /// What it is for.
    pub role: Role,
}

/// What a factor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A task is played once at each of its levels: it is a part of an instance's name.
    Setting,
    /// The task brings it.
    Property,
}

/// A level that is known beforehand.
#[derive(Clone, Debug, Serialize)]
pub struct Level {
    /// Its name in JSON and flags: `goal_switching`.
    pub name: &'static str,
    /// Its title, in lines.
    pub title: &'static [&'static str],
    /// The same for narrow tables.
    pub short: &'static [&'static str],
}

/// One number of an episode.
#[derive(Clone, Debug, Serialize)]
pub struct Metric {
    /// Its name in JSON, reports and gates: `sr`.
    pub name: &'static str,
    /// Its title: `SR`.
    pub title: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// How it is made.
    pub formula: &'static str,
    /// The section of docs/SCORING.md, or of the benchmark's own page, that has all of it.
    pub section: &'static str,
    /// Its least and its greatest value.
    pub range: (f64, f64),
    /// How the episodes of a group become one number.
    pub aggregation: Aggregation,
    /// Whether more of it is better.
    pub direction: Direction,
    /// Where it is shown.
    pub place: Visibility,
    /// The factor and its level at which alone it is measured; nothing where it is everywhere.
    pub only: Option<(&'static str, &'static str)>,
}

/// How the episodes of a group become one number. What was not scored is in neither part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// The mean over scored episodes.
    Mean,
    /// All numerators over all denominators: an episode with more weighs more.
    Pooled,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// More is better.
    Up,
    /// Less is better.
    Down,
}

/// Where a metric is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// In every table, list and comparison, with an interval.
    Table,
    /// On the page with an interval, in comparisons and gates.
    Page,
    /// The same, without an interval.
    Beside,
}

/// A kind of words that scorers have for an episode.
#[derive(Clone, Debug, Serialize)]
pub struct Tag {
    /// Its name in JSON: `failure_mode`.
    pub name: &'static str,
    /// The title of its counts: `failure modes`.
    pub title: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// The section that has all of it.
    pub section: &'static str,
    /// Its words, in order.
    pub words: &'static [&'static str],
    /// The word that needs no mention where there is no other.
    pub usual: Option<&'static str>,
}

impl Card {
    /// The metric of this name.
    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The factor of this name.
    pub fn factor(&self, name: &str) -> Option<&'static Factor> {
        self.factors.iter().find(|factor| factor.name == name)
    }

    /// The codes of its findings, each with whether it is severe.
    pub fn codes(&self) -> impl Iterator<Item = &'static Code> {
        self.codes.iter().copied().flatten()
    }

    /// Whether a finding of this code is one too many; one that is not known here is not.
    pub fn is_severe(&self, code: &str) -> bool {
        self.codes().any(|known| known.name == code && known.is_severe)
    }

    /// What a gate, pass@k and the first column go by.
    pub fn headline(&self) -> &'static str {
        self.metrics.first().map_or("", |metric| metric.name)
    }

    /// The factors that are a part of an instance's name.
    pub fn settings(&self) -> impl Iterator<Item = &'static Factor> {
        self.factors.iter().filter(|factor| factor.role == Role::Setting)
    }

    /// The factor whose levels are the columns of the table: the first setting with levels known beforehand.
    pub fn columns(&self) -> Option<&'static Factor> {
        self.settings().find(|factor| !factor.levels.is_empty())
    }

    /// The metrics of every table.
    pub fn in_table(&self) -> impl Iterator<Item = &'static Metric> {
        self.metrics.iter().filter(|metric| metric.place == Visibility::Table)
    }
}

/// Words that pages use in addresses beside the names of a card.
const TAKEN: [&str; 13] = [
    "agent", "calls", "change", "episode", "finding", "metric", "outcome", "page", "pair", "sort", "task", "text",
    "trial",
];

impl Card {
    /// What keeps it from being drawn or asked for, if anything: the first metric stands in every table, no name is used
    /// twice, and a level is known by its name alone.
    pub fn problem(&self) -> Option<String> {
        let Some(first) = self.metrics.first() else { return Some("it has no metric".to_owned()) };
        if first.place != Visibility::Table {
            return Some(format!("its first metric, `{}`, does not stand in the table", first.name));
        }
        if let Some(name) = self.gate.iter().find(|name| self.metric(name).is_none()) {
            return Some(format!("its gate asks about `{name}`, which is no metric of it"));
        }
        if self.gate.is_empty() {
            return Some("its gate asks about nothing".to_owned());
        }
        let factors = self.factors.iter().map(|factor| factor.name);
        let names =
            factors.chain(self.metrics.iter().map(|metric| metric.name)).chain(self.tags.iter().map(|t| t.name));
        let mut seen: std::collections::BTreeSet<&str> = TAKEN.into_iter().collect();
        let taken = names.into_iter().find(|name| !seen.insert(name)).map(|name| format!("the name `{name}` is taken"));
        taken.or_else(|| self.level_problem())
    }

    /// Episodes and gates name levels without their factors, `all` means every episode, and tasks have `/` in their ids.
    fn level_problem(&self) -> Option<String> {
        let mut seen = std::collections::BTreeSet::from(["all"]);
        let levels = self.factors.iter().flat_map(|factor| factor.levels).map(|level| level.name);
        levels.into_iter().find_map(|name| {
            let is_plain = !name.is_empty() && !name.contains([' ', '/']);
            let is_new = seen.insert(name);
            (!is_plain || !is_new).then(|| match is_plain {
                true => format!("the level `{name}` is taken"),
                false => format!("the level `{name}` is no single word"),
            })
        })
    }

    /// What keeps scores from being those of an episode of this card: each metric has a reading within its range,
    /// and nothing else is named.
    ///
    /// # Errors
    /// The first that is wrong, in a line.
    pub fn check(&self, scores: &Scores) -> Result<(), String> {
        for metric in self.metrics {
            match scores.metrics.get(metric.name) {
                Some(reading) => metric.check(reading).map_err(|what| format!("`{}` {what}", metric.name))?,
                None => return Err(format!("`{}` has no reading", metric.name)),
            }
        }
        if let Some(unknown) = scores.metrics.keys().find(|name| self.metric(name).is_none()) {
            return Err(format!("`{unknown}` is no metric of the suite"));
        }
        let is_known = |(name, word): &(&String, &String)| {
            self.tags.iter().any(|tag| tag.name == *name && tag.words.contains(&word.as_str()))
        };
        match scores.tags.iter().find(|tag| !is_known(tag)) {
            Some((name, word)) => Err(format!("`{name}: {word}` is no tag of the suite")),
            None => Ok(()),
        }
    }

    /// The scores that a scorer gave, if they are such, else why there are none: what cannot be scored says so.
    pub fn checked(&self, scores: Option<Scores>) -> Scores {
        let checked = scores.ok_or_else(|| "the trace is not one of its task".to_owned());
        checked
            .and_then(|scores| self.check(&scores).map(|()| scores))
            .unwrap_or_else(|why| Scores::unscorable(self, why))
    }
}

impl Metric {
    /// Whether it is measured in an episode with these factors.
    pub fn applies(&self, factors: &Levels) -> bool {
        self.only.is_none_or(|(factor, level)| factors.get(factor) == Some(level))
    }

    fn check(&self, reading: &Reading) -> Result<(), String> {
        let Reading::Scored { value, of } = reading else { return Ok(()) };
        let (least, most) = self.range;
        if !(least..=most).contains(value) {
            return Err(format!("is {value}, not from {least} to {most}"));
        }
        match of.iter().flat_map(|of| [of.numerator, of.denominator]).find(|part| !part.is_finite()) {
            Some(part) => Err(format!("is made of {part}")),
            None => Ok(()),
        }
    }
}

impl Level {
    /// A level with its titles, in lines.
    pub const fn new(name: &'static str, title: &'static [&'static str], short: &'static [&'static str]) -> Level {
        Level { name, title, short }
    }
}

impl Factor {
    /// Levels in the order of the card, then those it does not know by name.
    pub fn order<'a>(&self, levels: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut levels: Vec<&str> = levels.into_iter().collect();
        let place = |level: &str| self.levels.iter().position(|known| known.name == level).unwrap_or(usize::MAX);
        levels.sort_by_key(|level| (place(level), *level));
        levels
    }
}

impl Direction {
    /// 1 where more is better, -1 where less is.
    pub fn sign(self) -> f64 {
        match self {
            Direction::Up => 1.0,
            Direction::Down => -1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn factor(name: &'static str, levels: &'static [Level]) -> Factor {
        Factor { name, title: name, levels, baseline: None, role: Role::Setting }
    }

    const fn level(name: &'static str) -> Level {
        Level::new(name, &[], &[])
    }

    static METRICS: [Metric; 1] = [Metric {
        name: "hit",
        title: "Hit",
        meaning: "",
        formula: "",
        section: "",
        range: (0.0, 1.0),
        aggregation: Aggregation::Mean,
        direction: Direction::Up,
        place: Visibility::Table,
        only: None,
    }];
    static PLAIN: [Factor; 2] = [factor("pace", &[level("slow")]), factor("make", &[level("steel")])];
    static TWICE: [Factor; 2] = [factor("pace", &[level("plain")]), factor("make", &[level("plain")])];
    static ALL: [Factor; 1] = [factor("pace", &[level("all")])];
    static TWO_WORDS: [Factor; 1] = [factor("pace", &[level("very slow")])];
    static PATH: [Factor; 1] = [factor("pace", &[level("slow/fast")])];

    #[test]
    fn a_level_is_known_by_its_name_alone() {
        let problem = |factors: &'static [Factor]| {
            Card {
                name: "x",
                title: "",
                factors,
                metrics: &METRICS,
                gate: &["hit"],
                tags: &[],
                codes: &[],
                options: &[],
                sure: None,
                spoken: None,
                legend: "",
            }
            .problem()
        };
        assert_eq!(problem(&PLAIN), None);
        for factors in [&TWICE[..], &ALL, &TWO_WORDS, &PATH] {
            assert!(problem(factors).is_some(), "{factors:?}");
        }
    }
}
