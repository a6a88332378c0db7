//! The words by which people speak of a tool.

use compact_str::{CompactString, format_compact};
use probity_engine::Tool;
use probity_prose::Words;
use probity_prose::token::{name_words, words};

/// The words of a tool's name and of what it is claimed by, read once for a task.
pub struct ToolWords {
    /// The words of its name, the verb first.
    pub name: Vec<CompactString>,
    /// The verb in its forms, and the participles by which it is claimed.
    pub forms: Vec<CompactString>,
    /// The words of each claim.
    pub claims: Vec<Vec<CompactString>>,
}

impl ToolWords {
    pub(super) fn of(tool: &Tool) -> ToolWords {
        let name = name_words(&tool.name);
        let verb = name.first().map_or("", CompactString::as_str);
        let base = verb.strip_suffix('e').unwrap_or(verb);
        let last = verb.chars().last().map(String::from).unwrap_or_default();
        let doubled = ["ed", "ing"].map(|ending| format_compact!("{verb}{last}{ending}"));
        let own = ["", "s"].map(|ending| format_compact!("{verb}{ending}"));
        let past = ["ed", "ing"].map(|ending| format_compact!("{base}{ending}"));
        let claimed = tool.claims.iter().map(|claim| CompactString::from(claim.to_lowercase()));
        let forms = own.into_iter().chain(past).chain(doubled).chain(claimed).collect();
        ToolWords { forms, claims: tool.claims.iter().map(|claim| words(claim)).collect(), name }
    }

    pub fn verb(&self) -> &str {
        self.name.first().map_or("", CompactString::as_str)
    }

    /// Whether words name it by its verb, or by a claim of one word.
    pub fn is_named_in(&self, words: &Words) -> bool {
        self.forms.iter().any(|form| words.contains(form))
    }
}
