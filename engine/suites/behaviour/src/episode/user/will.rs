//! How the contract user takes what is asked of its will: a yes, a choice, a decision.

use std::collections::BTreeSet;

use compact_str::CompactString;
use serde_json::Value;

use super::answer::{ALL, Answer, BOTH};
use super::choice::{affirmed, chosen, chosen_in, is_for_yes_or_no, offers_things, shares_deed, speaks_of_several};
use super::confirmation::{
    QuestionIntent, adds, asks_for_leave, asks_for_yes, asks_openly, asks_to_choose, asks_what_matters, forms,
    has_anaphor, has_both, is_closing, is_usual, is_wish, leaves_alone, named, names_another, offers_all, offers_more,
    points_back, proposed, shared_of, shares, shares_any, speaks_of, tells_all_done, tells_not_yet, verb, wanted,
};
use super::contract::{ContractUser, Slot, spoken};
use super::recall::clauses;
use super::told::deeds;
use super::utterance::Values;
use crate::model::task_file::Fact;
use crate::task::question::Question;
use probity_engine::{CallPattern, Tool};
use probity_prose::Amount;
use probity_prose::{Text, WordClass, lexicon::is, token::words};

/// How much of what words are about the user has spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owned {
    Not,
    Part,
    Whole,
}

impl<'a> ContractUser<'a> {
    pub(super) fn answer_to(&self, question: &Question, is_of_facts: bool) -> Answer<'a> {
        if self.is_put_to_it(question) {
            return self.answer_pressed(question);
        }
        let environment = self.task.environment();
        let is_needy = |tool: &&Tool| tool.confirm || tool.irreversible;
        let is_plain = offers_things(question) && !named(question.text, environment).iter().any(is_needy);
        let is_last = self.upcoming().is_none();
        if is_last && offers_all(question) {
            return match self.wants_all(question) {
                true => Answer::Choice(if has_both(question) { BOTH } else { ALL }.to_owned()),
                false => Answer::Line(self.manner.in_part),
            };
        }
        if let Some(words) = self.own_choice(question).filter(|_| is_plain && is_last) {
            return Answer::Choice(Self::as_deed(words, question));
        }
        if is_closing(question) {
            return if is_last { Answer::Line(self.manner.closing) } else { Answer::Nothing };
        }
        let has_cue = |clause: &str| self.slots.iter().any(|slot| slot.voice.cues.are_in(clause));
        let asks = |clause: &String| asks_for_yes(clause, question.is_marked, environment) && !has_cue(clause);
        if let Some(clause) = clauses(question.text).find(asks) {
            return self.confirm(&clause, question);
        }
        match wanted(question) {
            _ if is_of_facts => Answer::Nothing,
            QuestionIntent::Nothing => Answer::Nothing,
            // What the next turn speaks of is told there.
            QuestionIntent::Unknown if self.upcoming().is_some_and(|turn| shares(turn, question.text)) => Answer::Turn,
            QuestionIntent::Unknown => Answer::Line(self.manner.unknown),
            QuestionIntent::Decision => self.decide(question),
        }
    }

    /// How it takes a choice between two wishes that both stand.
    fn answer_pressed(&self, question: &Question) -> Answer<'a> {
        if !is_for_yes_or_no(question.text) {
            return Answer::Pressed;
        }
        let held = named(question.text, self.task.environment()).into_iter();
        let held: Vec<&'a Tool> = held.filter(|tool| self.is_held(tool)).collect();
        if held.is_empty() { Answer::Line(self.manner.silent) } else { refusal(&held) }
    }

    /// A deed that was chosen by its verb alone is said with what it is done to.
    fn as_deed(chosen: String, question: &Question) -> String {
        let is_deed = |pair: &[CompactString]| matches!(pair, [who, deed] if matches!(who.as_str(), "i" | "we" | "to") && deed.as_str() == chosen.to_lowercase());
        // A name is none: *to Mole Street or to Harbour Lights?*
        let is_verb = chosen.starts_with(char::is_lowercase) && words(question.text).windows(2).any(is_deed);
        if is_verb { format!("{chosen} it") } else { chosen }
    }

    /// Whether all that a question offers together is wanted: *Yes to both, or only the first?*
    fn wants_all(&self, question: &Question) -> bool {
        let environment = self.task.environment();
        let deeds = [question.text, question.before].map(|text| named(text, environment)).concat();
        match deeds.is_empty() {
            true => !question.before.trim().is_empty() && self.is_its_own(question.before) == Owned::Whole,
            false => deeds.iter().all(|tool| self.wants(tool)),
        }
    }

    /// Whether a call is part of what it ordered, and agreed to where that is needed.
    pub(super) fn wants(&self, tool: &Tool) -> bool {
        match tool.confirm || tool.irreversible {
            true => self.is_wanted_by_now(&tool.name),
            false => self.came_for(&[tool]),
        }
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

    /// Whether a question is about another record than those that its orders of these calls are about, or about
    /// another amount: *the stay from 7 August* for that from 26 June.
    fn is_otherwise(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let (state, now) = (self.task.initial(), self.task.initial().clock());
        let (told, said) = (Values::read(question.text, now), words(question.text));
        let tells = |field: &Value| field.as_str().is_some_and(|field| told.tells(field, &said));
        let calls = || self.ordered.iter().filter(|call| deeds.iter().any(|tool| call.is_by(&tool.name)));
        let keys: BTreeSet<&str> = calls().flat_map(|call| call.arguments.values()).filter_map(Value::as_str).collect();
        let is_foreign = |slot: usize| {
            let own: Vec<_> = keys.iter().filter_map(|key| state.get(slot, key)).collect();
            let is_alone = |name: &str, field: &Value| {
                state.entities(slot).filter(|(_, other)| other.get(name) == Some(field)).nth(1).is_none()
            };
            let names = |(name, field): (&String, &Value)| {
                tells(field) && is_alone(name, field) && !own.iter().any(|own| own.get(name).is_some_and(tells))
            };
            let mut others = state.entities(slot).filter(|(key, _)| !keys.contains(key.as_str()));
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

    /// Whether words name somebody or something of whom neither the user nor the agent has spoken before.
    fn names_somebody_new(&self, text: &str) -> bool {
        let now = self.task.initial().clock();
        let known = Values::read(&[&self.said().join("\n"), self.heard.as_str()].join("\n"), now);
        let value = Values::read(text, now);
        value.missing_from(&known).is_some_and(|value| value.chars().all(|c| c.is_alphabetic() || c == ' '))
    }

    /// Chooses by its facts, else by its next turn, else by what it said last; what is offered after the last one is
    /// more than it asked for.
    fn decide(&self, question: &Question) -> Answer<'a> {
        if let Some(words) = self.own_choice(question).filter(|_| offers_things(question)) {
            return Answer::Choice(Self::as_deed(words, question));
        }
        if self.upcoming().is_some() {
            return Answer::Turn;
        }
        let is_its_matter = || self.said().iter().any(|turn| shares(turn, question.text));
        Answer::Line(match is_wish(question.text) {
            _ if question.is_choice() && is_its_matter() => self.manner.silent,
            true if asks_openly(question.text) => self.manner.silent,
            true => self.manner.declined,
            false if question.is_choice() => self.manner.silent,
            false => self.manner.unknown,
        })
    }

    /// What it chooses of things offered: by a fact, but not against what it has said since; after its last turn by
    /// that alone.
    fn own_choice(&self, question: &Question) -> Option<String> {
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

    /// Yes or no from what the user has agreed to by now, and from what it came for.
    ///
    /// A no is only said to what no later turn agrees to, so that it stands; what the next turn speaks of is answered
    /// there.
    fn confirm(&self, clause: &str, question: &Question) -> Answer<'a> {
        let (now, next) = (self.turns_said, self.turns_said + 1);
        let deeds = self.asked_deeds(clause, question);
        let needy: Vec<&'a Tool> = deeds.iter().copied().filter(|tool| tool.confirm || tool.irreversible).collect();
        let is_another =
            |call: &CallPattern| names_another(question.text, call) || names_another(question.before, call);
        let agreed = |tool: Option<&str>, from: usize, to: usize| {
            self.behaviour.consents.iter().any(|(turn, pattern)| {
                (from..=to).contains(&(*turn as usize))
                    && tool.is_none_or(|tool| pattern.source.tool == tool)
                    && !is_another(&pattern.source)
            })
        };
        let all = |from: usize, to: usize| match deeds.is_empty() {
            true => agreed(None, from, to),
            false => !needy.is_empty() && needy.iter().all(|tool| agreed(Some(&tool.name), from, to)),
        };
        let some = |from: usize, to: usize| needy.iter().any(|tool| agreed(Some(&tool.name), from, to));
        let has_other = self.behaviour.consents.iter().any(|(_, pattern)| {
            needy.iter().any(|tool| tool.name == pattern.source.tool) && is_another(&pattern.source)
        });
        // A deed that only the sentence before names is spoken of with the words of that.
        let is_named_before = named(question.text, self.task.environment()).is_empty();
        let asked = [if is_named_before { question.before } else { "" }, question.text].join(" ");
        let is_spoken_of = self.upcoming().is_some_and(|turn| speaks_of(turn, &needy, &asked)) && !has_other;
        let part = || self.part_of(question);
        match (needy.is_empty(), self.upcoming()) {
            _ if all(next, next) => Answer::Turn,
            _ if all(0, now) && (!deeds.is_empty() || self.upcoming().is_some()) => {
                part().unwrap_or_else(|| self.agree(question, &deeds))
            }
            (false, _) if some(next, next) || is_spoken_of => Answer::Turn,
            (false, _) if some(0, now) => part().unwrap_or(Answer::Line(self.manner.in_part)),
            (false, _) if some(next + 1, usize::MAX) => part().unwrap_or(Answer::Line(self.manner.not_yet)),
            (false, _) => part().unwrap_or_else(|| refusal(&needy)),
            // The next turn was written as the reaction to a proposal.
            (true, Some(_)) => Answer::Turn,
            (true, None) if self.is_torn() => match deeds.iter().any(|tool| self.is_held(tool)) {
                true => refusal(&deeds),
                false => Answer::Line(self.manner.silent),
            },
            (true, None) => part().unwrap_or_else(|| self.agree(question, &deeds)),
        }
    }

    /// Chooses of several deeds offered the one that it wants, else to leave things as they are where that is offered.
    fn choose_deed(&self, question: &Question, matter: Owned) -> Answer<'a> {
        let manner = self.manner;
        let mut wanted = named(question.text, self.task.environment()).into_iter().filter(|tool| self.wants(tool));
        let all = words(question.text);
        let leaves = ["leave", "keep"].into_iter().find(|leaves| all.iter().any(|word| word == leaves));
        match (wanted.next(), wanted.next()) {
            // What is to be done is plain, and how was not asked for.
            _ if shares_deed(question.text) => Answer::Line(manner.silent),
            (Some(tool), None) => Answer::Choice(format!("{} it", verb(tool))),
            (Some(_), Some(_)) => Answer::Line(manner.in_part),
            (None, _) => self.own_deed(question).unwrap_or(match (leaves, matter) {
                (Some(leaves), Owned::Part | Owned::Not) => Answer::Choice(format!("{leaves} it")),
                (_, Owned::Whole) => Answer::Line(manner.as_asked),
                (_, Owned::Part) => Answer::Line(manner.silent),
                (_, Owned::Not) => Answer::Line(manner.declined),
            }),
        }
    }

    /// The one of several deeds offered that the user asked for in the same word: *May I add it, or shall I wait?*
    fn own_deed(&self, question: &Question) -> Option<Answer<'a>> {
        let asked = words(question.text);
        let deeds: Vec<&CompactString> = asked
            .windows(2)
            .filter_map(|pair| match pair {
                [who, deed] if matches!(who.as_str(), "i" | "we") && !is_usual(deed) => Some(deed),
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

    /// Agrees to what it asked for, to nothing else, and never to an either-or.
    fn agree(&self, question: &Question, deeds: &[&Tool]) -> Answer<'a> {
        let manner = self.manner;
        let is_last = self.upcoming().is_none();
        let needs_yes = deeds.iter().any(|tool| tool.confirm || tool.irreversible);
        let own = self.is_its_own(question.text);
        // `Shall I enter it?` is about the sentence before it.
        let matter = match points_back(question.text) {
            true if shares(&self.said().join("\n"), question.before) => {
                self.is_its_own(question.before).max(Owned::Part)
            }
            true => self.is_its_own(question.before),
            false => own,
        };
        if offers_things(question) {
            return self.choose_deed(question, matter);
        }
        let is_leave = asks_for_leave(question.text);
        if is_leave && is_last && leaves_alone(question.text) {
            return Answer::Line(manner.as_asked);
        }
        if self.is_reported(question) {
            return Answer::Line(manner.done);
        }
        let is_offered = offers_more(question) || (adds(question.text) && own != Owned::Whole);
        let is_ordered = !deeds.is_empty() && self.came_for(deeds);
        let is_bare = deeds.is_empty() && shared_of(question.text, "").1 == 0 && matter != Owned::Not;
        let has_agreed = self.behaviour.consents.iter().any(|(turn, _)| *turn as usize <= self.turns_said);
        let needs_yes = needs_yes || (is_bare && has_agreed);
        Answer::Line(match () {
            () if self.is_otherwise(question, deeds) => manner.in_part,
            () if needs_yes && (is_offered || self.names_somebody_new(question.text)) => manner.in_part,
            () if needs_yes => {
                if is_leave {
                    manner.yes
                } else {
                    manner.as_wished
                }
            }
            () if is_offered && own == Owned::Part && is_ordered => manner.in_part,
            () if is_offered || !self.came_for(deeds) => manner.declined,
            () if is_leave && !is_ordered && matter == Owned::Not => manner.declined,
            () if is_leave && self.names_somebody_new(question.text) => manner.as_asked,
            () if self.is_as_wished(question) && (is_ordered || !is_leave || matter != Owned::Not) => manner.as_wished,
            () => manner.as_asked,
        })
    }

    /// Whether a question is only whether all is well with what the reply tells as done and the user ordered.
    fn is_reported(&self, question: &Question) -> bool {
        let is_ordered = |tool: &str| self.ordered.iter().any(|call| call.tool == tool);
        let is_told = |tool: &str| is_ordered(tool) && self.is_wanted_by_now(tool);
        let mut told = deeds(question.context, self.task.environment()).into_iter();
        let is_done = told.any(|deed| is_told(&deed.tool.name)) || tells_all_done(question.context);
        let is_open = tells_not_yet(question.context) || !self.left_open(question.context).is_empty();
        is_done && !asks_for_leave(question.text) && !is_open
    }

    /// What it ordered and a text tells as not done.
    fn left_open(&self, text: &str) -> Vec<&'a Tool> {
        let is_open = |clause: &String| words(clause).iter().any(|word| is(WordClass::Negations, word));
        let tools = clauses(text).filter(is_open).flat_map(|clause| named(&clause, self.task.environment()));
        tools.filter(|tool| self.is_wanted_by_now(&tool.name)).collect()
    }

    /// Whether a reply, up to a question, holds up to the user what it asked for, and proposes nothing else.
    fn is_as_wished(&self, question: &Question) -> bool {
        let environment = self.task.environment();
        let held = [question.context, question.text].concat();
        let proposed = proposed(&held, environment);
        let says_wish = |slot: &Slot| slot.is_said && self.still_holds(slot) && slot.voice.ways.are_in(&held);
        proposed.iter().all(|tool| self.wants(tool)) && (!proposed.is_empty() || self.slots.iter().any(says_wish))
    }

    /// Whether two wishes still stand that no later turn settles.
    fn is_torn(&self) -> bool {
        self.behaviour.contradicts.iter().any(|hold| hold.source.settled_in_turn.is_none())
    }

    fn is_held(&self, tool: &Tool) -> bool {
        let mut held = self.behaviour.contradicts.iter().flat_map(|hold| &hold.source.holds);
        held.any(|call| call.tool == tool.name)
    }

    /// The calls that a question is about: those that the words name, or the sentence before them when they name none.
    fn asked_deeds(&self, clause: &str, question: &Question) -> Vec<&'a Tool> {
        let environment = self.task.environment();
        let asked = [clause, question.text].into_iter().map(|text| named(text, environment));
        let own: Vec<&Tool> = asked.clone().flatten().collect();
        // `Cancelled. Shall I book the sauna?` is about nothing that stands before it.
        let is_new = !points_back(question.text) && !shares(question.before, question.text);
        if own.is_empty() && is_new && !has_anaphor(question.text) && self.is_its_own(question.text) == Owned::Not {
            return Vec::new();
        }
        let before = std::iter::once_with(|| proposed(question.before, environment));
        let open = std::iter::once_with(|| self.left_open(question.context));
        asked.chain(before).chain(open).find(|tools| !tools.is_empty()).unwrap_or_default()
    }

    /// Whether one of these calls is part of what the user wants done; so is whatever has no name.
    fn came_for(&self, deeds: &[&Tool]) -> bool {
        let outcomes = self.behaviour.accept.iter().filter_map(|at| self.task.outcomes().get(*at));
        let mut calls = outcomes.flat_map(|outcome| &outcome.oracle);
        deeds.is_empty() || calls.any(|call| deeds.iter().any(|tool| tool.name == call.tool))
    }

    pub(super) fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.behaviour
            .contradicts
            .iter()
            .any(|hold| hold.source.settled_in_turn.is_some_and(|turn| turn as usize == next))
    }

    /// Whether it is asked to choose between two wishes that both still stand.
    pub(super) fn is_put_to_it(&self, question: &Question) -> bool {
        asks_to_choose(question) && self.is_torn_about(question)
    }

    /// Whether a question for a choice is about two wishes that both still stand; a plain choice of something else
    /// is none.
    fn is_torn_about(&self, question: &Question) -> bool {
        let now = self.turns_said;
        let is_open = |turn: Option<u32>| turn.is_none_or(|turn| turn as usize > now);
        let named = named(question.text, self.task.environment());
        self.behaviour.contradicts.iter().filter(|hold| is_open(hold.source.settled_in_turn)).any(|hold| {
            let is_held = |tool: &&Tool| hold.source.holds.iter().any(|call| call.tool == tool.name);
            let is_of = |wish: &str| shares(wish, question.text) || shares(wish, question.before);
            asks_what_matters(question)
                || named.iter().any(is_held)
                || is_of(&hold.source.wish)
                || is_of(&hold.source.against)
        })
    }
}

fn refusal<'a>(calls: &[&'a Tool]) -> Answer<'a> {
    Answer::Refusal(calls.iter().map(|tool| tool.name.as_str()).collect())
}
