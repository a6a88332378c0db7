//! How a message is meant: whether a clause tells the user to do something, asks, tells not to, or only says how things
//! are; questions that want one of two things for their answer; and what keeps a careful user from a yes, and from doing
//! what they are told: words that take back what was said, are about somebody else or ask for nothing in particular, and
//! sentences that they do not understand.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::figures::amounts;
use super::words::{Clause, Cue, Sentence, heard, words};
use probity_prose::Mood as Said;
use probity_prose::{Heard, Reading, Vocabulary, WordClass, lexicon::is};

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

/// What a question offers to choose from, cut at its "or"; nothing where it has none ("or not" is none).
fn sides(sentence: &Sentence) -> Option<(Vec<CompactString>, Vec<CompactString>)> {
    let words = words(&sentence.written);
    let at = words.iter().position(|word| word == "or")?;
    let (before, after) = (words.get(..at)?.to_vec(), words.get(at + 1..)?.to_vec());
    let is_not = after.first().is_none_or(|word| word == "not" || word == "no");
    (!is_not).then_some((before, after))
}

/// Whether a question wants one of two things for its answer.
pub(crate) fn is_choice(sentence: &Sentence) -> bool {
    sentence.is_question
        && sides(sentence)
            .is_some_and(|(before, after)| ![before, after].iter().any(|side| heard(side).has(Cue::NoChoice)))
}

/// Whether a question ends with one for a yes, whatever it asks before.
pub(crate) fn ends_asking(sentence: &Sentence) -> bool {
    sentence.is_question
        && sides(sentence)
            .map(|(_, after)| heard(&after))
            .is_some_and(|after| after.has(Cue::MayI) && after.has(Cue::GoesAhead))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Doubt {
    /// It is about somebody else.
    NotAbout,
    /// It asks for leave not to do it.
    AsksNot,
    /// It asks for leave to do anything.
    Blanket,
    /// It only says that the speaker does not know.
    CannotTell,
    /// It brings in what nobody asked for.
    Unasked,
}

pub(super) static DOUBTS: LazyLock<Vocabulary<Doubt>> = LazyLock::new(|| Vocabulary::of("doubts"));

pub(crate) fn is_doubtful(text: &str, sentences: &[Sentence]) -> bool {
    sentences.iter().any(|sentence| is_doubt(&sentence.written, sentence.is_question)) || is_framed(text)
}

/// Whether it takes itself back, is in a language that is not read, denies what it asks or what something costs, or
/// quotes what somebody else would say.
fn is_framed(text: &str) -> bool {
    let reading = Reading::of(text);
    let amounts = amounts(&reading.text);
    let place = |token: usize| reading.text.tokens.get(token).map(|token| token.span.0);
    let has_amount = |(from, to): (usize, usize)| {
        amounts.iter().filter_map(|(token, _)| place(*token)).any(|at| (from..to).contains(&at))
    };
    let is_denied = |span: (usize, usize)| {
        let around = reading.text.around(span.0);
        let cannot_tell = around.is_some_and(|sentence| {
            let words: Vec<CompactString> = sentence.words.iter().map(|word| word.text.clone()).collect();
            DOUBTS.heard(&words).has(Doubt::CannotTell)
        });
        (around.is_some_and(|sentence| sentence.is_question) || has_amount(span)) && !cannot_tell
    };
    reading.is_reversed
        || reading.stretches.iter().any(|stretch| match stretch.mood {
            Said::Unread => true,
            Said::Denied => is_denied(stretch.span),
            Said::Attributed => reading.text.is_quoted(stretch.span),
            Said::Asserted | Said::Asked | Said::Supposed => false,
        })
}

fn is_doubt(written: &str, is_question: bool) -> bool {
    let words: Vec<CompactString> = words(written);
    DOUBTS.heard(&words).iter().any(|mention| match mention.list {
        Doubt::NotAbout | Doubt::Unasked => true,
        Doubt::AsksNot | Doubt::Blanket => is_question,
        Doubt::CannotTell => false,
    })
}
