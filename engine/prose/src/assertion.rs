//! Which stretches of a reply assert what they say, and which only ask, suppose, report or deny it.
//!
//! An ordinary negation is a statement like any other: *no fee was charged*. Denied is what a frame takes back as a
//! whole: *none of the following is true: ..*.

use compact_str::CompactString;

use super::frame::{Frame, ahead, frame};
use super::language::is_read;
use super::lexicon::{WordClass, is};
use super::reversal::{Reversal, loose, reversal};
use super::sentence::{Mark, Sentence, Text, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Asserted,
    /// It is asked: *Is it 15.00 EUR?*
    Asked,
    /// It is only thought of: *Imagine that it is 15.00 EUR.*
    Supposed,
    /// Somebody else is said to say it, whom the speaker does not vouch for: *A liar would say: "15.00 EUR."*
    Attributed,
    /// A frame takes it back: *It is not true that it is 15.00 EUR.*
    Denied,
    /// It is in a language that is not read.
    Unread,
}

/// Some characters of a reply that are meant in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its first character, and the one after its last.
    pub span: (usize, usize),
    pub mood: Mood,
}

/// A reply that was read: how its clauses are meant, and the sentences by which it takes back what it has stated.
pub struct Reading {
    pub text: Text,
    /// In order; what stands between them has no words.
    pub stretches: Vec<Stretch>,
    /// The sentences by which the reply takes back all that it has stated: *I made all of that up.*
    pub taken_back: Vec<(usize, usize)>,
    /// Whether a sentence takes back a whole reply or says ahead that nothing of it is so, even of what was only offered:
    /// *None of that is true*, but not *That is wrong*, which is of one sentence.
    pub is_reversed: bool,
}

impl Reading {
    pub fn of(reply: &str) -> Reading {
        let text = Text::read(reply);
        let mut found =
            Reading { stretches: Vec::new(), taken_back: Vec::new(), is_reversed: false, text: Text::default() };
        found.read(reply, &text.sentences);
        Reading { text, ..found }
    }

    /// Nothing from the stretch `from` on is stated any more; whether something was.
    fn take_back(&mut self, from: usize, mood: Mood) -> bool {
        let stated = self.stretches.iter_mut().skip(from).filter(|stretch| stretch.mood == Mood::Asserted);
        stated.map(|stretch| stretch.mood = mood).count() > 0
    }

    /// All of the reply so far is taken back, as `span` says.
    fn take_all_back(&mut self, mood: Mood, span: (usize, usize)) {
        let is_stated = self.take_back(0, mood);
        self.taken_back.extend((is_stated && mood == Mood::Denied).then_some(span));
    }

    fn read(&mut self, text: &str, sentences: &[Sentence]) {
        let (mut last, mut before) = (0, None);
        // Whether a value or a deed has been stated.
        let mut is_told = false;
        let text: Vec<char> = text.chars().collect();
        let mut open: Option<Frame> = None;
        let mut told = sentences.iter().filter(|sentence| !sentence.words.is_empty()).peekable();
        while let Some(sentence) = told.next() {
            let first = self.stretches.len();
            let whole = sentence.span(0, sentence.words.len());
            open = open.filter(|frame| whole.0 < frame.until);
            let reversal = reversal(sentence, before);
            self.is_reversed |= reversal.is_some_and(|reversal| !matches!(reversal, Reversal::Own | Reversal::Last));
            match reversal {
                Some(Reversal::Ahead) if open.is_none() => open = Some(ahead(&text, sentence)),
                Some(Reversal::Behind(mood)) => self.take_all_back(mood, whole),
                Some(Reversal::Told) if is_told => self.take_all_back(Mood::Denied, whole),
                Some(Reversal::Told) => {
                    self.take_back(0, Mood::Denied);
                }
                Some(Reversal::Last) => {
                    self.take_back(last, Mood::Denied);
                }
                Some(Reversal::Ahead | Reversal::Own) | None => {}
            }
            let is_read = is_read(sentence);
            // `Checks passed? Yes`: what is asked is told at once.
            let is_answered = sentence.is_question && told.peek().is_some_and(|next| next.word(0) == "yes");
            for (at, own) in own_moods(sentence).into_iter().enumerate() {
                let own = match (is_answered, reversal) {
                    _ if !is_read => Mood::Unread,
                    (true, _) => Mood::Asserted,
                    (false, Some(Reversal::Own)) => Mood::Supposed,
                    (false, _) => own,
                };
                let Some((from, to)) = sentence.clauses.get(at).map(|start| sentence.clause(*start)) else { continue };
                let span = sentence.span(from, to);
                open = open.filter(|frame| span.0 < frame.until);
                let new = frame(&text, sentence, from, to);
                if let Some(frame) = new.filter(|new| open.is_none_or(|open| open.until < new.until)) {
                    if frame.takes_reply {
                        self.is_reversed = true;
                        self.take_all_back(frame.mood, span);
                    } else if frame.is_behind {
                        self.take_back(first, frame.mood);
                    }
                    // What denies more than its own sentence takes back the reply.
                    self.is_reversed |= frame.mood == Mood::Denied && frame.until > whole.1;
                    open = Some(frame);
                }
                let mood = open.filter(|_| is_read).map_or(own, |frame| frame.mood);
                let hedged = loose(sentence, from, to).filter(|_| mood == Mood::Asserted && !is_answered);
                let (start, end) = hedged.unwrap_or((to, to));
                for (from, to, mood) in [(from, start, mood), (start, end, Mood::Supposed), (end, to, mood)] {
                    self.stretches.extend((from < to).then(|| Stretch { span: sentence.span(from, to), mood }));
                }
            }
            let is_stated = self.stretches.iter().skip(first).any(|stretch| stretch.mood == Mood::Asserted);
            is_told |= is_stated && tells(sentence);
            (last, before) = (first, Some(sentence));
        }
    }

