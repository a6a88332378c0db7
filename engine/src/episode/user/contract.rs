//! The contract user: a finite automaton that holds the facts and says each only when it is asked for.
//!
//! It plays the turns of the task in order. When a reply asks something that the next turn does not answer, it
//! answers beside the script, at most three times in an episode, and goes on. Nothing in it is random.

use super::confirmation::{asks_for_yes, asks_to_choose, named, names_another, offers_help};
use super::manner::Manner;
use super::{User, UserFault, Utterance};
use crate::engine::environment::Environment;
use crate::model::event::MAX_EXTRA_REPLIES;
use crate::model::ids::Variant;
use crate::model::task_file::Fact;
use crate::task::question::{Cues, Voice, Ways, has_question_mark, questions};
use crate::task::{Behaviour, Task};

/// A user who answers from what the task says, and nothing else.
pub struct ContractUser<'a> {
    environment: &'a Environment,
    behaviour: &'a Behaviour,
    manner: &'static Manner,
    slots: Vec<Slot<'a>>,
    /// How many turns of the script have been said.
    turns_said: usize,
    extras: usize,
}

/// A fact and how far it is known.
struct Slot<'a> {
    fact: &'a Fact,
    cues: &'a Cues,
    ways: &'a Ways,
    is_withheld: bool,
    is_said: bool,
    is_repeated: bool,
}

