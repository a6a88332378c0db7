//! Playing an oracle trace on a fresh state, without a dialogue; and the outcomes and behaviours that a task has.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use super::Task;
use super::assertion::CheckedAssertion;
use super::presumption::{Premise, premises};
use super::reference::{Dangling, Observations};
use crate::model::task_file::{CallFile, Contradiction, Planted, Presumption};
use crate::model::variant::Variant;
use probity_bench::{Move, Step};
use probity_engine::{
    Actor, Applied, Checker, Delta, Environment, ObservedCall, Pattern, Played, Rejection, Session, State, Stepped,
    ToolCall,
};
use probity_prose::Answer;
use probity_prose::token::words;

pub struct OracleRun {
    /// Each call, references filled in, with what it returned.
    pub calls: Vec<(ToolCall, Applied)>,
    pub last: State,
}

impl OracleRun {
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.calls.iter().map(|(call, _)| call.clone()).collect()
    }

    pub fn observations(&self) -> Vec<Option<&Value>> {
        self.calls.iter().map(|(_, applied)| Some(&applied.observation)).collect()
    }
}

#[derive(Debug)]
pub struct OracleStop {
    /// The position of the call.
    pub call: usize,
    pub why: StopReason,
}

#[derive(Debug)]
pub enum StopReason {
    Dangling(Dangling),
    Refused {
        before: Box<State>,
        /// The call, references filled in.
        call: ToolCall,
        rejection: Box<Rejection>,
    },
}

pub fn fill(call: &OracleCall, observations: &[Option<&Value>]) -> Option<ToolCall> {
    let arguments = Observations(observations).fill_map(&call.arguments)?;
    Some(ToolCall::new(call.tool.clone(), Value::Object(arguments)))
}

/// Plays an outcome's oracle trace from the task's initial state.
/// An error: where it stops, and why.
pub fn play(task: &Task, outcome: &Outcome) -> Result<OracleRun, OracleStop> {
    let mut run = OracleRun { calls: Vec::new(), last: task.initial().clone() };
    for (index, call) in outcome.oracle.iter().enumerate() {
        let stop = |why| OracleStop { call: index, why };
        let observations = run.observations();
        let filled = fill(call, &observations);
        let Some(call) = filled else {
            let dangling = Observations(&observations).dangling(&call.arguments, "").into_iter().next();
            return Err(stop(StopReason::Dangling(dangling.unwrap_or_default())));
        };
        let Stepped { after, result, .. } = task.environment().step(&run.last, &call, Actor::Agent);
        match result {
            Ok(applied) => run.calls.push((call, applied)),
            Err(rejection) => {
                let (before, rejection) = (Box::new(after), Box::new(rejection));
                return Err(stop(StopReason::Refused { before, call, rejection }));
            }
        }
        run.last = after;
    }
    Ok(run)
}

/// A point in a play of a task. A clone is O(1), so that play can go on from it in more than one way.
#[derive(Clone)]
pub struct Position {
    session: Session<Arc<Environment>>,
    checker: Checker,
}

impl Position {
    pub fn start(task: &Task) -> Position {
        let session = Session::new(Arc::clone(task.environment()), task.initial().clone());
        Position { session, checker: Checker::new(task.graph().clone()) }
    }

    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Makes a call of one side's message `message`.
    pub fn play(&mut self, task: &Task, call: &ToolCall, by: Actor, message: u32) -> (Played, Move) {
        let environment = task.environment();
        let arguments = environment.complete(call);
        let matches = match &arguments {
            Some(arguments) => task.matching_patterns(self.state(), &call.tool, arguments),
            None => Vec::new(),
        };
        let played = self.session.call(call, by);
        let arguments = arguments.unwrap_or_default();
        let call = ObservedCall {
            step: played.step,
            message,
            tool: &call.tool,
            arguments: &arguments,
            observation: played.result.as_ref().ok().map(|applied| &applied.observation),
            is_read: environment.is_read(&call.tool),
            matches: &matches,
        };
        let breaches = self.checker.observe(&call);
        (played, Move { arguments, breaches, after: self.state().clone() })
    }

    /// The same as a step of a trace.
    pub fn step(&mut self, task: &Task, call: ToolCall, by: Actor, message: u32) -> (Step, Move) {
        let (played, made) = self.play(task, &call, by, message);
        (Step::of(played, call, (by, message), self.state()), made)
    }
}

pub struct Outcome {
    /// Its name; the first of a task is `base`.
    pub name: String,
    pub oracle: Vec<OracleCall>,
    pub delta: Delta,
    /// Assertions that the oracle makes true.
    pub achieves: Vec<CheckedAssertion>,
    pub preserves: Vec<CheckedAssertion>,
    /// Calls that must not succeed: its own, then the environment's.
    pub forbidden: Vec<Pattern>,
    /// Groups of answers; the replies must give one of each.
    pub must_say: Vec<Vec<Answer>>,
    /// What a good agent replies, turn by turn.
    pub replies: Vec<String>,
}

impl Outcome {
    /// The action budget: the number of oracle calls.
    pub fn budget(&self) -> usize {
        self.oracle.len()
    }
}

/// A call of the oracle trace, bindings filled in; references to earlier observations stay.
#[derive(Clone, Debug)]
pub struct OracleCall {
    pub tool: String,
    /// Its arguments; `$2.field` is still a reference.
    pub arguments: Map<String, Value>,
    /// The user turn, from 1, after which it is made.
    pub segment: u32,
    /// Positions of the oracle calls that must have been made before it.
    pub after: Vec<usize>,
    pub equivalents: Vec<CallFile>,
}

impl OracleCall {
    /// Whether it, or a call that does as well, is of this tool.
    pub fn is_by(&self, tool: &str) -> bool {
        self.tool == tool || self.equivalents.iter().any(|call| call.tool == tool)
    }
}

pub struct Behaviour {
    pub turns: Vec<String>,
    /// Facts left out of the first turn.
    pub withheld: Vec<String>,
    pub planted: Vec<Planted>,
    /// Wishes that cannot both be had, with the calls that must wait.
    pub contradicts: Vec<Hold>,
    /// Reads this user really asks for on top of the oracle's.
    pub extra_calls: Vec<CallFile>,
    /// Calls the user says yes to, with the turn of the yes.
    pub consents: Vec<(u32, Pattern)>,
    /// What its author says that turns take for granted.
    pub presumes: BTreeMap<u32, Vec<Presumption>>,
    /// Positions in [`Task::outcomes`] that are accepted; the oracle plays the first.
    pub accept: Vec<usize>,
    /// The segments of the first accepted outcome's calls in this variant.
    pub segments: Vec<u32>,
    pub replies: Vec<String>,
    pub(super) told_words: OnceLock<usize>,
    pub(super) premises: OnceLock<Vec<(u32, Premise)>>,
}

impl Behaviour {
    /// What its turns take for granted, each with its turn, from 1, in their order; `task` and `variant` are those that it
    /// is of.
    pub fn premises(&self, task: &Task, variant: Variant) -> &[(u32, Premise)] {
        self.premises.get_or_init(|| premises(task, variant, self))
    }

    /// How many words its replies have together.
    pub fn told_words(&self) -> usize {
        *self.told_words.get_or_init(|| self.replies.iter().map(|reply| words(reply).len()).sum())
    }
}

pub struct Hold {
    pub source: Contradiction,
    /// Calls that must wait until it is settled.
    pub calls: Vec<Pattern>,
}
