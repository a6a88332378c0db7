//! An answer of the contract user: what it takes of a question, weighed among others, and put into words.
//!
//! Nothing of an answer is remembered before it is said: of several, some are dropped.

use super::choice::offers_things;
use super::confirmation::{
    QuestionIntent, asks_for_yes, asks_wish_again, has_both, is_closing, named, offers_all, shares, wanted,
};
use super::contract::{ContractUser, Reaction, capitalised};
use super::manner::Line;
use super::recall::clauses;
use crate::task::question::Question;
use probity_engine::Tool;

/// How all that is offered is chosen.
pub(super) const BOTH: &str = "both";
pub(super) const ALL: &str = "all of it";
/// What is chosen where nothing is to be done.
pub(super) const AS_IT_IS: &str = "leave that as it is";

/// How it takes one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer<'a> {
    Turn,
    Line(Line),
    Choice(String),
    /// Yes to a part of what was asked, in the agent's words for it.
    Part(String),
    /// Another record was meant: what it had said.
    Own(String),
    /// No to these calls, the same no when the same is asked again.
    Refusal(Vec<&'a str>),
    /// What it wants, in its own words, once more.
    Wish(String),
    /// It is put to a choice between two wishes that stand.
    Pressed,
    Nothing,
}

impl<'a> ContractUser<'a> {
    /// How it takes what asks for no fact: the next turn when that answers one of the questions, else all its answers.
    pub(super) fn react(&self, questions: &[(Question, bool)]) -> Reaction<'a> {
        let mut answers: Vec<Answer> = Vec::new();
        for (question, is_of_facts) in questions {
            match self.answer_to(question, *is_of_facts) {
                Answer::Turn => return Reaction::Turn,
                Answer::Nothing => {}
                Answer::Refusal(more) => match answers.iter_mut().find_map(refused) {
                    Some(refused) => refused.extend(more),
                    None => answers.push(Answer::Refusal(more)),
                },
                answer if !answers.contains(&answer) => answers.push(answer),
                Answer::Line(_)
                | Answer::Choice(_)
                | Answer::Part(_)
                | Answer::Own(_)
                | Answer::Wish(_)
                | Answer::Pressed => {}
            }
        }
        self.weigh(&mut answers);
        if answers.is_empty() { Reaction::Nothing } else { Reaction::Say(answers) }
    }

    fn answer_to(&self, question: &Question, is_of_facts: bool) -> Answer<'a> {
        if self.is_put_to_it(question) {
            return self.answer_pressed(question);
        }
        if asks_wish_again(question.text) && !is_of_facts {
            return self.wish_about(question.text).map_or(Answer::Nothing, Answer::Wish);
        }
        let environment = self.task.environment();
        let is_needy = |tool: &&Tool| tool.confirm || tool.irreversible;
        let is_plain = offers_things(question) && !named(question.text, environment).iter().any(is_needy);
        let is_last = self.upcoming().is_none();
        if is_closing(question) && !named(question.text, environment).iter().any(|tool| self.is_open(tool, question)) {
            return match self.wish_about(question.text).filter(|_| self.is_left_open(question)) {
                _ if !is_last => Answer::Nothing,
                Some(wish) => Answer::Wish(wish),
                None => Answer::Line(Line::Closing),
            };
        }
        if let Some(answer) = self.choose_point(question).filter(|_| is_last && offers_things(question)) {
            return answer;
        }
        if is_last && offers_all(question) {
            return match self.wants_all(question) {
                true => Answer::Choice(if has_both(question) { BOTH } else { ALL }.to_owned()),
                false => Answer::Line(Line::InPart),
            };
        }
        if let Some(deed) = self.deed_of(question).filter(|_| is_last) {
            return Answer::Choice(deed);
        }
        if let Some(words) = self.own_choice(question).filter(|_| is_plain && is_last) {
            return Answer::Choice(Self::as_deed(words, question));
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
            QuestionIntent::Unknown => Answer::Line(Line::Unknown),
            QuestionIntent::Decision => self.decide(question),
        }
    }

    /// Keeps of several answers those that a person would give in one breath.
    fn weigh(&self, answers: &mut Vec<Answer<'a>>) {
        let is = |answer: &Answer, lines: &[Line]| matches!(answer, Answer::Line(line) if lines.contains(line));
        if answers.contains(&Answer::Pressed) {
            *answers = vec![Answer::Pressed];
        }
        // Where something is answered, that there is no more to say goes without saying.
        let is_empty = |answer: &Answer| is(answer, &[Line::Silent, Line::Unknown]);
        let kept = answers.iter().position(|answer| !is_empty(answer)).is_some();
        let mut empty = 0;
        answers.retain(|answer| {
            empty += usize::from(is_empty(answer));
            !is_empty(answer) || (!kept && empty == 1)
        });
        // One yes is enough, the strongest of them, and says as much as a choice of all; a yes to a part is none to
        // the rest.
        let agrees = [Line::Yes, Line::AsWished, Line::AsAsked, Line::Done, Line::Closing];
        let rank = |answer: &Answer| agrees.iter().position(|line| is(answer, &[*line]));
        let is_partial = |answer: &Answer| matches!(answer, Answer::Part(_)) || is(answer, &[Line::InPart]);
        // Nor is that all well which it has just said no to.
        let refuses =
            |answer: &Answer| matches!(answer, Answer::Refusal(_) | Answer::Own(_)) || is(answer, &[Line::Declined]);
        let mut is_refused = false;
        answers.retain(|answer| {
            is_refused |= refuses(answer);
            !is_refused || !is(answer, &[Line::AsWished, Line::AsAsked, Line::Done, Line::Closing])
        });
        let best = if answers.iter().any(is_partial) { None } else { answers.iter().filter_map(rank).min() };
        answers.retain(|answer| rank(answer).is_none() || rank(answer) == best);
        let mut agreed = false;
        answers.retain(|answer| {
            let is_yes = rank(answer).is_some();
            let is_all = matches!(answer, Answer::Choice(words) if words == BOTH || words == ALL);
            let is_again = agreed && (is_yes || is_all);
            agreed |= is_yes;
            !is_again
        });
        for answer in answers.iter_mut().skip(1).filter(|answer| is(answer, &[Line::Declined])) {
            *answer = Answer::Line(Line::NoMore);
        }
    }

    /// Says an answer, and remembers what it has said with it.
    pub(super) fn worded(&mut self, answer: Answer<'a>) -> String {
        match answer {
            // To which part it has agreed it says in its own words.
            Answer::Line(Line::InPart) => {
                let wish = self.wish_again();
                [self.line(Line::InPart)].into_iter().chain(wish).collect::<Vec<_>>().join(" ")
            }
            Answer::Line(line) => self.line(line),
            Answer::Wish(words) => words,
            Answer::Choice(words) => capitalised(&self.line_of(Line::Choice, &words)),
            Answer::Part(words) => capitalised(&self.line_of(Line::Part, &words)),
            Answer::Own(words) => self.line_of(Line::Objection, &words),
            Answer::Refusal(calls) => {
                let is_again = calls.iter().all(|call| self.refused.contains(call));
                self.refused.extend(calls);
                self.line(if is_again { Line::NoAgain } else { Line::No })
            }
            Answer::Pressed => {
                let step = match self.pressed {
                    0 => Line::Both,
                    1 => Line::BothAgain,
                    _ => Line::BothAtLast,
                };
                self.pressed += 1;
                self.line(step)
            }
            Answer::Turn | Answer::Nothing => String::new(),
        }
    }
}

fn refused<'b, 'a>(answer: &'b mut Answer<'a>) -> Option<&'b mut Vec<&'a str>> {
    match answer {
        Answer::Refusal(calls) => Some(calls),
        _ => None,
    }
}
