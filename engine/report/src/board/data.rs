//! The board: runs by suite, and who is ranked; as one page.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{Result, Write};

use serde::Serialize;

use super::entry::{BoardRun, ReadRun, RunName, rank};
use crate::document::{embedded, unfilled, write_page};
use crate::table::count;
use probity_bench::{Card, Header, RunConfig, RunSpeech, Unit, Units};
use probity_engine::Hash;

/// The version of the board format this build writes.
const FORMAT: u32 = 1;

/// A directory that a board was asked for and cannot show.
#[derive(Clone, Debug, Serialize)]
pub struct UnreadRun {
    pub run: RunName,
    /// Why, with the place.
    pub why: String,
}

/// Runs while they come in.
#[derive(Default)]
pub struct BoardDraft {
    suites: Vec<Gathered>,
    unread: Vec<UnreadRun>,
    /// By the hash of what a run is the number of the first that is it.
    known: BTreeMap<Hash, usize>,
}

struct Gathered {
    card: &'static Card,
    /// Different ones, in the order in which they were met.
    conditions: Vec<Conditions>,
    /// Each with the place of its conditions.
    runs: Vec<(usize, BoardRun)>,
}

/// Many runs beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    format: u32,
    /// In the order in which their first runs were given.
    pub suites: Vec<SuiteBoard>,
    /// What is no run, or cannot be counted.
    pub unread: Vec<UnreadRun>,
}

/// The runs of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteBoard {
    #[serde(skip)]
    pub(super) card: &'static Card,
    suite: &'static str,
    /// The metrics that agents have scores and ranks by.
    metrics: Vec<&'static str>,
    /// The conditions of ranked runs; nothing where no run is ranked.
    pub(super) usual: Option<Usual>,
    /// In the order given.
    pub runs: Vec<BoardRun>,
}

/// The conditions that most runs have which have an agent to rank.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Usual {
    pub engine: String,
    pub user: String,
    pub task_instances: usize,
    /// Seconds that an agent in a process had for a message; nothing where none is ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_timeout: Option<u64>,
    /// How many runs have them that have an agent to rank.
    pub runs: usize,
    /// The number of the first of those.
    pub first: usize,
}

impl BoardDraft {
    /// Adds the next run of those given; a copy of one that was added is not counted again.
    pub fn add(&mut self, card: &'static Card, conditions: Conditions, read: ReadRun) {
        let first = read.identity().map(|hash| *self.known.entry(hash).or_insert(read.run.number));
        if let Some(first) = first.filter(|first| *first != read.run.number) {
            return self.add_unread(read.run, format!("a copy of run {first}, counted once"));
        }
        let run = BoardRun::of(card, read);
        let at = self.suites.iter().position(|suite| suite.card.name == card.name).unwrap_or_else(|| {
            self.suites.push(Gathered { card, conditions: Vec::new(), runs: Vec::new() });
            self.suites.len() - 1
        });
        let Some(suite) = self.suites.get_mut(at) else { return };
        let known = suite.conditions.iter().position(|known| *known == conditions);
        let place = known.unwrap_or(suite.conditions.len());
        if known.is_none() {
            suite.conditions.push(conditions);
        }
        suite.runs.push((place, run));
    }

    /// Adds what cannot be read.
    pub fn add_unread(&mut self, run: RunName, why: String) {
        self.unread.push(UnreadRun { run, why });
    }

    /// The board of all that was added.
    pub fn board(self) -> Board {
        Board { format: FORMAT, suites: self.suites.into_iter().map(Gathered::board).collect(), unread: self.unread }
    }
}

impl Gathered {
    /// The conditions that most runs have which have an agent to rank; of as many the first.
    fn usual(&self) -> Option<(usize, usize)> {
        most(self.voters().map(|(place, _)| *place))
    }

    fn voters(&self) -> impl Iterator<Item = &(usize, BoardRun)> {
        self.runs.iter().filter(|(_, run)| run.ranked().next().is_some())
    }

