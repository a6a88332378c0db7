//! Answers that replies must give: a value in any wording, plain words, or a regular expression after `re:`.

use crate::count::{Count, is_part};
use crate::glyph::seen_in;
use crate::negative::Negative;
use crate::phrase::Phrase;
use crate::quantity::{is_rest, quantity_at};
use crate::value::{values, values_in, whole_value};
use crate::{Calendar, Found, Reading, Text, Value};

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
        self.phrase.is_in(&seen) || !self.values_in(text).is_empty() || self.is_worded_in(text)
    }

    /// The same of a reply that was read.
    pub fn is_mentioned_by(&self, reply: &Reply) -> bool {
        let values = self.value.iter().flat_map(|value| reply.places_of(value));
        self.phrase.is_in(&reply.seen) || values.chain(self.wordings_in(reply.text())).next().is_some()
    }

    pub fn is_said_in(&self, reply: &str) -> bool {
        self.said_in(reply).is_some()
    }

    /// How a reply asserts it, if it does: as authored, or the whole words that the expression finds.
    pub fn said_in(&self, reply: &str) -> Option<String> {
        self.said_by(&Reply::read(reply, &self.calendar))
    }

    pub fn said_by(&self, reply: &Reply) -> Option<String> {
        let values = self.value.iter().flat_map(|value| reply.places_of(value));
        let values: Vec<usize> = values.chain(self.wordings_in(reply.text())).collect();
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

    /// Where its value stands in a text, in any wording.
    fn values_in(&self, text: &str) -> Vec<usize> {
        let Some(value) = &self.value else { return Vec::new() };
        let found = values(text, &self.calendar).into_iter().filter(|found| value.is_same(&found.value));
        found.map(|found| found.span.0).collect()
    }

    /// Where a text says it in other words: another wording of its number or of its negation.
    fn wordings_in<'a>(&'a self, text: &'a Text) -> impl Iterator<Item = usize> + 'a {
        let counts = self.count.iter().flat_map(|count| count.places(&text.tokens));
        counts.chain(self.negative.iter().flat_map(|negative| negative.places(&text.sentences)))
    }

    fn is_worded_in(&self, text: &str) -> bool {
        let is_wording = self.count.is_some() || self.negative.is_some();
        is_wording && self.wordings_in(&Text::read(text)).next().is_some()
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
    reading: Reading,
    values: Vec<Found>,
    /// The characters that answer nothing.
    set_aside: Vec<(usize, usize)>,
}

impl Reply {
    /// Reads a reply; days are seen from `calendar`.
    pub fn read(text: &str, calendar: &Calendar) -> Reply {
        let (places, seen) = seen_in(text).unzip();
        let reading = Reading::of(text);
        let values = values_in(&reading.text().tokens, calendar);
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
        self.reading.text()
    }

    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The values it names, in order.
    pub fn values(&self) -> &[Found] {
        &self.values
    }

    fn places_of(&self, value: &Value) -> impl Iterator<Item = usize> {
        self.values.iter().filter(|found| value.is_same(&found.value)).map(|found| found.span.0)
    }
}
