//! Which calls of a run stand for which nodes of the oracle's graph (spec B.3 to B.5).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::containment::{Ignored, contains};
use super::host;
use super::path::objects;
use super::tool::Tools;

/// A node of the graph or a call of the trace.
pub type Record = Map<String, Value>;

#[derive(Debug, Serialize)]
pub struct ReadResult {
    actual_tool_name: String,
    /// Whether a call stands for it.
    pub matched: bool,
    matched_actual_position: Option<usize>,
    matched_tool_name: String,
    step_index: i128,
}

#[derive(Debug, Serialize)]
pub struct WriteResult {
    /// Whether a call stands for it.
    pub matched: bool,
    matched_actual_position: Option<usize>,
    matched_actual_tool_name: String,
    step_index: i128,
    tool_name: String,
}

/// Whether the name of a required write came up in its turn.
#[derive(Debug, Serialize)]
pub struct NameResult {
    pub matched: bool,
    matched_actual_position: Option<usize>,
    step_index: i128,
    tool_name: String,
}

#[derive(Debug, Serialize)]
pub struct EdgeResult {
    after_actual_position: Option<usize>,
    after_step_index: i128,
    before_actual_position: Option<usize>,
    before_step_index: i128,
    pub satisfied: bool,
}

#[derive(Debug)]
pub struct Matching {
    /// One for each read-equivalence set.
    pub reads: Vec<ReadResult>,
    /// One for each write node.
    pub writes: Vec<WriteResult>,
    /// One for each write node again.
    pub names: Vec<NameResult>,
    pub edges: Vec<EdgeResult>,
}

impl Matching {
    /// Matches a trace with a graph: reads first, then writes, each taking the first call that is left.
    pub fn of(tools: &Tools, graph: &Value, trace: &[&Record]) -> Self {
        let writes: Vec<&Record> = objects(graph.get("required_write_nodes")).collect();
        let mut greedy = Greedy { tools, trace, used: BTreeSet::new(), steps: BTreeMap::new() };
        let reads = objects(graph.get("required_read_equivalence_sets")).map(|set| greedy.read(set)).collect();
        let write_results = writes.iter().map(|node| greedy.write(node)).collect();
        let edges = objects(graph.get("precedence_edges")).map(|edge| greedy.edge(edge)).collect();
        Matching { reads, writes: write_results, names: names_in_turn(&writes, trace), edges }
    }
}

/// The calls that solve a sample.
pub fn oracle(sample: &Value) -> impl Iterator<Item = &Record> {
    objects(sample.get("gold_tool_trace"))
}

pub fn tool_name(record: &Record) -> String {
    host::label(record.get("tool_name"))
}

/// Whether a call is what a node asks for: tool, arguments, and the change the node records.
pub(crate) fn node_matches(tools: &Tools, node: &Record, call: &Record) -> bool {
    let name = tool_name(node);
    let diff = node.get("expected_state_diff").filter(|diff| diff.as_object().is_some_and(|diff| !diff.is_empty()));
    name == tool_name(call)
        && tools.arguments_match(&name, node.get("arguments"), call.get("arguments"))
        && diff.is_none_or(|diff| {
            contains(diff, call.get("state_diff").unwrap_or(&Value::Null), &[], &Ignored::new(), tools.equality())
        })
}

struct Greedy<'a> {
    tools: &'a Tools<'a>,
    trace: &'a [&'a Record],
    /// Positions from 1.
    used: BTreeSet<usize>,
    /// The position of each step of the graph that has been matched.
    steps: BTreeMap<i128, usize>,
}

impl<'a> Greedy<'a> {
    /// The first call that is left and stands for one of the nodes.
    fn take(&mut self, nodes: &[&'a Record], step: i128) -> Option<(usize, &'a Record, &'a Record)> {
        let free = self.trace.iter().enumerate().filter(|(index, _)| !self.used.contains(&(index + 1)));
        let found = free.into_iter().find_map(|(index, call)| {
            nodes.iter().find(|node| node_matches(self.tools, node, call)).map(|node| (index + 1, *node, *call))
        })?;
        self.used.insert(found.0);
        if step > 0 {
            self.steps.insert(step, found.0);
        }
        Some(found)
    }

    fn read(&mut self, set: &'a Record) -> ReadResult {
        let step_index = host::integer(set.get("step_index"));
        let nodes: Vec<&Record> = objects(set.get("equivalent_nodes")).collect();
        let found = self.take(&nodes, step_index);
        ReadResult {
            actual_tool_name: found.map(|(_, _, call)| tool_name(call)).unwrap_or_default(),
            matched: found.is_some(),
            matched_actual_position: found.map(|(position, _, _)| position),
            matched_tool_name: found.map(|(_, node, _)| tool_name(node)).unwrap_or_default(),
            step_index,
        }
    }

    fn write(&mut self, node: &'a Record) -> WriteResult {
        let step_index = host::integer(node.get("step_index"));
        let found = self.take(&[node], step_index);
        WriteResult {
            matched: found.is_some(),
            matched_actual_position: found.map(|(position, _, _)| position),
            matched_actual_tool_name: found.map(|(_, _, call)| tool_name(call)).unwrap_or_default(),
            step_index,
            tool_name: tool_name(node),
        }
    }

    fn edge(&self, edge: &Record) -> EdgeResult {
        let before_step_index = host::integer(edge.get("before_step_index"));
        let after_step_index = host::integer(edge.get("after_step_index"));
        let before = self.steps.get(&before_step_index).copied();
        let after = self.steps.get(&after_step_index).copied();
        EdgeResult {
            after_actual_position: after,
            after_step_index,
            before_actual_position: before,
            before_step_index,
            satisfied: before.zip(after).is_some_and(|(before, after)| before < after),
        }
    }
}

/// Whether the names of the write nodes come up in the trace in their order, whatever the calls did.
fn names_in_turn(writes: &[&Record], trace: &[&Record]) -> Vec<NameResult> {
    let mut next = 0;
    let mut results = Vec::new();
    for node in writes {
        let name = tool_name(node);
        let found = trace.iter().enumerate().skip(next).find(|(_, call)| tool_name(call) == name);
        let position = found.map(|(index, _)| index + 1);
        next = position.unwrap_or(next);
        results.push(NameResult {
            matched: position.is_some(),
            matched_actual_position: position,
            step_index: host::integer(node.get("step_index")),
            tool_name: name,
        });
    }
    results
}
