//! Third parties: who is named, and what a reply says that they know, have or do.

use compact_str::CompactString;

use super::account::{Account, AccountKind};
use super::place::Place;
use super::world::{World, is_telling};
use probity_prose::{NounClass, Sentence, Unit, WordClass, token::stem};

/// Third parties that are named: by what they are, and by name.
#[derive(Default)]
pub(super) struct Party {
    /// Stems such as `team`.
    pub kinds: Vec<CompactString>,
    pub names: Vec<CompactString>,
}

impl Party {
    pub(super) fn named(sentence: &Sentence, from: usize, to: usize) -> Party {
        let mut found = Party::default();
        for word in sentence.words.iter().take(to).skip(from) {
            let is_capital = sentence.tokens().get(word.token).is_some_and(|token| token.is_capitalised());
            let is_name = is_capital && is_telling(&word.text) && word.text.chars().all(char::is_alphabetic);
            match word.is_noun(NounClass::Others) {
                true => found.kinds.push(stem(&word.text).into()),
                false if is_name && !word.is_noun(NounClass::Messages) => found.names.push(stem(&word.text).into()),
                false => {}
            }
        }
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.names.is_empty()
    }
}

/// `The night porter knows`, `the team expects you`, `it is with the manager`: somebody else was told.
pub(super) fn known(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, .. } = *place;
    let knows = match (sentence.before(at), sentence.word(at)) {
        (before, "knows" | "know" | "expects" | "expect") => {
            !matches!(before, "to" | "you" | "i" | "we" | "not" | "me" | "do")
        }
        ("had", "word" | "notice" | "news") | ("is" | "are", "aware" | "informed") => true,
        ("is" | "are" | "now" | "already", "in" | "on") => {
            sentence.word(at + 1) == "the" && sentence.is(WordClass::Reached, at + 2)
        }
        _ => return None,
    };
    let told = Party::named(sentence, start, at);
    let is_due = sentence.word(at).starts_with("expect") && world.looked_at(&told.names, false);
    let is_claim = knows && !is_due && !told.is_empty() && place.is_plainly_so();
    is_claim.then(|| place.account(AccountKind::Act, world.told(&told), "no call told anybody", (start, at + 1)))
}

/// `A complaint is with the manager`, `the request has gone to Dr Moreau`.
pub(super) fn with_others(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    let is_going = match (sentence.before(at), sentence.word(at)) {
        ("is" | "are" | "now" | "already", "with") => false,
        ("gone" | "went", "to") => true,
        _ => return None,
    };
    let party = Party::named(sentence, at + 1, end.min(at + 5));
    let nouns = place.nouns_before();
    let is_amount = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || Unit::of_word(word).is_some();
    let is_claim = !party.is_empty() && !nouns.is_empty() && !sentence.range(start, at).any(is_amount);
    let is_there = || world.touched(&nouns) || world.looked_at(&nouns, false);
    let grounded = || world.told(&party) || (!is_going && is_there());
    (is_claim && place.is_plainly_so())
        .then(|| place.account(AccountKind::Act, grounded(), "no call passed it on", (start, at + 2)))
}

/// `The clinic is keeping the slot`, `the team will ring you`: what others of the desk's side do, without a call that
/// reached them.
pub(super) fn others_do(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, .. } = *place;
    let next = sentence.word(at + 1);
    let acts = match sentence.word(at) {
        "is" | "are" => next.ends_with("ing") && !matches!(next, "going" | "waiting" | "depending" | "missing"),
        "will" => !matches!(next, "be" | "have" | "need" | "not" | "see" | "charge"),
        "has" | "have" => sentence.is_past_form(at + 1) && !matches!(next, "been" | "had" | "got"),
        _ => false,
    };
    let last = at.checked_sub(1).filter(|_| acts)?;
    let party = Party::named(sentence, start, at);
    let is_subject =
        sentence.is_noun(NounClass::Others, last) || party.names.iter().any(|name| name == stem(sentence.word(last)));
    let is_claim = is_subject && !party.kinds.is_empty() && place.is_told_so();
    is_claim.then(|| place.account(AccountKind::Act, world.told(&party), "no call reached them", (start, at + 2)))
}
