//! A message cut into clauses, and what it does in the order of mention.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use compact_str::CompactString;

use super::act::{ConsentTopic, SpokenAct, Understanding};
use super::cue::Cue;
use super::device_clause::Memory;
use super::doubt::is_doubtful;
use super::money::money;
use super::mood::{Mood, mood};
use super::step::{DeviceStep, DeviceSwitch};
use super::talk::Leave;
use super::words::{Sentence, sentences};

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
    let asks = sentences.iter().any(super::talk::asks_if_right);
    let amounts = money(text);
    let is_doubtful = is_doubtful(text, &sentences);
    let mut memory = Memory::default();
    let mut parts = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let named = matches!(super::talk::leave(sentence), Leave::For(_)) && !super::talk::asks_if_right(sentence);
        // Leave for a thing that names a number does not ask whether the number is right.
        let repeated = super::talk::repeated(sentence, asks, !named && sentence.is_question);
        let is_read_back = repeated.iter().any(|act| matches!(act, SpokenAct::Repeat { is_question: true, .. }));
        parts.extend(repeated.into_iter().map(ToldPart::Act));
        let leave = if is_read_back { None } else { consent(&sentences, at) };
        let standing = super::talk::standing(sentence);
        if super::talk::asks_how_much(sentence) {
            parts.push(ToldPart::Act(SpokenAct::AskHowMuch));
            continue;
        }
        if let Some(topic) = leave {
            let more = super::talk::more_topics(sentence);
            let more = more.into_iter().filter(|other| std::mem::discriminant(other) != std::mem::discriminant(&topic));
            let more = more.filter(|_| named).map(|topic| ToldPart::Act(SpokenAct::AskConsent(topic)));
            let is_right = !is_doubtful && (amounts.is_empty() || topic.is_priced(&amounts));
            let topic = if is_right { topic } else { ConsentTopic::Mispriced };
            parts.push(ToldPart::Act(SpokenAct::AskConsent(topic)));
            parts.extend(more.filter(|_| is_right));
            continue;
        }
        if !is_read_back {
            parts.extend(super::talk::asked(sentence).into_iter().map(ToldPart::Act));
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
    match super::talk::leave(sentence) {
        Leave::None => None,
        Leave::For(topic @ ConsentTopic::Refuel { gb: None }) => {
            let gb = sentences.iter().find_map(|other| super::figures::gigabytes(&other.words));
            Some(gb.map_or(topic, |gb| ConsentTopic::Refuel { gb: Some(gb) }))
        }
        Leave::For(topic) => Some(topic),
        Leave::Open => {
            let before = sentences.iter().take(at).rev();
            let mut others = before.chain(sentences.iter().skip(at + 1));
            let named = others.find_map(|other| super::talk::topic(&other.words, true));
            named.or_else(|| super::talk::is_plainly_open(sentence).then_some(ConsentTopic::Unnamed))
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
