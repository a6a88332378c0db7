//! What a sentence does beside telling steps: asks for fields, repeats them, asks for consent, says how things stand.

use super::act::{AskedField, ConsentTopic, SpokenAct};
use super::choice::is_choice;
use super::ending_words::{HANDED, OUTCOME, SOLVED};
use super::figures::{gigabytes, name, phone_number};
use super::mood::is_negated;
use super::phrase::{has, place};
use super::talk_words::{
    AGAIN, ANSWER, ASKING, ELSE, FIELDS, MAY_I, NAMED, OWN_DEED, PROBLEM, RIGHT, SPELLING, WAITING, WHEREABOUTS,
    WILL_YOU,
};
use super::words::Sentence;

/// Values that the sentence repeats; `asks` says whether the message wants to know if they are right, `is_asked` whether
/// the sentence itself does.
pub(super) fn repeated(sentence: &Sentence, asks: bool, is_asked: bool) -> Vec<SpokenAct> {
    let number = phone_number(&sentence.written).map(|value| (AskedField::PhoneNumber, value));
    let name = name(&sentence.written, NAMED).map(|value| (AskedField::FullName, value));
    let is_question = asks || is_asked;
    let repeated = number.into_iter().chain(name);
    repeated.map(|(field, value)| SpokenAct::Repeat { field, value, is_question }).collect()
}

pub(super) fn asks_if_right(sentence: &Sentence) -> bool {
    has(&sentence.words, RIGHT) && (sentence.is_question || has(&sentence.words, &["please confirm", "confirm"]))
}

pub(super) fn asked(sentence: &Sentence) -> Vec<SpokenAct> {
    let words = &sentence.words;
    let is_spelled = has(words, SPELLING);
    if !has(words, ASKING) || is_negated(words) {
        return Vec::new();
    }
    let named = FIELDS.iter().filter(|(_, names)| has(words, names)).map(|(field, _)| *field);
    let mut fields: Vec<AskedField> = named.collect();
    if fields.is_empty() && (is_spelled || has(words, AGAIN)) {
        fields.push(AskedField::PhoneNumber);
    }
    fields.into_iter().map(|field| SpokenAct::AskField { field, is_spelled }).collect()
}

/// What a sentence asks leave for, and whether it only asks (the topic then stands in another sentence).
pub(super) enum Leave {
    None,
    For(ConsentTopic),
    /// For what was said before or comes after.
    Open,
}

pub(super) fn leave(sentence: &Sentence) -> Leave {
    let words = &sentence.words;
    let may_i = has(words, MAY_I);
    let wants_answer = sentence.is_question || has(words, ANSWER);
    let Some(at) = MAY_I.iter().chain(WILL_YOU).filter_map(|phrase| place(words, phrase)).min() else {
        return Leave::None;
    };
    if !wants_answer || is_choice(sentence) {
        return Leave::None;
    }
    // What is asked for stands behind the words that ask, and only else before them.
    let asked = words.get(at..).unwrap_or_default();
    match topic(asked, may_i).or_else(|| topic(words, may_i)) {
        Some(topic) if !has(asked, ELSE) => Leave::For(topic),
        _ if has(words, ASKING) || has(words, ELSE) || has(words, PROBLEM) || has(asked, OWN_DEED) => Leave::None,
        _ if words.len() > 12 => Leave::None,
        _ => Leave::Open,
    }
}

/// Other things for which a sentence asks leave, beside the first: "add data and enable roaming".
pub(super) fn more_topics(sentence: &Sentence) -> Vec<ConsentTopic> {
    let is_agents = has(&sentence.words, MAY_I);
    let clauses = sentence.clauses.iter().filter(|clause| !clause.is_subordinate);
    let begun =
        clauses.skip_while(|clause| MAY_I.iter().chain(WILL_YOU).all(|phrase| place(&clause.words, phrase).is_none()));
    begun.filter_map(|clause| topic(&clause.words, is_agents)).collect()
}

pub(super) fn asks_how_much(sentence: &Sentence) -> bool {
    let words = &sentence.words;
    let is_of_data = has(words, &["gb", "gigabytes", "gigs", "data", "gigabyte"]) || gigabytes(words).is_some();
    sentence.is_question
        && is_of_data
        && (has(words, &["how many", "how much", "what amount", "which amount"]) || is_choice(sentence))
        && !has(words, &["have you used", "did you use", "do you use"])
}

/// Whether a sentence asks to agree to what it does not name.
pub(super) fn is_plainly_open(sentence: &Sentence) -> bool {
    has(&sentence.words, &["consent", "agree", "proceed", "go ahead", "approve", "authorize", "charge", "accept"])
}

/// What words speak of that needs leave; roaming only where the agent would switch it.
pub(super) fn topic(words: &[String], is_agents: bool) -> Option<ConsentTopic> {
    let speaks_of = |phrases: &[&str]| has(words, phrases);
    if speaks_of(HANDED) || (is_agents && speaks_of(&["transfer", "hand over", "human", "specialist"])) {
        Some(ConsentTopic::HandOver)
    } else if speaks_of(&["resume", "reactivate", "unsuspend", "lift the suspension", "reactivating", "resuming"]) {
        Some(ConsentTopic::ResumeLine)
    } else if gigabytes(words).is_some()
        || speaks_of(&["extra data", "more data", "additional data", "refuel", "top up", "gb"])
    {
        Some(ConsentTopic::Refuel { gb: gigabytes(words) })
    } else if speaks_of(&[
        "another plan",
        "different plan",
        "bigger plan",
        "larger plan",
        "change plan",
        "change your plan",
        "switch plan",
        "upgrade",
        "change plans",
        "higher plan",
    ]) {
        Some(ConsentTopic::ChangePlan)
    } else if speaks_of(&["payment request", "pay", "bill", "payment", "balance"]) {
        Some(ConsentTopic::PayBill)
    } else if speaks_of(&["suspend", "suspending"]) {
        Some(ConsentTopic::SuspendLine)
    } else if is_agents && speaks_of(&["roaming"]) {
        Some(ConsentTopic::EnableRoaming)
    } else {
        None
    }
}

/// What the sentence says or asks about how things stand.
pub(super) fn standing(sentence: &Sentence) -> Vec<SpokenAct> {
    let words = &sentence.words;
    let says = |phrases: &[&str]| has(words, phrases);
    let main: Vec<String> = sentence
        .clauses
        .iter()
        .filter(|clause| !clause.is_subordinate)
        .flat_map(|clause| clause.words.iter().cloned())
        .collect();
    let claims = has(&main, SOLVED) && !is_negated(&main);
    let mut acts = Vec::new();
    if says(PROBLEM) {
        acts.push(SpokenAct::AskProblem);
    }
    if sentence.is_question && says(WHEREABOUTS) {
        acts.push(SpokenAct::AskWhereabouts);
    }
    if says(ELSE) {
        acts.push(SpokenAct::AskElse);
    } else if (sentence.is_question && (says(OUTCOME) || says(SOLVED)))
        || says(&["whether it works", "whether that helps", "whether this helps", "whether that works"])
    {
        acts.push(SpokenAct::AskOutcome);
    } else if claims {
        acts.push(SpokenAct::ClaimSolved);
    }
    if has(&main, HANDED) && !is_negated(&main) {
        acts.push(SpokenAct::HandOver);
    }
    if says(WAITING) {
        acts.push(SpokenAct::Wait);
    }
    acts
}