impl<'a> ContractUser<'a> {
    /// The user of a task under a behaviour; `None` when the task has no such variant.
    pub fn new(task: &'a Task, variant: Variant) -> Option<Self> {
        let behaviour = task.behaviour(variant)?;
        let slot = |voice: &'a Voice| {
            let Voice { name, cues, ways } = voice;
            let is_withheld = behaviour.withheld.contains(name);
            Some(Slot {
                fact: task.file().facts.get(name)?,
                cues,
                ways,
                is_withheld,
                is_said: false,
                is_repeated: false,
            })
        };
        let slots = task.voices().iter().filter_map(slot).collect();
        let (environment, manner) = (task.environment().as_ref(), Manner::of(variant));
        Some(ContractUser { environment, behaviour, manner, slots, turns_said: 0, extras: 0 })
    }

    /// What it says next; nothing ends the dialogue.
    pub fn next(&mut self, reply: Option<&str>) -> Option<Utterance> {
        let answer = reply.filter(|_| self.extras < MAX_EXTRA_REPLIES).and_then(|reply| self.answer(reply));
        let utterance = match answer {
            Some(text) => {
                self.extras += 1;
                Utterance::extra(text)
            }
            None => {
                let turn = self.upcoming()?.clone();
                self.turns_said += 1;
                Utterance::scripted(turn)
            }
        };
        self.slots.iter_mut().for_each(|slot| slot.is_said |= slot.ways.are_in(&utterance.text));
        Some(utterance)
    }

    fn upcoming(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said)
    }

    /// The answer to a reply beside the script; nothing when it asks nothing, or the next turn answers it.
    fn answer(&mut self, reply: &str) -> Option<String> {
        let questions: Vec<&str> = questions(reply).filter(|question| !offers_help(question)).collect();
        let for_yes = questions.iter().copied().find(|question| asks_for_yes(question));
        let is_asked = |slot: &Slot| questions.iter().any(|question| slot.cues.are_in(question));
        let asked: Vec<usize> = (0..).zip(&self.slots).filter(|(_, slot)| is_asked(slot)).map(|(at, _)| at).collect();
        let is_news = asked.iter().any(|at| self.slots.get(*at).is_some_and(|slot| !slot.is_said));
        match for_yes {
            _ if questions.is_empty() => None,
            _ if is_news => self.tell(&asked),
            _ if self.settles_next() => None,
            _ if self.has_open_contradiction() && questions.iter().any(|question| asks_to_choose(question)) => {
                Some(self.manner.both.to_owned())
            }
            Some(question) => self.confirm(question),
            None if !asked.is_empty() => Some(self.repeat(&asked)),
            // A request for nothing that the user has (*please let me know how it goes*) needs no answer.
            None => questions.iter().any(|text| has_question_mark(text)).then(|| self.manner.unknown.to_owned()),
        }
    }

    /// Reveals what was withheld, unless the next turn says it all.
    fn tell(&mut self, asked: &[usize]) -> Option<String> {
        let slots = || asked.iter().filter_map(|at| self.slots.get(*at)).filter(|slot| !slot.is_said);
        let turn = self.upcoming().map_or("", String::as_str);
        if slots().all(|slot| slot.ways.are_in(turn)) {
            return None;
        }
        let is_in_turn = slots().any(|slot| slot.ways.are_in(turn));
        let mut values = Vec::new();
        for at in asked {
            if let Some(slot) = self.slots.get_mut(*at).filter(|slot| slot.is_withheld && !slot.is_said) {
                slot.is_said = true;
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            false => Some(self.manner.reveal.replace("{}", &values.join(", and "))),
            // What a later turn says is not told before it.
            true if is_in_turn => None,
            true => Some(self.manner.unknown.to_owned()),
        }
    }

    /// Says once more what has been said; after that it only says that it has.
    fn repeat(&mut self, asked: &[usize]) -> String {
        let mut values = Vec::new();
        for at in asked {
            if let Some(slot) = self.slots.get_mut(*at).filter(|slot| !slot.is_repeated) {
                slot.is_repeated = true;
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            true => self.manner.told.to_owned(),
            false => self.manner.repeat.replace("{}", &values.join(", and ")),
        }
    }

    /// Yes or no from what the user has agreed to by now.
    fn confirm(&self, question: &str) -> Option<String> {
        let now = self.turns_said;
        let agreed = |tool: Option<&str>, from: usize, to: usize| {
            self.behaviour.consents.iter().any(|(turn, pattern)| {
                (from..=to).contains(&(*turn as usize))
                    && tool.is_none_or(|tool| pattern.source.tool == tool)
                    && !names_another(question, &pattern.source)
            })
        };
        let named = named(question, self.environment);
        let all = |from: usize, to: usize| match named.is_empty() {
            true => agreed(None, from, to),
            false => named.iter().all(|tool| agreed(Some(&tool.name), from, to)),
        };
        if all(now + 1, now + 1) {
            return None;
        }
        match (all(0, now), named.is_empty()) {
            (true, _) => Some(self.manner.yes.to_owned()),
            (false, false) => Some(self.manner.no.to_owned()),
            // The next turn was written as the reaction to a proposal.
            (false, true) if self.upcoming().is_some() => None,
            (false, true) => Some(self.manner.as_asked.to_owned()),
        }
    }

    /// Whether the next turn settles a contradiction.
    fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.settled_turns().any(|turn| turn.is_some_and(|turn| turn as usize == next))
    }

    fn has_open_contradiction(&self) -> bool {
        let now = self.turns_said;
        self.settled_turns().any(|turn| turn.is_none_or(|turn| turn as usize > now))
    }

    fn settled_turns(&self) -> impl Iterator<Item = Option<u32>> {
        self.behaviour.contradicts.iter().map(|hold| hold.source.settled_in_turn)
    }
}

impl User for ContractUser<'_> {
    fn speak(&mut self, reply: Option<&str>) -> Result<Option<Utterance>, UserFault> {
        Ok(self.next(reply))
    }
}

/// How a fact is said: a text as it is, anything else as people say it where the task knows how.
fn spoken(fact: &Fact) -> String {
    let value = fact.value.as_str().filter(|text| !text.contains('_')).map(str::to_owned);
    let also = || fact.also.first().cloned();
    let plain = || fact.value.as_str().map_or_else(|| fact.value.to_string(), |text| text.replace('_', " "));
    value.or_else(also).unwrap_or_else(plain)
}
