//! Looks: what a reply says to have looked up, what a look is said to have given, and how things are said to stand
//! that no look showed.

use compact_str::CompactString;

use super::account::{Account, AccountKind};
use super::party::Party;
use super::place::Place;
use super::verb::Verb;
use super::world::{World, is_telling, telling};
use probity_prose::{Mark, NounClass, PhraseClass, VerbClass, WordClass, lexicon::lexicon, token::stem};

impl Verb<'_> {
    /// `had a look at`, `ran a few searches`.
    pub(super) fn is_look(&self) -> bool {
        let Place { sentence, at, end, .. } = self.place;
        let goes = self.is_one_of(&["go"]);
        let is_light = self.is(VerbClass::Light) || goes || self.is_one_of(&["have"]);
        let is_noun = |at| sentence.is_noun(NounClass::Looks, at);
        is_light && (goes || !self.is(VerbClass::Check)) && (at + 1..end.min(at + 7)).any(is_noun)
    }

    pub(super) fn looked(&self, world: &World) -> Option<Account> {
        let Place { sentence, at, end, .. } = self.place;
        let noun = (at + 1..end).find(|at| sentence.is_noun(NounClass::Looks, *at))?;
        // `a health check` names its topic before the noun, `a look at the payments` behind it.
        let mut topics = telling(sentence, at + 1, noun);
        topics.retain(|word| !lexicon().is_noun(NounClass::Looks, word));
        self.checked(if topics.is_empty() { self.topics(noun + 1) } else { topics }, world)
    }

    pub(super) fn checked(&self, topics: Vec<CompactString>, world: &World) -> Option<Account> {
        let Place { sentence, at, .. } = self.place;
        let end = self.reach();
        let later = self.is_after_all(end, world);
        if !later && matches!(sentence.word(at + 1), "it" | "them" | "both") {
            return None;
        }
        let asks = self.is_one_of(&["check", "verify", "confirm", "recheck"]);
        let with = (at + 1..end).find(|at| asks && sentence.word(*at) == "with");
        let asked = with.map(|with| Party::named(sentence, with, end)).unwrap_or_default();
        let check = |grounded, missing| Some(self.make(AccountKind::Check, grounded, missing, end));
        if !asked.kinds.is_empty() {
            return check(world.told(&asked), "no call asked anybody");
        }
        if later && !world.looked_after() {
            return check(false, "nothing was looked up after the last change");
        }
        let head = topics.last().map(std::slice::from_ref).unwrap_or_default();
        if topics.is_empty() || (!world.is_topic(&topics) && world.knows(head)) {
            return None;
        }
        check(world.looked_at(&topics, later), "no call looked it up")
    }

    /// Whether it is said to have been done after a change: `again`, `once more`, `afterwards`, `after the freeze`.
    fn is_after_all(&self, end: usize, world: &World) -> bool {
        let Place { sentence, at, start, end: clause_end } = self.place;
        let is_again = (at..end).any(|at| sentence.phrase(PhraseClass::Again, at).is_some());
        let is_before = sentence.range(at, end).any(|word| word == "before");
        let is_deed = |at: usize| {
            let words = sentence.range(at + 1, at + 4).take_while(|word| *word != "i").map(CompactString::new);
            world.is_deed(&words.collect::<Vec<_>>())
        };
        (is_again && !is_before && world.wrote())
            || (start..sentence.words.len()).any(|at| sentence.word(at) == "after" && is_deed(at))
            || sentence.has(WordClass::Afterwards, start, clause_end)
    }

    /// The stems of the thing that stands from `from` on, up to a preposition behind it.
    pub(super) fn topics(&self, from: usize) -> Vec<CompactString> {
        let sentence = self.place.sentence;
        let end = self.reach();
        let aside = |at: &usize| matches!(sentence.word(*at), "before" | "after" | "then" | "and" | "when" | "while");
        let end = (from..end).find(aside).unwrap_or(end);
        let tells = |at: &usize| {
            let word = sentence.word(*at);
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            is_telling(word) && !is_number && (sentence.before(*at), word) != ("in", "order")
        };
        let start = (from..end).find(tells).unwrap_or(end);
        let ends =
            |at: &usize| sentence.is(WordClass::Prepositions, *at) || (*at > start && sentence.mark(*at) != Mark::None);
        telling(sentence, start, (start..end).find(ends).unwrap_or(end))
    }
}

/// `The health check afterwards came back green`: what a look is said to have given.
pub(super) fn found_by_look(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    let from = at.saturating_sub(4).max(start);
    let is_look = (from..at).any(|at| sentence.is_noun(NounClass::Looks, at));
    if !is_look || !sentence.is(WordClass::Results, at) || sentence.has(WordClass::Own, from, at) {
        return None;
    }
    let topics = place.nouns_before();
    let later = sentence.has(WordClass::Afterwards, start, end);
    let is_claim = world.is_topic(&topics) && !place.waits() && place.is_plainly_so();
    let grounded = || world.looked_at(&topics, later);
    is_claim.then(|| place.account(AccountKind::Check, grounded(), "no call looked it up", (start, end)))
}

/// `The system turned it down`: a refusal that no call met.
pub(super) fn refused(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, .. } = *place;
    let says = |own: &str| sentence.words.iter().any(|word| word.text == own);
    let is_refusal = sentence.is(WordClass::Refused, at) || (sentence.word(at) == "turned" && says("down"));
    if !is_refusal || !sentence.has_any(WordClass::Systems) || world.was_refused() {
        return None;
    }
    let end = sentence.words.len();
    let is_plain = Place { end, ..*place }.is_plain();
    is_plain.then(|| place.account(AccountKind::Act, false, "no call was refused", (0, end)))
}

/// `There are no open incidents`, `the only window`: how things stand with what no call showed.
pub(super) fn unread(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    let word = sentence.words.get(at)?;
    let is_counted = sentence.has(WordClass::Quantifiers, at.saturating_sub(4).max(start), at);
    if !is_counted || !word.is_telling() || sentence.is_past_form(at) {
        return None;
    }
    let topic = [stem(&word.text).into()];
    let is_unread = world.is_topic(&topic) && !world.looked_at(&topic, false) && !world.showed(&topic);
    // `No new card has been ordered` tells of an act, `no windows planned` of how things stand.
    let helper = (at + 1..end).find(|at| sentence.is(WordClass::Helpers, *at));
    let is_act = helper.is_some_and(|helper| (helper..end).any(|at| sentence.is_past_form(at)));
    let is_claim = is_unread && !is_act && !place.waits() && place.is_plain();
    let span = (at.saturating_sub(3).max(start), at + 1);
    is_claim.then(|| place.account(AccountKind::State, false, "no call showed it", span))
}
