//! Tools as agents are told of them, in any provider's words.

use serde_json::Value;

use crate::dialogue::Tool;
use crate::json;

/// How deep lists of tools stand within each other.
const MAX_DEPTH: usize = 8;

/// The tools of a list, an object by name, or a text that holds one of these.
pub(crate) fn tools(value: &Value) -> Vec<Tool> {
    let mut found = Vec::new();
    collect(value, None, MAX_DEPTH, &mut found);
    found
}

/// The tools that a file defines: what a provider is given in any of their forms, or an MCP server's answer to
/// `tools/list`. Nothing where it is no JSON.
pub fn tools_of(text: &str) -> Option<Vec<Tool>> {
    let value: Value = serde_json::from_str(text).ok()?;
    Some(tools(value.get("result").unwrap_or(&value)))
}

fn collect(value: &Value, key: Option<&str>, depth: usize, found: &mut Vec<Tool>) {
    let value = json::opened(value);
    if depth == 0 {
        return;
    }
    match value.as_ref() {
        Value::Array(items) => items.iter().for_each(|item| collect(item, None, depth - 1, found)),
        Value::Object(map) => {
            let within = ["function", "toolSpec", "tool", "custom"].iter().find_map(|key| map.get(*key));
            let lists = ["functionDeclarations", "function_declarations", "tools"];
            let list = lists.iter().find_map(|key| map.get(*key).filter(|list| list.is_array()));
            let schema = json::field(&value, &["json_schema", "tool.json_schema"]);
            match (list, within.or(schema)) {
                (Some(list), _) => collect(list, None, depth - 1, found),
                (None, Some(inner)) if inner.is_object() || inner.is_string() => {
                    collect(inner, key, depth - 1, found);
                }
                (None, _) => match json::text(&value, &["name", "tool_name"]).or(key) {
                    Some(name) => found.push(tool(name, &value)),
                    None => map.iter().for_each(|(name, item)| {
                        if item.is_object() || item.is_string() {
                            collect(item, Some(name), depth - 1, found);
                        }
                    }),
                },
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn tool(name: &str, value: &Value) -> Tool {
    const PARAMETERS: [&str; 6] =
        ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "args_schema", "params"];
    let parameters = json::field(value, &PARAMETERS).map(json::opened);
    let parameters = parameters.map(|schema| schema.get("json").cloned().unwrap_or_else(|| schema.into_owned()));
    Tool {
        name: name.to_owned(),
        description: json::text(value, &["description", "doc"]).unwrap_or_default().to_owned(),
        parameters: json::bounded(parameters.unwrap_or_default()),
        annotations: value.get("annotations").and_then(Value::as_object).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_provider_s_tools_are_read() {
        let schema = json!({"type": "object"});
        let cases = [
            json!([{"type": "function", "function": {"name": "t", "description": "d", "parameters": schema}}]),
            json!([{"type": "function", "name": "t", "description": "d", "parameters": schema, "strict": true}]),
            json!([{"name": "t", "description": "d", "input_schema": schema}]),
            json!([{"functionDeclarations": [{"name": "t", "description": "d", "parametersJsonSchema": schema}]}]),
            json!([{"toolSpec": {"name": "t", "description": "d", "inputSchema": {"json": schema}}}]),
            json!([{"type": "namespace", "name": "n", "tools": [{"name": "t", "description": "d", "parameters": schema}]}]),
            json!({"t": {"description": "d", "parameters": schema}}),
            json!("[{\"name\": \"t\", \"description\": \"d\", \"parameters\": {\"type\": \"object\"}}]"),
            json!([{"tool.json_schema": "{\"name\": \"t\", \"description\": \"d\", \"parameters\": {\"type\": \"object\"}}"}]),
        ];
        let wanted = Tool { name: "t".to_owned(), description: "d".to_owned(), parameters: schema, annotations: None };
        for case in cases {
            assert_eq!(tools(&case), std::slice::from_ref(&wanted), "{case}");
        }
    }
}
