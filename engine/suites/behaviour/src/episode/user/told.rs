//! What a reply tells as done, and whether that is what the user ordered.

use std::rc::Rc;

use super::confirmation::named;
use super::hearing::{affirmed, digits, number, numbers};
use super::kept_text::{kept, sentences, values, words};
use super::utterance::Values;
use crate::model::task_file::Fact;
use crate::task::{OracleCall, Task, ToolWords};
use probity_engine::Tool;
use probity_prose::{Amount, Mark, Sentence, WordClass, lexicon::is};

const MAX_DEEDS: usize = 64;

/// A change that a reply tells as done: the tool by whose `claims` it is told, and the clause that tells it.
pub(super) struct ToldChange<'a> {
    pub tool: &'a Tool,
    pub clause: String,
    /// Whether the agent says that it did so itself: *I have moved you*, not *you were moved in May*.
    pub is_own: bool,
}

/// What a reply tells as done: *I have transferred 400 EUR*, and neither *I will* nor *Shall I*.
pub(super) fn deeds<'a>(reply: &str, task: &'a Task) -> Vec<ToldChange<'a>> {
    let mut found = Vec::new();
    let kept = kept(reply);
    let may_be_told = |(_, words): &(&Tool, &ToolWords)| words.claims.iter().any(|claim| kept.has_all(claim));
    let writes: Vec<(&Tool, &ToolWords)> = task.writes().filter(may_be_told).collect();
    for sentence in sentences(reply).iter().filter(|sentence| !sentence.is_question) {
        for (tool, words) in &writes {
            let places = words.claims.iter().flat_map(|claim| sentence.find(claim));
            let told = places.filter(|at| is_told(sentence, *at));
            found.extend(told.map(|at| {
                let (start, _) = sentence.clause(at);
                let is_own = sentence.range(start, at).any(|word| matches!(word, "i" | "we"));
                ToldChange { tool, clause: clause(reply, sentence, at), is_own }
            }));
            if found.len() >= MAX_DEEDS {
                return found;
            }
        }
    }
    found
}

/// What a reply offers or announces, and has not done: *Shall I transfer 400 EUR?*, *I will transfer it*.
pub(super) fn offers<'a>(reply: &str, task: &'a Task) -> Vec<ToldChange<'a>> {
    let mut found = Vec::new();
    for sentence in sentences(reply).iter() {
        let end = sentence.words.len();
        let is_to_come = sentence.is_question || sentence.range(0, end).any(|word| matches!(word, "will" | "shall"));
        let is_open = |word: &str| is(WordClass::Negations, word) || is(WordClass::Conditions, word);
        if is_to_come && !sentence.range(0, end).any(is_open) && found.len() < MAX_DEEDS {
            let (from, to) = sentence.span(0, end);
            let clause: String = reply.chars().skip(from).take(to.saturating_sub(from)).collect();
            let offer = |tool| ToldChange { tool, clause: clause.clone(), is_own: true };
            found.extend(named(&clause, task).into_iter().map(offer));
        }
    }
    found
}

fn is_told(sentence: &Sentence, at: usize) -> bool {
    let (start, _) = sentence.clause(at);
    let is_open = |word: &str| {
        is(WordClass::Negations, word)
            || is(WordClass::Conditions, word)
            || (is(WordClass::Modals, word) && word != "having")
    };
    // `The booking that was cancelled` tells which one it is.
    let is_relative = sentence.range(start, at).any(|word| matches!(word, "that" | "which" | "who"));
    let tells = |word: &str| is(WordClass::Helpers, word) || matches!(word, "i" | "we" | "been");
    let mut before = sentence.range(start, at);
    // `I have set no reminder`, `I've booked nothing`.
    let is_denied = is(WordClass::Negations, sentence.word(at + 1)) && !matches!(sentence.mark(at + 1), Mark::Strong);
    !sentence.range(start, at).any(is_open) && !is_relative && !is_denied && (start == at || before.any(tells))
}

