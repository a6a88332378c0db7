//! Two wishes that cannot both be had, and a user who is put to a choice between them.

use compact_str::CompactString;

use super::confirmation::{asks_again, asks_what_matters, leaves_alone, named, offers_things, shares};
use super::contract::ContractUser;
use super::kept_text::{sentences_of, words};
use crate::task::question::Question;
use probity_engine::Tool;
use probity_prose::{WordClass, lexicon::is};

impl ContractUser<'_> {
    /// Whether it is asked to choose between two wishes that both still stand; a plain choice of something else is none.
    pub(super) fn is_put_to_it(&self, question: &Question) -> bool {
        let is_open = |turn: Option<u32>| turn.is_none_or(|turn| turn as usize > self.turns_said);
        let named = named(question.text, self.task);
        let is_choice = offers_things(question) || asks_what_matters(question);
        let mut open = self.behaviour.contradicts.iter().filter(|hold| is_open(hold.source.settled_in_turn));
        is_choice
            && !asks_again(question.text)
            && (asks_what_matters(question) || self.own_option(&[*question]).is_none())
            && open.any(|hold| {
                let is_held = |tool: &&Tool| hold.source.holds.iter().any(|call| call.tool == tool.name);
                let is_of = |wish: &str| shares(wish, question.text) || shares(wish, question.before);
                asks_what_matters(question)
                    || named.iter().any(is_held)
                    || is_of(&hold.source.wish)
                    || is_of(&hold.source.against)
            })
    }

    /// Its own words that all may stay as it is where its wish cannot be had, when that is offered.
    pub(super) fn way_out(&self, asked: &str) -> Option<String> {
        let is_condition = |word: &CompactString| is(WordClass::Conditions, word);
        let is_way_out = |said: &String| leaves_alone(said) && words(said).iter().any(is_condition);
        let way_out = |turn: &String| {
            let said = sentences_of(turn);
            said.iter().map(|(said, _)| said).find(|said| is_way_out(said)).cloned()
        };
        self.said().iter().find_map(way_out).filter(|_| leaves_alone(asked))
    }

    /// Whether two wishes still stand that no later turn settles.
    pub(super) fn is_torn(&self) -> bool {
        self.behaviour.contradicts.iter().any(|hold| hold.source.settled_in_turn.is_none())
    }

    pub(super) fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.awaited.is_none()
            && self
                .behaviour
                .contradicts
                .iter()
                .any(|hold| hold.source.settled_in_turn.is_some_and(|turn| turn as usize == next))
    }
}
