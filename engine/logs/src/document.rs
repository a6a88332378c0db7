//! A text of JSON values, taken apart into units without being read as a whole.

use std::io::{self, Read};
use std::sync::Arc;

use probity_wire::lenient::in_words;
use serde_json::{Map, Value};

use crate::json::{self, Member};
use crate::unread::{Fault, Place, Unit};

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

/// The largest text that is held at once, in bytes.
pub(crate) const MAX_HELD: u64 = 1024 * 1024 * 1024;
/// The largest item of a list that is read as it comes, in bytes.
const MAX_ITEM: u64 = 256 * 1024 * 1024;
/// The least that is read at once of a text that is longer.
const CHUNK: usize = 1 << 20;

/// A text and how far it was taken apart. Of a list that is the whole text only what is looked at is held.
pub(crate) struct Document<'a> {
    bytes: Vec<u8>,
    /// What was not read yet.
    rest: Option<Box<dyn Read + 'a>>,
    at: usize,
    list: Option<List>,
    /// The line up to which bytes were counted.
    line: usize,
    /// Up to where lines were counted, where the last of them begins, and how much of it was held before.
    counted: (usize, usize, usize),
}

/// A list that is being taken apart.
struct List {
    head: Option<Arc<Value>>,
    pointer: String,
    index: usize,
    /// Where the value ends that holds the list.
    end: Option<usize>,
}

impl<'a> Document<'a> {
    /// A text that begins on this line.
    pub(crate) fn new(bytes: Vec<u8>, line: usize) -> Document<'a> {
        Document { bytes, rest: None, at: 0, list: None, line, counted: (0, 0, 0) }
    }

    /// A text of which the beginning was read.
    pub(crate) fn begun(bytes: Vec<u8>, rest: impl Read + 'a) -> Document<'a> {
        Document { rest: Some(Box::new(rest)), ..Document::new(bytes, 1) }
    }

    /// Reads more of the text, as much again as is held from here on; says whether there was more.
    fn fill(&mut self) -> Result<bool, Fault> {
        let is_stream = self.list.as_ref().is_some_and(|list| list.head.is_none());
        if is_stream && self.rest.is_some() {
            self.forget();
        }
        let Some(rest) = &mut self.rest else { return Ok(false) };
        let held = self.bytes.len();
        let limit = if is_stream { MAX_ITEM } else { MAX_HELD };
        let more = (held - self.at).max(CHUNK) as u64;
        let read = rest.by_ref().take(more.min((limit + 1).saturating_sub(held as u64))).read_to_end(&mut self.bytes);
        let fault = match read {
            Ok(0) => {
                self.rest = None;
                return Ok(false);
            }
            Ok(_) if self.bytes.len() as u64 <= limit => return Ok(true),
            Ok(_) if is_stream => {
                let what = format!("what begins here is larger than {} MiB", limit >> 20);
                let (line, column) = self.spot(self.at);
                let help = "write smaller dialogues; what stands before was read".to_owned();
                Fault { line, column, what, help, pointer: String::new() }
            }
            Ok(_) => {
                let what = format!("it is larger than {} MiB and not written line by line", limit >> 20);
                Fault::file(what, "write one dialogue a line (`jq -c '.[]'`), or several files")
            }
            Err(error) => unreadable(&error),
        };
        (self.rest, self.list, self.at) = (None, None, 0);
        self.bytes.clear();
        Err(fault)
    }

    /// Lets go of what was passed.
    fn forget(&mut self) {
        self.spot(self.at);
        let (_, begins, before) = self.counted;
        self.counted = (0, 0, before + self.at - begins);
        self.bytes.drain(..self.at);
        self.at = 0;
    }

    /// The next unit, or what stands in its place.
    pub(crate) fn next(&mut self) -> Option<Result<Unit, Fault>> {
        self.step().transpose()
    }

    fn step(&mut self) -> Result<Option<Unit>, Fault> {
        loop {
            self.at = json::skip_between(&self.bytes, self.at);
            let first = self.bytes.get(self.at).copied();
            if first.is_none() && self.fill()? {
                continue;
            }
            if let Some(mut list) = self.list.take() {
                if first == Some(b']') {
                    self.at = list.end.unwrap_or(self.at + 1);
                    continue;
                }
                let pointer = format!("{}/{}", list.pointer, list.index);
                if first.is_none() {
                    return Err(self.cut_off(self.at, pointer));
                }
                list.index += 1;
                let head = list.head.clone();
                self.list = Some(list);
                return self.value(pointer, head).map(Some);
            }
            match first {
                None => return Ok(None),
                Some(b'[') if !self.holds_messages()? => {
                    self.list = Some(List { head: None, pointer: String::new(), index: 0, end: None });
                    self.at += 1;
                }
                Some(b'{') => {
                    // What stands beside a list may stand behind it.
                    while self.fill()? {}
                    match self.list_of() {
                        Some((list, start)) => {
                            self.at = start;
                            self.list = Some(list);
                        }
                        None => return self.value(String::new(), None).map(Some),
                    }
                }
                Some(_) => return self.value(String::new(), None).map(Some),
            }
        }
    }

    /// Reads the value that begins here and goes on behind it.
    fn value(&mut self, pointer: String, head: Option<Arc<Value>>) -> Result<Unit, Fault> {
        let end = self.end(0)?;
        let start = self.at;
        let Some(end) = end else {
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
                let help = "write one JSON value here; what else the file holds was read";
                Err(Fault { line, column: within, pointer, what: in_words(&error), help: help.to_owned() })
            }
        }
    }

    fn cut_off(&mut self, start: usize, pointer: String) -> Fault {
        let (line, column) = self.spot(start.min(self.bytes.len()));
        let what = "the text ends before what begins here does".to_owned();
        let help = "it was cut off: write the log out again; what stands before it was read".to_owned();
        Fault { line, column, pointer, what, help }
    }

    /// Where the value ends that begins so far behind `at`, once as much as that was read.
    fn end(&mut self, ahead: usize) -> Result<Option<usize>, Fault> {
        loop {
            let end =
                json::end(&self.bytes, self.at + ahead).filter(|end| *end < self.bytes.len() || self.rest.is_none());
            if end.is_some() || !self.fill()? {
                return Ok(end.or_else(|| json::end(&self.bytes, self.at + ahead)));
            }
        }
    }

    /// Whether the list that begins here is one dialogue: its first item is a message.
    fn holds_messages(&mut self) -> Result<bool, Fault> {
        let first = loop {
            let first = json::skip_between(&self.bytes, self.at + 1);
            if first < self.bytes.len() || !self.fill()? {
                break first;
            }
        };
        let end = self.end(first - self.at)?;
        let text = end.and_then(|end| self.bytes.get(first..end));
        Ok(text.and_then(|text| json::parse(text).ok()).is_some_and(|first| is_message(&first)))
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
        let (counted, mut begins, mut before) = self.counted;
        for (passed, byte) in self.bytes.get(counted..at).unwrap_or_default().iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                (begins, before) = (counted + passed + 1, 0);
            }
        }
        self.counted = (at.max(counted), begins, before);
        (self.line, at.saturating_sub(begins) + before + 1)
    }
}

