//! Whether a user who is asked for leave gives it.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::lexicon::is;
use probity_prose::{Heard, Mark, Mention, Sentence, Text, Vocabulary, WordClass};
use serde::Deserialize;

/// Most characters of a message in which a yes stands alone; of a longer one the first sentence may say it.
const SHORT: usize = 240;
/// Most words of a question that only asks whether it is all right: `Okay?`
const FEW: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cue {
    Yes,
    /// Tells to go on.
    Acts,
    /// Says yes where nothing else is said.
    Curt,
    /// Has a *no* that denies nothing.
    Mild,
    /// Takes a yes back, at the beginning and at the end.
    Halts,
    LetsBe,
    Denies,
    Unreal,
    /// Asks for leave, and for an answer.
    Leave,
    Inquiry,
    Answer,
    /// *I do not want it any more.*
    Wants,
    NoMore,
    /// *I no longer need it.*
    Unwanted,
}

static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("consent"));

/// How somebody says yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Assent {
    /// `Exactly.`, which says yes only to who asked for it.
    Answer,
    /// `Yes.`, `Go ahead, please.`
    Plain,
}

/// The yes that a message says; nothing where something in it takes it back. `is_deed` tells the words for what it would be
/// said to.
pub(crate) fn assent(text: &str, read: &Text, is_deed: &dyn Fn(&str) -> bool) -> Option<Assent> {
    let most = if text.len() > SHORT { 1 } else { usize::MAX };
    let said: Vec<Piece> = read.sentences.iter().take(most).flat_map(Piece::all).collect();
    // `No, go ahead` answers whether there is anything else.
    let is_after_no = said.first().is_some_and(Piece::is_bare_no) && said.iter().any(|piece| piece.is_all(Cue::Acts));
    let said = said.get(usize::from(is_after_no)..).unwrap_or_default();
    if said.iter().any(|piece| piece.denies(is_deed)) {
        return None;
    }
    let nods = || text.chars().any(|sign| is(WordClass::Nods, sign.encode_utf8(&mut [0; 4])));
    let asks = || read.sentences.iter().any(|sentence| sentence.is_question);
    said.iter().filter_map(Piece::assent).max().or_else(|| (nods() && !asks()).then_some(Assent::Answer))
}

/// Whether a reply asks for a yes.
pub(crate) fn asks(reply: &Text, is_deed: &dyn Fn(&str) -> bool) -> bool {
    reply.sentences.iter().any(|sentence| {
        let words = words(sentence);
        let heard = CUES.heard(&words);
        let names = || words.iter().any(|word| is_deed(word));
        let is_leave = |cue: &Mention<Cue>| *cue.list == Cue::Leave && !heard.begins(cue.at, Cue::Inquiry);
        let asks = || words.len() <= FEW || heard.iter().any(is_leave) || names();
        heard.has(Cue::Answer) || (sentence.is_question && asks())
    })
}

/// `I do not want it any more`, `I no longer need it`; nothing that asks.
pub(crate) fn is_unwanted(sentence: &Sentence) -> bool {
    let words = words(sentence);
    let heard = CUES.heard(&words);
    let is_denied = || words.iter().any(|word| word == "not");
    let is_ended = || is_denied() && heard.has(Cue::Wants) && heard.has(Cue::NoMore);
    !sentence.is_question && (heard.has(Cue::Unwanted) || is_ended())
}

/// `Stop!`, `Wait, please.`: it says nothing but that.
pub(crate) fn is_halt(sentence: &Sentence) -> bool {
    Piece::of(sentence, 0, sentence.words.len()).is_all(Cue::Halts)
}

fn words(sentence: &Sentence) -> Vec<CompactString> {
    sentence.words.iter().map(|word| word.text.clone()).collect()
}

/// What stands between two commas.
struct Piece {
    words: Vec<CompactString>,
    heard: Heard<'static, Cue>,
    /// Whether it ends with a question mark.
    asks: bool,
    /// The first of its words that is no filler, and the one after the last.
    from: usize,
    to: usize,
}

