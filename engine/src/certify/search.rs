//! The search for a shorter trace that solves the outcome.
//!
//! A breadth-first search over calls, in the product of states, known answers and facts for the constraint
//! graph. Left out is only what cannot be part of a shortest solution: calls that break compliance, calls that
//! bring nothing new, reads that bring less than another read, and positions from which the bound says that too
//! few calls are left.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::alphabet::{Alphabet, Letters};
use super::bound::Bound;
use super::facts::{Demand, Facts, Ledger};
use super::goal::{Goal, Known};
use super::position::Position;
use crate::engine::environment::Environment;
use crate::engine::state::State;
use crate::engine::step::Stepped;
use crate::engine::sum::Sum;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;

/// What a search found.
pub(super) enum Found {
    /// Calls that solve the goal.
    Solution(Vec<ToolCall>),
    /// There is nothing.
    Nothing,
    /// The search had to stop; all traces of so many calls were ruled out.
    Stopped(usize),
}

/// A position of the search.
#[derive(Clone)]
struct Node {
    state: State,
    known: Known,
    facts: Facts,
    /// Tools called so far, for the bound.
    called: BTreeSet<String>,
    path: Option<Rc<Link>>,
}

struct Link {
    call: ToolCall,
    before: Option<Rc<Link>>,
}

/// What a call does in a state, whatever came before.
struct Transition {
    after: State,
    known: Known,
    matches: Vec<usize>,
    observation: Value,
}

/// A call by its letters and its place among them.
type Place = (u32, usize);

pub(super) struct Search<'a, 'b, 't> {
    goal: &'a Goal<'a>,
    environment: &'a Environment,
    pub(super) alphabet: &'b mut Alphabet<'t>,
    bound: Bound<'a>,
    ledger: Ledger,
    /// Tools that a pattern with a predicate is about.
    predicated: BTreeSet<String>,
    /// What calls need, by their letters and, of predicated tools, by the state.
    demands: BTreeMap<(u32, Option<Sum>), Rc<Vec<Demand>>>,
    /// What calls do in a state; nothing for those that are not made in it.
    transitions: BTreeMap<(Sum, Place), Option<Rc<Transition>>>,
    visited: BTreeSet<(Sum, Known, Vec<u32>)>,
    /// Calls made before the search starts.
    pub(super) prefix: Vec<ToolCall>,
    /// Positions looked at.
    pub(super) nodes: usize,
    /// Tool calls carried out.
    pub(super) steps: usize,
    most_nodes: usize,
}

impl<'a, 'b, 't> Search<'a, 'b, 't> {
    pub(super) fn new(goal: &'a Goal<'a>, alphabet: &'b mut Alphabet<'t>, most_nodes: usize) -> Self {
        let patterns = goal.task.graph().patterns().iter();
        let predicated =
            patterns.filter(|pattern| pattern.predicate.is_some()).map(|pattern| pattern.tool.clone()).collect();
        Search {
            goal,
            environment: goal.task.environment(),
            alphabet,
            bound: Bound::new(goal),
            ledger: Ledger::default(),
            predicated,
            demands: BTreeMap::new(),
            transitions: BTreeMap::new(),
            visited: BTreeSet::new(),
            prefix: Vec::new(),
            nodes: 0,
            steps: 0,
            most_nodes,
        }
    }

    /// Searches to `depth` for a solution of at most `most` calls.
    pub(super) fn shorter(&mut self, most: usize, depth: usize) -> Found {
        let Some(start) = self.start() else { return Found::Nothing };
        let mut layer = vec![start];
        for done in 0..=depth {
            let mut next = Vec::new();
            for node in &layer {
                self.nodes += 1;
                if let Some(calls) = self.solution(node) {
                    return Found::Solution(calls);
                }
                if self.nodes >= self.most_nodes {
                    return Found::Stopped(done.saturating_sub(1));
                }
                if done < depth {
                    next.extend(self.successors(node, most - done - 1));
                }
            }
            if next.is_empty() {
                return if done < depth || depth == most { Found::Nothing } else { Found::Stopped(depth) };
            }
            layer = next;
        }
        Found::Stopped(depth)
    }

    /// The position after the prefix, with its facts; nothing when it breaks compliance.
    fn start(&mut self) -> Option<Node> {
        let (first, known) = (self.goal.task.initial().clone(), self.goal.start().known);
        let mut node = Node { state: first, known, facts: Facts::new(), called: BTreeSet::new(), path: None };
        for call in self.prefix.clone() {
            let Some(transition) = self.step(&node.state, &call) else { continue };
            let given = self.given(&transition, &call);
            node.facts.extend(given);
            node.called.insert(call.tool.clone());
            node = Node { state: transition.after, known: node.known | transition.known, ..node };
        }
        let (position, _) = self.goal.start().after_all(self.goal, &self.prefix);
        position.broken.is_empty().then_some(node)
    }

