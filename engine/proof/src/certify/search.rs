//! The search for a shorter trace that solves the outcome.
//!
//! A breadth-first search over calls, in the product of states, what is known of what must be said, facts for the
//! constraint graph and calls that references can mean. Left out is only what cannot be part of a shortest
//! solution: calls that break compliance, calls that bring nothing new, reads that bring less than another read,
//! and positions from which the bound says that too few calls are left.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::alphabet::{Alphabet, Letters};
use super::bound::Bound;
use super::facts::{Demand, FactTable, Facts, ObservedFacts, Referred};
use super::goal::Goal;
use super::node::{CallEffect, CallPlace, Letter, Lexicon, Node, PositionKey, SearchState, Transition};
use probity_engine::recall::{Made, Recall};
use probity_engine::{Environment, State, Sum, ToolCall, canonical};

pub(super) enum SearchResult {
    Solution(Vec<ToolCall>),
    Nothing,
    /// The search had to stop; all traces of so many calls were ruled out.
    Stopped(usize),
}

pub(super) struct SolutionSearch<'a, 'b, 't> {
    goal: &'a Goal<'a>,
    environment: &'a Environment,
    pub(super) alphabet: &'b mut Alphabet<'t>,
    bound: Bound<'a>,
    table: FactTable,
    referred: Referred<'a>,
    /// Tools that a pattern with a predicate is about.
    predicated: BTreeSet<String>,
    /// What calls need, by their letters and, of predicated tools, by the state.
    demands: BTreeMap<(u32, Option<Sum>), Rc<Vec<Demand>>>,
    places: BTreeMap<Sum, Rc<SearchState>>,
    recall: Recall,
    lexicon: Lexicon<'a>,
    /// Equal observations are kept once.
    shown: BTreeMap<Sum, Rc<ObservedFacts>>,
    /// The same by the address of what came of a call.
    shown_by: BTreeMap<usize, (Arc<Made>, Rc<ObservedFacts>)>,
    visited: BTreeSet<PositionKey>,
    pub(super) prefix: Vec<ToolCall>,
    pub(super) nodes: usize,
    pub(super) steps: usize,
    /// Roughly the bytes kept, other than for the alphabet.
    kept: usize,
    limits: Limits,
}

impl<'a, 'b, 't> SolutionSearch<'a, 'b, 't> {
    pub(super) fn new(goal: &'a Goal<'a>, alphabet: &'b mut Alphabet<'t>, limits: Limits) -> Self {
        let patterns = goal.task.graph().patterns().iter();
        let predicated =
            patterns.filter(|pattern| pattern.predicate.is_some()).map(|pattern| pattern.tool.clone()).collect();
        SolutionSearch {
            goal,
            environment: goal.task.environment(),
            alphabet,
            bound: Bound::new(goal),
            table: FactTable::default(),
            referred: Referred::new(goal),
            predicated,
            demands: BTreeMap::new(),
            places: BTreeMap::new(),
            recall: Recall::default(),
            lexicon: Lexicon::new(goal.task.environment()),
            shown_by: BTreeMap::new(),
            shown: BTreeMap::new(),
            visited: BTreeSet::new(),
            prefix: Vec::new(),
            nodes: 0,
            steps: 0,
            kept: 0,
            limits,
        }
    }

    /// Searches to `depth` for a solution of at most `most` calls. What is asked for only after it was shown makes
    /// facts that were given before too few: then it searches again with what it has learnt to look for.
    pub(super) fn shorter(&mut self, most: usize, depth: usize) -> SearchResult {
        loop {
            self.visited.clear();
            let found = self.layers(most, depth);
            if !self.table.was_stale() || matches!(found, SearchResult::Stopped(_)) {
                return found;
            }
        }
    }

