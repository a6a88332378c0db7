//! What the contract user answers to the questions of a reply: the facts that are asked for, each as often as it is, and
//! how it takes the rest.

use std::collections::BTreeSet;

use probity_bench::MAX_EXTRA_REPLIES;

use super::asked::ASKED;
use super::confirmation::{asks_again, asks_wish_again, tellings};
use super::contract::{ContractUser, Slot};
use super::decision::{Decision, Leave};
use super::hearing::{Hearing, asked_in};
use super::manner::Line;
use super::recall::Recall;
use crate::task::question::Question;

/// What it says to a reply beside its turns.
pub(super) struct Answer<'a> {
    /// What it tells of its facts.
    pub facts: Vec<String>,
    pub decision: Decision<'a>,
    /// What it says of a question that is left beside those that it answers.
    pub open: Option<Line>,
}

impl<'a> ContractUser<'a> {
    /// What it tells of the facts after a reply, and how it takes the rest.
    ///
    /// After *Is 4402 7719 0356 right, and shall I pay 350?* that the number is right, and the turn that says yes.
    pub(super) fn answer(&mut self, reply: &str) -> Answer<'a> {
        self.slots.iter_mut().for_each(|slot| slot.is_judged = false);
        let Hearing { questions, sorted, held, named, misheard, chosen, mut known, news } = self.hear(reply);
        if questions.is_empty() {
            return Answer { facts: Vec::new(), decision: Decision::Nothing, open: None };
        }
        if self.is_offered_more(&questions) {
            known.clear();
        }
        let is_wrong = held.contains(&Some(Recall::Other)) || !misheard.is_empty();
        let mut facts = self.judge(&held);
        let unsaid = misheard.into_iter().filter(|own| !facts.iter().any(|fact| fact.contains(own.as_str())));
        let unsaid: Vec<String> = unsaid.collect();
        facts.extend(unsaid.iter().map(|own| self.line_of(Line::Wrong, own)));
        // A yes waits until what is wrong has been put right, and none stands beside it.
        let held_back = |decision: Decision<'a>| match decision {
            Decision::Turn if is_wrong && self.agrees_in_next() => Decision::Nothing,
            Decision::Leave(Leave::Beside | Leave::IfOrdered) if is_wrong => Decision::Wish,
            Decision::Said(_) | Decision::Leave(_) if is_wrong && self.wish("").is_some() => Decision::Wish,
            Decision::Said(_) | Decision::Leave(_) if is_wrong => Decision::Nothing,
            decision => decision,
        };
        let ((taken, mut open), turn) = (self.take(&sorted), held_back(Decision::Turn));
        let mut decision = held_back(taken);
        facts.extend(named.map(|own| self.line_of(Line::Right, &own)));
        let known_by: BTreeSet<String> = questions.iter().filter_map(|question| self.own_field(question)).collect();
        facts.extend(known_by.iter().map(|own| self.line_of(Line::Reveal, own)));
        // The next turn chooses for itself.
        facts.extend(chosen.filter(|_| decision != Decision::Turn).and_then(|at| self.choose(at)));
        let is_told = !(known.is_empty() && news.is_empty() && facts.is_empty());
        // Before it goes it has said once more what it still wants.
        if decision == Decision::Nothing && is_told && self.is_last_word() {
            decision = Decision::Wish;
        }
        if matches!(decision, Decision::Wish | Decision::Leave(Leave::Beside | Leave::IfOrdered) | Decision::NotThat(_))
            && !questions.iter().any(|question| asks_again(question.text))
        {
            known = self.not_in_wish(&known, reply);
        }
        let told = if news.is_empty() { Some(Vec::new()).filter(|_| !self.settles_next()) } else { self.tell(&news) };
        match told {
            Some(told) => facts.extend(told),
            None => decision = turn.clone(),
        }
        // What else is asked of what it has spoken of is told beside the facts.
        let mut about = Vec::new();
        if let Decision::Inquiry(inquired) = &decision
            && !(known.is_empty() && facts.is_empty())
        {
            about.extend(inquired.lines().filter_map(|asked| self.sentence_about(asked)));
            let is_told = !about.is_empty() || inquired.lines().all(|asked| tellings(asked, "").1 == 0);
            if !is_told && self.upcoming().is_none() {
                open = open.or(Some(Line::Rest));
            }
            decision = if is_told || self.upcoming().is_none() { Decision::Nothing } else { turn };
        }
        let again = self.tell_again(&known, about, &questions, decision == Decision::Turn);
        // What it told holds no more.
        if !known.is_empty() && again.is_empty() && facts.is_empty() && decision == Decision::Nothing {
            decision = Decision::Wish;
        }
        facts.extend(again);
        Answer { facts, decision, open }
    }

    /// Whether it has all that it ordered, and is asked what more it would like: then nothing is asked of what it told.
    fn is_offered_more(&self, questions: &[Question]) -> bool {
        let is_again = |text: &str| asks_again(text) || asks_wish_again(text);
        let mut marked = questions.iter().filter(|question| question.is_marked && !is_again(question.text));
        self.has_all() && marked.any(|question| ASKED.wills(question.text))
    }

    /// What a reply asks for once more when it can answer nothing else beside its turns.
    pub(super) fn told_again(&mut self, reply: &str) -> Vec<String> {
        let questions = asked_in(reply);
        let is_asked = |slot: &Slot| slot.is_said && questions.iter().any(|question| slot.is_asked_in(question));
        let asked = (0..).zip(&self.slots).filter(|(_, slot)| is_asked(slot)).map(|(at, _)| at);
        let asked: Vec<usize> = asked.filter(|_| self.upcoming().is_some()).collect();
        self.tell_again(&asked, Vec::new(), &questions, true)
    }

    /// Whether this is the last that it may say beside its turns, none of them is left, and what it wants is not said.
    pub(super) fn is_last_word(&self) -> bool {
        let is_last = self.extras + 1 == MAX_EXTRA_REPLIES && self.upcoming().is_none() && !self.is_wish_told;
        is_last && self.wish("").is_some()
    }
}
