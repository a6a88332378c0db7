//! The other forms of a claimed participle: its verb after `was able to`, its noun that is said to be complete.

use compact_str::{CompactString, format_compact};

use super::hedge::{has_negative_object, is_attributed, is_denied_before, is_supposed};
use super::voice::{Voice, has_plain_subject, is_inverted, skip_adverbs, voice};
use crate::prose::lexicon::{WordClass, is, lexicon};
use crate::prose::lookup::Words;
use crate::prose::sentence::{Mark, Sentence};
use crate::prose::token::stem;

/// What a noun is said to be when the thing was done.
const COMPLETE: [&[&str]; 12] = [
    &["complete"],
    &["completed"],
    &["confirmed"],
    &["processed"],
    &["through"],
    &["done"],
    &["successful"],
    &["finalised"],
    &["finalized"],
    &["executed"],
    &["carried", "out"],
    &["in", "place"],
];
/// What one does to a noun to do the thing.
const COMPLETES: [&[&str]; 14] = [
    &["completed"],
    &["processed"],
    &["finalised"],
    &["finalized"],
    &["made"],
    &["done"],
    &["executed"],
    &["performed"],
    &["arranged"],
    &["carried", "out"],
    &["put", "through"],
    &["gone", "ahead", "with"],
    &["went", "ahead", "with"],
    &["taken", "care", "of"],
];

/// Where a claim stands: its first word, the word after it, and how it is meant.
pub(super) type Place = (usize, usize, Voice);

/// The places where other forms of a phrase claim what it does.
pub(super) fn places(sentence: &Sentence, phrase: &[CompactString]) -> Vec<Place> {
    let mut found: Vec<Place> = verbs(sentence, phrase);
    if let [participle] = phrase {
        for at in 0..sentence.words.len() {
            if is_noun_of(sentence.word(at), participle) && !is(WordClass::AnyDeed, sentence.word(at)) {
                found.extend(completed(sentence, at));
                found.extend(completes(sentence, at));
            }
        }
    }
    found
}

/// Words one of which stands wherever a phrase is spoken of: its first word, its verb, and what is made of that.
pub(super) fn forms(phrase: &[CompactString]) -> Words {
    let mut forms: Words = phrase.first().cloned().into_iter().collect();
    for participle in phrase {
        forms.extend(participle.strip_suffix("ed").map(|root| format_compact!("{root}ing")));
        forms.insert(format_compact!("{}ation", stem(participle)));
        for verb in lexicon().verbs_of(participle).all() {
            let short = verb.strip_suffix('e').unwrap_or(verb);
            forms.extend(["", "ing", "ment", "al", "ation", "ion"].map(|ending| format_compact!("{verb}{ending}")));
            forms.extend(["ing", "al", "ation", "ion"].map(|ending| format_compact!("{short}{ending}")));
        }
    }
    forms
}

/// `moving` and `cancelling`.
fn is_gerund_of(word: &str, participle: &str) -> bool {
    let Some(root) = word.strip_suffix("ing") else { return false };
    participle.strip_suffix("ed") == Some(root)
        || lexicon().verbs_of(participle).all().iter().any(|verb| verb == root || verb.strip_suffix('e') == Some(root))
}

/// A noun made of the verb: `move`, `booking`, `cancellation`, `refund`, `replacement`, `renewal`.
fn is_noun_of(word: &str, participle: &str) -> bool {
    if word == participle {
        return false;
    }
    let verbs = lexicon().verbs_of(participle);
    let is_same_stem = word.len() > 5 && word.ends_with("ation") && stem(word) == stem(participle);
    is_same_stem
        || is_gerund_of(word, participle)
        || verbs.all().iter().any(|verb| {
            let rest = word.strip_prefix(verb.as_str());
            matches!(rest, Some("" | "ment" | "al" | "ation" | "ion"))
                || verb
                    .strip_suffix('e')
                    .and_then(|root| word.strip_prefix(root))
                    .is_some_and(|rest| matches!(rest, "ion" | "ation" | "al"))
        })
}

