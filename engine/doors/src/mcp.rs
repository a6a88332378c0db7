//! The door of MCP: one episode, whose tools are the environment's and one to speak to the user with. Both eras of the
//! protocol: 2026-07-28, which has no handshake, and those before it, which begin with `initialize`. Nothing that opens
//! an episode anew, scores it or shows its state is a tool.

use std::io::{self, Read, Write};

use probity_bench::{AgentMessage, Event, Heard, StepOutcome};
use probity_engine::{Effect, ToolCall};
use serde_json::{Map, Value, json};

use super::Episode;
use super::jsonl::{MAX_LINE, next_line};

/// The tool that speaks to the user.
pub const SAY: &str = "say_to_user";
/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, the newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const BRIEF: &str = "probity://brief";
const START: &str = "start";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// For how long a client may keep lists and texts, in milliseconds: they never change.
const KEPT: u64 = 3_600_000;

const PARSE: i64 = -32700;
const INVALID: i64 = -32600;
const NO_METHOD: i64 = -32601;
const BAD_PARAMS: i64 = -32602;
const NO_RESOURCE: i64 = -32002;
const BAD_VERSION: i64 = -32022;

/// An episode as an MCP server.
pub struct McpServer<'a> {
    episode: Episode<'a>,
    /// What the user said first.
    first: String,
    tools: Value,
}

struct Fault {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Fault {
    fn new(code: i64, message: impl Into<String>) -> Fault {
        Fault { code, message: message.into(), data: None }
    }
}

impl<'a> McpServer<'a> {
    /// A server of an episode in which the agent has said nothing; nothing where a tool of it is called as ours is.
    pub fn new(episode: Episode<'a>) -> Option<McpServer<'a>> {
        let first = match episode.heard() {
            Some(Heard::User(text)) => text.clone(),
            Some(Heard::Observations(_)) | None => String::new(),
        };
        let tools = tools(&episode)?;
        Some(McpServer { episode, first, tools })
    }

    /// The episode, as far as it was played.
    pub fn episode(&self) -> &Episode<'a> {
        &self.episode
    }

    /// The client is gone: what is not over ends as an agent that left.
    pub fn leave(mut self) -> Episode<'a> {
        if !self.episode.is_over() {
            // It is not over, so there is nothing to refuse.
            let _ = self.episode.end("the client left before the dialogue was over");
        }
        self.episode
    }

