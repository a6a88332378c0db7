//! Whether words are about the deed of a desk that a tool does, by the lists of the vocabulary.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::Vocabulary;

use crate::people::understanding::cue::{Cue, heard};

/// What names a deed, by its tool.
static DEEDS: LazyLock<Vocabulary<String>> = LazyLock::new(|| Vocabulary::of("desk_deeds"));

/// Whether words are about other deeds of a desk than that of a tool, or say that it is not to be done.
pub fn is_about_others(words: &[CompactString], tool: &str) -> bool {
    let said = heard(words);
    let keeps = tool.starts_with("cancel_") && said.has(Cue::Keeping);
    let named = DEEDS.heard(words);
    let is_other = || named.iter().next().is_some() && named.iter().all(|mention| mention.list != tool);
    keeps || said.has(Cue::Denials) || is_other()
}

pub fn is_about(words: &[CompactString], tool: &str) -> bool {
    DEEDS.heard(words).iter().any(|mention| mention.list == tool)
}
