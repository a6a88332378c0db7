//! Which calls of a run stand for which nodes of the oracle's graph (spec B.3 to B.5), and when two calls of a tool
//! have the same arguments (B.2).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::host;
use super::path::{Equality, Ignored, contains, objects, values_equal};

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
            contains(diff, call.get("state_diff").unwrap_or(&Value::Null), &[], &Ignored::new(), tools.equal)
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

/// Arguments that only have to be there.
const DYNAMIC: [&str; 3] = ["current_time", "request_time", "timestamp"];
const FREE: [&str; 5] = ["changed_by", "comment", "message", "note", "reason"];

/// What a sample's tools say of their parameters, by name.
pub struct Tools<'a> {
    parameters: BTreeMap<String, &'a Value>,
    equal: Equality,
    /// Whether a required argument that the oracle itself leaves out may be left out.
    is_lenient: bool,
}

impl<'a> Tools<'a> {
    /// The tools of a sample's `runtime`; of two with one name the last.
    pub(crate) fn of_sample(sample: &'a Value) -> Self {
        let tools = sample.get("runtime").and_then(|runtime| runtime.get("tools"));
        let named = objects(tools).map(|tool| (host::label(tool.get("name")), tool.get("parameters")));
        let parameters = named.filter(|(name, _)| !name.is_empty());
        let parameters = parameters.map(|(name, parameters)| (name, parameters.unwrap_or(&Value::Null)));
        Tools { parameters: parameters.collect(), equal: values_equal, is_lenient: false }
    }

    /// The same tools, compared in our way: as JSON, and what the oracle leaves out may be left out.
    #[must_use]
    pub fn ours(self) -> Self {
        Tools { equal: probity_engine::number::is_same, is_lenient: true, ..self }
    }

    pub fn arguments_match(&self, tool: &str, expected: Option<&Value>, actual: Option<&Value>) -> bool {
        let none = Map::new();
        let expected = expected.and_then(Value::as_object).unwrap_or(&none);
        let actual = actual.and_then(Value::as_object).unwrap_or(&none);
        let parameters = self.parameters.get(tool).copied().unwrap_or(&Value::Null);
        let required: Vec<String> =
            parameters.get("required").and_then(Value::as_array).into_iter().flatten().map(host::text).collect();
        let has_required = required.iter().all(|name| match (expected.get(name), actual.get(name)) {
            (Some(wanted), Some(given)) => DYNAMIC.contains(&name.as_str()) || (self.equal)(wanted, given),
            (None, None) => self.is_lenient,
            (None, Some(_)) | (Some(_), None) => false,
        });
        has_required
            && expected
                .iter()
                .filter(|(name, _)| !required.contains(name) && !FREE.contains(&name.as_str()))
                .all(|(name, wanted)| optional_matches(parameters, name, wanted, actual.get(name), self.equal))
    }
}

/// Whether an argument that the schema does not require is as expected.
fn optional_matches(parameters: &Value, name: &str, wanted: &Value, given: Option<&Value>, equal: Equality) -> bool {
    match given {
        Some(given) => DYNAMIC.contains(&name) || equal(wanted, given),
        None if DYNAMIC.contains(&name) => false,
        None => {
            let parameter = parameters.get("properties").and_then(|properties| properties.get(name));
            let default = parameter.and_then(|parameter| parameter.get("default"));
            wanted.is_null()
                || wanted.as_array().is_some_and(Vec::is_empty)
                || default.is_some_and(|default| equal(wanted, default))
        }
    }
}