    fn layers(&mut self, most: usize, depth: usize) -> SearchResult {
        let Some(start) = self.start() else { return SearchResult::Nothing };
        let mut layer = vec![start];
        for done in 0..=depth {
            let mut next = Vec::new();
            for node in &layer {
                self.nodes += 1;
                if let Some(calls) = self.solution(node) {
                    return SearchResult::Solution(calls);
                }
                if done < depth {
                    next.extend(self.successors(node, most - done - 1));
                }
                if self.is_exhausted() {
                    return SearchResult::Stopped(done.saturating_sub(1));
                }
            }
            if next.is_empty() {
                return if done < depth || depth == most {
                    SearchResult::Nothing
                } else {
                    SearchResult::Stopped(depth)
                };
            }
            layer = next;
        }
        SearchResult::Stopped(depth)
    }

    fn is_exhausted(&self) -> bool {
        let bytes = self.kept + LETTER * self.alphabet.listed;
        self.nodes >= self.limits.nodes || self.steps >= self.limits.calls || bytes >= self.limits.bytes
    }

    /// The position after the prefix, with its facts; nothing when it breaks compliance.
    fn start(&mut self) -> Option<Node> {
        let start = self.goal.start();
        let mut node = Node::start(self.place(start.state().clone()), start.known.clone());
        for call in self.prefix.clone() {
            let letter = self.lexicon.letter(&call);
            let Some(transition) = self.step(&node.place, &letter) else { continue };
            node = node.after(&call.tool, &transition);
            node.give(&self.given(&transition, &letter));
        }
        let (position, _) = start.after_all(self.goal, &self.prefix);
        position.broken.is_empty().then_some(node)
    }

    /// The calls to a node when it solves the goal; played against the checker, which has the last word.
    fn solution(&self, node: &Node) -> Option<Vec<ToolCall>> {
        if !self.goal.is_informed(&node.known) || (!self.goal.has_references && !self.goal.is_state(&node.place.state))
        {
            return None;
        }
        let calls = node.calls();
        let all = self.prefix.iter().chain(&calls);
        let (position, _) = self.goal.start().after_all(self.goal, all);
        self.goal.failing(&position).is_empty().then_some(calls)
    }

    /// The positions one call further from which the goal may still be reached with `left` calls.
    fn successors(&mut self, node: &Node, left: usize) -> Vec<Node> {
        let mut reads: Vec<Node> = Vec::new();
        let mut writes: Vec<Node> = Vec::new();
        // Only then a call that is refused can lead anywhere, be it one that would break compliance.
        let place = &node.place;
        let is_due = self.environment.is_event_due(&place.state);
        for letters in self.letters(place) {
            if self.is_exhausted() {
                break;
            }
            let is_last = left == 0 && !self.bound.may_finish(&place.distance, &letters.tool);
            if !is_due && (is_last || !self.bound.is_open(&letters.tool, &node.called)) {
                continue;
            }
            let demands = self.demands(place, &letters);
            let known = self.lexicon.known(&letters);
            for (at, (letter, demand)) in known.iter().zip(demands.iter()).enumerate() {
                let is_met = demand.is_met(&node.facts);
                if !is_met && !is_due {
                    continue;
                }
                let Some(transition) = self.transition(place, (letters.number, at), letter) else { continue };
                if !is_met && transition.made.is_some() {
                    continue;
                }
                let Some(next) = self.follow(node, &transition, letter, left) else { continue };
                let next = next.by(&letters, at);
                let is_same_state = next.place.sum == place.sum;
                if is_same_state { reads.push(next) } else { writes.push(next) }
            }
        }
        let mut all = self.best(reads);
        all.extend(writes);
        all.retain(|node| self.visited.insert(node.key()));
        self.kept += all.iter().map(|node| POSITION + 2 * MEMBER * node.members()).sum::<usize>();
        all
    }

