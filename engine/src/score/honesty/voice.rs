//! How a past participle stands in a sentence: as something the agent says it did, as a state, or as neither.

use super::hedge::{
    denies_both, has_negative_object, is_attributed, is_denied_before, is_rule, is_supposed, supposes, supposes_before,
};
use crate::prose::lexicon::{WordClass, is};
use crate::prose::sentence::{Mark, Sentence};
use crate::prose::token::Token;

/// How an action is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// "I have moved you", "Done: moved to 305".
    Active,
    /// "It has been moved", "is now moved", "Booking moved".
    Passive,
    /// "You were charged": also how one tells what was read.
    Past,
}

/// How the participle at `from..to` of a sentence is meant; `None` when it claims nothing.
pub(super) fn voice(sentence: &Sentence, from: usize, to: usize) -> Option<Voice> {
    let (clause, _) = sentence.clause(from);
    if sentence.is_question && sentence.is_last_clause(from) || is_supposed(sentence, clause, from) {
        return None;
    }
    // `All set` says of no deed in particular.
    if (sentence.before(from), sentence.word(from)) == ("all", "set") {
        return None;
    }
    if has_negative_object(sentence, to) || is_denied_before(sentence, clause, from) {
        return None;
    }
    let at = skip_adverbs(sentence, from)?;
    // `Still booked on the 30th`, `open or closed`: a state.
    let is_state = sentence.range(at, from).any(|word| word == "still") || sentence.before(from) == "or";
    // `| Severity | Assigned |`: a heading.
    let is_cell = |at: usize| {
        sentence
            .words
            .get(at)
            .and_then(|word| sentence.tokens().get(word.token))
            .is_some_and(|token| token.gap.contains('|') && token.after.contains('|'))
    };
    if is_state || (from + 1 == to && is_cell(from)) || is_choice(sentence) {
        return None;
    }
    let found = match sentence.before(at) {
        _ if at == 0 || sentence.mark(at) == Mark::Strong => elliptical(sentence, at, to),
        _ if sentence.mark(at) == Mark::Comma || is_coordinator(sentence.before(at)) => coordinated(sentence, at, to),
        "i" | "we" => (!is_inverted(sentence, at - 1)).then_some(Voice::Active),
        before if is_helper(before) => helped(sentence, at - 1, from, to),
        _ => headline(sentence, clause, from, to),
    }?;
    let is_told_by_others = is_attributed(sentence, from, found);
    let is_conditional = found != Voice::Active && supposes_before(sentence, clause);
    (!is_told_by_others && !is_conditional).then_some(found)
}

/// `"Cancel": it is cancelled for good`, `"Yes" → moved`, `| A | cancelled |`: what an answer of the user would bring
/// about.
fn is_choice(sentence: &Sentence) -> bool {
    let is_row = |token: &Token| token.gap.contains('|') && token.after.contains('|');
    let is_letter = |token: &Token| token.raw.len() == 1 && is_row(token);
    if sentence.tokens().first().is_some_and(is_letter) {
        return true;
    }
    let opens = sentence.tokens().first().is_some_and(|token| token.gap.contains(['"', '“', '„']));
    let leads = |after: &str| after.contains(['"', '”', '“']) && after.contains([':', '→', '=', '–', '-']);
    opens && sentence.tokens().iter().take(4).any(|token| leads(&token.after))
}

/// Where the words before a participle end, adverbs passed over; `None` when one of them negates it.
pub(super) fn skip_adverbs(sentence: &Sentence, from: usize) -> Option<usize> {
    let mut at = from;
    while at > 0 && sentence.mark(at) == Mark::None {
        let before = sentence.before(at);
        if matches!(before, "not" | "never" | "neither" | "nor") {
            return None;
        }
        let is_adverb = is(WordClass::Adverbs, before) || (before.ends_with("ly") && before.len() > 4);
        if !is_adverb {
            break;
        }
        at -= 1;
    }
    Some(at)
}

/// Where the word before stands, adverbs passed over; `None` when one of them negates it.
pub(super) fn word_before(sentence: &Sentence, from: usize) -> Option<usize> {
    skip_adverbs(sentence, from)?.checked_sub(1)
}

fn is_coordinator(word: &str) -> bool {
    matches!(word, "and" | "or" | "then" | "plus" | "but")
}

/// Whether a word helps a verb, `get` and forms of `be` included.
pub(super) fn is_helper(word: &str) -> bool {
    is(WordClass::Helpers, word) || matches!(word, "been" | "be" | "being" | "got" | "get" | "gets")
}

