//! The kill table: which slip each check of a task catches, which checks nothing can violate, and which slips
//! nothing catches.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::alphabet::{Alphabet, Letters};
use super::candidate::{Candidate, Item, Items, is_environment_wide, items};
use super::certificate::TallyRow;
use super::goal::Goal;
use super::mutant::{Family, Mutant, mutants, play};
use super::need::blanks;
use super::slip::at_bounds;
use probity_engine::{Actor, CallPattern, Edge, Effect, ExclusionSet, Sum, ToolCall, field_path};

/// Most calls that are tried at one place to violate one check.
pub(super) const MAX_TRIES: usize = 2_000;

/// Most calls that are tried amid the oracle's to violate what must be so at the end: most of what they do they do at
/// its start and its end as well.
const MAX_AMID: usize = 800;

/// Of calls that violate a check only by what the oracle does after them, so many are tried at most.
const MAX_LATER: usize = 100;

/// Most pairs of calls that are tried for checks that no single call violates.
const MAX_PAIRS: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    pub mutant: String,
    pub is_alone: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    pub mutant: String,
    /// What it changes, as a path of the state.
    pub path: String,
    /// Whether it is made of the oracle's own calls: then an assertion is missing.
    pub is_slip: bool,
}

#[derive(Default)]
pub struct Kills {
    /// For each check the first slip it catches, one that it catches alone if there is one.
    pub by: BTreeMap<Item, Kill>,
    pub tallies: BTreeMap<Family, TallyRow>,
    /// The slips that nothing catches, at most one for each changed path.
    pub survivors: Vec<Survivor>,
    /// Of exclusions that nothing violates: how often the second call of a pair was refused, by code.
    pub refused: BTreeMap<usize, BTreeMap<String, usize>>,
}

impl Kills {
    fn tally(&mut self, family: Family) -> &mut TallyRow {
        let row = || TallyRow { family: family.name().to_owned(), ..TallyRow::default() };
        self.tallies.entry(family).or_insert_with(row)
    }
}

/// Makes the kill table of an oracle trace.
pub fn kills(goal: &Goal, alphabet: &mut Alphabet, calls: &[ToolCall]) -> Kills {
    let starts = Candidate::walk(goal, calls);
    let mut table = Table { goal, starts, kills: Kills::default(), tried: BTreeMap::new() };
    for mutant in mutants(goal, alphabet, calls) {
        table.try_one(&mutant);
    }
    table.unsaid();
    table.insert_calls(alphabet, calls);
    table.kills
}

struct Table<'a> {
    goal: &'a Goal<'a>,
    /// The positions after each start of the oracle trace.
    starts: Vec<Candidate>,
    kills: Kills,
    /// What came of calls beside the oracle's, by the place and the calls: several checks ask for the same ones.
    tried: BTreeMap<(usize, Sum), Tried>,
}

/// What came of calls at a place of the oracle trace.
struct Tried {
    /// What they violate right away; nothing where the environment refuses one of them.
    violated: Option<Items>,
    /// Whether the rest of the oracle was played after them.
    is_inserted: bool,
}

