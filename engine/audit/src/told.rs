//! What the caller says of the logs, and what of it is about nothing in them.

use std::collections::BTreeSet;

use probity_engine::suggest;
use probity_logs::{Arguments, Call, Dialogue, Event, Tool};
use serde::Serialize;
use serde_json::Value;

/// Most names of the logs that are kept, for what the caller may have meant.
const MAX_NAMES: usize = 4_096;
/// How deep arguments are looked through for their names.
const MAX_DEPTH: usize = 64;

/// What is said of the logs beside what stands in them.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Definitions for logs that have none, and for tools that a log calls and does not define.
    pub tools: Vec<Tool>,
    /// The rules, for logs that have no brief.
    pub brief: String,
    /// Tools that change something, whatever their names and annotations say.
    pub changes: BTreeSet<String>,
    /// Tools that only read.
    pub reads: BTreeSet<String>,
    /// Parameters and fields whose values are generated: they are neither made up nor a difference.
    pub ignored: BTreeSet<String>,
}

/// The names that logs have where the caller names something. A dialogue has those that the caller may be about; those of
/// many dialogues are put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    tools: BTreeSet<String>,
    fields: BTreeSet<String>,
    /// Tools of which the caller gives a definition and a log has its own, which is believed.
    overruled: BTreeSet<String>,
}

/// Something that the caller said and that is about nothing in the logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// How it was said: `--changes`.
    pub flag: &'static str,
    /// The name.
    pub name: String,
    /// What may have been meant.
    pub help: String,
}

impl Told {
    /// The names of a dialogue; those of its calls only where the caller names any.
    pub(crate) fn names(&self, dialogue: &Dialogue) -> Names {
        let mut names = Names::default();
        let given: BTreeSet<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let own = dialogue.tools.iter().map(|tool| &tool.name);
        names.overruled.extend(own.clone().filter(|name| given.contains(name.as_str())).cloned());
        let calls = dialogue.events.iter().filter_map(call);
        if !(self.changes.is_empty() && self.reads.is_empty()) {
            names.tools.extend(own.chain(self.tools.iter().map(|tool| &tool.name)).cloned());
            names.tools.extend(calls.clone().map(|call| call.tool.clone()));
        }
        if !self.ignored.is_empty() {
            for call in calls {
                if let Arguments::Named(map) = &call.arguments {
                    map.iter().for_each(|(key, value)| fields(key, value, 0, &mut names.fields));
                }
            }
        }
        names
    }

    /// What of it is about nothing in logs that have these names.
    pub fn unused(&self, names: &Names) -> Vec<Unused> {
        let lists = [
            ("--changes", &self.changes, &names.tools),
            ("--reads", &self.reads, &names.tools),
            ("--ignore", &self.ignored, &names.fields),
        ];
        let of = |(flag, told, known): (&'static str, &BTreeSet<String>, &BTreeSet<String>)| {
            let unknown = told.iter().filter(|name| !known.contains(*name));
            let unused = |name: &String| {
                let help = suggest::help(name, known.iter().map(String::as_str));
                Unused { flag, name: name.clone(), help }
            };
            unknown.map(unused).collect::<Vec<Unused>>()
        };
        lists.into_iter().flat_map(of).collect()
    }
}

impl Names {
    /// Adds those of another dialogue; what the caller names is kept however many there are.
    pub fn extend(&mut self, other: Names, told: &Told) {
        let add = |own: &mut BTreeSet<String>, more: BTreeSet<String>, is_told: &dyn Fn(&str) -> bool| {
            for name in more {
                if own.len() < MAX_NAMES || is_told(&name) {
                    own.insert(name);
                }
            }
        };
        add(&mut self.tools, other.tools, &|name| told.changes.contains(name) || told.reads.contains(name));
        add(&mut self.fields, other.fields, &|name| told.ignored.contains(name));
        add(&mut self.overruled, other.overruled, &|_| true);
    }

    /// Tools of which a definition was given and not used: the logs have their own.
    pub fn overruled(&self) -> &BTreeSet<String> {
        &self.overruled
    }
}

fn call(event: &Event) -> Option<&Call> {
    match event {
        Event::Call(call) => Some(call),
        Event::User { .. } | Event::Agent { .. } | Event::Told { .. } | Event::UserCall(_) => None,
    }
}

fn fields(key: &str, value: &Value, depth: usize, found: &mut BTreeSet<String>) {
    if depth > MAX_DEPTH || found.len() > 2 * MAX_NAMES {
        return;
    }
    found.insert(key.to_owned());
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| fields(key, value, depth + 1, found)),
        Value::Array(items) => items.iter().for_each(|item| fields(key, item, depth + 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
