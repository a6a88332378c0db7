//! What an oracle does, in the order of one that does not wait: its calls at once, the last one first.

use crate::agent::Agent;
use crate::agent::name::AgentName;
use crate::benchmark::{Benchmark, Services};
use crate::event::Event;
use crate::instance::{Instance, Setting};
use crate::options::Options;
use crate::trace::{Limits, Trace};
use probity_engine::{Actor, ToolCall};

/// The calls and words of an oracle, for an agent that jumps ahead.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// Its calls, the last one first.
    pub(super) calls: Vec<ToolCall>,
    /// What it says at the end of each turn.
    pub(super) replies: Vec<String>,
}

impl Jump {
    /// What the oracle does at an instance; nothing where there is nothing to jump over.
    pub fn of(benchmark: &dyn Benchmark, at: &Instance, seed: u64) -> Option<Jump> {
        let mut oracle = benchmark.agent(&AgentName::Oracle, at, seed)?;
        let user = benchmark.users().first()?;
        let setting = Setting { seed, limits: Limits::default(), user, options: &Options::new(), next: None };
        let with = Services { user_client: None, line: None, user_unit: "" };
        let oracle: &mut dyn Agent = oracle.as_mut();
        Jump::from_trace(&benchmark.play(at, &setting, oracle, &with)?.trace)
    }

    fn from_trace(trace: &Trace) -> Option<Jump> {
        let (mut calls, mut replies, mut turns) = (Vec::new(), Vec::new(), 0);
        let mut waits = false;
        for event in &trace.events {
            match event {
                Event::User { .. } => turns += 1,
                Event::Step(step) if step.actor == Actor::Agent => {
                    waits |= turns > 1;
                    calls.push(step.call());
                }
                Event::Reply { text, aside: false, .. } => replies.push(text.clone()),
                Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
            }
        }
        let forward = calls.clone();
        calls.reverse();
        (waits || calls != forward).then_some(Jump { calls, replies })
    }
}
