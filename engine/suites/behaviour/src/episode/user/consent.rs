//! The contract user's yes and no: to what it has agreed to by now and came for, and to nothing else.

use super::answer::Answer;
use super::asked::ASKED;
use super::choice::{offers_things, proposal};
use super::confirmation::{
    adds, asks_for_leave, has_anaphor, leaves_alone, named, names_another, offers_more, points_back, proposed,
    shared_of, shares, speaks_of, tells_all_done, tells_not_yet,
};
use super::contract::{ContractUser, Slot};
use super::manner::Line;
use super::part::ends;
use super::recall::clauses;
use super::sibling::Own;
use super::told::deeds;
use super::wish::Owned;
use crate::task::question::Question;
use probity_engine::{CallPattern, Tool};
use probity_prose::{WordClass, lexicon::is, token::words};

impl<'a> ContractUser<'a> {
    /// Yes or no from what the user has agreed to by now, and from what it came for.
    ///
    /// A no is only said to what no later turn agrees to, so that it stands; what the next turn speaks of is answered
    /// there.
    pub(super) fn confirm(&self, clause: &str, question: &Question) -> Answer<'a> {
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
            (false, _) if some(0, now) => part().unwrap_or(Answer::Line(Line::InPart)),
            (false, _) if some(next + 1, usize::MAX) => part().unwrap_or(Answer::Line(Line::NotYet)),
            (false, _) => part().unwrap_or_else(|| refusal(&needy)),
            // The next turn was written as the reaction to a proposal.
            (true, Some(_)) => Answer::Turn,
            (true, None) if self.is_torn() && (leaves_alone(question.text) || leaves_alone(question.context)) => {
                Answer::Line(Line::Closing)
            }
            (true, None) if self.is_torn() => match deeds.iter().any(|tool| self.is_held(tool)) {
                true => refusal(&deeds),
                false => Answer::Line(Line::Silent),
            },
            (true, None) => part().unwrap_or_else(|| self.agree(question, &deeds)),
        }
    }

    /// Agrees to what it asked for, to nothing else, and never to an either-or.
    fn agree(&self, question: &Question, deeds: &[&Tool]) -> Answer<'a> {
        let is_last = self.upcoming().is_none();
        let needs_yes = deeds.iter().any(|tool| tool.confirm || tool.irreversible);
        let proposal = proposal(question);
        let (own, matter) = (self.is_its_own(proposal), self.matter_of(proposal, question));
        let instead = || match self.own_instead(proposal, &named(proposal, self.task.environment()))? {
            Own::Said(words) => Some(Answer::Own(words)),
            Own::Unsaid => Some(Answer::Line(Line::InPart)),
        };
        if offers_things(question) {
            return instead().unwrap_or_else(|| self.choose_deed(question, matter));
        }
        let is_leave = asks_for_leave(question.text);
        if is_leave && is_last && leaves_alone(question.text) {
            return Answer::Line(Line::AsAsked);
        }
        if let Some(answer) = instead() {
            return answer;
        }
        if matter != Owned::Not && self.is_reported(question) {
            return Answer::Line(Line::Done);
        }
        // *Giving up the leave of 20 April* for *cancel it*.
        let gives_up = || ASKED.gives_up(question.text) && ends(&self.own());
        let is_own_day = deeds.is_empty() && gives_up() && self.tells_own_day(question.text);
        let is_offered = offers_more(question) || (adds(question.text) && own != Owned::Whole && !is_own_day);
        let is_ordered = !deeds.is_empty() && self.came_for(deeds);
        let is_bare = deeds.is_empty() && shared_of(question.text, "").1 == 0 && matter != Owned::Not;
        let has_agreed = self.behaviour.consents.iter().any(|(turn, _)| *turn as usize <= self.turns_said);
        let needs_yes = needs_yes
            || ((is_bare || is_own_day) && has_agreed)
            || (deeds.is_empty() && !is_offered && self.has_open_wish(question));
        Answer::Line(match () {
            () if self.is_otherwise(question, deeds) => Line::InPart,
            // `Shall I renew all of these?`, where more was named than it asked for.
            () if takes_all(question.text) && self.is_its_own(question.before) != Owned::Whole => Line::InPart,
            () if needs_yes && (is_offered || self.names_somebody_new(question.text)) => Line::InPart,
            () if needs_yes => {
                if is_leave {
                    Line::Yes
                } else {
                    Line::AsWished
                }
            }
            () if is_offered && own == Owned::Part && is_ordered => Line::InPart,
            () if is_offered || !self.came_for(deeds) => Line::Declined,
            () if !is_ordered
                && matter == Owned::Not
                && (is_leave || self.names_somebody_new(question.text) || self.is_foreign(question.text)) =>
            {
                Line::Declined
            }
            () if is_leave && self.names_somebody_new(question.text) => Line::AsAsked,
            () if self.is_as_wished(question) && (is_ordered || !is_leave || matter != Owned::Not) => Line::AsWished,
            () => Line::AsAsked,
        })
    }

    /// How much of what words of a question are about is its own: of *Shall I enter it?* that of the sentence before it.
    pub(super) fn matter_of(&self, words: &str, question: &Question) -> Owned {
        match points_back(words) {
            true if shares(&self.said().join("\n"), question.before) => {
                self.is_its_own(question.before).max(Owned::Part)
            }
            true => self.is_its_own(question.before),
            false => self.is_its_own(words),
        }
    }

    /// The calls that a question is about: those that the words name, or the sentence before them when they name none.
    fn asked_deeds(&self, clause: &str, question: &Question) -> Vec<&'a Tool> {
        let environment = self.task.environment();
        let clause = if offers_things(question) { "" } else { clause };
        let asked = [clause, proposal(question)].into_iter().map(|text| named(text, environment));
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

    /// Whether a question is only whether all is well with what the reply tells as done and the user ordered.
    fn is_reported(&self, question: &Question) -> bool {
        let is_ordered = |tool: &str| self.ordered.iter().any(|call| call.tool == tool);
        let is_told = |tool: &str| is_ordered(tool) && self.is_wanted_by_now(tool);
        let told = deeds(question.context, self.task.environment());
        let is_asked = named(question.text, self.task.environment());
        // `Cancel it, yes or no?` is about what is not done, whatever else is.
        if is_asked.iter().any(|tool| !told.iter().any(|deed| deed.tool.name == tool.name)) {
            return false;
        }
        let is_done = told.iter().any(|deed| is_told(&deed.tool.name)) || tells_all_done(question.context);
        let is_open = tells_not_yet(question.context) || !self.left_open(question.context).is_empty();
        is_done && !asks_for_leave(question.text) && !is_open
    }

    /// Whether something that it ordered is told before a question as not done.
    pub(super) fn is_left_open(&self, question: &Question) -> bool {
        tells_not_yet(question.context) && !self.left_open(question.context).is_empty()
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
}

pub(super) fn refusal<'a>(calls: &[&'a Tool]) -> Answer<'a> {
    Answer::Refusal(calls.iter().map(|tool| tool.name.as_str()).collect())
}

/// Whether a question is about all that was named before: *all of these*, *all of it*.
fn takes_all(question: &str) -> bool {
    let points = |word: &str| matches!(word, "these" | "those" | "them" | "it" | "this");
    words(question).windows(3).any(|three| matches!(three, [all, of, it] if all == "all" && of == "of" && points(it)))
}
