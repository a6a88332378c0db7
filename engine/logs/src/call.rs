//! Calls and results as parts of messages, in any provider's words.

use serde_json::Value;

use crate::dialogue::{Arguments, CallResult};
use crate::json;
use crate::values;

/// A call as a log writes it.
pub(crate) struct Called {
    pub id: Option<String>,
    pub tool: String,
    pub arguments: Arguments,
}

/// A result as a log writes it.
pub(crate) struct Answered {
    pub id: Option<String>,
    pub tool: Option<String>,
    pub result: CallResult,
    pub placeholders: u32,
}

const IDS: [&str; 7] = ["call_id", "id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id", "source_call_id"];
/// Ids of calls, where the result has one of its own.
const RESULT_IDS: [&str; 7] =
    ["tool_call_id", "tool_use_id", "call_id", "toolCallId", "toolUseId", "source_call_id", "id"];
const NAMES: [&str; 5] = ["name", "function_name", "tool_name", "toolName", "tool"];
const ARGUMENTS: [&str; 6] = ["arguments", "args", "input", "parameters", "inputs", "action"];
/// What results are written under.
pub(crate) const RESULTS: [&str; 7] = ["content", "output", "response", "result", "tool_result", "value", "text"];

/// A call: by itself, in a wrapper that says what it is, or as a text that holds one of these.
pub(crate) fn called(value: &Value) -> Option<Called> {
    let value = json::opened(value);
    let value = value.as_ref();
    // A name may stand where others have the wrapper: `"function": "get_booking"`.
    let wrapped = ["tool_call", "functionCall", "function_call", "toolUse", "function", "custom"];
    let wrapper = wrapped.iter().find_map(|key| value.get(*key));
    let inner = wrapper.filter(|inner| inner.is_object() || inner.as_str().is_some_and(|text| text.starts_with('{')));
    if let Some(inner) = inner {
        let mut call = called(inner)?;
        call.id = json::name(value, &IDS).or(call.id);
        return Some(call);
    }
    let tool = json::text(value, &NAMES).or_else(|| wrapper?.as_str()).filter(|tool| !tool.trim().is_empty())?;
    let arguments = flat(value).unwrap_or_else(|| values::arguments(json::field(value, &ARGUMENTS)));
    let tool = match json::text(value, &["namespace", "server"]).filter(|space| !space.is_empty()) {
        Some(space) if space.ends_with("__") => format!("{space}{tool}"),
        Some(space) => format!("{space}__{tool}"),
        None => tool.to_owned(),
    };
    Some(Called { id: json::name(value, &IDS), tool, arguments })
}

/// Arguments under keys that have a dot, as OpenInference has them.
fn flat(value: &Value) -> Option<Arguments> {
    Some(values::arguments(Some(value.get("function.arguments")?)))
}

/// A result of which the content stands in this value.
pub(crate) fn answered(value: &Value) -> Answered {
    let inner = ["functionResponse", "toolResult", "tool_call_response"].iter().find_map(|key| value.get(*key));
    let inner = inner.filter(|inner| inner.is_object()).unwrap_or(value);
    let (result, placeholders) = match of_provider(inner) {
        Some((content, is_error)) => values::result(&content, is_error),
        None => values::result_of(inner, &RESULTS),
    };
    let tool = json::text(inner, &["name", "toolName", "tool_name", "function"]).map(str::to_owned);
    Answered { id: json::name(inner, &RESULT_IDS), tool, result, placeholders }
}

/// Results that are wrapped once more: Bedrock's blocks, Gemini's object, Vercel's typed output.
fn of_provider(inner: &Value) -> Option<(Value, bool)> {
    if let Some([block]) = inner.get("content").and_then(Value::as_array).map(Vec::as_slice)
        && block.get("type").is_none()
        && let Some(content) = block.get("json").or_else(|| block.get("text"))
    {
        return Some((content.clone(), json::text(inner, &["status"]) == Some("error")));
    }
    let response = json::field(inner, &["response", "output"])?.as_object()?;
    let of = |key: &str| response.get(key).cloned();
    match (response.len(), of("output").or_else(|| of("result")), of("error")) {
        (1, Some(output), _) => Some((output, false)),
        (1, None, Some(error)) => Some((error, true)),
        (2, ..) if response.contains_key("type") => {
            let kind = response.get("type").and_then(Value::as_str).unwrap_or_default();
            Some((of("value")?, kind.starts_with("error")))
        }
        _ => None,
    }
}