    /// Answers one message of a client; nothing to what is no request.
    pub fn answer(&mut self, message: &[u8]) -> Option<Value> {
        let message: Value = match serde_json::from_slice(message) {
            Ok(message) => message,
            Err(error) => return Some(failed(&Value::Null, Fault::new(PARSE, format!("no JSON: {error}")))),
        };
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str);
        let is_request = message.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
        let (Some(method), true) = (method, is_request) else {
            // What answers a request of ours answers nothing: there are none.
            let is_answer = is_request && (message.get("result").is_some() || message.get("error").is_some());
            return (!is_answer)
                .then(|| failed(&Value::Null, Fault::new(INVALID, "not one JSON-RPC 2.0 request or notification")));
        };
        let id = match id {
            None => return None,
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(_) => return Some(failed(&Value::Null, Fault::new(INVALID, "`id` is a text or a number"))),
        };
        let params = message.get("params").cloned().unwrap_or_else(|| json!({}));
        Some(match self.result(method, &params) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(fault) => failed(&id, fault),
        })
    }

    fn result(&mut self, method: &str, params: &Value) -> Result<Value, Fault> {
        let version = params.get("_meta").and_then(|meta| meta.get(VERSION_KEY));
        let is_modern = match version.map(|version| version.as_str().unwrap_or_default()) {
            None => false,
            Some(MODERN) => true,
            Some(version) if LEGACY.contains(&version) => false,
            Some(_) => return Err(unsupported()),
        };
        if method == "server/discover" && version.is_none() {
            return Err(Fault::new(BAD_PARAMS, format!("`_meta` lacks `{VERSION_KEY}`")));
        }
        let mut result = self.plain_result(method, params)?;
        if let Some(map) = result.as_object_mut().filter(|_| is_modern) {
            map.insert("resultType".to_owned(), json!("complete"));
            if method.ends_with("/list") || matches!(method, "server/discover" | "resources/read") {
                map.insert("ttlMs".to_owned(), json!(KEPT));
                map.insert("cacheScope".to_owned(), json!("private"));
            }
        }
        Ok(result)
    }

    fn plain_result(&mut self, method: &str, params: &Value) -> Result<Value, Fault> {
        let server = json!({"name": "probity", "version": env!("CARGO_PKG_VERSION")});
        let capabilities = json!({"tools": {}, "resources": {}, "prompts": {}});
        let named = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
        match method {
            "initialize" => {
                let asked = named("protocolVersion");
                let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
                Ok(json!({
                    "protocolVersion": version,
                    "capabilities": capabilities,
                    "serverInfo": server,
                    "instructions": self.instructions(),
                }))
            }
            "server/discover" => Ok(json!({
                "supportedVersions": [MODERN],
                "capabilities": capabilities,
                "instructions": self.instructions(),
                "_meta": {"io.modelcontextprotocol/serverInfo": server},
            })),
            "ping" | "logging/setLevel" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": self.tools})),
            "tools/call" => self.call(params),
            "resources/list" => Ok(json!({"resources": [
                {"uri": BRIEF, "name": "brief", "description": "The rules, and what the user said first", "mimeType": "text/plain"},
            ]})),
            "resources/templates/list" => Ok(json!({"resourceTemplates": []})),
            "resources/read" if named("uri") == BRIEF => {
                Ok(json!({"contents": [{"uri": BRIEF, "mimeType": "text/plain", "text": self.instructions()}]}))
            }
            "resources/read" => Err(Fault::new(NO_RESOURCE, format!("there is one resource, `{BRIEF}`"))),
            "prompts/list" => Ok(json!({"prompts": [
                {"name": START, "description": "What the user says first, with the rules"},
            ]})),
            "prompts/get" if named("name") == START => Ok(json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": self.instructions()}},
            ]})),
            "prompts/get" => Err(Fault::new(BAD_PARAMS, format!("there is one prompt, `{START}`"))),
            _ => Err(Fault::new(NO_METHOD, format!("no method `{}`", method.chars().take(80).collect::<String>()))),
        }
    }

    /// What a client's model is told: the brief, how the user is spoken to, and what they said first.
    fn instructions(&self) -> String {
        let brief = &self.episode.brief().system;
        let context = self.episode.context().map(|context| format!("\n\n{context}")).unwrap_or_default();
        format!(
            "{brief}{context}\n\nYou speak to the user by the tool `{SAY}` alone: what it returns is what they say next. \
             When it returns that the dialogue is over, you are finished.\n\nThe user says:\n{}",
            self.first
        )
    }

    fn call(&mut self, params: &Value) -> Result<Value, Fault> {
        let name = params.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| Fault::new(BAD_PARAMS, "`name` is missing"))?;
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(arguments @ Value::Object(_)) => arguments.clone(),
            Some(_) => return Err(Fault::new(BAD_PARAMS, "`arguments` is an object")),
        };
        let is_known = |tool: &Value| tool.get("name").and_then(Value::as_str) == Some(name);
        if !self.tools.as_array().is_some_and(|tools| tools.iter().any(is_known)) {
            let name: String = name.chars().take(80).collect();
            return Err(Fault::new(BAD_PARAMS, format!("unknown tool `{name}`")));
        }
        let message = match name {
            SAY => {
                let text = arguments.get("text").and_then(Value::as_str).unwrap_or_default();
                if text.trim().is_empty() {
                    return Ok(said("`text` is what you say: it must not be empty", true));
                }
                AgentMessage::reply(text)
            }
            _ => AgentMessage::call(ToolCall::new(name, arguments)),
        };
        if self.episode.step(message).is_err() {
            return Ok(said("The dialogue is over: nothing can be done in it any more.", true));
        }
        Ok(self.told(name))
    }

    /// What comes of a message: what a call returned, and what the user says where it is their turn.
    fn told(&self, name: &str) -> Value {
        let mut content = Vec::new();
        let text = |text: &str| json!({"type": "text", "text": text});
        let step = self.episode.last_step().filter(|_| name != SAY);
        let shown = step.map(|step| step.shown());
        if let Some(shown) = &shown {
            content.push(text(&shown.as_str().map_or_else(|| shown.to_string(), str::to_owned)));
        }
        let after = match (self.episode.heard(), step.is_some()) {
            (Some(Heard::User(words)), false) => Some(words.clone()),
            (Some(Heard::User(words)), true) => Some(format!("The user says:\n{words}")),
            (Some(Heard::Observations(_)), _) => None,
            (None, _) => Some(self.farewell()),
        };
        content.extend(after.as_deref().map(text));
        content.extend(self.episode.context().filter(|_| self.episode.heard().is_some()).map(text));
        let is_refused = step.is_some_and(|step| matches!(step.outcome, StepOutcome::Rejected { .. }));
        let mut result = json!({"content": content, "isError": is_refused});
        let structured = shown.filter(|shown| shown.is_object() && !is_refused);
        if let (Some(map), Some(shown)) = (result.as_object_mut(), structured) {
            map.insert("structuredContent".to_owned(), shown);
        }
        result
    }

    fn farewell(&self) -> String {
        let last = self.episode.last_event();
        let words = match last {
            Some(Event::User { text, .. }) => format!("{text}\n"),
            _ => String::new(),
        };
        format!("{words}The dialogue is over.")
    }
}