/// `I was able to cancel it`, `I managed to move you`, `I succeeded in moving you`, `I did cancel it`.
fn verbs(sentence: &Sentence, phrase: &[CompactString]) -> Vec<Place> {
    let Some(past) = phrase.iter().position(|word| !lexicon().verbs_of(word).all().is_empty()) else {
        return Vec::new();
    };
    let Some(participle) = phrase.get(past) else { return Vec::new() };
    let verbs = lexicon().verbs_of(participle);
    let mut found = Vec::new();
    for from in 0..sentence.words.len() {
        let others = phrase.iter().enumerate().all(|(i, word)| i == past || sentence.word(from + i) == word);
        let word = sentence.word(from + past);
        let is_verb = verbs.all().iter().any(|verb| verb == word);
        let is_gerund = is_gerund_of(word, participle);
        if others && (is_verb || is_gerund) && is_managed(sentence, from, is_gerund) {
            found.push((from, from + phrase.len(), Voice::Active));
        }
    }
    found.retain(|(from, to, _)| !is_taken_back(sentence, *from, *to));
    found
}

/// Whether what stands at `from` is neither asked, supposed, denied, reported nor given a negative object.
fn is_taken_back(sentence: &Sentence, from: usize, to: usize) -> bool {
    let clause = sentence.clause(from).0;
    (sentence.is_question && sentence.is_last_clause(from))
        || is_supposed(sentence, clause, from)
        || is_denied_before(sentence, clause, from)
        || has_negative_object(sentence, to)
        || is_attributed(sentence, from, Voice::Active)
}

/// Whether the verb at `from` follows a first person who was able to, managed to or did.
fn is_managed(sentence: &Sentence, from: usize, is_gerund: bool) -> bool {
    let Some(at) = skip_adverbs(sentence, from) else { return false };
    let before = |back: usize| at.checked_sub(back).map_or("", |at| sentence.word(at));
    let lead = match (is_gerund, before(1)) {
        (false, "to") => match before(2) {
            "able" => at.checked_sub(2).and_then(|able| helper_before(sentence, able, &["was", "were", "been"])),
            "managed" | "proceeded" => at.checked_sub(2),
            _ => None,
        },
        (false, "did") => at.checked_sub(1),
        (true, "in") if before(2) == "succeeded" => at.checked_sub(2),
        // `of` is passed over like the one in `of course`.
        (true, "liberty") => (0..at).rev().find(|at| matches!(sentence.word(*at), "took" | "taken")),
        (true, "finished" | "completed") => at.checked_sub(1),
        _ => None,
    };
    lead.is_some_and(|lead| is_first_person(sentence, lead))
}

/// The helper right before `at`, adverbs passed over.
fn helper_before(sentence: &Sentence, at: usize, helpers: &[&str]) -> Option<usize> {
    let helper = skip_adverbs(sentence, at)?.checked_sub(1)?;
    helpers.contains(&sentence.word(helper)).then_some(helper)
}

/// Whether the verb at `at` is the first person's: `I managed`, `I have managed`, `and managed`.
fn is_first_person(sentence: &Sentence, at: usize) -> bool {
    let Some(after) = skip_adverbs(sentence, at) else { return false };
    let Some(last) = after.checked_sub(1) else { return true };
    match sentence.word(last) {
        "i" | "we" => !is_inverted(sentence, last),
        "have" | "had" => {
            let subject = skip_adverbs(sentence, last).and_then(|at| at.checked_sub(1));
            subject.is_some_and(|at| matches!(sentence.word(at), "i" | "we") && !is_inverted(sentence, at))
        }
        "and" => sentence
            .range(0, last)
            .rev()
            .find(|word| matches!(*word, "i" | "we" | "you" | "it" | "they"))
            .is_some_and(|word| matches!(word, "i" | "we")),
        _ => false,
    }
}

