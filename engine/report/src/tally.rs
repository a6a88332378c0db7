//! The report of a run while its episodes are being counted; none of them is kept.

use std::collections::BTreeMap;

use super::aggregate::{AgentReport, Digest, FORMAT, Report, Score, SuiteCounts, Summary};
use super::group::Group;
use super::spent::Spent;
use probity_bench::{Benchmark, Card, EpisodeRecord, Factor, Survey};

pub struct Tally<'b> {
    card: &'static Card,
    /// The benchmark, where it makes tables of its own.
    benchmark: Option<&'b dyn Benchmark>,
    agents: BTreeMap<String, AgentTally>,
    digest: Digest,
    episodes: usize,
}

impl<'b> Tally<'b> {
    pub fn new(benchmark: &'b dyn Benchmark) -> Tally<'b> {
        Tally { benchmark: Some(benchmark), ..Tally::of_card(benchmark.card()) }
    }

    /// None yet, of a benchmark without tables of its own.
    pub fn of_card(card: &'static Card) -> Tally<'b> {
        Tally { card, benchmark: None, agents: BTreeMap::new(), digest: Digest::default(), episodes: 0 }
    }

    /// Counts the next episode in unit order: sums of other orders differ in their last digits.
    pub fn add(&mut self, record: &EpisodeRecord) {
        let (card, benchmark) = (self.card, self.benchmark);
        let survey = || benchmark.and_then(Benchmark::survey);
        self.agents.entry(record.agent.clone()).or_insert_with(|| AgentTally::new(card, survey())).add(record);
        self.digest.add(record);
        self.episodes += 1;
    }

    pub fn report(self, counts: SuiteCounts) -> Report {
        let agents = self.agents.into_iter().map(|(name, tally)| (name, tally.report())).collect();
        let digest = self.digest.hash().to_string();
        let suite = self.card.name.to_owned();
        Report {
            format: FORMAT,
            suite,
            counts,
            digest,
            episodes: self.episodes,
            agents,
            judged: None,
            cheats: Vec::new(),
            isolation: None,
        }
    }
}

struct AgentTally {
    card: &'static Card,
    overall: Group,
    /// By factor, in the order of the card, and level.
    factors: Vec<BTreeMap<String, Group>>,
    tasks: BTreeMap<String, Group>,
    spent: Spent,
    /// Episodes in which it never said anything.
    unstarted: usize,
    survey: Option<Box<dyn Survey>>,
}

impl AgentTally {
    fn new(card: &'static Card, survey: Option<Box<dyn Survey>>) -> AgentTally {
        let factors = card.factors.iter().map(|_| BTreeMap::new()).collect();
        let (overall, spent) = (Group::new(card), Spent::default());
        AgentTally { card, overall, factors, tasks: BTreeMap::new(), spent, unstarted: 0, survey }
    }

    fn add(&mut self, record: &EpisodeRecord) {
        let card = self.card;
        self.overall.add(record);
        for (factor, groups) in card.factors.iter().zip(&mut self.factors) {
            if let Some(level) = record.factors.get(factor.name) {
                groups.entry(level.to_owned()).or_insert_with(|| Group::new(card)).add(record);
            }
        }
        self.tasks.entry(record.task().to_owned()).or_insert_with(|| Group::new(card)).add(record);
        self.spent.add(record);
        self.unstarted += usize::from(record.is_unstarted());
        self.survey.iter_mut().for_each(|survey| survey.add(record));
    }

    fn report(self) -> AgentReport {
        let unstarted = self.unstarted;
        let mut report = self.counted();
        // What never ran was not measured, however often it was asked to.
        if unstarted > 0 && unstarted == report.overall.episodes {
            let levels = report.factors.values_mut().flat_map(BTreeMap::values_mut);
            std::iter::once(&mut report.overall).chain(levels).for_each(Summary::withdraw);
            report.tasks.values_mut().flat_map(BTreeMap::values_mut).for_each(Score::withdraw);
            report.sheets.clear();
        }
        report
    }

    fn counted(self) -> AgentReport {
        let of_factor = |(factor, groups): (&Factor, BTreeMap<String, Group>)| {
            let mut levels = groups.into_iter().map(|(level, group)| (level, group.summary())).collect();
            add_changes(factor, &mut levels);
            (factor.name.to_owned(), levels)
        };
        AgentReport {
            overall: self.overall.summary(),
            factors: self.card.factors.iter().zip(self.factors).map(of_factor).collect(),
            tasks: self.tasks.into_iter().map(|(task, group)| (task, group.summary().metrics)).collect(),
            sheets: self.survey.map(Survey::sheets).unwrap_or_default(),
            spent: (self.spent != Spent::default()).then_some(self.spent),
        }
    }
}

/// Sets the relative changes against the factor's baseline, where there is one.
fn add_changes(factor: &Factor, levels: &mut BTreeMap<String, Summary>) {
    let Some(baseline) = factor.baseline else { return };
    let Some(base) = levels.get(baseline).map(|summary| summary.metrics.clone()) else { return };
    let of = |name: &String| base.get(name).and_then(|score| score.value).filter(|value| *value > 0.0);
    let others = levels.iter_mut().filter(|(level, _)| *level != baseline);
    for (name, score) in others.flat_map(|(_, summary)| &mut summary.metrics) {
        let Score { value, .. } = *score;
        score.change = of(name).zip(value).map(|(base, value)| (value - base) / base);
    }
}
