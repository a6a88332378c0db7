//! A plan as one flat list of calls, so that a defect is one edit of it; and how it would play.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::episode::play::{Plan, PlannedCall, PlannedTurn};
use crate::model::variant::Variant;
use crate::task::oracle::Position;
use crate::task::reference::{Observations, calls_referred_to};
use crate::task::{Behaviour, Task};
use probity_bench::{Finding, Move};
use probity_engine::within::with_texts;
use probity_engine::{Actor, Applied, Effect, Played, Rejection, State, Tool, ToolCall, constraint::is_violation};

/// Most agent messages a changed plan may need; the default limit is 20.
const MAX_MESSAGES: usize = 20;

/// A plan that is being changed: one call a message.
#[derive(Clone)]
pub struct Draft<'a> {
    pub task: &'a Task,
    pub variant: Variant,
    pub behaviour: &'a Behaviour,
    pub calls: Vec<DraftCall>,
    pub replies: Vec<String>,
    /// What the undamaged oracle's calls return.
    returned: Arc<Vec<Option<Value>>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DraftCall {
    /// The user turn, from 0, after which it is made.
    pub turn: usize,
    pub call: PlannedCall,
}

pub struct PlayedCall {
    pub before: State,
    pub after: State,
    /// The call, references filled in.
    pub call: ToolCall,
    /// Its arguments, defaults filled in.
    pub arguments: Map<String, Value>,
    pub is_oracle: bool,
    pub result: Result<Applied, Rejection>,
    pub findings: Vec<Finding>,
}

impl PlayedCall {
    pub fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    pub fn violates(&self) -> bool {
        self.findings.iter().any(|finding| is_violation(&finding.code))
    }
}

impl<'a> Draft<'a> {
    pub fn of_oracle(task: &'a Task, variant: Variant) -> Option<Draft<'a>> {
        let plan = Plan::of_oracle(task, variant)?;
        let turns = plan.turns.iter().enumerate();
        let calls = turns.flat_map(|(turn, planned)| {
            planned.messages.iter().flatten().map(move |call| DraftCall { turn, call: call.clone() })
        });
        let calls = calls.collect();
        let replies = plan.turns.iter().map(|turn| turn.reply.clone()).collect();
        Some(Draft::new(task, (variant, task.behaviour(variant)?), calls, replies))
    }

    pub fn new(
        task: &'a Task,
        (variant, behaviour): (Variant, &'a Behaviour),
        calls: Vec<DraftCall>,
        replies: Vec<String>,
    ) -> Draft<'a> {
        let mut draft = Draft { task, variant, behaviour, calls, replies, returned: Arc::default() };
        let played = draft.play();
        let returned = played.into_iter().map(|played| played.result.ok().map(|applied| applied.observation));
        draft.returned = Arc::new(returned.collect());
        draft
    }

    /// The plan; references to calls that are not made before become what the oracle was told.
    pub fn into_plan(self) -> Plan {
        let calls = self.settled();
        let mut turns: Vec<PlannedTurn> =
            self.replies.into_iter().map(|reply| PlannedTurn { messages: Vec::new(), reply }).collect();
        for DraftCall { turn, call } in calls {
            if let Some(turn) = turns.get_mut(turn) {
                turn.messages.push(vec![call]);
            }
        }
        Plan { turns }
    }

    /// Plays the calls from the task's initial state, as an agent with this plan would.
    pub fn play(&self) -> Vec<PlayedCall> {
        let mut position = Position::start(self.task);
        let mut returned: Vec<Option<Value>> = Vec::new();
        let mut played = Vec::new();
        for (index, DraftCall { call, .. }) in self.settled().iter().enumerate() {
            let known: Vec<Option<&Value>> = returned.iter().map(Option::as_ref).collect();
            let filled = Observations(&known).fill_map(&call.arguments).unwrap_or_else(|| call.arguments.clone());
            let made = ToolCall::new(call.tool.clone(), Value::Object(filled));
            let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
            let one = self.step(&mut position, number, made, call.oracle.is_some());
            if let (Some(oracle), Ok(applied)) = (call.oracle, &one.result) {
                if returned.len() <= oracle {
                    returned.resize(oracle + 1, None);
                }
                returned.get_mut(oracle).into_iter().for_each(|slot| *slot = Some(applied.observation.clone()));
            }
            played.push(one);
        }
        played
    }

    fn step(&self, position: &mut Position, message: u32, call: ToolCall, is_oracle: bool) -> PlayedCall {
        let before = position.state().clone();
        let (Played { result, .. }, Move { arguments, breaches, after }) =
            position.play(self.task, &call, Actor::Agent, message);
        PlayedCall { before, after, call, arguments, is_oracle, result, findings: breaches.findings }
    }

    /// The calls with references that would find nothing replaced by what the oracle was told.
    fn settled(&self) -> Vec<DraftCall> {
        let oracle: Vec<Option<&Value>> = self.returned.iter().map(Option::as_ref).collect();
        let mut made = BTreeSet::new();
        let mut calls = self.calls.clone();
        for DraftCall { call, .. } in &mut calls {
            for value in call.arguments.values_mut() {
                let mut referred = BTreeSet::new();
                calls_referred_to(value, &mut referred);
                if referred.iter().any(|number| !made.contains(number))
                    && let Some(filled) = Observations(&oracle).fill(value)
                {
                    *value = literal(&filled);
                }
            }
            made.extend(call.oracle.map(|index| index + 1));
        }
        calls
    }

    pub fn tool(&self, at: usize) -> Option<&'a Tool> {
        let call = self.calls.get(at)?;
        self.task.environment().tool(&call.call.tool)
    }