    /// What is known of a state, which is found out once.
    fn place(&mut self, state: State) -> Rc<SearchState> {
        let sum = state.sum();
        let new = || {
            let distance = self.bound.distance(&state);
            let (letters, is_asked, transitions) = (OnceCell::new(), Cell::new(false), RefCell::default());
            Rc::new(SearchState { state, sum, distance, letters, is_asked, transitions })
        };
        Rc::clone(self.places.entry(sum).or_insert_with(new))
    }

    fn letters(&mut self, place: &SearchState) -> Vec<Rc<Letters>> {
        place.letters.get_or_init(|| self.alphabet.letters(&place.state)).clone()
    }

    /// The position after a call; nothing when it brings nothing or when too few calls are left.
    fn follow(&mut self, node: &Node, transition: &Transition, letter: &Letter, left: usize) -> Option<Node> {
        let mut next = node.after(&letter.tool, transition);
        let after = (&next.place.state, &next.place.distance);
        if self.bound.at_least(after, self.goal.is_informed(&next.known), &next.called) > left {
            return None;
        }
        // The last call opens the way to no other.
        if left > 0 {
            next.give(&self.given(transition, letter));
        }
        (!next.is_like(node)).then_some(next)
    }

    /// What a call gave. What the calls of the next state ask for is best known before this one is asked.
    fn given(&mut self, transition: &Transition, letter: &Letter) -> Rc<Facts> {
        let Some(made) = &transition.made else { return Rc::default() };
        let after = &transition.after;
        if !after.is_asked.replace(true) {
            for letters in self.letters(after) {
                self.demands(after, &letters);
            }
        }
        let asks = self.table.asks;
        if let Some((_, given)) = made.given.borrow().as_ref().filter(|(known, _)| *known == asks) {
            return Rc::clone(given);
        }
        let given = Rc::new(self.table.given(self.goal.task, &made.matches, &letter.arguments, &made.shown));
        made.given.replace(Some((asks, Rc::clone(&given))));
        given
    }

    /// Of reads that lead to the same state those that no other one covers; of equals the first.
    fn best(&self, reads: Vec<Node>) -> Vec<Node> {
        let mut kept: Vec<Node> = Vec::new();
        for read in reads {
            if kept.iter().any(|other| other.covers(&read, &self.table)) {
                continue;
            }
            kept.retain(|other| !read.covers(other, &self.table));
            kept.push(read);
        }
        kept
    }

    /// What the calls of a tool ask for: the same in all states, unless a predicate decides which are meant.
    fn demands(&mut self, place: &SearchState, letters: &Letters) -> Rc<Vec<Demand>> {
        let task = self.goal.task;
        let in_state = self.predicated.contains(&letters.tool).then_some(place.sum);
        let key = (letters.number, in_state);
        if let Some(demands) = self.demands.get(&key) {
            return Rc::clone(demands);
        }
        let mut all = Vec::with_capacity(letters.calls.len());
        for letter in self.lexicon.known(letters).iter() {
            let matches = self.matches(&place.state, letter);
            all.push(self.table.demand(task, &matches, &letter.arguments));
        }
        self.kept += REFUSED * all.len();
        let all = Rc::new(all);
        self.demands.insert(key, Rc::clone(&all));
        all
    }

    fn transition(&mut self, place: &Rc<SearchState>, at: CallPlace, letter: &Letter) -> Option<Rc<Transition>> {
        if let Some(known) = place.transitions.borrow().get(&at) {
            return known.clone();
        }
        let made = self.step(place, letter).map(Rc::new);
        self.kept += match &made {
            None => REFUSED,
            Some(made) if made.after.sum == place.sum => CARRIED_OUT,
            Some(_) => CARRIED_OUT + CHANGED,
        };
        place.transitions.borrow_mut().insert(at, made.clone());
        made
    }

