//! States to explore from, each with the way that leads there.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::vocabulary::Vocabulary;
use probity_behaviour::task::Task;
use probity_engine::{Difficulty, Environment, Problem, State, Stream, Sum, ToolCall};

/// Seeds of `populate` whose states are starts, for each size, beside the initial states of the tasks.
pub(super) const POPULATE_SEEDS: u64 = 2;
/// States kept for the next round for each tool, beside those that show something new.
const KEPT_STATES: usize = 2;
/// States explored in one round at most, after the first.
const ROUND_STATES: usize = 32;

#[derive(Clone)]
pub struct ReachableState {
    pub state: State,
    /// Where it starts: a populated state or a task.
    pub origin: String,
    /// The position of the origin among all, for a choice that does not depend on names.
    pub rank: usize,
    /// The calls that lead here from there.
    pub path: Vec<ToolCall>,
    vocabulary: OnceCell<Vocabulary>,
}

impl ReachableState {
    pub fn start(state: State, origin: String, rank: usize) -> Self {
        ReachableState { state, origin, rank, path: Vec::new(), vocabulary: OnceCell::new() }
    }

    /// What its state offers as arguments: read when it is first asked for, since most states are only passed through.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::of_state(&self.state))
    }

    pub fn after(&self, call: &ToolCall, state: State) -> Self {
        let mut path = self.path.clone();
        path.push(call.clone());
        ReachableState { path, ..ReachableState::start(state, self.origin.clone(), self.rank) }
    }
}

/// The populated states and the initial states of tasks. A seed with which `populate` fails is a problem.
pub fn starts(environment: &Environment, tasks: &[&Task], problems: &mut Vec<Problem>) -> Vec<ReachableState> {
    let mut places: Vec<ReachableState> = Vec::new();
    for size in [Difficulty::Easy, Difficulty::Medium] {
        places.extend(populated(environment, size, 1, problems));
    }
    for task in tasks {
        let origin = format!("the task {}", task.id());
        places.push(ReachableState::start(task.initial().clone(), origin, 0));
    }
    let mut known = BTreeSet::new();
    places.retain(|place| known.insert(place.state.sum()));
    places.iter_mut().enumerate().for_each(|(rank, place)| place.rank = rank);
    places
}

pub fn populated(
    environment: &Environment,
    size: Difficulty,
    first: u64,
    problems: &mut Vec<Problem>,
) -> Vec<ReachableState> {
    let mut places = Vec::new();
    for seed in first..first + POPULATE_SEEDS {
        let origin = format!("populate ({}, seed {seed})", size.name());
        match environment.populate(size, seed) {
            Ok(state) => places.push(ReachableState::start(state, origin, usize::MAX)),
            Err(what) => {
                let message = format!("with size `{}` and seed {seed} the state cannot be made: {what}", size.name());
                let help = "a task may pin any seed; mend the function";
                let is_told = problems.iter().any(|problem: &Problem| problem.code == "populate_failed");
                if !is_told {
                    problems.push(Problem::error("/populate/function", "populate_failed", message).help(help));
                }
                break;
            }
        }
    }
    places
}

/// Chooses the states of the next round: those that show something new, and a few for each tool.
#[derive(Default)]
pub struct Next {
    seen: BTreeSet<Sum>,
    shown: BTreeSet<String>,
    new: Vec<ReachableState>,
    others: BTreeMap<usize, (u64, Vec<ReachableState>)>,
    /// For each tool the state after its longest arguments: what is large breaks what adds it up.
    longest: BTreeMap<usize, (usize, ReachableState)>,
}

impl Next {
    pub fn note(&mut self, places: &[ReachableState]) {
        self.seen.extend(places.iter().map(|place| place.state.sum()));
    }

    /// Offers the state that a successful call of a tool led to; `shape` is what the call did, without keys.
    pub fn offer(
        &mut self,
        tool: usize,
        shape: &str,
        (from, call, after): (&ReachableState, &ToolCall, &State),
        stream: &mut Stream,
    ) {
        if self.seen.contains(&after.sum()) {
            return;
        }
        if self.shown.insert(format!("{tool} {shape}")) {
            self.seen.insert(after.sum());
            return self.new.push(from.after(call, after.clone()));
        }
        let length = call.arguments.to_string().len();
        if self.longest.get(&tool).is_none_or(|(longest, _)| *longest < length) {
            self.longest.insert(tool, (length, from.after(call, after.clone())));
        }
        let (offered, kept) = self.others.entry(tool).or_default();
        *offered += 1;
        if kept.len() < KEPT_STATES {
            self.seen.insert(after.sum());
            return kept.push(from.after(call, after.clone()));
        }
        // Each of those offered is kept with the same chance.
        let place = usize::try_from(stream.below(*offered)).ok();
        if let Some(kept) = place.and_then(|place| kept.get_mut(place)) {
            self.seen.insert(after.sum());
            *kept = from.after(call, after.clone());
        }
    }

    /// The states of the next round, the new ones first.
    pub fn take(&mut self) -> Vec<ReachableState> {
        let mut places = std::mem::take(&mut self.new);
        places.extend(std::mem::take(&mut self.longest).into_values().map(|(_, place)| place));
        places.extend(std::mem::take(&mut self.others).into_values().flat_map(|(_, kept)| kept));
        places.truncate(ROUND_STATES);
        places
    }
}
