//! The calls that the contract user ordered, turn by turn, and which of them are done.

use super::contract::ContractUser;
use crate::task::OracleCall;
use probity_engine::{Effect, Tool};

impl ContractUser<'_> {
    /// Whether a call is part of what it ordered, and agreed to where that is needed.
    pub(super) fn wants(&self, tool: &Tool) -> bool {
        match tool.confirm || tool.irreversible {
            true => self.is_wanted_by_now(&tool.name),
            false => self.ordered.iter().any(|call| call.is_by(&tool.name)),
        }
    }

    /// The calls of a tool, or of all, that its turns so far order.
    pub(super) fn ordered_by_now(&self, tool: &str) -> impl Iterator<Item = &OracleCall> {
        let by_now = self.ordered.iter().zip(&self.behaviour.segments);
        by_now
            .filter(|(_, turn)| **turn as usize <= self.turns_said)
            .map(|(call, _)| call)
            .filter(move |call| tool.is_empty() || call.is_by(tool))
    }

    /// The calls that a turn orders: those of its segment, and those that wait in this variant for a later one.
    fn ordered_in(&self, turn: usize) -> impl Iterator<Item = &OracleCall> {
        let calls = self.ordered.iter().zip(&self.behaviour.segments);
        let is_of = move |(call, segment): &(&OracleCall, &u32)| {
            (call.segment.min(**segment) as usize..=**segment as usize).contains(&turn)
        };
        calls.filter(is_of).map(|(call, _)| call).filter(|call| self.is_write(call))
    }

    /// Whether its turns so far order any change.
    pub(super) fn has_ordered(&self) -> bool {
        self.ordered_by_now("").any(|call| self.is_write(call))
    }

    /// Whether all that it ordered of a tool is made, or told as done.
    pub(super) fn is_done(&self, tool: &str) -> bool {
        let mut calls = self.ordered_by_now(tool).peekable();
        calls.peek().is_some() && calls.all(|call| self.is_call_done(call))
    }

    fn is_call_done(&self, call: &OracleCall) -> bool {
        self.made.iter().any(|made| std::ptr::eq(*made, call)) || self.told.contains(&call.tool.as_str())
    }

    /// Whether all that a turn orders is done.
    pub(super) fn is_finished(&self, turn: usize) -> bool {
        let mut calls = self.ordered_in(turn).peekable();
        calls.peek().is_some() && calls.all(|call| self.is_call_done(call))
    }

    /// Whether a turn after which it has said another is replaced by that: it orders nothing itself, and a later one does.
    pub(super) fn is_replaced(&self, turn: usize) -> bool {
        let last = self.said().len();
        self.ordered_in(turn).next().is_none() && (turn + 1..=last).any(|later| self.ordered_in(later).next().is_some())
    }

    /// Whether all that it will ever order is done.
    pub(super) fn has_all(&self) -> bool {
        self.upcoming().is_none() && self.has_ordered() && self.wish("").is_none()
    }

    /// Whether a sentence is, or is part of, what its standing turns order, and all of that is done.
    pub(super) fn is_over(&self, said: &str) -> bool {
        self.has_all() && self.orders().iter().any(|(_, order)| order.contains(said))
    }

    pub(super) fn is_write(&self, call: &OracleCall) -> bool {
        let mut tools = self.task.environment().tools().iter();
        tools.any(|tool| tool.name == call.tool && tool.effect != Effect::Read)
    }
}
