//! An OpenAPI document, 3.0 or 3.1, as JSON or YAML: each operation a tool.

use std::collections::BTreeSet;

use probity_engine::ids::is_tool_name;
use probity_prose::put_off::{is_put_off, says_nothing};
use serde_json::{Map, Value, json};

use crate::schema::Normaliser;
use crate::source::{Hints, Only, OuterTool, Reading, Refused, Route, Source};
use crate::yaml::{self, Document};

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];
/// Most operations of a document.
const MAX_READ: usize = 5_000;
/// Most characters of a name that is made of a method and a path.
const MAX_NAME: usize = 64;

/// Reads a document.
///
/// # Errors
/// It is neither JSON nor YAML, is of another version, or has no operations, or more than an environment holds.
pub fn openapi(text: &str, only: &Only) -> Result<Source, Refused> {
    let help = "give an OpenAPI document of version 3.0 or 3.1, as JSON or YAML";
    let Document { value: document, twice } = match serde_json::from_str(text) {
        Ok(value) => Document { value, twice: BTreeSet::new() },
        Err(json) => yaml::read(text).map_err(|yaml| match text.trim_start().starts_with('{') {
            true => Refused::json(&json, help),
            false => Refused::new(format!("it is neither JSON ({json}) nor YAML ({yaml})"), help),
        })?,
    };
    let version = document.get("openapi").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with("3.") {
        let found = match document.get("swagger").and_then(Value::as_str) {
            Some(version) => format!("it is of Swagger {version}"),
            None if version.is_empty() => "it does not say `openapi: 3..`".to_owned(),
            None => format!("it is of OpenAPI {version}"),
        };
        return Err(Refused::new(found, help));
    }
    let text_at = |at: &str| document.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        let item = resolved(&document, item);
        for method in METHODS {
            if let Some(operation) = item.get(method).filter(|operation| operation.is_object()) {
                if found.len() == MAX_READ {
                    let message = format!("it has more than {MAX_READ} operations");
                    return Err(Refused::new(message, "cut it into parts that belong together"));
                }
                let operation = Operation { document: &document, path, method, item, operation };
                found.push((operation.name(&mut names), operation));
            }
        }
    }
    let mut reading = Reading::new(text_at("/info/title"), text_at("/info/description"));
    twice.iter().for_each(|key| reading.note("", key, "stands twice in one place: the last is read"));
    let is_called = |(name, operation): &(String, Operation<'_>), beginning: &str| {
        name.starts_with(beginning) || operation.path.starts_with(beginning)
    };
    for (name, operation) in only.of(found, is_called)? {
        let tool = operation.tool(name, &mut reading);
        reading.source.tools.push(tool);
    }
    reading.source()
}

/// What a local reference leads to, a few steps far; itself where it leads nowhere.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let mut value = value;
    for _ in 0..8 {
        let target = value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        match target.and_then(|pointer| document.pointer(pointer)) {
            Some(found) => value = found,
            None => return value,
        }
    }
    value
}

struct Operation<'a> {
    document: &'a Value,
    path: &'a str,
    method: &'a str,
    item: &'a Value,
    operation: &'a Value,
}

