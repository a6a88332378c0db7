//! Texts as the contract user reads them, each read once.
//!
//! Whoever listens to a reply asks the same words: which questions it has, what it tells as done, what it offers, which
//! values stand there. The same sentences are asked again with the next reply, and with every replay. So a thread keeps
//! texts, until they are too many, and then none. What is read of a text depends on nothing but its words and the day.

use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use compact_str::CompactString;
use probity_prose::{Heard, Lookup, MONTHS, Sentence, Text, WordClass, Words, lexicon::is, token};

use super::asked::ASKED;
use super::confirmation::{CUES, QuestionCue, is_usual, stem};
use super::utterance::Values;
use crate::task::question::{Question, QuestionPlace};

/// Most bytes of texts that a thread keeps. What has been read of them takes some fifty times as much.
const MOST_KEPT: usize = 48 * 1024;
/// What a text counts beside its bytes.
const EACH: usize = 32;
/// Letters by which words that tell what a text is about are the same.
const STEM: usize = 6;
/// Most letters of words that tell nothing of what a text is about.
const SHORT: usize = 3;

thread_local! {
    static KEPT: RefCell<KeptTexts> = RefCell::default();
}

#[derive(Default)]
struct KeptTexts {
    texts: Lookup<Box<str>, Rc<KeptText>>,
    bytes: usize,
}

/// A text, and what has been asked of it so far.
#[derive(Default)]
pub(super) struct KeptText {
    text: Box<str>,
    words: OnceCell<Vec<CompactString>>,
    vocabulary: OnceCell<Words>,
    whole_words: OnceCell<Vec<CompactString>>,
    /// The whole words, one blank around each.
    spaced: OnceCell<String>,
    sentences: OnceCell<Vec<Sentence>>,
    /// The words of its sentences.
    told: OnceCell<Words>,
    written: OnceCell<Vec<(String, bool)>>,
    clauses: OnceCell<Vec<String>>,
    questions: OnceCell<Vec<QuestionPlace>>,
    cues: OnceCell<Heard<'static, QuestionCue>>,
    tellings: OnceCell<Tellings>,
    /// By the moment at which it is said.
    values: RefCell<Vec<(i64, Rc<Values>)>>,
}

/// The words of a text by what they tell of what it is about.
#[derive(Default)]
pub(super) struct Tellings {
    /// Those that tell much, and of these the ones that name no month, as they begin.
    pub long: Vec<CompactString>,
    pub about: Vec<CompactString>,
    /// Those that tell anything, without the endings of their forms, each once.
    pub stems: Vec<String>,
    begun: Words,
    stemmed: Words,
}

/// What has been read of a kept text.
pub(super) struct Part<T: ?Sized + 'static>(Rc<KeptText>, fn(&KeptText) -> &T);

impl<T: ?Sized> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        (self.1)(&self.0)
    }
}

pub(super) fn kept(text: &str) -> Rc<KeptText> {
    let new = || Rc::new(KeptText { text: text.into(), ..KeptText::default() });
    let size = text.len() + EACH;
    if size > MOST_KEPT {
        return new();
    }
    KEPT.with_borrow_mut(|kept| {
        if let Some(known) = kept.texts.get(text) {
            return Rc::clone(known);
        }
        if kept.bytes + size > MOST_KEPT {
            *kept = KeptTexts::default();
        }
        kept.bytes += size;
        let new = new();
        kept.texts.insert(text.into(), Rc::clone(&new));
        new
    })
}

pub(super) fn words(text: &str) -> Part<[CompactString]> {
    Part(kept(text), KeptText::words)
}

/// The words as people count them: *don't* is one.
pub(super) fn whole_words(text: &str) -> Part<[CompactString]> {
    Part(kept(text), KeptText::whole_words)
}

pub(super) fn sentences(text: &str) -> Part<[Sentence]> {
    Part(kept(text), KeptText::sentences)
}

/// The sentences of a turn as they were written, and whether each is a question. *Report it; they may look* is one.
pub(super) fn sentences_of(turn: &str) -> Part<[(String, bool)]> {
    Part(kept(turn), KeptText::written)
}

/// The clauses of a question as they were written, its mark included, but for what stands between them.
pub(super) fn clauses(text: &str) -> Part<[String]> {
    Part(kept(text), KeptText::clauses)
}

pub(super) fn questions(text: &str) -> Vec<Question<'_>> {
    kept(text).questions().iter().map(|place| place.of(text)).collect()
}

/// The values of a text said at `now`, in seconds after 1970.
pub(super) fn values(text: &str, now: i64) -> Rc<Values> {
    kept(text).values(now)
}

impl KeptText {
    fn words(&self) -> &[CompactString] {
        self.words.get_or_init(|| token::words(&self.text))
    }

    fn whole_words(&self) -> &[CompactString] {
        self.whole_words.get_or_init(|| token::whole_words(&self.text))
    }

