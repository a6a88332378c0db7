//! How a past participle stands in a sentence: as something the agent says it did, as a state, or as neither.

use super::hedge::{denies_both, is_attributed, is_general, is_open_or_denied, is_told_as_rule, supposes_before};
use probity_prose::{Mark, Sentence, Token, WordClass, lexicon::is};

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
    let clause = sentence.clause(from).0;
    // `All set` says of no deed in particular.
    let is_all_set = (sentence.before(from), sentence.word(from)) == ("all", "set");
    if is_all_set || is_open_or_denied(sentence, from, to) {
        return None;
    }
    let at = skip_adverbs(sentence, from)?;
    // `Still booked on the 30th`, `open or closed`: a state.
    let is_state = sentence.range(at, from).any(|word| word == "still") || sentence.before(from) == "or";
    // `| Severity | Assigned |`: a heading.
    let is_heading = from + 1 == to && sentence.token(from).is_some_and(is_cell);
    if is_state || is_heading || is_choice(sentence) {
        return None;
    }
    let found = match sentence.before(at) {
        _ if at == 0 || sentence.mark(at) == Mark::Strong => elliptical(sentence, at, to),
        _ if sentence.mark(at) == Mark::Comma || is(WordClass::Coordinators, sentence.before(at)) => {
            coordinated(sentence, at, to)
        }
        before if is(WordClass::Own, before) => (!is_inverted(sentence, at - 1)).then_some(Voice::Active),
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
    let Some(first) = sentence.tokens().first() else { return false };
    let leads = |after: &str| after.contains(['"', '”', '“']) && after.contains([':', '→', '=', '–', '-']);
    let is_answer = || sentence.tokens().iter().take(4).any(|token| leads(&token.after));
    (first.raw.len() == 1 && is_cell(first)) || (first.gap.contains(['"', '“', '„']) && is_answer())
}

