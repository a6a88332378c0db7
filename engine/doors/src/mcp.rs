//! The door of MCP: one episode, whose tools are the environment's and one to speak to the user with. Both eras of the
//! protocol: 2026-07-28, which has no handshake, and those before it, which begin with `initialize`. Nothing that opens
//! an episode anew, scores it or shows its state is a tool.

use std::io::{self, Read, Write};

use probity_bench::dialogue::checked;
use probity_bench::{AgentMessage, EndReason, Event, Heard, Past, StepOutcome};
use probity_engine::{Effect, ToolCall};
use serde_json::{Map, Value, json};

use super::jsonl::{MAX_LINE, next_line};
use super::request::is_id;
use super::{Episode, Refusal};

/// The tool that speaks to the user.
pub const SAY: &str = "say_to_user";
/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, the newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const BRIEF: &str = "probity://brief";
const START: &str = "start";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Most messages of one batch, which revisions before 2025-06-18 have.
const MAX_BATCH: usize = 64;
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
    /// What a client's model is told: the brief, how the user is spoken to, and what they said first.
    instructions: String,
    tools: Value,
}

/// An answer, and what HTTP says beside it.
pub struct Answer {
    /// The message.
    pub body: Value,
    /// Whether it can be understood what was asked; HTTP answers the rest by 400.
    pub is_understood: bool,
    /// Whether a session begins by it: its client leaves by the session's name.
    pub begins_session: bool,
}

impl From<Value> for Answer {
    fn from(body: Value) -> Answer {
        Answer { body, is_understood: true, begins_session: false }
    }
}

struct Fault {
    code: i64,
    message: String,
    data: Option<Value>,
    is_understood: bool,
}

impl Fault {
    fn new(code: i64, message: impl Into<String>) -> Fault {
        Fault { code, message: message.into(), data: None, is_understood: true }
    }

    /// What was asked is no request of this protocol, or of none of its revisions.
    fn malformed(code: i64, message: impl Into<String>) -> Fault {
        Fault { is_understood: false, ..Fault::new(code, message) }
    }
}

