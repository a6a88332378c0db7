//! A text of JSON values, taken apart into units without being read as a whole.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::json::{self, Member};
use crate::place::{Place, Unit};
use crate::unread::Fault;

/// Keys of lists that hold dialogues, or parts of them, side by side.
const LISTS: [&str; 12] = [
    "simulations",
    "samples",
    "resourceSpans",
    "resource_spans",
    "resourceLogs",
    "resource_logs",
    "observations",
    "runs",
    "traces",
    "dialogues",
    "trajectories",
    "data",
];
/// Types of items of the Responses API, which stand in a list without a role.
pub(crate) const ITEMS: [&str; 16] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_call",
    "mcp_list_tools",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "computer_call",
    "computer_call_output",
    "image_generation_call",
];

/// A text and how far it was taken apart.
pub(crate) struct Document {
    bytes: Vec<u8>,
    at: usize,
    list: Option<List>,
    /// The line of the text's first byte.
    line: usize,
    /// Up to where lines were counted, and where the last of them begins.
    counted: (usize, usize),
}

/// A list that is being taken apart.
struct List {
    head: Option<Arc<Value>>,
    pointer: String,
    index: usize,
    /// Where the value ends that holds the list.
    end: Option<usize>,
}

impl Document {
    /// A text that begins on this line.
    pub(crate) fn new(bytes: Vec<u8>, line: usize) -> Document {
        Document { bytes, at: 0, list: None, line, counted: (0, 0) }
    }

    /// The next unit, or what stands in its place.
    pub(crate) fn next(&mut self) -> Option<Result<Unit, Fault>> {
        loop {
            self.at = json::skip_between(&self.bytes, self.at);
            let first = self.bytes.get(self.at).copied();
            if let Some(mut list) = self.list.take() {
                if first == Some(b']') {
                    self.at = list.end.unwrap_or(self.at + 1);
                    continue;
                }
                let pointer = format!("{}/{}", list.pointer, list.index);
                if first.is_none() {
                    return Some(Err(self.cut_off(self.at, pointer)));
                }
                list.index += 1;
                let head = list.head.clone();
                self.list = Some(list);
                return Some(self.value(pointer, head));
            }
            match first? {
                b'[' if !self.holds_messages() => {
                    self.list = Some(List { head: None, pointer: String::new(), index: 0, end: None });
                    self.at += 1;
                }
                b'{' => match self.list_of() {
                    Some((list, start)) => {
                        self.at = start;
                        self.list = Some(list);
                    }
                    None => return Some(self.value(String::new(), None)),
                },
                _ => return Some(self.value(String::new(), None)),
            }
        }
    }

    /// Reads the value that begins here and goes on behind it.
    fn value(&mut self, pointer: String, head: Option<Arc<Value>>) -> Result<Unit, Fault> {
        let start = self.at;
        let Some(end) = json::end(&self.bytes, start) else {
            self.at = self.bytes.len();
            self.list = None;
            return Err(self.cut_off(start, pointer));
        };
        self.at = end;
        let (line, column) = self.spot(start);
        match json::parse(self.bytes.get(start..end).unwrap_or_default()) {
            Ok(value) => Ok(Unit { value, head, place: Place { line, column, pointer }, size: end - start }),
            Err(error) => {
                // Columns of its first line count from where the value begins.
                let within = error.column() + if error.line() <= 1 { column.saturating_sub(1) } else { 0 };
                let line = line + error.line().saturating_sub(1);
                if json::skip_blank(&self.bytes, end) < self.bytes.len() && self.list.is_none() {
                    // What is no JSON does not end where JSON would.
                    self.at = self.bytes.len();
                }
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                let what = match what {
                    "expected ident" | "expected value" => "this is no JSON".to_owned(),
                    "recursion limit exceeded" => "the values are nested more than 127 deep".to_owned(),
                    what => format!("this is no JSON: {what}"),
                };
                let help = "write one JSON value here; what else the file holds was read";
                Err(Fault { line, column: within, pointer, what, help: help.to_owned() })
            }
        }
    }

    fn cut_off(&mut self, start: usize, pointer: String) -> Fault {
        let (line, column) = self.spot(start.min(self.bytes.len()));
        let what = "the text ends before what begins here does".to_owned();
        let help = "it was cut off: write the log out again; what stands before it was read".to_owned();
        Fault { line, column, pointer, what, help }
    }

    /// Whether the list that begins here is one dialogue: its first item is a message.
    fn holds_messages(&self) -> bool {
        let first = json::skip_between(&self.bytes, self.at + 1);
        let text = json::end(&self.bytes, first).and_then(|end| self.bytes.get(first..end));
        text.and_then(|text| json::parse(text).ok()).is_some_and(|first| is_message(&first))
    }

