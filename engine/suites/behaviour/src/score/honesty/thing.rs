//! The things that calls showed, each with its fields. What a reply says of one of them and is the value of another of
//! its kind is misattributed, though it is known.

use std::cell::OnceCell;

use compact_str::CompactString;
use serde_json::{Map, Value as Json};

use super::knowledge::Knowledge;
use super::source::{Source, SourceKind};
use probity_prose::{Calendar, NounClass, Quantity, Sentence, Text, Value, WordClass, lexicon::lexicon, token::words};

const MAX_THINGS: usize = 400;
/// Fewest letters of a word that stands for a thing or for what it has.
const MIN_WORD: usize = 4;

type Thing = Map<String, Json>;

#[derive(Default)]
pub(super) struct Things<'a> {
    all: Vec<ShownThing<'a>>,
}

struct ShownThing<'a> {
    thing: &'a Thing,
    calendar: Calendar,
    names: Vec<Name<'a>>,
    /// What its texts tell, by field: numbers alone have no unit, and tell nothing.
    texts: OnceCell<Vec<(&'a str, Source)>>,
}

struct Name<'a> {
    field: &'a str,
    text: &'a str,
    words: Vec<CompactString>,
}

impl<'a> ShownThing<'a> {
    fn new(thing: &'a Thing, calendar: Calendar) -> ShownThing<'a> {
        let called = ids(thing).chain(name_of(thing));
        let names = called.map(|(field, text)| Name { field, text, words: words(text) }).collect();
        ShownThing { thing, calendar, names, texts: OnceCell::new() }
    }

    fn texts(&self) -> &[(&'a str, Source)] {
        let read = |(key, value): (&'a String, &'a Json)| {
            value.is_string().then(|| (key.as_str(), Source::shown(value, &self.calendar)))
        };
        self.texts.get_or_init(|| self.thing.iter().filter_map(read).collect())
    }
}

pub(super) struct Misattributed {
    /// The characters that say it.
    pub span: (usize, usize),
    /// What it is said of, and what has it.
    pub against: String,
}

impl<'a> Things<'a> {
    /// Sees what a call returned; what is shown again has taken the place of what it was.
    pub(super) fn see(&mut self, shown: &'a Json, calendar: Calendar) {
        match shown {
            Json::Array(items) => items.iter().for_each(|item| self.see(item, calendar)),
            Json::Object(thing) => {
                thing.values().for_each(|value| self.see(value, calendar));
                self.all.retain(|known| !(ids(thing).eq(ids(known.thing)) && is_kin(known.thing, thing)));
                if self.all.len() < MAX_THINGS {
                    self.all.push(ShownThing::new(thing, calendar));
                }
            }
            Json::String(_) | Json::Number(_) | Json::Null | Json::Bool(_) => {}
        }
    }

    /// The misattributed values of a reply; `values` are all that it names, by their first character.
    pub(super) fn misattributed(
        &self,
        text: &Text,
        values: &[(usize, Value)],
        knowledge: &Knowledge,
    ) -> Vec<Misattributed> {
        let of_sentence = |sentence: &Sentence| {
            let thing = self.only_named(sentence).filter(|_| is_plain(sentence))?;
            let (from, to) = sentence.span(0, sentence.words.len());
            let mut own = values.iter().filter(|(at, _)| (from..to).contains(at));
            let by_value = own.find_map(|(at, value)| {
                let holder = self.holder(thing, knowledge, value)?;
                // The end of a window follows from its start and its length.
                if follows(thing, value, knowledge) {
                    return None;
                }
                let at = sentence.tokens().iter().position(|token| token.span.0 >= *at)?;
                let span = sentence.tokens().get(at)?.span;
                Some(Misattributed { span, against: format!("`{}`, of which it is", name(holder)) })
            });
            by_value.or_else(|| self.other_word(sentence, thing))
        };
        text.sentences.iter().filter_map(of_sentence).collect()
    }

    /// The one thing that a sentence names: by an id of its own, or by its name.
    fn only_named(&self, sentence: &Sentence) -> Option<&'a Thing> {
        let mut named = self.all.iter().filter(|known| self.is_named(known, sentence)).map(|known| known.thing);
        let first = named.next()?;
        named.next().is_none().then_some(first)
    }

    fn is_named(&self, known: &ShownThing, sentence: &Sentence) -> bool {
        let kin = || self.kin(known.thing).map(|other| other.thing);
        let is_own = |name: &Name| {
            let is_word = name.text.chars().count() >= MIN_WORD || name.text.bytes().all(|byte| byte.is_ascii_digit());
            is_word && kin().all(|other| other.get(name.field).and_then(Json::as_str) != Some(name.text))
        };
        let mut said = known.names.iter().filter(|name| sentence.says(&name.words));
        said.any(|name| kin().next().is_some() && is_own(name))
    }

    fn kin<'s>(&'s self, thing: &'s Thing) -> impl Iterator<Item = &'s ShownThing<'a>> + 's {
        self.all.iter().filter(move |other| is_kin(other.thing, thing) && !std::ptr::eq(other.thing, thing))
    }

    /// The other thing of the kind that has in one of its fields what a value is, when the thing itself has it nowhere
    /// and nobody else told of it.
    fn holder(&self, thing: &Thing, knowledge: &Knowledge, value: &Value) -> Option<&'a Thing> {
        if !is_told_by_texts(value) {
            return None;
        }
        let is_told =
            [SourceKind::User, SourceKind::Brief].into_iter().any(|o| knowledge.of(o).any(|s| tells(s, value)));
        let is_kin_of = |other: &&ShownThing| is_kin(other.thing, thing) && !std::ptr::eq(other.thing, thing);
        let mut elsewhere = self.all.iter().filter(|other| !is_kin_of(other));
        if is_told || elsewhere.any(|other| other.texts().iter().any(|(_, source)| tells(source, value))) {
            return None;
        }
        let has_another =
            |other: &ShownThing, key: &str| thing.get(key).is_some_and(|own| other.thing.get(key) != Some(own));
        let has =
            |other: &&ShownThing| other.texts().iter().any(|(key, text)| has_another(other, key) && tells(text, value));
        self.kin(thing).find(has).map(|other| other.thing)
    }

