//! How the contract user takes what asks for its will: its next turn, a yes to its own wish as it stands, or that wish
//! once more in its own words.
//!
//! It never answers in the words of a question. What it half understands gets its wish, which holds whatever was asked.

use super::asked::{ASKED, denies};
use super::confirmation::{
    adds, asks_for_leave, asks_for_yes, asks_somebody, asks_wish_again, forms, has_anaphor, is_closing, leaves_alone,
    named, names_another, offers_things, points_back, shared_of, shares, speaks_of,
};
use super::contract::ContractUser;
use super::manner::Line;
use super::recall::clauses;
use crate::task::question::{Question, questions};
use probity_engine::{CallPattern, Tool};

/// How it takes a question; of several the last of these counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision<'a> {
    Nothing,
    /// Whether all is as it should be.
    Closing,
    Said(Line),
    /// These calls are no part of its wish.
    No(Vec<&'a str>),
    /// They are, but of another record than the one that is named.
    Other(Vec<&'a str>),
    /// What is asked is of another call or record than its wish; the calls are no part of it.
    NotThat(Vec<&'a str>),
    Wish,
    /// It is put to a choice between two wishes that stand, beside a question about its wish or not.
    Pressed {
        is_beside: bool,
    },
    /// Its next turn was written as the reaction.
    Turn,
}

impl Decision<'_> {
    fn rank(&self) -> usize {
        match self {
            Decision::Nothing => 0,
            Decision::Closing => 1,
            Decision::Said(_) => 2,
            Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) => 3,
            Decision::Wish => 4,
            Decision::Pressed { .. } => 5,
            Decision::Turn => 6,
        }
    }
}

