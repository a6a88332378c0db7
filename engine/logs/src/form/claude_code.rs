//! `claude-code`: sessions of Claude Code. Lines form a tree; the path to its last leaf is the dialogue. What it prints
//! as JSON while it works is read as well.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::draft::Draft;
use crate::gather::{Gather, Out};
use crate::json;
use crate::message::message;
use crate::remark::Remark;
use crate::unread::Unit;

/// The sessions of a file.
#[derive(Default)]
pub(crate) struct ClaudeCode {
    order: Vec<String>,
    sessions: BTreeMap<String, Session>,
}

/// The lines of one session.
#[derive(Default)]
struct Session {
    lines: Vec<Unit>,
    /// Lines by their names.
    named: BTreeMap<String, usize>,
    is_tree: bool,
    repeated: u32,
}

impl Gather for ClaudeCode {
    fn take(&mut self, unit: Unit, out: &mut Out) {
        let Some(name) = json::name(&unit.value, &["sessionId", "session_id"]) else {
            // Summaries and snapshots of files have no session.
            if unit.value.get("type").is_none() {
                out.fault(unit.place.fault(
                    "",
                    "this is no line of a session",
                    "a line has a `sessionId` and a `type`",
                ));
            }
            return;
        };
        if !self.sessions.contains_key(&name) {
            self.order.push(name.clone());
        }
        self.sessions.entry(name).or_default().take(unit);
    }

    fn finish(&mut self, out: &mut Out) {
        for name in self.order.drain(..) {
            if let Some(session) = self.sessions.remove(&name).filter(|session| !session.lines.is_empty()) {
                let draft = session.draft(name);
                out.dialogue(draft);
            }
        }
    }
}

impl Session {
    fn take(&mut self, unit: Unit) {
        // What is printed while an agent works has no parents, and not always names: it is in order.
        self.is_tree |= unit.value.get("parentUuid").is_some();
        if let Some(name) = json::name(&unit.value, &["uuid"]) {
            if self.named.contains_key(&name) {
                self.repeated += 1;
                return;
            }
            self.named.insert(name, self.lines.len());
        }
        self.lines.push(unit);
    }

    fn draft(self, name: String) -> Draft {
        let is_side = self.lines.iter().all(is_sidechain);
        // A file of its own that a subagent has is a dialogue; beside its employer's it is left out.
        let spoken = |unit: &Unit| is_spoken(unit) && (is_side || !is_sidechain(unit));
        let place = self.lines.first().map(|unit| unit.place.clone()).unwrap_or_default();
        let mut draft = Draft::new(place);
        draft.id = Some(match self.lines.iter().find_map(|unit| json::text(&unit.value, &["agentId"])) {
            Some(agent) if is_side => format!("{name}/{agent}"),
            _ => name,
        });
        draft.remark_times(Remark::RepeatedMessage, self.repeated);
        let (path, is_circular) = self.path(spoken);
        draft.remark_times(Remark::CircularParents, u32::from(is_circular));
        let path = self.with_relatives(&path, spoken);
        let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
        let mut told: Vec<(usize, Value)> = Vec::new();
        let (mut other, mut side) = (0, 0);
        for (at, unit) in self.lines.iter().enumerate() {
            let is_on_path = path.contains(&at);
            other += u32::from(!is_on_path && spoken(unit));
            side += u32::from(is_spoken(unit) && !spoken(unit));
            if !is_on_path || !spoken(unit) {
                continue;
            }
            draft.start(unit.value.get("timestamp"));
            let message = unit.value.get("message").unwrap_or(&Value::Null);
            let name = json::text(message, &["id"]);
            match name.and_then(|name| groups.get(name)).and_then(|at| told.get_mut(*at)) {
                Some((_, first)) => join(first, message),
                None => {
                    groups.extend(name.map(|name| (name, told.len())));
                    told.push((unit.place.line.saturating_sub(1), message.clone()));
                }
            }
        }
        draft.remark_times(Remark::OtherBranch, other);
        draft.remark_times(Remark::Subagent, side);
        let compacted = self.lines.iter().filter(|unit| unit.value.get("isCompactSummary") == Some(&Value::Bool(true)));
        draft.remark_times(Remark::Compacted, u32::try_from(compacted.count()).unwrap_or(u32::MAX));
        for (line, value) in told {
            message_of(&mut draft, line, &value);
        }
        draft
    }