    /// Whether all of it is in a language that is read.
    pub fn is_read(&self) -> bool {
        self.stretches.iter().all(|stretch| stretch.mood != Mood::Unread)
    }

    /// How the character at `at` is meant; what belongs to no stretch is asserted.
    pub fn mood_at(&self, at: usize) -> Mood {
        let around = self.stretches.iter().find(|stretch| (stretch.span.0..stretch.span.1).contains(&at));
        around.map_or(Mood::Asserted, |stretch| stretch.mood)
    }

    pub fn is_asserted(&self, at: usize) -> bool {
        self.mood_at(at) == Mood::Asserted
    }

    /// The negation that stands before the word around the character at `at`, with nothing but helping verbs, adverbs
    /// and articles between: *not* in `has not yet been refunded`.
    pub fn negation_before(&self, at: usize) -> Option<&str> {
        let holds = |span: (usize, usize)| (span.0..span.1).contains(&at);
        let sentence = self.text.sentences.iter().find(|sentence| holds(sentence.span(0, sentence.words.len())))?;
        let is_here = |word: &Word| sentence.tokens().get(word.token).is_some_and(|token| holds(token.span));
        let mut word = sentence.words.iter().position(is_here)?;
        while word > 0 && sentence.mark(word) == Mark::None {
            word -= 1;
            match sentence.word(word) {
                found if is(WordClass::Negations, found) => return Some(found),
                other if !is_passed_over(other) || is(WordClass::Focus, other) => return None,
                _ => {}
            }
        }
        None
    }
}

/// Whether a sentence tells a value or a deed, and not only that somebody looked.
fn tells(sentence: &Sentence) -> bool {
    let is_look = |verb: &CompactString| is(WordClass::Lookups, verb);
    let is_deed = |at: usize| {
        let verbs = sentence.verbs(at);
        !verbs.is_empty() && !verbs.iter().any(is_look) && !is(WordClass::Helpers, sentence.word(at))
    };
    sentence.words.iter().any(|word| word.is_particular && word.text != "i") || (0..sentence.words.len()).any(is_deed)
}

pub(super) fn is_passed_over(word: &str) -> bool {
    is(WordClass::Helpers, word) || is(WordClass::Between, word) || word.ends_with("ly")
}

/// How each clause of a sentence is meant by itself.
fn own_moods(sentence: &Sentence) -> Vec<Mood> {
    let clauses: Vec<(usize, usize)> = sentence.clauses.iter().map(|start| sentence.clause(*start)).collect();
    let asks = |(from, _): &(usize, usize)| is_interrogative(sentence, *from);
    let is_tagged = sentence.is_question && ends_in_tag(sentence);
    let is_statement = !sentence.is_question || is_tagged || clauses.iter().any(asks);
    let mood = |(at, clause): (usize, &(usize, usize))| {
        let is_last = at + 1 == clauses.len();
        match clause {
            _ if !is_statement || (sentence.is_question && asks(clause) && !(is_last && is_tagged)) => Mood::Asked,
            (from, _) if is_condition(sentence, *from, is_last) => Mood::Supposed,
            _ => Mood::Asserted,
        }
    };
    clauses.iter().enumerate().map(mood).collect()
}

/// Whether a clause has the form of a question: `is that ..`, `so shall I ..`, `what ..`.
fn is_interrogative(sentence: &Sentence, from: usize) -> bool {
    let first = sentence.word(from + usize::from(sentence.is(WordClass::Leads, from)));
    is(WordClass::Helpers, first) || is(WordClass::Asking, first) || (from == 0 && first == "which")
}

/// Most words of what only turns a statement into a question.
const MAX_TAG: usize = 4;

/// Whether a question is a statement with a tag: `It is 94.00 EUR, right?`, `.., is that all right?`.
fn ends_in_tag(sentence: &Sentence) -> bool {
    let end = sentence.words.len();
    let tag = (1..end).rev().find(|at| sentence.mark(*at) != Mark::None);
    tag.is_some_and(|tag| {
        let has_value = sentence.words.iter().skip(tag).any(|word| word.is_particular);
        let is_tag = sentence.is(WordClass::Tags, tag) || is_interrogative(sentence, tag);
        let asks_before = is_interrogative(sentence, sentence.clause(tag - 1).0);
        end - tag <= MAX_TAG && is_tag && !has_value && !asks_before
    })
}

/// Whether a clause is a condition with its consequence apart: `if it was refunded, ..`, `.. , once it is moved`.
fn is_condition(sentence: &Sentence, from: usize, is_last: bool) -> bool {
    let leads = usize::from(sentence.is(WordClass::Leads, from));
    let is_condition = matches!(sentence.word(from + leads), "if" | "unless" | "whether" | "once");
    let (_, end) = sentence.clause(from);
    let asks_consent = sentence.range(from, end).any(|word| is(WordClass::Consent, word));
    // `If you stay the total is 340.00 EUR` is written as one clause.
    is_condition && !asks_consent && (from > 0 || !is_last)
}
