//! Leaving calls out: no part of an oracle trace may solve what the whole solves.

use serde::{Deserialize, Serialize};

use super::goal::Goal;
use probity_engine::{Stream, ToolCall};

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