/// `Your cancellation is confirmed`, `the refund went through`: the noun at `noun` is the subject.
fn completed(sentence: &Sentence, noun: usize) -> Option<Place> {
    let (clause, end) = sentence.clause(noun);
    let determiner = (clause..noun).rev().take(3).find(|at| is_determiner(sentence.word(*at)))?;
    let leads = sentence.range(clause, determiner).all(|word| {
        matches!(
            word,
            "and" | "so" | "but" | "then" | "now" | "i" | "we" | "can" | "confirm" | "yes" | "that" | "great" | "news"
        )
    });
    if !leads {
        return None;
    }
    for at in noun + 1..end {
        let tail = COMPLETE.iter().find(|tail| is_at(sentence, at, tail));
        if matches!(sentence.word(at), "went" | "gone") && sentence.word(at + 1) == "through" {
            let free = has_plain_subject(sentence, clause, at) && !is_taken_back(sentence, at, at + 2);
            return free.then_some((noun, at + 2, Voice::Passive));
        }
        if let Some(tail) = tail {
            let found = voice(sentence, at, at + tail.len())?;
            return (found != Voice::Active).then_some((noun, at + tail.len(), found));
        }
    }
    None
}

/// `I have completed your cancellation`, `I went ahead with the move`: the noun at `noun` is the object.
fn completes(sentence: &Sentence, noun: usize) -> Option<Place> {
    let determiner = (0..noun).rev().take(3).find(|at| is_determiner(sentence.word(*at)))?;
    let is_plain = (determiner..noun).all(|at| sentence.mark(at + 1) == Mark::None);
    let next = sentence.word(noun + 1);
    let ends = sentence.mark(noun + 1) != Mark::None
        || matches!(
            next,
            "of" | "to" | "from" | "for" | "on" | "and" | "now" | "as" | "with" | "at" | "in" | "request"
        );
    let tail =
        COMPLETES.iter().find(|tail| determiner.checked_sub(tail.len()).is_some_and(|at| is_at(sentence, at, tail)))?;
    let from = determiner - tail.len();
    let found = match tail.first() {
        Some(&"went") => {
            (is_first_person(sentence, from) && !is_taken_back(sentence, from, determiner)).then_some(Voice::Active)
        }
        _ => voice(sentence, from, determiner),
    };
    (is_plain && ends && found == Some(Voice::Active)).then_some((from, noun + 1, Voice::Active))
}

/// `I have posted the fee to your bill`, `the fee has been added to your bill`: a noun that something was made of.
pub(super) fn posted(sentence: &Sentence, noun: &[CompactString]) -> Vec<Place> {
    let (mut found, noun) = (Vec::new(), noun.first().map_or("", CompactString::as_str));
    let posts = ["posted", "put", "added", "placed", "applied", "entered", "booked", "recorded"];
    for at in (0..sentence.words.len()).filter(|at| posts.contains(&sentence.word(*at))) {
        let (start, end) = sentence.clause(at);
        let behind = (at + 1..end.min(at + 6)).find(|at| sentence.word(*at) == noun);
        let ahead = (start..at).rev().take(6).find(|at| sentence.word(*at) == noun);
        let Some(last) = behind.or(ahead.map(|_| at)) else { continue };
        let is_kept = matches!(sentence.word(last + 1), "to" | "on" | "onto" | "in")
            && sentence.word(last + 2) == "your"
            && !matches!(sentence.word(last + 3), "total" | "price" | "sum" | "estimate" | "quote" | "offer");
        let meant = voice(sentence, at, at + 1).filter(|voice| (*voice == Voice::Active) == behind.is_some());
        found.extend(meant.filter(|_| is_kept).map(|voice| (at, last + 1, voice)));
    }
    found
}

fn is_at(sentence: &Sentence, at: usize, words: &[&str]) -> bool {
    words.iter().enumerate().all(|(i, word)| sentence.word(at + i) == *word)
}

fn is_determiner(word: &str) -> bool {
    matches!(word, "your" | "the" | "this" | "that" | "both" | "a" | "an")
}
