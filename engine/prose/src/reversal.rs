//! Sentences that take back what stands before them, or say beforehand that nothing of what follows is so.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::assertion::Mood;
use super::class::WordClass;
use super::lexicon::is;
use super::sentence::{Mark, Sentence};
use super::vocabulary::Vocabulary;

/// What a sentence makes of those around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reversal {
    /// Nothing that follows is so: *Let me tell you a fairy tale.*
    Ahead,
    /// Nothing of the reply so far is so: *Just kidding.* Where it is only left open, it is supposed: *Or else not.*
    Behind(Mood),
    /// The sentence before is not so: *That is wrong.*
    Last,
    /// It leaves itself open: *It is done, or not.*
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cue {
    Unreal,
    TakesBack,
    /// The same, where it is a whole sentence.
    Curt,
    LeavesOpen,
}

static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("reversal"));

/// Most words of a sentence that only says how to take others.
const MOST: usize = 16;
/// Most words of one that is wholly about them.
const FEW: usize = 9;

/// What a sentence reverses, where `is_first` no sentence stands before it.
pub(super) fn reversal(sentence: &Sentence, is_first: bool) -> Option<Reversal> {
    let head = head(sentence);
    let words: Vec<CompactString> = sentence.words.iter().take(head).map(|word| word.text.clone()).collect();
    if sentence.is_question || words.is_empty() {
        return None;
    }
    if leaves_itself_open(sentence) {
        return Some(Reversal::Own);
    }
    // A sentence that tells a number or a name tells more than how to take others.
    if words.len() > MOST || sentence.words.iter().take(head).any(|word| word.is_particular && word.text != "i") {
        return None;
    }
    let heard = CUES.heard(&words);
    // `I brought this up to date`, `I made that up to you`.
    let goes_on = |at: usize| sentence.before(at) == "up" && sentence.word(at) == "to";
    let is_denied = |at: usize| sentence.range(at.saturating_sub(2), at).any(|word| is(WordClass::Negations, word));
    let has = |list: Cue| {
        heard.iter().any(|found| *found.list == list && !is_denied(found.at) && !goes_on(found.at + found.length))
    };
    let is_all = |list: Cue| heard.iter().any(|found| *found.list == list && found.length == words.len());
    let behind = |mood: Mood| (!is_first).then_some(Reversal::Behind(mood));
    if has(Cue::Unreal) {
        return Some(Reversal::Ahead);
    }
    if has(Cue::TakesBack) || is_all(Cue::Curt) {
        return behind(Mood::Denied);
    }
    if is_all(Cue::LeavesOpen) {
        return behind(Mood::Supposed);
    }
    of_all(sentence, head, is_first)
}

/// How many words stand before a sentence's first colon: what it says of those behind it.
pub(super) fn head(sentence: &Sentence) -> usize {
    let follows_colon = |at: &usize| sentence.token(*at).is_some_and(|token| token.gap.contains(':'));
    (1..sentence.words.len()).find(follows_colon).unwrap_or(sentence.words.len())
}

/// `None of that is true`, `All of it was invented`, `That is not so`.
fn of_all(sentence: &Sentence, head: usize, is_first: bool) -> Option<Reversal> {
    let words: Vec<&str> = sentence
        .range(0, sentence.words.len())
        .skip_while(|word| is(WordClass::Fillers, word) && *word != "all")
        .collect();
    let has = |class: WordClass| words.iter().any(|word| is(class, word));
    // Behind a colon or *the following* stands what it is about.
    if words.len() > FEW || sentence.introduces || head < sentence.words.len() || has(WordClass::Elsewhere) {
        return None;
    }
    let points =
        has(WordClass::Pointers) || words.windows(2).any(|two| matches!(two, ["i" | "we", "said" | "told" | "wrote"]));
    let is_no = has(WordClass::Negations);
    let of_reply = || match is_first {
        true => words.contains(&"this").then_some(Reversal::Ahead),
        false => Some(Reversal::Behind(Mood::Denied)),
    };
    match words.as_slice() {
        ["none" | "nothing", ..] | ["no" | "not", "part" | "word" | "bit" | "line" | "a" | "one", ..]
            if points && is_said_true(&words) =>
        {
            of_reply()
        }
        ["all" | "everything" | "every", ..] if is_made_up(&words) || (is_no && is_said_true(&words)) => of_reply(),
        ["all" | "everything" | "every", ..] if !is_no && points && ends_in(&words, WordClass::Untruths) => of_reply(),
        ["that" | "this" | "it" | "these" | "those", ..] if is_made_up(&words) && !is_no => of_reply(),
        ["that" | "this" | "it", "is" | "was", "not", .., _]
            if !is_first && words.len() < 6 && is_said_true(&words) =>
        {
            Some(Reversal::Last)
        }
        ["that" | "this" | "it", "is" | "was", .., _] if !is_first && !is_no && words.len() < 6 => {
            ends_in(&words, WordClass::Untruths).then_some(Reversal::Last)
        }
        _ => None,
    }
}

fn ends_in(words: &[&str], class: WordClass) -> bool {
    words.last().is_some_and(|last| is(class, last))
}

/// `.. was made up`, `.. was a joke`.
fn is_made_up(words: &[&str]) -> bool {
    words.ends_with(&["made", "up"]) || ends_in(words, WordClass::Inventions)
}

/// `.. is true`, `.. is not the case`, `.. of that happened`: what is said of it comes last.
fn is_said_true(words: &[&str]) -> bool {
    match words {
        [.., "the", "case"] | [.., "that" | "this" | "it" | "these" | "those", "happened"] => true,
        [.., _, "case" | "fact" | "meant" | "happened"] => false,
        [.., before, last] => is(WordClass::Truths, last) && !is(WordClass::Determiners, before),
        _ => false,
    }
}

/// `.., or not.`, `.., or maybe not.`
fn leaves_itself_open(sentence: &Sentence) -> bool {
    let last = sentence.words.len().saturating_sub(1);
    let joint = (last.saturating_sub(2)..last).find(|at| sentence.word(*at) == "or");
    let is_apart = |at: &usize| *at > 0 && sentence.mark(*at) != Mark::None;
    sentence.word(last) == "not" && joint.is_some_and(|at| is_apart(&at))
}

/// Whether a clause only says how it may be, or how it would have been: `perhaps it was moved`, `it would have been`.
pub(super) fn is_loose(sentence: &Sentence, from: usize, to: usize) -> bool {
    // `Perhaps it was moved and the fee is 15.00 EUR` leaves both open.
    let leads = usize::from(sentence.is(WordClass::Leads, 0));
    let is_all_hedged = sentence.is(WordClass::Hedges, leads) && from < head(sentence);
    if is_all_hedged || sentence.has(WordClass::Hedges, from, to) {
        return true;
    }
    let rest: Vec<(usize, &str)> = (from..to)
        .map(|at| (at, sentence.word(at)))
        .filter(|(_, word)| !word.ends_with("ly") && !is(WordClass::Adverbs, word))
        .collect();
    rest.windows(3).any(|words| match words {
        [(_, possible), (_, "have"), (past, _)] => is(WordClass::Possible, possible) && sentence.is_past_form(*past),
        _ => false,
    })
}