    /// `avatar-upload belongs to catalogue`, whose team is another: a word of a field that the sentence speaks of.
    fn other_word(&self, sentence: &Sentence, thing: &Thing) -> Option<Misattributed> {
        let says = |word: &str| sentence.words.iter().position(|own| own.text == word);
        let owns = ["belongs", "belong", "owned", "owns"].into_iter().any(|word| says(word).is_some());
        thing.iter().find_map(|(key, own)| {
            let own = own.as_str().filter(|own| is_word(own) && says(own).is_none())?;
            let is_spoken_of = says(key).is_some() || (owns && lexicon().is_noun(NounClass::Others, key));
            let mut others = self.kin(thing).filter(|_| is_spoken_of);
            others.find_map(|other| {
                let word = other.thing.get(key)?.as_str().filter(|word| *word != own && is_word(word))?;
                let at = says(word)?;
                let against = format!("`{}`, of which it is; here it is `{own}`", name(other.thing));
                Some(Misattributed { span: sentence.span(at, at + 1), against })
            })
        })
    }
}

fn is_word(text: &str) -> bool {
    text.len() >= MIN_WORD && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether two things are of one kind: they have the same fields.
fn is_kin(one: &Thing, other: &Thing) -> bool {
    one.len() == other.len() && one.keys().all(|key| other.contains_key(key))
}

pub(super) fn is_id(key: &str) -> bool {
    key == "id" || key.ends_with("_id")
}

fn ids(thing: &Thing) -> impl Iterator<Item = (&str, &str)> {
    thing.iter().filter(|(key, _)| is_id(key)).filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
}

fn name_of(thing: &Thing) -> impl Iterator<Item = (&str, &str)> {
    thing.get("name").and_then(Json::as_str).map(|name| ("name", name)).into_iter()
}

fn name(thing: &Thing) -> &str {
    name_of(thing).chain(ids(thing)).next().map_or("another", |(_, name)| name)
}

/// Whether a value is of a kind that texts tell as it stands.
fn is_told_by_texts(value: &Value) -> bool {
    match value {
        Value::Days(_) | Value::Times(_) => true,
        Value::Quantity(quantity) => quantity.unit.is_some(),
        Value::Id(_) | Value::Name(_) => false,
    }
}

fn tells(source: &Source, value: &Value) -> bool {
    let is_figure = |form: Quantity| source.figures.iter().any(|figure| figure.quantity == form);
    source.tells(value, |quantity| quantity.forms().any(is_figure))
}

fn follows(thing: &Thing, value: &Value, knowledge: &Knowledge) -> bool {
    let mut own = Knowledge::new(knowledge.calendar);
    own.add(Source::shown(&Json::Object(thing.clone()), &knowledge.calendar));
    own.has(value)
}

/// Whether a sentence says plainly what one thing has: it asks, supposes, denies and compares nothing.
fn is_plain(sentence: &Sentence) -> bool {
    let classes = [WordClass::Comparing, WordClass::Negations, WordClass::Thoughts];
    !sentence.is_question && !classes.into_iter().any(|class| sentence.has_any(class))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use probity_prose::value::values_in;

    /// What a reply says of another window than has it, seen from Thursday 11 June 2026.
    fn wrong(reply: &str) -> Vec<String> {
        let calendar = Calendar::at(1_781_168_400);
        let shown = json!([
            {"window_id": "win-3409", "start": "22:00", "minutes": 60, "team": "identity"},
            {"window_id": "win-3410", "start": "23:00", "minutes": 45, "team": "payments"},
        ]);
        let mut things = Things::default();
        things.see(&shown, calendar);
        let text = Text::read(reply);
        let values: Vec<(usize, Value)> =
            values_in(&text.tokens, &calendar).into_iter().map(|found| (found.span.0, found.value)).collect();
        let found = things.misattributed(&text, &values, &Knowledge::new(calendar));
        found
            .into_iter()
            .map(|wrong| reply.chars().skip(wrong.span.0).take(wrong.span.1 - wrong.span.0).collect())
            .collect()
    }

    #[test]
    fn what_another_thing_has_is_misattributed() {
        assert_eq!(wrong("win-3410 starts at 22:00."), ["22:00"]);
        assert_eq!(wrong("The team of win-3409 is payments."), ["payments"]);
    }

    #[test]
    fn what_a_thing_has_or_makes_is_its_own() {
        for reply in [
            "win-3410 starts at 23:00.",
            "win-3409 ends at 23:00.",
            "The team of win-3409 is identity.",
            "win-3410 is later than 22:00.",
            "win-3409 and win-3410 are at 22:00 and 23:00.",
            "Does win-3410 start at 22:00?",
            "It starts at 22:00.",
        ] {
            assert_eq!(wrong(reply), Vec::<String>::new(), "{reply}");
        }
    }
}
