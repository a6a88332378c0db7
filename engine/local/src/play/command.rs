//! Commands: what a player types, read strictly. Blanks within quotation marks, brackets and braces do not part words.

use serde_json::{Map, Value};

use super::value;
use crate::failure::Failure;
use probity_engine::environment_file::properties;
use probity_engine::{Actor, Environment, Tool, ToolCall, arguments, pointer, suggest};

/// Longest line, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Call(ToolCall),
    Say(String),
    Brief,
    Tools,
    Tool(String),
    /// Show the state, or the part of it at a path.
    State(Vec<String>),
    Log,
    Undo(usize),
    Redo(usize),
    /// Go on with a copy under another name.
    Fork(String),
    Forks,
    Switch(String),
    /// Compare where two lines stand.
    Diff(String, String),
    SaveTrace(String),
    SaveTask(String),
    Help,
    Quit,
}

pub const USAGE: [(&str, &str); 18] = [
    ("TOOL name=value ..", "call a tool; values are plain text or JSON, as the parameter's schema says"),
    ("TOOL {json}", "call a tool with these arguments, whatever they are"),
    ("call TOOL ..", "the same, for a tool that is called like a command, or for none at all"),
    ("say TEXT", "reply to the user"),
    ("brief", "what an agent is told: the rules, the time"),
    ("tools", "list the tools"),
    ("tool NAME", "what a tool takes and what it refuses"),
    ("state [/path]", "the state, or a part of it"),
    ("log", "all that happened so far"),
    ("undo [n]", "take back the last n messages"),
    ("redo [n]", "do them again"),
    ("fork NAME", "go on with a copy of this line under another name"),
    ("forks", "list the lines of play"),
    ("switch NAME", "go on with another line"),
    ("diff A B", "what differs between where two lines stand"),
    ("save trace DIR", "keep this line as a run, which show, replay and score read"),
    ("save task ID", "keep this line as the draft of a task, which check reads"),
    ("quit", "leave; `help` shows this list"),
];

pub const NAMES: [&str; 16] = [
    "brief", "call", "diff", "fork", "forks", "help", "log", "quit", "redo", "save", "say", "state", "switch", "tool",
    "tools", "undo",
];

/// Reads a line; nothing when it is blank or a remark (`#`).
pub fn parse(line: &str, environment: &Environment) -> Result<Option<Command>, Failure> {
    if line.len() > MAX_LINE {
        return Err(Failure::new(format!("a line longer than {MAX_LINE} bytes"), "shorten it"));
    }
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match head {
        "say" => Command::Say(rest.to_owned()),
        "call" => called(rest, environment)?,
        _ if NAMES.contains(&head) => plain(head, &rest.split_whitespace().collect::<Vec<_>>())?,
        _ => match agent_tool(environment, head) {
            Some(tool) => call(tool, rest)?,
            None => return Err(unknown(head, environment)),
        },
    };
    Ok(Some(command))
}

pub(super) fn agent_tools(environment: &Environment) -> impl Iterator<Item = &Tool> {
    environment.tools().iter().filter(|tool| tool.actor == Actor::Agent)
}

fn agent_tool<'a>(environment: &'a Environment, name: &str) -> Option<&'a Tool> {
    environment.tool(name).filter(|tool| tool.actor == Actor::Agent)
}

fn unknown(head: &str, environment: &Environment) -> Failure {
    let names = NAMES.into_iter().chain(agent_tools(environment).map(|tool| tool.name.as_str()));
    let help = match suggest::nearest(head, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`help` lists the commands, `tools` the tools".to_owned(),
    };
    Failure::new(format!("there is no command and no tool `{head}`"), help)
}

/// A command without values of its own.
fn plain(head: &str, words: &[&str]) -> Result<Command, Failure> {
    Ok(match (head, words) {
        ("brief", []) => Command::Brief,
        ("tools", []) => Command::Tools,
        ("tool", [name]) => Command::Tool((*name).to_owned()),
        ("state", []) => Command::State(Vec::new()),
        ("state", [path]) => Command::State(path_of(path)?),
        ("log", []) => Command::Log,
        ("undo", []) => Command::Undo(1),
        ("undo", [count]) => Command::Undo(number(count)?),
        ("redo", []) => Command::Redo(1),
        ("redo", [count]) => Command::Redo(number(count)?),
        ("fork", [name]) => Command::Fork((*name).to_owned()),
        ("forks", []) => Command::Forks,
        ("switch", [name]) => Command::Switch((*name).to_owned()),
        ("diff", [from, to]) => Command::Diff((*from).to_owned(), (*to).to_owned()),
        ("save", ["trace", path]) => Command::SaveTrace((*path).to_owned()),
        ("save", ["task", id]) => Command::SaveTask((*id).to_owned()),
        ("help", []) => Command::Help,
        ("quit", []) => Command::Quit,
        _ => return Err(misused(head)),
    })
}

