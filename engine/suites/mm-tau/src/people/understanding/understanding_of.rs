//! A message cut into clauses, and what it does in the order of mention: the steps that it tells, and beside them what it
//! asks for, repeats, asks leave for, and says of how things stand.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use compact_str::CompactString;

use super::act::{AskedField, ConsentTopic, DeviceStep, DeviceSwitch, SpokenAct, Understanding};
use super::device_clause::Memory;
use super::figures::{gigabytes, money, name, phone_number};
use super::mood::{Mood, is_choice, is_doubtful, is_negated, mood};
use super::words::{Cue, Sentence, heard, sentences};
use probity_prose::{Heard, Vocabulary};

#[derive(Clone, Copy, PartialEq)]
struct Told {
    step: DeviceStep,
    is_weak: bool,
}

/// Something a message does, before it is settled which of its weak steps count.
enum ToldPart {
    Act(SpokenAct),
    Step(Told),
}

/// The most messages of which a thread keeps what they do, and the longest one in bytes: those of some episodes, which
/// the user hears, the measures read, and a proof hears and reads again.
const MOST_KEPT: usize = 256;
const LONGEST_KEPT: usize = 4_096;

thread_local! {
    static UNDERSTOOD: RefCell<BTreeMap<String, Rc<Understanding>>> = const { RefCell::new(BTreeMap::new()) };
}

/// What an agent's message does, in the order of mention. Only its first 8,000 signs are read.
pub fn understand(text: &str) -> Rc<Understanding> {
    if let Some(known) = UNDERSTOOD.with_borrow(|kept| kept.get(text).cloned()) {
        return known;
    }
    let understood = Rc::new(read(text));
    if text.len() <= LONGEST_KEPT {
        UNDERSTOOD.with_borrow_mut(|kept| {
            if kept.len() == MOST_KEPT {
                kept.clear();
            }
            kept.insert(text.to_owned(), Rc::clone(&understood));
        });
    }
    understood
}

fn read(text: &str) -> Understanding {
    let sentences = sentences(text);
    let has_directions = sentences.iter().any(|sentence| sentence.said.has(Cue::Directions));
    let asks = sentences.iter().any(asks_if_right);
    let amounts = money(text);
    let is_doubtful = is_doubtful(text, &sentences);
    let mut memory = Memory::default();
    let mut parts = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let named = matches!(leave(sentence), Leave::For(_)) && !asks_if_right(sentence);
        // Leave for a thing that names a number does not ask whether the number is right.
        let repeated = repeated(sentence, asks, !named && sentence.is_question);
        let is_read_back = repeated.iter().any(|act| matches!(act, SpokenAct::Repeat { is_question: true, .. }));
        parts.extend(repeated.into_iter().map(ToldPart::Act));
        let leave = if is_read_back { None } else { consent(&sentences, at) };
        let standing = standing(sentence);
        if asks_how_much(sentence) {
            parts.push(ToldPart::Act(SpokenAct::AskHowMuch));
            continue;
        }
        if let Some(topic) = leave {
            let more = more_topics(sentence);
            let more = more.into_iter().filter(|other| std::mem::discriminant(other) != std::mem::discriminant(&topic));
            let more = more.filter(|_| named).map(|topic| ToldPart::Act(SpokenAct::AskConsent(topic)));
            let is_right = !is_doubtful && (amounts.is_empty() || topic.is_priced(&amounts));
            let topic = if is_right { topic } else { ConsentTopic::Mispriced };
            parts.push(ToldPart::Act(SpokenAct::AskConsent(topic)));
            parts.extend(more.filter(|_| is_right));
            continue;
        }
        if !is_read_back {
            parts.extend(asked(sentence).into_iter().map(ToldPart::Act));
        }
        let steps = steps(sentence, &mut memory).into_iter().filter(|_| !is_doubtful);
        parts.extend(steps.map(ToldPart::Step));
        parts.extend(standing.into_iter().map(ToldPart::Act));
    }
    Understanding { acts: settled(parts), has_directions, amounts }
}

/// What a sentence asks leave for, though another may name it.
fn consent(sentences: &[Sentence], at: usize) -> Option<ConsentTopic> {
    let sentence = sentences.get(at)?;
    match leave(sentence) {
        Leave::None => None,
        Leave::For(topic @ ConsentTopic::Refuel { gb: None }) => {
            let gb = sentences.iter().find_map(|other| super::figures::gigabytes(&other.words));
            Some(gb.map_or(topic, |gb| ConsentTopic::Refuel { gb: Some(gb) }))
        }
        Leave::For(topic) => Some(topic),
        Leave::Open => {
            let before = sentences.iter().take(at).rev();
            let mut others = before.chain(sentences.iter().skip(at + 1));
            let named = others.find_map(|other| topic(&other.words, true));
            named.or_else(|| is_plainly_open(sentence).then_some(ConsentTopic::Unnamed))
        }
    }
}

fn steps(sentence: &Sentence, memory: &mut Memory) -> Vec<Told> {
    let mut told = Vec::new();
    // The numbers of a list say nothing.
    let is_number = |word: &CompactString| word.chars().all(|sign| sign.is_ascii_digit());
    let mut is_relative = false;
    for clause in sentence.clauses.iter().filter(|clause| !clause.words.iter().all(is_number)) {
        // "..., which you can then accept" goes on behind its "then".
        let mood = if is_relative { Mood::Statement } else { mood(clause, sentence.is_question) };
        is_relative = !sentence.is_question && clause.begins_with("which");
        let steps = super::device_clause::steps(clause, mood, memory);
        told.extend(steps.into_iter().map(|step| Told { step, is_weak: mood == Mood::Weak }));
    }
    told
}

fn positioned(part: &ToldPart) -> Option<DeviceSwitch> {
    match part {
        ToldPart::Step(Told { step: DeviceStep::Switch(switch, Some(_)), .. }) => Some(*switch),
        ToldPart::Step(_) | ToldPart::Act(_) => None,
    }
}

/// The acts, each once in a row, without the weak steps where a strong one changes something.
fn settled(parts: Vec<ToldPart>) -> Vec<SpokenAct> {
    let changes = |part: &ToldPart| match part {
        ToldPart::Step(told) => {
            !told.is_weak && !matches!(told.step, DeviceStep::Look(_) | DeviceStep::LookAtPermissions(_))
        }
        ToldPart::Act(_) => false,
    };
    let has_change = parts.iter().any(changes);
    let told: Vec<DeviceSwitch> = parts.iter().filter_map(positioned).collect();
    let mut acts: Vec<SpokenAct> = Vec::new();
    for part in parts {
        let act = match part {
            ToldPart::Step(step) if step.is_weak && has_change => continue,
            // Tapping a switch is how it is brought where the message says.
            ToldPart::Step(Told { step: DeviceStep::Switch(switch, None), .. }) if told.contains(&switch) => continue,
            ToldPart::Step(told) => SpokenAct::Instruct(told.step),
            ToldPart::Act(act) => act,
        };
        // A switch may be moved to and fro; all else is meant once.
        let is_moved = matches!(act, SpokenAct::Instruct(DeviceStep::Switch(..)));
        let is_again = if is_moved { acts.last() == Some(&act) } else { acts.contains(&act) };
        if !is_again {
            acts.push(act);
        }
    }
    acts
}

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
