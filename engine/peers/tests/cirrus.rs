//! CirrusBench's files, as tickets.

use std::fs;

use serde_json::json;

use crate::support::{code, contents, peers, said, scratch};

#[test]
fn its_tasks_become_tickets() {
    let folder = scratch("cirrus-import");
    let file = |name: &str, value: serde_json::Value| {
        fs::write(folder.join(name), format!("{value}\n")).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let call = json!({"name": "server#look", "arguments": "{\"server\":\"srv-1\"}"});
    let messages = json!([
        {"role": "user", "content": "Is srv-1 up? I am Mira, mira@mail.example.com"},
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "c", "content": "{\"state\":\"up\"}"},
        {"role": "assistant", "content": "It is up since Monday."},
    ]);
    let indices = json!([{"reply_index": 3, "agent_tool_indices": [1]}]);
    let task = json!({"id": "0008", "messages": messages, "seperate_indices": indices, "product_name": "server"});
    let tool = json!({"name": "server_look", "description": "Looks.", "parameters": {"type": "object"}});
    let (tasks, tools) =
        (file("tasks.jsonl", task), file("tools.jsonl", json!({"type": "function", "function": tool})));
    let out = folder.join("out");
    let made = peers(&["import", "cirrus", "--tasks", &tasks, "--tools", &tools, "--out", out.to_str().unwrap()]);
    let said = said(&made);
    assert!(code(&made) == 0 && said.contains("1 ticket, 1 checkpoint, 1 draft, 1 recorded call"), "{said}");
    assert!(contents(out.join("tickets/server/t0008.json")).contains("TODO: "));
}
