//! Which of the things that a question offers is the user's: *the sea or the garden?*

use std::collections::BTreeSet;

use compact_str::CompactString;

use super::confirmation::is_usual;
use crate::model::task_file::Fact;
use crate::task::question::Question;
use probity_prose::token::words;
use probity_prose::{Sentence, WordClass, lexicon::is, sentence::sentences};

/// The first of these facts that speaks for one of the things offered and against none; nothing when facts differ.
pub(super) fn chosen<'a>(question: &str, facts: impl Iterator<Item = &'a Fact>) -> Option<&'a Fact> {
    let options = options(question);
    let mut choices = facts.filter_map(|fact| Some((option_of(&options, fact)?, fact)));
    let (first, fact) = choices.next()?;
    choices.all(|(other, _)| other == first).then_some(fact)
}

/// The own words of the one thing offered of which a user spoke last, as the question has them; nothing when it then
/// spoke of several, or has spoken of none, or only to say what it does not want.
pub(super) fn chosen_in(question: &str, turns: &[String]) -> Option<String> {
    let options = options(question);
    let is_any = |word: &&str| options.iter().any(|option| option.contains(*word));
    let last = turns
        .iter()
        .rev()
        .map(|turn| sentences(turn))
        .find(|turn| turn.iter().any(|sentence| sentence.range(0, sentence.words.len()).any(|word| is_any(&word))));
    let spoken = spoken_of(&options, &last?);
    let [only] = spoken.as_slice() else { return None };
    // A word in common does not make the thing offered its own: *The trout: no taste for it, or an allergy?*
    if only.words.len() * 2 < only.of {
        return None;
    }
    let as_written = question.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '.' | ':'));
    let chosen: Vec<&str> = as_written
        .map(|word| word.trim_matches(['.', ':', '-']))
        .filter(|word| words(word).iter().any(|word| only.words.contains(word)))
        .collect();
    (!chosen.is_empty()).then(|| chosen.join(" "))
}

/// A thing offered of which a turn speaks: the own words of it that the turn has, and how many it has in all.
struct SpokenOption {
    words: BTreeSet<CompactString>,
    of: usize,
}

/// The things offered that a turn speaks for.
fn spoken_of(options: &[BTreeSet<CompactString>], turn: &[Sentence]) -> Vec<SpokenOption> {
    let said: BTreeSet<&str> = turn.iter().flat_map(affirmed).collect();
    let spoken = |(at, option): (usize, &BTreeSet<CompactString>)| {
        let is_own = |word: &&CompactString| {
            options.iter().enumerate().all(|(other, words)| other == at || !words.contains(*word))
        };
        let own: Vec<&CompactString> = option.iter().filter(is_own).collect();
        let words = own.iter().filter(|word| said.contains(word.as_str())).map(|word| (*word).clone()).collect();
        SpokenOption { words, of: own.len() }
    };
    options.iter().enumerate().map(spoken).filter(|option| !option.words.is_empty()).collect()
}

/// Whether a question asks in so many words for a yes or a no.
pub(super) fn is_for_yes_or_no(question: &str) -> bool {
    words(question).windows(3).any(|three| matches!(three, [yes, or, no] if yes == "yes" && or == "or" && no == "no"))
}

/// Whether a question offers things to choose from, and not only yes or no: *Is it the sea, yes or no?*
pub(super) fn offers_things(question: &Question) -> bool {
    let all = words(question.text);
    let is_answer = |word: Option<&CompactString>| word.is_some_and(|word| matches!(word.as_str(), "no" | "not"));
    let mut offers = (0..all.len()).filter(|at| all.get(*at).is_some_and(|word| word == "or")).peekable();
    let is_bare = offers.peek().is_some() && offers.all(|at| is_answer(all.get(at + 1)));
    question.is_choice() && !is_bare
}

/// Whether a question may be about a fact: it offers nothing to choose from, or something that the fact has a word of.
pub(super) fn may_be_about(question: &str, fact: &Fact) -> bool {
    let options = options(question);
    let known: BTreeSet<CompactString> = ways(fact).flat_map(words).collect();
    options.is_empty() || options.iter().flatten().any(|word| known.contains(word))
}

/// The words of a sentence but for those of a clause that stand behind a *no* or *not*.
pub(super) fn affirmed(sentence: &Sentence) -> impl Iterator<Item = &str> {
    let clauses = sentence.clauses.iter().map(|start| sentence.clause(*start));
    clauses.flat_map(|(from, to)| sentence.range(from, to).take_while(|word| !is(WordClass::Negations, word)))
}

/// The one thing whose own words a fact has.
fn option_of(options: &[BTreeSet<CompactString>], fact: &Fact) -> Option<usize> {
    let known: BTreeSet<CompactString> = ways(fact).flat_map(words).collect();
    let is_own = |at: usize, word: &CompactString| {
        known.contains(word) && options.iter().enumerate().all(|(other, words)| other == at || !words.contains(word))
    };
    let mut found = options.iter().enumerate().filter(|(at, words)| words.iter().any(|word| is_own(*at, word)));
    let only = found.next().map(|(at, _)| at);
    only.filter(|_| found.next().is_none())
}