fn clause(reply: &str, sentence: &Sentence, at: usize) -> String {
    let (from, to) = sentence.clause(at);
    let (from, to) = sentence.span(from, to);
    reply.chars().skip(from).take(to.saturating_sub(from)).collect()
}

/// Whether a deed is told with another value than the user's own: *I have transferred 400 EUR* when 350 was ordered.
pub(super) fn is_told_otherwise(deed: &ToldChange, fact: &Fact, now: i64) -> bool {
    // `400 EUR instead of 350 EUR` says that it was other.
    let clause = affirmed(&deed.clause);
    let told = values(&clause, now);
    match number(fact) {
        Some(number) => {
            let alike: Vec<String> = numbers(&clause).filter(|held| held.len() == number.len()).collect();
            !alike.is_empty() && !alike.contains(&number)
        }
        None => {
            let is_count = fact.value.as_u64().and_then(|own| Some((own, told.only_count()?)));
            let is_other_count = is_count.is_some_and(|(own, told)| Some(told) != Amount::of(&own.into()));
            let is_other = fact.ways().any(|way| told.says_another(&values(&way, now)));
            (is_other || is_other_count) && !says(&told, fact, now)
        }
    }
}

/// Whether one of the calls of a tool is made with a fact.
pub(super) fn is_made_with(tool: &str, fact: &Fact, ordered: &[OracleCall], now: i64) -> bool {
    let calls = ordered.iter().filter(|call| call.tool == tool);
    calls.flat_map(|call| call.arguments.values()).any(|value| is_same(value, fact, now))
}

/// Whether a deed is told with what is right in the place of a fact: another fact of the same kind, or another argument
/// of a call that is ordered. *Leave from 6 July* speaks of its first day and not of its last.
pub(super) fn is_of_another(deed: &str, fact: &Fact, facts: &[&Fact], ordered: &[OracleCall], now: i64) -> bool {
    let told = values(deed, now);
    let own: Vec<Rc<Values>> = fact.ways().map(|way| values(&way, now)).collect();
    // Of the same kind, and another.
    let is_rival = |value: &Values| own.iter().any(|own| value.says_another(own));
    let is_told = |way: &str| {
        let value = values(way, now);
        is_rival(&value) && value.missing_from(&told).is_none()
    };
    let of_number = |other: &Fact| number(fact).is_some() && number(other) == Some(digits(deed));
    let is_argument = |value: &serde_json::Value| {
        let amount = value.as_number().and_then(Amount::of).filter(|_| !is_same(value, fact, now));
        let is_amount = || amount.is_some_and(|amount| told.has_amount(amount));
        value.as_str().is_some_and(is_told) || (own.iter().any(|own| own.has_quantity()) && is_amount())
    };
    let mut others = facts.iter().filter(|other| !std::ptr::eq(**other, fact));
    others.any(|other| of_number(other) || other.ways().any(|way| is_told(&way)))
        || ordered.iter().flat_map(|call| call.arguments.values()).any(is_argument)
}

/// Whether a deed is told of a day that is over, and not as just done: *We charged a fee on 3 May*.
pub(super) fn is_of_the_past(deed: &str, now: i64) -> bool {
    let is_perfect = words(deed).iter().any(|word| matches!(word.as_str(), "have" | "ve"));
    !is_perfect && values(deed, now).has_past_day(now)
}

/// Whether an argument is a fact's value, in minor units or not.
fn is_same(argument: &serde_json::Value, fact: &Fact, now: i64) -> bool {
    let amount = argument.as_number().and_then(Amount::of);
    let is_amount = |amount: Amount| fact.ways().any(|way| values(&way, now).has_amount(amount));
    *argument == fact.value || amount.is_some_and(is_amount)
}

fn says(told: &Values, fact: &Fact, now: i64) -> bool {
    fact.ways().any(|way| values(&way, now).are_told_in(told))
}
