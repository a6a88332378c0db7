//! Calls in fenced JSON blocks, as models without tool calls of their own write them.

use serde_json::{Map, Value};

use super::completion::call_arguments;
use probity_engine::{ToolCall, arguments};
use probity_wire::lenient;

/// The words of a message, and the calls that its blocks make.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Fenced {
    pub text: Option<String>,
    pub calls: Vec<ToolCall>,
}

/// Reads a message: the calls of its blocks, and the words around them. A block that is no call is words, unless it was
/// cut off with its message.
pub(crate) fn read(text: &str, is_cut_off: bool) -> Fenced {
    let (mut words, mut calls) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(block) = next_block(rest) {
        words.push_str(block.before);
        match calls_in(block.inside) {
            Some(Made::Calls(found)) => calls.extend(found),
            Some(Made::Words(said)) => words.push_str(&said),
            None if is_cut_off && !block.is_closed && block.inside.starts_with(['{', '[']) => {}
            None => words.push_str(block.whole),
        }
        rest = block.after;
    }
    words.push_str(rest);
    let words = words.trim();
    let all = calls_in(words).filter(|_| calls.is_empty());
    let is_cut_call = is_cut_off && calls.is_empty() && all.is_none() && words.starts_with('{');
    let (text, calls) = match all {
        Some(Made::Calls(calls)) => (None, calls),
        Some(Made::Words(said)) => (Some(said).filter(|said| !said.trim().is_empty()), calls),
        None => (Some(words.to_owned()).filter(|words| !words.is_empty() && !is_cut_call), calls),
    };
    Fenced { text, calls }
}

/// A fenced block with what stands around it.
struct Block<'a> {
    before: &'a str,
    whole: &'a str,
    inside: &'a str,
    after: &'a str,
    is_closed: bool,
}

/// Fences that may end a block and are tried.
const MAX_ENDS: usize = 32;

/// The next block between fences of backticks or tildes, whatever language it says it is in; it may lack its end. A
/// fence within a text of JSON ends no block that can be read further.
fn next_block(text: &str) -> Option<Block<'_>> {
    let start = text.find("```").into_iter().chain(text.find("~~~")).min()?;
    let (before, opened) = text.split_at_checked(start)?;
    let mark = opened.chars().next()?;
    let length = opened.find(|c| c != mark).unwrap_or(opened.len());
    let fence = opened.get(..length)?;
    let rest = opened.get(length..)?;
    let ends = rest.match_indices(fence).map(|(at, _)| at).take(MAX_ENDS);
    let ends: Vec<usize> = ends.collect();
    let inside = |end: usize| without_language(rest.get(..end).unwrap_or_default());
    let is_read = |end: &&usize| serde_json::from_str::<serde::de::IgnoredAny>(inside(**end)).is_ok();
    let is_at_line_start =
        |end: &&usize| rest.get(..**end).is_some_and(|text| text.trim_end_matches([' ', '\t']).ends_with('\n'));
    let end = ends.iter().find(is_read).or_else(|| ends.iter().find(is_at_line_start)).or(ends.first()).copied();
    let close = end.unwrap_or(rest.len());
    let after = rest.get(close..)?.trim_start_matches(mark);
    let whole = text.get(start..text.len() - after.len())?;
    Some(Block { before, whole, inside: inside(close), after, is_closed: end.is_some() })
}

/// What stands in a block behind the name of its language.
fn without_language(block: &str) -> &str {
    let block = block.trim_start_matches([' ', '\t']);
    let name = block.find(|c: char| !(c.is_ascii_alphanumeric() || "+-_.".contains(c))).unwrap_or(block.len());
    let (name, inside) = block.split_at_checked(name).unwrap_or((block, ""));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inside.is_empty();
    if is_name { inside.trim() } else { block.trim() }
}

/// What a JSON text makes.
enum Made {
    /// Calls; none where it says that there are none.
    Calls(Vec<ToolCall>),
    /// Words, in the form that agents in a process have: `{"text": "..", "calls": null}`.
    Words(String),
}

/// What a JSON text makes; nothing when it makes no calls and says nothing of them.
fn calls_in(block: &str) -> Option<Made> {
    let block = lenient::whole_characters(block).0;
    match arguments::read(&block) {
        Ok(map) => match map.get("calls").or_else(|| map.get("tool_calls")) {
            Some(Value::Array(calls)) if !calls.is_empty() => {
                calls.iter().map(|call| call_of(call.as_object()?)).collect::<Option<Vec<_>>>().map(Made::Calls)
            }
            Some(Value::Array(_) | Value::Null) => no_calls(&map),
            Some(_) => None,
            None => Some(Made::Calls(vec![call_of(&map)?])),
        },
        Err(_) => {
            if let Ok(Value::Array(calls)) = serde_json::from_str(&block) {
                let calls = calls.iter().map(|call| call_of(call.as_object()?)).collect::<Option<Vec<_>>>();
                return calls.filter(|calls| !calls.is_empty()).map(Made::Calls);
            }
            // A call that is cut off or has a key twice is a call all the same: the model is told what is wrong.
            let keys = ["\"tool\"", "\"name\""];
            let name = keys.iter().find_map(|key| text_after(&block, key)).filter(|_| block.starts_with('{'))?;
            Some(Made::Calls(vec![ToolCall::new(name, Value::from(block.as_ref()))]))
        }
    }
}

/// An object that says that it makes no calls, with the words that stand in it.
fn no_calls(map: &Map<String, Value>) -> Option<Made> {
    let said = ["text", "message", "content", "reply"].iter().find_map(|key| map.get(*key)?.as_str());
    match said {
        Some(said) => Some(Made::Words(said.to_owned())),
        None if map.len() == 1 => Some(Made::Calls(Vec::new())),
        None => None,
    }
}

fn call_of(map: &Map<String, Value>) -> Option<ToolCall> {
    let name = ["tool", "name"].iter().find_map(|key| map.get(*key)?.as_str())?;
    let arguments = ["arguments", "parameters"].iter().find_map(|key| map.get(*key));
    let extra = map.keys().any(|key| !["tool", "name", "arguments", "parameters"].contains(&key.as_str()));
    (!extra).then(|| ToolCall::new(name, call_arguments(arguments).0))
}

fn text_after(block: &str, key: &str) -> Option<String> {
    let (_, rest) = block.split_once(key)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, row};

    /// The calls, and what is said.
    fn told(text: &str, is_cut_off: bool) -> String {
        let Fenced { text, calls } = read(text, is_cut_off);
        let calls = row(calls.iter().map(|call| format!("{} {}", call.tool, call.arguments)), "; ");
        format!("{calls} | {}", text.map_or_else(|| "nothing".to_owned(), |text| text.replace('\n', "\\n")))
    }

    #[test]
    fn messages_are_read_as_the_cases_say() {
        let readers: [(&str, Reader); 2] = [("read", |text| told(text, false)), ("cut off", |text| told(text, true))];
        hold(include_str!("fenced_cases.txt"), &readers);
    }
}
