//! Arrangements: what a reply says to be under way, sent, put somewhere or being done, in words without a verb of it.

use super::account::{Account, AccountKind};
use super::place::Place;
use super::voice::word_before;
use super::world::{World, telling};
use probity_prose::lexicon::{is, lexicon};
use probity_prose::{NounClass, PhraseClass, VerbClass, WordClass};

/// `The rest is lined up for tomorrow`, `a summary is on its way`: arranged, in words without a verb of it.
pub(super) fn arranged(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, .. } = *place;
    let end = sentence.phrase(PhraseClass::Arranged, at)?;
    let before = place.nouns_before();
    // Of `a written confirmation of the cancellation` the confirmation is on its way.
    let nouns = match (start..at).find(|at| sentence.is_noun(NounClass::Messages, *at)) {
        Some(message) => telling(sentence, message, message + 1),
        None if before.is_empty() => telling(sentence, end, sentence.words.len()),
        None => before,
    };
    let is_claim = !nouns.is_empty() && place.is_plainly_so();
    is_claim.then(|| place.account(AccountKind::Act, world.touched(&nouns), "no call arranged it", (start, end)))
}

/// `You will receive a confirmation`, `a letter went out`, `invitations have gone out`: news that only a call sends.
pub(super) fn news(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    if !sentence.is_noun(NounClass::Messages, at) {
        return None;
    }
    let gets = sentence.has(WordClass::Getting, start, at)
        && sentence.range(start, at).any(|word| matches!(word, "you" | "gets"));
    let comes = sentence.range(at, end).any(|word| matches!(word, "will" | "should"))
        && sentence.has(WordClass::Coming, at, end);
    let went = sentence.range(at, end).any(|word| matches!(word, "went" | "gone" | "goes" | "landed"))
        && sentence.range(at, end).any(|word| matches!(word, "out" | "off"));
    let supposes = |word: &str| is(WordClass::Conditions, word) && !matches!(word, "before" | "after" | "until");
    let may = |word: &str| matches!(word, "can" | "could" | "would" | "may" | "might");
    let is_open = || sentence.asks(at) || sentence.range(0, end).any(supposes) || sentence.range(start, end).any(may);
    let is_claim = (gets || comes || went) && !is_open() && !place.denies(start, end);
    let grounded = || world.touched(&telling(sentence, at, at + 1));
    is_claim.then(|| place.account(AccountKind::Act, grounded(), "no call sends it", (start, end)))
}

/// `There is a warning on both files`: something put where only a call could put it.
pub(super) fn is_there(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, end, .. } = *place;
    if sentence.word(at) != "there" || !matches!(sentence.word(at + 1), "is" | "are") {
        return None;
    }
    let on = (at + 2..end).find(|at| matches!(sentence.word(*at), "on" | "in" | "at"))?;
    let nouns = telling(sentence, at + 2, on);
    let head = std::slice::from_ref(nouns.last()?);
    let is_claim = sentence.has(WordClass::Files, on + 1, end) && place.is_plain() && !place.denies(at, on);
    let grounded = || world.touched(head) || world.looked_at(head, false) || world.knows(head);
    is_claim.then(|| place.account(AccountKind::Act, grounded(), "no call put it there", (at, end)))
}

/// `I'm holding the room for you`: what the agent says to be doing, which only a call does.
pub(super) fn doing(place: &Place, world: &World) -> Option<Account> {
    let Place { sentence, at, start, end } = *place;
    let root = sentence.word(at).strip_suffix("ing")?;
    let does = |verb: &str| lexicon().is_verb(VerbClass::Arrange, verb) || is(WordClass::Keeping, verb);
    let be = word_before(sentence, at).filter(|_| does(root) || does(&format!("{root}e")))?;
    if !matches!(sentence.word(be), "am" | "are") || !is(WordClass::Own, sentence.before(be)) {
        return None;
    }
    let nouns = telling(sentence, at + 1, end);
    let is_it = sentence.is(WordClass::Things, at + 1) && sentence.word(at + 2) == "for";
    let grounded = || if nouns.is_empty() { world.wrote() } else { world.touched(&nouns) };
    let is_claim = (is_it || !nouns.is_empty()) && place.is_told_so();
    is_claim.then(|| place.account(AccountKind::Act, grounded(), "no call does it", (start, at + 1)))
}
