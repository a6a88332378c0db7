//! Answers that replies must give: a value in any wording, plain words, or a regular expression after `re:`.

use compact_str::CompactString;

use crate::assertion::is_passed_over;
use crate::date::day_number;
use crate::glyph::seen_in;
use crate::lexicon::{WordClass, is};
use crate::phrase::Phrase;
use crate::quantity::{is_rest, quantity_at, small_number};
use crate::token::{Shape, Token, stem, tokens};
use crate::value::{values_in, whole_value};
use crate::{Calendar, Found, Mark, Quantity, Reading, Sentence, Text, Value};

/// One way to meet a group of `must_say`.
///
/// `15.00 EUR` reads as a value, so *fifteen euros* says it, too; `late fee` is two words; `re:fees?` an expression.
#[derive(Clone, Debug)]
pub struct Answer {
    pub source: String,
    phrase: Phrase,
    value: Option<Box<Value>>,
    count: Option<Box<Count>>,
    negative: Option<Box<Negative>>,
    calendar: Calendar,
}

impl Answer {
    /// Reads an answer; days are seen from `calendar`.
    pub fn parse(source: &str, calendar: Calendar) -> Result<Answer, String> {
        let phrase = Phrase::parse(source)?;
        let plain = (!phrase.is_expression()).then_some(source);
        let value = plain.and_then(|source| whole_value(source, &calendar)).map(Box::new);
        let wording = plain.filter(|_| value.is_none());
        let count = wording.and_then(Count::of).map(Box::new);
        let negative = wording.and_then(Negative::of).map(Box::new);
        Ok(Answer { source: source.to_owned(), phrase, value, count, negative, calendar })
    }

    pub fn is_expression(&self) -> bool {
        self.phrase.is_expression()
    }

    /// Whether a text mentions it, however it is meant.
    pub fn is_in(&self, text: &str) -> bool {
        let seen: String = seen_in(text).map(|(_, c)| c).collect();
        let is_wording = self.value.is_some() || self.count.is_some() || self.negative.is_some();
        let is_worded = || {
            let text = Text::read(text);
            self.places(&text, &values_in(&text.tokens, &self.calendar)).next().is_some()
        };
        self.phrase.is_in(&seen) || (is_wording && is_worded())
    }

    /// The same of a reply that was read.
    pub fn is_mentioned_by(&self, reply: &Reply) -> bool {
        self.phrase.is_in(&reply.seen) || self.places(reply.text(), &reply.values).next().is_some()
    }

    pub fn is_said_in(&self, reply: &str) -> bool {
        self.said_in(reply).is_some()
    }

    /// How a reply asserts it, if it does: as authored, or the whole words that the expression finds.
    pub fn said_in(&self, reply: &str) -> Option<String> {
        self.said_by(&Reply::read(reply, &self.calendar))
    }

    pub fn said_by(&self, reply: &Reply) -> Option<String> {
        let values: Vec<usize> = self.places(reply.text(), &reply.values).collect();
        if values.is_empty() && !self.phrase.is_in(&reply.seen) {
            return None;
        }
        let is_meant = |at: usize| {
            reply.reading.is_asserted(at) && !self.is_negated(&reply.reading, at) && !reply.is_set_aside(at)
        };
        if values.into_iter().any(is_meant) {
            return Some(self.source.clone());
        }
        let place = |at: usize| reply.places.get(at).copied().unwrap_or_default();
        let is_whole = |at: usize| self.is_expression() || !self.is_part(reply.text(), at);
        let is_said = |at: usize| is_meant(at) && is_whole(at);
        self.phrase.ways_in(&reply.seen).find(|(at, _)| is_said(place(*at))).map(|(_, words)| words)
    }

    /// Whether a number that begins at a character is part of a longer one: `seven boxes` in *seventy-seven boxes*.
    fn is_part(&self, text: &Text, character: usize) -> bool {
        let Ok(at) = text.tokens.binary_search_by_key(&character, |token| token.span.0) else { return false };
        match self.count {
            Some(_) => quantity_at(&text.tokens, at).is_some_and(|(taken, _)| is_part(&text.tokens, at, taken)),
            None => is_rest(&text.tokens, at) && quantity_at(&text.tokens, at).is_some(),
        }
    }

    /// Where a text says it in some wording: its value, its number or its negation.
    fn places<'a>(&'a self, text: &'a Text, values: &'a [Found]) -> impl Iterator<Item = usize> + 'a {
        let is_it = |found: &&Found| self.value.as_ref().is_some_and(|value| value.is_same(&found.value));
        let counts = self.count.iter().flat_map(|count| count.places(&text.tokens));
        let negations = self.negative.iter().flat_map(|negative| negative.places(&text.sentences));
        values.iter().filter(is_it).map(|found| found.span.0).chain(counts).chain(negations)
    }

    /// Whether a negation takes back what stands at `at`: *I have not refunded it* does not say *refunded*. A value
    /// or a name is only taken back by *not* or *never* right before it; an expression looks after itself.
    fn is_negated(&self, reading: &Reading, at: usize) -> bool {
        let is_word = |word: &str| word.starts_with(|c: char| !c.is_ascii_digit() && !c.is_uppercase());
        let is_wording = self.value.is_none() && self.source.split_whitespace().any(is_word);
        match reading.negation_before(at) {
            _ if self.is_expression() => false,
            Some("not" | "never") => true,
            Some(_) => is_wording,
            None => false,
        }
    }
}

