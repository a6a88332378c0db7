//! A decision of the contract user between things offered: by its facts, by what it said last, or to leave things as
//! they are.

use std::collections::BTreeSet;

use compact_str::CompactString;

use super::answer::{AS_IT_IS, Answer};
use super::asked::ASKED;
use super::choice::{affirmed, chosen, chosen_in, offers_things, proposal, shares_deed, speaks_of_several};
use super::confirmation::{
    adds, asks_for_leave, asks_meaning, asks_openly, is_usual, is_wish, named, shares, shares_any, verb, waits,
};
use super::contract::{ContractUser, Slot, spoken};
use super::manner::Line;
use super::part::said_back;
use super::sibling::is_kept;
use super::told::ways;
use super::utterance::Values;
use super::wish::Owned;
use crate::model::task_file::Fact;
use crate::task::question::Question;
use probity_prose::{Text, WordClass, lexicon::is, token::words};

impl<'a> ContractUser<'a> {
    /// Chooses by its facts, else by its next turn, else by what it said last; what is offered after the last one is
    /// more than it asked for.
    pub(super) fn decide(&self, question: &Question) -> Answer<'a> {
        if let Some(words) = self.own_choice(question).filter(|_| offers_things(question)) {
            return Answer::Choice(Self::as_deed(words, question));
        }
        if self.upcoming().is_some() {
            return Answer::Turn;
        }
        if let Some(answer) = self.choose_to_wait(question) {
            return answer;
        }
        if asks_meaning(question.text) && question.is_choice() {
            let has_figure = question.text.contains(|c: char| c.is_ascii_digit());
            return Answer::Line(if has_figure { Line::Unknown } else { Line::First });
        }
        let own = self.is_its_own(question.text);
        if !question.is_choice() && is_kept(question.text) && own == Owned::Not && !self.tells_own_day(question.text) {
            return Answer::Choice(AS_IT_IS.to_owned());
        }
        let is_its_matter = || self.said().iter().any(|turn| shares(turn, question.text));
        let is_offered = is_wish(question.text) || adds(question.text);
        Answer::Line(match is_wish(question.text) {
            _ if question.is_choice() && is_offered && own == Owned::Not => Line::Neither,
            _ if question.is_choice() && is_its_matter() => {
                return self.wish_about(question.text).map_or(Answer::Line(Line::Silent), Answer::Wish);
            }
            true if asks_openly(question.text) => Line::Silent,
            true => Line::Declined,
            false if question.is_choice() => Line::Silent,
            false => Line::Unknown,
        })
    }

    /// Of two days or times in parallel the one that it said; else the first, where it neither said nor ordered another
    /// of that kind, and no other record is told by them: *the 9:20 or the 10:45?*
    pub(super) fn choose_point(&self, question: &Question) -> Option<Answer<'a>> {
        let now = self.task.initial().clock();
        let (left, right) = question.text.split_once(" or ")?;
        if waits(right) || !named(right, self.task.environment()).is_empty() {
            return None;
        }
        let (left, right) = (Values::read(left, now), Values::read(right, now));
        let points = left.in_parallel(&right)?;
        let own = Values::read(&self.own(), now);
        let is_own = |point: &&str| Values::read(point, now).missing_from(&own).is_none();
        let mut said = points.into_iter().filter(is_own);
        match (said.next(), said.next()) {
            (Some(point), None) => return Some(Answer::Choice(point.to_owned())),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        let ordered = self.ordered.iter().flat_map(|call| call.arguments.values());
        let ordered = ordered.filter_map(|value| value.as_str().map(str::to_owned));
        let mut known = self.slots.iter().flat_map(|slot| ways(slot.fact)).chain(ordered);
        let first = Values::read(points.first()?, now);
        let asks_for_first = words(&self.said().join("\n")).iter().any(|word| ASKED.is_soonest(word));
        let is_free = asks_for_first || !known.any(|way| first.says_another(&Values::read(&way, now)));
        (is_free && !self.is_otherwise(question, &[])).then_some(Answer::Line(Line::First))
    }

    /// What it chooses of things offered: by a fact, but not against what it has said since; after its last turn by
    /// that alone.
    pub(super) fn own_choice(&self, question: &Question) -> Option<String> {
        // One thing more is none of those of which it spoke.
        if adds(question.text) {
            return None;
        }
        // Where it has spoken of both, a fact chooses only what it is asked for.
        let is_torn = speaks_of_several(question.text, self.said());
        let is_meant = |slot: &&Slot| !is_torn || slot.voice.cues.are_in(question.text);
        let facts = self.slots.iter().filter(|slot| slot.is_said && self.still_holds(slot)).filter(is_meant);
        let facts = facts.map(|slot| slot.fact);
        let last = self.said().last().map_or("", String::as_str);
        let is_fresh = |fact: &Fact| shares_any(&spoken(fact), last);
        let by_fact = chosen(question.text, facts);
        let by_turns = chosen_in(question.text, self.said());
        match (by_fact, by_turns) {
            (Some(fact), Some(words)) if !shares_any(&spoken(fact), &words) && !is_fresh(fact) => Some(words),
            (Some(fact), _) => Some(spoken(fact)),
            (None, words) => words.filter(|_| self.upcoming().is_none()),
        }
    }

    /// A deed that was chosen by its verb alone is said with what it is done to.
    pub(super) fn as_deed(chosen: String, question: &Question) -> String {
        let is_deed = |pair: &[CompactString]| matches!(pair, [who, deed] if matches!(who.as_str(), "i" | "we" | "to") && deed.as_str() == chosen.to_lowercase());
        // A name is none: *to Mole Street or to Harbour Lights?*
        let is_verb = chosen.starts_with(char::is_lowercase) && words(question.text).windows(2).any(is_deed);
        if is_verb { format!("{chosen} it") } else { chosen }
    }

    /// Whether all that a question offers together is wanted: *Yes to both, or only the first?*
    pub(super) fn wants_all(&self, question: &Question) -> bool {
        let environment = self.task.environment();
        let deeds = [question.text, question.before].map(|text| named(text, environment)).concat();
        match deeds.is_empty() {
            true => !question.before.trim().is_empty() && self.is_its_own(question.before) == Owned::Whole,
            false => deeds.iter().all(|tool| self.wants(tool)),
        }
    }

    /// The one deed that it wants of two, where each has a thing of its own: *freeze the card, or cancel it for good?*
    pub(super) fn deed_of(&self, question: &Question) -> Option<String> {
        let said = words(question.text);
        let (first, last) = question.text.rsplit_once(" or ")?;
        let has_object = matches!(words(last).as_slice(), [_, it, ..] if matches!(it.as_str(), "it" | "the" | "your" | "that" | "this" | "them"));
        let named = named(question.text, self.task.environment());
        let [tool] = named.as_slice() else { return None };
        let is_first = words(first).iter().any(|word| *word == verb(tool)) && said.contains(&verb(tool).into());
        let is_own = has_object && !shares_deed(question.text) && is_first && self.wants(tool);
        (is_own && self.own_instead(first, &[tool]).is_none()).then(|| format!("{} it", verb(tool)))
    }

    /// Chooses of several deeds offered the one that it wants, else to leave things as they are where that is offered.
    pub(super) fn choose_deed(&self, question: &Question, matter: Owned) -> Answer<'a> {
        let mut wanted = named(question.text, self.task.environment()).into_iter().filter(|tool| self.wants(tool));
        match (wanted.next(), wanted.next()) {
            // What is to be done is plain, and how was not asked for.
            _ if shares_deed(question.text) => Answer::Line(Line::Silent),
            (Some(tool), None) => Answer::Choice(format!("{} it", verb(tool))),
            (Some(_), Some(_)) => Answer::Line(Line::InPart),
            (None, _) => {
                self.own_deed(question).or_else(|| self.choose_to_wait(question)).unwrap_or_else(|| match matter {
                    Owned::Not => Answer::Line(Line::Neither),
                    Owned::Part if !self.is_within_wish(proposal(question), question) => Answer::Line(Line::Silent),
                    Owned::Part | Owned::Whole => {
                        said_back(proposal(question)).map_or(Answer::Line(Line::AsAsked), Answer::Choice)
                    }
                })
            }
        }
    }

    /// Of a deed and leaving things as they are: the deed where it has agreed to it and it is not done, else the other.
    fn choose_to_wait(&self, question: &Question) -> Option<Answer<'a>> {
        let mut pieces = question.text.split(" or ");
        let (first, second) = (pieces.next()?, pieces.next().filter(|_| pieces.next().is_none())?);
        let denies = |piece: &str| words(piece).iter().any(|word| is(WordClass::Negations, word));
        // What is said of the last thing is none: *or a new one, which costs nothing?*
        let last = second.split(',').next().unwrap_or_default();
        let (deed, other) = match [first, last].map(|piece| waits(piece) || denies(piece)) {
            [true, false] => (second, first),
            [false, true] => (first, second),
            _ => return None,
        };
        let is_own = || self.matter_of(deed, question) > Owned::Not && self.is_within_wish(deed, question);
        let is_wanted = !adds(deed) && (self.has_open_wish(question) || (asks_for_leave(deed) && is_own()));
        let said = said_back(if is_wanted { deed } else { other });
        Some(match (said, is_wanted) {
            (Some(said), _) => Answer::Choice(said),
            (None, true) => Answer::Line(Line::AsAsked),
            (None, false) => Answer::Choice("leave it".to_owned()),
        })
    }

    /// Whether words offer nothing beyond what it has spoken of: no thing more, no name, sum or record of another.
    fn is_within_wish(&self, text: &str, question: &Question) -> bool {
        let now = self.task.initial().clock();
        let (told, own) = (Values::read(text, now), Values::read(&self.own(), now));
        let known = Values::read(&[&self.own(), self.heard.as_str(), question.context].join("\n"), now);
        !adds(text)
            && !told.has_name_missing_from(&own)
            && !told.sum_missing_from(&known)
            && self.own_instead(text, &[]).is_none()
            && !self.is_otherwise(question, &[])
    }

    /// The one of several deeds offered that the user asked for in the same word: *May I add it, or shall I wait?*
    fn own_deed(&self, question: &Question) -> Option<Answer<'a>> {
        let asked = words(question.text);
        let deeds: Vec<&CompactString> = asked
            .windows(2)
            .filter_map(|pair| match pair {
                [who, deed] if matches!(who.as_str(), "i" | "we") && !is_usual(deed) && deed.len() > 1 => Some(deed),
                _ => None,
            })
            .collect();
        let own = |turn: &String| {
            let text = Text::read(turn);
            let said: BTreeSet<&str> = text.sentences.iter().flat_map(affirmed).collect();
            let own: Vec<&CompactString> = deeds.iter().copied().filter(|deed| said.contains(deed.as_str())).collect();
            (!own.is_empty()).then_some(own)
        };
        match self.said().iter().rev().find_map(own)?.as_slice() {
            [deed] => Some(Answer::Choice(format!("{deed} it"))),
            _ => None,
        }
    }
}
