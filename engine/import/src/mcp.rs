//! What an MCP server answers to `tools/list`, in any of its eras.

use probity_engine::ids::is_tool_name;
use serde_json::{Map, Value};

use crate::schema::Normaliser;
use crate::source::{Hints, Note, OuterTool, Refused, Source};

/// Reads a list of tools: `{"tools": [..]}`, the answer around it, or the list alone. The tools of several answers
/// (pages) stand in several lines.
///
/// # Errors
/// It is no JSON, or there are no tools in it.
pub fn mcp(text: &str) -> Result<Source, Refused> {
    let help = "give what the server answers to `tools/list`: {\"tools\": [..]}";
    let pages: Vec<Value> = match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(error) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
            lines.collect::<Result<_, _>>().map_err(|_| Refused::new(format!("it is no JSON: {error}"), help))?
        }
    };
    let mut source = Source { title: "Tools of an MCP server".to_owned(), ..Source::default() };
    for page in &pages {
        let server = page.pointer("/result/serverInfo").or_else(|| page.get("serverInfo"));
        if let Some(name) = server.and_then(|server| server.get("title").or(server.get("name"))?.as_str()) {
            source.title = name.to_owned();
        }
        let tools = ["/tools", "/result/tools", ""].iter().find_map(|at| page.pointer(at)?.as_array());
        for tool in tools.into_iter().flatten() {
            add(tool, &mut source);
        }
    }
    source.summary = source.title.clone();
    source.checked()
}

fn add(tool: &Value, source: &mut Source) {
    // Chat completions wrap it: {"type": "function", "function": {..}}.
    let tool = tool.get("function").filter(|function| function.is_object()).unwrap_or(tool);
    let text = |key: &str| tool.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some(name) = text("name") else {
        let note = "a tool without a name is left out".to_owned();
        source.notes.push(Note { tool: String::new(), at: String::new(), text: note });
        return;
    };
    if !is_tool_name(&name) || source.tools.iter().any(|known| known.name == name) {
        let note = if is_tool_name(&name) { "a second tool of this name is left out" } else { "no name for a tool" };
        source.notes.push(Note { tool: name, at: String::new(), text: note.to_owned() });
        return;
    }
    let input = ["inputSchema", "input_schema", "parameters"].iter().find_map(|key| tool.get(*key));
    let empty = Value::Object(Map::new());
    let input = Normaliser::new(&name, input.unwrap_or(&empty), &mut source.notes).arguments();
    let output = tool.get("outputSchema").filter(|schema| schema.is_object());
    let output = output.map(|schema| Normaliser::new(&name, schema, &mut source.notes).result());
    let hint = |key: &str| tool.pointer(&format!("/annotations/{key}")).and_then(Value::as_bool);
    let hints = Hints { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint") };
    let title = text("title").unwrap_or_default();
    let description = text("description").filter(|text| !text.trim().is_empty()).unwrap_or(title);
    source.tools.push(OuterTool { name, description, input, output, hints, route: None });
}