    pub(super) fn vocabulary(&self) -> &Words {
        self.vocabulary.get_or_init(|| self.words().iter().cloned().collect())
    }

    pub(super) fn cues(&self) -> &Heard<'static, QuestionCue> {
        self.cues.get_or_init(|| CUES.heard(self.whole_words()))
    }

    /// Whether it has some whole words with one blank around each.
    pub(super) fn has(&self, spaced: &str) -> bool {
        self.spaced.get_or_init(|| format!(" {} ", self.whole_words().join(" "))).contains(spaced)
    }

    fn sentences(&self) -> &[Sentence] {
        self.sentences.get_or_init(|| Text::read(&self.text).sentences)
    }

    /// Whether these words stand in it one behind the other.
    pub(super) fn has_run(&self, run: &[CompactString]) -> bool {
        let has_all = || run.iter().all(|word| self.vocabulary().contains(word));
        !run.is_empty() && has_all() && self.words().windows(run.len()).any(|part| part == run)
    }

    /// Whether its sentences have all of these words, in whatever order.
    pub(super) fn has_all(&self, words: &[CompactString]) -> bool {
        let all = || self.sentences().iter().flat_map(|sentence| &sentence.words).map(|word| word.text.clone());
        let told = self.told.get_or_init(|| all().collect());
        words.iter().all(|word| told.contains(word))
    }

    fn written(&self) -> &[(String, bool)] {
        self.written.get_or_init(|| {
            let read = self.sentences();
            let place = |at: usize| read.get(at).map_or(usize::MAX, |sentence| sentence.span(0, 1).0);
            let mut all: Vec<(String, bool)> = Vec::new();
            for (at, sentence) in read.iter().enumerate() {
                let (from, to) = (place(at), place(at + 1));
                let text: String = self.text.chars().skip(from).take(to.saturating_sub(from)).collect();
                match all.last_mut().filter(|(before, _)| before.ends_with([';', ':'])) {
                    Some((before, is_question)) => {
                        before.extend([" ", text.trim()]);
                        *is_question = sentence.is_question;
                    }
                    None => all.push((text.trim().to_owned(), sentence.is_question)),
                }
            }
            all
        })
    }

    fn clauses(&self) -> &[String] {
        self.clauses.get_or_init(|| {
            let piece = |sentence: &Sentence, start: usize| {
                let (from, to) = sentence.clause(start);
                let mark = if to == sentence.words.len() && sentence.is_question { "?" } else { "" };
                let (from, to) = sentence.span(from, to);
                self.text.chars().skip(from).take(to.saturating_sub(from)).chain(mark.chars()).collect()
            };
            let pieces = |sentence| {
                let sentence: &Sentence = sentence;
                sentence.clauses.iter().map(|at| piece(sentence, *at)).collect::<Vec<String>>()
            };
            self.sentences().iter().flat_map(pieces).collect()
        })
    }

    fn questions(&self) -> &[QuestionPlace] {
        self.questions.get_or_init(|| QuestionPlace::all(&self.text, self.sentences()))
    }

    fn values(&self, now: i64) -> Rc<Values> {
        let known = self.values.borrow().iter().find(|(at, _)| *at == now).map(|(_, values)| Rc::clone(values));
        known.unwrap_or_else(|| {
            let values = Rc::new(Values::read(&self.text, now));
            self.values.borrow_mut().push((now, Rc::clone(&values)));
            values
        })
    }

    pub(super) fn tellings(&self) -> &Tellings {
        self.tellings.get_or_init(|| {
            let (mut found, mut known) = (Tellings::default(), Words::default());
            for word in self.words().iter().filter(|word| is_new(&mut known, word)) {
                let (begin, stem) = (begin(word), CompactString::from(stem(word)));
                let tells = !is(WordClass::Common, word) && !is_usual(word);
                if tells && word.chars().count() > SHORT {
                    found.long.push(word.clone());
                    // A month is part of a day, which is compared as one.
                    found.about.extend((!MONTHS.contains(&word.as_str())).then(|| begin.clone()));
                }
                if tells && !ASKED.small.has(word) && !found.stems.iter().any(|known| *known == stem) {
                    found.stems.push(stem.to_string());
                }
                found.begun.insert(begin);
                found.stemmed.insert(stem);
            }
            found
        })
    }
}

impl Tellings {
    pub(super) fn begins(&self, begin: &CompactString) -> bool {
        self.begun.contains(begin)
    }

    pub(super) fn has_stem(&self, stem: &str) -> bool {
        self.stemmed.contains(stem)
    }
}

/// Whether a word is not among those that are known; from now on it is.
fn is_new(known: &mut Words, word: &CompactString) -> bool {
    let before = known.len();
    known.insert(word.clone());
    known.len() > before
}

/// How a word begins, without the ending of a plural.
pub(super) fn begin(word: &str) -> CompactString {
    word.trim_end_matches('s').chars().take(STEM).collect()
}
