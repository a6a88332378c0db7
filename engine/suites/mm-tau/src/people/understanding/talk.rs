//! What a sentence does beside telling steps: asks for fields, repeats them, asks for consent, says how things stand.

use std::sync::LazyLock;

use compact_str::CompactString;

use super::act::{AskedField, ConsentTopic, SpokenAct};
use super::choice::is_choice;
use super::cue::{Cue, heard};
use super::figures::{gigabytes, name, phone_number};
use super::mood::is_negated;
use super::words::Sentence;
use probity_prose::{Heard, Vocabulary};

static FIELDS: LazyLock<Vocabulary<AskedField>> = LazyLock::new(|| Vocabulary::of("caller_fields"));

/// Values that the sentence repeats; `asks` says whether the message wants to know if they are right, `is_asked` whether
/// the sentence itself does.
pub(super) fn repeated(sentence: &Sentence, asks: bool, is_asked: bool) -> Vec<SpokenAct> {
    let number = phone_number(&sentence.written).map(|value| (AskedField::PhoneNumber, value));
    let name = name(&sentence.written).map(|value| (AskedField::FullName, value));
    let is_question = asks || is_asked;
    let repeated = number.into_iter().chain(name);
    repeated.map(|(field, value)| SpokenAct::Repeat { field, value, is_question }).collect()
}

pub(super) fn asks_if_right(sentence: &Sentence) -> bool {
    sentence.said.has(Cue::Right) && (sentence.is_question || sentence.said.has(Cue::Confirm))
}

pub(super) fn asked(sentence: &Sentence) -> Vec<SpokenAct> {
    let said = &sentence.said;
    let is_spelled = said.has(Cue::Spelling);
    if !said.has(Cue::Asking) || is_negated(said) {
        return Vec::new();
    }
    let named = FIELDS.heard(&sentence.words);
    let order = [AskedField::DateOfBirth, AskedField::CustomerId, AskedField::PhoneNumber, AskedField::FullName];
    let mut fields: Vec<AskedField> = order.into_iter().filter(|field| named.has(*field)).collect();
    if fields.is_empty() && (is_spelled || said.has(Cue::Again)) {
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
    let (words, said) = (&sentence.words, &sentence.said);
    let may_i = said.has(Cue::MayI);
    let wants_answer = sentence.is_question || said.has(Cue::Answer);
    let Some(at) = asks_leave(said) else { return Leave::None };
    if !wants_answer || is_choice(sentence) {
        return Leave::None;
    }
    // What is asked for stands behind the words that ask, and only else before them.
    let asked = words.get(at..).unwrap_or_default();
    match topic(asked, may_i).or_else(|| topic(words, may_i)) {
        Some(topic) if !said.has_from(at, Cue::Else) => Leave::For(topic),
        _ if [Cue::Asking, Cue::Else, Cue::Problem].into_iter().any(|cue| said.has(cue)) => Leave::None,
        _ if said.has_from(at, Cue::OwnDeed) || words.len() > 12 => Leave::None,
        _ => Leave::Open,
    }
}

/// The first word by which leave is asked for.
fn asks_leave(said: &Heard<'_, Cue>) -> Option<usize> {
    [Cue::MayI, Cue::WillYou].into_iter().filter_map(|cue| said.place(cue)).min()
}

/// Other things for which a sentence asks leave, beside the first: "add data and enable roaming".
pub(super) fn more_topics(sentence: &Sentence) -> Vec<ConsentTopic> {
    let is_agents = sentence.said.has(Cue::MayI);
    let clauses = sentence.clauses.iter().filter(|clause| !clause.is_subordinate);
    let begun = clauses.skip_while(|clause| asks_leave(&clause.said).is_none());
    begun.filter_map(|clause| topic(&clause.words, is_agents)).collect()
}

pub(super) fn asks_how_much(sentence: &Sentence) -> bool {
    let said = &sentence.said;
    let is_of_data = said.has(Cue::Gigabytes) || said.has(Cue::Data) || gigabytes(&sentence.words).is_some();
    sentence.is_question && is_of_data && (said.has(Cue::HowMuch) || is_choice(sentence)) && !said.has(Cue::Usage)
}

/// Whether a sentence asks to agree to what it does not name.
pub(super) fn is_plainly_open(sentence: &Sentence) -> bool {
    sentence.said.has(Cue::Plainly)
}

/// What words speak of that needs leave; roaming only where the agent would switch it.
pub(super) fn topic(words: &[CompactString], is_agents: bool) -> Option<ConsentTopic> {
    let (said, gb) = (heard(words), gigabytes(words));
    if said.has(Cue::Handed) || (is_agents && said.has(Cue::HandOver)) {
        Some(ConsentTopic::HandOver)
    } else if said.has(Cue::Resume) {
        Some(ConsentTopic::ResumeLine)
    } else if gb.is_some() || said.has(Cue::Refuel) {
        Some(ConsentTopic::Refuel { gb })
    } else if said.has(Cue::OtherPlan) {
        Some(ConsentTopic::ChangePlan)
    } else if said.has(Cue::Bill) {
        Some(ConsentTopic::PayBill)
    } else if said.has(Cue::Suspend) {
        Some(ConsentTopic::SuspendLine)
    } else {
        (is_agents && said.has(Cue::Roaming)).then_some(ConsentTopic::EnableRoaming)
    }
}

/// What the sentence says or asks about how things stand.
pub(super) fn standing(sentence: &Sentence) -> Vec<SpokenAct> {
    let said = &sentence.said;
    let main = sentence.clauses.iter().filter(|clause| !clause.is_subordinate);
    let main: Vec<CompactString> = main.flat_map(|clause| clause.words.iter().cloned()).collect();
    let main = heard(&main);
    let mut acts = Vec::new();
    if said.has(Cue::Problem) {
        acts.push(SpokenAct::AskProblem);
    }
    if sentence.is_question && said.has(Cue::Whereabouts) {
        acts.push(SpokenAct::AskWhereabouts);
    }
    if said.has(Cue::Else) {
        acts.push(SpokenAct::AskElse);
    } else if (sentence.is_question && (said.has(Cue::Outcome) || said.has(Cue::Solved)))
        || said.has(Cue::WhetherItWorks)
    {
        acts.push(SpokenAct::AskOutcome);
    } else if main.has(Cue::Solved) && !is_negated(&main) {
        acts.push(SpokenAct::ClaimSolved);
    }
    if main.has(Cue::Handed) && !is_negated(&main) {
        acts.push(SpokenAct::HandOver);
    }
    if said.has(Cue::Waiting) {
        acts.push(SpokenAct::Wait);
    }
    acts
}
