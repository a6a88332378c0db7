//! A position of the search, and what leads from one to the next.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::facts::{Facts, Ledger, ObservedFacts};
use super::known::KnownPieces;
use probity_engine::{State, Sum, ToolCall};

#[derive(Clone)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) known: KnownPieces,
    pub(super) facts: Facts,
    /// The calls made, in order, that references of assertions can mean.
    pub(super) referred: Vec<u32>,
    /// Tools called so far, for the bound.
    pub(super) called: BTreeSet<String>,
    path: Option<Rc<Link>>,
}

/// Everything about a position that decides what can follow it.
pub(super) type PositionKey = (Sum, KnownPieces, Vec<u32>, Vec<u32>);

struct Link {
    call: ToolCall,
    before: Option<Rc<Link>>,
}

/// What a call does in a state, whatever came before.
pub(super) struct Transition {
    pub(super) after: State,
    /// What it brought; nothing when it was refused and only an event that fired before it changed the state.
    pub(super) made: Option<CallEffect>,
}

pub(super) struct CallEffect {
    pub(super) matches: Vec<usize>,
    pub(super) shown: Rc<ObservedFacts>,
    /// Its number among the calls that references can mean.
    pub(super) referred: Option<u32>,
}

impl Node {
    pub(super) fn start(state: State, known: KnownPieces) -> Node {
        Node { state, known, facts: Facts::new(), referred: Vec::new(), called: BTreeSet::new(), path: None }
    }

    pub(super) fn after(&self, call: &ToolCall, transition: &Transition, given: &Facts) -> Node {
        let mut next = self.clone();
        next.state = transition.after.clone();
        next.path = Some(Rc::new(Link { call: call.clone(), before: next.path.take() }));
        if let Some(made) = &transition.made {
            next.known.extend(made.shown.known.iter().copied());
            next.facts.extend(given);
            next.referred.extend(made.referred);
            next.called.insert(call.tool.clone());
        }
        next
    }

    pub(super) fn into_start(self) -> Node {
        Node { path: None, ..self }
    }

    /// Whether nothing but the way sets two positions apart.
    pub(super) fn is_like(&self, other: &Node) -> bool {
        self.state.sum() == other.state.sum()
            && self.known == other.known
            && self.facts == other.facts
            && self.referred == other.referred
    }

    /// Whether whatever solves the goal from another position with the same state solves it from here.
    pub(super) fn covers(&self, other: &Node, ledger: &Ledger) -> bool {
        self.referred == other.referred
            && other.known.is_subset(&self.known)
            && ledger.covers(&self.facts, &other.facts)
    }

    pub(super) fn key(&self) -> PositionKey {
        (self.state.sum(), self.known.clone(), self.facts.iter().copied().collect(), self.referred.clone())
    }

    pub(super) fn members(&self) -> usize {
        self.known.len() + self.facts.len() + self.referred.len() + self.called.len()
    }

    pub(super) fn calls(&self) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let mut link = self.path.as_ref();
        while let Some(here) = link {
            calls.push(here.call.clone());
            link = here.before.as_ref();
        }
        calls.reverse();
        calls
    }
}