fn misused(head: &str) -> Failure {
    let is_its = |usage: &&(&str, &str)| usage.0.split(' ').next() == Some(head);
    let ways: Vec<String> = USAGE.iter().filter(is_its).map(|(usage, _)| format!("`{usage}`")).collect();
    Failure::new(format!("`{head}` is not used like this"), format!("write {}", ways.join(" or ")))
}

fn number(text: &str) -> Result<usize, Failure> {
    let number = text.parse().ok().filter(|count| *count > 0);
    number.ok_or_else(|| Failure::new(format!("`{text}` is no number of messages"), "write a whole number from 1"))
}

fn path_of(text: &str) -> Result<Vec<String>, Failure> {
    let path = if text.starts_with('/') { text.to_owned() } else { format!("/{text}") };
    let path = path.strip_suffix('/').unwrap_or(&path);
    pointer::split(path).ok_or_else(|| Failure::new(format!("`{text}` is no path"), "write `/part/key/field`"))
}

/// `call TOOL ..`: the tool need not be there.
fn called(rest: &str, environment: &Environment) -> Result<Command, Failure> {
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match agent_tool(environment, name) {
        _ if name.is_empty() => Err(misused("call")),
        Some(tool) => call(tool, rest.trim()),
        None => Ok(Command::Call(ToolCall::new(name, object(rest)?))),
    }
}

fn call(tool: &Tool, rest: &str) -> Result<Command, Failure> {
    let arguments = if rest.starts_with('{') { object(rest)? } else { named(tool, rest)? };
    Ok(Command::Call(ToolCall::new(tool.name.clone(), arguments)))
}

fn object(text: &str) -> Result<Value, Failure> {
    let read = arguments::read(text).map(Value::Object);
    read.map_err(|why| Failure::new(format!("the arguments are not one JSON object: {why}"), "write {\"name\": value}"))
}

/// Arguments as `name=value`, each once.
fn named(tool: &Tool, rest: &str) -> Result<Value, Failure> {
    let Words { words, open } = split(rest);
    if let Some(open) = open {
        return Err(Failure::new(
            format!("a `{open}` is never closed"),
            "close it; a quotation mark in a text is `\\\"`",
        ));
    }
    let parameters = properties(&tool.parameters);
    let mut arguments = Map::new();
    for word in words {
        let Some((name, text)) = word.text.split_once('=') else {
            let help = format!("write `name=value`; text with blanks stands in quotation marks; `tool {}`", tool.name);
            return Err(Failure::new(format!("`{}` has no name", word.text), help));
        };
        let Some(schema) = parameters.get(name) else {
            let help = suggest::help(name, parameters.keys().map(String::as_str));
            return Err(Failure::new(format!("`{}` has no parameter `{name}`", tool.name), help));
        };
        let value =
            value::read(schema, text).map_err(|what| Failure::new(format!("`{name}`: {what}"), "write it as JSON"))?;
        if arguments.insert(name.to_owned(), value).is_some() {
            return Err(Failure::new(format!("`{name}` is given twice"), "leave one out"));
        }
    }
    Ok(Value::Object(arguments))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins, in bytes.
    pub start: usize,
    pub text: &'a str,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words<'a> {
    pub words: Vec<Word<'a>>,
    /// The quotation mark, bracket or brace that is never closed.
    pub open: Option<char>,
}

pub fn split(line: &str) -> Words<'_> {
    let mut found = Words::default();
    let (mut start, mut closers, mut is_text, mut is_escaped) = (None, Vec::new(), false, false);
    for (at, c) in line.char_indices() {
        if c.is_whitespace() && !is_text && closers.is_empty() {
            found.words.extend(start.take().and_then(|start| word(line, start, at)));
            continue;
        }
        start.get_or_insert(at);
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            '{' if !is_text => closers.push('}'),
            '[' if !is_text => closers.push(']'),
            c if !is_text && closers.last() == Some(&c) => drop(closers.pop()),
            _ => {}
        }
    }
    found.words.extend(start.and_then(|start| word(line, start, line.len())));
    let opener = |closer: char| if closer == '}' { '{' } else { '[' };
    found.open = if is_text { Some('"') } else { closers.last().copied().map(opener) };
    found
}

fn word(line: &str, start: usize, end: usize) -> Option<Word<'_>> {
    line.get(start..end).map(|text| Word { start, text })
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
