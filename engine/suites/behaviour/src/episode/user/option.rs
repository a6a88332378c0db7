//! The fact that the contract user chooses of things offered: *the sea or the garden?*

use std::collections::BTreeSet;

use compact_str::CompactString;
use probity_prose::{WordClass, lexicon::is};

use super::asked::ASKED;
use super::confirmation::{named, offers_things, tellings};
use super::contract::{ContractUser, Slot, capitalised, is_day, spoken};
use super::kept_text::words;
use super::manner::Line;
use super::utterance::capitalised as capitalised_words;
use crate::task::question::Question;
use crate::task::ways_to_say as ways;

/// Most words before the value of a thing offered: *or to the sea*.
const MOST_BEFORE_OPTION: usize = 2;

impl ContractUser<'_> {
    /// The one of its facts that questions offer to choose, as it stands: *the sea, or the garden?*
    pub(super) fn own_option(&self, questions: &[Question]) -> Option<usize> {
        let is_plain = |question: &&Question| offers_things(question) && named(question.text, self.task).is_empty();
        let ends_with = |(at, piece): (usize, &str), slot: &Slot| {
            // `What time did you get on line 3, or did you walk?` asks for no line.
            if at == 0 && piece.rsplit(',').next().is_some_and(|clause| ASKED.inquires(clause)) {
                return false;
            }
            let said = words(piece);
            // *Monday* may be another Monday.
            let is_told =
                |way: &String| !way.is_empty() && (!is_day(slot.fact) || way.contains(|c: char| c.is_ascii_digit()));
            ways(slot.fact).filter(is_told).any(|way| {
                let way = words(&way);
                let before = said.get(..said.len().saturating_sub(way.len())).unwrap_or_default();
                let telling = before.iter().filter(|word| !ASKED.is_small(word) && !is(WordClass::Common, word));
                said.ends_with(&way) && (at == 0 || telling.count() <= MOST_BEFORE_OPTION)
            })
        };
        let is_open = self.upcoming().is_some() || self.wish("").is_some();
        let is_offered = |slot: &Slot| {
            let pieces = |question: &Question| -> Vec<(usize, String)> {
                let pieces = question.text.split(" or ").map(|piece| piece.trim_end_matches([',', '?']).to_owned());
                pieces.enumerate().collect()
            };
            let pieces: Vec<(usize, String)> = questions.iter().filter(is_plain).flat_map(pieces).collect();
            let texts: Vec<&str> = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
            is_open
                && slot.is_said
                && self.still_holds(slot)
                && (pieces.iter().any(|(at, piece)| ends_with((*at, piece), slot)) || is_one_of(slot, &texts))
        };
        // Who speaks of the other thing as well does not choose.
        let own = self.standing().join("\n");
        let is_among_own = |slot: &Slot| {
            let value = spoken(slot.fact);
            let offered =
                questions.iter().filter(is_plain).flat_map(|question| question.text.split(" or ").enumerate());
            // `Would you like to have the sea`: only the end of what stands first is a thing offered.
            let things = offered.map(|(at, piece)| if at == 0 { last_words(piece, MOST_BEFORE_OPTION) } else { piece });
            let mut others = things.filter(|piece| !slot.voice.ways.are_in(piece));
            others.any(|piece| is_new_in(piece, &value, &own))
        };
        let offered = (0..).zip(&self.slots).filter(|(_, slot)| is_offered(slot) && !is_among_own(slot));
        let mut offered = offered.map(|(at, _)| at);
        offered.next().filter(|_| offered.next().is_none())
    }

    /// Chooses a fact.
    pub(super) fn choose(&mut self, at: usize) -> Option<String> {
        let own = spoken(self.slots.get(at)?.fact);
        Some(capitalised(&self.line_of(Line::Choice, &own)))
    }
}

/// Whether one of several things is named by a fact, and the others share another name with it: *Olan Grieve in design, or
/// Owen Grieve?*
fn is_one_of(slot: &Slot, things: &[&str]) -> bool {
    let (named, others): (Vec<&&str>, Vec<&&str>) = things.iter().partition(|thing| slot.voice.ways.are_in(thing));
    let names = |thing: &str| capitalised_words(thing).collect::<BTreeSet<String>>();
    let [named] = named.as_slice() else { return false };
    let own = names(named);
    !slot.is_who && !others.is_empty() && others.iter().all(|other| !names(other).is_disjoint(&own))
}

/// The end of a text.
fn last_words(text: &str, most: usize) -> &str {
    let start = text.trim_end().rmatch_indices(' ').map(|(at, _)| at).nth(most.saturating_sub(1));
    start.and_then(|at| text.get(at..)).unwrap_or(text)
}

/// Whether words have something of a text beside a value of it.
fn is_new_in(piece: &str, value: &str, text: &str) -> bool {
    let (said, value) = (words(piece), words(value));
    let rest: Vec<&str> = said.iter().filter(|word| !value.contains(word)).map(CompactString::as_str).collect();
    tellings(&rest.join(" "), text).0 > 0
}
