//! Tools as their source describes them, whatever its form.

use probity_engine::ids::identifier_of;
use probity_engine::position::MAX_TEXT_BYTES;
use probity_wire::lenient::in_words;
use serde_json::{Map, Value};

use crate::role::VOCABULARY;

/// Most tools of one environment.
const MAX_TOOLS: usize = 256;
/// Most notes of one source.
const MAX_NOTES: usize = 2_000;
/// Most bytes of all that the tools of one source say, so that an environment of them can be read.
pub(crate) const MAX_BYTES: usize = probity_engine::MAX_FILE_BYTES as usize;
const FEWER: &str = "take those that belong together with `--only`, by the beginning of a name or a path";

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
    /// A text that cannot be read as JSON.
    pub(crate) fn json(error: &serde_json::Error, help: &str) -> Refused {
        Refused::new(format!("line {}, column {}: {}", error.line(), error.column(), in_words(error)), help)
    }

    pub(crate) fn new(message: impl Into<String>, help: &str) -> Refused {
        Refused { message: message.into(), help: help.to_owned() }
    }
}

/// What is read of a source, and what that comes to in all.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub source: Source,
    unlisted: usize,
    bytes: usize,
}

impl Reading {
    pub fn new(title: String, summary: String) -> Reading {
        Reading { source: Source { title, summary, ..Source::default() }, ..Reading::default() }
    }

    /// Notes that a tool is not as its source has it; of one tool a few.
    pub fn note(&mut self, tool: &str, at: &str, text: impl Into<String>) {
        const MAX_OF_TOOL: usize = 50;
        let note = Note { tool: tool.to_owned(), at: at.to_owned(), text: text.into() };
        // Those of one tool stand together.
        let known: Vec<&Note> = self.source.notes.iter().rev().take_while(|other| other.tool == tool).collect();
        if known.contains(&&note) {
            return;
        }
        match known.len() < MAX_OF_TOOL && self.source.notes.len() < MAX_NOTES {
            true => self.source.notes.push(note),
            false => self.unlisted += 1,
        }
    }

    /// A text, cut where it is longer than an authored file takes.
    pub fn cut(&mut self, tool: &str, at: &str, text: &str) -> String {
        let kept = (0..=MAX_TEXT_BYTES.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default();
        if kept.len() < text.len() {
            self.note(tool, at, format!("a text of {} bytes is cut at {} KiB", text.len(), MAX_TEXT_BYTES >> 10));
        }
        kept.to_owned()
    }

    /// Counts what goes into the environment.
    pub fn take(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Whether it is more than an environment holds; the rest is not looked at any more.
    pub fn is_full(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// # Errors
    /// It is more than an environment holds.
    pub fn source(mut self) -> Result<Source, Refused> {
        if self.is_full() {
            return Err(too_large("its tools"));
        }
        if self.unlisted > 0 {
            let text = format!("{} more notes are not listed", self.unlisted);
            self.source.notes.push(Note { tool: String::new(), at: String::new(), text });
        }
        if self.source.summary.is_empty() {
            self.source.summary = self.source.title.clone();
        }
        Ok(self.source)
    }
}

pub(crate) fn too_large(what: &str) -> Refused {
    Refused::new(format!("{what} come to more than the {} MiB that an environment holds", MAX_BYTES >> 20), FEWER)
}

/// Which tools are taken: those whose name or path begins with one of these; all where there is none.
#[derive(Clone, Debug, Default)]
pub struct Only(pub Vec<String>);

impl Only {
    /// Those of what was found that are meant, by name and path.
    ///
    /// # Errors
    /// They are none, or more than an environment holds.
    pub(crate) fn of<T>(&self, found: Vec<T>, is_called: impl Fn(&T, &str) -> bool) -> Result<Vec<T>, Refused> {
        if found.is_empty() {
            let help = "give what `tools/list` answers, or a document with paths";
            return Err(Refused::new("there are no tools in it", help));
        }
        let is_meant = |tool: &T| self.0.is_empty() || self.0.iter().any(|beginning| is_called(tool, beginning));
        let kept: Vec<T> = found.into_iter().filter(is_meant).collect();
        match kept.len() {
            0 => Err(Refused::new("no tool begins so", "give the beginning of a tool's name, or of its path")),
            count if count > MAX_TOOLS => {
                let message = format!("{count} tools are more than an environment holds ({MAX_TOOLS})");
                Err(Refused::new(message, FEWER))
            }
            _ => Ok(kept),
        }
    }
}

/// What a command that runs a server is called after: the package or the file that it names first.
pub fn named_after(command: &str) -> Option<String> {
    let is_meant = |word: &&str| !word.starts_with('-') && !VOCABULARY.runners.iter().any(|runner| runner == word);
    let name = |word: &str| {
        let last = word.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
        let versionless = last.split('@').find(|part| !part.is_empty()).unwrap_or_default();
        let stem = versionless.rsplit_once('.').filter(|(_, end)| end.chars().all(|c| c.is_ascii_alphabetic()));
        identifier_of(stem.map_or(versionless, |(stem, _)| stem))
    };
    let mut words = command.split_whitespace();
    let program = words.next().map(name);
    words.filter(is_meant).map(name).find(|name| !name.is_empty()).or(program).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_the_name_of_what_it_runs() {
        for (command, name) in [
            ("npx -y @scope/server-lamps .", "server_lamps"),
            ("npx -y @scope/server-lamps@1.2.0 /srv/data", "server_lamps"),
            ("python3 tools/lamp_server.py modern", "lamp_server"),
            ("docker run -i --rm example/lamps:2", "lamps_2"),
            ("./lamps", "lamps"),
            ("uvx lamps==2", "lamps_2"),
        ] {
            assert_eq!(named_after(command).as_deref(), Some(name), "{command}");
        }
        assert_eq!(named_after("..."), None);
    }
}
