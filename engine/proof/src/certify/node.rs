//! A position of the search, what leads from one to the next, and the calls that do.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::alphabet::Letters;
use super::bound::Distance;
use super::facts::{FactTable, Facts, ObservedFacts};
use super::goal::KnownPieces;
use probity_engine::recall::RepeatedCall;
use probity_engine::{Actor, Environment, Fields, State, Sum, ToolCall};

/// A state that a search came to, with what it has found out about it.
pub(super) struct SearchState {
    pub(super) state: State,
    pub(super) sum: Sum,
    pub(super) distance: Distance,
    pub(super) letters: OnceCell<Vec<Rc<Letters>>>,
    /// Whether all that these calls ask for has been asked.
    pub(super) is_asked: Cell<bool>,
    /// What calls do in it, as far as it was asked; nothing for those that are not made in it.
    pub(super) transitions: RefCell<BTreeMap<CallPlace, Option<Rc<Transition>>>>,
}

/// A call by the number of its letters and its place among them.
pub(super) type CallPlace = (u32, usize);

#[derive(Clone)]
pub(super) struct Node {
    pub(super) place: Rc<SearchState>,
    pub(super) known: Rc<KnownPieces>,
    pub(super) facts: Rc<Facts>,
    /// The calls made, in order, that references of assertions can mean.
    pub(super) referred: Rc<Vec<u32>>,
    /// Tools called so far, for the bound.
    pub(super) called: Rc<BTreeSet<String>>,
    path: Option<Rc<Link>>,
}

/// Everything about a position that decides what can follow it.
pub(super) type PositionKey = (Sum, Rc<KnownPieces>, Rc<Facts>, Rc<Vec<u32>>);

struct Link {
    letters: Rc<Letters>,
    /// The call's place among them.
    at: usize,
    before: Option<Rc<Link>>,
}

/// What a call does in a state, whatever came before.
pub(super) struct Transition {
    pub(super) after: Rc<SearchState>,
    /// What it brought; nothing when it was refused and only an event that fired before it changed the state.
    pub(super) made: Option<CallEffect>,
}

pub(super) struct CallEffect {
    pub(super) matches: Rc<[usize]>,
    pub(super) shown: Rc<ObservedFacts>,
    /// Its number among the calls that references can mean.
    pub(super) referred: Option<u32>,
    /// What it gives later calls, by how much had been asked for.
    pub(super) given: RefCell<Option<(usize, Rc<Facts>)>>,
}

/// A set with more in it; the same where there is nothing more.
fn with<T: Ord + Clone>(set: &Rc<BTreeSet<T>>, more: &BTreeSet<T>) -> Rc<BTreeSet<T>> {
    match more.is_subset(set) {
        true => Rc::clone(set),
        false => Rc::new(set.union(more).cloned().collect()),
    }
}

impl Node {
    pub(super) fn start(place: Rc<SearchState>, known: KnownPieces) -> Node {
        let (known, facts) = (Rc::new(known), Rc::default());
        Node { place, known, facts, referred: Rc::default(), called: Rc::default(), path: None }
    }

    /// The position after a call, without what it gives later ones.
    pub(super) fn after(&self, tool: &str, transition: &Transition) -> Node {
        let mut next = self.clone();
        next.place = Rc::clone(&transition.after);
        if let Some(made) = &transition.made {
            next.known = with(&next.known, &made.shown.known);
            if let Some(number) = made.referred {
                Rc::make_mut(&mut next.referred).push(number);
            }
            if !next.called.contains(tool) {
                Rc::make_mut(&mut next.called).insert(tool.to_owned());
            }
        }
        next
    }

    pub(super) fn give(&mut self, given: &Facts) {
        self.facts = with(&self.facts, given);
    }

    /// Notes the call that led here.
    pub(super) fn by(mut self, letters: &Rc<Letters>, at: usize) -> Node {
        self.path = Some(Rc::new(Link { letters: Rc::clone(letters), at, before: self.path.take() }));
        self
    }

    /// Whether nothing but the way sets two positions apart.
    pub(super) fn is_like(&self, other: &Node) -> bool {
        self.place.sum == other.place.sum
            && self.known == other.known
            && self.facts == other.facts
            && self.referred == other.referred
    }

    /// Whether whatever solves the goal from another position with the same state solves it from here.
    pub(super) fn covers(&self, other: &Node, table: &FactTable) -> bool {
        self.referred == other.referred && other.known.is_subset(&self.known) && table.covers(&self.facts, &other.facts)
    }

    pub(super) fn key(&self) -> PositionKey {
        let (known, facts, referred) = (Rc::clone(&self.known), Rc::clone(&self.facts), Rc::clone(&self.referred));
        (self.place.sum, known, facts, referred)
    }

    pub(super) fn members(&self) -> usize {
        self.known.len() + self.facts.len() + self.referred.len() + self.called.len()
    }

    pub(super) fn calls(&self) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let mut link = self.path.as_ref();
        while let Some(here) = link {
            calls.extend(here.letters.calls.get(here.at).cloned());
            link = here.before.as_ref();
        }
        calls.reverse();
        calls
    }
}

pub(super) struct Letter {
    pub(super) tool: String,
    /// Its arguments, defaults filled in.
    pub(super) arguments: Fields,
    /// The patterns of the graph that mean it, where no predicate decides that by the state.
    pub(super) matches: OnceCell<Rc<[usize]>>,
    /// It, with what came of it in the states met so far.
    pub(super) repeated: RefCell<RepeatedCall>,
}

/// All letters met so far: the same call is one letter, whatever list it stands in.
pub(super) struct Lexicon<'a> {
    environment: &'a Environment,
    by_call: BTreeMap<Sum, Rc<Letter>>,
    /// By the number of their list.
    known: BTreeMap<u32, Rc<Vec<Rc<Letter>>>>,
}

impl<'a> Lexicon<'a> {
    pub(super) fn new(environment: &'a Environment) -> Self {
        Lexicon { environment, by_call: BTreeMap::new(), known: BTreeMap::new() }
    }

    pub(super) fn known(&mut self, letters: &Letters) -> Rc<Vec<Rc<Letter>>> {
        if let Some(known) = self.known.get(&letters.number) {
            return Rc::clone(known);
        }
        let known: Rc<Vec<Rc<Letter>>> = Rc::new(letters.calls.iter().map(|call| self.letter(call)).collect());
        self.known.insert(letters.number, Rc::clone(&known));
        known
    }

    pub(super) fn letter(&mut self, call: &ToolCall) -> Rc<Letter> {
        let new = || {
            let repeated = RefCell::new(RepeatedCall::new(self.environment, call.clone(), Actor::Agent));
            let arguments = self.environment.complete(call).unwrap_or_default();
            Rc::new(Letter { tool: call.tool.clone(), arguments, matches: OnceCell::new(), repeated })
        };
        let sum = Sum::of(&format!("{} {}", call.tool, call.arguments));
        Rc::clone(self.by_call.entry(sum).or_insert_with(new))
    }
}
