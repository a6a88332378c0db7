//! An environment file as its members, with the comments before each, and how two changes of one come together.

use std::collections::BTreeSet;

use probity_engine::{comment, format};
use serde_json::Value;

use crate::merge::Merge;

/// A value as it is written, and what is inside it.
pub struct Node<'t> {
    raw: &'t str,
    inside: Inside<'t>,
}

enum Inside<'t> {
    Plain,
    Object(Members<'t>),
    /// A list whose items each have a `name` of their own.
    Named(Members<'t>),
}

#[derive(Default)]
pub struct Members<'t> {
    pub all: Vec<Member<'t>>,
    /// What stands before the closing bracket.
    tail: &'t str,
}

pub struct Member<'t> {
    pub name: String,
    /// Blanks and comments before it.
    lead: &'t str,
    /// Its key, up to the value; nothing in a list.
    head: &'t str,
    node: Node<'t>,
    /// What stands between it and the comma.
    behind: &'t str,
}

impl<'t> Members<'t> {
    pub fn get(&self, name: &str) -> Option<&Member<'t>> {
        self.all.iter().find(|member| member.name == name)
    }
}

impl<'t> Member<'t> {
    /// All of it, with its comments.
    pub fn text(&self) -> String {
        format!("{}{}{}{}", self.lead, self.head, self.node.raw, self.behind)
    }

    fn comments(&self) -> impl Iterator<Item = &'t str> {
        self.lead.lines().map(str::trim).filter(|line| line.starts_with("//"))
    }

    /// Whether the author has it as it was, with no comment of theirs.
    fn is_as(&self, old: &Member<'_>) -> bool {
        self.node.value() == old.node.value() && self.comments().all(|line| old.comments().any(|own| own == line))
    }
}

impl<'t> Node<'t> {
    /// # Errors
    /// Why it is no JSON with comments.
    pub fn read(text: &'t str) -> Result<Node<'t>, String> {
        format::format("", text).map_err(|found| {
            found.first().map(|found| format!("line {}: {}", found.line, found.message)).unwrap_or_default()
        })?;
        let mut reader = Reader { text, at: 0 };
        reader.trivia();
        Ok(reader.node())
    }

    pub fn members(&self, path: &[&str]) -> Option<&Members<'t>> {
        let own = match &self.inside {
            Inside::Plain => return None,
            Inside::Object(members) | Inside::Named(members) => members,
        };
        match path.split_first() {
            None => Some(own),
            Some((first, rest)) => own.get(first)?.node.members(rest),
        }
    }

    fn value(&self) -> Value {
        serde_json::from_str(&comment::blank(self.raw).0).unwrap_or_default()
    }

    fn text(&self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn since(&self, from: usize) -> &'t str {
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    /// Blanks and comments.
    fn trivia(&mut self) -> &'t str {
        let from = self.at;
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            let end = match self.rest().get(..2) {
                Some("//") => self.rest().find('\n'),
                Some("/*") => self.rest().find("*/").map(|end| end + 2),
                _ => return self.since(from),
            };
            self.at = end.map_or(self.text.len(), |end| self.at + end);
        }
    }

    fn scalar(&mut self) {
        if self.take('"') {
            let mut is_escaped = false;
            let end = self.rest().find(|c| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            self.at = end.map_or(self.text.len(), |end| self.at + end + 1);
        } else {
            let end = self.rest().find(|c: char| ",]}/".contains(c) || c.is_whitespace());
            self.at = end.map_or(self.text.len(), |end| self.at + end);
        }
    }

    fn node(&mut self) -> Node<'t> {
        let from = self.at;
        let inside = if self.take('{') {
            Inside::Object(self.members('}', true))
        } else if self.take('[') {
            let mut found = self.members(']', false);
            let name = |member: &Member<'_>| member.node.members(&[])?.get("name")?.node.text();
            let names: Vec<String> = found.all.iter().filter_map(name).collect();
            let apart: BTreeSet<&String> = names.iter().collect();
            let is_named = !names.is_empty() && names.len() == found.all.len() && apart.len() == names.len();
            found.all.iter_mut().zip(names).for_each(|(member, name)| member.name = name);
            if is_named { Inside::Named(found) } else { Inside::Plain }
        } else {
            self.scalar();
            Inside::Plain
        };
        Node { raw: self.since(from), inside }
    }

    fn members(&mut self, close: char, has_keys: bool) -> Members<'t> {
        let mut all = Vec::new();
        loop {
            let lead = self.trivia();
            if self.take(close) || self.rest().is_empty() {
                return Members { all, tail: lead };
            }
            let from = self.at;
            let mut name = String::new();
            if has_keys {
                self.scalar();
                name = serde_json::from_str(self.since(from)).unwrap_or_default();
                self.trivia();
                self.take(':');
                self.trivia();
            }
            let head = self.since(from);
            let node = self.node();
            let behind = self.trivia();
            all.push(Member { name, lead, head, node, behind });
            if !self.take(',') {
                self.take(close);
                // The last member's end is the list's: what stands there goes before the bracket.
                let tail = all.last_mut().map(|last| std::mem::take(&mut last.behind)).unwrap_or_default();
                return Members { all, tail };
            }
        }
    }
}

