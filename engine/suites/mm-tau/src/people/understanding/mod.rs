//! What an agent's message asks of the user, by tables of words: no model, no state, the same for every agent.
//!
//! A message is cut into sentences and clauses. Each clause has a mood (a command, a question, a statement), and a
//! command names things and deeds, which make steps. Conditions and times ("once you have restarted ..") tell a step
//! only where the rest of the message changes nothing. What is negated tells nothing.

mod act;
mod device_clause;
mod device_words;
mod figures;
mod mood;
mod phrase;
mod step;
mod subject_words;
mod talk;
mod talk_words;
#[cfg(test)]
mod tests;
mod words;

pub use act::{AskedField, ConsentTopic, SpokenAct, Understanding};
pub use step::{AppPermission, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SwitchPosition};

use device_clause::Memory;
use mood::{Mood, mood};
use talk::Leave;
use words::{Sentence, sentences};

/// A step as it was told.
#[derive(Clone, Copy, PartialEq)]
struct Told {
    step: DeviceStep,
    is_weak: bool,
}

/// Something a message does, before it is settled which of its weak steps count.
enum Part {
    Act(SpokenAct),
    Step(Told),
}

/// What an agent's message does, in the order of mention. Only its first 8,000 signs are read.
pub fn understand(text: &str) -> Understanding {
    let sentences = sentences(text);
    let has_directions = sentences.iter().any(|sentence| phrase::has(&sentence.words(), device_words::DIRECTIONS));
    let asks = sentences.iter().any(talk::asks_if_right);
    let mut memory = Memory::default();
    let mut parts = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let repeated = talk::repeated(sentence, asks);
        let is_read_back = repeated.iter().any(|act| matches!(act, SpokenAct::Repeat { is_question: true, .. }));
        parts.extend(repeated.into_iter().map(Part::Act));
        let leave = if is_read_back { None } else { consent(&sentences, at) };
        let standing = talk::standing(sentence);
        if let Some(topic) = leave {
            parts.push(Part::Act(SpokenAct::AskConsent(topic)));
            continue;
        }
        if !is_read_back {
            parts.extend(talk::asked(sentence).into_iter().map(Part::Act));
        }
        parts.extend(steps(sentence, &mut memory).into_iter().map(Part::Step));
        parts.extend(standing.into_iter().map(Part::Act));
    }
    Understanding { acts: settled(parts), has_directions }
}

/// What a sentence asks leave for, though another may name it.
fn consent(sentences: &[Sentence], at: usize) -> Option<ConsentTopic> {
    let sentence = sentences.get(at)?;
    match talk::leave(sentence) {
        Leave::None => None,
        Leave::For(topic @ ConsentTopic::Refuel { gb: None }) => {
            let gb = sentences.iter().find_map(|other| figures::gigabytes(&other.words()));
            Some(gb.map_or(topic, |gb| ConsentTopic::Refuel { gb: Some(gb) }))
        }
        Leave::For(topic) => Some(topic),
        Leave::Open => {
            let before = sentences.iter().take(at).rev();
            let mut others = before.chain(sentences.iter().skip(at + 1));
            let named = others.find_map(|other| talk::topic(&other.words(), true));
            named.or_else(|| talk::is_plainly_open(sentence).then_some(ConsentTopic::Unnamed))
        }
    }
}

fn steps(sentence: &Sentence, memory: &mut Memory) -> Vec<Told> {
    let mut told = Vec::new();
    for clause in &sentence.clauses {
        let mood = mood(clause, sentence.is_question);
        let steps = device_clause::steps(&clause.words, mood, memory);
        told.extend(steps.into_iter().map(|step| Told { step, is_weak: mood == Mood::Weak }));
    }
    told
}

/// The acts, each once in a row, without the weak steps where a strong one changes something.
fn settled(parts: Vec<Part>) -> Vec<SpokenAct> {
    let changes = |part: &Part| match part {
        Part::Step(told) => {
            !told.is_weak && !matches!(told.step, DeviceStep::Look(_) | DeviceStep::LookAtPermissions(_))
        }
        Part::Act(_) => false,
    };
    let has_change = parts.iter().any(changes);
    let mut acts: Vec<SpokenAct> = Vec::new();
    for part in parts {
        let act = match part {
            Part::Step(told) if told.is_weak && has_change => continue,
            Part::Step(told) => SpokenAct::Instruct(told.step),
            Part::Act(act) => act,
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
