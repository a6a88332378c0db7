//! What a question says of a fact that it holds up to the user: its value, or another in its place.

use super::utterance::Values;
use crate::model::task_file::Fact;
use crate::task::question::{FactPhrases, Question};
use probity_prose::{Sentence, WordClass, lexicon::is, sentence::sentences, token::words};

/// Fewest digits of a number that stands for one thing alone, such as that of an account.
const NUMBER: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recall {
    /// The fact's value, in any spelling.
    Same,
    Other,
}

/// What a question says of a fact, if it asks whether that is right: *Is 4402 7719 0356 right?*
///
/// The fact must be meant for certain: it is asked for by a cue, or is a long number. A guess at the user's wishes
/// (*Is tomorrow right for you?*) is no matter of facts.
pub(super) fn recall(question: &Question, voice: &FactPhrases, fact: &Fact, now: i64) -> Option<Recall> {
    clauses(question.text).find_map(|clause| {
        let number = number(fact);
        let (is_cued, held) = (voice.cues.are_in(&clause), digits(&clause));
        if !question.is_marked || !is_check(&clause) || !(is_cued || number.is_some()) {
            return None;
        }
        let is_same = match &number {
            // `It is 4402 7719 0356, and not 4402 7719 0365?` tells the right one.
            Some(number) => digits(question.text).contains(number),
            None => voice.ways.are_in(&clause) || says_value(&clause, fact, now),
        };
        let is_alike = number.is_some_and(|number| number.len() == held.len());
        match is_same {
            true => Some(Recall::Same),
            false => (is_alike || (is_cued && !held.is_empty())).then_some(Recall::Other),
        }
    })
}

/// The clauses of a question as they were written, its mark included, but for what stands between them.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = String> + '_ {
    let piece = |sentence: &Sentence, start: usize| {
        let (from, to) = sentence.clause(start);
        let mark = if to == sentence.words.len() && sentence.is_question { "?" } else { "" };
        let (from, to) = sentence.span(from, to);
        text.chars().skip(from).take(to.saturating_sub(from)).chain(mark.chars()).collect()
    };
    let pieces = move |sentence: Sentence| sentence.clauses.iter().map(|at| piece(&sentence, *at)).collect::<Vec<_>>();
    sentences(text).into_iter().flat_map(pieces)
}

/// *Is it ..*, *Did you say ..*, *.., right?* and nothing that the agent would do.
fn is_check(clause: &str) -> bool {
    let words = words(clause);
    let mut start = words.iter().skip_while(|word| matches!(word.as_str(), "and" | "so" | "but" | "then"));
    let asks = start.next().is_some_and(|word| is(WordClass::Checks, word));
    let holds = words.iter().any(|word| word == "right" || word == "correct");
    (asks || holds) && !words.iter().any(|word| is(WordClass::OwnDeeds, word))
}

/// The digits of a fact that is one long number: *440277190356*, *555-0187*.
pub(super) fn number(fact: &Fact) -> Option<String> {
    let text = fact.value.as_str()?;
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+'));
    let is_day = text.parse::<jiff::civil::Date>().is_ok();
    Some(digits(text)).filter(|digits| is_number && !is_day && digits.len() >= NUMBER)
}

pub(super) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Whether words say a fact's value in other digits than the fact has: *June 12th* for 2026-06-12.
fn says_value(text: &str, fact: &Fact, now: i64) -> bool {
    let held = Values::read(text, now);
    let mut ways = fact.value.as_str().into_iter().chain(fact.also.iter().map(String::as_str));
    ways.any(|way| !digits(way).is_empty() && Values::read(way, now).missing_from(&held).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::question::questions;

    /// Thursday 11 June 2026.
    const NOW: i64 = 1_781_168_400;

    fn recalled(value: &str, cue: &str, reply: &str) -> Option<Recall> {
        let fact = Fact { value: value.into(), also: Vec::new(), cues: vec![cue.to_owned()] };
        let voice = FactPhrases::of("fact", &fact);
        questions(reply).iter().find_map(|question| recall(question, &voice, &fact, NOW))
    }

    #[test]
    fn a_value_is_held_against_the_fact_in_any_spelling() {
        let account = |reply| recalled("440277190356", "account number", reply);
        assert_eq!(account("Is 4402 7719 0356 right?"), Some(Recall::Same));
        assert_eq!(account("It is new. Is 4402-7719-0356 what it says, and which way do you pay?"), Some(Recall::Same));
        assert_eq!(account("So 4402 7719 0365 is correct?"), Some(Recall::Other));
        assert_eq!(recalled("2026-06-12", "arrival date", "Is your arrival date June 12th?"), Some(Recall::Same));
        assert_eq!(recalled("2026-06-12", "arrival date", "Is your arrival date 13 June?"), Some(Recall::Other));
    }

    #[test]
    fn other_questions_hold_up_no_fact() {
        let account = |reply| recalled("440277190356", "account number", reply);
        for reply in [
            "Is 350.00 EUR right for today?",
            "Shall I send it to 4402 7719 0356?",
            "The number 4402 7719 0356 is right.",
            "What is the account number?",
        ] {
            assert_eq!(account(reply), None, "{reply}");
        }
        assert_eq!(recalled("2026-06-12", "arrival date", "Is tomorrow right for you?"), None);
    }
}