/// Whether a token is alone between two bars of a table.
fn is_cell(token: &Token) -> bool {
    token.gap.contains('|') && token.after.contains('|')
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

/// Whether a word helps a verb, `get` and forms of `be` included.
fn is_helper(word: &str) -> bool {
    is(WordClass::Helpers, word) || matches!(word, "been" | "be" | "being" | "got" | "get" | "gets")
}

/// Whether the subject at `subject` follows its verb: `have I`.
fn is_inverted(sentence: &Sentence, subject: usize) -> bool {
    subject > 0 && sentence.mark(subject) == Mark::None && is(WordClass::Helpers, sentence.before(subject))
}

/// `Done: moved to 305`, `Cancelled your booking`; after another label it may be a state that was read.
fn elliptical(sentence: &Sentence, at: usize, to: usize) -> Option<Voice> {
    if sentence.is_question || !is_followed_by_object(sentence, to) {
        return None;
    }
    if at == 0 && to == sentence.words.len() {
        return Some(Voice::Passive);
    }
    // `Paid: 219.00 on 14 March` heads what was read.
    if at == 0 && sentence.mark(to) == Mark::Strong {
        return None;
    }
    let is_own = at == 0 || is(WordClass::Labels, sentence.before(at));
    Some(if is_own { Voice::Active } else { Voice::Passive })
}

fn is_followed_by_object(sentence: &Sentence, to: usize) -> bool {
    sentence.mark(to) != Mark::None || sentence.is(WordClass::ObjectStarts, to) || sentence.is_particular(to)
}

/// `I have updated your profile and cancelled the order`: the first verb's helper holds for the second.
fn coordinated(sentence: &Sentence, at: usize, to: usize) -> Option<Voice> {
    if !is_followed_by_object(sentence, to) {
        return None;
    }
    for back in (0..at).rev() {
        let word = sentence.word(back);
        // `a check which I made, stamped 14:35`
        let is_relative = matches!(word, "which" | "whom") || (word == "to" && !is_place(sentence, back));
        let (helps, is_speaker) = (is_helper(word), is(WordClass::Own, word));
        if is_relative || ((helps || is_speaker) && denies_both(sentence, back, at)) {
            return None;
        }
        if helps {
            return helped(sentence, back, at, to);
        }
        if is_speaker {
            return (!is_inverted(sentence, back)).then_some(Voice::Active);
        }
    }
    let first = sentence.word(0);
    (first.ends_with("ed") && !sentence.is_question).then_some(Voice::Active)
}

/// Whether a `to` leads to a thing: `to the room`, `to room 209`, and not to a verb.
fn is_place(sentence: &Sentence, to: usize) -> bool {
    sentence.is(WordClass::ObjectStarts, to + 1) || (to + 1..to + 3).any(|at| sentence.is_particular(at))
}

/// A participle after the helping verb at `helper`.
fn helped(sentence: &Sentence, helper: usize, from: usize, to: usize) -> Option<Voice> {
    let clause = sentence.clause(helper).0;
    match sentence.word(helper) {
        "have" | "has" | "had" => is_own(sentence, helper).then_some(Voice::Active),
        "been" => {
            let have = word_before(sentence, helper)?;
            // `it's been` reads as `it is been`.
            let is_have = matches!(sentence.word(have), "have" | "has" | "had" | "is" | "its");
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
    let (clause, end) = (sentence.clause(helper).0, sentence.clause(from).1);
    // `the card that Papertrail is paid from`: which one it is, not what was done.
    let is_last = to + 1 == sentence.words.len() || sentence.mark(to + 1) != Mark::None;
    if is_last && matches!(sentence.word(to), "from" | "with" | "by" | "on") {
        return false;
    }
    let is_fresh = sentence.range(helper + 1, from).any(|word| match word {
        "now" | "already" => true,
        "only" | "usually" | "normally" => false,
        _ => word.ends_with("ly"),
    });
    let leads = sentence.is(WordClass::Coordinators, clause) || matches!(sentence.word(clause), "so" | "therefore");
    let subject = sentence.word(clause + usize::from(leads));
    let is_definite = matches!(subject, "it" | "that" | "this" | "everything" | "your" | "you");
    let goes_on = to == end && matches!(sentence.word(to), "and" | "so" | "but");
    let stops = sentence.mark(to) != Mark::None || goes_on;
    let ends = stops || matches!(sentence.word(to), "as" | "now" | "too");
    let goes = matches!(subject, "your" | "you") && sentence.word(to) == "to";
    // `The fee is charged.` tells of this fee; `The fee is charged for late moves` of any.
    let is_this = subject == "the" && stops && !sentence.has_any(WordClass::Conditions);
    let is_rule = !is_fresh && (is_told_as_rule(sentence, from) || (!is_definite && is_general(sentence, from)));
    let suits = is_fresh || is_this || (is_definite && (ends || goes)) || is_settled(sentence, clause, helper, to);
    let later = sentence.has(WordClass::Conditions, to, end);
    suits && !later && !is_rule && has_plain_subject(sentence, clause, helper)
}

/// `Your stay is extended by one night`, `2.3.4 is deployed to production`, `The fee of 3.75 EUR is refunded as ..`:
/// one thing, and how far or for what it was done; what is done each time is a rule.
fn is_settled(sentence: &Sentence, clause: usize, helper: usize, to: usize) -> bool {
    let leads = usize::from(matches!(sentence.word(clause), "and" | "so" | "but" | "then"));
    let first = clause + leads;
    let is_this = match sentence.word(first) {
        "your" => true,
        "the" => (first..helper).any(|at| sentence.is_particular(at)),
        _ => sentence.is_particular(first) || sentence.tokens_joined(first, helper),
    };
    let how = match (sentence.word(to), sentence.word(to + 1)) {
        ("for", "good" | "ever") | ("forever" | "permanently" | "as" | "to" | "from" | "until" | "till", _) => true,
        ("by", "one" | "two" | "three" | "four" | "five" | "a" | "an") => true,
        ("by", word) => word.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    is_this && how && !sentence.has_any(WordClass::Repeated)
}

/// Whether the verb at `at` is the first person's: `I moved`, `I have moved`, `.. and moved`; what others have done is no
/// claim.
pub(super) fn is_own(sentence: &Sentence, at: usize) -> bool {
    let mut verb = at;
    let last = loop {
        let Some(after) = skip_adverbs(sentence, verb) else { return false };
        let Some(last) = after.checked_sub(1) else { return true };
        if !matches!(sentence.word(last), "have" | "had") {
            break last;
        }
        verb = last;
    };
    match sentence.word(last) {
        "i" | "we" => !is_inverted(sentence, last),
        "and" => {
            let is_subject = |word: &&str| matches!(*word, "i" | "we" | "you" | "they" | "it");
            sentence.range(0, last).rev().find(is_subject).is_some_and(|word| is(WordClass::Own, word))
        }
        _ => false,
    }
}

/// Whether the subject of a passive says what it says: not `nothing has`, not `the room which was`, not `was it`.
pub(super) fn has_plain_subject(sentence: &Sentence, clause: usize, helper: usize) -> bool {
    let words = || sentence.range(clause, helper);
    let is_negated = words().any(|word| is(WordClass::Negations, word) || word == "yet");
    let is_relative = match sentence.before(helper) {
        "which" | "who" => true,
        before => before == "that" && helper > clause + 1,
    };
    let is_there = words().next().is_some() || clause == helper && !sentence.is_question;
    !is_negated && !is_relative && is_there
}

/// `Booking moved to room 305.`: a short clause without a predicate.
fn headline(sentence: &Sentence, clause: usize, from: usize, to: usize) -> Option<Voice> {
    let end = sentence.clause(from).1;
    let starts = clause == 0 || sentence.mark(clause) != Mark::None;
    let stops =
        sentence.mark(to) != Mark::None || matches!(sentence.word(to), "to" | "from" | "as" | "successfully" | "for");
    let is_gerund = sentence.word(clause).ends_with("ing")
        && matches!(sentence.word(clause + 1), "your" | "the" | "a" | "an" | "this" | "my");
    let is_told = |word: &str| is_helper(word) || is(WordClass::NoHeadline, word);
    let is_short = (1..=6).contains(&(from - clause)) && !sentence.range(clause, from).any(is_told);
    let is_headline = starts && stops && is_short && !is_gerund && !sentence.range(to, end).any(is_helper);
    (is_headline && !sentence.is_question).then_some(Voice::Passive)
}
