//! How the contract user takes what is asked of its will: a yes, a choice, a decision.

use super::choice::{chosen, chosen_in, is_for_yes_or_no, offers_things};
use super::confirmation::{
    QuestionIntent, asks_for_leave, asks_for_yes, asks_to_choose, asks_what_matters, is_wish, named, names_another,
    offers_more, proposed, shares, shares_any, speaks_of, tells_all_done, wanted,
};
use super::contract::{ContractUser, Reaction, Slot, capitalised, spoken};
use super::recall::clauses;
use super::told::deeds;
use crate::model::task_file::Fact;
use crate::task::question::Question;
use probity_engine::{CallPattern, Tool};

impl<'a> ContractUser<'a> {
    /// How it takes what asks for no fact: the next turn when that answers one of the questions, else all its answers.
    pub(super) fn react(&mut self, questions: &[(Question, bool)]) -> Reaction {
        let mut said: Vec<String> = Vec::new();
        for (question, is_of_facts) in questions {
            match self.reaction_to(question, *is_of_facts) {
                Reaction::Turn => return Reaction::Turn,
                Reaction::Say(text) if text == self.manner.declined && !said.is_empty() => {
                    said.push(self.manner.no_more.to_owned());
                }
                Reaction::Say(text) if !said.contains(&text) => said.push(text),
                Reaction::Say(_) | Reaction::Nothing => {}
            }
        }
        if said.is_empty() { Reaction::Nothing } else { Reaction::Say(said.join(" ")) }
    }

    fn reaction_to(&mut self, question: &Question, is_of_facts: bool) -> Reaction {
        if self.is_put_to_it(question) {
            if is_for_yes_or_no(question.text) {
                let held = named(question.text, self.task.environment()).into_iter();
                let held: Vec<&'a Tool> = held.filter(|tool| self.is_held(tool)).collect();
                return match held.is_empty() {
                    true => Reaction::Say(self.line(self.manner.silent)),
                    false => self.refuse(&held),
                };
            }
            return Reaction::Say(self.line(self.manner.both));
        }
        let environment = self.task.environment();
        let is_needy = |tool: &&Tool| tool.confirm || tool.irreversible;
        let is_plain = offers_things(question) && !named(question.text, environment).iter().any(is_needy);
        if let Some(words) = self.own_choice(question).filter(|_| is_plain && self.upcoming().is_none()) {
            return Reaction::Say(capitalised(&self.manner.choice.replace("{}", &words)));
        }
        let has_cue = |clause: &str| self.slots.iter().any(|slot| slot.voice.cues.are_in(clause));
        let asks = |clause: &String| asks_for_yes(clause, question.is_marked, environment) && !has_cue(clause);
        if let Some(clause) = clauses(question.text).find(asks) {
            return self.confirm(&clause, question);
        }
        match wanted(question) {
            _ if is_of_facts => Reaction::Nothing,
            QuestionIntent::Nothing => Reaction::Nothing,
            // What the next turn speaks of is told there.
            QuestionIntent::Unknown if self.upcoming().is_some_and(|turn| shares(turn, question.text)) => {
                Reaction::Turn
            }
            QuestionIntent::Unknown => Reaction::Say(self.line(self.manner.unknown)),
            QuestionIntent::Decision => self.decide(question),
        }
    }

    /// Chooses by its facts, else by its next turn, else by what it said last; what is offered after the last one is
    /// more than it asked for.
    fn decide(&self, question: &Question) -> Reaction {
        if let Some(words) = self.own_choice(question) {
            return Reaction::Say(capitalised(&self.manner.choice.replace("{}", &words)));
        }
        if self.upcoming().is_some() {
            return Reaction::Turn;
        }
        let is_its_matter = || self.said().iter().any(|turn| shares(turn, question.text));
        let answer = match is_wish(question.text) {
            _ if question.is_choice() && is_its_matter() => self.line(self.manner.silent),
            true => self.manner.declined.to_owned(),
            false if question.is_choice() => self.line(self.manner.silent),
            false => self.line(self.manner.unknown),
        };
        Reaction::Say(answer)
    }

