//! Two wishes that cannot both be had, and a user who is put to a choice between them.

use compact_str::CompactString;

use super::answer::{AS_IT_IS, Answer};
use super::choice::is_for_yes_or_no;
use super::confirmation::{asks_again, asks_to_choose, asks_what_matters, leaves_alone, named, shares};
use super::consent::refusal;
use super::contract::ContractUser;
use super::manner::Line;
use crate::task::question::Question;
use probity_engine::Tool;
use probity_prose::{WordClass, lexicon::is, token::words};

impl<'a> ContractUser<'a> {
    /// Whether it is asked to choose between two wishes that both still stand.
    pub(super) fn is_put_to_it(&self, question: &Question) -> bool {
        asks_to_choose(question) && !asks_again(question.text) && self.is_torn_about(question)
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

    /// How it takes a choice between two wishes that both stand.
    pub(super) fn answer_pressed(&self, question: &Question) -> Answer<'a> {
        if self.falls_back() && [question.before, question.text].into_iter().any(leaves_alone) {
            return Answer::Choice(AS_IT_IS.to_owned());
        }
        if !is_for_yes_or_no(question.text) {
            return Answer::Pressed;
        }
        let held = named(question.text, self.task.environment()).into_iter();
        let held: Vec<&'a Tool> = held.filter(|tool| self.is_held(tool)).collect();
        if held.is_empty() { Answer::Line(Line::Silent) } else { refusal(&held) }
    }

    /// Whether it has said itself that all may stay as it is where its wish cannot be had.
    fn falls_back(&self) -> bool {
        let is_condition = |word: &CompactString| is(WordClass::Conditions, word);
        let sentences = self.said().iter().flat_map(|turn| turn.split(['.', '!', '?']));
        sentences.filter(|sentence| leaves_alone(sentence)).any(|sentence| words(sentence).iter().any(is_condition))
    }

    /// Whether two wishes still stand that no later turn settles.
    pub(super) fn is_torn(&self) -> bool {
        self.behaviour.contradicts.iter().any(|hold| hold.source.settled_in_turn.is_none())
    }

    pub(super) fn is_held(&self, tool: &Tool) -> bool {
        let mut held = self.behaviour.contradicts.iter().flat_map(|hold| &hold.source.holds);
        held.any(|call| call.tool == tool.name)
    }

    pub(super) fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.behaviour
            .contradicts
            .iter()
            .any(|hold| hold.source.settled_in_turn.is_some_and(|turn| turn as usize == next))
    }
}
