//! What an MCP server answers to `tools/list`, in any of its eras.

use probity_engine::ids::is_tool_name;
use serde_json::{Value, json};

use crate::schema::Normaliser;
use crate::source::{Hints, Note, Only, OuterTool, Reading, Refused, Source};

/// What is read of a tool.
const READ: [&str; 7] =
    ["name", "description", "inputSchema", "input_schema", "parameters", "outputSchema", "annotations"];

/// Reads a list of tools: `{"tools": [..]}`, the answer around it, or the list alone. The tools of several answers
/// (pages) stand in several lines.
///
/// # Errors
/// It is no JSON, or there are no tools in it, or more than an environment holds.
pub fn mcp(text: &str, only: &Only) -> Result<Source, Refused> {
    let help = "give what the server answers to `tools/list`: {\"tools\": [..]}";
    let pages: Vec<Value> = match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(error) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
            lines.collect::<Result<_, _>>().map_err(|_| Refused::json(&error, help))?
        }
    };
    let mut title = "Tools of an MCP server".to_owned();
    let mut found = Vec::new();
    for page in &pages {
        let server = page.pointer("/result/serverInfo").or_else(|| page.get("serverInfo"));
        if let Some(name) = server.and_then(|server| server.get("title").or(server.get("name"))?.as_str()) {
            title = name.to_owned();
        }
        let tools = ["/tools", "/result/tools", ""].iter().find_map(|at| page.pointer(at)?.as_array());
        found.extend(tools.into_iter().flatten());
    }
    listed(title, found, only)
}

/// Tools as lists have them, in whatever wrapping.
pub(crate) fn listed(title: String, tools: Vec<&Value>, only: &Only) -> Result<Source, Refused> {
    let mut reading = Reading::new(title, String::new());
    for tool in only.of(tools, |tool, beginning| name(tool).is_some_and(|name| name.starts_with(beginning)))? {
        add(tool, &mut reading);
    }
    if let ([], Some(Note { tool, text, .. })) = (reading.source.tools.as_slice(), reading.source.notes.first()) {
        let which = if tool.is_empty() { String::new() } else { format!("`{tool}` ") };
        let message = format!("there is no tool in it that can be taken: {which}{text}");
        return Err(Refused::new(message, "mend the source there"));
    }
    reading.source()
}

/// Chat completions wrap it: `{"type": "function", "function": {..}}`.
fn unwrapped(tool: &Value) -> &Value {
    tool.get("function").filter(|function| function.is_object()).unwrap_or(tool)
}

fn name(tool: &Value) -> Option<&str> {
    unwrapped(tool).get("name")?.as_str()
}

fn add(tool: &Value, reading: &mut Reading) {
    let Some(name) = name(tool) else { return reading.note("", "", "a tool without a name is left out") };
    if !is_tool_name(name) {
        return reading.note(name, "", "is left out: a tool's name has letters, digits, `_`, `-` and `.`, 128 at most");
    }
    if reading.source.tools.iter().any(|known| known.name == name) {
        return reading.note(name, "", "a second tool of this name is left out");
    }
    let tool = unwrapped(tool);
    let text = |key: &str| tool.get(key).and_then(Value::as_str).map(str::to_owned);
    let input = ["inputSchema", "input_schema", "parameters"].iter().find_map(|key| tool.get(*key));
    let nothing = json!({"type": "object"});
    let input = Normaliser::new(name, input.filter(|input| !input.is_null()).unwrap_or(&nothing), reading).arguments();
    let output = tool.get("outputSchema").filter(|schema| schema.is_object());
    let output = output.map(|schema| Normaliser::new(name, schema, reading).result());
    let hint = |key: &str| tool.pointer(&format!("/annotations/{key}")).and_then(Value::as_bool);
    let hints = Hints { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint") };
    let is_title_read = text("description").is_none_or(|text| text.trim().is_empty());
    let is_read = |key: &str| READ.contains(&key) || (key == "title" && is_title_read);
    for key in tool.as_object().into_iter().flatten().map(|(key, _)| key).filter(|key| !is_read(key)) {
        reading.note(name, "", format!("`{key}` of a tool is not kept"));
    }
    let annotations = tool.get("annotations").and_then(Value::as_object).into_iter().flatten();
    for (key, _) in annotations.filter(|(key, _)| !["readOnlyHint", "destructiveHint"].contains(&key.as_str())) {
        reading.note(name, "", format!("`{key}` is not kept"));
    }
    let title = text("title").unwrap_or_default();
    let description = text("description").filter(|text| !text.trim().is_empty()).unwrap_or(title);
    let description = reading.cut(name, "/description", &description);
    reading.take(name.len() + description.len());
    reading.source.tools.push(OuterTool { name: name.to_owned(), description, input, output, hints, route: None });
}