/// Why the rest of a log cannot be read.
pub(crate) fn unreadable(error: &io::Error) -> Fault {
    let help = match error.kind() {
        io::ErrorKind::InvalidData => "copy or pack the file again; what stands before the damage was read",
        _ => "see to it that the file can be read; what stands before was read",
    };
    Fault::file(format!("it cannot be read: {error}"), help)
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
    fn a_long_list_is_held_in_parts() {
        let long = "x".repeat(CHUNK / 3);
        let items: Vec<String> = (0..20).map(|number| format!("{{\"n\":{number},\n\"t\":\"{long}\"}}")).collect();
        let text = format!("[{}, 7", items.join(", "));
        let mut document = Document::begun(text.as_bytes()[..1].to_vec(), &text.as_bytes()[1..]);
        let mut held = 0;
        for number in 0..20 {
            let unit = document.next().unwrap().ok().unwrap();
            assert_eq!((&unit.value["n"], unit.place.line), (&serde_json::json!(number), number + 1));
            assert_eq!(unit.place.column, if number == 0 { 2 } else { long.len() + 10 });
            held = held.max(document.bytes.len());
        }
        assert!(held < 4 * CHUNK, "{held}");
        assert_eq!(document.next().unwrap().ok().unwrap().value, serde_json::json!(7));
        assert_eq!(document.next().unwrap().err().unwrap().line, 21);
    }

    #[test]
    fn what_is_nested_without_end_is_told_and_not_followed() {
        let deep = "[".repeat(1 << 20);
        assert_eq!(units(&deep).len(), 1);
        let closed = format!("{{\"a\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
        assert!(units(&closed)[0].contains("nested more than 127 deep"));
    }
}
