//! A merge of two changes by elements: a tool, a collection, a function; and what it leaves as the author has it.

use std::collections::BTreeSet;

/// An element that stays as the author has it, although the source changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub(crate) at: At,
    /// The author's text.
    pub yours: String,
    /// The source's; empty where it has it no longer.
    pub source: String,
    /// Why it is not taken over, where only the source changed it.
    pub why: String,
}

impl Left {
    /// Whether it stands in the script.
    pub fn is_of_script(&self) -> bool {
        self.at.first().is_some_and(|first| first == FUNCTION)
    }

    /// What it is called: tool `moveHire`, `parameters.day`.
    pub fn element(&self) -> String {
        let (kind, rest) = match self.at.split_first() {
            Some((first, rest)) if first == FUNCTION => ("function", rest),
            Some((first, rest)) if first == "tools" => ("tool", rest),
            Some((first, rest)) if first == "state" => ("collection", rest),
            _ => return format!("`{}`", self.at.join(".")),
        };
        match rest.split_first() {
            Some((name, [])) => format!("{kind} `{name}`"),
            Some((name, below)) => format!("{kind} `{name}`, `{}`", below.join(".")),
            None => format!("`{}`", self.at.join(".")),
        }
    }
}

/// The place of an element: `tools`, the tool's name and what is below; `fn` and a function's name.
pub type At = Vec<String>;

pub const FUNCTION: &str = "fn";

/// A merge under way: where it is, what stays as it is, and what was left.
pub struct Merge<'h> {
    at: At,
    held: &'h BTreeSet<At>,
    pub left: Vec<Left>,
}

impl<'h> Merge<'h> {
    pub fn new(held: &'h BTreeSet<At>) -> Merge<'h> {
        Merge { at: Vec::new(), held, left: Vec::new() }
    }

    /// Whether nothing was left.
    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    pub fn within<T>(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.at.push(name.to_owned());
        let found = inner(self);
        self.at.pop();
        found
    }

    pub fn is_held(&self) -> bool {
        self.held.contains(&self.at)
    }

    /// Whether something below stays as it is.
    pub fn holds_below(&self) -> bool {
        self.held.range(self.at.clone()..).next().is_some_and(|held| held.starts_with(&self.at))
    }

    pub fn left(&mut self, yours: &str, source: &str) {
        let (yours, source) = (yours.trim().to_owned(), source.trim().to_owned());
        self.left.push(Left { at: self.at.clone(), yours, source, why: String::new() });
    }
}

/// Two changes of a text brought together by its lines; nothing where both changed the same ones.
pub(crate) fn by_lines(old: &str, mine: &str, new: &str) -> Option<String> {
    // A last line without its end would run into the next.
    let whole = |text: &str| format!("{text}\n");
    diffy::merge(&whole(old), &whole(mine), &whole(new)).ok().map(|text| text.trim_end().to_owned())
}