impl Operation<'_> {
    fn tool(&self, name: String, reading: &mut Reading) -> OuterTool {
        let text = |key: &str| self.operation.get(key).and_then(Value::as_str).unwrap_or_default().trim();
        let description = match (text("summary"), text("description")) {
            (summary, "") => summary.to_owned(),
            ("", description) => description.to_owned(),
            (summary, description) if description.contains(summary) => description.to_owned(),
            (summary, description) => format!("{summary}. {description}"),
        };
        let description = if says_nothing(&description) || is_put_off(&description) {
            format!("{} {}", self.method.to_uppercase(), self.path)
        } else {
            description
        };
        let input = self.input(&name, reading);
        let output = self.output(&name, reading);
        let description = reading.cut(&name, "/description", &description);
        reading.take(name.len() + description.len());
        let route = Some(Route { method: self.method.to_uppercase(), path: self.path.to_owned() });
        OuterTool { name, description, input, output, hints: Hints::default(), route }
    }

    fn name(&self, names: &mut BTreeSet<String>) -> String {
        let id = self.operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
        let clean = |text: &str| -> String {
            let kept = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' });
            let kept: String = kept.collect();
            let parts: Vec<&str> = kept.split('_').filter(|part| !part.is_empty()).collect();
            parts.join("_").chars().take(MAX_NAME).collect()
        };
        let of_route = || clean(&format!("{}_{}", self.method, self.path));
        let base = if is_tool_name(id) && id.len() <= MAX_NAME { id.to_owned() } else { clean(id) };
        let base = if base.is_empty() { of_route() } else { base };
        let others = (2_u32..).map(|number| {
            let end = format!("_{number}");
            let kept: String = base.chars().take(MAX_NAME - end.len()).collect();
            format!("{kept}{end}")
        });
        let found =
            std::iter::once(base.clone()).chain(others).find(|name| !names.contains(name)).unwrap_or(base.clone());
        names.insert(found.clone());
        found
    }

    /// Parameters of the path, the query and the body as one object; headers and cookies are a client's own.
    fn input(&self, tool: &str, reading: &mut Reading) -> Map<String, Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        let all = [self.item, self.operation]
            .into_iter()
            .flat_map(|at| at.get("parameters").and_then(Value::as_array))
            .flatten();
        for parameter in all.map(|parameter| resolved(self.document, parameter)) {
            let text = |key: &str| parameter.get(key).and_then(Value::as_str);
            let Some(name) = text("name").filter(|_| matches!(text("in"), Some("path" | "query"))) else { continue };
            let content = || parameter.get("content")?.as_object()?.values().next()?.get("schema");
            let empty = Value::Object(Map::new());
            let schema = parameter.get("schema").or_else(content).unwrap_or(&empty);
            let mut schema = Normaliser::within(tool, self.document, schema, reading).result();
            let described = text("description").filter(|text| !says_nothing(text) && !is_put_off(text));
            if let (Some(description), Value::Object(own)) = (described, &mut schema) {
                own.entry("description").or_insert_with(|| description.into());
            }
            properties.insert(name.to_owned(), schema);
            if text("in") == Some("path") || parameter.get("required") == Some(&Value::Bool(true)) {
                required.push(Value::from(name));
            }
        }
        self.body(tool, &mut properties, &mut required, reading);
        let mut input = Map::new();
        input.insert("type".to_owned(), "object".into());
        input.insert("properties".to_owned(), properties.into());
        if !required.is_empty() {
            input.insert("required".to_owned(), required.into());
        }
        input.insert("additionalProperties".to_owned(), json!(false));
        input
    }

    /// The fields of the body, or all of it under `body` where it is no object.
    fn body(&self, tool: &str, properties: &mut Map<String, Value>, required: &mut Vec<Value>, reading: &mut Reading) {
        let body = self.operation.get("requestBody").map(|body| resolved(self.document, body));
        let Some(schema) = body.and_then(|body| self.content(body)) else { return };
        let mut normaliser = Normaliser::within(tool, self.document, schema, reading);
        let read = normaliser.result();
        let is_needed = body.and_then(|body| body.get("required")) == Some(&Value::Bool(true));
        if read.get("properties").is_none() && read.pointer("/anyOf/0/properties").is_none() {
            properties.insert("body".to_owned(), read);
            return required.extend(is_needed.then(|| Value::from("body")));
        }
        let own = normaliser.flat(&read);
        let names = own.get("required").and_then(Value::as_array).into_iter().flatten();
        let more: Vec<Value> = names.filter(|name| !required.contains(name)).cloned().collect();
        if is_needed {
            required.extend(more);
        } else if !more.is_empty() {
            // Many documents forget to say that it is needed.
            reading.note(tool, "", "its body may be left out: of its fields none is required here");
        }
        for (name, schema) in own.get("properties").and_then(Value::as_object).into_iter().flatten() {
            match properties.contains_key(name) {
                true => reading.note(tool, "", format!("`{name}` of the body is left out: a parameter is called so")),
                false => drop(properties.insert(name.clone(), schema.clone())),
            }
        }
    }

    /// What it returns when it succeeds.
    fn output(&self, tool: &str, reading: &mut Reading) -> Option<Value> {
        let responses = self.operation.get("responses").and_then(Value::as_object)?;
        let good =
            responses.iter().find(|(code, _)| code.starts_with('2')).or_else(|| responses.get_key_value("default"))?;
        let schema = self.content(resolved(self.document, good.1))?;
        let output = Normaliser::within(tool, self.document, schema, reading).result();
        output.as_object().is_some_and(|output| !output.is_empty()).then_some(output)
    }

    /// The schema of a body: that of JSON, else the first.
    fn content<'b>(&'b self, body: &'b Value) -> Option<&'b Value> {
        let content = body.get("content").and_then(Value::as_object)?;
        let json = content.iter().find(|(kind, _)| kind.contains("json")).or_else(|| content.iter().next())?;
        json.1.get("schema")
    }
}
