//! What a reply says of its side beyond the tools' own words: what was done or arranged, who was told, what was
//! looked up, and states that nobody read. Held against the closed world of the calls.

use compact_str::{CompactString, format_compact};

use super::voice::{Voice, skip_adverbs, voice};
use super::world::{Others, World, is_telling, telling};
use crate::prose::lexicon::{NounClass, VerbClass, WordClass, is, lexicon};
use crate::prose::sentence::{Mark, Sentence, Text};
use crate::prose::token::stem;
use crate::prose::unit::Unit;

/// Most claims of one reply.
const MAX_CLAIMS: usize = 64;

/// What kind of account it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccountKind {
    /// Something was done or is arranged.
    Act,
    /// Something was looked up.
    Check,
    /// Something is said of what nobody read.
    State,
}

/// One account of what the agent's side did or saw.
pub(super) struct Account {
    /// Its kind.
    pub kind: AccountKind,
    /// Whether a call bears it out.
    pub grounded: bool,
    /// The characters that say it.
    pub span: (usize, usize),
    /// The words that say it.
    pub phrase: String,
    /// What is missing, for people.
    pub missing: &'static str,
}

/// A verb that is said to have been done, and what stands around it.
struct Said<'a> {
    sentence: &'a Sentence,
    at: usize,
    verbs: &'a [CompactString],
    voice: Voice,
    /// Where its clause starts and ends.
    clause: (usize, usize),
}

/// The accounts of a reply; verbs that tools claim are read elsewhere.
pub(super) fn accounts(text: &Text, world: &World, is_claimed: impl Fn(&str) -> bool) -> Vec<Account> {
    let mut found: Vec<Account> = Vec::new();
    for sentence in &text.sentences {
        let said = (0..sentence.words.len()).filter_map(|at| Said::at(sentence, at));
        for said in said.filter(|said| !is_claimed(sentence.word(said.at))) {
            found.extend(said.account(world));
        }
        let patterns = [
            arranged,
            known,
            with_others,
            news,
            found_by_look,
            refused,
            there_is,
            unread,
            unheard_of,
            others_do,
            doing,
        ];
        found.extend(patterns.iter().filter_map(|read| read(sentence, world)));
    }
    // What is quoted are somebody's words.
    found.retain(|account| !text.is_quoted(account.span));
    found.sort_by_key(|account| account.span);
    // One stretch of words is one account.
    found.dedup_by(|next, last| next.span.0 < last.span.1 && next.kind == last.kind && !last.grounded);
    found.truncate(MAX_CLAIMS);
    found
}

