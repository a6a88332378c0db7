//! A verb that a reply says to have been done beyond the tools' own words, and what must have been done for it.

use compact_str::CompactString;

use super::account::{Account, AccountKind};
use super::party::Party;
use super::place::Place;
use super::voice::{Voice, voice, word_before};
use super::world::{World, telling};
use probity_prose::lexicon::{is, lexicon};
use probity_prose::quantity::quantity_at;
use probity_prose::{Mark, NounClass, Quantity, VerbClass, WordClass};

/// A verb that is said to have been done, and what stands around it.
pub(super) struct Verb<'a> {
    pub place: Place<'a>,
    verbs: &'a [CompactString],
    voice: Voice,
}

impl<'a> Verb<'a> {
    pub(super) fn at(place: &Place<'a>) -> Option<Verb<'a>> {
        let Place { sentence, at, .. } = *place;
        if let Some(verb) = Verb::emphatic(place) {
            return Some(verb);
        }
        // `cut-off today 16:30`: a noun of two words.
        if sentence.token(at + 1).is_some_and(|next| next.gap == "-") {
            return None;
        }
        let verbs = sentence.verbs(at);
        // `.. and I put it on record`: what looks the same in the present tells no past.
        let is_same = verbs.iter().any(|verb| verb == sentence.word(at));
        let is_bare = is_same && matches!(sentence.before(at), "i" | "we" | "to");
        let is_past = |word: &str| is(WordClass::Past, word) || word.ends_with("ed");
        // `I did not set it`, `I have left it`: a helping verb.
        let is_helping =
            sentence.is(WordClass::Helpers, at) && (sentence.word(at + 1) == "not" || sentence.is_past_form(at + 1));
        // `.. was left standing, as instructed`
        let is_aside = sentence.before(at) == "as";
        if verbs.is_empty() || is_helping || is_aside || (is_bare && !sentence.words.iter().any(|w| is_past(&w.text))) {
            return None;
        }
        let voice = voice(sentence, at, at + 1)
            .or_else(|| is_stated(place).then_some(Voice::Passive))
            .or_else(|| (is_dated(place) || caused_after(place).is_some()).then_some(Voice::Active))?;
        Some(Verb { place: *place, verbs, voice })
    }

    /// `I did ask the team`, `I saw to it that ..`.
    fn emphatic(place: &Place<'a>) -> Option<Verb<'a>> {
        let Place { sentence, at, start, .. } = *place;
        let verbs = sentence.words.get(at).map(|word| std::slice::from_ref(&word.text))?;
        let is_telling = lexicon().is_verb(VerbClass::Tell, sentence.word(at));
        let did = word_before(sentence, at).filter(|_| is_telling)?;
        let is_own = sentence.word(did) == "did" && is(WordClass::Own, sentence.before(did));
        let plain = is_own && place.is_told() && !place.denies(start, at);
        plain.then_some(Verb { place: *place, verbs, voice: Voice::Active })
    }

    pub(super) fn account(&self, world: &World) -> Option<Account> {
        let others = self.others();
        let is_telling = self.is(VerbClass::Tell) || self.lets_know();
        match self.voice {
            _ if is_telling && (!others.is_empty() || self.tells_them()) => {
                let grounded = world.told(&others);
                Some(self.make(AccountKind::Act, grounded, "no call told anybody", self.reach()))
            }
            Voice::Active if self.is_relative() => None,
            Voice::Active if self.is_look() => self.looked(world),
            Voice::Active if self.is(VerbClass::Check) => self.checked(self.topics(self.place.at + 1), world),
            Voice::Active if !self.leaves_message() && (self.is(VerbClass::Nothing) || self.is_no_act()) => None,
            Voice::Active => self.did(world),
            Voice::Passive if self.is(VerbClass::Arrange) => self.was_arranged(world),
            Voice::Passive | Voice::Past => None,
        }
    }

    pub(super) fn is(&self, class: VerbClass) -> bool {
        self.verbs.iter().any(|verb| lexicon().is_verb(class, verb))
    }

    pub(super) fn is_one_of(&self, verbs: &[&str]) -> bool {
        self.verbs.iter().any(|verb| verbs.contains(&verb.as_str()))
    }

    /// `I've got both here`, `I took it for a yes`, `Have an unhurried Sunday`.
    fn is_no_act(&self) -> bool {
        let Place { sentence, at, end, .. } = self.place;
        let takes_for = sentence.word(at + 1) == "you" || sentence.range(at + 1, end).any(|word| word == "for");
        self.is_one_of(&["get"]) || (self.is_one_of(&["take"]) && takes_for) || sentence.is(WordClass::Wishes, 0)
    }

    fn others(&self) -> Party {
        let Place { sentence, at, start, .. } = self.place;
        match self.voice {
            Voice::Active => Party::named(sentence, at + 1, self.reach()),
            Voice::Passive | Voice::Past => Party::named(sentence, start, at),
        }
    }

    /// `I have let the team know`, `Noor has been given a heads-up`.
    fn lets_know(&self) -> bool {
        let Place { sentence, at, start, end } = self.place;
        let rest: Vec<&str> = sentence.range(at + 1, end).collect();
        (self.is_one_of(&["let"]) && sentence.has(WordClass::Own, start, at) && rest.contains(&"know"))
            || (self.is_one_of(&["have"]) && rest.starts_with(&["a", "word", "with"]))
            || (self.is_one_of(&["give", "drop", "send", "leave", "pass"])
                && sentence.has(WordClass::News, at + 1, end))
            || (self.is_one_of(&["ask"]) && (self.voice != Voice::Active || rest.contains(&"to")))
    }

    /// `I've let both of them know`, `She's been told`, `who I've paged`: those who are told stand for others, and
    /// are not the user.
    fn tells_them(&self) -> bool {
        let Place { sentence, at, start, end } = self.place;
        match self.voice {
            Voice::Active => {
                let tells = sentence.has(WordClass::Persons, at + 1, end.min(at + 5));
                let is_request = matches!(sentence.word(at + 1), "us" | "me");
                let tells_you = is_request || sentence.range(at + 1, end).any(|word| word == "you");
                self.subject_follows("who") || (tells && !tells_you)
            }
            Voice::Passive => {
                word_before(sentence, at).is_some_and(|been| sentence.word(been) == "been")
                    && sentence.range(start, at).any(|word| matches!(word, "she" | "he" | "they"))
            }
            Voice::Past => false,
        }
    }

    /// `a check which I made thereafter`: its object stands before it, or is something else.
    fn is_relative(&self) -> bool {
        ["which", "that", "who", "whom", "what"].into_iter().any(|word| self.subject_follows(word))
    }

    fn subject_follows(&self, pronoun: &str) -> bool {
        let Place { sentence, at, .. } = self.place;
        let subject = (0..at).rev().find(|at| sentence.is(WordClass::Own, *at));
        subject.is_some_and(|at| sentence.before(at) == pronoun)
    }

    /// `left a note`: what is left is something, and nothing is left alone.
    fn leaves_message(&self) -> bool {
        let is_note = |word: &CompactString| {
            lexicon().is_noun(NounClass::Messages, word) || matches!(word.as_str(), "note" | "remark" | "comment")
        };
        self.is(VerbClass::Light) && self.object().0.iter().any(is_note)
    }

    fn did(&self, world: &World) -> Option<Account> {
        let Place { sentence, at, .. } = self.place;
        let (head, end) = self.object();
        let next = sentence.word(at + 1);
        let is_it = head.is_empty() && (is(WordClass::Things, next) || next == "you");
        // `.. so I made it by hand`: it is what was done before.
        if (is_it && self.is(VerbClass::Light) && world.wrote()) || matches!(next, "sure" | "certain") {
            return None;
        }
        let nouns = if is_it { telling(sentence, at + 1, end) } else { head };
        // `I've had 103 set aside`
        let caused = || caused_after(&self.place).map_or_else(Vec::new, |had| telling(sentence, had + 1, at));
        let nouns = if nouns.is_empty() { caused() } else { nouns };
        if nouns.is_empty() {
            return None;
        }
        let rest = || telling(sentence, at + 1, self.reach());
        // `257.40 EUR out of your savings`
        let is_value = || (at + 1..at + 4).any(|at| sentence.is_particular(at));
        let grounded = match self.is(VerbClass::Light) || self.is(VerbClass::Arrange) {
            true => world.touched(&nouns) || (is_value() && world.touched(&rest())),
            false => world.touched(&rest()) || world.did(self.verbs) || world.looked_at(&rest(), false),
        };
        Some(self.make(AccountKind::Act, grounded, "no call that succeeded did it", end))
    }

    fn was_arranged(&self, world: &World) -> Option<Account> {
        let Place { sentence, at, .. } = self.place;
        let nouns = self.place.nouns_before();
        let is_for_others = sentence.word(at + 1) == "for" && sentence.word(at + 2) != "you";
        let is_for_you = sentence.range(at + 1, at + 4).any(|word| word == "for");
        // `the charge of 21.40 has been posted`: a call did so that has to do with this amount.
        let is_charged = || {
            let is_charge =
                |noun: &CompactString| matches!(noun.as_str(), "charg" | "charge" | "fee" | "amount" | "sum");
            nouns.first().is_some_and(is_charge) && self.amounts().into_iter().any(|amount| world.moved(amount))
        };
        let grounded = || world.touched(&nouns) || is_charged() || (!is_for_you && world.looked_at(&nouns, false));
        let is_claim = !nouns.is_empty() && !is_for_others;
        is_claim.then(|| self.make(AccountKind::Act, grounded(), "no call arranged it", at + 1))
    }

    /// The amounts of money that stand before it in its clause.
    fn amounts(&self) -> Vec<Quantity> {
        let Place { sentence, at, start, .. } = self.place;
        let token = |at: usize| sentence.words.get(at).map_or(0, |word| word.token);
        let read = |at: usize| quantity_at(sentence.tokens(), at).map(|(_, quantity)| quantity);
        (token(start)..token(at)).filter_map(read).filter(|amount| amount.is_money()).collect()
    }

    /// The stems of the first thing behind the verb, and where it ends.
    fn object(&self) -> (Vec<CompactString>, usize) {
        let Place { sentence, at, .. } = self.place;
        let end = self.reach();
        let is_marked = |at: &usize| sentence.mark(*at) != Mark::None;
        let is_new = |at: usize| sentence.is(WordClass::Prepositions, at) || sentence.is(WordClass::Speakers, at);
        let first = (at + 1..end).find(|own| is_marked(own) || (*own > at + 1 && is_new(*own))).unwrap_or(end);
        let head = telling(sentence, at + 1, first);
        if head.is_empty() { (head, (at + 1..end).find(is_marked).unwrap_or(end)) } else { (head, first) }
    }

    /// Where what belongs to the verb ends: at the clause's end, or where another verb begins.
    pub(super) fn reach(&self) -> usize {
        let Place { sentence, at, end, .. } = self.place;
        let next = |at: &usize| match sentence.word(*at) {
            "so" | "because" | "which" | "who" | "but" | "while" | "as" | "since" => true,
            "and" => sentence.is_past_form(*at + 1),
            _ => false,
        };
        (at + 1..end).find(next).unwrap_or(end)
    }

    pub(super) fn make(&self, kind: AccountKind, grounded: bool, missing: &'static str, end: usize) -> Account {
        let Place { at, start, .. } = self.place;
        let from = if self.voice == Voice::Active { at } else { start };
        self.place.account(kind, grounded, missing, (from, end.max(at + 1)))
    }
}

/// `The 290.00 is pencilled in`, `A meeting is set for tomorrow`: a form of `be` right before the participle.
fn is_stated(place: &Place) -> bool {
    let Place { sentence, at, start, .. } = *place;
    let is_be = |helper| helper > start && matches!(sentence.word(helper), "is" | "are" | "been");
    word_before(sentence, at).is_some_and(is_be) && place.is_plainly_so() && !sentence.has_any(WordClass::Repeated)
}

/// `Before I shipped it I went through the incidents`: what stands before tells when, and supposes nothing.
fn is_dated(place: &Place) -> bool {
    let Place { sentence, at, start, .. } = *place;
    let is_own = |subject| subject > start + 1 && sentence.is(WordClass::Own, subject);
    let leads = matches!(sentence.word(start), "before" | "after" | "when" | "once" | "while");
    let supposes =
        || sentence.range(start, at).any(|word| is(WordClass::Thoughts, word) || matches!(word, "will" | "can"));
    word_before(sentence, at).is_some_and(is_own) && leads && !sentence.asks(at) && !supposes()
}

/// `I've had it marked`, `we got the lock taken off`: where the `had` stands by which the agent says to have had
/// something done.
fn caused_after(place: &Place) -> Option<usize> {
    let Place { sentence, at, start, .. } = *place;
    let had = (start + 1..at).rev().find(|at| matches!(sentence.word(*at), "had" | "got"))?;
    let before = word_before(sentence, had)?;
    let subject = if sentence.word(before) == "have" { before.checked_sub(1)? } else { before };
    let is_no_object =
        |word: &str| is(WordClass::NoObject, word) || is(WordClass::Negations, word) || is(WordClass::Helpers, word);
    let is_near = (2..6).contains(&(at - had)) && !sentence.range(had + 1, at).any(is_no_object);
    (sentence.is(WordClass::Own, subject) && is_near && place.is_told()).then_some(had)
}
