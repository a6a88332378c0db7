//! Playing a task under a behaviour: its world, its header, and the dialogue that all benchmarks share; and the agent
//! that plays a plan.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::user::{SCRIPTED, ScriptedUser};
use crate::card::NAME;
use crate::model::variant::Variant;
use crate::task::oracle::Position;
use crate::task::reference::Observations;
use crate::task::{OracleCall, Outcome, Task};
use probity_bench::{
    Agent, AgentFault, AgentMessage, Dialogue, Extent, Header, Heard, Limits, Move, Options, Rollout, Step, Trace,
    User, World,
};
use probity_engine::{Actor, Hash, State, ToolCall};

/// What is played: a task under a behaviour, with a seed and limits.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub task: &'a Task,
    pub variant: Variant,
    pub seed: u64,
    pub limits: Limits,
    /// What the header says of the user: `scripted`, `contract`, `model:NAME`.
    pub user: &'a str,
}

#[derive(Clone)]
struct PlayedTask<'a> {
    task: &'a Task,
    position: Position,
}

impl World for PlayedTask<'_> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        let (step, made) = self.position.step(self.task, call, by, message);
        (step, Some(made))
    }

    fn state(&self) -> Option<&State> {
        Some(self.position.state())
    }

    fn fingerprint(&self) -> Hash {
        self.task.environment().fingerprint(self.position.state())
    }
}

/// A task that nobody has spoken in, with such a user.
pub fn open<'a>(task: &'a Task, header: Header, user: Box<dyn User + 'a>) -> Dialogue<'a> {
    let world = PlayedTask { task, position: Position::start(task) };
    Dialogue::new(header, (Arc::clone(task.brief()), Extent::Episode), world, user)
}

pub fn play<'a>(setting: Setting<'a>, agent: &mut dyn Agent, user: impl User + 'a) -> Trace {
    open(setting.task, header(setting), Box::new(user)).play(agent).trace
}

/// Plays an episode with the user who says the task's turns; nothing where the task has no such variant.
pub fn play_scripted(task: &Task, variant: Variant, seed: u64, agent: &mut dyn Agent) -> Option<Rollout> {
    let turns = task.behaviour(variant)?.turns.clone();
    let setting = Setting { task, variant, seed, limits: Limits::default(), user: SCRIPTED };
    Some(open(task, header(setting), Box::new(ScriptedUser::new(turns))).play(agent))
}

pub fn header(setting: Setting) -> Header {
    let Setting { task, variant, seed, limits, user } = setting;
    let played = probity_bench::Setting { seed, limits, user, options: &Options::new(), next: None };
    Header::new(NAME, task.environment(), (task.id(), variant.levels()), &played, [task.hash(), task.prompt()])
}

/// What an agent is going to do, turn by turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// One entry for each turn of the user.
    pub turns: Vec<PlannedTurn>,
}

/// The calls made after a user turn, and the reply that ends it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedTurn {
    /// Messages with calls, in order; the calls of one message are a batch.
    pub messages: Vec<Vec<PlannedCall>>,
    pub reply: String,
}

/// A call with references of the form `$2.field`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCall {
    pub tool: String,
    /// Its arguments, references still to be filled in.
    pub arguments: Map<String, Value>,
    /// Which oracle call (from 0) this is; references to that call find what it returned.
    pub oracle: Option<usize>,
}

impl Plan {
    /// What the oracle does in a variant: its calls one by one, after the turns they belong to.
    pub fn of_oracle(task: &Task, variant: Variant) -> Option<Plan> {
        let (behaviour, outcome) = (task.behaviour(variant)?, task.oracle_outcome(variant)?);
        Plan::of_calls(&outcome.oracle, &behaviour.segments, behaviour.replies.clone())
    }