/// The words of each thing offered; none when it is no choice. What goes before the first of them is no part of it,
/// which is taken to be as long as the last: *The fox: Harrowgate or Tarnwick?* What is to be done is taken whole.
fn options(question: &str) -> Vec<BTreeSet<CompactString>> {
    let tells = |word: &CompactString| {
        word.chars().count() > 2 && !is(WordClass::Common, word) && (!is_usual(word) || is_ordinal(word))
    };
    let all = words(question);
    let offered: Vec<&[CompactString]> = all.split(|word| word == "or").collect();
    // *Or is there more?* asks anew and offers no thing.
    let asks = |word: &CompactString| is(WordClass::Checks, word) || is(WordClass::OwnDeeds, word);
    if offered.iter().skip(1).any(|option| option.first().is_some_and(asks)) {
        return Vec::new();
    }
    // Nor does *or none?*: what it is about was not asked for.
    let is_nothing =
        |option: &&[CompactString]| matches!(option, [only] if matches!(only.as_str(), "none" | "neither" | "nothing"));
    if offered.iter().any(is_nothing) {
        return Vec::new();
    }
    let is_deed = matches!(all.as_slice(), [first, second, ..] if is(WordClass::OwnDeeds, first) && matches!(second.as_str(), "i" | "we"));
    let last = offered.last().map_or(0, |last| last.len());
    let length = if is_deed { usize::MAX } else { last };
    let own = |(at, option): (usize, &&[CompactString])| {
        let skipped = if at == 0 { option.len().saturating_sub(length) } else { 0 };
        option.iter().skip(skipped).filter(|word| tells(word)).cloned().collect()
    };
    let options: Vec<BTreeSet<CompactString>> = offered.iter().enumerate().map(own).collect();
    if options.len() > 1 { options } else { Vec::new() }
}

/// *The first or the second?*
fn is_ordinal(word: &str) -> bool {
    matches!(word, "first" | "second" | "next" | "last")
}

/// A fact's value and its paraphrases, where they are words.
fn ways(fact: &Fact) -> impl Iterator<Item = &str> {
    fact.value.as_str().into_iter().chain(fact.also.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_chooses_what_it_speaks_for() {
        let fact = |value: &str| Fact { value: value.into(), also: Vec::new(), cues: Vec::new() };
        let (view, doctor, day) = (fact("a double with a sea view"), fact("Noor Rahimi"), fact("the garden party"));
        let chosen = |question, facts: &[&Fact]| chosen(question, facts.iter().copied()).map(|fact| fact.value.clone());
        assert_eq!(chosen("The sea or the garden?", &[&doctor, &view]), Some("a double with a sea view".into()));
        assert_eq!(chosen("Amir Rahimi or Noor Rahimi?", &[&view, &doctor]), Some("Noor Rahimi".into()));
        assert_eq!(
            chosen("A view of the sea or a view of the court?", &[&view]),
            Some("a double with a sea view".into())
        );
        for question in ["The court or the garden?", "Is it the sea?", "303 or 209?"] {
            assert_eq!(chosen(question, &[&view]), None, "{question}");
        }
        assert_eq!(chosen("The sea or the garden?", &[&view, &day]), None);
    }

    #[test]
    fn what_was_said_chooses() {
        let said =
            ["The Baltic wool socks, and no parcel shop. Size 41 is too small.".to_owned(), "Grey ones.".to_owned()];
        assert_eq!(chosen_in("In green or in grey?", &said).as_deref(), Some("grey"));
        assert_eq!(chosen_in("Wool or cotton?", &said).as_deref(), Some("Wool"));
        assert_eq!(chosen_in("Shall they be grey or wool?", &said).as_deref(), Some("grey"));
        assert_eq!(chosen_in("Grey or wool?", &["Grey wool.".to_owned()]), None);
        assert_eq!(chosen_in("Home or parcel shop?", &said), None);
        assert_eq!(chosen_in("Blue or red?", &said), None);
        let switched = ["To the Standard plan, please.".to_owned(), "No, leave us on Family.".to_owned()];
        assert_eq!(chosen_in("Which is it, the Family plan or the Standard plan?", &switched), None);
        let switched = ["To the Standard plan, please.".to_owned(), "We stay on Family.".to_owned()];
        assert_eq!(
            chosen_in("Which is it, the Family plan or the Standard plan?", &switched).as_deref(),
            Some("Family")
        );
        assert_eq!(chosen_in("My family asks: Standard or Basic?", &switched).as_deref(), Some("Standard"));
    }

    #[test]
    fn a_word_in_common_is_no_choice() {
        let said = ["Take the lamp off my order, I come on Friday. Call the firm, and one more thing.".to_owned()];
        for question in [
            "And the lamp: is it broken, or is somebody cross about it?",
            "Was that all, or is there more?",
            "Shall I send a note, a call, or none?",
            "Should I shorten the hire so that the van comes on Friday, or drop it?",
        ] {
            assert_eq!(chosen_in(question, &said), None, "{question}");
        }
        assert_eq!(chosen_in("The lamp or the chair?", &said).as_deref(), Some("lamp"));
    }

    #[test]
    fn yes_or_no_are_no_things_to_choose_from() {
        let offers = |text: &str| offers_things(&crate::task::question::questions(text).remove(0));
        assert!(
            !offers("Is it the sea, yes or no?") && !offers("May I, or not?") && is_for_yes_or_no("So, yes or no?")
        );
        assert!(offers("The sea or the court?") && offers("Which one?") && !is_for_yes_or_no("Yes or later?"));
    }

    #[test]
    fn a_choice_of_something_else_is_not_about_a_fact() {
        let day = Fact { value: "2026-07-24".into(), also: vec!["24 July".to_owned()], cues: Vec::new() };
        assert!(may_be_about("Which hike?", &day) && may_be_about("Which hike, in June or in July?", &day));
        assert!(!may_be_about("Which hike guide, Zanardi or Pedrini?", &day));
    }
}
