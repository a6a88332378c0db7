//! What the contract user wants, and how much of what is said is about that.

use std::collections::BTreeSet;

use compact_str::CompactString;
use serde_json::Value;

use super::confirmation::{forms, named, shared_of, shares, speaks_of};
use super::contract::{ContractUser, spoken};
use super::told::deeds;
use super::utterance::Values;
use crate::task::OracleCall;
use crate::task::question::Question;
use probity_engine::Tool;
use probity_prose::{Amount, Sentence, sentence::sentences, token::words};

/// Most sentences of a wish that is said once more.
const MOST_SAID_AGAIN: usize = 2;

/// How much of what words are about the user has spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owned {
    Not,
    Part,
    Whole,
}

impl ContractUser<'_> {
    /// Whether a call is part of what it ordered, and agreed to where that is needed.
    pub(super) fn wants(&self, tool: &Tool) -> bool {
        match tool.confirm || tool.irreversible {
            true => self.is_wanted_by_now(&tool.name),
            false => self.came_for(&[tool]),
        }
    }

    /// Whether one of these calls is part of what the user wants done; so is whatever has no name.
    pub(super) fn came_for(&self, deeds: &[&Tool]) -> bool {
        let outcomes = self.behaviour.accept.iter().filter_map(|at| self.task.outcomes().get(*at));
        let mut calls = outcomes.flat_map(|outcome| &outcome.oracle);
        deeds.is_empty() || calls.any(|call| deeds.iter().any(|tool| tool.name == call.tool))
    }

    /// How much of what words are about the user has spoken of.
    pub(super) fn is_its_own(&self, text: &str) -> Owned {
        self.is_within(text, &self.own())
    }

    /// What the user has spoken of: its turns, the facts that it told, and what they order.
    pub(super) fn own(&self) -> String {
        let mut own = self.said().join("\n");
        let known = self.slots.iter().filter(|slot| slot.is_said).map(|slot| spoken(slot.fact));
        let orders = self.ordered.iter().filter_map(|call| {
            let tool = self.task.environment().tools().iter().find(|tool| tool.name == call.tool)?;
            Some(forms(tool).chain([tool.name.replace('_', " ")]).collect::<Vec<String>>().join(" "))
        });
        let by_now = self.behaviour.consents.iter().filter(|(turn, _)| *turn as usize <= self.turns_said);
        let agreed = by_now.map(|(_, call)| call.source.to_string());
        known.chain(orders).chain(agreed).for_each(|more| own.extend(["\n", &more]));
        own
    }

    /// How much of what words are about another text has.
    pub(super) fn is_within(&self, text: &str, other: &str) -> Owned {
        let now = self.task.initial().clock();
        let (shared, all) = shared_of(text, other);
        let has_foreign = Values::read(text, now).missing_from(&Values::read(other, now)).is_some();
        match () {
            () if shared == all && !has_foreign => Owned::Whole,
            () if shared * 2 >= all && (shared > 0 || all == 0) => Owned::Part,
            () => Owned::Not,
        }
    }

    /// What it wants, in the sentences of its last turn that ask for it.
    pub(super) fn wish_again(&self) -> Option<String> {
        let environment = self.task.environment();
        let asks = |sentence: &String| {
            let words = words(sentence);
            let is_plea = |word: &CompactString| matches!(word.as_str(), "please" | "pls" | "want" | "like" | "need");
            words.iter().any(is_plea) || !named(sentence, environment).is_empty()
        };
        self.said().iter().rev().find_map(|turn| {
            let said: Vec<String> = told_sentences(turn).filter(asks).take(MOST_SAID_AGAIN).collect();
            (!said.is_empty()).then(|| said.join(" "))
        })
    }

    /// What it last said of what a question is about; all that it wants where it said nothing of that.
    pub(super) fn wish_about(&self, question: &str) -> Option<String> {
        let about = |turn: &String| {
            let sentences = told_sentences(turn).map(|said| (shared_of(question, &said).0, said));
            sentences.filter(|(shared, _)| *shared > 0).max_by_key(|(shared, _)| *shared).map(|(_, said)| said)
        };
        self.said().iter().rev().find_map(about).or_else(|| self.wish_again())
    }

    /// Whether it wants a call that neither the agent before nor the sentences before a question tell as done.
    pub(super) fn is_open(&self, tool: &Tool, question: &Question) -> bool {
        let heard = [self.heard.as_str(), question.context].join("\n");
        self.wants(tool) && !deeds(&heard, self.task.environment()).iter().any(|deed| deed.tool.name == tool.name)
    }

    /// Whether a question is about a call that it has agreed to and that is not told as done: what it is about is known,
    /// and what stands before speaks of that.
    pub(super) fn has_open_wish(&self, question: &Question) -> bool {
        let environment = self.task.environment();
        let heard = [self.heard.as_str(), question.context].join("\n");
        let done = deeds(&heard, environment);
        let around = [heard.as_str(), question.text].concat();
        let is_open = |tool: &&Tool| {
            let agreed = self.behaviour.consents.iter();
            agreed.filter(|(turn, _)| *turn as usize <= self.turns_said).any(|(_, call)| call.source.tool == tool.name)
                && !done.iter().any(|deed| deed.tool.name == tool.name)
        };
        let last = self.said().last().map_or("", String::as_str);
        let is_spoken_of = |tool: &Tool| speaks_of(&around, &[tool], "") || shares(last, &around);
        // Its figures may be what the agent told; its words are the user's.
        let plain = |word: &CompactString| word.chars().all(char::is_alphabetic);
        let plain: Vec<CompactString> = words(question.text).into_iter().filter(plain).collect();
        let (shared, all) = shared_of(&plain.join(" "), &self.own());
        let now = self.task.initial().clock();
        let known = Values::read(&[&self.own(), around.as_str()].join("\n"), now);
        environment.tools().iter().filter(is_open).any(is_spoken_of)
            && shared * 2 >= all
            && Values::read(question.text, now).missing_from(&known).is_none()
    }

    /// Whether a question is about another record than those that its orders of these calls are about, or about
    /// another amount: *the stay from 7 August* for that from 26 June.
    pub(super) fn is_otherwise(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let (state, now) = (self.task.initial(), self.task.initial().clock());
        let (told, said) = (Values::read(question.text, now), words(question.text));
        let tells = |field: &Value| field.as_str().is_some_and(|field| told.tells(field, &said));
        let is_asked = |call: &&OracleCall| deeds.is_empty() || deeds.iter().any(|tool| call.is_by(&tool.name));
        let calls = || self.ordered.iter().filter(is_asked);
        let keys: BTreeSet<&str> = calls().flat_map(|call| call.arguments.values()).filter_map(Value::as_str).collect();
        // What its own record is bound to is no other: *from Staff desks to Printers*.
        let slots = 0..state.shape().slots.len();
        let records: Vec<_> = slots.flat_map(|slot| keys.iter().filter_map(move |key| state.get(slot, key))).collect();
        let is_bound = |key: &str| records.iter().flat_map(|own| own.values()).any(|field| field.as_str() == Some(key));
        let is_foreign = |slot: usize| {
            let own: Vec<_> = keys.iter().filter_map(|key| state.get(slot, key)).collect();
            let is_alone = |name: &str, field: &Value| {
                state.entities(slot).filter(|(_, other)| other.get(name) == Some(field)).nth(1).is_none()
            };
            let names = |(name, field): (&String, &Value)| {
                tells(field) && is_alone(name, field) && !own.iter().any(|own| own.get(name).is_some_and(tells))
            };
            let mut others =
                state.entities(slot).filter(|(key, _)| !keys.contains(key.as_str()) && !is_bound(key.as_str()));
            !own.is_empty() && others.any(|(_, other)| other.iter().any(names))
        };
        let amounts: Vec<Amount> = calls()
            .flat_map(|call| call.arguments.values())
            .filter_map(|value| Amount::of(value.as_number()?))
            .collect();
        let known = [&self.own(), self.heard.as_str(), question.context].join("\n");
        let is_new_sum = || told.sum_missing_from(&Values::read(&known, now));
        (0..state.shape().slots.len()).any(is_foreign)
            || (!amounts.is_empty() && is_new_sum() && !amounts.iter().any(|amount| told.has_amount(*amount)))
    }

    /// Whether nothing that words are about is the user's, and they do not only ask whether it was understood.
    pub(super) fn is_foreign(&self, text: &str) -> bool {
        let (shared, all) = shared_of(text, &self.own());
        let asks =
            |word: &CompactString| matches!(word.as_str(), "right" | "correct" | "understood" | "sure" | "agree");
        shared == 0 && all > 1 && !words(text).iter().any(asks)
    }

    /// Whether words name somebody or something of whom neither the user nor the agent has spoken before.
    pub(super) fn names_somebody_new(&self, text: &str) -> bool {
        let now = self.task.initial().clock();
        let known = Values::read(&[&self.said().join("\n"), self.heard.as_str()].join("\n"), now);
        let value = Values::read(text, now);
        value.missing_from(&known).is_some_and(|value| value.chars().all(|c| c.is_alphabetic() || c == ' '))
    }
}

/// The sentences of a turn that tell or order something.
fn told_sentences(turn: &str) -> impl Iterator<Item = String> + '_ {
    let text = move |sentence: &Sentence| {
        let (from, to) = sentence.span(0, sentence.words.len());
        let said: String = turn.chars().skip(from).take(to.saturating_sub(from)).collect();
        format!("{said}.")
    };
    sentences(turn).into_iter().filter(|sentence| !sentence.is_question).map(move |sentence| text(&sentence))
}