    pub fn positions(&self, effect: Effect) -> Vec<usize> {
        (0..self.calls.len()).filter(|at| self.tool(*at).is_some_and(|tool| tool.effect == effect)).collect()
    }

    #[must_use]
    pub fn without(&self, at: usize) -> Draft<'a> {
        let mut draft = self.clone();
        if at < draft.calls.len() {
            draft.calls.remove(at);
        }
        draft
    }

    /// With one more call before position `at`, in the turn of the call it follows.
    #[must_use]
    pub fn with(&self, at: usize, tool: &str, arguments: &Map<String, Value>) -> Draft<'a> {
        let mut draft = self.clone();
        let at = at.min(draft.calls.len());
        let neighbour = at.checked_sub(1).and_then(|before| draft.calls.get(before)).or_else(|| draft.calls.get(at));
        let turn = neighbour.map_or_else(|| self.last_turn(), |call| call.turn);
        let arguments = arguments.iter().map(|(name, value)| (name.clone(), literal(value))).collect();
        let call = PlannedCall { tool: tool.to_owned(), arguments, oracle: None };
        draft.calls.insert(at, DraftCall { turn, call });
        draft
    }

    #[must_use]
    pub fn with_argument(&self, at: usize, name: &str, value: &Value) -> Draft<'a> {
        let mut draft = self.clone();
        if let Some(call) = draft.calls.get_mut(at) {
            call.call.arguments.insert(name.to_owned(), literal(value));
        }
        draft
    }

    /// With call `at` made so many times more right after it, as far as the messages suffice.
    #[must_use]
    pub fn again(&self, at: usize, times: usize) -> Draft<'a> {
        let played = self.play();
        let Some(PlayedCall { call, .. }) = played.get(at) else { return self.clone() };
        let arguments = call.arguments.as_object().cloned().unwrap_or_default();
        let more = |draft: Draft<'a>, _| draft.with(at + 1, &call.tool, &arguments);
        (0..times.min(self.room())).fold(self.clone(), more)
    }

    /// How many calls more an episode has messages for.
    pub fn room(&self) -> usize {
        MAX_MESSAGES.saturating_sub(self.calls.len() + self.replies.len())
    }

    /// With calls before `end` moved into a turn not later than `turn`.
    #[must_use]
    pub fn hastened(&self, end: usize, turn: usize) -> Draft<'a> {
        let mut draft = self.clone();
        draft.calls.iter_mut().take(end).for_each(|call| call.turn = call.turn.min(turn));
        draft
    }

    /// With those of some calls that come before call `end` made right after it, in its turn.
    #[must_use]
    pub fn delayed(&self, calls: &[usize], end: usize) -> Draft<'a> {
        let mut draft = self.clone();
        let Some(turn) = self.calls.get(end).map(|call| call.turn) else { return draft };
        let numbered = || self.calls.iter().cloned().enumerate();
        let is_late = |at: usize| at < end && calls.contains(&at);
        let late = numbered().filter(|(at, _)| is_late(*at)).map(|(_, call)| DraftCall { turn, ..call });
        let before = numbered().filter(|(at, _)| *at <= end && !is_late(*at)).map(|(_, call)| call);
        let after = numbered().filter(|(at, _)| *at > end).map(|(_, call)| call);
        draft.calls = before.chain(late).chain(after).collect();
        draft
    }

    /// Without the oracle calls from `at` on that are refused or violate a constraint.
    #[must_use]
    pub fn pruned(&self, at: usize) -> Draft<'a> {
        let mut draft = self.clone();
        loop {
            let played = draft.play();
            let fails = |played: &PlayedCall| played.is_oracle && (!played.is_ok() || played.violates());
            let broken = played.iter().enumerate().skip(at).find(|(_, played)| fails(played));
            match broken {
                Some((position, _)) => draft = draft.without(position),
                None => return draft,
            }
        }
    }

    /// The last turn, from 0.
    pub fn last_turn(&self) -> usize {
        self.replies.len().saturating_sub(1)
    }
}

pub fn oracle_goes_through(played: &[PlayedCall]) -> bool {
    played.iter().filter(|call| call.is_oracle).all(PlayedCall::is_ok)
}

pub fn has_violation(played: &[PlayedCall]) -> bool {
    played.iter().any(PlayedCall::violates)
}

/// A value written so that a plan takes it as it is.
fn literal(value: &Value) -> Value {
    with_texts(value, &mut |text| Value::from(if text.starts_with('$') { format!("${text}") } else { text.to_owned() }))
}
