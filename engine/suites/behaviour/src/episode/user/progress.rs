//! The calls that the contract user ordered, turn by turn, and which of them are done; and what it waits for before its
//! next turn.

use super::asked::ASKED;
use super::confirmation::{asks_for_leave, offers_help, offers_things};
use super::contract::ContractUser;
use super::decision::Decision;
use super::kept_text::{questions, sentences_of, words};
use super::manner::Line;
use crate::task::OracleCall;
use crate::task::presumption::Premise;
use crate::task::question::Question;
use probity_engine::{Effect, Tool};
use probity_prose::{Calendar, Reply};

impl ContractUser<'_> {
    /// Whether a call is part of what it ordered, and agreed to where that is needed.
    pub(super) fn wants(&self, tool: &Tool) -> bool {
        match tool.confirm || tool.irreversible {
            true => self.is_wanted_by_now(&tool.name),
            false => self.ordered.iter().any(|call| call.is_by(&tool.name)),
        }
    }

    /// The calls of a tool, or of all, that its turns so far order.
    pub(super) fn ordered_by_now(&self, tool: &str) -> impl Iterator<Item = &OracleCall> {
        let by_now = self.ordered.iter().zip(&self.behaviour.segments);
        by_now
            .filter(|(_, turn)| **turn as usize <= self.turns_said)
            .map(|(call, _)| call)
            .filter(move |call| tool.is_empty() || call.is_by(tool))
    }

    /// The calls that a turn orders: those of its segment, and those that wait in this variant for a later one.
    fn ordered_in(&self, turn: usize) -> impl Iterator<Item = &OracleCall> {
        let calls = self.ordered.iter().zip(&self.behaviour.segments);
        let is_of = move |(call, segment): &(&OracleCall, &u32)| {
            (call.segment.min(**segment) as usize..=**segment as usize).contains(&turn)
        };
        calls.filter(is_of).map(|(call, _)| call).filter(|call| self.is_write(call))
    }

    /// Whether its turns so far order any change.
    pub(super) fn has_ordered(&self) -> bool {
        self.ordered_by_now("").any(|call| self.is_write(call))
    }

    /// Whether all that it ordered of a tool is made, or told as done.
    pub(super) fn is_done(&self, tool: &str) -> bool {
        let mut calls = self.ordered_by_now(tool).peekable();
        calls.peek().is_some() && calls.all(|call| self.is_call_done(call))
    }

    fn is_call_done(&self, call: &OracleCall) -> bool {
        self.made.iter().any(|made| std::ptr::eq(*made, call)) || self.told.contains(&call.tool.as_str())
    }

    /// Whether all that a turn orders is done.
    pub(super) fn is_finished(&self, turn: usize) -> bool {
        let mut calls = self.ordered_in(turn).peekable();
        calls.peek().is_some() && calls.all(|call| self.is_call_done(call))
    }

    /// Whether a turn after which it has said another is replaced by that: it orders nothing itself, and a later one does.
    pub(super) fn is_replaced(&self, turn: usize) -> bool {
        let last = self.said().len();
        self.ordered_in(turn).next().is_none() && (turn + 1..=last).any(|later| self.ordered_in(later).next().is_some())
    }

    /// Whether all that it will ever order is done.
    pub(super) fn has_all(&self) -> bool {
        self.upcoming().is_none() && self.has_ordered() && self.wish("").is_none()
    }

    /// Whether a sentence is, or is part of, what its standing turns order, and all of that is done.
    pub(super) fn is_over(&self, said: &str) -> bool {
        self.has_all() && self.orders().iter().any(|(_, order)| order.contains(said))
    }

    pub(super) fn is_write(&self, call: &OracleCall) -> bool {
        let mut tools = self.task.environment().tools().iter();
        tools.any(|tool| tool.name == call.tool && tool.effect != Effect::Read)
    }
}

