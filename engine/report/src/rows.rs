//! What the page's list of episodes needs, so that an episode is read only when it is opened.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::aggregate::Report;
use probity_bench::{AgentGroup, Card, EpisodeOutcome, EpisodeRecord, Event, NamedAgent};

/// The rows of episodes while they come in: small, because there is one for each.
pub(super) struct Rows {
    card: &'static Card,
    agents: Names,
    tasks: Names,
    codes: Names,
    /// Levels of each factor of the card.
    levels: Vec<Names>,
    rows: Vec<Row>,
}

/// The row of one episode, names shared with the others.
struct Row {
    agent: Arc<str>,
    task: Arc<str>,
    trial: u32,
    levels: Box<[Option<Arc<str>>]>,
    outcome: EpisodeOutcome,
    metrics: Box<[Option<f64>]>,
    /// The word of each tag of the card, by its place in the tag's list.
    words: Box<[Option<usize>]>,
    calls: usize,
    codes: Box<[Arc<str>]>,
}

#[derive(Serialize)]
pub(super) struct Index<'a> {
    agents: Vec<&'a str>,
    groups: Vec<AgentGroup>,
    tasks: Vec<&'a str>,
    codes: Vec<&'a str>,
    /// The levels of each factor of the card, in its order.
    levels: Vec<Vec<&'a str>>,
    /// The metrics that rows have, in the order of the table.
    metrics: Vec<&'static str>,
    rows: Vec<Placed>,
}

/// A row with places for names.
#[derive(Serialize)]
struct Placed {
    #[serde(rename = "a")]
    agent: usize,
    #[serde(rename = "t")]
    task: usize,
    #[serde(rename = "n")]
    trial: u32,
    #[serde(rename = "l")]
    levels: Vec<Option<usize>>,
    #[serde(rename = "o")]
    outcome: EpisodeOutcome,
    #[serde(rename = "m")]
    metrics: Box<[Option<f64>]>,
    #[serde(rename = "w")]
    words: Box<[Option<usize>]>,
    #[serde(rename = "c")]
    calls: usize,
    #[serde(rename = "f")]
    codes: Vec<usize>,
}

impl Rows {
    pub fn new(card: &'static Card) -> Rows {
        let levels = card.factors.iter().map(|_| Names::default()).collect();
        Rows {
            card,
            agents: Names::default(),
            tasks: Names::default(),
            codes: Names::default(),
            levels,
            rows: Vec::new(),
        }
    }

    /// Takes in the next episode in unit order.
    pub fn add(&mut self, record: &EpisodeRecord) {
        let (card, scores) = (self.card, &record.scores);
        let levels = card.factors.iter().zip(&mut self.levels);
        let levels = levels.map(|(factor, names)| record.factors.get(factor.name).map(|level| names.shared(level)));
        let word = |tag: &probity_bench::Tag| {
            let word = scores.tag(tag.name)?;
            tag.words.iter().position(|known| *known == word)
        };
        let row = Row {
            agent: self.agents.shared(&record.agent),
            task: self.tasks.shared(record.task()),
            trial: record.trial,
            levels: levels.collect(),
            outcome: card.outcome(scores),
            metrics: card.in_table().map(|metric| scores.value(metric.name)).collect(),
            words: card.tags.iter().map(word).collect(),
            calls: record.trace.steps().count(),
            codes: codes_of(card, record).into_iter().map(|code| self.codes.shared(code)).collect(),
        };
        self.rows.push(row);
    }

    /// The list, agents in the order given, then those it does not name.
    pub fn index<'a>(&'a self, report: &'a Report, named: &[NamedAgent]) -> Index<'a> {
        let order: Vec<String> = named.iter().map(|agent| agent.name.clone()).collect();
        let agents: Vec<&str> = report.ordered(&order).into_iter().map(|(name, _)| name).collect();
        let group = |name: &&str| {
            let agent = named.iter().find(|agent| agent.name == **name);
            agent.map_or(AgentGroup::Examined, |agent| agent.agent.group())
        };
        let levels = self.card.factors.iter().zip(&self.levels);
        let mut index = Index {
            groups: agents.iter().map(group).collect(),
            agents,
            tasks: self.tasks.sorted(),
            codes: self.codes.sorted(),
            levels: levels.map(|(factor, names)| factor.order(names.sorted())).collect(),
            metrics: self.card.in_table().map(|metric| metric.name).collect(),
            rows: Vec::new(),
        };
        index.rows = self.rows.iter().filter_map(|row| index.place(row)).collect();
        index
    }
}

impl Index<'_> {
    /// A row with places for names; `None` only for an episode the report is not of.
    fn place(&self, row: &Row) -> Option<Placed> {
        let level = |(level, names): (&Option<Arc<str>>, &Vec<&str>)| {
            level.as_ref().and_then(|level| names.iter().position(|name| **name == **level))
        };
        Some(Placed {
            agent: self.agents.iter().position(|agent| *agent == &*row.agent)?,
            task: self.tasks.binary_search(&&*row.task).ok()?,
            trial: row.trial,
            levels: row.levels.iter().zip(&self.levels).map(level).collect(),
            outcome: row.outcome,
            metrics: row.metrics.clone(),
            words: row.words.clone(),
            calls: row.calls,
            codes: row.codes.iter().filter_map(|code| self.codes.binary_search(&&**code).ok()).collect(),
        })
    }
}

/// Names of which each is kept once.
#[derive(Default)]
struct Names(BTreeSet<Arc<str>>);

impl Names {
    fn shared(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = name.into();
        self.0.insert(Arc::clone(&new));
        new
    }

    fn sorted(&self) -> Vec<&str> {
        self.0.iter().map(|name| &**name).collect()
    }
}

/// The codes of everything found in an episode that counts, each once.
fn codes_of<'a>(card: &'a Card, record: &'a EpisodeRecord) -> BTreeSet<&'a str> {
    let of_constraints = record.trace.events.iter().filter_map(Event::finding).map(|finding| finding.code.as_str());
    card.findings(&record.scores).map(|finding| finding.code.as_str()).chain(of_constraints).collect()
}
