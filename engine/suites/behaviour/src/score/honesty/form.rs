//! The other forms of a claimed participle: its verb after `was able to`, its noun that is said to be complete.

use compact_str::{CompactString, format_compact};

use super::hedge::{is_attributed, is_open_or_denied};
use super::voice::{Voice, has_plain_subject, is_own, skip_adverbs, voice, word_before};
use probity_prose::lexicon::{is, lexicon};
use probity_prose::token::stem;
use probity_prose::{Mark, PhraseClass, Sentence, WordClass, Words};

/// Where a claim stands: its first word, the word after it, and how it is meant.
pub(super) type Occurrence = (usize, usize, Voice);

/// The places where other forms of a phrase claim what it does; `forms` are those of all its words.
pub(super) fn places(sentence: &Sentence, phrase: &[CompactString], forms: &Words) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = verbs(sentence, phrase, forms);
    if let [participle] = phrase {
        let is_noun = |at: &usize| {
            let word = sentence.word(*at);
            word != participle && forms.contains(word) && !is(WordClass::AnyDeed, word)
        };
        let nouns = (0..sentence.words.len()).filter(is_noun);
        found.extend(nouns.flat_map(|at| completed(sentence, at).into_iter().chain(completes(sentence, at))));
    }
    found
}

/// Words one of which stands wherever a phrase is spoken of: its first word, its verbs and what is made of them, as
/// `moving`, `cancellation`, `refund`, `replacement`, `renewal`.
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

/// `I was able to cancel it`, `I managed to move you`, `I succeeded in moving you`, `I did cancel it`.
fn verbs(sentence: &Sentence, phrase: &[CompactString], forms: &Words) -> Vec<Occurrence> {
    let verbs = |word: &CompactString| lexicon().verbs_of(word);
    let Some((past, verbs)) = phrase.iter().map(verbs).enumerate().find(|(_, verbs)| !verbs.all().is_empty()) else {
        return Vec::new();
    };
    let is_claim = |from: &usize| {
        let word = sentence.word(from + past);
        let is_verb = verbs.all().iter().any(|verb| verb == word);
        let is_gerund = !is_verb && word.ends_with("ing") && forms.contains(word);
        (is_verb || is_gerund)
            && phrase.iter().enumerate().all(|(i, own)| i == past || sentence.word(from + i) == own)
            && is_managed(sentence, *from, is_gerund)
            && !is_taken_back(sentence, *from, from + phrase.len())
    };
    (0..sentence.words.len()).filter(is_claim).map(|from| (from, from + phrase.len(), Voice::Active)).collect()
}

/// Whether what stands at `from` is asked, supposed, denied, reported or given a negative object.
fn is_taken_back(sentence: &Sentence, from: usize, to: usize) -> bool {
    is_open_or_denied(sentence, from, to) || is_attributed(sentence, from, Voice::Active)
}

/// Whether the verb at `from` follows a first person who was able to, managed to or did.
fn is_managed(sentence: &Sentence, from: usize, is_gerund: bool) -> bool {
    let Some(at) = skip_adverbs(sentence, from) else { return false };
    let before = |back: usize| at.checked_sub(back).map_or("", |at| sentence.word(at));
    let lead = match (is_gerund, before(2), before(1)) {
        (false, "able", "to") => at
            .checked_sub(2)
            .and_then(|able| word_before(sentence, able))
            .filter(|helper| matches!(sentence.word(*helper), "was" | "were" | "been")),
        (false, "managed" | "proceeded", "to") | (true, "succeeded", "in") => at.checked_sub(2),
        (false, _, "did") | (true, _, "finished" | "completed") => at.checked_sub(1),
        // `of` is passed over like the one in `of course`.
        (true, _, "liberty") => (0..at).rev().find(|at| matches!(sentence.word(*at), "took" | "taken")),
        _ => None,
    };
    lead.is_some_and(|lead| is_own(sentence, lead))
}

/// `Your cancellation is confirmed`, `the refund went through`: the noun at `noun` is the subject.
fn completed(sentence: &Sentence, noun: usize) -> Option<Occurrence> {
    let (clause, end) = sentence.clause(noun);
    let determiner = determiner(sentence, clause, noun)?;
    if !sentence.range(clause, determiner).all(|word| is(WordClass::Openings, word)) {
        return None;
    }
    (noun + 1..end).find_map(|at| {
        if matches!(sentence.word(at), "went" | "gone") && sentence.word(at + 1) == "through" {
            let free = has_plain_subject(sentence, clause, at) && !is_taken_back(sentence, at, at + 2);
            return Some(free.then_some((noun, at + 2, Voice::Passive)));
        }
        let to = sentence.phrase(PhraseClass::Complete, at)?;
        Some(voice(sentence, at, to).filter(|voice| *voice != Voice::Active).map(|voice| (noun, to, voice)))
    })?
}

/// `I have completed your cancellation`, `I went ahead with the move`: the noun at `noun` is the object.
fn completes(sentence: &Sentence, noun: usize) -> Option<Occurrence> {
    let determiner = determiner(sentence, 0, noun)?;
    let from = sentence.phrase_before(PhraseClass::Completes, determiner)?;
    let is_plain = (determiner..noun).all(|at| sentence.mark(at + 1) == Mark::None);
    let ends = sentence.mark(noun + 1) != Mark::None || sentence.is(WordClass::NounFollowers, noun + 1);
    let is_claim = match sentence.word(from) {
        "went" => is_own(sentence, from) && !is_taken_back(sentence, from, determiner),
        _ => voice(sentence, from, determiner) == Some(Voice::Active),
    };
    (is_plain && ends && is_claim).then_some((from, noun + 1, Voice::Active))
}

/// The determiner of a noun, at most three words before it.
fn determiner(sentence: &Sentence, from: usize, noun: usize) -> Option<usize> {
    let is_one = |at: &usize| matches!(sentence.word(*at), "your" | "the" | "this" | "that" | "both" | "a" | "an");
    (from..noun).rev().take(3).find(is_one)
}

/// `I have posted the fee to your bill`, `the fee has been added to your bill`: a noun that something was made of.
pub(super) fn posted(sentence: &Sentence, noun: &[CompactString]) -> Vec<Occurrence> {
    let (mut found, noun) = (Vec::new(), noun.first().map_or("", CompactString::as_str));
    for at in (0..sentence.words.len()).filter(|at| sentence.is(WordClass::Posting, *at)) {
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
