//! What the contract user tells of its facts: for the first time, again, and whether they are right.

use std::collections::BTreeSet;

use super::confirmation::{asks_again, asks_name, asks_who, tellings};
use super::contract::{ContractUser, Slot, spoken};
use super::kept_text::{sentences_of, words};
use super::manner::Line;
use super::recall::{Recall, recall};
use super::wish::{MOST_OF_NAME, without_yes};
use crate::task::question::Question;

/// Most words of a sentence that is said again, for a fact in it or what it is about.
const MOST_OF_SENTENCE: usize = 40;

impl ContractUser<'_> {
    /// Says once more what it has said of these facts, as often as they are asked for: who it is by the values, the rest
    /// in the sentence that told it. In front of a turn only who it is, and what is asked for *again*.
    pub(super) fn tell_again(
        &mut self,
        asked: &[usize],
        about: Vec<String>,
        questions: &[Question],
        is_before_turn: bool,
    ) -> Vec<String> {
        let turn = self.upcoming().filter(|_| is_before_turn).map_or("", String::as_str);
        let is_for_name = questions.iter().any(|question| asks_who(question.text) || asks_name(question.text));
        let is_again = questions.iter().any(|question| asks_again(question.text));
        let (mut values, mut sentences) = (Vec::<String>::new(), about);
        for at in asked {
            let Some(slot) = self.slots.get(*at) else { continue };
            let is_left_to_turn = is_before_turn && ((!slot.is_who && !is_again) || slot.voice.ways.are_in(turn));
            if is_left_to_turn || !self.still_holds(slot) {
                continue;
            }
            let name = self.own_name().filter(|_| slot.is_name && is_for_name);
            let sentence = if slot.is_who || is_again { None } else { self.sentence_with(slot) };
            let sentence = sentence.filter(|said| !self.is_over(said));
            match sentence {
                Some(sentence) => sentences.push(sentence),
                None => values.push(name.unwrap_or_else(|| spoken(slot.fact))),
            }
        }
        asked.iter().for_each(|at| {
            if let Some(slot) = self.slots.get_mut(*at) {
                slot.is_judged = true;
            }
        });
        let mut said = BTreeSet::new();
        values.retain(|value| said.insert(value.clone()));
        sentences.retain(|sentence| said.insert(sentence.clone()));
        match (values.is_empty(), sentences.is_empty()) {
            (true, true) => Vec::new(),
            (true, false) => vec![self.line_of(Line::Wish, &sentences.join(" "))],
            (false, _) => [vec![self.line_of(Line::Repeat, &values.join(", and "))], sentences].concat(),
        }
    }

    /// The last sentence of its standing turns that tells a fact and is no question, where that is short.
    fn sentence_with(&self, slot: &Slot) -> Option<String> {
        let standing = self.standing();
        let last = standing.len().saturating_sub(1);
        let is_it = |said: &str, is_question: bool, is_last: bool| {
            let is_plain = || {
                !is_question
                    || is_last
                        && self.slots.iter().filter(|slot| !slot.is_who && slot.voice.ways.are_in(said)).count() > 1
            };
            slot.voice.ways.are_in(said) && !self.tells_who(said) && words(said).len() <= MOST_OF_SENTENCE && is_plain()
        };
        standing.iter().enumerate().rev().find_map(|(at, turn)| {
            let told = sentences_of(turn);
            let mut told = told.iter().filter(|(said, is_question)| is_it(said, *is_question, at == last));
            told.find_map(|(said, _)| without_yes(said))
        })
    }

    /// The sentence of its standing turns that has most in common with what is asked, where any has something.
    pub(super) fn sentence_about(&self, asked: &str) -> Option<String> {
        let told = self.standing_sentences().into_iter();
        let is_who = |said: &str| self.tells_who(said) && words(said).len() <= MOST_OF_NAME;
        let is_of_other = self.names_somebody(asked);
        let is_about = |said: &str| !(is_who(said) || (is_of_other && self.tells_who(said)));
        let told = told.filter(|(said, _)| is_about(said) && words(said).len() <= MOST_OF_SENTENCE);
        let shared = told.map(|(said, is_question)| ((tellings(asked, &said).0, !is_question), said));
        // What it asked itself only where it has told nothing of it.
        let shared = shared.filter(|((shared, _), _)| *shared > 0);
        let most = shared.reduce(|most, next| if next.0 >= most.0 { next } else { most });
        most.and_then(|(_, said)| without_yes(&said))
    }

    /// Which of its facts are not said with its wish, which tells them together with the rest.
    pub(super) fn not_in_wish(&self, asked: &[usize], reply: &str) -> Vec<usize> {
        let wish = self.wish(reply).unwrap_or_default();
        let is_in_wish = |at: &usize| {
            let slot = self.slots.get(*at);
            slot.is_some_and(|slot| slot.is_said && !slot.is_who && slot.voice.ways.are_in(&wish))
        };
        asked.iter().copied().filter(|at| !is_in_wish(at)).collect()
    }

    /// Whether it has an answer to what asks for a fact: what a later turn says is not told before it.
    pub(super) fn is_answered(&self, slot: &Slot) -> bool {
        let is_next = || self.upcoming().is_some_and(|turn| slot.voice.ways.are_in(turn));
        slot.is_said || slot.is_withheld || self.is_own_and_silent(slot) || is_next() || self.is_in_waiting(slot)
    }

    /// What questions say of a fact that was said; of a withheld one only that they have it right.
    pub(super) fn held_up(&self, slot: &Slot, questions: &[Question]) -> Option<Recall> {
        let now = self.task.initial().clock();
        // `Is it Mr Grieve, badge 33120?` is of somebody else's.
        let mut own = questions.iter().filter(|question| !(slot.is_who && self.names_somebody(question.text)));
        let recalled = own.find_map(|question| recall(question, slot.voice, slot.fact, slot.is_who, now));
        recalled.filter(|recall| slot.is_said || (slot.is_withheld && *recall == Recall::Same))
    }

    /// Says of each fact that is held up whether it is right.
    pub(super) fn judge(&mut self, held: &[Option<Recall>]) -> Vec<String> {
        let judge = |(slot, held): (&mut Slot, &Option<Recall>)| {
            slot.is_judged = held.is_some();
            slot.is_said |= slot.is_judged;
            let lines = match held.as_ref()? {
                Recall::Same => Line::Right,
                Recall::Other => Line::Wrong,
                Recall::Either => Line::Choice,
            };
            Some((lines, spoken(slot.fact)))
        };
        let mut judged: Vec<(Line, String)> = self.slots.iter_mut().zip(held).filter_map(judge).collect();
        self.own.take();
        // Beside what is wrong nothing is confirmed.
        if judged.iter().any(|(line, _)| *line == Line::Wrong) {
            judged.retain(|(line, _)| *line != Line::Right);
        }
        judged.into_iter().map(|(lines, value)| self.line_of(lines, &value)).collect()
    }

    /// Reveals what was withheld; nothing when the next turn tells it.
    pub(super) fn tell(&mut self, asked: &[usize]) -> Option<Vec<String>> {
        let slots = || asked.iter().filter_map(|at| self.slots.get(*at)).filter(|slot| !slot.is_said);
        let turn = self.upcoming().map_or("", String::as_str);
        if slots().all(|slot| slot.voice.ways.are_in(turn)) {
            return None;
        }
        let is_in_turn = slots().any(|slot| slot.voice.ways.are_in(turn));
        let is_told = |slot: &Slot| {
            !slot.is_said && (slot.is_withheld || self.is_own_and_silent(slot) || self.is_in_waiting(slot))
        };
        let told: Vec<usize> = asked.iter().copied().filter(|at| self.slots.get(*at).is_some_and(is_told)).collect();
        let mut values = Vec::new();
        for at in told {
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_said = true;
                values.push(spoken(slot.fact));
            }
        }
        self.own.take();
        match values.is_empty() {
            false => Some(vec![self.line_of(Line::Reveal, &values.join(", and "))]),
            true if is_in_turn => None,
            true => Some(Vec::new()),
        }
    }

    /// Whether a fact is as true as when it was said: who has changed its mind keeps to who it is, and to what it says
    /// after that.
    pub(super) fn still_holds(&self, slot: &Slot) -> bool {
        let has_switched = self.is_switching && self.turns_said > 1;
        let is_said_since = || self.said().last().is_some_and(|turn| slot.voice.ways.are_in(turn));
        !has_switched || is_said_since() || slot.is_who
    }

    /// Whether the turn that waits would tell a fact, which is told before it.
    fn is_in_waiting(&self, slot: &Slot) -> bool {
        let value = spoken(slot.fact);
        // One that is withheld may be told in the same words, and has not been asked for.
        let is_held_back = |other: &Slot| other.is_withheld && !other.is_said && other.voice.ways.are_in(&value);
        self.waiting().is_some_and(|turn| slot.voice.ways.are_in(turn))
            && (slot.is_withheld || !self.slots.iter().any(is_held_back))
    }

    /// Whether a fact is who somebody is, and no turn says it: *And your birth date?* is answered all the same.
    fn is_own_and_silent(&self, slot: &Slot) -> bool {
        !self.behaviour.turns.iter().any(|turn| slot.voice.ways.are_in(turn)) && slot.is_who
    }
}
