//! One message of a dialogue, in whichever provider's words it is written. Forms say where messages stand; what one
//! holds is read here, since logs of one form carry the messages of others.

use std::borrow::Cow;

use serde_json::Value;

use crate::call::{Part, answered, called, part};
use crate::document::ITEMS;
use crate::draft::{Draft, Speaker};
use crate::form::responses;
use crate::json;
use crate::pairing::Side;
use crate::remark::Remark;

/// Who a message is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    System,
    User,
    Agent,
    Tool,
}

const ROLES: [(&str, Role); 20] = [
    ("system", Role::System),
    ("developer", Role::System),
    ("SystemMessage", Role::System),
    ("user", Role::User),
    ("human", Role::User),
    ("customer", Role::User),
    ("HumanMessage", Role::User),
    ("assistant", Role::Agent),
    ("ai", Role::Agent),
    ("model", Role::Agent),
    ("agent", Role::Agent),
    ("bot", Role::Agent),
    ("AIMessage", Role::Agent),
    ("AIMessageChunk", Role::Agent),
    ("tool", Role::Tool),
    ("function", Role::Tool),
    ("ipython", Role::Tool),
    ("tool_result", Role::Tool),
    ("ToolMessage", Role::Tool),
    ("FunctionMessage", Role::Tool),
];

/// Reads the messages of a list that stands at this pointer of the dialogue's value.
pub(crate) fn messages(draft: &mut Draft, pointer: &str, list: &[Value]) {
    pointer.clone_into(&mut draft.list);
    for (at, value) in list.iter().enumerate() {
        message(draft, at, value);
    }
}

/// Reads a message, by its place in the log's list.
pub(crate) fn message(draft: &mut Draft, at: usize, value: &Value) {
    let value = unwrapped(value);
    let value = value.as_ref();
    if !value.is_object() {
        let help = "a message is an object with a `role` and its `content`; the others were read";
        return draft.unread(at, "this is no message", help);
    }
    let kind = json::text(value, &["type"]);
    let name = json::text(value, &["role"]).or(kind).unwrap_or_default();
    let role = ROLES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role);
    match (kind, role) {
        (Some("message"), Some(role)) => of_role(draft, at, role, value),
        (Some(kind), _) if ITEMS.contains(&kind) => responses::item(draft, at, kind, value),
        (_, Some(role)) => of_role(draft, at, role, value),
        (..) if name.is_empty() => {
            draft.unread(at, "this message has no `role`", "say whose it is: `user`, `assistant`, `tool`")
        }
        (..) => {
            let what = format!("nobody knows the role `{}`", name.chars().take(40).collect::<String>());
            draft.unread(
                at,
                what,
                "roles are `system`, `developer`, `user`, `assistant`, `tool`; the others were read",
            );
        }
    }
}

/// The message within wrappers: of OpenInference, of choices, of LangChain.
fn unwrapped(value: &Value) -> Cow<'_, Value> {
    let inner = value.get("message").filter(|inner| inner.is_object() && value.get("role").is_none());
    let value = inner.unwrap_or(value);
    let data = value.get("data").or_else(|| value.get("kwargs")).and_then(Value::as_object);
    let class = value.pointer("/id").and_then(Value::as_array).and_then(|path| path.last()?.as_str());
    let kind = class.or_else(|| value.get("type")?.as_str());
    match (data, kind) {
        (Some(data), Some(kind)) if value.get("role").is_none() => {
            let mut data = data.clone();
            data.entry("role").or_insert_with(|| kind.into());
            Cow::Owned(Value::Object(data))
        }
        _ => Cow::Borrowed(value),
    }
}

