//! What the contract user objects to: another value than its own, what was done before its yes, and what it never
//! asked for.

use std::sync::LazyLock;

use serde::Deserialize;

use super::contract::{ContractUser, spoken};
use super::told::{ToldChange, deeds, is_of_another, is_of_the_past, is_told_otherwise, offers};
use crate::model::task_file::Fact;
use probity_prose::token::{whole_words, words};
use probity_prose::{Sentence, Vocabulary, WordClass, lexicon::is, sentence::sentences};

/// What tells of a favour; the vocabulary says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FavourCue {
    Gift,
    Giving,
}

static CUES: LazyLock<Vocabulary<FavourCue>> = LazyLock::new(|| Vocabulary::of("favour"));

/// What has been objected to, each thing once.
#[derive(Default)]
pub(super) struct Objected<'a> {
    tools: Vec<&'a str>,
    has_promise: bool,
}

impl<'a> ContractUser<'a> {
    /// What it says against what a reply tells.
    pub(super) fn object(&mut self, reply: &str) -> Vec<String> {
        let deeds = deeds(reply, self.task.environment());
        let mut said = self.object_to_values(&deeds);
        said.extend(self.object_to_deeds(&deeds));
        if self.promises_more(reply) && !self.objected.has_promise {
            self.objected.has_promise = true;
            said.push(self.manner.unasked.to_owned());
        }
        said
    }

    /// Says of each value of its own with which something was done otherwise, once, what it had said.
    fn object_to_values(&mut self, deeds: &[ToldChange]) -> Vec<String> {
        let (manner, ordered, now) = (self.manner, self.ordered, self.task.initial().clock());
        let facts: Vec<&Fact> = self.slots.iter().map(|slot| slot.fact).collect();
        let said = self.slots.iter_mut().filter(|slot| slot.is_said && !slot.is_objected);
        let is_wrong = |deed: &ToldChange, fact: &Fact| {
            is_told_otherwise(deed, fact, ordered, now) && !is_of_another(&deed.clause, fact, &facts, ordered, now)
        };
        let wrong = said.filter(|slot| deeds.iter().any(|deed| is_wrong(deed, slot.fact)));
        let object = wrong.map(|slot| {
            slot.is_objected = true;
            manner.objection.replace("{}", &spoken(slot.fact))
        });
        object.collect()
    }

    /// Says the same of what is yet to be done, of each value once.
    pub(super) fn correct(&mut self, reply: &str) -> Vec<String> {
        let (manner, ordered, now) = (self.manner, self.ordered, self.task.initial().clock());
        let offers = offers(reply, self.task.environment());
        let facts: Vec<&Fact> = self.slots.iter().map(|slot| slot.fact).collect();
        let is_wrong = |deed: &ToldChange, fact: &Fact| {
            is_told_otherwise(deed, fact, ordered, now) && !is_of_another(&deed.clause, fact, &facts, ordered, now)
        };
        let said = self.slots.iter_mut().filter(|slot| slot.is_said && !slot.is_corrected);
        let wrong =
            said.filter(|slot| !slot.voice.ways.are_in(reply) && offers.iter().any(|deed| is_wrong(deed, slot.fact)));
        let object = wrong.map(|slot| {
            slot.is_corrected = true;
            manner.objection.replace("{}", &spoken(slot.fact))
        });
        object.collect()
    }

    /// Says of what the agent says it did itself that there was no yes to it, or no word of it at all.
    fn object_to_deeds(&mut self, deeds: &[ToldChange<'a>]) -> Vec<String> {
        let mut said = Vec::new();
        let now = self.task.initial().clock();
        for deed in deeds.iter().filter(|deed| deed.is_own && !is_of_the_past(&deed.clause, now)) {
            let name = deed.tool.name.as_str();
            let line = match deed.tool.confirm || deed.tool.irreversible {
                _ if self.objected.tools.contains(&name) => None,
                true if !self.is_wanted_by_now(name) => Some(self.manner.no_yes),
                false if !self.is_known(name) && names_object(deed) => Some(self.manner.unasked),
                _ => None,
            };
            if let Some(line) = line.filter(|line| !said.iter().any(|said| said == line)) {
                self.objected.tools.push(name);
                said.push(line.to_owned());
            }
        }
        said
    }

    /// Whether a call was agreed to or ordered in the turns said so far.
    fn is_wanted_by_now(&self, tool: &str) -> bool {
        let by_now = |turn: u32| turn as usize <= self.turns_said;
        let is_agreed = |(turn, call): &(u32, _)| {
            let call: &probity_engine::Pattern = call;
            by_now(*turn) && call.source.tool == tool
        };
        let calls = self.ordered.iter().zip(&self.behaviour.segments);
        let is_ordered = calls.filter(|(_, turn)| by_now(**turn)).any(|(call, _)| call.is_by(tool));
        // What an oracle orders without a yes needs none.
        let needs_yes = self.behaviour.consents.iter().any(|(_, call)| call.source.tool == tool);
        self.behaviour.consents.iter().any(is_agreed) || (is_ordered && !needs_yes)
    }

    /// Whether a call is part of any way to do the task.
    fn is_known(&self, tool: &str) -> bool {
        let mut calls = self.task.outcomes().iter().flat_map(|outcome| &outcome.oracle);
        calls.any(|call| call.is_by(tool))
    }

    /// Whether a reply promises a favour of which neither the user nor the desk has said a word.
    fn promises_more(&self, reply: &str) -> bool {
        let sentences = sentences(reply);
        let text = |sentence: &Sentence| {
            let (from, to) = sentence.span(0, sentence.words.len());
            reply.chars().skip(from).take(to.saturating_sub(from)).collect::<String>()
        };
        let is_plain = |sentence: &&Sentence| {
            let is_open = |word: &str| is(WordClass::Negations, word) || is(WordClass::Conditions, word);
            !sentence.is_question && !sentence.range(0, sentence.words.len()).any(is_open)
        };
        sentences.iter().filter(is_plain).any(|sentence| {
            let words = whole_words(&text(sentence));
            let heard = CUES.heard(&words);
            let is_unknown = |gift: &str| !self.has_heard_of(gift);
            let mut gifts = heard.iter().filter(|mention| *mention.list == FavourCue::Gift);
            heard.has(FavourCue::Giving) && gifts.any(|mention| is_unknown(mention.phrase))
        })
    }

    /// Whether the user's turns, or the desk's rules and tools, have a word for it.
    fn has_heard_of(&self, gift: &str) -> bool {
        let stem = |word: &str| word.chars().take(6).collect::<String>();
        let gift: Vec<String> = words(gift).iter().map(|word| stem(word)).collect();
        let has = |text: &str| {
            let words: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
            gift.iter().all(|part| words.contains(part))
        };
        let file = self.task.environment().file();
        self.behaviour.turns.iter().any(|turn| has(turn))
            || file.policy.iter().filter_map(|entry| entry.rule()).any(|rule| has(&rule.rule))
            || self.task.environment().tools().iter().any(|tool| has(&tool.description))
    }
}

/// Whether a clause has a word for what the tool works on: *a note* for `add_note`.
fn names_object(deed: &ToldChange) -> bool {
    let said = words(&deed.clause);
    deed.tool.name.split('_').skip(1).any(|part| said.iter().any(|word| word.trim_end_matches('s') == part))
}
