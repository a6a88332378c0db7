//! What takes a claim back: a negation, a condition, a rule, a report of what others said.

use super::voice::Voice;
use probity_prose::{Mark, Sentence, WordClass};

/// Whether the clause supposes what it says: `if`, `once`, `whether`, `Should it be`.
pub(super) fn is_supposed(sentence: &Sentence, clause: usize, from: usize) -> bool {
    supposes(sentence, clause, from, |_| true) || matches!(sentence.word(clause), "should" | "had" | "were")
}

/// Whether what stands at `from` is asked, supposed, denied or given a negative object.
pub(super) fn is_open_or_denied(sentence: &Sentence, from: usize, to: usize) -> bool {
    let clause = sentence.clause(from).0;
    sentence.asks(from)
        || is_supposed(sentence, clause, from)
        || has_negative_object(sentence, to)
        || is_denied_before(sentence, clause, from)
}

pub(super) fn supposes_before(sentence: &Sentence, clause: usize) -> bool {
    supposes(sentence, 0, clause, |word| !matches!(word, "after" | "before"))
}

/// Whether what stands at `from` is told as a rule: after `as our policy says`, `here is what happens next`.
pub(super) fn is_told_as_rule(sentence: &Sentence, from: usize) -> bool {
    sentence.has(WordClass::Rules, 0, from)
}

/// Whether a first clause about no stay in particular comes before: `For late moves, the fee is charged`.
pub(super) fn is_general(sentence: &Sentence, from: usize) -> bool {
    let leads = matches!(sentence.word(0), "for" | "in" | "on" | "with" | "under" | "per" | "at" | "by");
    let definite = |word: &str| matches!(word, "your" | "you" | "the" | "this" | "these" | "my" | "our" | "it");
    let comma = (1..from).find(|at| sentence.mark(*at) != Mark::None).filter(|_| leads);
    comma.is_some_and(|comma| {
        !(0..comma).any(|at| sentence.is_particular(at)) && !sentence.range(0, comma).any(definite)
    })
}

/// Whether some of the words suppose what follows; not `upon your request`, `in any case`, `once again`.
fn supposes(sentence: &Sentence, from: usize, to: usize, is_open: impl Fn(&str) -> bool) -> bool {
    let is_idiom = |at: usize| match sentence.word(at) {
        "upon" => sentence.word(at + 1) == "your",
        "case" => sentence.before(at) == "any",
        "once" => matches!(sentence.word(at + 1), "again" | "more"),
        _ => false,
    };
    (from..to).any(|at| sentence.is(WordClass::Conditions, at) && !is_idiom(at) && is_open(sentence.word(at)))
}

/// Whether a sentence introduces a list of plans, wishes or rules: `I will do this:`, `Here is what happens next:`.
pub(super) fn introduces_plan(sentence: &Sentence) -> bool {
    let is_done = sentence.words.iter().any(|word| matches!(word.text.as_str(), "done" | "did"));
    let is_rule = sentence.has_any(WordClass::Rules);
    let is_plan = is_rule || sentence.has_any(WordClass::Plans) || sentence.has_any(WordClass::Conditions);
    let is_announced = is_rule && matches!(sentence.word(0), "here" | "what");
    is_plan && !is_done && (sentence.introduces || is_announced)
}

/// Whether the words from `helper` up to `at` deny all that is joined to them: `not moved or cancelled`. What only
/// denies an object of its own, as in `moved at no cost and charged`, does not.
pub(super) fn denies_both(sentence: &Sentence, helper: usize, at: usize) -> bool {
    let but = (helper..at).rev().find(|at| sentence.word(*at) == "but").unwrap_or(helper);
    (but..at).any(|at| match sentence.word(at) {
        "not" => !matches!(sentence.word(at + 1), "only" | "just" | "to"),
        "never" | "neither" | "nor" => true,
        _ => false,
    })
}

/// Whether the words right after a participle take it back: `charged nothing`, `cancelled none of them`,
/// `charged you no fee`.
fn has_negative_object(sentence: &Sentence, to: usize) -> bool {
    let mut at = to;
    // `saved and sent nothing`
    while matches!(sentence.word(at), "and" | "or") && sentence.is_past_form(at + 1) {
        at += 2;
    }
    let to = at;
    while sentence.mark(at) == Mark::None {
        let next = sentence.word(at);
        if matches!(next, "nothing" | "none" | "neither" | "nobody" | "no" | "zero" | "nowhere") {
            return true;
        }
        let is_addressed = matches!(next, "you" | "it" | "them" | "him" | "her" | "us" | "absolutely" | "precisely");
        // `charged your card nothing`
        let is_noun = at == to + 1 && matches!(sentence.before(at), "your" | "the");
        let has_noun = at == to && matches!(next, "your" | "the");
        if !(is_addressed || is_noun || has_noun) {
            return false;
        }
        at += 1;
    }
    false
}

/// Whether an earlier part of the clause denies what `that` brings in: `I cannot say that I have moved you`.
fn is_denied_before(sentence: &Sentence, clause: usize, from: usize) -> bool {
    let that = (clause..from).find(|at| sentence.word(*at) == "that" && sentence.mark(*at) == Mark::None);
    that.is_some_and(|that| sentence.has(WordClass::Negations, clause, that))
}

/// Whether others are said to have said it, or it is what the user is told to be the trouble.
pub(super) fn is_attributed(sentence: &Sentence, from: usize, voice: Voice) -> bool {
    let follows = |at: usize| {
        let is_between = sentence.is(WordClass::Adverbs, at + 1) || sentence.is(WordClass::Helpers, at + 1);
        sentence.is(WordClass::Reports, at + 1 + usize::from(is_between))
    };
    // `As you asked, it has been moved` says so itself.
    let others = |at: usize| match sentence.word(at) {
        "you" => sentence.before(at) != "as",
        word => matches!(word, "they" | "he" | "she"),
    };
    let told = (0..from).any(|at| others(at) && follows(at));
    let start = sentence.clause(from).0;
    let is_wish = sentence.has(WordClass::Hopes, start, from);
    match voice {
        Voice::Active => is_wish || (told && (start..from).any(others)),
        Voice::Passive => told || is_wish,
        Voice::Past => told || is_wish || sentence.has(WordClass::Regrets, 0, from),
    }
}
