//! The search for a shorter trace that solves the outcome.
//!
//! A breadth-first search over calls, in the product of states, what is known of what must be said, facts for the
//! constraint graph and calls that references can mean. Left out is only what cannot be part of a shortest
//! solution: calls that break compliance, calls that bring nothing new, reads that bring less than another read,
//! and positions from which the bound says that too few calls are left.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::alphabet::{Alphabet, Letters};
use super::bound::Bound;
use super::facts::{Demand, Facts, Ledger, ObservedFacts};
use super::goal::Goal;
use super::limits::{self, Limits};
use super::node::{CallEffect, Node, PositionKey, Transition};
use super::referred::Referred;
use probity_engine::{Actor, Environment, State, Stepped, Sum, ToolCall, canonical};

pub(super) enum SearchResult {
    Solution(Vec<ToolCall>),
    Nothing,
    /// The search had to stop; all traces of so many calls were ruled out.
    Stopped(usize),
}

type CallPlace = (u32, usize);

pub(super) struct SolutionSearch<'a, 'b, 't> {
    goal: &'a Goal<'a>,
    environment: &'a Environment,
    pub(super) alphabet: &'b mut Alphabet<'t>,
    bound: Bound<'a>,
    ledger: Ledger,
    referred: Referred<'a>,
    /// Tools that a pattern with a predicate is about.
    predicated: BTreeSet<String>,
    /// What calls need, by their letters and, of predicated tools, by the state.
    demands: BTreeMap<(u32, Option<Sum>), Rc<Vec<Demand>>>,
    /// What calls do in a state; nothing for those that are not made in it.
    transitions: BTreeMap<(Sum, CallPlace), Option<Rc<Transition>>>,
    /// Equal observations are kept once.
    shown: BTreeMap<Sum, Rc<ObservedFacts>>,
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
            ledger: Ledger::default(),
            referred: Referred::new(goal),
            predicated,
            demands: BTreeMap::new(),
            transitions: BTreeMap::new(),
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
            if !self.ledger.was_stale() || matches!(found, SearchResult::Stopped(_)) {
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
        let bytes = self.kept + limits::LETTER * self.alphabet.listed();
        self.nodes >= self.limits.nodes || self.steps >= self.limits.calls || bytes >= self.limits.bytes
    }

    /// The position after the prefix, with its facts; nothing when it breaks compliance.
    fn start(&mut self) -> Option<Node> {
        let start = self.goal.start();
        let mut node = Node::start(start.state().clone(), start.known.clone());
        for call in self.prefix.clone() {
            let Some(transition) = self.step(&node.state, &call) else { continue };
            let given = self.given(&transition, &call);
            node = node.after(&call, &transition, &given);
        }
        let (position, _) = start.after_all(self.goal, &self.prefix);
        position.broken.is_empty().then(|| node.into_start())
    }

    /// The calls to a node when it solves the goal; played against the checker, which has the last word.
    fn solution(&self, node: &Node) -> Option<Vec<ToolCall>> {
        if !self.goal.is_informed(&node.known) || (!self.goal.has_references() && !self.goal.is_state(&node.state)) {
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
        let is_due = self.environment.is_event_due(&node.state);
        for letters in self.alphabet.letters(&node.state) {
            if self.is_exhausted() {
                break;
            }
            let is_last = left == 0 && !self.bound.may_finish(&node.state, &letters.tool);
            if !is_due && (is_last || !self.bound.is_open(&letters.tool, &node.called)) {
                continue;
            }
            let demands = self.demands(&node.state, &letters);
            for (at, (call, demand)) in letters.calls.iter().zip(demands.iter()).enumerate() {
                let is_met = demand.is_met(&node.facts);
                if !is_met && !is_due {
                    continue;
                }
                let Some(transition) = self.transition(&node.state, (letters.number, at), call) else { continue };
                if !is_met && transition.made.is_some() {
                    continue;
                }
                let Some(next) = self.follow(node, &transition, call, left) else { continue };
                let is_same_state = next.state.sum() == node.state.sum();
                if is_same_state { reads.push(next) } else { writes.push(next) }
            }
        }
        let mut all = self.best(reads);
        all.extend(writes);
        all.retain(|node| self.visited.insert(node.key()));
        self.kept += all.iter().map(|node| limits::POSITION + 2 * limits::MEMBER * node.members()).sum::<usize>();
        all
    }

    /// The position after a call; nothing when it brings nothing or when too few calls are left.
    fn follow(&mut self, node: &Node, transition: &Transition, call: &ToolCall, left: usize) -> Option<Node> {
        let mut next = node.after(call, transition, &Facts::new());
        if self.bound.at_least(&next.state, self.goal.is_informed(&next.known), &next.called) > left {
            return None;
        }
        // The last call opens the way to no other.
        if left > 0 {
            next.facts.extend(self.given(transition, call));
        }
        (!next.is_like(node)).then_some(next)
    }

    /// What a call gave. What the calls of the next state ask for is best known before this one is asked.
    fn given(&mut self, transition: &Transition, call: &ToolCall) -> Facts {
        let Some(made) = &transition.made else { return Facts::new() };
        for letters in self.alphabet.letters(&transition.after) {
            self.demands(&transition.after, &letters);
        }
        let arguments = self.environment.complete(call).unwrap_or_default();
        self.ledger.given(self.goal.task, &made.matches, &arguments, &made.shown)
    }

    /// Of reads that lead to the same state those that no other one covers; of equals the first.
    fn best(&self, reads: Vec<Node>) -> Vec<Node> {
        let mut kept: Vec<Node> = Vec::new();
        for read in reads {
            if kept.iter().any(|other| other.covers(&read, &self.ledger)) {
                continue;
            }
            kept.retain(|other| !read.covers(other, &self.ledger));
            kept.push(read);
        }
        kept
    }

    /// What the calls of a tool ask for: the same in all states, unless a predicate decides which are meant.
    fn demands(&mut self, state: &State, letters: &Letters) -> Rc<Vec<Demand>> {
        let task = self.goal.task;
        let in_state = self.predicated.contains(&letters.tool).then(|| state.sum());
        let key = (letters.number, in_state);
        if let Some(demands) = self.demands.get(&key) {
            return Rc::clone(demands);
        }
        let mut all = Vec::with_capacity(letters.calls.len());
        for call in &letters.calls {
            let arguments = self.environment.complete(call).unwrap_or_default();
            let matches = task.matching_patterns(state, &call.tool, &arguments);
            all.push(self.ledger.demand(task, &matches, &arguments));
        }
        self.kept += limits::REFUSED * all.len();
        let all = Rc::new(all);
        self.demands.insert(key, Rc::clone(&all));
        all
    }

    fn transition(&mut self, state: &State, at: CallPlace, call: &ToolCall) -> Option<Rc<Transition>> {
        let key = (state.sum(), at);
        if let Some(known) = self.transitions.get(&key) {
            return known.clone();
        }
        let made = self.step(state, call).map(Rc::new);
        self.kept += match &made {
            None => limits::REFUSED,
            Some(made) if made.after.sum() == state.sum() => limits::CARRIED_OUT,
            Some(_) => limits::CARRIED_OUT + limits::CHANGED,
        };
        self.transitions.insert(key, made.clone());
        made
    }

    /// Carries a call out; nothing when it breaks compliance, or is refused and changes nothing.
    fn step(&mut self, state: &State, call: &ToolCall) -> Option<Transition> {
        let task = self.goal.task;
        self.steps += 1;
        let Stepped { after, result, .. } = self.environment.step(state, call, Actor::Agent);
        let Ok(applied) = result else {
            return (after.sum() != state.sum()).then_some(Transition { after, made: None });
        };
        let arguments = self.environment.complete(call).unwrap_or_default();
        let mut barred = self.goal.outcome.forbidden.iter().chain(self.goal.held.iter().copied());
        if barred.any(|pattern| task.is_meant(pattern, state, &call.tool, &arguments)) {
            return None;
        }
        let shown = self.shown(applied.observation);
        let matches = task.matching_patterns(state, &call.tool, &arguments);
        let referred = self.referred.number(&call.tool, &arguments, shown.sum);
        Some(Transition { after, made: Some(CallEffect { matches, shown, referred }) })
    }

    fn shown(&mut self, observation: Value) -> Rc<ObservedFacts> {
        let text = canonical::to_string(&observation);
        let sum = Sum::of(&text);
        if let Some(known) = self.shown.get(&sum) {
            return Rc::clone(known);
        }
        self.kept += limits::CARRIED_OUT + limits::SHOWN * text.len();
        let shown = Rc::new(ObservedFacts::new(sum, self.goal.learn(&observation), observation));
        self.shown.insert(sum, Rc::clone(&shown));
        shown
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