impl<'a> ContractUser<'a> {
    /// How it takes several questions together; each is given with whether it is about facts.
    pub(super) fn take(&self, questions: &[(Question, bool)]) -> Decision<'a> {
        let last = questions.len().saturating_sub(1);
        let decisions = questions.iter().enumerate();
        let decisions = decisions.map(|(at, (question, is_of_facts))| self.decision(question, *is_of_facts, at < last));
        let decisions: Vec<Decision> = decisions.collect();
        let is_beside = decisions.iter().any(|decision| matches!(decision, Decision::Wish | Decision::Said(_)));
        match decisions.into_iter().max_by_key(Decision::rank).unwrap_or(Decision::Nothing) {
            Decision::Pressed { .. } => Decision::Pressed { is_beside },
            // What it has not said yet is not said before its time.
            Decision::Wish if self.upcoming().is_some() && self.wish("").is_none() => Decision::Turn,
            decision => decision,
        }
    }

    fn decision(&self, question: &Question, is_of_facts: bool, is_followed: bool) -> Decision<'a> {
        if self.is_put_to_it(question) {
            return Decision::Pressed { is_beside: false };
        }
        let environment = self.task.environment();
        let has_cue = |clause: &str| self.slots.iter().any(|slot| slot.voice.cues.are_in(clause));
        let asks = |clause: &String| asks_for_yes(clause, question.is_marked, environment) && !has_cue(clause);
        let is_open = |tool: &&Tool| self.wants(tool) && !self.is_done(&tool.name);
        let is_last = self.upcoming().is_none();
        match clauses(question.text).any(|clause| asks(&clause)) {
            _ if is_closing(question) && !named(question.text, environment).iter().any(is_open) => match is_last {
                true if self.is_torn() => Decision::Said(Line::Closing),
                true => Decision::Closing,
                false => Decision::Nothing,
            },
            true => self.consent(question),
            false if is_of_facts => Decision::Nothing,
            false if asks_wish_again(question.text) => Decision::Wish,
            false if !((question.is_marked && is_followed) || asks_somebody(question)) => Decision::Nothing,
            false => match self.upcoming() {
                // What is not known to be its matter is told by a turn that speaks of it alone.
                Some(turn) if question.is_choice() || !ASKED.inquires(question.text) || shares(turn, question.text) => {
                    Decision::Turn
                }
                Some(_) | None => Decision::Wish,
            },
        }
    }

    /// Yes from what the user has agreed to by now, and from what it came for; what the next turn speaks of is answered
    /// there, and so is what needs no yes.
    fn consent(&self, question: &Question) -> Decision<'a> {
        let (now, next) = (self.turns_said, self.turns_said + 1);
        let deeds = self.asked_deeds(question);
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
        let all = |from: usize, to: usize| needy.iter().all(|tool| agreed(Some(&tool.name), from, to));
        let some = |from: usize, to: usize| needy.iter().any(|tool| agreed(Some(&tool.name), from, to));
        let names = || needy.iter().map(|tool| tool.name.as_str()).collect();
        let has_other = self.behaviour.consents.iter().any(|(_, pattern)| {
            needy.iter().any(|tool| tool.name == pattern.source.tool) && is_another(&pattern.source)
        });
        if let Some(turn) = self.upcoming() {
            let asked = [
                if named(question.text, self.task.environment()).is_empty() { question.before } else { "" },
                question.text,
            ];
            let is_spoken_of = || speaks_of(turn, &needy, &asked.join(" ")) && !has_other;
            let is_answered = match needy.is_empty() {
                true => !deeds.is_empty() || agreed(None, next, next) || !agreed(None, 0, now),
                false => all(next, next) || (!all(0, now) && (some(next, next) || is_spoken_of())),
            };
            if is_answered {
                return Decision::Turn;
            }
        } else if self.is_torn() && (leaves_alone(question.text) || leaves_alone(question.context)) {
            return Decision::Said(Line::Closing);
        }
        match all(0, now) && self.agrees_to(question, &deeds) {
            true if asks_for_leave(question.text) => Decision::Said(Line::Yes),
            true => Decision::Said(Line::AsWished),
            false if !needy.is_empty() && !some(0, usize::MAX) && has_other && names_only(question.text, &needy) => {
                Decision::Other(names())
            }
            false if self.is_beyond_wish(question, &deeds) => {
                Decision::NotThat(if some(0, usize::MAX) { Vec::new() } else { names() })
            }
            false if !needy.is_empty() && !some(0, usize::MAX) => Decision::No(names()),
            false => Decision::Wish,
        }
    }

    /// Whether a question is of another call or record than those that it will ever have ordered, and of no other beside.
    fn is_beyond_wish(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let is_ordered = |tool: &&Tool| self.ordered.iter().any(|call| call.is_by(&tool.name));
        let is_sibling = |tool: &&Tool| self.is_of_sibling(question.text, tool);
        self.upcoming().is_none()
            && !self.is_torn()
            && !deeds.is_empty()
            && (!deeds.iter().any(is_ordered) || deeds.iter().any(is_sibling))
            && !offers_things(question)
            && !adds(question.text)
            && !denies(question.text)
            && !ASKED.turns_from(question.text, question.text)
    }

    /// Whether all that a question proposes is its wish: each call, each figure, each name and each word.
    fn agrees_to(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let is_of_before = points_back(question.text) && named(question.text, self.task.environment()).is_empty();
        let asked = [if is_of_before { question.before } else { "" }, question.text].join(" ");
        let is_wanted = |tool: &&Tool| {
            self.wants(tool) && self.ordered_by_now(&tool.name).count() < 2 && !self.names_sibling(&asked, tool)
        };
        // Of two orders of one kind each may be meant for what the other is about.
        let is_one = || self.ordered_by_now("").all(|call| self.ordered_by_now(&call.tool).count() < 2);
        let has_agreed = || self.behaviour.consents.iter().any(|(turn, _)| *turn as usize <= self.turns_said);
        deeds.iter().all(is_wanted)
            && (!deeds.is_empty() || !is_of_before || has_agreed() || !asks_for_leave(question.text))
            && (!deeds.is_empty() || is_one())
            && !self.is_torn()
            && !offers_things(question)
            && !adds(&asked)
            && self.is_within_wish(&asked)
    }

    /// The calls that a question is about: those that its words name, or those of the sentence before it.
    fn asked_deeds(&self, question: &Question) -> Vec<&'a Tool> {
        let environment = self.task.environment();
        let own = named(question.text, environment);
        let is_of_before =
            points_back(question.text) || has_anaphor(question.text) || shares(question.before, question.text);
        if own.is_empty() && is_of_before { named(question.before, environment) } else { own }
    }

    /// Says how it takes what was asked; what it said no to stays a no in other words.
    pub(super) fn say(&mut self, decision: Decision<'a>, asked: &str) -> String {
        match decision {
            Decision::Turn | Decision::Nothing => String::new(),
            Decision::Said(line) => self.line(line),
            Decision::Closing => self.wish_or(asked, Line::Closing),
            Decision::Wish => self.wish_or(asked, Line::NothingElse),
            Decision::No(calls) => match self.wish_again(asked) {
                Some(wish) => wish,
                None => {
                    let line = self.refusal(calls);
                    self.line(line)
                }
            },
            Decision::NotThat(calls) => match self.wish_again(asked) {
                Some(wish) => [self.line(Line::NotThat), wish].join(" "),
                None => {
                    let line = if calls.is_empty() { Line::NothingElse } else { self.refusal(calls) };
                    self.line(line)
                }
            },
            Decision::Other(calls) => {
                let line = self.refusal(calls);
                self.line(line)
            }
            Decision::Pressed { is_beside } => {
                if let Some(own) = self.way_out(asked) {
                    return self.line_of(Line::Wish, &own);
                }
                let step = match self.pressed {
                    0 => Line::Both,
                    1 => Line::BothAgain,
                    _ => Line::BothAtLast,
                };
                self.pressed += 1;
                let line = self.line(step);
                let wish = if is_beside && step != Line::BothAtLast { self.wish_again(asked) } else { None };
                std::iter::once(line).chain(wish).collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn refusal(&mut self, calls: Vec<&'a str>) -> Line {
        let is_again = calls.iter().all(|call| self.refused.contains(call));
        self.refused.extend(calls);
        if is_again { Line::NoAgain } else { Line::No }
    }

    /// Its wish once more, or where all of that is done a fixed line.
    fn wish_or(&mut self, asked: &str, line: Line) -> String {
        self.wish_again(asked).unwrap_or_else(|| self.line(line))
    }

    pub(super) fn wish_again(&mut self, asked: &str) -> Option<String> {
        let questions = questions(asked);
        let old = || {
            let mut again = questions.iter().filter(|question| asks_wish_again(question.text));
            again.find_map(|question| self.old_wish(question.text))
        };
        let asked: Vec<&str> = questions.iter().map(|question| question.text).collect();
        let wish = self.wish(&asked.join(" ")).or_else(old)?;
        self.is_wish_told = true;
        Some(self.line_of(Line::Wish, &wish))
    }
}

/// Whether words name these calls and what has figures, and nothing else that may be a wish: *Shall I cancel B0062?*
fn names_only(text: &str, calls: &[&Tool]) -> bool {
    let plain = text.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    let of_calls = calls.iter().flat_map(|tool| forms(tool).chain([tool.name.replace('_', " ")]));
    let (shared, all) =
        shared_of(&plain.collect::<Vec<&str>>().join(" "), &of_calls.collect::<Vec<String>>().join(" "));
    shared == all
}