    /// What leads to another accepted outcome in a variant: its own segments and replies, fitted to the
    /// turns that this user has.
    pub fn of_outcome(task: &Task, variant: Variant, outcome: &Outcome) -> Option<Plan> {
        let turns = task.behaviour(variant)?.turns.len();
        let last = u32::try_from(turns).unwrap_or(u32::MAX);
        let segments: Vec<u32> = outcome.oracle.iter().map(|call| call.segment.min(last)).collect();
        let (now, later) = outcome.replies.split_at(outcome.replies.len().min(turns));
        let mut replies = now.to_vec();
        replies.resize_with(turns, String::new);
        replies.last_mut()?.extend(later.iter().map(|reply| format!(" {reply}")));
        Plan::of_calls(&outcome.oracle, &segments, replies)
    }

    /// Calls of an oracle after the turns that `segments` says, each turn with its reply.
    pub fn of_calls(oracle: &[OracleCall], segments: &[u32], replies: Vec<String>) -> Option<Plan> {
        let mut turns: Vec<PlannedTurn> =
            replies.into_iter().map(|reply| PlannedTurn { messages: Vec::new(), reply }).collect();
        for (index, (call, segment)) in oracle.iter().zip(segments).enumerate() {
            let turn = (*segment as usize).checked_sub(1).and_then(|turn| turns.get_mut(turn))?;
            turn.messages.push(vec![PlannedCall::of_oracle(call, index)]);
        }
        Some(Plan { turns })
    }

    pub fn calls(&self) -> impl Iterator<Item = &PlannedCall> {
        self.turns.iter().flat_map(|turn| turn.messages.iter().flatten())
    }
}

impl PlannedCall {
    fn of_oracle(call: &OracleCall, index: usize) -> Self {
        PlannedCall { tool: call.tool.clone(), arguments: call.arguments.clone(), oracle: Some(index) }
    }
}

/// An agent that plays a plan and takes no notice of what the user says.
pub struct PlanAgent {
    plan: Plan,
    turn: usize,
    message: usize,
    observations: Vec<Option<Value>>,
    is_beside: bool,
}

/// What a plan says to an answer that it does not need.
const THANKS: &str = "Thank you.";

impl PlanAgent {
    pub fn new(plan: Plan) -> Self {
        let calls = plan.calls().filter_map(|call| call.oracle).max().map_or(0, |last| last + 1);
        PlanAgent { plan, turn: 0, message: 0, observations: vec![None; calls], is_beside: false }
    }

    fn note(&mut self, returned: &[Value]) {
        let calls = self.plan.turns.get(self.turn).and_then(|turn| turn.messages.get(self.message.checked_sub(1)?));
        for (call, value) in calls.into_iter().flatten().zip(returned) {
            if let Some(entry) = call.oracle.and_then(|index| self.observations.get_mut(index)) {
                *entry = Some(value.clone());
            }
        }
    }

    fn fill(&self, call: &PlannedCall) -> ToolCall {
        let observations: Vec<Option<&Value>> = self.observations.iter().map(Option::as_ref).collect();
        let arguments = Observations(&observations).fill_map(&call.arguments);
        ToolCall::new(call.tool.clone(), Value::Object(arguments.unwrap_or_else(|| call.arguments.clone())))
    }
}

impl Agent for PlanAgent {
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        if let Heard::Observations(returned) = heard {
            self.note(returned);
        }
        if std::mem::take(&mut self.is_beside) {
            return Ok(AgentMessage::reply(THANKS));
        }
        let Some(turn) = self.plan.turns.get(self.turn) else {
            return Err(AgentFault::Failed("the plan is at its end".to_owned()));
        };
        if let Some(calls) = turn.messages.get(self.message) {
            let calls = calls.iter().map(|call| self.fill(call)).collect();
            self.message += 1;
            return Ok(AgentMessage { calls, ..AgentMessage::default() });
        }
        let reply = AgentMessage::reply(turn.reply.clone());
        self.turn += 1;
        self.message = 0;
        Ok(reply)
    }

    fn expect_extra(&mut self) {
        self.is_beside = true;
    }
}

/// The oracle of a task under a behaviour; `None` when the task has no such variant.
pub fn agent(task: &Task, variant: Variant) -> Option<PlanAgent> {
    Plan::of_oracle(task, variant).map(PlanAgent::new)
}