impl<'a> McpServer<'a> {
    /// A server of an episode in which the agent has said nothing.
    ///
    /// # Errors
    /// A tool of it is called as the one that speaks to the user is.
    pub fn new(episode: Episode<'a>) -> Result<McpServer<'a>, Refusal> {
        let tools = tools(&episode)?;
        let instructions = instructions(&episode);
        Ok(McpServer { episode: episode.onward(), instructions, tools })
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

    /// Answers a message of a client as it came; nothing to what is no request.
    pub fn answer(&mut self, message: &[u8]) -> Option<Value> {
        let answer = match serde_json::from_slice(message) {
            Ok(message) => self.respond(&message)?,
            Err(error) => failed(&Value::Null, Fault::new(PARSE, format!("no JSON: {error}"))),
        };
        Some(answer.body)
    }

    /// Answers one message of a client, or a batch of them; nothing to what is no request.
    pub fn respond(&mut self, message: &Value) -> Option<Answer> {
        match message {
            Value::Array(batch) if (1..=MAX_BATCH).contains(&batch.len()) => {
                let one = |message| self.respond_to_one(message).map(|answer| answer.body);
                let answers: Vec<Value> = batch.iter().filter_map(one).collect();
                (!answers.is_empty()).then(|| Value::Array(answers).into())
            }
            message => self.respond_to_one(message),
        }
    }

    fn respond_to_one(&mut self, message: &Value) -> Option<Answer> {
        let id = message.get("id").cloned();
        let known = id.clone().filter(is_id).unwrap_or_default();
        let method = message.get("method").and_then(Value::as_str);
        let is_request = message.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
        let (Some(method), true) = (method, is_request) else {
            // What answers a request of ours answers nothing: there are none.
            let is_answer = is_request && (message.get("result").is_some() || message.get("error").is_some());
            let what = "not one JSON-RPC 2.0 request or notification";
            return (!is_answer).then(|| failed(&known, Fault::malformed(INVALID, what)));
        };
        let id = match id {
            None => return None,
            Some(id) if is_id(&id) && !id.is_null() => id,
            Some(_) => {
                let what = "`id` is a whole number or a text of at most 256 bytes";
                return Some(failed(&Value::Null, Fault::malformed(INVALID, what)));
            }
        };
        let params = match message.get("params") {
            None => json!({}),
            Some(params @ Value::Object(_)) => params.clone(),
            Some(_) => return Some(failed(&id, Fault::new(BAD_PARAMS, "`params` is an object"))),
        };
        Some(match self.result(method, &params) {
            Ok(result) => Answer {
                body: json!({"jsonrpc": "2.0", "id": id, "result": result}),
                is_understood: true,
                begins_session: method == "initialize",
            },
            Err(fault) => failed(&id, fault),
        })
    }

    fn result(&mut self, method: &str, params: &Value) -> Result<Value, Fault> {
        let told = |key: &str| params.get("_meta").and_then(|meta| meta.get(key));
        let version = told(VERSION_KEY);
        let is_modern = version.and_then(Value::as_str) == Some(MODERN);
        match version {
            Some(version) if !is_modern => return Err(unsupported(version)),
            None if method == "server/discover" => {
                return Err(Fault::malformed(BAD_PARAMS, format!("`_meta` lacks `{VERSION_KEY}`")));
            }
            Some(_) if !told(CAPABILITIES_KEY).is_some_and(Value::is_object) => {
                return Err(Fault::malformed(BAD_PARAMS, format!("`_meta` lacks `{CAPABILITIES_KEY}`")));
            }
            Some(_) | None => {}
        }
        let mut result = self.plain_result(method, params, is_modern)?;
        if let Some(map) = result.as_object_mut().filter(|_| is_modern) {
            map.insert("resultType".to_owned(), json!("complete"));
            if method.ends_with("/list") || matches!(method, "server/discover" | "resources/read") {
                map.insert("ttlMs".to_owned(), json!(KEPT));
                map.insert("cacheScope".to_owned(), json!("private"));
            }
        }
        Ok(result)
    }

    fn plain_result(&mut self, method: &str, params: &Value, is_modern: bool) -> Result<Value, Fault> {
        let server = json!({"name": "probity", "version": env!("CARGO_PKG_VERSION")});
        let capabilities = json!({"tools": {}, "resources": {}, "prompts": {}});
        let named = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
        match method {
            "initialize" if !is_modern => {
                let asked = named("protocolVersion");
                let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
                Ok(json!({
                    "protocolVersion": version,
                    "capabilities": capabilities,
                    "serverInfo": server,
                    "instructions": self.instructions,
                }))
            }
            "server/discover" => Ok(json!({
                "supportedVersions": [MODERN],
                "capabilities": capabilities,
                "instructions": self.instructions,
                "_meta": {"io.modelcontextprotocol/serverInfo": server},
            })),
            "ping" if !is_modern => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": self.tools})),
            "tools/call" => self.call(params),
            "resources/list" => Ok(json!({"resources": [
                {"uri": BRIEF, "name": "brief", "description": "The rules, and what the user said first", "mimeType": "text/plain"},
            ]})),
            "resources/templates/list" => Ok(json!({"resourceTemplates": []})),
            "resources/read" if named("uri") == BRIEF => {
                Ok(json!({"contents": [{"uri": BRIEF, "mimeType": "text/plain", "text": self.instructions}]}))
            }
            "resources/read" => {
                let code = if is_modern { BAD_PARAMS } else { NO_RESOURCE };
                Err(Fault::new(code, format!("there is one resource, `{BRIEF}`")))
            }
            "prompts/list" => Ok(json!({"prompts": [
                {"name": START, "description": "What the user says first, with the rules"},
            ]})),
            "prompts/get" if named("name") == START => Ok(json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": self.instructions}},
            ]})),
            "prompts/get" => Err(Fault::new(BAD_PARAMS, format!("there is one prompt, `{START}`"))),
            _ => Err(Fault::new(NO_METHOD, format!("no method `{}`", method.chars().take(80).collect::<String>()))),
        }
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
        // What would end the episode as a broken protocol is told to the model instead, as a provider tells it.
        let message = match checked(message) {
            Ok(message) => message,
            Err(fault) => return Ok(said(&format!("{fault}; nothing has happened"), true)),
        };
        if self.episode.step(message).is_err() {
            return Ok(said("The dialogue is over: nothing can be done in it any more.", true));
        }
        Ok(self.told())
    }

    /// What comes of a message: what a call returned, and what the user says where it is their turn.
    fn told(&self) -> Value {
        let mut content = Vec::new();
        let text = |text: &str| json!({"type": "text", "text": text});
        let step = self.episode.latest_step();
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
        let history = self.episode.history().map(|history| format!("What counts as said so far:\n{}", past(history)));
        content.extend(history.as_deref().map(text));
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
        let why = match self.episode.ended() {
            Some((EndReason::Completed, _)) | None => String::new(),
            Some((EndReason::MaxMessages, _)) => " There were as many messages as there may be.".to_owned(),
            Some((_, detail)) => format!(" {}", detail.unwrap_or_default()),
        };
        format!("{words}The dialogue is over.{why}")
    }
}

