//! Tools as their source describes them, whatever its form.

use serde_json::{Map, Value};

/// Most tools of one source, and of one environment.
const MAX_READ: usize = 5_000;
pub const MAX_TOOLS: usize = 256;

/// What was read of a source: its tools in its order, with normalised schemas.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub title: String,
    pub summary: String,
    pub tools: Vec<OuterTool>,
    /// What was cut, dropped or read otherwise than it stands there.
    pub notes: Vec<Note>,
}

/// A tool of others.
#[derive(Clone, Debug)]
pub struct OuterTool {
    pub name: String,
    pub description: String,
    /// The schema of its arguments: a closed object.
    pub input: Map<String, Value>,
    /// The schema of what it returns, where the source says so.
    pub output: Option<Value>,
    pub hints: Hints,
    /// Where it stands in an HTTP interface.
    pub route: Option<Route>,
}

/// What a source says of what a tool does; hints, as the Model Context Protocol calls them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
}

/// A method and a path: `POST /orders/{orderId}/cancel`.
#[derive(Clone, Debug)]
pub struct Route {
    pub method: String,
    pub path: String,
}

/// Something of a schema that is not as its source has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    pub tool: String,
    /// The JSON Pointer into the tool's schema.
    pub at: String,
    pub text: String,
}

/// Why a source cannot be read, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub message: String,
    pub help: String,
}

impl Refused {
    pub(crate) fn new(message: impl Into<String>, help: &str) -> Refused {
        Refused { message: message.into(), help: help.to_owned() }
    }
}

impl Source {
    /// Refuses what is no source of tools.
    pub(crate) fn checked(self) -> Result<Source, Refused> {
        match self.tools.len() {
            0 => Err(Refused::new(
                "there are no tools in it",
                "give what `tools/list` answers, or a document with paths",
            )),
            MAX_READ.. => Err(Refused::new(
                format!("it has {} tools; {MAX_READ} are the most", self.tools.len()),
                "cut it into parts that belong together",
            )),
            _ => Ok(self),
        }
    }

    /// The tools whose name, or whose path, begins with one of some texts; all of them without a text.
    ///
    /// # Errors
    /// They are none, or more than an environment holds.
    pub fn only(mut self, beginnings: &[String]) -> Result<Source, Refused> {
        let is_meant = |tool: &OuterTool| {
            let of = |text: &str| beginnings.iter().any(|beginning| text.starts_with(beginning.as_str()));
            beginnings.is_empty() || of(&tool.name) || tool.route.as_ref().is_some_and(|route| of(&route.path))
        };
        self.tools.retain(is_meant);
        let kept: std::collections::BTreeSet<&String> = self.tools.iter().map(|tool| &tool.name).collect();
        self.notes.retain(|note| note.tool.is_empty() || beginnings.is_empty() || kept.contains(&note.tool));
        match self.tools.len() {
            0 => Err(Refused::new("no tool begins so", "give the beginning of a tool's name, or of its path")),
            count if count > MAX_TOOLS => Err(Refused::new(
                format!("{count} tools are more than an environment holds ({MAX_TOOLS})"),
                "take those that belong together with `--only`, by the beginning of a name or a path",
            )),
            _ => Ok(self),
        }
    }
}
