//! An agent that follows words.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::card::ToolCard;
use super::memory::Memory;
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;

/// Most calls after one user turn.
pub(super) const MAX_CALLS: usize = 8;

/// How deep it looks for a read that could give a missing argument.
pub(super) const MAX_DEPTH: usize = 3;

#[derive(Default)]
pub struct HeuristicAgent {
    tools: Vec<ToolCard>,
    memory: Memory,
    called: BTreeSet<String>,
    written: BTreeSet<String>,
    last: Option<ToolCall>,
    calls: usize,
}

impl Agent for HeuristicAgent {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        self.tools = brief.tools.as_array().into_iter().flatten().filter_map(ToolCard::read).collect();
        self.memory.start(&brief.system);
        Ok(())
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        match heard {
            Heard::User(text) => {
                self.memory.hear(text);
                self.calls = 0;
            }
            Heard::Observations(values) => self.note(values),
        }
        let next = if self.calls < MAX_CALLS { self.next_call() } else { None };
        Ok(match next {
            Some(call) => {
                self.calls += 1;
                self.called.insert(signature(&call));
                self.last = Some(call.clone());
                AgentMessage::call(call)
            }
            None => AgentMessage::reply(self.memory.summary()),
        })
    }
}

impl HeuristicAgent {
    fn note(&mut self, values: &[Value]) {
        for value in values {
            let failed = value.get("error").is_some();
            if let Some(call) = self.last.take().filter(|_| !failed) {
                self.written.insert(call.tool);
            }
            self.memory.observe(value);
        }
    }

    /// The next call towards the write that the words ask for most, or towards an answer.
    fn next_call(&self) -> Option<ToolCall> {
        let mut goals: Vec<(usize, &ToolCard)> = self
            .tools
            .iter()
            .map(|tool| (tool.relevance(self.memory.said()), tool))
            .filter(|(score, _)| *score > 0)
            .collect();
        goals.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let writes = goals.iter().filter(|(_, tool)| !tool.is_read && !self.written.contains(&tool.name));
        let reads = goals.iter().filter(|(_, tool)| tool.is_read).take(2);
        let mut wanted = writes.chain(reads);
        wanted.find_map(|(_, tool)| self.towards(tool, MAX_DEPTH))
    }

    /// The tool itself when its arguments are known, else a read that may give a missing one.
    fn towards(&self, tool: &ToolCard, depth: usize) -> Option<ToolCall> {
        let mut arguments = Map::new();
        for parameter in &tool.parameters {
            match self.memory.fill(tool, parameter) {
                Some(value) => drop(arguments.insert(parameter.name.clone(), value)),
                None if parameter.is_required => return self.learn(tool, &parameter.name, depth),
                None => {}
            }
        }
        let call = ToolCall::new(tool.name.clone(), Value::Object(arguments));
        (!self.called.contains(&signature(&call))).then_some(call)
    }

    fn learn(&self, goal: &ToolCard, parameter: &str, depth: usize) -> Option<ToolCall> {
        let depth = depth.checked_sub(1)?;
        let reads = self.tools.iter().filter(|tool| tool.is_read && tool.name != goal.name);
        let mut ranked: Vec<(usize, &ToolCard)> = reads.map(|tool| (tool.speaks_of(parameter), tool)).collect();
        ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        ranked.into_iter().filter(|(score, _)| *score > 0).find_map(|(_, tool)| self.towards(tool, depth))
    }
}

pub(super) fn signature(call: &ToolCall) -> String {
    format!("{} {}", call.tool, call.arguments)
}