    /// The calls to a node when it solves the goal; played against the checker, which has the last word.
    fn solution(&self, node: &Node) -> Option<Vec<ToolCall>> {
        if !self.goal.is_informed(node.known) || (!self.goal.has_references() && !self.goal.is_state(&node.state)) {
            return None;
        }
        let mut calls = Vec::new();
        let mut link = node.path.as_ref();
        while let Some(here) = link {
            calls.push(here.call.clone());
            link = here.before.as_ref();
        }
        calls.reverse();
        let all = self.prefix.iter().chain(&calls);
        let (position, _): (Position, usize) = self.goal.start().after_all(self.goal, all);
        self.goal.failing(&position).is_empty().then_some(calls)
    }

    /// The positions one call further from which the goal may still be reached with `left` calls.
    fn successors(&mut self, node: &Node, left: usize) -> Vec<Node> {
        let mut reads: Vec<Node> = Vec::new();
        let mut writes: Vec<Node> = Vec::new();
        for letters in self.alphabet.letters(&node.state) {
            let is_last = left == 0 && !self.bound.may_finish(&node.state, &letters.tool);
            if is_last || !self.bound.is_open(&letters.tool, &node.called) {
                continue;
            }
            let demands = self.demands(&node.state, &letters);
            for (at, (call, demand)) in letters.calls.iter().zip(demands.iter()).enumerate() {
                let is_open = !demand.is_hopeless && demand.needs.iter().all(|fact| node.facts.contains(fact));
                if !is_open || demand.bars.iter().any(|fact| node.facts.contains(fact)) {
                    continue;
                }
                let Some(transition) = self.transition(&node.state, (letters.number, at), call) else { continue };
                let Some(next) = self.follow(node, &transition, call, left) else { continue };
                let is_same_state = next.state.sum() == node.state.sum();
                if is_same_state { reads.push(next) } else { writes.push(next) }
            }
        }
        let mut all = self.best(reads);
        all.extend(writes);
        all.retain(|node| {
            let key = (node.state.sum(), node.known, node.facts.iter().copied().collect());
            self.visited.insert(key)
        });
        all
    }

    /// The position after a call; nothing when it brings nothing or when too few calls are left.
    fn follow(&mut self, node: &Node, transition: &Transition, call: &ToolCall, left: usize) -> Option<Node> {
        let known = node.known | transition.known;
        let informed = self.goal.is_informed(known);
        let mut called = node.called.clone();
        called.insert(call.tool.clone());
        if self.bound.at_least(&transition.after, informed, &called) > left {
            return None;
        }
        // The last call opens the way to no other.
        let given = if left == 0 { Facts::new() } else { self.given(transition, call) };
        let facts: Facts = node.facts.union(&given).copied().collect();
        if transition.after.sum() == node.state.sum() && known == node.known && facts == node.facts {
            return None;
        }
        let path = Some(Rc::new(Link { call: call.clone(), before: node.path.clone() }));
        Some(Node { state: transition.after.clone(), known, facts, called, path })
    }

    /// What a call gave. What the calls of the next state ask for must be known before this one is asked.
    fn given(&mut self, transition: &Transition, call: &ToolCall) -> Facts {
        for letters in self.alphabet.letters(&transition.after) {
            self.demands(&transition.after, &letters);
        }
        let arguments = self.environment.complete(call).unwrap_or_default();
        self.ledger.given(self.goal.task, &transition.matches, &arguments, &transition.observation)
    }

    /// Of reads that lead to the same state those that no other one covers; of equals the first.
    fn best(&self, reads: Vec<Node>) -> Vec<Node> {
        let covers = |a: &Node, b: &Node| b.known & !a.known == 0 && self.ledger.covers(&a.facts, &b.facts);
        let mut kept: Vec<Node> = Vec::new();
        for read in reads {
            if kept.iter().any(|other| covers(other, &read)) {
                continue;
            }
            kept.retain(|other| !covers(&read, other));
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
            let matches = task.matching_patterns(state, call);
            let arguments = self.environment.complete(call).unwrap_or_default();
            all.push(self.ledger.demand(task, &matches, &arguments));
        }
        let all = Rc::new(all);
        self.demands.insert(key, Rc::clone(&all));
        all
    }

    fn transition(&mut self, state: &State, at: Place, call: &ToolCall) -> Option<Rc<Transition>> {
        let key = (state.sum(), at);
        if let Some(known) = self.transitions.get(&key) {
            return known.clone();
        }
        let made = self.step(state, call).map(Rc::new);
        self.transitions.insert(key, made.clone());
        made
    }

    /// Carries a call out; nothing when it is refused, forbidden or held back.
    fn step(&mut self, state: &State, call: &ToolCall) -> Option<Transition> {
        let task = self.goal.task;
        let arguments = self.environment.complete(call).unwrap_or_default();
        let barred = self.goal.outcome.forbidden.iter().chain(self.goal.held.iter().copied());
        if barred.into_iter().any(|pattern| task.is_meant(pattern, state, &call.tool, &arguments)) {
            return None;
        }
        self.steps += 1;
        let Stepped { after, result, .. } = self.environment.step(state, call, Actor::Agent);
        let observation = result.ok()?.observation;
        let matches = task.matching_patterns(state, call);
        Some(Transition { after, known: self.goal.learn(&observation), matches, observation })
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