/// What a client's model is told: the brief, how the user is spoken to, what counts as said so far, and what they say
/// first.
fn instructions(episode: &Episode) -> String {
    let brief = episode.brief();
    let context = episode.context().map(|context| format!("\n\n{context}")).unwrap_or_default();
    let history = match brief.history.is_empty() {
        true => String::new(),
        false => format!("What was said before:\n{}\n", past(&brief.history)),
    };
    let first = match episode.heard() {
        Some(Heard::User(text)) => text.as_str(),
        Some(Heard::Observations(_)) | None => "",
    };
    format!(
        "{}{context}\n\nYou speak to the user by the tool `{SAY}` alone: what it returns is what they say next. When it \
         returns that the dialogue is over, you are finished.\n\n{history}The user says:\n{first}",
        brief.system
    )
}

/// A dialogue so far, line by line.
fn past(history: &[Past]) -> String {
    let line = |past: &Past| match past {
        Past::Heard(Heard::User(text)) => format!("user: {text}\n"),
        Past::Heard(Heard::Observations(values)) => values.iter().map(|value| format!("returned: {value}\n")).collect(),
        Past::Said(AgentMessage { text, calls, .. }) => {
            let words = text.iter().map(|text| format!("you: {text}\n"));
            words.chain(calls.iter().map(|call| format!("you called: {} {}\n", call.tool, call.arguments))).collect()
        }
    };
    history.iter().map(line).collect()
}

/// Serves one client over lines until it leaves; `answer` is asked for each message.
///
/// # Errors
/// It cannot be read or written to any more.
pub fn serve(
    input: impl Read,
    mut output: impl Write,
    mut answer: impl FnMut(&[u8]) -> Option<Value>,
) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    let mut line = Vec::new();
    while let Some(is_whole) = next_line(&mut input, &mut line)? {
        let said = match is_whole {
            true if line.iter().all(u8::is_ascii_whitespace) => None,
            true => answer(&line),
            false => {
                let fault = Fault::new(INVALID, format!("a line of more than {MAX_LINE} bytes"));
                Some(failed(&Value::Null, fault).body)
            }
        };
        if let Some(said) = said {
            output.write_all(format!("{said}\n").as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

fn said(text: &str, is_error: bool) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": is_error})
}

fn unsupported(requested: &Value) -> Fault {
    let requested: String = requested.as_str().unwrap_or_default().chars().take(40).collect();
    let data = Some(json!({"supported": [MODERN], "requested": requested}));
    Fault { data, ..Fault::malformed(BAD_VERSION, "this version of the protocol is not spoken here") }
}

fn failed(id: &Value, fault: Fault) -> Answer {
    let mut error = json!({"code": fault.code, "message": fault.message});
    if let (Some(map), Some(data)) = (error.as_object_mut(), fault.data) {
        map.insert("data".to_owned(), data);
    }
    let body = json!({"jsonrpc": "2.0", "id": id, "error": error});
    Answer { is_understood: fault.is_understood, ..body.into() }
}

/// The tools as MCP has them, in the brief's order, and ours at the end.
fn tools(episode: &Episode) -> Result<Value, Refusal> {
    let environment = episode.environment();
    let mut all = Vec::new();
    for function in episode.brief().tools.as_array().into_iter().flatten() {
        let function = function.get("function").unwrap_or(function);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        if name == SAY {
            let message = format!("a tool of this task is called `{SAY}`, as the one that speaks to the user is");
            return Err(Refusal::new("taken", message, "serve it by `--jsonl`, or call the tool otherwise"));
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
    Ok(Value::Array(all))
}
