//! Scenes: what an agent has been told at each moment of an accepted outcome's oracle, played for a user.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use probity_behaviour::episode::play::Plan;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::{Listener, Told};
use probity_behaviour::task::oracle::{OracleRun, play};
use probity_behaviour::task::question::Ways;
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::Tool;

/// Where an agent learns something: the order is that of an episode only within one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// The environment's texts and its tools', before the user speaks.
    Brief,
    /// A turn of the user, from 1.
    Turn(usize),
    /// What an oracle call returned, from 1.
    Call(usize),
}

pub type MomentSource<'a> = (Moment, &'a Told);

/// A task with everything its agents can be told, read once.
pub struct Stage<'a> {
    pub task: &'a Task,
    pub listener: Listener<'a>,
    /// What the facts of the user tell, each on its own.
    pub facts: BTreeMap<&'a str, VoicedFact<'a>>,
    /// What is known without being told: the clock.
    pub nothing: Told,
    brief: Told,
    played: Vec<Option<PlayedOracle>>,
    turns: BTreeMap<Variant, Vec<Told>>,
}

pub struct VoicedFact<'a> {
    pub told: Told,
    pub also: Vec<Told>,
    ways: &'a Ways,
}

impl VoicedFact<'_> {
    pub fn is_said_in(&self, turn: &str) -> bool {
        self.ways.are_in(turn)
    }
}

/// An outcome's oracle with what its calls showed.
struct PlayedOracle {
    run: OracleRun,
    shown: Vec<Told>,
}

impl<'a> Stage<'a> {
    /// Reads a task. An oracle that does not run through has no scenes; that is reported where oracles are played.
    pub fn new(task: &'a Task) -> Self {
        let listener = Listener::new(task);
        let played = task.outcomes().iter().map(|outcome| {
            let run = play(task, outcome).ok()?;
            let shown = run.calls.iter().map(|(_, applied)| listener.observation(&applied.observation)).collect();
            Some(PlayedOracle { run, shown })
        });
        let played = played.collect();
        let turns = task.variants().iter().map(|(variant, behaviour)| {
            (*variant, behaviour.turns.iter().map(|turn| listener.turn(turn)).collect::<Vec<_>>())
        });
        let turns = turns.collect();
        let facts = task.file().facts.iter().zip(task.voices()).map(|((name, fact), voice)| {
            // The name of a number may tell its unit.
            let told = match fact.value.is_number() {
                true => listener.observation(&json!({ name.as_str(): fact.value })),
                false => listener.observation(&fact.value),
            };
            let also = fact.also.iter().map(|way| listener.observation(&Value::from(way.as_str()))).collect();
            (name.as_str(), VoicedFact { told, also, ways: &voice.ways })
        });
        let facts = facts.collect();
        Stage { task, facts, played, turns, brief: listener.brief(), nothing: listener.turn(""), listener }
    }

    /// The scenes of a variant: one for each accepted outcome, the oracle's own first.
    pub fn scenes(&'a self, variant: Variant) -> Vec<Scene<'a>> {
        let Some(behaviour) = self.task.behaviour(variant) else { return Vec::new() };
        let accepted = behaviour.accept.iter().enumerate();
        let scenes = accepted.filter_map(|(at, index)| self.scene(variant, behaviour, *index, at == 0));
        scenes.collect()
    }

    fn scene(&'a self, variant: Variant, behaviour: &'a Behaviour, index: usize, is_first: bool) -> Option<Scene<'a>> {
        let outcome = self.task.outcomes().get(index)?;
        let played = self.played.get(index)?.as_ref()?;
        let plan = match is_first {
            true => Plan::of_oracle(self.task, variant),
            false => Plan::of_outcome(self.task, variant, outcome),
        }?;
        let turns = self.turns.get(&variant)?;
        let mut sources = vec![(Moment::Brief, &self.brief)];
        for (number, (told, planned)) in turns.iter().zip(&plan.turns).enumerate() {
            sources.push((Moment::Turn(number + 1), told));
            let calls = planned.messages.iter().flatten().filter_map(|call| call.oracle);
            sources.extend(calls.filter_map(|call| Some((Moment::Call(call + 1), played.shown.get(call)?))));
        }
        let replies = plan.turns.into_iter().map(|turn| turn.reply).collect();
        Some(Scene { stage: self, variant, behaviour, index, outcome, run: &played.run, replies, sources })
    }

    pub fn calls(&self, outcome: usize) -> impl Iterator<Item = (&Tool, &Value)> {
        let calls = self.played.get(outcome).into_iter().flatten().flat_map(|played| &played.run.calls);
        calls.filter_map(|(call, _)| Some((self.task.environment().tool(&call.tool)?, &call.arguments)))
    }

    pub fn said_in(&self, turn: &str) -> impl Iterator<Item = &'a str> {
        self.facts.iter().filter(move |(_, fact)| fact.is_said_in(turn)).map(|(name, _)| *name)
    }
}

/// One accepted outcome's oracle, played for the user of a variant.
pub struct Scene<'a> {
    pub stage: &'a Stage<'a>,
    pub variant: Variant,
    pub behaviour: &'a Behaviour,
    pub index: usize,
    pub outcome: &'a Outcome,
    /// Its calls with what they returned.
    pub run: &'a OracleRun,
    pub replies: Vec<String>,
    /// What is told, in order.
    sources: Vec<MomentSource<'a>>,
}

impl<'a> Scene<'a> {
    /// What is known when a call is made, from 1; then what becomes known by it and after it.
    pub fn around_call(&self, call: usize) -> (&[MomentSource<'a>], &[MomentSource<'a>]) {
        let at = self.sources.iter().position(|(moment, _)| *moment == Moment::Call(call));
        self.sources.split_at(at.unwrap_or(self.sources.len()))
    }

    /// What is known when a turn, from 1, is answered; then what becomes known after it.
    pub fn around_reply(&self, turn: usize) -> (&[MomentSource<'a>], &[MomentSource<'a>]) {
        let at = self.sources.iter().position(|(moment, _)| *moment == Moment::Turn(turn + 1));
        self.sources.split_at(at.unwrap_or(self.sources.len()))
    }

    /// Whether the oracle makes a call after a turn, from 1, and before the next.
    pub fn calls_after(&self, turn: usize) -> bool {
        let after = self.sources.iter().skip_while(|(moment, _)| *moment != Moment::Turn(turn)).nth(1);
        after.is_some_and(|(moment, _)| matches!(moment, Moment::Call(_)))
    }

    /// The arguments of a call, from 1, as authored: with references to what earlier calls returned.
    pub fn authored(&self, call: usize) -> Option<&Map<String, Value>> {
        Some(&self.outcome.oracle.get(call.checked_sub(1)?)?.arguments)
    }

    /// What a call returned, from 1.
    pub fn observation(&self, call: usize) -> Option<&Value> {
        Some(&self.run.calls.get(call.checked_sub(1)?)?.1.observation)
    }
}
