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
    let mut choices = facts.filter_map(|fact| Some((option_of(question, &options, fact)?, fact)));
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
    let last = last?;
    // *Good morning* speaks of no morning.
    let plain = |sentence| {
        let words = affirmed(sentence).scan("", |before, word| Some((std::mem::replace(before, word), word)));
        words.filter(|(before, _)| *before != "good").map(|(_, word)| word)
    };
    let said: BTreeSet<&str> = last.iter().flat_map(plain).collect();
    let spoken = spoken_of(&options, &said);
    let [only] = spoken.as_slice() else { return spoken.is_empty().then(|| shorter(question, &options, &said))? };
    // A word in common does not make the thing offered its own: *The trout: no taste for it, or an allergy?*
    if only.words.len() * 2 < only.own.len() || cuts_name(question, &only.own, &said) {
        return None;
    }
    let is_chosen = |word: &&str| words(word).iter().any(|word| only.words.contains(word));
    let chosen: Vec<&str> = as_written(question).into_iter().filter(is_chosen).collect();
    (!chosen.is_empty()).then(|| chosen.join(" "))
}

/// The one thing offered that has no word of its own but figures, where most of it was said: *the Grid Growth Fund or
/// the Grid Fund?*
fn shorter(question: &str, options: &[BTreeSet<CompactString>], said: &BTreeSet<&str>) -> Option<String> {
    let is_plain = |word: &&CompactString| !word.contains(|c: char| c.is_ascii_digit());
    let mut bare = (0..options.len()).filter(|at| !own_of(options, *at).iter().any(|word| is_plain(&word)));
    let at = bare.next().filter(|_| bare.next().is_none())?;
    let option: BTreeSet<CompactString> = options.get(at)?.iter().filter(is_plain).cloned().collect();
    let spoken = option.iter().filter(|word| said.contains(word.as_str())).count();
    if spoken == 0 || spoken * 2 < option.len() {
        return None;
    }
    let piece = question.split(" or ").nth(at)?;
    let is_of = |word: &&str| words(word).iter().any(|word| option.contains(word) && said.contains(word.as_str()));
    let mut chosen: Vec<&str> = as_written(piece).into_iter().filter(is_of).collect();
    chosen.dedup();
    Some(chosen.join(" "))
}

/// Whether of the things offered several were spoken of in the turn that last spoke of any.
pub(super) fn speaks_of_several(question: &str, turns: &[String]) -> bool {
    let options = options(question);
    let spoken = |turn: &String| {
        let turn = sentences(turn);
        let said: BTreeSet<&str> = turn.iter().flat_map(affirmed).collect();
        Some(spoken_of(&options, &said).len()).filter(|spoken| *spoken > 0)
    };
    turns.iter().rev().find_map(spoken).is_some_and(|spoken| spoken > 1)
}

/// A thing offered of which a turn speaks: the own words of it that the turn has, and all of them.
struct SpokenOption {
    words: BTreeSet<CompactString>,
    own: BTreeSet<CompactString>,
}

/// The things offered that what was said speaks for.
fn spoken_of(options: &[BTreeSet<CompactString>], said: &BTreeSet<&str>) -> Vec<SpokenOption> {
    let spoken = |at: usize| {
        let own = own_of(options, at);
        let words = own.iter().filter(|word| said.contains(word.as_str())).cloned().collect();
        SpokenOption { words, own }
    };
    (0..options.len()).map(spoken).filter(|option| !option.words.is_empty()).collect()
}

/// Whether the last thing offered is no deed of its own, so that the one that is named is meant with each: *Shall I
/// place it with a limit or without one?*
pub(super) fn shares_deed(question: &str) -> bool {
    let all = words(question);
    let mut offered = all.split(|word| word == "or");
    let first = offered.next().unwrap_or_default();
    let is_bound = |word: &CompactString| {
        let has_figure = word.contains(|c: char| c.is_ascii_digit());
        first.contains(word) || has_figure || is(WordClass::ObjectStarts, word) || is(WordClass::Negations, word)
    };
    offered.last().and_then(<[CompactString]>::first).is_some_and(is_bound)
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

/// What a question puts first, of the things that it offers; all of it where it offers none.
pub(super) fn proposal<'q>(question: &Question<'q>) -> &'q str {
    let first = question.text.split(" or ").next().filter(|_| offers_things(question));
    first.unwrap_or(question.text)
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
fn option_of(question: &str, options: &[BTreeSet<CompactString>], fact: &Fact) -> Option<usize> {
    let known: BTreeSet<CompactString> = ways(fact).flat_map(words).collect();
    let known: BTreeSet<&str> = known.iter().map(CompactString::as_str).collect();
    let mut found = (0..options.len()).filter(|at| {
        let own = own_of(options, *at);
        let spoken = own.iter().filter(|word| known.contains(word.as_str())).count();
        spoken > 0 && spoken * 2 >= own.len() && !cuts_name(question, &own, &known)
    });
    found.next().filter(|_| found.next().is_none())
}

