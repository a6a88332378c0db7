//! What a candidate trace must reach: the predicate of certificates.
//!
//! A trace solves an outcome when it satisfies state and compliance and every value that must be said occurs
//! in what it observed or was told. Coverage is off, or else the proof would be a tautology.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::candidate::{Candidate, Item, Items};
use super::need::{NeedKind, PhraseNeed, Sources, needs};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::{Listener, Told};
use probity_behaviour::task::matching::{MadeCall, assign, shown};
use probity_behaviour::task::oracle::OracleRun;
use probity_behaviour::task::reference::{Observations, calls_referred_to};
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::{Pattern, State, Sum, canonical};

/// An outcome as some users accept it: those who hold the same calls back and tell the same of what must be said.
pub struct Goal<'a> {
    pub task: &'a Task,
    /// The outcome's position in the task.
    pub index: usize,
    pub outcome: &'a Outcome,
    pub variants: Vec<Variant>,
    pub needs: Vec<PhraseNeed>,
    /// Calls that wait for a word of the user that never comes.
    pub held: Vec<&'a Pattern>,
    listener: Listener<'a>,
    /// What each of its users is told from the start: the brief, and what they say themselves.
    told: Vec<Vec<Told>>,
    /// Whether its assertions refer to calls of the oracle, so that a state alone does not decide them.
    pub has_references: bool,
    learnt: RefCell<BTreeMap<Sum, KnownPieces>>,
}

impl<'a> Goal<'a> {
    pub fn is_played_by(&self, user: &Behaviour) -> bool {
        user.accept.first() == Some(&self.index)
    }

    /// The users whose oracle plays this outcome.
    pub fn players(&self) -> impl Iterator<Item = (Variant, &'a Behaviour)> {
        let users = self.variants.iter().filter_map(|variant| Some((*variant, self.task.behaviour(*variant)?)));
        users.filter(|(_, user)| self.is_played_by(user))
    }

    /// The goals of an outcome: variants that ask for the same share one. Without an oracle run there is none.
    pub fn of_outcome(task: &'a Task, index: usize, run: &OracleRun) -> Vec<Goal<'a>> {
        let Some(outcome) = task.outcomes().get(index) else { return Vec::new() };
        let mut goals: Vec<Goal<'a>> = Vec::new();
        for (variant, behaviour) in task.variants().iter().filter(|(_, behaviour)| behaviour.accept.contains(&index)) {
            let goal = Goal::new(task, index, outcome, *variant, behaviour, run);
            match goals.iter_mut().find(|known| known.is_same(&goal)) {
                Some(known) => known.join(goal),
                None => goals.push(goal),
            }
        }
        goals
    }

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
            told: vec![told],
            has_references: !referred.is_empty(),
            learnt: RefCell::default(),
        }
    }

    fn is_same(&self, other: &Goal) -> bool {
        let said = |goal: &'_ Goal| -> Vec<(NeedKind, String)> {
            goal.needs.iter().map(|need| (need.kind, need.phrase.clone())).collect()
        };
        let held = |goal: &Goal| -> Vec<String> { goal.held.iter().map(|p| p.source.to_string()).collect() };
        said(self) == said(other) && held(self) == held(other)
    }

    fn join(&mut self, other: Goal) {
        self.variants.extend(other.variants);
        self.told.extend(other.told);
        self.learnt.borrow_mut().clear();
    }

    /// The position before the first call.
    pub fn start(&self) -> Candidate {
        Candidate::new(self.task, self.derived(None))
    }

    /// What an observation tells, on its own or next to what was said.
    pub fn learn(&self, observation: &Value) -> KnownPieces {
        let key = Sum::of(&canonical::to_string(observation));
        if let Some(known) = self.learnt.borrow().get(&key) {
            return known.clone();
        }
        let told = self.listener.observation(observation);
        let tells = |need: &PhraseNeed| need.kind == NeedKind::Seen && need.ways.iter().any(|way| way.occurs_in(&told));
        let seen = self.needs.iter().enumerate().filter(|(_, need)| tells(need));
        let mut known: KnownPieces = seen.map(|(group, _)| Piece { group, part: None }).collect();
        known.extend(self.derived(Some(&told)));
        self.learnt.borrow_mut().insert(key, known.clone());
        known
    }

    /// The parts of values that follow from what was said and this observation.
    fn derived(&self, observation: Option<&Told>) -> KnownPieces {
        let mut known = KnownPieces::new();
        for (group, need) in self.needs.iter().enumerate().filter(|(_, need)| need.kind == NeedKind::Derived) {
            for (user, told) in self.told.iter().enumerate() {
                let sources: Vec<&Told> = told.iter().chain(observation).collect();
                for (way, spoken) in need.ways.iter().enumerate() {
                    let parts = spoken.following(&sources).into_iter().map(|value| DerivedValue { user, way, value });
                    known.extend(parts.map(|part| Piece { group, part: Some(part) }));
                }
            }
        }
        known
    }

    pub fn is_informed(&self, known: &KnownPieces) -> bool {
        self.needs.iter().enumerate().all(|(group, need)| self.knows(group, need, known))
    }

    fn knows(&self, group: usize, need: &PhraseNeed, known: &KnownPieces) -> bool {
        match need.kind {
            NeedKind::Told | NeedKind::Words => true,
            NeedKind::Seen => known.contains(&Piece { group, part: None }),
            NeedKind::Unknown => false,
            NeedKind::Derived => (0..self.told.len()).any(|user| {
                need.ways.iter().enumerate().any(|(way, spoken)| {
                    let has = |value| known.contains(&Piece { group, part: Some(DerivedValue { user, way, value }) });
                    spoken.has_value() && (0..spoken.count()).all(has)
                })
            }),
        }
    }

    /// Whether a state is as the outcome asserts, leaving aside what refers to calls.
    pub fn is_state(&self, state: &State) -> bool {
        let initial = self.task.initial();
        let assertions = self.outcome.achieves.iter().chain(&self.outcome.preserves);
        assertions.clone().all(|assertion| assertion.holds(initial, state, Observations::default()))
    }

    /// What keeps a trace from solving the outcome; nothing when it does.
    pub fn failing(&self, position: &Candidate) -> Items {
        let mut failing = position.broken.clone();
        let made: Vec<MadeCall> = position.made.iter().map(|made| made.as_made()).collect();
        let assignment = match self.has_references {
            true => assign(self.task.environment(), self.outcome, &made),
            false => Vec::new(),
        };
        let shown = shown(&assignment, &made);
        let wrong = |assertions: &[probity_behaviour::task::assertion::CheckedAssertion],
                     item: fn(usize) -> Item|
         -> Vec<Item> {
            let all = assertions.iter().enumerate();
            let holds = |assertion: &probity_behaviour::task::assertion::CheckedAssertion| {
                assertion.holds(self.task.initial(), position.state(), Observations(&shown))
            };
            all.filter(|(_, assertion)| !holds(assertion)).map(|(at, _)| item(at)).collect()
        };
        failing.extend(wrong(&self.outcome.achieves, Item::Achieves));
        failing.extend(wrong(&self.outcome.preserves, Item::Preserves));
        let unknown = self.needs.iter().enumerate().filter(|(at, need)| !self.knows(*at, need, &position.known));
        failing.extend(unknown.map(|(at, _)| Item::MustSay(at)));
        failing
    }
}