impl Piece {
    fn all(sentence: &Sentence) -> Vec<Piece> {
        let count = sentence.words.len();
        let mut starts: Vec<usize> = (0..count).filter(|at| *at == 0 || sentence.mark(*at) != Mark::None).collect();
        starts.push(count);
        starts.windows(2).filter_map(|ends| Some(Piece::of(sentence, *ends.first()?, *ends.last()?))).collect()
    }

    fn of(sentence: &Sentence, from: usize, to: usize) -> Piece {
        let words: Vec<CompactString> = sentence.range(from, to).map(CompactString::new).collect();
        let is_filler = |word: &&CompactString| is(WordClass::Fillers, word) || is(WordClass::Courtesies, word);
        let leads = words.iter().take_while(is_filler).count();
        let tail = words.iter().rev().take_while(|word| is_filler(word) || *word == "you").count();
        let (from, last) = if leads == words.len() { (0, words.len()) } else { (leads, words.len() - tail) };
        let heard = CUES.heard(&words);
        Piece { heard, asks: sentence.is_question && to == sentence.words.len(), from, to: last, words }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word)
    }

    fn of_list(&self, list: Cue) -> impl Iterator<Item = &Mention<'static, Cue>> {
        self.heard.iter().filter(move |cue| *cue.list == list)
    }

    /// Whether it is nothing but a phrase of a list.
    fn is_all(&self, list: Cue) -> bool {
        self.of_list(list).any(|cue| cue.at <= self.from && cue.at + cue.length >= self.to)
    }

    fn is_bare_no(&self) -> bool {
        let said = self.words.get(self.from..self.to).unwrap_or_default();
        matches!(said, [no] if is(WordClass::Noes, no))
    }

    /// Whether a word denies, and is no *no* of `no problem`.
    fn is_no(&self, at: usize) -> bool {
        let is_no = is(WordClass::Negations, self.word(at)) || is(WordClass::Noes, self.word(at));
        is_no && !self.of_list(Cue::Mild).any(|mild| (mild.at..mild.at + mild.length).contains(&at))
    }

    fn denies(&self, is_deed: &dyn Fn(&str) -> bool) -> bool {
        let begins = |list: Cue| self.of_list(list).any(|cue| cue.at <= self.from);
        let ends = |list: Cue| self.of_list(list).any(|cue| cue.at + cue.length >= self.to);
        let is_refused = |at: usize| {
            let next = self.word(at + 1);
            at == self.from && is(WordClass::Noes, self.word(at)) || next.is_empty() || is_deed(next)
        };
        let denied = |cue: &Mention<Cue>| self.is_no(cue.at) || self.is_no(cue.at + 1);
        begins(Cue::Halts)
            || ends(Cue::LetsBe)
            || self.of_list(Cue::Denies).any(denied)
            || (0..self.words.len()).any(|at| self.is_no(at) && is_refused(at))
    }

    fn assent(&self) -> Option<Assent> {
        let before = |at: usize, is_it: &dyn Fn(usize) -> bool| (0..at).any(is_it);
        let is_denied = |cue: &Mention<Cue>| before(cue.at, &|at| self.is_no(at));
        // `If that is fine with you`, `until I say yes`, `maybe yes`
        let is_open = |cue: &Mention<Cue>| {
            before(cue.at, &|at| is(WordClass::Suspensions, self.word(at)) || is(WordClass::Hedges, self.word(at)))
        };
        let is_unreal = || self.of_list(Cue::Unreal).next().is_some();
        let is_request = |cue: &Mention<Cue>| {
            cue.at <= self.from || before(cue.at, &|at| is(WordClass::RequestLeads, self.word(at)))
        };
        let acts = || self.of_list(Cue::Acts).any(|cue| !is_denied(cue) && (!self.asks || is_request(cue)));
        let says = || self.of_list(Cue::Yes).any(|cue| !is_denied(cue) && !is_open(cue)) && !self.asks;
        match () {
            () if is_unreal() => None,
            () if acts() || says() => Some(Assent::Plain),
            () if !self.asks && self.is_all(Cue::Curt) => Some(Assent::Answer),
            () => None,
        }
    }
}
