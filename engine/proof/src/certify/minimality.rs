//! Minimality: no part of an oracle trace solves what the whole solves, and what the search for a shorter solution says
//! of an oracle, and of what lies beyond an episode.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::alphabet::{Alphabet, Within};
use super::goal::Goal;
use super::search::{Limits, SearchResult, SolutionSearch};
use probity_engine::{Stream, ToolCall};

pub const PROVED_BUDGET: usize = 6;
/// Beyond that budget, the search goes to this depth.
const DEPTH: usize = 5;
/// Beyond that budget, at most so many positions are looked at.
const MAX_NODES: usize = 2_000;
/// Beyond that budget, at most so many calls are made.
const MAX_CALLS: usize = 20_000;
/// At most so many positions are looked at beyond the calls of an episode.
const MAX_NODES_BEYOND: usize = 200;

const MAX_CALLS_BEYOND: usize = 100_000;

/// What a search for a shorter solution found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case", deny_unknown_fields)]
pub enum Minimality {
    /// There is none over the alphabet.
    Proved {
        nodes: usize,
        /// Of parameters that hold lists or objects, by tool, so many values were tried.
        #[serde(default, skip_serializing_if = "Within::is_empty")]
        within: Within,
    },
    Refuted {
        calls: Vec<ToolCall>,
    },
    /// None was found up to a depth below the budget, or with an alphabet that had to be cut.
    Undecided {
        /// All traces of at most so many calls were ruled out.
        depth: usize,
        nodes: usize,
        calls: usize,
        /// Tools of which not all calls were tried.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        cut: BTreeSet<String>,
    },
}

/// How much was searched, for progress and benchmarks; no part of a certificate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub nodes: usize,
    pub steps: usize,
}

/// Looks for a trace of fewer calls than `budget` that solves the goal; of lists and objects over as many values as the
/// limits allow.
pub fn minimality(goal: &Goal, alphabet: &mut Alphabet, budget: usize, effort: &mut Effort) -> Minimality {
    let Some(most) = budget.checked_sub(1) else { return Minimality::Proved { nodes: 0, within: Within::new() } };
    let (depth, limits) = match budget <= PROVED_BUDGET {
        true => (most, Limits::MOST),
        false => (most.min(DEPTH), Limits { nodes: MAX_NODES, calls: MAX_CALLS, ..Limits::MOST }),
    };
    let mut found = search_within(goal, alphabet, (most, depth), limits, effort);
    // What is proved within fewer values of lists is worth more than what is undecided within many.
    while budget <= PROVED_BUDGET
        && matches!(&found, Minimality::Undecided { cut, .. } if cut.is_empty())
        && alphabet.narrow().is_some()
    {
        found = search_within(goal, alphabet, (most, depth), limits, effort);
    }
    found
}

/// Looks for a trace of at most so many calls, to a depth, within limits.
pub(super) fn search_within(
    goal: &Goal,
    alphabet: &mut Alphabet,
    (most, depth): (usize, usize),
    limits: Limits,
    effort: &mut Effort,
) -> Minimality {
    let mut search = SolutionSearch::new(goal, alphabet, limits);
    let found = search.shorter(most, depth);
    effort.nodes += search.nodes;
    effort.steps += search.steps;
    let (nodes, calls) = (search.nodes, search.steps);
    let cut = search.alphabet.cut.clone();
    match found {
        SearchResult::Solution(calls) => Minimality::Refuted { calls },
        SearchResult::Nothing if cut.is_empty() => Minimality::Proved { nodes, within: search.alphabet.within.clone() },
        SearchResult::Nothing => Minimality::Undecided { depth: 0, nodes, calls, cut },
        SearchResult::Stopped(depth) => Minimality::Undecided { depth, nodes, calls, cut },
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Found,
    /// No way of at most so many calls.
    Nothing,
    /// The search had to stop before it knew.
    Unknown,
}

/// Whether at most `depth` calls lead to the goal after the calls made, for the point of no return.
pub fn rest_from(goal: &Goal, alphabet: &mut Alphabet, made: &[ToolCall], depth: usize) -> Rest {
    let mut search = SolutionSearch::new(
        goal,
        alphabet,
        Limits { nodes: MAX_NODES_BEYOND, calls: MAX_CALLS_BEYOND, ..Limits::MOST },
    );
    search.prefix = made.to_vec();
    match search.shorter(depth, depth) {
        SearchResult::Solution(_) => Rest::Found,
        SearchResult::Nothing if search.alphabet.cut.is_empty() => Rest::Nothing,
        SearchResult::Nothing | SearchResult::Stopped(_) => Rest::Unknown,
    }
}

/// Up to so many calls every subset is tried.
pub const MAX_EXHAUSTIVE: usize = 10;
/// Beyond that, so many larger omissions are drawn.
const SAMPLE: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Omissions {
    /// How many subsets were tried, the empty trace among them.
    pub tried: usize,
    /// Whether these were all; else all single and double omissions and a seeded sample.
    pub is_exhaustive: bool,
    /// The calls, by position, of each of the smallest parts that solve the outcome as well.
    pub solving: Vec<Vec<usize>>,
}

/// Tries the parts of an oracle trace.
pub fn omissions(goal: &Goal, calls: &[ToolCall]) -> Omissions {
    let is_exhaustive = calls.len() <= MAX_EXHAUSTIVE;
    let mut parts = if is_exhaustive { all(calls.len()) } else { some(goal, calls.len()) };
    parts.sort_by_key(|part| (part.len(), part.clone()));
    parts.dedup();
    let solves = |part: &&Vec<usize>| {
        let chosen = part.iter().filter_map(|at| calls.get(*at));
        goal.failing(&goal.start().after_all(goal, chosen).0).is_empty()
    };
    let smallest = parts.iter().find(solves).map(Vec::len);
    let solving = parts.iter().filter(|part| Some(part.len()) == smallest).filter(solves).cloned().collect();
    Omissions { tried: parts.len(), is_exhaustive, solving }
}

fn all(count: usize) -> Vec<Vec<usize>> {
    let whole = (1_u32 << count) - 1;
    (0..whole).map(|mask| (0..count).filter(|at| mask & (1 << at) != 0).collect()).collect()
}

/// Nothing, all but one or two, and a sample of the rest.
fn some(goal: &Goal, count: usize) -> Vec<Vec<usize>> {
    let without = |left_out: &[usize]| (0..count).filter(|at| !left_out.contains(at)).collect::<Vec<usize>>();
    let pairs = (0..count).flat_map(|a| (a..count).map(move |b| [a, b]));
    let mut parts: Vec<Vec<usize>> = pairs.map(|pair| without(&pair)).collect();
    parts.push(Vec::new());
    let mut stream = Stream::new(0, "omissions", goal.task.id());
    for _ in 0..SAMPLE {
        let part: Vec<usize> = (0..count).filter(|_| stream.below(2) == 0).collect();
        parts.extend(Some(part).filter(|part| part.len() < count));
    }
    parts
}
