//! The format of a label file, one JSON object a line; all problems at once.

use serde_json::Error as JsonError;

use super::count_fault::CountFault;
use super::counts::{CountSource, LabelCounts};
use super::label_problem::LabelProblem;
use super::label_set::{LabelConflict, LabelSet};
use super::labelled::{ConversationLabels, LabelledMessage};
use super::metric::LabelSubject;
use super::node::Node;
use super::quotation;
use crate::measures::MessageRole;

const MOST_LINES: usize = 100_000;
/// Bytes of a line.
const MOST_BYTES: usize = 1 << 20;
const MOST_MESSAGES: usize = 1000;
/// Characters of the name of a judge or an episode.
const MOST_NAME: usize = 200;

impl LabelSet {
    /// These labels and those of a file. Each line holds what one judge counted in one episode:
    ///
    /// ```json
    /// {"judge": "ann", "episode": "e1",
    ///  "messages": [{"index": 0, "role": "user", "counts": {"user_effort": 0}},
    ///               {"index": 1, "role": "agent", "counts": null}],
    ///  "conversation": {"tasks_identified": 1, "tasks_succeeded": 1, "tasks_with_agent_understanding_errors": 0,
    ///                   "tasks_with_agent_understanding_errors_succeeded": 0}}
    /// ```
    ///
    /// Every key must stand there, every message of the episode too, and with counts every name of its party; `null`
    /// says that the judge gave nothing readable. Counts are whole numbers up to 1000; critical field accuracy is one or
    /// zero. Empty lines mean nothing.
    /// An error: all that is wrong, each with its line.
    pub fn with_file(mut self, text: &str) -> Result<LabelSet, Vec<LabelProblem>> {
        let (mut problems, mut found) = (Vec::new(), 0_usize);
        let filled = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in filled.take(MOST_LINES + 1) {
            found += 1;
            let mut reader = LineReader { line: at + 1, problems: Vec::new() };
            if found > MOST_LINES {
                reader.add("", "too_long", format!("there are more than {MOST_LINES} lines"), "split the file");
            } else if let Some(labels) = reader.labels(line)
                && let Err(conflict) = self.add(labels)
            {
                reader.conflict(&conflict);
            }
            problems.append(&mut reader.problems);
        }
        if found == 0 {
            let (code, message) = ("no_labels", "the file holds no label".to_owned());
            let help = "write one JSON object a line".to_owned();
            problems.push(LabelProblem { line: 0, place: String::new(), code, message, help });
        }
        if problems.is_empty() { Ok(self) } else { Err(problems) }
    }
}

struct LineReader {
    line: usize,
    problems: Vec<LabelProblem>,
}

impl LineReader {
    fn add(&mut self, place: &str, code: &'static str, message: String, help: impl Into<String>) {
        self.problems.push(LabelProblem { line: self.line, place: place.to_owned(), code, message, help: help.into() });
    }

    fn wrong_type(&mut self, place: &str, node: &Node, wanted: &str) {
        self.add(place, "wrong_type", format!("expected {wanted}, found {}", node.title()), format!("write {wanted}"));
    }

    fn conflict(&mut self, conflict: &LabelConflict) {
        let (place, code, help) = match conflict {
            LabelConflict::UnknownEpisode(_) => ("/episode", "unknown_episode", "name an episode of this run"),
            LabelConflict::Repeated { .. } => ("", "duplicate_label", "leave one of the two out"),
            LabelConflict::OtherLength { .. } => {
                ("/messages", "other_messages", "list every message, with `null` as its `counts` if there are none")
            }
            LabelConflict::OtherParty(_) => {
                ("/messages", "other_messages", "list the messages as the episode has them")
            }
        };
        self.add(place, code, conflict.to_string(), help);
    }

    fn labels(&mut self, line: &str) -> Option<ConversationLabels> {
        if line.len() > MOST_BYTES {
            let message = format!("the line has {} bytes, more than {MOST_BYTES}", line.len());
            self.add("", "too_long", message, "a line holds the counts of one conversation and no text of it");
            return None;
        }
        let node = serde_json::from_str(line).map_err(|error| self.broken(&error)).ok()?;
        let [judge, episode, messages, conversation] =
            self.object("", &node, ["judge", "episode", "messages", "conversation"])?;
        let judge = judge.and_then(|node| self.name("/judge", node));
        let episode = episode.and_then(|node| self.name("/episode", node));
        let messages = messages.and_then(|node| self.messages(node));
        let conversation = conversation.and_then(|node| self.counts("/conversation", node, LabelSubject::Conversation));
        Some(ConversationLabels { judge: judge?, episode: episode?, messages: messages?, conversation: conversation? })
    }

    fn broken(&mut self, error: &JsonError) {
        self.add("", "bad_json", format!("this is no JSON: {error}"), "write one JSON object a line");
    }