impl<'a> ContractUser<'a> {
    /// Remembers what a reply makes so of all that its turns take for granted, and what the next one lacks.
    pub(super) fn grant(&mut self, reply: &str) {
        let now = self.task.initial().clock();
        let is_made = |tool: &str| {
            self.called.contains(tool) || self.told.contains(&tool) || self.made.iter().any(|call| call.is_by(tool))
        };
        let asked: Vec<Question> =
            questions(reply).into_iter().filter(|question| !offers_help(question.text)).collect();
        let voices = self.task.voices();
        // What it has told or confirmed by now needs no more asking.
        let said: Vec<&str> =
            self.slots.iter().filter(|slot| slot.is_said).map(|slot| slot.voice.name.as_str()).collect();
        let is_asked = |facts: &[String]| {
            let mut voices = voices.iter().filter(|voice| facts.contains(&voice.name));
            facts.iter().any(|fact| said.contains(&fact.as_str()))
                || voices.any(|voice| asked.iter().any(|question| voice.is_asked_in(question)))
        };
        if !self.granted.iter().all(|granted| *granted) {
            let read = Reply::read(reply, &Calendar::at(now));
            for ((_, premise), granted) in self.premises.iter().zip(&mut self.granted).filter(|(_, granted)| !**granted)
            {
                *granted = match premise {
                    Premise::Asked(facts) => is_asked(facts),
                    Premise::Made(tool) => is_made(tool),
                    told @ (Premise::Told(_) | Premise::Value(_)) => told.is_told_by(&read),
                };
            }
        }
        let next = self.turns_said + 1;
        let open = self.premises.iter().zip(&self.granted).filter(|((turn, premise), granted)| {
            // Who is asked nothing gives what it has left out.
            let is_idle = matches!(premise, Premise::Asked(_)) && asked.is_empty();
            *turn as usize == next && !**granted && !is_idle
        });
        self.awaited = open.map(|((_, premise), _)| premise).next();
    }

    /// How it takes a reply before the turn that waits: nothing that would end the matter, or say that it knows no more.
    pub(super) fn patient(&self, decision: Decision<'a>, has_facts: bool, reply: &str) -> Decision<'a> {
        let is_for_price = self.awaited.is_some_and(Premise::is_price) && self.is_asked_for_next(reply);
        match decision {
            _ if is_for_price => Decision::Waiting,
            Decision::Wish | Decision::Leave(_) | Decision::No(_) | Decision::NotThat(_)
                if self.has_only_asked() && is_of_will(reply) =>
            {
                Decision::Asking
            }
            Decision::Turn | Decision::Nothing | Decision::Closing | Decision::Said(Line::Closing) if has_facts => {
                Decision::Nothing
            }
            Decision::Turn | Decision::Nothing | Decision::Closing | Decision::Said(Line::Closing) => Decision::Waiting,
            Decision::Wish if has_facts && self.wish("").is_none() => Decision::Nothing,
            decision => decision,
        }
    }

    /// Whether it has asked for something and ordered nothing, in words or by what its turns come to.
    fn has_only_asked(&self) -> bool {
        let said = sentences_of(self.said().last().map_or("", String::as_str));
        let asks = |(said, is_question): &(String, bool)| *is_question || ASKED.knowing.are_in(said);
        let orders = |(said, is_question): &(String, bool)| {
            let is_verb = |word: &str| self.is_deed(word);
            let has_verb = || words(said).iter().any(|word| self.task.writes().any(|(_, tool)| tool.verb() == word));
            ASKED.orders(said, *is_question) && (has_verb() || ASKED.begins(said, is_verb))
        };
        !self.has_ordered() && said.iter().any(asks) && !said.iter().any(orders)
    }

    /// Says what it waits for: the price, what it has asked itself, or no more than that it waits.
    pub(super) fn wait(&mut self) -> String {
        if self.awaited.is_some_and(Premise::is_price) {
            return self.line(Line::Price);
        }
        let said = sentences_of(self.said().last().map_or("", String::as_str));
        let asked = said.iter().filter(|(said, is_question)| *is_question || ASKED.knowing.are_in(said));
        let asked: Vec<&str> = asked.map(|(said, _)| said.as_str()).collect();
        match Some(asked.join(" ")).filter(|asked| !asked.is_empty() && *asked != self.last_about) {
            Some(asked) => {
                self.last_about.clone_from(&asked);
                self.line_of(Line::Wish, &asked)
            }
            None if asked.is_empty() => self.line(Line::Stands),
            None => self.line(Line::Waiting),
        }
    }
}

/// Whether a reply asks what the user would like to be done.
fn is_of_will(reply: &str) -> bool {
    let is_of_will = |question: &Question| match offers_things(question) {
        true => ASKED.asks_how_far(question.text),
        false => asks_for_leave(question.text),
    };
    questions(reply).iter().any(is_of_will)
}
