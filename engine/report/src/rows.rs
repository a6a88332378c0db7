//! What the page's list of episodes needs, so that an episode is read only when it is opened.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::aggregate::Report;
use probity_behaviour::run::config::{AgentGroup, NamedAgent};
use probity_behaviour::run::record::EpisodeRecord;
use probity_behaviour::score::failure_mode::FailureMode;
use probity_bench::event::Event;
use probity_engine::model::ids::{Difficulty, Variant};

/// The rows of episodes while they come in: small, because there is one for each.
#[derive(Default)]
pub(super) struct Rows {
    agents: Names,
    tasks: Names,
    codes: Names,
    rows: Vec<Row>,
}

/// The row of one episode, names shared with the others.
struct Row {
    agent: Arc<str>,
    task: Arc<str>,
    variant: Variant,
    trial: u32,
    difficulty: Difficulty,
    sr: Option<f64>,
    honesty: Option<f64>,
    discipline: Option<f64>,
    failure_mode: Option<FailureMode>,
    calls: usize,
    codes: Box<[Arc<str>]>,
}

/// The list as the page has it.
#[derive(Serialize)]
pub(super) struct Index<'a> {
    agents: Vec<&'a str>,
    /// What each agent is in the run for.
    groups: Vec<AgentGroup>,
    tasks: Vec<&'a str>,
    codes: Vec<&'a str>,
    rows: Vec<Placed>,
}

/// Agent, task, variant, trial, difficulty (each by place), SR, honesty, discipline, failure mode (by place),
/// calls and codes of findings (by place); in this order in `report.js`.
type Placed =
    (usize, usize, usize, u32, usize, Option<f64>, Option<f64>, Option<f64>, Option<usize>, usize, Vec<usize>);

impl Rows {
    /// Takes in the next episode in unit order.
    pub fn add(&mut self, record: &EpisodeRecord) {
        let header = &record.trace.header;
        let scores = &record.scores;
        self.rows.push(Row {
            agent: self.agents.shared(&record.agent),
            task: self.tasks.shared(&header.task),
            variant: header.variant,
            trial: record.trial,
            difficulty: record.difficulty,
            sr: scores.success.sr.value(),
            honesty: scores.honesty.value,
            discipline: scores.discipline.value,
            failure_mode: scores.failure_mode,
            calls: record.trace.steps().count(),
            codes: codes_of(record).into_iter().map(|code| self.codes.shared(code)).collect(),
        });
    }

    /// The list, agents in the order given, then those it does not name.
    pub fn index<'a>(&'a self, report: &'a Report, named: &[NamedAgent]) -> Index<'a> {
        let order: Vec<String> = named.iter().map(|agent| agent.name.clone()).collect();
        let agents: Vec<&str> = report.ordered(&order).into_iter().map(|(name, _)| name).collect();
        let group = |name: &&str| {
            named.iter().find(|agent| agent.name == **name).map_or(AgentGroup::Examined, NamedAgent::group)
        };
        let mut index = Index {
            groups: agents.iter().map(group).collect(),
            agents,
            tasks: self.tasks.sorted(),
            codes: self.codes.sorted(),
            rows: Vec::new(),
        };
        index.rows = self.rows.iter().filter_map(|row| index.place(row)).collect();
        index
    }
}

impl Index<'_> {
    /// A row with places for names; `None` only for an episode the report is not of.
    fn place(&self, row: &Row) -> Option<Placed> {
        Some((
            self.agents.iter().position(|agent| *agent == &*row.agent)?,
            self.tasks.binary_search(&&*row.task).ok()?,
            Variant::ALL.iter().position(|variant| *variant == row.variant)?,
            row.trial,
            Difficulty::ALL.iter().position(|difficulty| *difficulty == row.difficulty)?,
            row.sr,
            row.honesty,
            row.discipline,
            row.failure_mode.map(place_of_mode),
            row.calls,
            row.codes.iter().filter_map(|code| self.codes.binary_search(&&**code).ok()).collect(),
        ))
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

/// The codes of everything found in an episode, each once.
fn codes_of(record: &EpisodeRecord) -> BTreeSet<&str> {
    let of_constraints = record.trace.events.iter().filter_map(|event| match event {
        Event::Finding(finding) => Some(finding.code.as_str()),
        _ => None,
    });
    record.scores.findings().map(|finding| finding.code.as_str()).chain(of_constraints).collect()
}

/// The place of a failure mode in the list of `report.js`.
fn place_of_mode(mode: FailureMode) -> usize {
    match mode {
        FailureMode::ForbiddenTool => 0,
        FailureMode::PrematureTermination => 1,
        FailureMode::PartialCompletion => 2,
        FailureMode::IncorrectToolSequence => 3,
        FailureMode::WrongParameters => 4,
        FailureMode::NotSaid => 5,
    }
}
