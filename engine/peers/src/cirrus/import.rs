//! The peer's task files as raw tickets.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use probity_tickets::model::{Document, ReplyType, ToolFile};
use probity_tickets::preparation::{Annotation, RawMessage, RawTicket, Role};
use probity_tickets::recording::canonical_name;

/// A task, one a line. Other keys are not read.
#[derive(Debug, Deserialize)]
pub struct CirrusTask {
    pub id: String,
    messages: Vec<RawMessage>,
    #[serde(default)]
    seperate_indices: Option<Vec<CheckpointIndex>>,
    #[serde(default)]
    product_name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CheckpointIndex {
    reply_index: usize,
    #[serde(default)]
    agent_tool_indices: Vec<usize>,
}

/// A tool as the peer's schema file has it: an object of a function, bare or in its wrapping.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum CirrusTool {
    /// `{"type": "function", "function": {..}}`.
    Wrapped {
        function: CirrusFunction,
    },
    Bare(CirrusFunction),
}

/// A function. Other keys, such as `strict`, are not read.
#[derive(Debug, Deserialize)]
pub struct CirrusFunction {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default = "any_arguments")]
    parameters: Value,
}

fn any_arguments() -> Value {
    json!({"type": "object"})
}

impl CirrusTool {
    pub fn tool(self) -> ToolFile {
        let (CirrusTool::Wrapped { function } | CirrusTool::Bare(function)) = self;
        let CirrusFunction { name, description, parameters } = function;
        ToolFile { name: canonical_name(&name), description, parameters }
    }
}

/// The services that the peer names in Chinese, by the heads of the paper's Table 1.
const PRODUCTS: [(&str, &str); 5] = [
    ("云服务器 ECS", "server"),
    ("备案", "registration"),
    ("短信服务", "sms"),
    ("域名与网站", "website"),
    ("阿里邮箱", "email"),
];

/// The head that the paper writes otherwise than a category is named here.
const SMS: &str = "SMS Services";

/// The category of a product: its head, its own name where that makes one, else `others`.
fn category(product: String) -> String {
    match PRODUCTS.iter().find(|(name, _)| *name == product) {
        Some((_, head)) => (*head).to_owned(),
        None if product == SMS => "sms".to_owned(),
        None if product.is_ascii() => product,
        None => "others".to_owned(),
    }
}

/// A task as a raw ticket. Only the calls that belong to a checkpoint are recorded, and of the tools those that are
/// called; what the reply must convey is left to the author. With it goes how many messages of calls and results were
/// left out.
/// An error: no checkpoints, or one that points at nothing.
pub fn raw_ticket(
    task: CirrusTask,
    tools: &[ToolFile],
    reference: Option<&Value>,
) -> Result<(RawTicket, usize), String> {
    let CirrusTask { id, messages, seperate_indices, product_name } = task;
    let seperate_indices = seperate_indices.ok_or("it has no `seperate_indices`, and so no checkpoints")?;
    let kept: BTreeSet<usize> =
        seperate_indices.iter().flat_map(|checkpoint| checkpoint.agent_tool_indices.iter().copied()).collect();
    let is_left_out = |index: usize, message: &RawMessage| {
        let is_call = message.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty());
        (is_call && !kept.contains(&index))
            || (message.role == Role::Tool && !index.checked_sub(1).is_some_and(|at| kept.contains(&at)))
    };
    let turns = turns_of(&messages, is_left_out);
    let mut checkpoints = Vec::new();
    for checkpoint in &seperate_indices {
        let is_call = |at: &&usize| {
            messages.get(**at).and_then(|message| message.tool_calls.as_ref()).is_some_and(|calls| !calls.is_empty())
        };
        if let Some(at) = checkpoint.agent_tool_indices.iter().find(|at| !is_call(at)) {
            return Err(format!("message {at} makes no call"));
        }
        let at = checkpoint.reply_index;
        let reply = messages.get(at).filter(|message| message.role == Role::Assistant && message.content.is_some());
        if reply.is_none() {
            return Err(format!("message {at} is no reply of the agent"));
        }
        checkpoints.push(Annotation {
            turn: turns.get(at).copied().unwrap_or_default(),
            reply_type: ReplyType::Solution,
            facts: Vec::new(),
            keep: Vec::new(),
            requires: Vec::new(),
        });
    }
    let calls = messages.iter().flat_map(|message| message.tool_calls.iter().flatten());
    let called: BTreeSet<String> = calls.map(|call| canonical_name(&call.function.name)).collect();
    let is_called = |tool: &&ToolFile| called.contains(&tool.name);
    let left_out = messages.iter().enumerate().filter(|(index, message)| is_left_out(*index, message)).count();
    let ticket = RawTicket {
        id: format!("t{id}"),
        category: product_name.map(category),
        tools: tools.iter().filter(is_called).cloned().collect(),
        references: reference
            .map(|reference| Document { name: format!("cirrus_{id}"), text: text_of(reference) })
            .into_iter()
            .collect(),
        messages: messages
            .iter()
            .enumerate()
            .filter(|(index, message)| !is_left_out(*index, message))
            .map(|(_, message)| message.clone())
            .collect(),
        checkpoints,
    };
    Ok((ticket, left_out))
}

/// The turn that each message is in, from 1: a customer's message begins one when the agent has said something.
fn turns_of(messages: &[RawMessage], is_left_out: impl Fn(usize, &RawMessage) -> bool) -> Vec<usize> {
    let (mut turn, mut has_replied) = (0, true);
    let in_turn = |(index, message): (usize, &RawMessage)| {
        let has_words = message.content.as_deref().is_some_and(|text| !text.trim().is_empty());
        match message.role {
            _ if is_left_out(index, message) => {}
            Role::User if has_words && has_replied => (turn, has_replied) = (turn + 1, false),
            Role::Assistant if has_words && turn > 0 => has_replied = true,
            Role::User | Role::Assistant | Role::Tool => {}
        }
        turn
    };
    messages.iter().enumerate().map(in_turn).collect()
}

fn text_of(reference: &Value) -> String {
    reference.as_str().map_or_else(|| serde_json::to_string_pretty(reference).unwrap_or_default(), str::to_owned)
}
