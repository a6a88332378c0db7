//! `responses`: items of OpenAI's Responses API.

use serde_json::Value;

use crate::call::{Answered, Called, RESULTS, answered, called};
use crate::draft::Draft;
use crate::form::chat;
use crate::json;
use crate::pairing::Side;
use crate::remark::Remark;
use crate::unread::Unit;
use crate::values;

/// Reads an item that is no message of a role.
pub(crate) fn item(draft: &mut Draft, at: usize, kind: &str, value: &Value) {
    match kind {
        "message" => {
            let help = "say whose it is: `user`, `assistant`, `developer`";
            draft.unread(at, "this message has no `role`", help);
        }
        "reasoning" => draft.remark(Remark::Thought),
        "mcp_list_tools" => value.get("tools").into_iter().for_each(|tools| draft.tools(tools)),
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" | "computer_call_output" => {
            draft.result(Side::Agent, at, output(value));
        }
        kind => own_call(draft, at, kind, value),
    }
}

/// An output. Some files nest it once more: `{"content": "..", "success": false}`.
fn output(value: &Value) -> Answered {
    let nested =
        value.get("output").filter(|output| output.get("success").is_some() && output.get("content").is_some());
    match nested {
        Some(nested) => {
            let (result, placeholders) = values::result(
                nested.get("content").unwrap_or(&Value::Null),
                nested.get("success") == Some(&Value::Bool(false)),
            );
            Answered { result, placeholders, ..answered(value) }
        }
        None => answered(value),
    }
}

/// A call, of a function or of a tool that the provider runs itself; the latter's result, where it is told, stands in
/// the same item.
fn own_call(draft: &mut Draft, at: usize, kind: &str, value: &Value) {
    let tool = kind.strip_suffix("_call").unwrap_or(kind);
    let arguments = json::field(value, &["action", "arguments", "code", "queries", "input"]);
    let named = Called {
        id: json::name(value, &["call_id", "id"]),
        tool: tool.to_owned(),
        arguments: values::arguments(arguments),
    };
    let call = match called(value) {
        Some(call) => call,
        None if matches!(kind, "function_call" | "custom_tool_call" | "mcp_call") => {
            return draft.unread(at, "a call has no name", "write the name of the tool");
        }
        None => named,
    };
    let id = call.id.clone();
    draft.call(Side::Agent, at, call);
    let is_answered =
        RESULTS.iter().chain(&["error", "results", "outputs"]).any(|key| value.get(*key).is_some_and(|v| !v.is_null()));
    if is_answered && !matches!(kind, "function_call" | "custom_tool_call") {
        let (result, placeholders) = values::result_of(value, &["output", "results", "outputs", "result"]);
        draft.result(Side::Agent, at, Answered { id, tool: None, result, placeholders });
    }
}

/// Reads a dialogue: the request's items and those of the answer.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let links = ["/previous_response_id", "/request/previous_response_id", "/response/previous_response_id"];
    if links.iter().any(|link| unit.value.pointer(link).is_some_and(Value::is_string)) {
        draft.remark(Remark::EarlierLog);
    }
    chat::dialogue(draft, unit);
}