    fn board(self) -> SuiteBoard {
        let chosen = self.usual().and_then(|(place, count)| Some((place, count, self.conditions.get(place)?)));
        let first = |at: usize| self.voters().find(|(place, _)| *place == at).map_or(0, |(_, run)| run.run.number);
        let told = chosen.map(|(place, runs, usual)| Usual {
            engine: usual.engine.clone(),
            user: usual.user.clone(),
            task_instances: usual.instances(),
            agent_timeout: None,
            runs,
            first: first(place),
        });
        let unlike: Vec<Vec<String>> = (self.conditions.iter())
            .map(|other| chosen.map(|(_, _, usual)| other.unlike(usual)).unwrap_or_default())
            .collect();
        let Gathered { card, runs, .. } = self;
        let held = |(place, mut run): (usize, BoardRun)| {
            run.not_ranked.extend(unlike.get(place).into_iter().flatten().cloned());
            run
        };
        let mut runs: Vec<BoardRun> = runs.into_iter().map(held).collect();
        let agent_timeout = most(runs.iter().filter_map(BoardRun::timeout)).map(|(usual, _)| usual);
        runs.iter_mut().for_each(|run| run.hold_to(agent_timeout));
        card.in_table().enumerate().for_each(|(at, metric)| rank(&mut runs, at, metric));
        let metrics = card.in_table().map(|metric| metric.name).collect();
        let usual = told.map(|usual| Usual { agent_timeout, ..usual });
        SuiteBoard { card, suite: card.name, metrics, usual, runs }
    }
}

/// What comes most often, and how often; of as many the first.
fn most<T: Ord + Copy>(all: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: BTreeMap<T, (usize, Reverse<usize>)> = BTreeMap::new();
    all.enumerate().for_each(|(at, one)| counts.entry(one).or_insert((0, Reverse(at))).0 += 1);
    counts.into_iter().max_by_key(|(_, often)| *often).map(|(one, (often, _))| (one, often))
}

/// What decides the episodes of a run beside its agents, its seed and its trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The version of the engine that played it.
    pub(super) engine: String,
    pub(super) user: String,
    speech: Option<RunSpeech>,
    /// By the name of each task instance the marks of the header that its traces have.
    marks: BTreeMap<String, [Hash; Header::PARTS.len()]>,
}

impl Conditions {
    /// Those of a run with these units.
    pub fn of(config: &RunConfig, units: &Units) -> Conditions {
        let headers = units.instances().filter_map(|unit: Unit| unit.header());
        Conditions::with(config, headers)
    }

    pub(super) fn with(config: &RunConfig, headers: impl Iterator<Item = Header>) -> Conditions {
        let named = |header: Header| (format!("{} {}", header.task, header.levels), header.marks());
        Conditions {
            engine: config.engine.clone(),
            user: config.user_name(),
            speech: config.speech.clone(),
            marks: headers.map(named).collect(),
        }
    }

    /// How many task instances there are.
    pub(super) fn instances(&self) -> usize {
        self.marks.len()
    }

    /// In words, what is other than in the usual ones; nothing where runs of both can be ranked together.
    pub(super) fn unlike(&self, usual: &Conditions) -> Vec<String> {
        let mut words = Vec::new();
        if self.engine != usual.engine {
            words.push(format!("played by probity {}, not {}", self.engine, usual.engine));
        }
        if self.speech != usual.speech {
            words.push("what the user said went through other programs".to_owned());
        }
        let lacking = |of: &Conditions, other: &Conditions| -> Vec<String> {
            of.marks.keys().filter(|name| !other.marks.contains_key(*name)).cloned().collect()
        };
        for (names, what) in [(lacking(usual, self), "fewer"), (lacking(self, usual), "more")] {
            let instances = count(names.len(), "task instance");
            words.extend(names.first().map(|first| format!("{instances} {what} than usual, first: {first}")));
        }
        let mut parts: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for (name, marks) in &self.marks {
            let other = usual.marks.get(name).unwrap_or(marks);
            let unlike =
                Header::PARTS.into_iter().zip(marks.iter().zip(other)).filter(|(_, (own, other))| own != other);
            unlike.for_each(|(what, _)| parts.entry(what).or_default().push(name));
        }
        words.extend(parts.into_iter().filter_map(|(what, names)| {
            let instances = count(names.len(), "task instance");
            Some(format!("{what} in {instances}, first: {}", names.first()?))
        }));
        words
    }
}

const TITLE: &str = "probity board";
const BODY: &str = include_str!("../page/board.html");
const SCRIPTS: [&str; 4] = [
    include_str!("../page/sort.js"),
    include_str!("../page/board.js"),
    include_str!("../page/trend.js"),
    include_str!("../page/ranking.js"),
];

/// How far into a file [`is_board`] looks, in bytes.
pub const HEAD_BYTES: u64 = 2048;

/// Whether a file that begins so is a board that was written before.
pub fn is_board(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains(&format!("<title>{TITLE}</title>"))
}

impl Board {
    /// Writes the page.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let cards: BTreeMap<&str, &Card> = self.suites.iter().map(|suite| (suite.card.name, suite.card)).collect();
        write_page(out, TITLE, BODY, &SCRIPTS, |name, out| match name {
            "card" => out.write_all(embedded(&cards)?.as_bytes()),
            "runs" => out.write_all(embedded(self)?.as_bytes()),
            unknown => Err(unfilled(unknown)),
        })
    }
}
