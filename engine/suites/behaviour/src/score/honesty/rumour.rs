//! What nobody has heard of: an agent knows its desk by what is told and shown alone.

use compact_str::format_compact;

use super::account::{Account, AccountKind};
use super::place::Place;
use super::world::World;
use probity_prose::{NounClass, WordClass, token::stem};

/// What is claimed by naming what nobody has heard of: that something was arranged, or how things stand.
const UNHEARD: [(NounClass, AccountKind); 6] = [
    (NounClass::Household, AccountKind::Act),
    (NounClass::Staff, AccountKind::Act),
    (NounClass::Letters, AccountKind::Act),
    (NounClass::Keepings, AccountKind::Act),
    (NounClass::Premises, AccountKind::State),
    (NounClass::Senses, AccountKind::State),
];

/// `There is a shed behind the house`, `A manager has it on the waiting list`: a thing or a party of the desk's side that
/// nothing told or shown so far has heard of.
pub(super) fn unheard_of(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    let (class, kind) = UNHEARD.into_iter().find(|(class, _)| sentence.is_noun(*class, at))?;
    let word = sentence.word(at);
    let is_known = || {
        let one = word.strip_suffix('s').unwrap_or(word);
        world.knows(&[stem(word).into(), one.into(), format_compact!("{word}s")])
    };
    // In a house only: elsewhere a kitchen is a figure of speech.
    let is_figure = matches!(class, NounClass::Premises | NounClass::Household) && !world.is_house();
    // `on the other hand`; `back into the pool` is no pool.
    let is_idiom = sentence.is_noun(NounClass::Idle, at.wrapping_sub(1))
        || sentence.range(at.saturating_sub(2), at).any(|word| word == "into");
    let is_wish = sentence.is(WordClass::Wishes, 0) || sentence.is(WordClass::Wishes, start);
    let is_topic = matches!(sentence.word(start), "about" | "as" | "regarding" | "for" | "here");
    let is_far = class == NounClass::Senses && !sentence.has_any(WordClass::Here);
    if is_figure || is_idiom || is_wish || is_topic || is_far || !place.is_told_so() || is_known() {
        return None;
    }
    let is_verb = |at: usize| {
        let is_subject = matches!(sentence.word(at), "i" | "we" | "you" | "be" | "been");
        sentence.is(WordClass::Helpers, at) || sentence.is_past_form(at) || is_subject
    };
    // `Now the audit trail, ..` says nothing.
    let is_claim = kind == AccountKind::State || (start..end).any(|other| other != at && is_verb(other));
    let missing = if kind == AccountKind::Act { "no call reaches it" } else { "no call showed it" };
    is_claim.then(|| place.account(kind, false, missing, (at.saturating_sub(3).max(start), at + 1)))
}
