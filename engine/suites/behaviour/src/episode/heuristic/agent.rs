//! An agent that follows words, and what it knows of its tools.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::memory::{Memory, stem, words};
use crate::values::required;
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;
use probity_prose::token::name_words;

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
            .map(|tool| (tool.relevance(&self.memory.said), tool))
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

const READ_VERBS: [&str; 12] =
    ["get", "list", "find", "search", "check", "show", "look", "lookup", "read", "view", "fetch", "quote"];

pub struct ToolCard {
    pub name: String,
    /// Whether its name says that it only reads.
    pub is_read: bool,
    /// Its parameters, required ones first.
    pub parameters: Vec<Parameter>,
    verb: String,
    nouns: Vec<String>,
    described: BTreeSet<String>,
}

pub struct Parameter {
    pub name: String,
    pub is_required: bool,
    pub schema: Value,
}

impl ToolCard {
    /// Reads a tool in the form model providers take.
    pub fn read(function: &Value) -> Option<ToolCard> {
        let function = function.get("function")?;
        let name = function.get("name")?.as_str()?.to_owned();
        let schema = function.get("parameters")?;
        let required = required(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut parameters: Vec<Parameter> = properties
            .into_iter()
            .flatten()
            .map(|(name, schema)| Parameter {
                name: name.clone(),
                is_required: required.contains(&name.as_str()),
                schema: schema.clone(),
            })
            .collect();
        parameters.sort_by_key(|parameter| !parameter.is_required);
        let mut parts = name_words(&name).into_iter().map(|word| stem(&word));
        let verb = parts.next().unwrap_or_default();
        let is_read = READ_VERBS.iter().any(|read| stem(read) == verb);
        let nouns = parts.collect();
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        let described = words(description).into_iter().filter(|word| word.len() > 3).map(stem).collect();
        Some(ToolCard { name, is_read, parameters, verb, nouns, described })
    }

    /// How much a text asks for this tool: its verb counts most, then its nouns, then its description.
    pub fn relevance(&self, text: &str) -> usize {
        let said: BTreeSet<String> = words(text).into_iter().map(stem).collect();
        let nouns = self.nouns.iter().filter(|noun| said.contains(*noun)).count();
        let described = self.described.intersection(&said).count();
        match (self.is_read, said.contains(&self.verb)) {
            (true, _) => nouns + described / 2,
            (false, true) => 4 + nouns + described / 2,
            (false, false) if described >= 3 => nouns + described / 2,
            (false, false) => 0,
        }
    }

    /// How likely a parameter of another tool can be learnt from this one.
    pub fn speaks_of(&self, parameter: &str) -> usize {
        let parts: Vec<String> =
            name_words(parameter).iter().filter(|part| *part != "id").map(|part| stem(part)).collect();
        2 * self.nouns.iter().filter(|noun| parts.contains(noun)).count()
    }
}