/// One thing to know for a group of `must_say`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// The group, by position.
    pub group: usize,
    /// Of a group whose value follows from several sources: the part of it that one source tells.
    pub part: Option<DerivedValue>,
}

/// A value of a phrase that follows from what one user says and one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DerivedValue {
    /// The user, by position among those of the goal.
    pub user: usize,
    /// The way to say it, by position.
    pub way: usize,
    /// The value, by position in that way.
    pub value: usize,
}

pub type KnownPieces = BTreeSet<Piece>;

#[cfg(test)]
mod tests {
    use super::super::shop::Shop;
    use super::*;
    use serde_json::json;

    /// Users who are told the same in other words are given goals of their own: what counts as told differs.
    #[test]
    fn goals_that_say_other_phrases_are_not_the_same() {
        let mut shop = Shop::new();
        shop.task["outcomes"][0]["must_say"] = json!([["order OR002 to 3", "order OR002 to three"]]);
        let goals = |shop: &Shop| shop.with_goal(|task, run, _| Goal::of_outcome(task, 0, run).len());
        assert_eq!(goals(&shop), 1);
        shop.task["variants"]["ideal"]["replies"] = json!([
            "I found your order of 2 teapots, IT01. Shall I change it?",
            "Done: I changed order OR002 to three teapots."
        ]);
        assert_eq!(goals(&shop), 2);
    }

    /// No group of `must_say` stands for another, however many there are.
    #[test]
    fn a_hundred_groups_are_a_hundred_things_to_know() {
        let mut shop = Shop::new();
        shop.task["outcomes"][0]["must_say"] = (0..100).map(|at| json!([format!("word{at}"), "teapots"])).collect();
        shop.task["outcomes"][0]["must_say"][99] = json!(["OR002"]);
        shop.task["outcomes"][0]["must_say"][98] = json!(["9.50"]);
        shop.with_goal(|_, _, goal| {
            let known = goal.learn(&json!([{"order_id": "OR002"}]));
            let groups: Vec<usize> = known.iter().map(|piece| piece.group).collect();
            assert!(groups.contains(&99) && !groups.contains(&98), "{groups:?}");
        });
    }
}