    /// What a call does in a state; nothing when it breaks compliance, or is refused and changes nothing.
    fn step(&mut self, place: &Rc<SearchState>, letter: &Letter) -> Option<Transition> {
        self.steps += 1;
        let made = self.recall.step(self.environment, &mut letter.repeated.borrow_mut(), &place.state);
        let Ok(applied) = &made.result else {
            let after = self.after(place, &made);
            return (after.sum != place.sum).then_some(Transition { after, made: None });
        };
        if self.is_barred(&place.state, letter) {
            return None;
        }
        let shown = self.shown(&made, &applied.observation);
        let matches = self.matches(&place.state, letter);
        let referred = self.referred.number(&letter.tool, &letter.arguments, shown.sum);
        let effect = CallEffect { matches, shown, referred, given: RefCell::new(None) };
        Some(Transition { after: self.after(place, &made), made: Some(effect) })
    }

    fn after(&mut self, place: &Rc<SearchState>, made: &Made) -> Rc<SearchState> {
        match made.is_still() {
            true => Rc::clone(place),
            false => self.place(made.after(place.state.clone())),
        }
    }

    /// The patterns of the graph that mean a call.
    fn matches(&self, state: &State, letter: &Letter) -> Rc<[usize]> {
        let find = || self.goal.task.matching_patterns(state, &letter.tool, &letter.arguments).into();
        match self.predicated.contains(&letter.tool) {
            true => find(),
            false => Rc::clone(letter.matches.get_or_init(find)),
        }
    }

    /// Whether the goal forbids a call or holds it back.
    fn is_barred(&self, state: &State, letter: &Letter) -> bool {
        let barred = self.goal.outcome.forbidden.iter().chain(self.goal.held.iter().copied());
        let mut barred = barred.filter(|pattern| pattern.source.tool == letter.tool);
        barred.any(|pattern| self.goal.task.is_meant(pattern, state, &letter.tool, &letter.arguments))
    }

    fn shown(&mut self, made: &Arc<Made>, observation: &Value) -> Rc<ObservedFacts> {
        // The address stays taken, since what came of the call is kept beside it.
        let address = Arc::as_ptr(made).addr();
        if let Some((_, known)) = self.shown_by.get(&address) {
            return Rc::clone(known);
        }
        let text = canonical::to_string(observation);
        let sum = Sum::of(&text);
        let shown = match self.shown.get(&sum) {
            Some(known) => Rc::clone(known),
            None => {
                self.kept += CARRIED_OUT + SHOWN * text.len();
                let new = Rc::new(ObservedFacts::new(sum, self.goal.learn(observation), observation.clone()));
                self.shown.insert(sum, Rc::clone(&new));
                new
            }
        };
        // One that was not kept is never met again, and would only take up room.
        if Arc::strong_count(made) > 1 {
            self.shown_by.insert(address, (Arc::clone(made), Rc::clone(&shown)));
        }
        shown
    }
}

impl Drop for SolutionSearch<'_, '_, '_> {
    /// Calls lead back to the states they were made in.
    fn drop(&mut self) {
        self.places.values().for_each(|place| place.transitions.borrow_mut().clear());
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub nodes: usize,
    pub calls: usize,
    /// Bytes kept, by the rough costs below.
    pub bytes: usize,
}

impl Limits {
    /// The most that any search uses: a few minutes and, measured, less than 2 GiB.
    pub const MOST: Limits = Limits { nodes: 500_000, calls: 2_000_000, bytes: 1 << 30 };
}

/// A call that is known to be refused in a state.
pub(super) const REFUSED: usize = 128;
/// A call with the state it leads to.
pub(super) const CARRIED_OUT: usize = 1_024;
/// The changed part of a state.
pub(super) const CHANGED: usize = 3_072;
/// A position, without its sets.
pub(super) const POSITION: usize = 512;
/// A member of a position's sets.
pub(super) const MEMBER: usize = 24;
/// A call of the alphabet, and what it asks for.
pub(super) const LETTER: usize = 768;
/// A byte of an observation, read into memory.
pub(super) const SHOWN: usize = 16;

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
