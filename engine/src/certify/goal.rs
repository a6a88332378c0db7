//! What a candidate trace must reach: the predicate of certificates (DESIGN 10, L4).
//!
//! A trace solves an outcome when it satisfies state and compliance and every value that must be said occurs
//! in what it observed or was told. Coverage is off, or else the proof would be a tautology.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::need::{Kind, Need, Sources, needs};
use super::position::{Item, Items, Position};
use crate::engine::events::Pattern;
use crate::engine::state::State;
use crate::model::canonical;
use crate::model::ids::Variant;
use crate::score::honesty::told::{Listener, Told};
use crate::task::matching::{MadeCall, assign};
use crate::task::oracle::OracleRun;
use crate::task::reference::{Observations, calls_referred_to};
use crate::task::{Behaviour, Outcome, Task};

/// An outcome as some users accept it: those who hold the same calls back and tell the same of what must be said.
pub struct Goal<'a> {
    /// The task.
    pub task: &'a Task,
    /// The outcome's position in the task.
    pub index: usize,
    /// The outcome.
    pub outcome: &'a Outcome,
    /// The variants that accept it so.
    pub variants: Vec<Variant>,
    /// What each group of phrases needs.
    pub needs: Vec<Need>,
    /// Calls that wait for a word of the user that never comes.
    pub held: Vec<&'a Pattern>,
    listener: Listener<'a>,
    /// What is known from the start: what users say, and the brief.
    told: Vec<Told>,
    start: Known,
    wanted: Known,
    has_references: bool,
    learnt: RefCell<BTreeMap<String, Known>>,
}

/// A set of groups of `must_say`, by position: those whose value is known.
pub type Known = u64;