    /// The lines on the way to the last leaf, and whether it leads around in a circle.
    fn path(&self, spoken: impl Fn(&Unit) -> bool) -> (BTreeSet<usize>, bool) {
        if !self.is_tree {
            return ((0..self.lines.len()).collect(), false);
        }
        let mut path = BTreeSet::new();
        let mut at = self.lines.iter().rposition(spoken);
        while let Some(place) = at {
            if !path.insert(place) {
                return (path, true);
            }
            let line = self.lines.get(place).map(|unit| &unit.value);
            // A summary begins a tree of its own, and says whose place it takes.
            let parent = line.and_then(|line| json::name(line, &["parentUuid", "logicalParentUuid"]));
            at = parent.and_then(|parent| self.named.get(&parent).copied());
        }
        (path, false)
    }

    /// The path with the other lines of its messages, and with the results of its calls: those of calls that were made
    /// side by side hang on branches of their own.
    fn with_relatives(&self, path: &BTreeSet<usize>, spoken: impl Fn(&Unit) -> bool) -> BTreeSet<usize> {
        let on_path = || path.iter().filter_map(|at| self.lines.get(*at));
        let names: BTreeSet<&str> = on_path().filter_map(message_name).collect();
        let mut whole = path.clone();
        let relatives = self.lines.iter().enumerate().filter(|(_, unit)| spoken(unit));
        whole.extend(
            relatives.filter(|(_, unit)| message_name(unit).is_some_and(|name| names.contains(name))).map(|(at, _)| at),
        );
        let calls: BTreeSet<&str> =
            whole.iter().filter_map(|at| self.lines.get(*at)).flat_map(|unit| ids(unit, "tool_use", "id")).collect();
        let answers = self.lines.iter().enumerate().filter(|(_, unit)| spoken(unit));
        let answers = answers.filter(|(_, unit)| ids(unit, "tool_result", "tool_use_id").any(|id| calls.contains(id)));
        let answers: Vec<usize> = answers.map(|(at, _)| at).collect();
        whole.extend(answers);
        whole
    }
}

fn message_name(unit: &Unit) -> Option<&str> {
    json::text(unit.value.get("message")?, &["id"])
}

/// Ids in the blocks of a line's message.
fn ids<'a>(unit: &'a Unit, kind: &'static str, key: &'static str) -> impl Iterator<Item = &'a str> {
    let blocks = unit.value.pointer("/message/content").and_then(Value::as_array).into_iter().flatten();
    blocks
        .filter(move |block| json::text(block, &["type"]) == Some(kind))
        .filter_map(move |block| json::text(block, &[key]))
}

fn is(unit: &Unit, key: &str) -> bool {
    unit.value.get(key) == Some(&Value::Bool(true))
}

fn is_sidechain(unit: &Unit) -> bool {
    is(unit, "isSidechain") || unit.value.get("parent_tool_use_id").is_some_and(Value::is_string)
}

/// Whether somebody speaks, calls or answers in a line: machinery and summaries are passed over.
fn is_spoken(unit: &Unit) -> bool {
    let kind = json::text(&unit.value, &["type"]);
    matches!(kind, Some("user" | "assistant"))
        && unit.value.get("message").is_some_and(Value::is_object)
        && !["isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly"]
            .iter()
            .any(|key| is(unit, key))
}

/// Puts the blocks of a line behind those of an earlier line of the same message.
fn join(first: &mut Value, more: &Value) {
    let more = more.get("content").cloned().unwrap_or_default();
    if let Some(blocks) = first.get_mut("content").and_then(Value::as_array_mut) {
        match more {
            Value::Array(more) => blocks.extend(more),
            other => blocks.push(serde_json::json!({"type": "text", "text": other})),
        }
    }
}

/// Reads a message without what the machinery wrote into the user's words.
fn message_of(draft: &mut Draft, line: usize, value: &Value) {
    let mut value = value.clone();
    let mut left_out = 0;
    if json::text(&value, &["role"]) == Some("user") {
        match value.get_mut("content") {
            Some(Value::String(text)) => left_out += clean(text),
            Some(Value::Array(blocks)) => {
                for block in blocks.iter_mut().filter(|block| block.get("type") == Some(&"text".into())) {
                    if let Some(Value::String(text)) = block.get_mut("text") {
                        left_out += clean(text);
                    }
                }
            }
            _ => {}
        }
    }
    draft.remark_times(Remark::Machinery, left_out);
    message(draft, line, &value);
}

/// Takes out what stands between the machinery's tags.
fn clean(text: &mut String) -> u32 {
    const TAGS: [&str; 5] =
        ["system-reminder", "local-command-stdout", "local-command-stderr", "local-command-caveat", "command-message"];
    let mut count = 0;
    for tag in TAGS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let mut kept = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once(&open) {
            kept.push_str(before);
            rest = behind.split_once(&close).map_or("", |(_, after)| after);
            count += 1;
        }
        kept.push_str(rest);
        *text = kept;
    }
    if count > 0 {
        *text = text.trim().to_owned();
    }
    count
}