/// Serves one client over lines until it leaves: the episode, which is over then, and why the client was lost, if so.
pub fn serve<'a>(mut server: McpServer<'a>, input: impl Read, mut output: impl Write) -> (Episode<'a>, io::Result<()>) {
    let mut input = io::BufReader::new(input);
    let mut answer = |server: &mut McpServer<'a>, line: Option<&[u8]>| {
        let answer = match line {
            Some(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            Some(line) => server.answer(line),
            None => Some(failed(&Value::Null, Fault::new(INVALID, format!("a line of more than {MAX_LINE} bytes")))),
        };
        answer.map_or(Ok(()), |answer| writeln!(output, "{answer}").and_then(|()| output.flush()))
    };
    let mut line = Vec::new();
    let lost = loop {
        let read = match next_line(&mut input, &mut line) {
            Ok(None) => break Ok(()),
            Ok(Some(is_whole)) => answer(&mut server, is_whole.then_some(line.as_slice())),
            Err(error) => Err(error),
        };
        if read.is_err() {
            break read;
        }
    };
    (server.leave(), lost)
}

fn said(text: &str, is_error: bool) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": is_error})
}

fn unsupported() -> Fault {
    let supported: Vec<&str> = std::iter::once(MODERN).chain(LEGACY).collect();
    let data = Some(json!({"supported": supported}));
    Fault { data, ..Fault::new(BAD_VERSION, "this version of the protocol is not spoken here") }
}

fn failed(id: &Value, fault: Fault) -> Value {
    let mut error = json!({"code": fault.code, "message": fault.message});
    if let (Some(map), Some(data)) = (error.as_object_mut(), fault.data) {
        map.insert("data".to_owned(), data);
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// The tools as MCP has them, in the brief's order, and ours at the end; nothing where one is called as ours is.
fn tools(episode: &Episode) -> Option<Value> {
    let environment = episode.environment();
    let mut all = Vec::new();
    for function in episode.brief().tools.as_array().into_iter().flatten() {
        let function = function.get("function").unwrap_or(function);
        let name = function.get("name")?.as_str()?;
        if name == SAY {
            return None;
        }
        let mut tool = json!({
            "name": name,
            "description": function.get("description"),
            "inputSchema": function.get("parameters").cloned().unwrap_or_else(|| json!({"type": "object"})),
        });
        let known = environment.and_then(|environment| environment.tool(name));
        if let (Some(map), Some(known)) = (tool.as_object_mut(), known) {
            let is_read = known.effect == Effect::Read;
            let hints = json!({
                "readOnlyHint": is_read,
                "destructiveHint": !is_read && known.irreversible,
                "openWorldHint": false,
            });
            map.insert("annotations".to_owned(), hints);
            // What is no object has no place in the structured part of a result.
            let returned = known.returns.document();
            let is_object = returned.get("type").and_then(Value::as_str) == Some("object");
            map.extend(is_object.then(|| ("outputSchema".to_owned(), returned.clone())));
        }
        all.push(tool);
    }
    all.push(json!({
        "name": SAY,
        "description": "Say something to the user. It returns what the user says next.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What you say"}},
            "required": ["text"],
            "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": false, "openWorldHint": false},
    }));
    Some(Value::Array(all))
}
