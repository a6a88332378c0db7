//! Options that are offered in the present tense: the option does something, the user has it, or a yes leads to it.

use super::planted::is_adverb;
use probity_prose::{Sentence, WordClass, lexicon::is};

/// A place that names an option, and its clause.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub sentence: &'a Sentence,
    /// Where the clause starts and ends.
    pub start: usize,
    pub end: usize,
    /// The option's first word, and the word after its last.
    pub from: usize,
    pub to: usize,
}

impl<'a> Offer<'a> {
    pub(super) fn new(sentence: &'a Sentence, from: usize, to: usize) -> Offer<'a> {
        let (start, end) = sentence.clause(from);
        Offer { sentence, start, end, from, to }
    }

    /// Whether the clause gives the option in the present tense: it does something, the user has it, or a yes opens
    /// the sentence and the option is part of what follows.
    pub(super) fn is_in_force(&self) -> bool {
        let Offer { sentence, start, from, to, end } = *self;
        if is_reported(sentence, from) {
            return false;
        }
        let is_lead = |at: usize| sentence.is(WordClass::OfferLeads, at);
        let leads = (start..from).all(is_lead);
        let mut behind = sentence.range(to, end).filter(|word| !is_adverb(word));
        let acts = match behind.next() {
            Some("will") => behind.next().is_some_and(acts),
            verb => verb.is_some_and(acts),
        };
        let passes = |at: usize| is_lead(at) || sentence.word(at) == "for" || is_adverb(sentence.word(at));
        let giver = (start..from).rev().find(|at| gives(sentence, *at));
        let is_given = giver.is_some_and(|giver| (giver + 1..from).all(passes));
        let speaks_only = sentence.has(WordClass::Inquiries, 0, from)
            || sentence.range(0, from).any(|word| matches!(word, "about" | "by"));
        let rest = (to, sentence.words.len());
        let is_open =
            sentence.has(WordClass::Inquiries, rest.0, rest.1) || sentence.has(WordClass::OfferDoubts, rest.0, rest.1);
        let goes_on = to < sentence.words.len() && !is_open && !sentence.is_question && !speaks_only;
        // `With the X, your move is free`
        let is_with = leads
            && sentence.range(start, from).any(|word| word == "with")
            && sentence.has(WordClass::Helpers, rest.0, rest.1);
        (leads && acts) || is_given || (goes_on && (is_with || sentence.is(WordClass::Assents, 0)))
    }
}

/// Whether somebody else speaks of the option: `you asked for`, `you mentioned`.
fn is_reported(sentence: &Sentence, from: usize) -> bool {
    let others = |at: usize| matches!(sentence.word(at), "you" | "they" | "he" | "she" | "your");
    (0..from).any(|at| others(at) && sentence.has(WordClass::Inquiries, at + 1, from.min(at + 4)))
}

/// What an option that exists does: `the X applies`, `waives the fee`, `makes it free`.
fn acts(verb: &str) -> bool {
    let plain = if verb == "applies" { "apply" } else { verb.strip_suffix('s').unwrap_or(verb) };
    is(WordClass::OfferVerbs, plain)
}

/// `you get`, `you have`, `we offer`, `I am using`, `there is`, `your stay includes`.
fn gives(sentence: &Sentence, at: usize) -> bool {
    let verb = sentence.word(at);
    let has = match sentence.before(at) {
        "you" => is(WordClass::Gains, verb),
        "we" if verb == "have" => true,
        "i" | "we" => is(WordClass::Grants, verb),
        "there" => matches!(verb, "is" | "are"),
        "can" | "will" | "now" | "also" => {
            is(WordClass::LaterGains, verb) && sentence.range(0, at).any(|word| word == "you")
        }
        // `I've gone ahead with`, `we went ahead with`.
        "ahead" if at > 1 && matches!(sentence.word(at - 2), "gone" | "went") => verb == "with",
        _ => matches!(verb, "includes" | "qualifies" | "gets"),
    };
    let is_open = |word: &str| word == "to" || is(WordClass::Possible, word);
    has && !sentence.range(0, at).any(is_open)
}
