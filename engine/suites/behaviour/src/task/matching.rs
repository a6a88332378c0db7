//! Which of an agent's calls are which of the oracle's: a maximum assignment, never a greedy one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::likeness::difference;
use super::reference::{Observations, calls_referred_to};
use super::{OracleCall, Outcome};
use probity_engine::{Environment, Tool, constraint::contains};
use probity_prose::token::words;

/// A successful call of an agent, arguments complete.
#[derive(Clone, Copy, Debug)]
pub struct MadeCall<'a> {
    pub step: u32,
    pub tool: &'a str,
    /// The arguments, defaults filled in.
    pub arguments: &'a Map<String, Value>,
    pub observation: &'a Value,
}

impl MadeCall<'_> {
    fn is_like(&self, other: &MadeCall) -> bool {
        self.tool == other.tool && self.arguments == other.arguments && self.observation == other.observation
    }
}

/// For each oracle call the position of the made call that stands for it.
pub type Assignment = Vec<Option<usize>>;

/// Most pairs of calls that are compared while combinations of calls are tried; beyond it the best assignment
/// so far is taken. Only an agent that makes the same write dozens of times with other prose gets there.
const MAX_COMPARED: usize = 200_000;

/// Whether the arguments of a call are those the oracle gives.
///
/// Both sides have defaults filled in; extra arguments fail, numbers compare by value, prose matches
/// any text that is not empty.
pub fn arguments_match(tool: &Tool, expected: &Map<String, Value>, actual: &Map<String, Value>) -> bool {
    expected.len() == actual.len()
        && expected
            .iter()
            .all(|(name, wanted)| actual.get(name).is_some_and(|given| argument_matches(tool, name, wanted, given)))
}

/// The same of a single argument.
pub fn argument_matches(tool: &Tool, name: &str, wanted: &Value, given: &Value) -> bool {
    difference(tool, name, wanted, given).is_none()
}

/// Whether a look names what the oracle names by fewer words or more, and found what the fuller name says: *Sommerfeld*,
/// where *Ottilie Sommerfeld* came back. All else that it gives is as the oracle gives it.
fn finds_what_is_named(tool: &Tool, expected: &Map<String, Value>, made: &MadeCall) -> bool {
    let finds = |name: &str, wanted: &Value| {
        made.arguments.get(name).is_some_and(|given| {
            argument_matches(tool, name, wanted, given)
                || is_part_of(given, wanted) && contains(made.observation, wanted)
                || is_part_of(wanted, given) && contains(made.observation, given)
        })
    };
    expected.len() == made.arguments.len() && expected.iter().all(|(name, wanted)| finds(name, wanted))
}

/// Whether a text consists of whole words of another.
fn is_part_of(part: &Value, whole: &Value) -> bool {
    let (Some(part), Some(whole)) = (part.as_str(), whole.as_str()) else { return false };
    let (part, whole) = (words(part), words(whole));
    !part.is_empty() && part.iter().all(|word| whole.contains(word))
}

/// Whether a made call is an oracle call or one of its equivalents, references filled in.
fn stands_for(environment: &Environment, oracle: &OracleCall, made: &MadeCall, observations: Observations) -> bool {
    let same = |tool: &str, arguments: &Map<String, Value>| {
        if tool != made.tool {
            return false;
        }
        let Some(tool) = environment.tool(tool) else { return false };
        let expected = observations.fill_map(arguments).and_then(|arguments| tool.complete(&arguments).ok());
        let is_same = |expected: Map<String, Value>| {
            arguments_match(tool, &expected, made.arguments)
                || environment.is_read(made.tool) && finds_what_is_named(tool, &expected, made)
        };
        expected.is_some_and(is_same)
    };
    same(&oracle.tool, &oracle.arguments) || oracle.equivalents.iter().any(|e| same(&e.tool, &e.arguments))
}

/// A maximum assignment of made calls to the oracle calls of an outcome.
///
/// Calls that others refer to (`$2.charge_id`) or come after are tried in every way; the rest is a bipartite
/// matching.
pub fn assign(environment: &Environment, outcome: &Outcome, made: &[MadeCall]) -> Assignment {
    let mut referred = BTreeSet::new();
    for call in &outcome.oracle {
        call.arguments.values().for_each(|value| calls_referred_to(value, &mut referred));
        let equivalents = call.equivalents.iter().flat_map(|e| e.arguments.values());
        equivalents.for_each(|value| calls_referred_to(value, &mut referred));
    }
    let mut referred: BTreeSet<usize> = referred.into_iter().filter_map(|call| call.checked_sub(1)).collect();
    referred.extend(outcome.oracle.iter().flat_map(|call| &call.after));
    let referred: Vec<usize> = referred.into_iter().collect();
    let none = vec![None; outcome.oracle.len()];
    let mut search =
        AssignmentSearch { environment, outcome, made, fixed: Vec::new(), best: none.clone(), left: MAX_COMPARED };
    search.fixed = (0..outcome.oracle.len()).map(|call| search.fits_without_references(call)).collect();
    search.try_all(&referred, &mut none.clone());
    search.best
}

/// What the calls of an assignment returned, for each oracle call that one stands for.
pub fn shown<'a>(assignment: &Assignment, made: &[MadeCall<'a>]) -> Vec<Option<&'a Value>> {
    assignment.iter().map(|at| at.and_then(|at| made.get(at)).map(|made| made.observation)).collect()
}

/// An assignment with looks that were made before the call they are to come after: who tells all that is asked knew
/// what the change would come to.
pub fn with_earlier_looks(
    environment: &Environment,
    outcome: &Outcome,
    made: &[MadeCall],
    assignment: &Assignment,
) -> Assignment {
    let mut all = assignment.clone();
    for (call, oracle) in outcome.oracle.iter().enumerate() {
        let is_left_out = all.get(call).is_some_and(Option::is_none) && environment.is_read(&oracle.tool);
        let earlier = is_left_out.then(|| made_too_early(environment, outcome, made, &all, call)).flatten();
        if earlier.is_some() {
            set(&mut all, call, earlier);
        }
    }
    all
}