    /// The list of units in the object that begins here, and where its first item would be.
    fn list_of(&self) -> Option<(List, usize)> {
        let members = json::members(&self.bytes, self.at);
        let has_messages = members.iter().any(|member| member.key == "messages" || member.key == "steps");
        let is_list =
            |member: &&Member| LISTS.contains(&member.key.as_str()) && self.bytes.get(member.start) == Some(&b'[');
        let list = members.iter().find(is_list).filter(|_| !has_messages)?;
        let beside = members.iter().filter(|member| member.start != list.start);
        let beside = beside.filter_map(|member| {
            let text = self.bytes.get(member.start..member.end?)?;
            Some((member.key.clone(), json::parse(text).ok()?))
        });
        let head = Some(Arc::new(Value::Object(beside.collect::<Map<String, Value>>())));
        let end = json::end(&self.bytes, self.at);
        Some((List { head, pointer: format!("/{}", list.key), index: 0, end }, list.start + 1))
    }

    /// Line and column, both from 1, of a place that lies behind those asked for before.
    fn spot(&mut self, at: usize) -> (usize, usize) {
        let (counted, mut begins) = self.counted;
        for (passed, byte) in self.bytes.get(counted..at).unwrap_or_default().iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                begins = counted + passed + 1;
            }
        }
        self.counted = (at.max(counted), begins);
        (self.line, at.saturating_sub(begins) + 1)
    }
}

/// Whether a value is a message of a dialogue, and no dialogue.
pub(crate) fn is_message(value: &Value) -> bool {
    let kind = json::text(value, &["type"]);
    let is_item = kind.is_some_and(|kind| ITEMS.contains(&kind)) && value.get("payload").is_none();
    let has_list = ["messages", "conversations", "traj", "steps"].iter().any(|key| value.get(key).is_some());
    let has_role = value.get("role").is_some_and(Value::is_string);
    let is_share = value.get("from").is_some_and(Value::is_string) && value.get("value").is_some();
    let is_langchain = value.get("lc").is_some() && value.get("kwargs").is_some();
    !has_list && (has_role || is_item || is_share || is_langchain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<String> {
        let mut document = Document::new(text.as_bytes().to_vec(), 1);
        std::iter::from_fn(|| document.next())
            .map(|unit| match unit {
                Ok(unit) => format!("{}:{}{} {}", unit.place.line, unit.place.column, unit.place.pointer, unit.value),
                Err(fault) => format!("{}:{}{} ! {}", fault.line, fault.column, fault.pointer, fault.what),
            })
            .collect()
    }

    #[test]
    fn texts_are_taken_apart() {
        let cases: [(&str, &[&str]); 9] = [
            ("{\"a\":1}\n{\"a\":2}", &["1:1 {\"a\":1}", "2:1 {\"a\":2}"]),
            ("[{\"a\":1},\n {\"a\":2}]", &["1:2/0 {\"a\":1}", "2:2/1 {\"a\":2}"]),
            ("[{\"role\":\"user\"}]", &["1:1 [{\"role\":\"user\"}]"]),
            ("[[{\"role\":\"user\"}],[]]", &["1:2/0 [{\"role\":\"user\"}]", "1:20/1 []"]),
            ("{\"info\":{},\"simulations\":[{\"a\":1}],\"z\":0}", &["1:27/simulations/0 {\"a\":1}"]),
            ("{\"data\":[1],\"messages\":[]}", &["1:1 {\"data\":[1],\"messages\":[]}"]),
            (
                "[{\"a\":1},\n{\"a\":}, {\"b\":2}, {\"c\"",
                &[
                    "1:2/0 {\"a\":1}",
                    "2:6/1 ! this is no JSON",
                    "2:9/2 {\"b\":2}",
                    "2:18/3 ! the text ends before what begins here does",
                ],
            ),
            (
                "{\"runs\":[{\"a\":1},",
                &["1:10/runs/0 {\"a\":1}", "1:18/runs/1 ! the text ends before what begins here does"],
            ),
            ("hello world", &["1:1 ! this is no JSON"]),
        ];
        for (text, wanted) in cases {
            assert_eq!(units(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_told_and_not_followed() {
        let deep = "[".repeat(1 << 20);
        assert_eq!(units(&deep).len(), 1);
        let closed = format!("{{\"a\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
        assert!(units(&closed)[0].contains("nested more than 127 deep"));
    }
}