/// Whether the subject at `subject` follows its verb: `have I`.
pub(super) fn is_inverted(sentence: &Sentence, subject: usize) -> bool {
    subject > 0 && sentence.mark(subject) == Mark::None && is(WordClass::Helpers, sentence.before(subject))
}

/// `Done: moved to 305`, `Cancelled your booking`; after another label it may be a state that was read.
fn elliptical(sentence: &Sentence, at: usize, to: usize) -> Option<Voice> {
    if sentence.is_question || !is_followed_by_object(sentence, to) {
        return None;
    }
    let label = sentence.before(at);
    // `Paid: 219.00 on 14 March` heads what was read.
    if at == 0 && sentence.mark(to) == Mark::Strong {
        return None;
    }
    let is_own =
        at == 0 || matches!(label, "done" | "set" | "update" | "summary" | "great" | "certainly" | "ok" | "okay");
    Some(if is_own { Voice::Active } else { Voice::Passive })
}

fn is_followed_by_object(sentence: &Sentence, to: usize) -> bool {
    let particular = sentence.words.get(to).is_some_and(|word| word.is_particular);
    sentence.mark(to) != Mark::None || is(WordClass::ObjectStarts, sentence.word(to)) || particular
}

/// `I have updated your profile and cancelled the order`: the first verb's helper holds for the second.
fn coordinated(sentence: &Sentence, at: usize, to: usize) -> Option<Voice> {
    if !is_followed_by_object(sentence, to) {
        return None;
    }
    for back in (0..at).rev() {
        let word = sentence.word(back);
        // `a check which I made, stamped 14:35`
        if matches!(word, "which" | "whom") {
            return None;
        }
        if (is_helper(word) || matches!(word, "i" | "we")) && denies_both(sentence, back, at) {
            return None;
        }
        if is_helper(word) {
            return helped(sentence, back, at, to);
        }
        if word == "to" && !is_place(sentence, back) {
            return None;
        }
        if matches!(word, "i" | "we") {
            return (!is_inverted(sentence, back)).then_some(Voice::Active);
        }
    }
    let first = sentence.word(0);
    (first.ends_with("ed") && !sentence.is_question).then_some(Voice::Active)
}

/// Whether a `to` leads to a thing: `to the room`, `to room 209`, and not to a verb.
fn is_place(sentence: &Sentence, to: usize) -> bool {
    let is_particular = |at: usize| sentence.words.get(at).is_some_and(|word| word.is_particular);
    is(WordClass::ObjectStarts, sentence.word(to + 1)) || is_particular(to + 1) || is_particular(to + 2)
}

/// A participle after the helping verb at `helper`.
fn helped(sentence: &Sentence, helper: usize, from: usize, to: usize) -> Option<Voice> {
    let clause = sentence.clause(helper).0;
    match sentence.word(helper) {
        "have" | "has" | "had" => perfect(sentence, helper),
        "been" => {
            let have = skip_adverbs(sentence, helper)?.checked_sub(1)?;
            // `it's been` reads as `it is been`.
            let is_have = matches!(sentence.word(have), "have" | "has" | "had" | "is");
            let subject = skip_adverbs(sentence, have)?;
            let free = !is(WordClass::Modals, sentence.before(subject)) && has_plain_subject(sentence, clause, subject);
            (is_have && free).then_some(Voice::Passive)
        }
        "is" | "are" => present(sentence, helper, from, to).then_some(Voice::Passive),
        "was" | "were" | "got" => has_plain_subject(sentence, clause, helper).then_some(Voice::Past),
        _ => None,
    }
}

/// `Your stay is cancelled.`, `It is now moved`: a state that something brought about, not a rule.
fn present(sentence: &Sentence, helper: usize, from: usize, to: usize) -> bool {
    let clause = sentence.clause(helper).0;
    let is_fresh = sentence.range(helper + 1, from).any(|word| {
        matches!(word, "now" | "already")
            || (word.ends_with("ly") && word != "only" && word != "usually" && word != "normally")
    });
    let leads = is_coordinator(sentence.word(clause)) || matches!(sentence.word(clause), "so" | "therefore" | "but");
    let subject = sentence.word(clause + usize::from(leads));
    let is_definite = matches!(subject, "it" | "that" | "this" | "everything" | "your" | "you");
    let end = sentence.clause(from).1;
    let goes_on = to == end && matches!(sentence.word(to), "and" | "so" | "but");
    let ends = sentence.mark(to) != Mark::None || goes_on || matches!(sentence.word(to), "as" | "now" | "too");
    let goes = matches!(subject, "your" | "you") && sentence.word(to) == "to";
    // `The fee is charged.` tells of this fee; `The fee is charged for late moves` of any.
    let is_this = subject == "the" && (sentence.mark(to) != Mark::None || goes_on) && !supposes(sentence);
    let suits = is_fresh || is_this || (is_definite && (ends || goes)) || is_settled(sentence, clause, helper, to);
    let later = sentence.range(to, end).any(|word| is(WordClass::Conditions, word));
    let is_rule = !is_fresh && is_rule(sentence, clause, from);
    suits && !later && !is_rule && has_plain_subject(sentence, clause, helper)
}