    /// The values of the keys that an object must have, in their order; `None` for one that is missing or repeated.
    fn object<'n, const N: usize>(
        &mut self,
        place: &str,
        node: &'n Node,
        keys: [&str; N],
    ) -> Option<[Option<&'n Node>; N]> {
        let Node::Object(entries) = node else {
            self.wrong_type(place, node, "an object");
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !keys.contains(&key.as_str())) {
            let message = format!("unknown key {}", quotation::name(key));
            self.add(place, "unknown_key", message, format!("known: {}", keys.join(", ")));
        }
        Some(keys.map(|key| {
            let mut found = entries.iter().filter(|(name, _)| name == key).map(|(_, node)| node);
            match (found.next(), found.next()) {
                (Some(node), None) => Some(node),
                (None, _) => {
                    self.add(place, "missing_key", format!("`{key}` is missing"), format!("add `{key}`"));
                    None
                }
                (Some(_), Some(_)) => {
                    self.add(place, "duplicate_key", format!("`{key}` stands there twice"), "leave one of the two out");
                    None
                }
            }
        }))
    }

    fn name(&mut self, place: &str, node: &Node) -> Option<String> {
        let Node::Text(name) = node else {
            self.wrong_type(place, node, "a text");
            return None;
        };
        if name.trim().is_empty() || name.chars().count() > MOST_NAME {
            let message = format!("a name has 1 to {MOST_NAME} characters");
            self.add(place, "bad_value", message, "write the name that the run uses");
            return None;
        }
        Some(name.clone())
    }

    fn messages(&mut self, node: &Node) -> Option<Vec<LabelledMessage>> {
        let Node::List(nodes) = node else {
            self.wrong_type("/messages", node, "a list");
            return None;
        };
        if nodes.len() > MOST_MESSAGES {
            let message = format!("there are {} messages, more than {MOST_MESSAGES}", nodes.len());
            self.add("/messages", "too_long", message, "label a shorter conversation");
            return None;
        }
        // All of them are read before one that failed ends it.
        let read: Vec<Option<LabelledMessage>> =
            nodes.iter().enumerate().map(|(index, node)| self.message(index, node)).collect();
        read.into_iter().collect()
    }

    fn message(&mut self, index: usize, node: &Node) -> Option<LabelledMessage> {
        let place = format!("/messages/{index}");
        let [number, role, counts] = self.object(&place, node, ["index", "role", "counts"])?;
        let is_next = number.is_some_and(|number| *number == Node::Count(index as u64));
        if number.is_some() && !is_next {
            let message = format!("`index` is not {index}");
            self.add(&format!("{place}/index"), "bad_value", message, "count the messages of the episode from 0");
        }
        let role = role.and_then(|role| self.role(&format!("{place}/role"), role));
        let counts = counts
            .zip(role)
            .and_then(|(counts, role)| self.counts(&format!("{place}/counts"), counts, LabelSubject::from(role)));
        is_next.then_some(LabelledMessage { role: role?, counts: counts? })
    }

    fn role(&mut self, place: &str, node: &Node) -> Option<MessageRole> {
        match node {
            Node::Text(name) if name == "agent" => Some(MessageRole::Agent),
            Node::Text(name) if name == "user" => Some(MessageRole::User),
            Node::Text(name) => {
                let message = format!("{} is no party", quotation::name(name));
                self.add(place, "bad_value", message, "write `agent` or `user`");
                None
            }
            Node::Null | Node::Count(_) | Node::List(_) | Node::Object(_) | Node::Other => {
                self.wrong_type(place, node, "`agent` or `user`");
                None
            }
        }
    }

    /// The counts, or the nothing that a judge gave.
    fn counts(&mut self, place: &str, node: &Node, subject: LabelSubject) -> Option<Option<LabelCounts>> {
        let entries = match node {
            Node::Null => return Some(None),
            Node::Object(entries) => entries,
            Node::Count(_) | Node::Text(_) | Node::List(_) | Node::Other => {
                self.wrong_type(place, node, "an object or null");
                return None;
            }
        };
        let faults = match LabelCounts::read(entries, subject, CountSource::File) {
            Ok(counts) => return Some(Some(counts)),
            Err(faults) => faults,
        };
        for fault in faults {
            let (code, help) = advice(&fault, subject);
            self.add(place, code, fault.to_string(), help);
        }
        None
    }
}

fn advice(fault: &CountFault, subject: LabelSubject) -> (&'static str, String) {
    match fault {
        CountFault::Unknown { .. } => {
            let names: Vec<&str> = subject.sheets().map(|sheet| sheet.name).collect();
            ("unknown_key", format!("known: {}", names.join(", ")))
        }
        CountFault::Repeated(_) => ("duplicate_key", "leave one of the two out".to_owned()),
        CountFault::Missing(_) => ("missing_key", "add it, or write null for the whole object".to_owned()),
        CountFault::NotWhole { .. } => ("wrong_type", "write a whole number from 0 up".to_owned()),
        CountFault::TooMany { most, .. } => ("bad_value", format!("write a number from 0 to {most}")),
        CountFault::Inconsistent { .. } => ("bad_value", "count again".to_owned()),
    }
}

#[cfg(test)]
mod tests;