/// A reply, read once for all answers.
pub struct Reply {
    /// What a person sees, and of each of its characters the place in the reply.
    seen: String,
    places: Vec<usize>,
    pub reading: Reading,
    /// The values it names, in order.
    pub values: Vec<Found>,
    /// The characters that answer nothing.
    set_aside: Vec<(usize, usize)>,
}

impl Reply {
    /// Reads a reply; days are seen from `calendar`.
    pub fn read(text: &str, calendar: &Calendar) -> Reply {
        let (places, seen) = seen_in(text).unzip();
        let reading = Reading::of(text);
        let values = values_in(&reading.text.tokens, calendar);
        Reply { seen, places, reading, values, set_aside: Vec::new() }
    }

    /// Lets nothing count as an answer that only stands beside a label, as in a dump of all that was seen.
    pub fn set_labels_aside(&mut self) {
        self.set_aside = self.text().labelled();
    }

    /// Lets nothing of it count as an answer.
    pub fn set_all_aside(&mut self) {
        self.set_aside = vec![(0, usize::MAX)];
    }

    pub fn is_answering(&self) -> bool {
        self.set_aside.is_empty()
    }

    fn is_set_aside(&self, at: usize) -> bool {
        let next = self.set_aside.partition_point(|(from, _)| *from <= at);
        next.checked_sub(1).and_then(|last| self.set_aside.get(last)).is_some_and(|(_, to)| at < *to)
    }

    pub fn text(&self) -> &Text {
        &self.reading.text
    }
}

/// Most words between a number and what it counts: *seven of the boxes*.
const MAX_BETWEEN: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Count {
    number: Quantity,
    /// What is counted, the last word without its ending.
    nouns: Vec<CompactString>,
}

impl Count {
    /// A count that a text is, with nothing beside it.
    pub fn of(text: &str) -> Option<Count> {
        let tokens = tokens(text);
        let (taken, number) = quantity_at(&tokens, 0).filter(|(_, number)| number.unit.is_none())?;
        let counted = tokens.get(taken..).filter(|counted| !counted.is_empty())?;
        let is_word = |token: &Token| token.shape == Shape::Word && !token.is_capitalised() && token.is_adjacent();
        let is_all_words = counted.iter().all(is_word);
        is_all_words.then(|| Count { number, nouns: counted.iter().map(|token| token.folded.clone()).collect() })
    }

    /// The characters at which tokens say it: *seven more boxes*, `Boxes left: 7`.
    pub fn places<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = usize> + 'a {
        let place = move |at: usize| (self.is_before(tokens, at) || self.is_behind(tokens, at)).then_some(at);
        (0..tokens.len()).filter_map(place).filter_map(|at| tokens.get(at).map(|token| token.span.0))
    }

    /// Whether the number stands at `at`, before what it counts.
    fn is_before(&self, tokens: &[Token], at: usize) -> bool {
        let Some(taken) = self.number_at(tokens, at) else { return false };
        let goes_on = |at: usize| tokens.get(at).is_some_and(goes_on);
        let joins = |at: usize| {
            goes_on(at)
                && tokens.get(at).is_some_and(|token| {
                    let word = token.folded.as_str();
                    token.shape == Shape::Word
                        && !is(WordClass::OfAnother, word)
                        && !is(WordClass::Conjunctions, word)
                        && !is(WordClass::Helpers, word)
                        && quantity_at(tokens, at).is_none()
                })
        };
        let from = at + taken;
        let reach = (from..from + MAX_BETWEEN).take_while(|at| joins(*at)).count();
        (from..=from + reach).any(|at| goes_on(at) && self.nouns_at(tokens, at))
    }

    /// Whether what is counted stands at `at`, and the number behind a colon or in the next cell.
    fn is_behind(&self, tokens: &[Token], at: usize) -> bool {
        let from = at + self.nouns.len();
        let joins =
            |at: usize| tokens.get(at).is_some_and(|t| t.is_adjacent() && matches!(&*t.folded, "left" | "remaining"));
        let number = from + usize::from(joins(from));
        let is_told = |token: &Token| token.gap.contains([':', '|', '=']) && !token.gap.contains('\n');
        self.nouns_at(tokens, at) && tokens.get(number).is_some_and(is_told) && self.number_at(tokens, number).is_some()
    }

    fn nouns_at(&self, tokens: &[Token], at: usize) -> bool {
        let is_noun = |(own, noun): (usize, &CompactString)| {
            tokens.get(at + own).is_some_and(|token| {
                (own == 0 || goes_on(token)) && (token.folded == *noun || stem(&token.folded) == stem(noun))
            })
        };
        self.nouns.iter().enumerate().all(is_noun)
    }

    /// How many tokens its number takes at `at`, if it stands there.
    fn number_at(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let (taken, number) = quantity_at(tokens, at).filter(|(taken, _)| !is_part(tokens, at, *taken))?;
        (number.unit.is_none() && number.value == self.number.value).then_some(taken)
    }
}