    /// What it chooses of things offered: by a fact, but not against what it has said since; after its last turn by
    /// that alone.
    fn own_choice(&self, question: &Question) -> Option<String> {
        let facts = self.slots.iter().filter(|slot| slot.is_said && self.still_holds(slot)).map(|slot| slot.fact);
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
    fn confirm(&mut self, clause: &str, question: &Question) -> Reaction {
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
        let is_spoken_of = self.upcoming().is_some_and(|turn| speaks_of(turn, &needy, question.text)) && !has_other;
        let say = |text: &str| Reaction::Say(text.to_owned());
        match (needy.is_empty(), self.upcoming()) {
            _ if all(next, next) => Reaction::Turn,
            _ if all(0, now) && self.is_reported(question) => Reaction::Say(self.line(self.manner.done)),
            _ if all(0, now) => Reaction::Say(self.line(self.manner.yes)),
            (false, _) if some(next, next) || is_spoken_of => Reaction::Turn,
            (false, _) if some(next + 1, usize::MAX) => Reaction::Say(self.line(self.manner.not_yet)),
            (false, _) if some(0, now) => Reaction::Say(self.line(self.manner.in_part)),
            (false, _) => self.refuse(&needy),
            // The next turn was written as the reaction to a proposal.
            (true, Some(_)) => Reaction::Turn,
            (true, None) if self.is_torn() => match deeds.iter().any(|tool| self.is_held(tool)) {
                true => self.refuse(&deeds),
                false => Reaction::Say(self.line(self.manner.silent)),
            },
            (true, None) if !self.came_for(&deeds) || offers_more(question) => say(self.manner.declined),
            (true, None) if self.is_reported(question) => Reaction::Say(self.line(self.manner.done)),
            (true, None) if self.is_as_wished(question) => say(self.manner.as_wished),
            (true, None) => say(self.manner.as_asked),
        }
    }

    /// Whether a question is only whether all is well with what the reply tells as done and the user ordered.
    fn is_reported(&self, question: &Question) -> bool {
        let is_ordered = |tool: &str| self.ordered.iter().any(|call| call.tool == tool);
        let is_told = |tool: &str| is_ordered(tool) && self.is_wanted_by_now(tool);
        let mut told = deeds(question.context, self.task.environment()).into_iter();
        let is_done = told.any(|deed| is_told(&deed.tool.name)) || tells_all_done(question.context);
        is_done && !asks_for_leave(question.text)
    }

    /// Whether a reply, up to a question, holds up to the user what it asked for, and proposes nothing else.
    fn is_as_wished(&self, question: &Question) -> bool {
        let environment = self.task.environment();
        let held = [question.context, question.text].concat();
        let proposed = proposed(&held, environment);
        let is_wanted = |tool: &&Tool| match tool.confirm || tool.irreversible {
            true => self.is_wanted_by_now(&tool.name),
            false => self.came_for(&[*tool]),
        };
        let says_wish = |slot: &Slot| slot.is_said && self.still_holds(slot) && slot.voice.ways.are_in(&held);
        proposed.iter().all(is_wanted) && (!proposed.is_empty() || self.slots.iter().any(says_wish))
    }

    /// Whether two wishes still stand that no later turn settles.
    fn is_torn(&self) -> bool {
        self.behaviour.contradicts.iter().any(|hold| hold.source.settled_in_turn.is_none())
    }

    fn is_held(&self, tool: &Tool) -> bool {
        let mut held = self.behaviour.contradicts.iter().flat_map(|hold| &hold.source.holds);
        held.any(|call| call.tool == tool.name)
    }

    /// A no, which is the same no when the same is asked again.
    fn refuse(&mut self, needy: &[&'a Tool]) -> Reaction {
        let is_again = needy.iter().all(|tool| self.refused.contains(&tool.name.as_str()));
        self.refused.extend(needy.iter().map(|tool| tool.name.as_str()));
        Reaction::Say(self.line(if is_again { self.manner.no_again } else { self.manner.no }))
    }

    /// The calls that a question is about: those that the words name, or the sentence before them when they name none.
    fn asked_deeds(&self, clause: &str, question: &Question) -> Vec<&'a Tool> {
        let environment = self.task.environment();
        let asked = [clause, question.text].into_iter().map(|text| named(text, environment));
        let before = std::iter::once_with(|| proposed(question.before, environment));
        asked.chain(before).find(|tools| !tools.is_empty()).unwrap_or_default()
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