impl<'a> Goal<'a> {
    /// The goals of an outcome: variants that ask for the same share one. Without an oracle run there is none.
    pub fn of_outcome(task: &'a Task, index: usize, run: &OracleRun) -> Vec<Goal<'a>> {
        let Some(outcome) = task.outcomes().get(index) else { return Vec::new() };
        let mut goals: Vec<Goal<'a>> = Vec::new();
        for (variant, behaviour) in task.variants().iter().filter(|(_, behaviour)| behaviour.accept.contains(&index)) {
            let goal = Goal::new(task, index, outcome, *variant, behaviour, run);
            match goals.iter_mut().find(|known| known.is_same(&goal)) {
                Some(known) => known.variants.push(*variant),
                None => goals.push(goal),
            }
        }
        goals
    }

    /// The goal of an outcome in one variant.
    pub fn of_variant(task: &'a Task, index: usize, variant: Variant, run: &OracleRun) -> Option<Goal<'a>> {
        let (outcome, behaviour) = (task.outcomes().get(index)?, task.behaviour(variant)?);
        Some(Goal::new(task, index, outcome, variant, behaviour, run))
    }

    fn new(
        task: &'a Task,
        index: usize,
        outcome: &'a Outcome,
        variant: Variant,
        behaviour: &'a Behaviour,
        run: &OracleRun,
    ) -> Goal<'a> {
        let listener = Listener::new(task);
        let mut told = vec![listener.brief()];
        told.extend(behaviour.turns.iter().map(|turn| listener.turn(turn)));
        let replies = if behaviour.accept.first() == Some(&index) { &behaviour.replies } else { &outcome.replies };
        let needs = needs(outcome, replies, &Sources::new(&listener, &behaviour.turns, &told, run));
        let of_kind = |wanted: fn(&Kind) -> bool| -> Known {
            needs.iter().enumerate().filter(|(_, need)| wanted(&need.kind)).fold(0, |set, (at, _)| set | bit(at))
        };
        let start = of_kind(|kind| matches!(kind, Kind::Told | Kind::Words));
        let wanted = of_kind(|kind| !matches!(kind, Kind::Derived));
        let never = behaviour.contradicts.iter().filter(|hold| hold.source.settled_in_turn.is_none());
        let held = never.flat_map(|hold| &hold.calls).collect();
        let mut referred = std::collections::BTreeSet::new();
        for assertion in outcome.achieves.iter().chain(&outcome.preserves) {
            assertion.values().for_each(|value| calls_referred_to(value, &mut referred));
        }
        Goal {
            task,
            index,
            outcome,
            variants: vec![variant],
            needs,
            held,
            listener,
            told,
            start,
            wanted,
            has_references: !referred.is_empty(),
            learnt: RefCell::default(),
        }
    }

    fn is_same(&self, other: &Goal) -> bool {
        let kinds = |goal: &Goal| -> Vec<Kind> { goal.needs.iter().map(|need| need.kind).collect() };
        let held = |goal: &Goal| -> Vec<String> { goal.held.iter().map(|p| p.source.to_string()).collect() };
        kinds(self) == kinds(other) && held(self) == held(other)
    }

    /// The position before the first call.
    pub fn start(&self) -> Position {
        Position::new(self.task, self.start)
    }

    /// The groups whose value an observation tells.
    pub fn learn(&self, observation: &Value) -> Known {
        let key = canonical::to_string(observation);
        if let Some(known) = self.learnt.borrow().get(&key) {
            return *known;
        }
        let told = self.listener.observation(observation);
        let tells = |need: &Need| matches!(need.kind, Kind::Seen) && need.ways.iter().any(|way| way.occurs_in(&told));
        let known = self.needs.iter().enumerate().filter(|(_, need)| tells(need)).fold(0, |set, (at, _)| set | bit(at));
        self.learnt.borrow_mut().insert(key, known);
        known
    }

    /// Whether all that one source can tell is known.
    pub fn is_informed(&self, known: Known) -> bool {
        known & self.wanted == self.wanted
    }

    /// Whether its assertions refer to calls of the oracle, so that a state alone does not decide them.
    pub fn has_references(&self) -> bool {
        self.has_references
    }

    /// Whether a value follows only from several sources together, which no single call tells.
    pub fn has_derived(&self) -> bool {
        self.needs.iter().any(|need| need.kind == Kind::Derived)
    }

    /// Whether a state is as the outcome asserts, leaving aside what refers to calls.
    pub fn is_state(&self, state: &State) -> bool {
        let initial = self.task.initial();
        let assertions = self.outcome.achieves.iter().chain(&self.outcome.preserves);
        assertions.clone().all(|assertion| assertion.holds(initial, state, Observations::default()))
    }

    /// What keeps a trace from solving the outcome; nothing when it does.
    pub fn failing(&self, position: &Position) -> Items {
        let mut failing = position.broken.clone();
        let made: Vec<MadeCall> = position.made.iter().map(|made| made.as_made()).collect();
        let assignment = match self.has_references {
            true => assign(self.task.environment(), self.outcome, &made),
            false => Vec::new(),
        };
        let shown: Vec<Option<&Value>> =
            assignment.iter().map(|at| at.and_then(|at| made.get(at)).map(|made| made.observation)).collect();
        let wrong = |assertions: &[crate::task::assertion::CheckedAssertion], item: fn(usize) -> Item| -> Vec<Item> {
            let all = assertions.iter().enumerate();
            let holds = |assertion: &crate::task::assertion::CheckedAssertion| {
                assertion.holds(self.task.initial(), &position.state, Observations(&shown))
            };
            all.filter(|(_, assertion)| !holds(assertion)).map(|(at, _)| item(at)).collect()
        };
        failing.extend(wrong(&self.outcome.achieves, Item::Achieves));
        failing.extend(wrong(&self.outcome.preserves, Item::Preserves));
        let unknown = self.needs.iter().enumerate().filter(|(at, need)| !self.knows(*at, need, position));
        failing.extend(unknown.map(|(at, _)| Item::MustSay(at)));
        failing
    }

    fn knows(&self, at: usize, need: &Need, position: &Position) -> bool {
        match need.kind {
            Kind::Told | Kind::Words => true,
            Kind::Seen => position.known & bit(at) != 0,
            Kind::Unknown => false,
            Kind::Derived => {
                let seen: Vec<Told> =
                    position.made.iter().map(|made| self.listener.observation(&made.observation)).collect();
                let all: Vec<&Told> = self.told.iter().chain(&seen).collect();
                need.ways.iter().any(|way| way.follows_from(&all))
            }
        }
    }
}

/// The set with one group in it; groups beyond the 64th share the last place, which only makes them harder to know.
pub fn bit(at: usize) -> Known {
    1 << at.min(63)
}