/// The words of a thing offered that no other has.
fn own_of(options: &[BTreeSet<CompactString>], at: usize) -> BTreeSet<CompactString> {
    let is_own =
        |word: &&CompactString| options.iter().enumerate().all(|(other, words)| other == at || !words.contains(*word));
    options.get(at).into_iter().flatten().filter(is_own).cloned().collect()
}

/// Whether of a name of several words some are known and some not: who goes to *Harbour* has not spoken of *Harbour
/// Lights*.
fn cuts_name(question: &str, own: &BTreeSet<CompactString>, known: &BTreeSet<&str>) -> bool {
    let is_part =
        |word: &str| word.starts_with(char::is_uppercase) && words(word).iter().any(|word| own.contains(word));
    let is_known = |word: &str| words(word).iter().any(|word| known.contains(word.as_str()));
    let pair = |pair: &[&str]| {
        pair.iter().all(|word| is_part(word)) && is_known_in_part(pair.iter().map(|word| is_known(word)))
    };
    as_written(question).windows(2).any(pair)
}

fn is_known_in_part(known: impl Iterator<Item = bool>) -> bool {
    let known: Vec<bool> = known.collect();
    known.contains(&true) && known.contains(&false)
}

fn as_written(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '.' | ':'));
    parts.map(|word| word.trim_matches(['.', ':', '-'])).filter(|word| !word.is_empty()).collect()
}

/// The words of each thing offered; none when it is no choice. What goes before the first of them is no part of it,
/// which is taken to be as long as the last: *The fox: Harrowgate or Tarnwick?* What is to be done is taken whole.
fn options(question: &str) -> Vec<BTreeSet<CompactString>> {
    let has_figure = |word: &CompactString| word.contains(|c: char| c.is_ascii_digit());
    let tells = |word: &CompactString| {
        let is_long = word.chars().count() > 2 || has_figure(word);
        is_long
            && !is(WordClass::Common, word)
            && !is(WordClass::Pronouns, word)
            && (!is_usual(word) || is_ordinal(word))
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
        // *Shall I hand it to you or to Lotte?* offers those behind the word that begins the last.
        let joint = offered.last().and_then(|last| last.first());
        let aligned = || option.iter().rposition(|word| Some(word) == joint);
        let skipped = || aligned().unwrap_or_else(|| option.len().saturating_sub(length));
        let skipped = if at == 0 { skipped() } else { 0 };
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
        let said = ["To a pharmacy in Harbour, on Monday.".to_owned()];
        assert_eq!(chosen_in("Mole Street or Harbour Lights?", &said), None);
        let own = ["A pause for Ms Amon, who goes to Lotte Brink, under rule 5. The Grid Fund.".to_owned()];
        assert_eq!(
            chosen_in("Shall I hand Ms Amon to yourself or to Lotte Brink?", &own).as_deref(),
            Some("Lotte Brink")
        );
        assert_eq!(chosen_in("Shall I pause it under rule 4 or rule 5?", &own).as_deref(), Some("5"));
        assert_eq!(chosen_in("The Grid Growth Fund or the Grid Fund?", &own).as_deref(), Some("Grid Fund"));
        let said_of = |question| chosen_in(question, &["Put it on the Stores network, please.".to_owned()]);
        assert_eq!(said_of("Stores, line 240, or Stores old, line 204?").as_deref(), Some("Stores"));
        assert_eq!(chosen_in("In the morning or at noon?", &["Good morning to you.".to_owned()]), None);
        assert!(speaks_of_several("Is it Amon or Brink?", &own) && !speaks_of_several("Is it Amon or Grieve?", &own));
        assert_eq!(chosen_in("Monday the 21st or Friday the 25th?", &said).as_deref(), Some("Monday"));
    }

    #[test]
    fn a_deed_that_both_things_share_is_no_choice() {
        assert!(
            shares_deed("Shall I place it with a limit or without one?")
                && shares_deed("Shall I plan it under rule 4 or rule 5?")
        );
        assert!(!shares_deed("Shall I add it, or wait?") && !shares_deed("Shall I add it?"));
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
