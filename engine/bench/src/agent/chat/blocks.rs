//! What models without tool calls of their own are told of calls in fenced JSON blocks.

use serde_json::{Value, json};

use crate::agent::{AgentMessage, Brief};
use probity_engine::ToolCall;

/// What a model without tool calls is told on top of the system prompt.
const RULES: &str = "\
How to call tools
Write one fenced block with JSON, and nothing after it:
```json
{\"calls\": [{\"tool\": \"name\", \"arguments\": {}}]}
```
You then get what each call returned. A message without such a block goes to the user.";

/// The system prompt with how tools are called, and with the tools in words where they do not stand there yet.
pub(super) fn system(brief: &Brief, names_tools: bool) -> String {
    let tools = if names_tools { String::new() } else { format!("\n\nTools\n{}", tools(brief)) };
    format!("{}\n{RULES}{tools}", brief.system)
}

/// The tools in words, a line each.
pub(super) fn tools(brief: &Brief) -> String {
    let tools = brief.tools.as_array().into_iter().flatten().filter_map(|tool| tool.get("function"));
    tools.map(|tool| format!("- {tool}\n")).collect()
}

/// What calls returned, as the model hears it.
pub(super) fn observations(values: &[Value]) -> String {
    format!("What the calls returned:\n```json\n{}\n```", json!({"observations": values}))
}

/// A message as the model would have written it.
pub(super) fn message(message: &AgentMessage) -> String {
    let call = |call: &ToolCall| json!({"tool": call.tool, "arguments": call.arguments});
    let calls: Vec<Value> = message.calls.iter().map(call).collect();
    let block = (!calls.is_empty()).then(|| format!("```json\n{}\n```", json!({"calls": calls})));
    message.text.iter().cloned().chain(block).collect::<Vec<_>>().join("\n")
}
