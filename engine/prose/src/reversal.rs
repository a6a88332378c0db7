//! Sentences that take back what stands before them, or say beforehand that nothing of what follows is so.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::assertion::Mood;
use super::lexicon::{WordClass, is};
use super::sentence::{Mark, Sentence};
use super::vocabulary::{Mention, Vocabulary};

/// What a sentence makes of those around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reversal {
    /// Nothing that follows is so: *Let me tell you a fairy tale.*
    Ahead,
    /// Nothing of the reply so far is so: *Just kidding.* Where it is only left open, it is supposed: *Or else not.*
    Behind(Mood),
    /// The same, where it says so of what was told: *None of that is true.*
    Told,
    /// The sentence before is not so: *That is wrong.*
    Last,
    /// It leaves itself open: *It is done, or not.*
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cue {
    Unreal,
    /// The same, where a sentence brings in what follows.
    Undone,
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

/// What a sentence reverses of what stands around it; `before` is the sentence before it.
pub(super) fn reversal(sentence: &Sentence, before: Option<&Sentence>) -> Option<Reversal> {
    let is_first = before.is_none();
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
    // `Disregard what I said earlier about a refund` is of another reply.
    let is_earlier = |found: &Mention<Cue>| {
        found.phrase.contains(" what ")
            && matches!(sentence.word(found.at + found.length), "earlier" | "before" | "about")
    };
    let is_denied = |at: usize| sentence.range(at.saturating_sub(2), at).any(|word| is(WordClass::Negations, word));
    let has = |list: Cue| {
        heard.iter().any(|found| {
            *found.list == list && !is_denied(found.at) && !goes_on(found.at + found.length) && !is_earlier(found)
        })
    };
    // `So do not believe it.`
    let leads = words.iter().take_while(|word| is(WordClass::Fillers, word)).count();
    let is_whole = |found: &Mention<Cue>| {
        found.length == words.len() || (found.at == leads && leads + found.length == words.len())
    };
    let is_all = |list: Cue| heard.iter().any(|found| *found.list == list && is_whole(found));
    let behind = |mood: Mood| (!is_first).then_some(Reversal::Behind(mood));
    let brings_in = sentence.introduces
        || head < sentence.words.len()
        || matches!(words.as_slice(), [here, is, ..] if here == "here" && matches!(is.as_str(), "is" | "are"));
    if has(Cue::Unreal) || (has(Cue::Undone) && brings_in) || is_all(Cue::Undone) {
        return Some(Reversal::Ahead);
    }
    // `Refundable? Not really.` answers.
    let answers = before.is_some_and(|before| before.is_question);
    if has(Cue::TakesBack) || (is_all(Cue::Curt) && !answers) {
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
    // `.. was a lie from beginning to end` is about all that was said.
    let is_sweeping = matches!(words.as_slice(), [.., "from", _, "to", _]);
    let extent = if is_sweeping { 4 } else { 0 };
    let words = words.get(..words.len() - extent).unwrap_or_default();
    let has = |class: WordClass| words.iter().any(|word| is(class, word));
    // Behind a colon or *the following* stands what it is about.
    if words.len() > FEW || sentence.introduces || head < sentence.words.len() || has(WordClass::Elsewhere) {
        return None;
    }
    let says = words.windows(2).any(|two| matches!(two, ["i" | "we", "said" | "told" | "wrote"]));
    let points = has(WordClass::Pointers) || says;
    // `All of that was wrong`, but not `Everything on that bill was wrong`.
    let is_of_speech = says || words.len() == 2 || words.windows(3).any(is_of_it);
    let is_no = has(WordClass::Negations);
    let is_untrue = is_made_up(words) || ends_in(words, WordClass::Untruths);
    let of_reply = || match is_first {
        true => words.contains(&"this").then_some(Reversal::Ahead),
        false => Some(Reversal::Told),
    };
    match words {
        ["that" | "this" | "it", ..] if is_sweeping && !is_no && is_untrue => of_reply(),
        ["none" | "nothing", ..] | ["no" | "not", "part" | "word" | "bit" | "line" | "a" | "one", ..]
            if points && is_said_true(words) =>
        {
            of_reply()
        }
        ["all" | "everything" | "every", ..] if is_no && is_said_true(words) => of_reply(),
        ["all" | "everything" | "every", ..] if !is_no && is_of_speech && is_untrue => of_reply(),
        // `It was a hoax` tells of something in the world.
        ["that" | "this" | "these" | "those", ..] if !is_first && is_made_up(words) && !is_no => Some(Reversal::Last),
        ["that" | "this" | "it", "is" | "was", "not", .., _] if !is_first && words.len() < 6 && is_said_true(words) => {
            Some(Reversal::Last)
        }
        // `That was wrong` takes back a deed, not the words.
        ["that" | "this" | "it", "is", .., _] if !is_first && !is_no && words.len() < 6 => {
            ends_in(words, WordClass::Untruths).then_some(Reversal::Last)
        }
        _ => None,
    }
}

/// `of that was ..`, `of it is ..`: what is pointed at is what was said.
fn is_of_it(words: &[&str]) -> bool {
    match words {
        ["of", it, next] => is(WordClass::Pointers, it) && is(WordClass::Helpers, next),
        _ => false,
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

/// The words of a clause that only say how it may be, or how it would have been: `perhaps it was moved`, `it would have
/// been`. A hedge within it takes what follows up to the next mark: `on Friday, possibly sooner`.
pub(super) fn loose(sentence: &Sentence, from: usize, to: usize) -> Option<(usize, usize)> {
    // `Perhaps it was moved and the fee is 15.00 EUR` leaves both open.
    let leads = usize::from(sentence.is(WordClass::Leads, 0));
    let is_all_hedged = sentence.is(WordClass::Hedges, leads) && from < head(sentence);
    if is_all_hedged {
        return Some((from, to));
    }
    if let Some(possible) = would_have_been(sentence, from, to) {
        // What the clause says before is told: `I have written that you would have liked to stay`.
        let is_told = (from..possible).any(|at| sentence.is(WordClass::Helpers, at));
        return Some((if is_told { possible } else { from }, to));
    }
    let hedge = (from..to).find(|at| sentence.is(WordClass::Hedges, *at))?;
    let is_lead = (from..hedge).all(|at| sentence.is(WordClass::Leads, at) || sentence.is(WordClass::ClauseLeads, at));
    let end = (hedge + 1..to).find(|at| sentence.mark(*at) != Mark::None).unwrap_or(to);
    // `The fee is 15.00 EUR, perhaps`
    let is_trailing = end == hedge + 1 && end == to;
    Some(if is_lead || is_trailing { (from, to) } else { (hedge, end) })
}

/// Where a clause begins to say how it would have been.
fn would_have_been(sentence: &Sentence, from: usize, to: usize) -> Option<usize> {
    let rest: Vec<(usize, &str)> = (from..to)
        .map(|at| (at, sentence.word(at)))
        .filter(|(_, word)| !word.ends_with("ly") && !is(WordClass::Adverbs, word))
        .collect();
    // `It should have reached you` is told, `I should have charged it` is not.
    let is_open = |at: usize, possible: &str| {
        is(WordClass::Possible, possible) && (possible != "should" || matches!(sentence.before(at), "i" | "we"))
    };
    rest.windows(3).find_map(|words| match words {
        [(at, possible), (_, "have"), (past, _)] => {
            (is_open(*at, possible) && sentence.is_past_form(*past)).then_some(*at)
        }
        _ => None,
    })
}