/// The call that stands for an oracle call that an assignment leaves out, but was made before one it must come after.
pub fn made_too_early(
    environment: &Environment,
    outcome: &Outcome,
    made: &[MadeCall],
    assignment: &Assignment,
    call: usize,
) -> Option<usize> {
    let oracle = outcome.oracle.get(call).filter(|oracle| !oracle.after.is_empty())?;
    let shown = shown(assignment, made);
    let mut free = made.iter().enumerate().filter(|(at, _)| !assignment.contains(&Some(*at)));
    free.find(|(_, made)| stands_for(environment, oracle, made, Observations(&shown))).map(|(at, _)| at)
}

struct AssignmentSearch<'a> {
    environment: &'a Environment,
    outcome: &'a Outcome,
    made: &'a [MadeCall<'a>],
    /// For oracle calls without references the made calls that fit, whatever else is chosen.
    fixed: Vec<Option<Vec<usize>>>,
    best: Assignment,
    left: usize,
}

impl AssignmentSearch<'_> {
    fn try_all(&mut self, referred: &[usize], chosen: &mut Assignment) {
        if is_full(&self.best) || self.left == 0 {
            return;
        }
        let Some((first, rest)) = referred.split_first() else {
            // Each call of the oracle that refers to others is held against every call made.
            let work = 1 + self.fixed.iter().filter(|fixed| fixed.is_none()).count() * self.made.len();
            self.left = self.left.saturating_sub(work);
            let assignment = self.complete(chosen);
            if count(&assignment) > count(&self.best) {
                self.best = assignment;
            }
            return;
        };
        let mut seen: Vec<MadeCall> = Vec::new();
        for position in 0..self.made.len() {
            if self.left == 0 {
                return;
            }
            let Some(made) = self.made.get(position) else { continue };
            // The same call with the same result as one tried before leads to the same matching.
            if chosen.contains(&Some(position))
                || seen.iter().any(|seen| seen.is_like(made))
                || !self.fits(*first, position, chosen)
            {
                continue;
            }
            seen.push(*made);
            set(chosen, *first, Some(position));
            self.try_all(rest, chosen);
            set(chosen, *first, None);
        }
        self.try_all(rest, chosen);
    }

    fn fits(&self, call: usize, position: usize, chosen: &Assignment) -> bool {
        let observations = shown(chosen, self.made);
        match (self.outcome.oracle.get(call), self.made.get(position)) {
            (Some(oracle), Some(made)) => {
                let is_earlier = |call: &usize| chosen.get(*call).copied().flatten().is_some_and(|at| at < position);
                oracle.after.iter().all(is_earlier)
                    && stands_for(self.environment, oracle, made, Observations(&observations))
            }
            (None, _) | (_, None) => false,
        }
    }

    fn fits_without_references(&self, call: usize) -> Option<Vec<usize>> {
        let oracle = self.outcome.oracle.get(call)?;
        let mut referred = BTreeSet::new();
        let equivalents = oracle.equivalents.iter().flat_map(|e| e.arguments.values());
        oracle.arguments.values().chain(equivalents).for_each(|value| calls_referred_to(value, &mut referred));
        (referred.is_empty() && oracle.after.is_empty()).then(|| self.positions(call, &Vec::new()))
    }

    fn positions(&self, call: usize, chosen: &Assignment) -> Vec<usize> {
        (0..self.made.len()).filter(|position| self.fits(call, *position, chosen)).collect()
    }

    /// Kuhn's algorithm on top of the chosen pairs, which stay.
    fn complete(&self, chosen: &Assignment) -> Assignment {
        let fits: Vec<Vec<usize>> = (0..chosen.len())
            .map(|call| {
                let fixed = self.fixed.get(call).cloned().flatten();
                fixed.unwrap_or_else(|| self.positions(call, chosen))
            })
            .collect();
        let mut owner: Vec<Option<usize>> = vec![None; self.made.len()];
        let mut fixed = vec![false; self.made.len()];
        for (call, position) in chosen.iter().enumerate() {
            if let Some(position) = position {
                set(&mut owner, *position, Some(call));
                fixed.get_mut(*position).into_iter().for_each(|f| *f = true);
            }
        }
        for (call, given) in chosen.iter().enumerate() {
            if given.is_none() {
                let mut visited = fixed.clone();
                augment(call, &fits, &mut owner, &mut visited);
            }
        }
        let mut assignment = vec![None; chosen.len()];
        for (position, call) in owner.into_iter().enumerate() {
            if let Some(call) = call {
                set(&mut assignment, call, Some(position));
            }
        }
        assignment
    }
}

fn augment(call: usize, fits: &[Vec<usize>], owner: &mut Vec<Option<usize>>, visited: &mut [bool]) -> bool {
    for position in fits.get(call).into_iter().flatten() {
        match visited.get_mut(*position) {
            Some(visited) if !*visited => *visited = true,
            Some(_) | None => continue,
        }
        let current = owner.get(*position).copied().flatten();
        if current.is_none_or(|other| augment(other, fits, owner, visited)) {
            set(owner, *position, Some(call));
            return true;
        }
    }
    false
}

fn set(list: &mut [Option<usize>], at: usize, value: Option<usize>) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value;
    }
}

fn count(assignment: &Assignment) -> usize {
    assignment.iter().flatten().count()
}

fn is_full(assignment: &Assignment) -> bool {
    assignment.iter().all(Option::is_some)
}
