//! Options that are offered in the present tense: the option does something, the user has it, or a yes leads to it.

use super::planted::is_adverb;
use crate::prose::lexicon::{WordClass, is};
use crate::prose::sentence::Sentence;

/// Whether the clause gives the option in the present tense: it does something, the user has it, or a yes opens
/// the sentence and the option is part of what follows.
pub(super) fn is_in_force(sentence: &Sentence, start: usize, from: usize, to: usize, end: usize) -> bool {
    if is_reported(sentence, from) {
        return false;
    }
    let verb = sentence.range(to, end).find(|word| !is_adverb(word)).unwrap_or_default();
    let verb = if verb == "will" { after(sentence, to, end, "will") } else { verb };
    let is_subject = (start..from).all(|at| is_lead(sentence.word(at))) && acts(verb);
    let given = (start..from).rev().find(|at| gives(sentence, *at)).is_some_and(|at| {
        (at + 1..from)
            .all(|at| is_lead(sentence.word(at)) || sentence.word(at) == "for" || is_adverb(sentence.word(at)))
    });
    let is_yes = matches!(sentence.word(0), "yes" | "sure" | "certainly" | "absolutely" | "definitely" | "indeed");
    let speaks_only =
        sentence.range(0, from).any(|word| is(WordClass::Inquiries, word) || matches!(word, "about" | "by"));
    let rest = || sentence.range(to, sentence.words.len());
    let is_open = rest().any(|word| {
        matches!(word, "would" | "could" | "might" | "may" | "should" | "if" | "not" | "no")
            || is(WordClass::Inquiries, word)
    });
    let goes_on = to < sentence.words.len() && !is_open && !sentence.is_question && !speaks_only;
    // `With the X, your move is free`
    let is_with = (start..from).any(|at| sentence.word(at) == "with")
        && (start..from).all(|at| is_lead(sentence.word(at)))
        && rest().any(|word| is(WordClass::Helpers, word));
    is_subject || given || (goes_on && (is_yes || is_with))
}

/// The word after `first`, adverbs passed over.
fn after<'a>(sentence: &'a Sentence, from: usize, to: usize, first: &str) -> &'a str {
    let rest = sentence.range(from, to).skip_while(|word| *word != first).skip(1);
    rest.into_iter().find(|word| !is_adverb(word)).unwrap_or_default()
}

/// Whether somebody else speaks of the option: `you asked for`, `you mentioned`.
fn is_reported(sentence: &Sentence, from: usize) -> bool {
    let others = |at: usize| matches!(sentence.word(at), "you" | "they" | "he" | "she" | "your");
    (0..from).any(|at| others(at) && (at + 1..from.min(at + 4)).any(|at| is(WordClass::Inquiries, sentence.word(at))))
}

/// Words before an option that say nothing of it.
fn is_lead(word: &str) -> bool {
    let leads =
        ["the", "a", "an", "your", "our", "my", "this", "that", "and", "so", "but", "yes", "sure", "with", "also"];
    leads.contains(&word)
}

/// What an option that exists does: `the X applies`, `waives the fee`, `makes it free`.
fn acts(verb: &str) -> bool {
    let plain = if verb == "applies" { "apply" } else { verb.strip_suffix('s').unwrap_or(verb) };
    is(WordClass::OfferVerbs, plain)
}

/// `you get`, `you have`, `we offer`, `I am using`, `there is`, `your stay includes`.
fn gives(sentence: &Sentence, at: usize) -> bool {
    let subject = sentence.before(at);
    let modal = sentence.range(0, at).any(|word| matches!(word, "would" | "could" | "might" | "may" | "should" | "to"));
    let verb = sentence.word(at);
    let has = match subject {
        "you" => matches!(verb, "get" | "have" | "receive" | "enjoy" | "qualify" | "hold"),
        "i" | "we" => {
            matches!(verb, "offer" | "use" | "apply" | "grant" | "give" | "provide")
                || (subject == "we" && verb == "have")
        }
        "there" => verb == "is" || verb == "are",
        "can" | "will" | "now" | "also" => {
            let by_user = sentence.range(0, at).any(|word| word == "you");
            by_user && matches!(verb, "get" | "use" | "have" | "receive" | "enjoy" | "choose")
        }
        _ => matches!(verb, "includes" | "qualifies" | "gets"),
    };
    // `I've gone ahead with`, `we went ahead with`.
    let ahead = verb == "with" && subject == "ahead" && at > 1 && matches!(sentence.word(at - 2), "gone" | "went");
    (has || ahead) && !modal
}