/// What a block of a message is.
pub(crate) enum Part {
    Call(Called),
    Result(Answered),
    /// A call that cannot be made out.
    BrokenCall,
    /// Words, thoughts, pictures.
    Content,
}

/// Reads a block.
pub(crate) fn part(block: &Value) -> Part {
    let kind = json::text(block, &["type"]).unwrap_or_default();
    let is_call =
        matches!(kind, "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool_call" | "tool-call" | "function_call")
            || ["functionCall", "toolUse"].iter().any(|key| block.get(key).is_some());
    let is_result = matches!(kind, "tool_call_response" | "tool-result" | "function_call_output")
        || kind.ends_with("tool_result")
        || ["functionResponse", "toolResult"].iter().any(|key| block.get(key).is_some());
    match (is_call, is_result) {
        (true, _) => called(block).map_or(Part::BrokenCall, Part::Call),
        (false, true) => Part::Result(answered(block)),
        (false, false) => Part::Content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_provider_s_calls_are_read() {
        let cases = [
            json!({"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{\"a\": 1}"}}),
            json!({"id": "c1", "name": "t", "arguments": {"a": 1}, "requestor": "assistant"}),
            json!({"type": "tool_use", "id": "c1", "name": "t", "input": {"a": 1}}),
            json!({"id": "fc_1", "call_id": "c1", "name": "t", "arguments": "{\"a\": 1}"}),
            json!({"id": "c1", "function": "t", "arguments": {"a": 1}, "type": "function"}),
            json!({"tool_call": {"id": "c1", "function": {"name": "t", "arguments": "{\"a\": 1}"}}}),
            json!({"tool_call_id": "c1", "function_name": "t", "arguments": {"a": 1}}),
            json!({"type": "tool-call", "toolCallId": "c1", "toolName": "t", "args": {"a": 1}}),
            json!({"functionCall": {"id": "c1", "name": "t", "args": {"a": 1}}}),
            json!({"toolUse": {"toolUseId": "c1", "name": "t", "input": {"a": 1}}}),
            json!("{\"id\": \"c1\", \"name\": \"t\", \"arguments\": \"{\\\"a\\\": 1}\"}"),
        ];
        for case in cases {
            let call = called(&case).unwrap();
            let wanted = Arguments::Named(json!({"a": 1}).as_object().unwrap().clone());
            assert_eq!((call.id.as_deref(), call.tool.as_str(), call.arguments), (Some("c1"), "t", wanted), "{case}");
        }
        assert!(called(&json!({"id": "c1", "function": {"arguments": "{}"}})).is_none());
        assert_eq!(called(&json!({"namespace": "mcp__s", "name": "t"})).unwrap().tool, "mcp__s__t");
    }

    #[test]
    fn every_provider_s_results_are_read() {
        let ok = |text: &str| CallResult::Ok { observation: json!(text) };
        let error = |text: &str| CallResult::Error { text: text.to_owned() };
        let cases = [
            (json!({"role": "tool", "tool_call_id": "c1", "content": "open"}), ok("open")),
            (
                json!({"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "open"}]}),
                ok("open"),
            ),
            (json!({"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": true}), error("no")),
            (json!({"type": "function_call_output", "id": "x", "call_id": "c1", "output": "open"}), ok("open")),
            (json!({"type": "tool_call_response", "id": "c1", "response": "open"}), ok("open")),
            (json!({"type": "tool_call_response", "id": "c1", "result": "open"}), ok("open")),
            (json!({"functionResponse": {"id": "c1", "name": "t", "response": {"output": "open"}}}), ok("open")),
            (json!({"functionResponse": {"id": "c1", "name": "t", "response": {"error": "no"}}}), error("no")),
            (json!({"toolResult": {"toolUseId": "c1", "content": [{"text": "no"}], "status": "error"}}), error("no")),
            (
                json!({"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "open"}}),
                ok("open"),
            ),
            (
                json!({"type": "tool-result", "toolCallId": "c1", "output": {"type": "error-text", "value": "no"}}),
                error("no"),
            ),
        ];
        for (case, wanted) in cases {
            let found = answered(&case);
            assert_eq!((found.id.as_deref(), found.result), (Some("c1"), wanted), "{case}");
        }
    }
}