impl<'a> Said<'a> {
    fn at(sentence: &'a Sentence, at: usize) -> Option<Said<'a>> {
        if let Some(said) = Said::emphatic(sentence, at) {
            return Some(said);
        }
        // `.. was left standing, as instructed`
        if sentence.before(at) == "as" {
            return None;
        }
        let verbs = sentence.verbs(at);
        // `.. and I put it on record`: what looks the same in the present tells no past.
        let is_same = verbs.iter().any(|verb| verb == sentence.word(at));
        let is_bare = matches!(sentence.before(at), "i" | "we" | "to");
        // `I did not set it`, `I have left it`: a helping verb.
        let is_helping = is(WordClass::Helpers, sentence.word(at))
            && (sentence.word(at + 1) == "not" || sentence.is_past_form(at + 1));
        if verbs.is_empty()
            || is_helping
            || (is_same && is_bare && !sentence.words.iter().any(|word| is_past(&word.text)))
        {
            return None;
        }
        let voice = voice(sentence, at, at + 1)
            .or_else(|| is_stated(sentence, at).then_some(Voice::Passive))
            .or_else(|| (is_dated(sentence, at) || is_caused(sentence, at)).then_some(Voice::Active))?;
        Some(Said { sentence, at, verbs, voice, clause: sentence.clause(at) })
    }

    /// `I did ask the team`, `I saw to it that ..`.
    fn emphatic(sentence: &'a Sentence, at: usize) -> Option<Said<'a>> {
        let did = skip_adverbs(sentence, at).and_then(|at| at.checked_sub(1))?;
        let is_own = did > 0 && sentence.word(did) == "did" && matches!(sentence.before(did), "i" | "we");
        let verb = sentence.words.get(at).map(|word| std::slice::from_ref(&word.text))?;
        let clause = sentence.clause(at);
        let is_verb = lexicon().is_verb(VerbClass::Tell, sentence.word(at));
        let plain = is_own && is_verb && is_told(sentence, clause) && !is_denied(sentence, clause.0, at);
        plain.then_some(Said { sentence, at, verbs: verb, voice: Voice::Active, clause })
    }

    fn account(&self, world: &World) -> Option<Account> {
        let others = self.others();
        let is_telling = self.is(VerbClass::Tell) || self.lets_know();
        match self.voice {
            _ if is_telling && !others.is_empty() => Some(self.told(&others, world)),
            _ if is_telling && self.tells_them() => Some(self.told(&others, world)),
            Voice::Active if self.is_relative() => None,
            Voice::Active if self.is_look() => self.looked(world),
            Voice::Active if self.is(VerbClass::Check) => self.checked(world),
            Voice::Active if self.leaves_message() => self.did(world),
            Voice::Active if self.is(VerbClass::Nothing) || self.is_no_act() => None,
            Voice::Active => self.did(world),
            Voice::Passive if self.is(VerbClass::Arrange) => self.was_arranged(world),
            Voice::Passive | Voice::Past => None,
        }
    }

    fn is(&self, class: VerbClass) -> bool {
        self.verbs.iter().any(|verb| lexicon().is_verb(class, verb))
    }

    /// `I've got both here`, `I took it for a yes`, `Have an unhurried Sunday`.
    fn is_no_act(&self) -> bool {
        let verb = |name: &str| self.verbs.iter().any(|verb| verb == name);
        verb("get")
            || (verb("take") && self.sentence.word(self.at + 1) == "you")
            || (verb("take") && self.sentence.range(self.at + 1, self.clause.1).any(|word| word == "for"))
            || is(WordClass::Wishes, self.sentence.word(0))
    }

    /// The stems of third parties that are named as told.
    fn others(&self) -> Others {
        let (start, end) = self.clause;
        let (from, to) = match self.voice {
            Voice::Active => (self.at + 1, self.reach(end)),
            Voice::Passive | Voice::Past => (start, self.at),
        };
        others(self.sentence, from, to)
    }

    /// `I have let the team know`, `Noor has been given a heads-up`.
    fn lets_know(&self) -> bool {
        let rest: Vec<&str> = self.sentence.range(self.at + 1, self.clause.1).collect();
        let verb = |name: &str| self.verbs.iter().any(|verb| verb == name);
        let is_news =
            |word: &&&str| matches!(**word, "heads" | "notice" | "word" | "nod" | "line" | "message" | "call");
        let is_own = self.sentence.range(self.clause.0, self.at).any(|word| matches!(word, "i" | "we"));
        (verb("let") && is_own && rest.contains(&"know"))
            || (verb("have") && rest.starts_with(&["a", "word", "with"]))
            || (["give", "drop", "send", "leave", "pass"].into_iter().any(verb) && rest.iter().any(|w| is_news(&w)))
            || (verb("ask") && self.voice != Voice::Active)
            || (verb("ask") && rest.contains(&"to"))
    }

    /// `I've let both of them know`, `She's been told`, `who I've paged`: those who are told stand for others, and
    /// are not the user.
    fn tells_them(&self) -> bool {
        let (start, end) = self.clause;
        let own = || self.sentence.range(self.at + 1, end);
        let is_told = |word: &str| matches!(word, "them" | "him" | "her" | "they" | "everyone" | "whoever");
        match self.voice {
            Voice::Active => {
                self.is_relative_to("who") || (own().take(4).any(is_told) && own().all(|word| word != "you"))
            }
            Voice::Passive => {
                let been = skip_adverbs(self.sentence, self.at).map_or("", |at| self.sentence.before(at)) == "been";
                been && self.sentence.range(start, self.at).any(|word| matches!(word, "she" | "he" | "they"))
            }
            Voice::Past => false,
        }
    }

    /// `a check which I made thereafter`: its object stands before it, or is something else.
    fn is_relative(&self) -> bool {
        ["which", "that", "who", "whom", "what"].into_iter().any(|word| self.is_relative_to(word))
    }

    fn is_relative_to(&self, pronoun: &str) -> bool {
        let subject = (0..self.at).rev().find(|at| matches!(self.sentence.word(*at), "i" | "we"));
        subject.is_some_and(|at| self.sentence.before(at) == pronoun)
    }

    fn told(&self, others: &Others, world: &World) -> Account {
        self.make(AccountKind::Act, world.told(others), "no call told anybody", self.reach(self.clause.1))
    }

    /// `left a note`: what is left is something, and nothing is left alone.
    fn leaves_message(&self) -> bool {
        let (head, _) = self.object();
        let is_note = |word: &CompactString| {
            lexicon().is_noun(NounClass::Messages, word) || matches!(word.as_str(), "note" | "remark" | "comment")
        };
        self.is(VerbClass::Light) && head.iter().any(is_note)
    }

    fn did(&self, world: &World) -> Option<Account> {
        let (head, end) = self.object();
        let is_it = matches!(self.sentence.word(self.at + 1), "it" | "that" | "this" | "them" | "you");
        // `.. so I made it by hand`: it is what was done before.
        if is_it && head.is_empty() && self.is(VerbClass::Light) && world.wrote() {
            return None;
        }
        let nouns = if head.is_empty() && is_it { telling(self.sentence, self.at + 1, end) } else { head };
        // `I've had 103 set aside`
        let nouns = if nouns.is_empty() { self.caused() } else { nouns };
        if nouns.is_empty() || matches!(self.sentence.word(self.at + 1), "sure" | "certain") {
            return None;
        }
        let is_own = self.is(VerbClass::Light) || self.is(VerbClass::Arrange);
        let rest = || telling(self.sentence, self.at + 1, self.reach(self.clause.1));
        let grounded = match is_own {
            true => world.touched(&nouns) || (self.is_value() && world.touched(&rest())),
            false => world.touched(&rest()) || world.did(self.verbs) || world.looked_at(&rest(), false),
        };
        Some(self.make(AccountKind::Act, grounded, "no call that succeeded did it", end))
    }

    /// What the agent says to have had done something to.
    fn caused(&self) -> Vec<CompactString> {
        let had = (self.clause.0..self.at).rev().find(|at| matches!(self.sentence.word(*at), "had" | "got"));
        had.filter(|_| is_caused(self.sentence, self.at))
            .map_or_else(Vec::new, |had| telling(self.sentence, had + 1, self.at))
    }

    /// Whether the object is a value: `257.40 EUR out of your savings`.
    fn is_value(&self) -> bool {
        let mut words = self.sentence.words.iter().skip(self.at + 1).take(3);
        words.any(|word| word.is_particular)
    }

    fn was_arranged(&self, world: &World) -> Option<Account> {
        let nouns = telling(self.sentence, self.clause.0, self.at);
        let next = (self.sentence.word(self.at + 1), self.sentence.word(self.at + 2));
        if next.0 == "for" && next.1 != "you" {
            return None;
        }
        let is_for_you = self.sentence.range(self.at + 1, self.at + 4).any(|word| word == "for");
        let grounded = world.touched(&nouns) || (!is_for_you && world.looked_at(&nouns, false));
        (!nouns.is_empty()).then(|| self.make(AccountKind::Act, grounded, "no call arranged it", self.at + 1))
    }

    /// `had a look at`, `ran a few searches`.
    fn is_look(&self) -> bool {
        let is_noun = |word: &str| lexicon().is_noun(NounClass::Looks, word) || word == "searches";
        let light = self.is(VerbClass::Light) || self.verbs.iter().any(|verb| verb == "have" || verb == "go");
        let plain = !self.is(VerbClass::Check) || self.verbs.iter().any(|verb| verb == "go");
        light && plain && self.sentence.range(self.at + 1, self.clause.1.min(self.at + 7)).any(is_noun)
    }

    fn looked(&self, world: &World) -> Option<Account> {
        let noun = (self.at + 1..self.clause.1).find(|at| {
            lexicon().is_noun(NounClass::Looks, self.sentence.word(*at)) || self.sentence.word(*at) == "searches"
        })?;
        // `a health check` names its topic before the noun, `a look at the payments` behind it.
        let mut topics = telling(self.sentence, self.at + 1, noun);
        topics.retain(|word| !lexicon().is_noun(NounClass::Looks, word));
        if topics.is_empty() {
            topics = self.topics(noun + 1);
        }
        self.check(topics, world)
    }

    fn checked(&self, world: &World) -> Option<Account> {
        self.check(self.topics(self.at + 1), world)
    }

    fn check(&self, topics: Vec<CompactString>, world: &World) -> Option<Account> {
        let end = self.reach(self.clause.1);
        let later = self.is_after_all(end, world);
        let is_of_it = matches!(self.sentence.word(self.at + 1), "it" | "them" | "both");
        if is_of_it && !later {
            return None;
        }
        let with = (self.at + 1..end).find(|at| self.sentence.word(*at) == "with");
        let asks = ["check", "verify", "confirm", "recheck"];
        let with = with.filter(|_| self.verbs.iter().any(|verb| asks.contains(&verb.as_str())));
        let asked = with.map(|with| others(self.sentence, with, end)).unwrap_or_default();
        if !asked.kinds.is_empty() {
            return Some(self.make(AccountKind::Check, world.told(&asked), "no call asked anybody", end));
        }
        if later && !world.looked_after() {
            return Some(self.make(AccountKind::Check, false, "nothing was looked up after the last change", end));
        }
        let head = topics.last().map(std::slice::from_ref).unwrap_or_default();
        let is_open = topics.is_empty() || (!world.is_topic(&topics) && world.knows(head));
        (!is_open).then(|| self.make(AccountKind::Check, world.looked_at(&topics, later), "no call looked it up", end))
    }

    /// Whether it is said to have been done after a change: `again`, `once more`, `afterwards`, `after the freeze`.
    fn is_after_all(&self, end: usize, world: &World) -> bool {
        let phrases: [&[&str]; 6] = [
            &["again"],
            &["once", "more"],
            &["second", "time"],
            &["one", "more", "time"],
            &["one", "last", "time"],
            &["a", "second", "look"],
        ];
        let is_at = |at: usize, phrase: &[&str]| phrase.iter().zip(at..).all(|(w, at)| self.sentence.word(at) == *w);
        let again = (self.at..end).any(|at| phrases.iter().any(|phrase| is_at(at, phrase)));
        let is_before = self.sentence.range(self.at, end).any(|word| word == "before");
        let is_deed = |at: usize| {
            let words = self.sentence.range(at + 1, (at + 4).min(self.sentence.words.len()));
            let words: Vec<CompactString> = words.take_while(|word| *word != "i").map(CompactString::new).collect();
            world.is_deed(&words)
        };
        let after =
            (self.clause.0..self.sentence.words.len()).any(|at| self.sentence.word(at) == "after" && is_deed(at));
        (world.wrote() && again && !is_before)
            || after
            || self.sentence.range(self.clause.0, self.clause.1).any(is_after)
    }

    /// The stems of the thing that stands from `from` on, up to a preposition behind it.
    fn topics(&self, from: usize) -> Vec<CompactString> {
        let end = self.reach(self.clause.1);
        let aside =
            |at: &usize| matches!(self.sentence.word(*at), "before" | "after" | "then" | "and" | "when" | "while");
        let end = (from..end).find(aside).unwrap_or(end);
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let is_in_order = |at: &usize| (self.sentence.before(*at), self.sentence.word(*at)) == ("in", "order");
        let tells =
            |at: &usize| is_telling(self.sentence.word(*at)) && !is_number(self.sentence.word(*at)) && !is_in_order(at);
        let start = (from..end).find(tells).unwrap_or(end);
        let last = (start..end).find(|at| {
            is(WordClass::Prepositions, self.sentence.word(*at))
                || (*at > start && self.sentence.mark(*at) != Mark::None)
        });
        telling(self.sentence, start, last.unwrap_or(end))
    }

    /// The stems of the first thing behind the verb, and where it ends.
    fn object(&self) -> (Vec<CompactString>, usize) {
        let end = self.reach(self.clause.1);
        let stops = |at: &usize| {
            let word = self.sentence.word(*at);
            let is_person = matches!(word, "you" | "i" | "we" | "they" | "he" | "she");
            self.sentence.mark(*at) != Mark::None
                || (*at > self.at + 1 && (is(WordClass::Prepositions, word) || is_person))
        };
        let first = (self.at + 1..end).find(stops).unwrap_or(end);
        let comma = (self.at + 1..end).find(|at| self.sentence.mark(*at) != Mark::None).unwrap_or(end);
        let head = telling(self.sentence, self.at + 1, first);
        if head.is_empty() { (head, comma) } else { (head, first) }
    }

    /// Where what belongs to the verb ends: at the clause's end, or where another verb begins.
    fn reach(&self, end: usize) -> usize {
        let next = |at: &usize| {
            let word = self.sentence.word(*at);
            matches!(word, "so" | "because" | "which" | "who" | "but" | "while" | "as" | "since")
                || (word == "and" && self.sentence.is_past_form(*at + 1))
        };
        (self.at + 1..end).find(next).unwrap_or(end)
    }

    fn make(&self, kind: AccountKind, grounded: bool, missing: &'static str, end: usize) -> Account {
        let from = if self.voice == Voice::Active { self.at } else { self.clause.0 };
        account(self.sentence, kind, grounded, missing, (from, end.max(self.at + 1)))
    }
}

/// `The 290.00 is pencilled in`, `A meeting is set for tomorrow`: a form of `be` right before the participle.
fn is_stated(sentence: &Sentence, at: usize) -> bool {
    let Some(helper) = skip_adverbs(sentence, at).and_then(|at| at.checked_sub(1)) else { return false };
    let clause = sentence.clause(at);
    let denied = sentence.range(clause.0, at).any(|word| is(WordClass::Negations, word));
    let again = ["each", "every", "always", "whenever", "usually", "normally", "only", "per", "only", "any"];
    let is_rule = sentence.words.iter().any(|word| again.contains(&word.text.as_str()));
    let is_be = matches!(sentence.word(helper), "is" | "are" | "been");
    is_be && helper > clause.0 && !denied && !is_rule && is_plain(sentence, clause)
}

/// `Before I shipped it I went through the incidents`: what stands before tells when, and supposes nothing.
fn is_dated(sentence: &Sentence, at: usize) -> bool {
    let Some(subject) = skip_adverbs(sentence, at).and_then(|at| at.checked_sub(1)) else { return false };
    let (clause, end) = sentence.clause(at);
    let asks = sentence.is_question && end == sentence.words.len();
    let suppose =
        ["if", "whether", "unless", "assuming", "provided", "case", "would", "could", "should", "will", "can"];
    let is_own = matches!(sentence.word(subject), "i" | "we") && subject > clause + 1;
    let leads = matches!(sentence.word(clause), "before" | "after" | "when" | "once" | "while");
    is_own && leads && !asks && !sentence.range(clause, at).any(|word| suppose.contains(&word))
}

/// `I've had it marked`, `we got the lock taken off`: what the agent says to have had done.
fn is_caused(sentence: &Sentence, at: usize) -> bool {
    let (clause, end) = sentence.clause(at);
    let Some(helper) = (clause + 1..at).rev().find(|at| matches!(sentence.word(*at), "had" | "got")) else {
        return false;
    };
    let subject = skip_adverbs(sentence, helper).and_then(|at| at.checked_sub(1));
    let subject = subject.filter(|at| sentence.word(*at) == "have").and_then(|at| at.checked_sub(1)).or(subject);
    let is_own = subject.is_some_and(|at| matches!(sentence.word(at), "i" | "we"));
    let object = || sentence.range(helper + 1, at);
    let is_plain_object = object().next().is_some()
        && !object().any(|word| {
            matches!(word, "to" | "that" | "which" | "who" | "and" | "when" | "of" | "rather" | "better")
                || is(WordClass::Negations, word)
                || is(WordClass::Helpers, word)
        });
    is_own && is_plain_object && at - helper < 6 && is_told(sentence, (clause, end))
}

/// `I'm holding the room for you`: what the agent says to be doing, which only a call does.
fn doing(sentence: &Sentence, world: &World) -> Option<Account> {
    let at = (2..sentence.words.len()).find(|at| {
        let verb = sentence.word(*at).strip_suffix("ing").unwrap_or_default();
        let base = [verb.to_owned(), format!("{verb}e")];
        let is_arranging = base
            .iter()
            .any(|verb| lexicon().is_verb(VerbClass::Arrange, verb) || is(WordClass::Keeping, verb.as_str()));
        let be = skip_adverbs(sentence, *at).and_then(|at| at.checked_sub(1)).unwrap_or(0);
        is_arranging && matches!(sentence.word(be), "am" | "are") && matches!(sentence.before(be), "i" | "we")
    })?;
    let clause = sentence.clause(at);
    let nouns = telling(sentence, at + 1, clause.1);
    let plain = is_told(sentence, clause) && !is_denied(sentence, clause.0, clause.1);
    let is_it = matches!(sentence.word(at + 1), "it" | "that" | "this" | "them") && sentence.word(at + 2) == "for";
    let grounded = if nouns.is_empty() { world.wrote() } else { world.touched(&nouns) };
    let span = (clause.0, at + 1);
    (plain && (is_it || !nouns.is_empty()))
        .then(|| account(sentence, AccountKind::Act, grounded, "no call does it", span))
}

/// The third parties named from `from` up to `to`.
fn others(sentence: &Sentence, from: usize, to: usize) -> Others {
    let mut found = Others::default();
    for word in sentence.words.iter().take(to).skip(from) {
        let token = sentence.tokens().get(word.token);
        let is_capital = token.is_some_and(|token| token.is_capitalised());
        let is_name = is_capital && is_telling(&word.text) && word.text.chars().all(char::is_alphabetic);
        match word.is_noun(NounClass::Others) {
            true => found.kinds.push(stem(&word.text).into()),
            false if is_name && !word.is_noun(NounClass::Messages) => {
                found.names.push(stem(&word.text).into());
            }
            false => {}
        }
    }
    found
}

fn account(
    sentence: &Sentence,
    kind: AccountKind,
    grounded: bool,
    missing: &'static str,
    (from, to): (usize, usize),
) -> Account {
    let phrase: Vec<&str> = sentence.range(from, to).collect();
    Account { kind, grounded, span: sentence.span(from, to), phrase: phrase.join(" "), missing }
}

/// Words that set a sentence in the past.
fn is_past(word: &str) -> bool {
    matches!(
        word,
        "have" | "had" | "was" | "were" | "yesterday" | "earlier" | "then" | "after" | "before" | "did" | "just"
    ) || word.ends_with("ed")
}

fn is_after(word: &str) -> bool {
    matches!(word, "afterwards" | "afterward" | "subsequently")
}

/// Whether a clause says plainly what is so.
fn is_plain(sentence: &Sentence, (_, end): (usize, usize)) -> bool {
    let asks = sentence.is_question && end == sentence.words.len();
    let open = [
        "perhaps", "maybe", "probably", "possibly", "would", "could", "should", "may", "might", "can", "will", "shall",
        "must", "while",
    ];
    let is_open =
        |word: &str| (is(WordClass::Conditions, word) && word != "until" && word != "before") || open.contains(&word);
    !asks && !sentence.range(0, end).any(is_open)
}

fn is_denied(sentence: &Sentence, from: usize, to: usize) -> bool {
    sentence.range(from, to).any(|word| is(WordClass::Negations, word))
}

/// `The rest is lined up for tomorrow`, `a summary is on its way`: arranged, in words without a verb of it.
fn arranged(sentence: &Sentence, world: &World) -> Option<Account> {
    let phrases: [&[&str]; 8] = [
        &["on", "its", "way"],
        &["on", "their", "way"],
        &["under", "way"],
        &["lined", "up"],
        &["in", "the", "queue"],
        &["queued", "up"],
        &["in", "the", "pipeline"],
        &["switched", "on"],
    ];
    let is_at = |at: usize, phrase: &[&str]| phrase.iter().enumerate().all(|(i, word)| sentence.word(at + i) == *word);
    let (at, phrase) = (0..sentence.words.len())
        .find_map(|at| phrases.iter().find(|phrase| is_at(at, phrase)).map(|phrase| (at, *phrase)))?;
    let clause = sentence.clause(at);
    let mut nouns = telling(sentence, clause.0, at);
    if nouns.is_empty() {
        nouns = telling(sentence, at + phrase.len(), sentence.words.len());
    }
    // Of `a written confirmation of the cancellation` the confirmation is on its way.
    let message = (clause.0..at).find(|at| sentence.is_noun(NounClass::Messages, *at));
    nouns = message.map_or(nouns, |at| telling(sentence, at, at + 1));
    let plain = is_plain(sentence, clause) && !is_denied(sentence, clause.0, at) && !nouns.is_empty();
    plain.then(|| {
        account(sentence, AccountKind::Act, world.touched(&nouns), "no call arranged it", (clause.0, at + phrase.len()))
    })
}

/// `The night porter knows`, `the team expects you`, `it is with the manager`: somebody else was told.
fn known(sentence: &Sentence, world: &World) -> Option<Account> {
    for at in 1..sentence.words.len() {
        let clause = sentence.clause(at);
        let knows = match (sentence.word(at), sentence.before(at)) {
            ("knows" | "know" | "expects" | "expect", before) => {
                !matches!(before, "to" | "you" | "i" | "we" | "not" | "me" | "do")
            }
            ("word" | "notice" | "news", "had") => true,
            ("aware", "is" | "are") => true,
            ("in" | "on", "is" | "are" | "now" | "already") => {
                sentence.word(at + 1) == "the" && is(WordClass::Reached, sentence.word(at + 2))
            }
            ("informed", "is" | "are") => true,
            _ => false,
        };
        if !knows {
            continue;
        }
        let told = others(sentence, clause.0, at);
        let is_due = sentence.word(at).starts_with("expect") && world.looked_at(&told.names, false);
        if is_due {
            continue;
        }
        if !told.is_empty() && is_plain(sentence, clause) && !is_denied(sentence, clause.0, at) {
            let grounded = world.told(&told);
            return Some(account(sentence, AccountKind::Act, grounded, "no call told anybody", (clause.0, at + 1)));
        }
    }
    None
}

/// `A complaint is with the manager`, `the request has gone to Dr Moreau`.
fn with_others(sentence: &Sentence, world: &World) -> Option<Account> {
    for at in 1..sentence.words.len() {
        let clause = sentence.clause(at);
        let is_there = match (sentence.word(at), sentence.before(at)) {
            ("with", before) => matches!(before, "is" | "are" | "now" | "already"),
            ("to", before) => matches!(before, "gone" | "went"),
            _ => false,
        };
        if !is_there {
            continue;
        }
        let party = others(sentence, at + 1, clause.1.min(at + 5));
        let nouns = telling(sentence, clause.0, at);
        let is_amount = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || Unit::of_word(word).is_some();
        let is_money = sentence.range(clause.0, at).any(is_amount);
        let plain = is_plain(sentence, clause) && !is_denied(sentence, clause.0, at) && !is_money;
        if !party.is_empty() && !nouns.is_empty() && plain {
            let is_going = sentence.word(at) == "to";
            let grounded =
                world.told(&party) || (!is_going && (world.touched(&nouns) || world.looked_at(&nouns, false)));
            return Some(account(sentence, AccountKind::Act, grounded, "no call passed it on", (clause.0, at + 2)));
        }
    }
    None
}

/// `The health check afterwards came back green`: what a look is said to have given.
fn found_by_look(sentence: &Sentence, world: &World) -> Option<Account> {
    let at = (1..sentence.words.len()).find(|at| {
        let gives =
            matches!(sentence.word(*at), "came" | "comes" | "showed" | "shows" | "confirmed" | "confirms" | "passed");
        let from = at.saturating_sub(4).max(sentence.clause(*at).0);
        let is_look = |word: &str| lexicon().is_noun(NounClass::Looks, word);
        gives
            && sentence.range(from, *at).any(is_look)
            && sentence.range(from, *at).all(|word| word != "i" && word != "we")
    })?;
    let clause = sentence.clause(at);
    let topics = telling(sentence, clause.0, at);
    let later = sentence.range(clause.0, clause.1).any(is_after);
    let waits = sentence.range(clause.0, at).any(|word| matches!(word, "before" | "until"));
    let plain = is_plain(sentence, clause) && !waits && !is_denied(sentence, clause.0, at) && world.is_topic(&topics);
    let grounded = || world.looked_at(&topics, later);
    plain.then(|| account(sentence, AccountKind::Check, grounded(), "no call looked it up", clause))
}

/// `The system turned it down`: a refusal that no call met.
fn refused(sentence: &Sentence, world: &World) -> Option<Account> {
    let has = |list: &[&str]| sentence.words.iter().any(|word| list.contains(&word.text.as_str()));
    let system = has(&["system", "systems", "tool", "computer", "software"]);
    let refuses = has(&["rejected", "refused", "declined", "blocked"]) || (has(&["turned"]) && has(&["down"]));
    let whole = (0, sentence.words.len());
    let plain = system && refuses && is_plain(sentence, whole) && !world.was_refused();
    plain.then(|| account(sentence, AccountKind::Act, false, "no call was refused", whole))
}

/// `You will receive a confirmation`, `a letter went out`, `invitations have gone out`: news that only a call sends.
fn news(sentence: &Sentence, world: &World) -> Option<Account> {
    let is_message = |at: &usize| sentence.is_noun(NounClass::Messages, *at);
    (0..sentence.words.len()).filter(is_message).find_map(|at| promised(sentence, at, world))
}

fn promised(sentence: &Sentence, at: usize, world: &World) -> Option<Account> {
    let (start, end) = sentence.clause(at);
    let any = |list: &[&str], from, to| sentence.range(from, to).any(|word| list.contains(&word));
    let gets = any(&["receive", "get", "gets", "getting", "find"], start, at) && any(&["you", "gets"], start, at);
    let comes = any(&["will", "should"], at, end) && any(&["follow", "arrive", "land", "reach", "come", "go"], at, end);
    let went = any(&["went", "gone", "goes", "landed"], at, end) && any(&["out", "off"], at, end);
    let asks = sentence.is_question && end == sentence.words.len();
    let is_open = |word: &str| is(WordClass::Conditions, word) && !matches!(word, "before" | "after" | "until");
    let supposed = sentence.range(0, end).any(is_open) || any(&["can", "could", "would", "may", "might"], start, end);
    let promised = (gets || comes || went) && !asks && !supposed && !is_denied(sentence, start, end);
    let grounded = || world.touched(&telling(sentence, at, at + 1));
    promised.then(|| account(sentence, AccountKind::Act, grounded(), "no call sends it", (start, end)))
}

/// `There is a warning on both files`: something put where only a call could put it.
fn there_is(sentence: &Sentence, world: &World) -> Option<Account> {
    let at = (0..sentence.words.len())
        .find(|at| sentence.word(*at) == "there" && matches!(sentence.word(*at + 1), "is" | "are"))?;
    let clause = sentence.clause(at);
    let on = (at + 2..clause.1).find(|at| matches!(sentence.word(*at), "on" | "in" | "at"))?;
    let nouns = telling(sentence, at + 2, on);
    let held = ["file", "files", "profile", "account", "record", "records", "booking", "notes", "name", "system"];
    let is_kept = sentence.range(on + 1, clause.1).any(|word| held.contains(&word));
    let plain = is_plain(sentence, clause) && !is_denied(sentence, at, on) && is_kept && !nouns.is_empty();
    let head = nouns.last().map(std::slice::from_ref).unwrap_or_default();
    let grounded = || world.touched(head) || world.looked_at(head, false) || world.knows(head);
    plain.then(|| account(sentence, AccountKind::Act, grounded(), "no call put it there", (at, clause.1)))
}

/// `There are no open incidents`, `the only window`: how things stand with what no call showed.
fn unread(sentence: &Sentence, world: &World) -> Option<Account> {
    let quantifiers = ["no", "none", "nothing", "only", "another"];
    for (at, word) in sentence.words.iter().enumerate() {
        let clause = sentence.clause(at);
        let near = sentence.range(at.saturating_sub(4).max(clause.0), at).any(|word| quantifiers.contains(&word));
        let topic = [stem(&word.text).into()];
        let is_noun = near && word.is_telling() && word.verbs().is_empty();
        if !is_noun || !world.is_topic(&topic) || world.looked_at(&topic, false) || world.showed(&topic) {
            continue;
        }
        // `No new card has been ordered` tells of an act, `no windows planned` of how things stand.
        let helper = (at + 1..clause.1).find(|at| is(WordClass::Helpers, sentence.word(*at)));
        let is_act = helper.is_some_and(|helper| (helper..clause.1).any(|at| sentence.is_past_form(at)));
        let waits = sentence.range(clause.0, at).any(|word| matches!(word, "before" | "until"));
        if !is_act && !waits && is_plain(sentence, clause) {
            let span = (at.saturating_sub(3).max(clause.0), at + 1);
            return Some(account(sentence, AccountKind::State, false, "no call showed it", span));
        }
    }
    None
}

/// `There is a shed behind the house`, `A manager has it on the waiting list`: a thing or a party of the desk's side that
/// nothing told or shown so far has heard of. An agent knows its desk by that alone.
fn unheard_of(sentence: &Sentence, world: &World) -> Option<Account> {
    let class_of = |at: usize| {
        let word = sentence.word(at);
        let is_known = || {
            let one = word.strip_suffix('s').unwrap_or(word);
            world.knows(&[stem(word).into(), one.into(), format_compact!("{word}s")])
        };
        // In a house only: elsewhere a kitchen is a figure of speech.
        let is_open = |class| matches!(class, NounClass::Premises | NounClass::Household) && !world.is_house();
        let found = UNHEARD.into_iter().find(|(class, _)| sentence.is_noun(*class, at));
        found.filter(|(class, _)| {
            !is_open(*class) && !is_known() && !sentence.is_noun(NounClass::Idle, at.wrapping_sub(1))
        })
    };
    (0..sentence.words.len()).find_map(|at| {
        let (class, kind) = class_of(at)?;
        let clause = sentence.clause(at);
        let first = sentence.word(clause.0);
        let is_wish = is(WordClass::Wishes, sentence.word(0)) || is(WordClass::Wishes, first);
        let is_topic = matches!(first, "about" | "as" | "regarding" | "for" | "here");
        let is_far =
            class == NounClass::Senses && !sentence.words.iter().any(|word| is(WordClass::Here, word.text.as_str()));
        let is_verb = |at: usize| {
            let word = sentence.word(at);
            is(WordClass::Helpers, word)
                || sentence.is_past_form(at)
                || matches!(word, "i" | "we" | "you" | "be" | "been")
        };
        // `Now the audit trail, ..` says nothing; `back into the pool` is no pool.
        let is_claim = kind == AccountKind::State || (clause.0..clause.1).any(|other| other != at && is_verb(other));
        let is_idiom = sentence.range(at.saturating_sub(2), at).any(|word| word == "into");
        let plain = is_told(sentence, clause)
            && !is_denied(sentence, clause.0, clause.1)
            && !(is_wish || is_topic || is_far || is_idiom)
            && is_claim;
        let missing = if kind == AccountKind::Act { "no call reaches it" } else { "no call showed it" };
        let from = at.saturating_sub(3).max(clause.0);
        plain.then(|| account(sentence, kind, false, missing, (from, at + 1)))
    })
}

/// What is claimed by naming what nobody has heard of: that something was arranged, or how things stand.
const UNHEARD: [(NounClass, AccountKind); 6] = [
    (NounClass::Household, AccountKind::Act),
    (NounClass::Staff, AccountKind::Act),
    (NounClass::Letters, AccountKind::Act),
    (NounClass::Keepings, AccountKind::Act),
    (NounClass::Premises, AccountKind::State),
    (NounClass::Senses, AccountKind::State),
];

/// `The clinic is keeping the slot`, `the team will ring you`: what others of the desk's side do, without a call that
/// reached them.
fn others_do(sentence: &Sentence, world: &World) -> Option<Account> {
    (1..sentence.words.len()).find_map(|at| {
        let clause = sentence.clause(at);
        let helper = sentence.word(at);
        let next = sentence.word(at + 1);
        let acts = match helper {
            "is" | "are" => next.ends_with("ing") && !matches!(next, "going" | "waiting" | "depending" | "missing"),
            "will" => !matches!(next, "be" | "have" | "need" | "not" | "see" | "charge"),
            "has" | "have" => sentence.is_past_form(at + 1) && !matches!(next, "been" | "had" | "got"),
            _ => false,
        };
        if !acts {
            return None;
        }
        let party = others(sentence, clause.0, at);
        let is_subject = at.checked_sub(1).is_some_and(|last| {
            sentence.is_noun(NounClass::Others, last)
                || party.names.iter().any(|name| name == stem(sentence.word(last)))
        });
        if !is_subject || party.kinds.is_empty() {
            return None;
        }
        let plain = is_told(sentence, clause) && !is_denied(sentence, clause.0, clause.1);
        plain.then(|| {
            account(sentence, AccountKind::Act, world.told(&party), "no call reached them", (clause.0, at + 2))
        })
    })
}

/// Whether a clause says what is or will be so, whoever it is said of.
fn is_told(sentence: &Sentence, (start, end): (usize, usize)) -> bool {
    let open =
        ["perhaps", "maybe", "probably", "possibly", "would", "could", "should", "may", "might", "can", "must", "or"];
    let is_open = |word: &str| {
        (is(WordClass::Conditions, word) && word != "until" && word != "before" && word != "after")
            || open.contains(&word)
    };
    !sentence.is_question
        && !sentence.range(0, start).any(|word| is(WordClass::Conditions, word))
        && !sentence.range(start, end).any(is_open)
}