impl Table<'_> {
    fn try_one(&mut self, mutant: &Mutant) -> bool {
        let Some((position, _)) = play(self.goal, &self.starts, mutant) else { return false };
        let failing = self.goal.failing(&position);
        let is_new = failing.iter().any(|item| !self.kills.by.contains_key(item));
        self.note(&failing, &mutant.text);
        let changed = self.changed(&position);
        let tally = self.kills.tally(mutant.family);
        tally.made += 1;
        match (failing.is_empty(), &changed) {
            (false, _) => tally.killed += 1,
            (true, None) => tally.same += 1,
            (true, Some(_)) => tally.survived += 1,
        }
        if let Some(path) = changed.filter(|_| failing.is_empty()) {
            let is_slip = mutant.family != Family::Collateral;
            let is_known = |other: &Survivor| other.path == path && other.is_slip == is_slip;
            if !self.kills.survivors.iter().any(is_known) {
                self.kills.survivors.push(Survivor { mutant: mutant.text.clone(), path, is_slip });
            }
        }
        is_new
    }

    fn note(&mut self, failing: &Items, text: &str) {
        let is_alone = failing.len() == 1;
        for item in failing {
            let kill = self.kills.by.entry(*item).or_insert_with(|| Kill { mutant: text.to_owned(), is_alone });
            if is_alone && !kill.is_alone {
                *kill = Kill { mutant: text.to_owned(), is_alone };
            }
        }
    }

    /// What differs from the state that the oracle leads to, soft paths and prose aside.
    fn changed(&self, position: &Candidate) -> Option<String> {
        let last = self.starts.last()?;
        if last.state().sum() == position.state().sum() {
            return None;
        }
        let delta = last.state().changes_to(position.state());
        let soft = &self.goal.task.environment().file().soft_paths;
        let paths = delta.created.keys().chain(delta.updated.keys()).chain(delta.deleted.keys());
        let mut paths = paths
            .filter(|path| !soft.iter().any(|soft| path.as_str() == soft || path.starts_with(&format!("{soft}/"))));
        paths.next().cloned()
    }

    /// The oracle's replies with some left blank.
    fn unsaid(&mut self) {
        for blank in blanks(self.goal) {
            self.note(&blank.unmet, &blank.text);
            let tally = self.kills.tally(Family::Unsaid);
            tally.made += 1;
            match blank.unmet.is_empty() {
                true => tally.same += 1,
                false => tally.killed += 1,
            }
        }
    }

    /// Calls beside the oracle's: writes after its last one, and whatever may violate a check nothing has yet.
    fn insert_calls(&mut self, alphabet: &mut Alphabet, calls: &[ToolCall]) {
        let environment = self.goal.task.environment();
        let writes = |call: &&ToolCall| environment.tool(&call.tool).is_some_and(|tool| tool.effect == Effect::Write);
        let end = self.starts.len() - 1;
        let Some(last) = self.starts.last().map(|last| last.state().clone()) else { return };
        let letters = alphabet.letters(&last);
        for call in Letters::calls_of(&letters).filter(writes).take(MAX_TRIES) {
            self.insert(calls, end, std::slice::from_ref(call));
        }
        let open = |table: &Table| -> Vec<Item> { table.open().collect() };
        for place in [0, end] {
            for item in open(self) {
                self.provoke(alphabet, calls, place, item);
            }
        }
        for place in 1..end {
            let is_own = |item: &Item| is_of_outcome(self.goal, item) || matches!(item, Item::Forbidden(_));
            let own = open(self).into_iter().filter(is_own);
            for item in own.collect::<Vec<_>>() {
                self.provoke(alphabet, calls, place, item);
            }
        }
        for place in [end, 0] {
            if self.is_any_open() {
                self.insert_pairs(alphabet, calls, place);
            }
        }
    }

    /// The checks that no slip has violated yet.
    fn open(&self) -> impl Iterator<Item = Item> {
        items(self.goal).into_iter().filter(|item| !self.kills.by.contains_key(item))
    }

    fn is_any_open(&self) -> bool {
        self.open().any(|item| is_of_outcome(self.goal, &item))
    }

    /// Two writes at a place, the first of which may let the second through.
    fn insert_pairs(&mut self, alphabet: &mut Alphabet, calls: &[ToolCall], place: usize) {
        let environment = self.goal.task.environment();
        let Some(start) = self.starts.get(place).cloned() else { return };
        let writes = |call: &&ToolCall| environment.tool(&call.tool).is_some_and(|tool| tool.effect == Effect::Write);
        let mut reached: BTreeSet<Sum> = BTreeSet::from([start.state().sum()]);
        let mut left = MAX_PAIRS;
        let letters = alphabet.letters(start.state());
        for first in by_turns(Letters::calls_of(&letters).filter(writes)) {
            let Ok(next) = start.after(self.goal, first) else { continue };
            if !reached.insert(next.state().sum()) {
                continue;
            }
            let letters = alphabet.letters(next.state());
            for second in Letters::calls_of(&letters).filter(writes) {
                left -= 1;
                let open = |item: &Item| !self.kills.by.contains_key(item);
                let failing = next.after(self.goal, second).map(|after| self.goal.failing(&after)).unwrap_or_default();
                if failing.iter().any(open) {
                    self.insert(calls, place, &[first.clone(), second.clone()]);
                }
                if left == 0 || !self.is_any_open() {
                    return;
                }
            }
        }
    }

    fn tried(&mut self, place: usize, slip: &[ToolCall]) -> Option<&mut Tried> {
        let start = self.starts.get(place)?;
        let said: Vec<String> = slip.iter().map(|call| format!("{} {}", call.tool, call.arguments)).collect();
        let made = || {
            let (position, refused) = start.after_all(self.goal, slip);
            Tried { violated: (refused == 0).then(|| self.goal.failing(&position)), is_inserted: false }
        };
        Some(self.tried.entry((place, Sum::of(&said.join("\n")))).or_insert_with(made))
    }

    /// Inserts calls at a place of the oracle trace, if the environment carries out all of them and they were not
    /// inserted there before.
    fn insert(&mut self, calls: &[ToolCall], place: usize, inserted: &[ToolCall]) -> bool {
        let Some(tried) = self.tried(place, inserted) else { return false };
        if tried.violated.is_none() || std::mem::replace(&mut tried.is_inserted, true) {
            return false;
        }
        let rest = inserted.iter().chain(calls.get(place..).unwrap_or_default()).cloned().collect();
        let text = told(place, self.starts.len() - 1, inserted);
        self.try_one(&Mutant { family: Family::Collateral, text, kept: place, rest })
    }

    fn provoke(&mut self, alphabet: &mut Alphabet, calls: &[ToolCall], place: usize, item: Item) {
        let Some(state) = self.starts.get(place).map(|start| start.state().clone()) else { return };
        let goal = self.goal;
        let letters = alphabet.letters(&state);
        let all = || Letters::calls_of(&letters);
        let graph = goal.task.graph();
        let pattern: Option<CallPattern> = match item {
            Item::Edge(index) => {
                graph.edges().get(index).and_then(|edge: &Edge| graph.patterns().get(edge.after)).cloned()
            }
            Item::Forbidden(index) => goal.outcome.forbidden.get(index).map(|pattern| pattern.source.clone()),
            Item::Held(index) => goal.held.get(index).map(|pattern| pattern.source.clone()),
            Item::Exclusion(index) => {
                let pairs = graph.exclusions().get(index).map(|set| self.pairs(set, all())).unwrap_or_default();
                self.insert_until_killed(calls, place, item, pairs.iter().map(<[ToolCall; 2]>::as_slice));
                return self.note_refusals(place, index, &pairs);
            }
            Item::Achieves(_) | Item::Preserves(_) => None,
            Item::MustSay(_) => return,
        };
        // A state is violated by writes alone.
        let writes = |name: &str| goal.task.environment().tool(name).is_none_or(|tool| tool.effect == Effect::Write);
        let usual: Vec<&ToolCall> = match &pattern {
            Some(pattern) => all().filter(|call| pattern.tool == call.tool).take(MAX_TRIES).collect(),
            None => {
                let is_amid = (1..self.starts.len() - 1).contains(&place);
                let writes = by_turns(all().filter(|call| writes(&call.tool)));
                writes.take(if is_amid { MAX_AMID } else { MAX_TRIES }).collect()
            }
        };
        let tool = pattern.as_ref().and_then(|pattern| Some((goal.task.environment().tool(&pattern.tool)?, pattern)));
        let bounds = tool.map(|(tool, pattern)| at_bounds(tool, pattern, all(), MAX_TRIES)).unwrap_or_default();
        self.insert_until_killed(calls, place, item, usual.into_iter().chain(&bounds).map(std::slice::from_ref));
    }

    fn insert_until_killed<'c>(
        &mut self,
        calls: &[ToolCall],
        place: usize,
        item: Item,
        slips: impl Iterator<Item = &'c [ToolCall]>,
    ) {
        let mut later = Vec::new();
        for slip in slips {
            if self.kills.by.contains_key(&item) {
                return;
            }
            match self.is_harmless(place, item, slip) {
                true => later.push(slip),
                false => drop(self.insert(calls, place, slip)),
            }
        }
        for slip in later.into_iter().take(MAX_LATER) {
            if self.kills.by.contains_key(&item) {
                return;
            }
            self.insert(calls, place, slip);
        }
    }

    /// Whether calls at a place leave a check as it was that, once violated, stays so: then only what the oracle does
    /// after them may violate it.
    fn is_harmless(&mut self, place: usize, item: Item, slip: &[ToolCall]) -> bool {
        let stays = matches!(item, Item::Edge(_) | Item::Exclusion(_) | Item::Forbidden(_) | Item::Held(_));
        let tried = if stays { self.tried(place, slip) } else { None };
        tried.is_some_and(|tried| tried.violated.as_ref().is_none_or(|violated| !violated.contains(&item)))
    }

    /// Why the second call of pairs is refused after the first, where no pair violates an exclusion.
    fn note_refusals(&mut self, place: usize, index: usize, pairs: &[[ToolCall; 2]]) {
        let Some(start) = self.starts.get(place) else { return };
        if self.kills.by.contains_key(&Item::Exclusion(index)) {
            return;
        }
        let environment = self.goal.task.environment();
        for [first, second] in pairs {
            let first = environment.step(start.state(), first, Actor::Agent);
            if first.result.is_ok()
                && let Err(rejection) = environment.step(&first.after, second, Actor::Agent).result
            {
                *self.kills.refused.entry(index).or_default().entry(rejection.code).or_default() += 1;
            }
        }
    }

    /// Pairs of calls of different members that agree in what the exclusion binds.
    fn pairs<'c>(&self, set: &ExclusionSet, all: impl Iterator<Item = &'c ToolCall> + Clone) -> Vec<[ToolCall; 2]> {
        let graph = self.goal.task.graph();
        let tool = |member: &usize| graph.patterns().get(*member).map(|pattern| pattern.tool.as_str());
        let bound = |call: &ToolCall| -> Vec<Vec<Value>> {
            let Some(fields) = call.arguments.as_object() else { return Vec::new() };
            set.bind.iter().map(|path| field_path::values(fields, path).into_iter().cloned().collect()).collect()
        };
        // What is bound is read once of each call, and not of each pair.
        let of = |member: &usize| -> Vec<(&ToolCall, Vec<Vec<Value>>)> {
            let name = tool(member);
            all.clone().filter(|call| Some(call.tool.as_str()) == name).map(|call| (call, bound(call))).collect()
        };
        let members: Vec<_> = set.members.iter().map(|member| (member, of(member))).collect();
        let mut pairs = Vec::new();
        for (first, of_first) in &members {
            for (_, of_second) in members.iter().filter(|(second, _)| second != first) {
                for (a, of_a) in of_first {
                    let agree = of_second.iter().filter(|(_, of_b)| of_a == of_b);
                    pairs.extend(agree.take(8).map(|(b, _)| [(*a).clone(), (*b).clone()]));
                    if pairs.len() > MAX_TRIES {
                        return pairs;
                    }
                }
            }
        }
        pairs
    }
}

/// Calls beside the oracle's, in words: before one of so many calls, or after the last.
pub(super) fn told(place: usize, all: usize, inserted: &[ToolCall]) -> String {
    let when = if place == all { "after the last call".to_owned() } else { format!("before call {}", place + 1) };
    let said: Vec<String> = inserted.iter().map(|call| format!("{} {}", call.tool, call.arguments)).collect();
    format!("{when}, {}", said.join(" and "))
}

/// Whether a check is the outcome's or a user's, and neither a constraint nor the environment's.
fn is_of_outcome(goal: &Goal, item: &Item) -> bool {
    !matches!(item, Item::Edge(_) | Item::Exclusion(_)) && !is_environment_wide(goal, *item)
}

/// The first call of each tool, then the second of each, and so on.
fn by_turns<'c>(calls: impl Iterator<Item = &'c ToolCall>) -> impl Iterator<Item = &'c ToolCall> {
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let mut numbered: Vec<(usize, &ToolCall)> = Vec::new();
    for call in calls {
        let number = met.entry(&call.tool).or_default();
        numbered.push((*number, call));
        *number += 1;
    }
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, call)| call)
}