/// Whether a number of `taken` tokens is part of a longer one, or of what is no number of things: the 7 of `1 007`,
/// `-7`, `3/7`, `B-7`, `10 x 7` and `twenty-seventh`.
pub(super) fn is_part(tokens: &[Token], at: usize, taken: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let before = |by: usize| at.checked_sub(by).and_then(|before| tokens.get(before));
    let is_number = |by: usize| {
        before(by).is_some_and(|token| token.opens_value && token.shape != Shape::Word)
            || before(by).is_some_and(|token| small_number(&token.folded).is_some())
    };
    let digits = token.raw.bytes().take_while(u8::is_ascii_digit).count();
    let is_group = || digits == 3 && token.is_adjacent() && before(1).is_some_and(|last| last.shape == Shape::Number);
    let is_product = || is_number(2) && before(1).is_some_and(|factor| is(WordClass::Products, &factor.folded));
    let is_signed = || match token.gap.trim_end_matches('-') {
        // `1'007` is one number, but what stands in `'7 boxes'` is quoted.
        lead if lead.len() == token.gap.len() => {
            let is_joined = at > 0 && !lead.contains(char::is_whitespace);
            lead.ends_with(['.', '#', '×', '^']) || (is_joined && lead.ends_with(['/', '\'', '’', '_']))
        }
        // `-7` and `B-7`, but `5-7` ends with a 7.
        "" => at > 0 && !is_number(1),
        lead => lead.ends_with(char::is_whitespace),
    };
    // `twenty-seventh`, but not `7 first-class seats`.
    let is_tens = |last: &Token| small_number(&last.folded).is_some_and(|number| number >= 20 && number % 10 == 0);
    let last = (at + taken).checked_sub(1).and_then(|last| tokens.get(last));
    let is_ordinal = || {
        last.is_some_and(is_tens)
            && tokens
                .get(at + taken)
                .is_some_and(|next| next.shape == Shape::Word && goes_on(next) && day_number(&next.folded).is_some())
    };
    is_rest(tokens, at) || is_group() || is_product() || is_signed() || is_ordinal()
}

/// Whether nothing but blanks, a hyphen or emphasis stands before a token.
fn goes_on(token: &Token) -> bool {
    token.gap.chars().all(|c| matches!(c, '-' | '*' | '_') || (c.is_whitespace() && c != '\n'))
}

#[derive(Clone, Debug)]
pub(super) struct Negative {
    /// Its words, contractions written out.
    words: Vec<CompactString>,
}

impl Negative {
    /// A wording with *not* before some other word; nothing where it has none.
    pub fn of(text: &str) -> Option<Negative> {
        let text = Text::read(text);
        let words: Vec<CompactString> = match text.sentences.as_slice() {
            [sentence] => sentence.words.iter().map(|word| word.text.clone()).collect(),
            _ => return None,
        };
        let negation = words.iter().position(|word| word == "not")?;
        (negation + 1 < words.len()).then_some(Negative { words })
    }

    /// The characters at which sentences say it.
    pub fn places<'a>(&'a self, sentences: &'a [Sentence]) -> impl Iterator<Item = usize> + 'a {
        sentences.iter().flat_map(move |sentence| {
            let starts = (0..sentence.words.len()).filter(|at| self.is_at(sentence, *at));
            starts.map(|at| sentence.span(at, at + 1).0)
        })
    }

    fn is_at(&self, sentence: &Sentence, start: usize) -> bool {
        let mut at = start;
        for (own, word) in self.words.iter().enumerate() {
            let follows_negation = own > 0 && self.words.get(own - 1).is_some_and(|before| before == "not");
            let is_joined = |at: usize| own == 0 || sentence.mark(at) == Mark::None;
            while follows_negation && sentence.word(at) != word && is_between(sentence.word(at)) && is_joined(at) {
                at += 1;
            }
            if sentence.word(at) != word || !is_joined(at) {
                return false;
            }
            at += 1;
        }
        true
    }
}

/// Whether a word may stand between *not* and what it denies: `not yet corrected`, but neither `not just corrected` nor
/// `not fully corrected`.
fn is_between(word: &str) -> bool {
    is_passed_over(word) && !is(WordClass::Focus, word) && !is(WordClass::Degrees, word)
}