/// `Your stay is extended by one night`, `2.3.4 is deployed to production`, `The fee of 3.75 EUR is refunded as ..`:
/// one thing, and how far or for what it was done; what is done each time is a rule.
fn is_settled(sentence: &Sentence, clause: usize, helper: usize, to: usize) -> bool {
    let particular = |at: usize| sentence.words.get(at).is_some_and(|word| word.is_particular);
    let leads = usize::from(matches!(sentence.word(clause), "and" | "so" | "but" | "then"));
    let first = clause + leads;
    let is_own = sentence.word(first) == "your" || particular(first) || sentence.tokens_joined(first, helper);
    let is_this = sentence.word(first) == "the" && (first..helper).any(particular);
    let next = (sentence.word(to), sentence.word(to + 1));
    let is_counted = |word: &str| {
        matches!(word, "one" | "two" | "three" | "four" | "five" | "a" | "an")
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let how = match next {
        ("for", "good" | "ever") | ("forever" | "permanently" | "as", _) => true,
        ("by", word) => is_counted(word),
        ("to" | "from" | "until" | "till", _) => true,
        _ => false,
    };
    let again = ["each", "every", "always", "whenever", "usually", "normally", "monthly", "daily", "only", "per"];
    let is_repeated = sentence.words.iter().any(|word| again.contains(&word.text.as_str()));
    (is_own || is_this) && how && !is_repeated
}

/// `I have moved`, `we had moved`, `.. and have moved`; what others have done is no claim.
fn perfect(sentence: &Sentence, have: usize) -> Option<Voice> {
    let subject = skip_adverbs(sentence, have)?;
    if subject == 0 {
        return (!sentence.is_question).then_some(Voice::Active);
    }
    match sentence.before(subject) {
        "i" | "we" => (!is_inverted(sentence, subject - 1)).then_some(Voice::Active),
        "and" => {
            let last =
                sentence.range(0, subject).rev().find(|word| matches!(*word, "i" | "we" | "you" | "they" | "it"));
            matches!(last, Some("i" | "we")).then_some(Voice::Active)
        }
        _ => None,
    }
}

/// Whether the subject of a passive says what it says: not `nothing has`, not `the room which was`, not `was it`.
pub(super) fn has_plain_subject(sentence: &Sentence, clause: usize, helper: usize) -> bool {
    let words = || sentence.range(clause, helper);
    let is_negated = words().any(|word| is(WordClass::Negations, word) || word == "yet");
    let is_relative = matches!(sentence.before(helper), "which" | "who" | "that") && helper > clause + 1
        || matches!(sentence.before(helper), "which" | "who");
    let is_there = words().next().is_some() || clause == helper && !sentence.is_question;
    !is_negated && !is_relative && is_there
}

/// `Booking moved to room 305.`: a short clause without a predicate.
fn headline(sentence: &Sentence, clause: usize, from: usize, to: usize) -> Option<Voice> {
    let end = sentence.clause(from).1;
    let starts = clause == 0 || sentence.mark(clause) != Mark::None;
    let stops =
        sentence.mark(to) != Mark::None || matches!(sentence.word(to), "to" | "from" | "as" | "successfully" | "for");
    let vague = [
        "any", "no", "each", "every", "all", "a", "an", "by", "get", "want", "need", "keep", "leave", "not", "see",
        "having", "without", "nothing", "nobody", "none",
    ];
    let has_verb = |word: &str| is_helper(word) || vague.contains(&word) || word == "to";
    let second = sentence.word(clause + 1);
    let is_gerund =
        sentence.word(clause).ends_with("ing") && matches!(second, "your" | "the" | "a" | "an" | "this" | "my");
    let before_is_plain = !sentence.range(clause, from).any(has_verb) && !sentence.range(clause, from).any(is_person);
    let after_is_plain = !sentence.range(to, end).any(is_helper);
    let short = (1..=6).contains(&(from - clause));
    (starts && stops && short && !is_gerund && before_is_plain && after_is_plain && !sentence.is_question)
        .then_some(Voice::Passive)
}

fn is_person(word: &str) -> bool {
    matches!(word, "i" | "we" | "you" | "they" | "it" | "he" | "she" | "please" | "like" | "prefer" | "have")
}