/// The author's file with what changed from the `old` import to the `new` one.
pub fn merged(old: &Node<'_>, mine: &str, new: &Node<'_>, merge: &mut Merge<'_>) -> Result<String, String> {
    let node = Node::read(mine)?;
    let around = mine.split_once(node.raw).unwrap_or_default();
    let value = value(Some(old), &node, new, merge);
    Ok(format!("{}{value}{}", around.0, around.1))
}

fn value(old: Option<&Node<'_>>, mine: &Node<'_>, new: &Node<'_>, merge: &mut Merge<'_>) -> String {
    let is_old = |node: &Node<'_>| old.is_some_and(|old| old.raw == node.raw);
    if is_old(new) || mine.raw == new.raw {
        return mine.raw.to_owned();
    }
    if is_old(mine) && !merge.holds_below() {
        return new.raw.to_owned();
    }
    let is_of = |node: Option<&Node<'_>>| node.is_none_or(|old| old.members(&[]).is_some());
    let signs = |node: &Node<'_>| node.raw.get(..1).unwrap_or_default().to_owned();
    if let (Some(own), Some(others), true) = (mine.members(&[]), new.members(&[]), is_of(old))
        && signs(mine) == signs(new)
        && old.is_none_or(|old| signs(old) == signs(mine))
    {
        let none = Members::default();
        return members(old.and_then(|old| old.members(&[])).unwrap_or(&none), own, others, mine.raw, merge);
    }
    let (own, other, known) = (mine.value(), new.value(), old.map(Node::value));
    if known.as_ref() == Some(&other) || own == other {
        mine.raw.to_owned()
    } else if known.as_ref() == Some(&own) {
        new.raw.to_owned()
    } else {
        merge.left(mine.raw, new.raw);
        mine.raw.to_owned()
    }
}

fn members(old: &Members<'_>, mine: &Members<'_>, new: &Members<'_>, raw: &str, merge: &mut Merge<'_>) -> String {
    let mut pieces: Vec<(&str, String)> = Vec::new();
    for member in &mine.all {
        let (before, after) = (old.get(&member.name), new.get(&member.name));
        let kept = merge.within(&member.name, |merge| match (before, after) {
            _ if merge.is_held() => Some(member.text()),
            (before, Some(after)) => {
                let value = value(before.map(|before| &before.node), &member.node, &after.node, merge);
                Some(format!("{}{}{value}{}", lead(before, member, after), member.head, member.behind))
            }
            (None, None) => Some(member.text()),
            (Some(before), None) if member.is_as(before) => None,
            (Some(_), None) => {
                merge.left(&member.text(), "");
                Some(member.text())
            }
        });
        pieces.extend(kept.map(|text| (member.name.as_str(), text)));
    }
    for (at, member) in new.all.iter().enumerate().filter(|(_, member)| mine.get(&member.name).is_none()) {
        // What the author has taken out stays out.
        let is_new = old.get(&member.name).is_none() && merge.within(&member.name, |merge| !merge.is_held());
        if is_new {
            let before = new.all.iter().take(at).rev();
            let behind = before.filter_map(|other| pieces.iter().position(|(name, _)| *name == other.name));
            let place = behind.map(|place| place + 1).next().unwrap_or_default();
            pieces.insert(place, (member.name.as_str(), member.text()));
        }
    }
    let (open, close) = if raw.starts_with('[') { ("[", "]") } else { ("{", "}") };
    let texts: Vec<String> = pieces.into_iter().map(|(_, text)| text).collect();
    format!("{open}{}{}{close}", texts.join(","), mine.tail)
}

/// What stands before a member: the author's comments, without those that the source has no longer, with its new ones.
fn lead(old: Option<&Member<'_>>, mine: &Member<'_>, new: &Member<'_>) -> String {
    let before: Vec<&str> = old.into_iter().flat_map(Member::comments).collect();
    let own: Vec<&str> = mine.comments().collect();
    let after: Vec<&str> = new.comments().collect();
    let is_gone = |line: &str| before.contains(&line.trim()) && !after.contains(&line.trim());
    let more: Vec<&&str> = after.iter().filter(|line| !before.contains(line) && !own.contains(line)).collect();
    let mut lines: Vec<String> = mine.lead.split('\n').filter(|line| !is_gone(line)).map(str::to_owned).collect();
    let indent = lines.pop().unwrap_or_default();
    if !more.is_empty() && lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(more.into_iter().map(|line| format!("{indent}{line}")));
    lines.push(indent);
    lines.join("\n")
}
