//! Whether a clause tells the user to do something, asks, tells not to, or only says how things are.

use probity_prose::{Heard, WordClass, lexicon::is};

use super::cue::Cue;
use super::words::Clause;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Command,
    Question,
    /// It names something to be done as a condition or a time.
    Weak,
    /// It tells how things are, what the agent does, or what is not to be done.
    Statement,
}

/// The mood of a clause, in a sentence that is a question or is none.
pub(super) fn mood(clause: &Clause, is_question: bool) -> Mood {
    // Words at the beginning that mean nothing are passed over, but for the last of all.
    let openers = clause.words.iter().take_while(|word| is(WordClass::Openers, word)).count();
    let at = openers.min(clause.words.len().saturating_sub(1));
    let first = clause.words.get(at).map_or("", |word| word.as_str());
    let said = &clause.said;
    if is_negated(said) {
        return Mood::Statement;
    }
    if clause.is_subordinate {
        return if is(WordClass::NotNow, first) { Mood::Statement } else { Mood::Weak };
    }
    if first == "to" || (!is_question && first == "which") {
        return Mood::Statement;
    }
    let is_urged = said.has(Cue::Urges) && !said.has(Cue::Expectations);
    // Outside a question, "which" carries on what was said.
    if (is_question || first == "what" || first == "how") && said.begins(at, Cue::Asked) {
        return if said.has(Cue::Tried) { Mood::Weak } else { Mood::Question };
    }
    if !is_urged && is(WordClass::Told, first) { Mood::Statement } else { Mood::Command }
}

/// Whether it is said that something is not, or is not to be.
pub(crate) fn is_negated(said: &Heard<'_, Cue>) -> bool {
    said.has(Cue::Negations) && !said.has(Cue::NoNegations)
}