fn of_role(draft: &mut Draft, at: usize, role: Role, value: &Value) {
    match role {
        Role::System => draft.say(Speaker::System, at, content(value)),
        Role::User => {
            spoken(draft, at, Side::User, value);
            calls(draft, at, Side::User, value);
        }
        Role::Agent => {
            let is_thought = json::text(value, &["channel"]) == Some("analysis");
            const THOUGHTS: [&str; 4] = ["reasoning_content", "reasoning", "thinking", "reasoning_details"];
            let has_thoughts = json::field(value, &THOUGHTS).is_some_and(|thought| thought != "");
            draft.remark_times(Remark::Thought, u32::from(is_thought || has_thoughts));
            if !is_thought {
                spoken(draft, at, Side::Agent, value);
            }
            calls(draft, at, Side::Agent, value);
        }
        Role::Tool => results(draft, at, value),
    }
}

fn content(value: &Value) -> &Value {
    json::field(value, &["content", "parts", "contents", "text"]).unwrap_or(&Value::Null)
}

/// The words of a message and the calls and results among its blocks. Words come before the calls they stand beside;
/// after a result new words begin.
fn spoken(draft: &mut Draft, at: usize, side: Side, value: &Value) {
    let speaker = if side == Side::User { Speaker::User } else { Speaker::Agent };
    let Some(blocks) = content(value).as_array() else {
        let words = match json::text(value, &["refusal"]) {
            Some(refusal) if content(value).is_null() => &Value::String(refusal.to_owned()),
            _ => value.pointer("/audio/transcript").filter(|_| content(value).is_null()).unwrap_or(content(value)),
        };
        return draft.say(speaker, at, words);
    };
    let (mut said, mut made) = (Vec::new(), Vec::new());
    for block in blocks {
        match part(block) {
            Part::Content => said.push(block.clone()),
            Part::Call(call) => made.push(call),
            Part::BrokenCall => draft.unread(at, "a call has no name", "write the name of the tool"),
            Part::Result(result) => {
                draft.say(speaker, at, &Value::Array(std::mem::take(&mut said)));
                made.drain(..).for_each(|call| draft.call(side, at, call));
                // What a user's message answers are the agent's calls.
                draft.result(Side::Agent, at, result);
            }
        }
    }
    draft.say(speaker, at, &Value::Array(said));
    made.into_iter().for_each(|call| draft.call(side, at, call));
}

/// The calls beside the content of a message.
fn calls(draft: &mut Draft, at: usize, side: Side, value: &Value) {
    let listed = json::field(value, &["tool_calls", "toolCalls"]).map(json::opened);
    let listed = listed.as_ref().and_then(|list| list.as_array()).map_or(&[][..], Vec::as_slice);
    let legacy = value.get("function_call").filter(|call| call.is_object());
    // LangChain keeps the provider's own calls a second time.
    let other = || value.pointer("/additional_kwargs/tool_calls").and_then(Value::as_array);
    let listed = if listed.is_empty() { other().map_or(&[][..], Vec::as_slice) } else { listed };
    let among_blocks = content(value).as_array().into_iter().flatten();
    let is_told = among_blocks.filter(|block| matches!(part(block), Part::Call(_))).count() > 0;
    // The same calls stand among the blocks of some providers' messages.
    for call in listed.iter().chain(legacy).filter(|_| !is_told) {
        let requestor = json::text(call, &["requestor"]);
        let side = if requestor == Some("user") { Side::User } else { side };
        match called(call) {
            Some(call) => draft.call(side, at, call),
            None => draft.unread(at, "a call has no name", "write the name of the tool"),
        }
    }
}

/// The results of a message of a tool: one, or several in a list.
fn results(draft: &mut Draft, at: usize, value: &Value) {
    let several = json::field(value, &["tool_messages"]).and_then(Value::as_array);
    let parts = content(value)
        .as_array()
        .filter(|blocks| !blocks.is_empty() && blocks.iter().all(|block| matches!(part(block), Part::Result(_))));
    for result in several.or(parts).map_or(std::slice::from_ref(value), Vec::as_slice) {
        let requestor = json::text(result, &["requestor"]).or_else(|| json::text(value, &["requestor"]));
        let side = if requestor == Some("user") { Side::User } else { Side::Agent };
        draft.result(side, at, answered(result));
    }
}
