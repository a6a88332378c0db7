//! What the contract user tells of its facts: for the first time, again, and whether they are right; and which of what
//! is offered it takes.

use std::collections::BTreeSet;

use compact_str::CompactString;

use super::asked::ASKED;
use super::confirmation::{asks_again, asks_name, asks_who, named, offers_things, tellings};
use super::contract::{ContractUser, Slot, capitalised, is_day, spoken};
use super::hearing::{Recall, recall};
use super::kept_text::{sentences_of, words};
use super::manner::Line;
use super::utterance::capitalised as capitalised_words;
use super::wish::{MOST_OF_NAME, without_yes};
use crate::task::question::Question;
use probity_prose::{WordClass, lexicon::is};

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

/// Most words before the value of a thing offered: *or to the sea*.
const MOST_BEFORE_OPTION: usize = 2;

impl ContractUser<'_> {
    /// The one of its facts that questions offer to choose, as it stands: *the sea, or the garden?*
    pub(super) fn own_option(&self, questions: &[Question]) -> Option<usize> {
        let is_plain = |question: &&Question| offers_things(question) && named(question.text, self.task).is_empty();
        let ends_with = |(at, piece): (usize, &str), slot: &Slot| {
            // `What time did you get on line 3, or did you walk?` asks for no line.
            if at == 0 && piece.rsplit(',').next().is_some_and(|clause| ASKED.inquires(clause)) {
                return false;
            }
            let said = words(piece);
            // *Monday* may be another Monday.
            let is_told =
                |way: &String| !way.is_empty() && (!is_day(slot.fact) || way.contains(|c: char| c.is_ascii_digit()));
            slot.fact.ways().filter(is_told).any(|way| {
                let way = words(&way);
                let before = said.get(..said.len().saturating_sub(way.len())).unwrap_or_default();
                let telling = before.iter().filter(|word| !ASKED.small.has(word) && !is(WordClass::Common, word));
                said.ends_with(&way) && (at == 0 || telling.count() <= MOST_BEFORE_OPTION)
            })
        };
        let is_open = self.upcoming().is_some() || self.wish("").is_some();
        let is_offered = |slot: &Slot| {
            let pieces = |question: &Question| -> Vec<(usize, String)> {
                let pieces = question.text.split(" or ").map(|piece| piece.trim_end_matches([',', '?']).to_owned());
                pieces.enumerate().collect()
            };
            let pieces: Vec<(usize, String)> = questions.iter().filter(is_plain).flat_map(pieces).collect();
            let texts: Vec<&str> = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
            is_open
                && slot.is_said
                && self.still_holds(slot)
                && (pieces.iter().any(|(at, piece)| ends_with((*at, piece), slot)) || is_one_of(slot, &texts))
        };
        // Who speaks of the other thing as well does not choose.
        let own = self.standing().join("\n");
        let is_among_own = |slot: &Slot| {
            let value = spoken(slot.fact);
            let offered =
                questions.iter().filter(is_plain).flat_map(|question| question.text.split(" or ").enumerate());
            // `Would you like to have the sea`: only the end of what stands first is a thing offered.
            let things = offered.map(|(at, piece)| if at == 0 { last_words(piece, MOST_BEFORE_OPTION) } else { piece });
            let mut others = things.filter(|piece| !slot.voice.ways.are_in(piece));
            others.any(|piece| is_new_in(piece, &value, &own))
        };
        let offered = (0..).zip(&self.slots).filter(|(_, slot)| is_offered(slot) && !is_among_own(slot));
        let mut offered = offered.map(|(at, _)| at);
        offered.next().filter(|_| offered.next().is_none())
    }

    /// Chooses a fact.
    pub(super) fn choose(&mut self, at: usize) -> Option<String> {
        let own = spoken(self.slots.get(at)?.fact);
        Some(capitalised(&self.line_of(Line::Choice, &own)))
    }
}

/// Whether one of several things is named by a fact, and the others share another name with it: *Olan Grieve in design, or
/// Owen Grieve?*
fn is_one_of(slot: &Slot, things: &[&str]) -> bool {
    let (named, others): (Vec<&&str>, Vec<&&str>) = things.iter().partition(|thing| slot.voice.ways.are_in(thing));
    let names = |thing: &str| capitalised_words(thing).collect::<BTreeSet<String>>();
    let [named] = named.as_slice() else { return false };
    let own = names(named);
    !slot.is_who && !others.is_empty() && others.iter().all(|other| !names(other).is_disjoint(&own))
}

/// The end of a text.
fn last_words(text: &str, most: usize) -> &str {
    let start = text.trim_end().rmatch_indices(' ').map(|(at, _)| at).nth(most.saturating_sub(1));
    start.and_then(|at| text.get(at..)).unwrap_or(text)
}

/// Whether words have something of a text beside a value of it.
fn is_new_in(piece: &str, value: &str, text: &str) -> bool {
    let (said, value) = (words(piece), words(value));
    let rest: Vec<&str> = said.iter().filter(|word| !value.contains(word)).map(CompactString::as_str).collect();
    tellings(&rest.join(" "), text).0 > 0
}
