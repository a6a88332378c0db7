//! What is read of texts, as `cases.txt` says. Days are seen from Thursday 11 June 2026, nine o'clock.

use crate::answer::{Count, Negative};
use crate::case::{Reader, hold, pair, row, yes};
use crate::deed::{Deed, participle};
use crate::language::is_read;
use crate::lexicon::{lexicon, verbs_of_tools};
use crate::quantity::quantity_at;
use crate::value::{is_in_words, values, whole_value};
use crate::vocabulary::variants;
use crate::{Amount, Answer, Calendar, Phrase, Quantity, Reading, Text, Token, Unit, Value, Vocabulary};
use crate::{date, glyph, noun, put_off, time, token};

fn calendar() -> Calendar {
    Calendar::at(1_781_168_400)
}

/// What is read of the first tokens of a text of which something is.
fn first<T>(text: &str, read: impl Fn(&[Token], usize) -> Option<T>) -> Option<T> {
    let tokens = token::tokens(text);
    (0..tokens.len()).find_map(|at| read(&tokens, at))
}

fn days(text: &str) -> String {
    let tokens = token::tokens(text);
    let mut found = Vec::new();
    for days in (0..tokens.len()).filter_map(|at| date::days_at(&tokens, at, &calendar())) {
        found.extend(days.dates.iter().map(ToString::to_string));
        found.extend(days.months.iter().map(|(year, month)| format!("{year}-{month:02}")));
    }
    found.sort();
    found.dedup();
    row(found, " ")
}

fn time(text: &str) -> String {
    let times = first(text, time::time_at).map_or_else(Vec::new, |(_, times)| times);
    row(times.iter().map(|time| format!("{}:{:02}", time / 60, time % 60)), " ")
}

fn quantity(text: &str) -> String {
    let told = |quantity: Quantity| {
        let cents = quantity.value.scaled(100, 1).and_then(Amount::as_whole).unwrap();
        let unit = quantity.unit.map_or_else(String::new, |unit| format!(" {unit:?}"));
        format!("{}.{:02}{unit}", cents / 100, cents % 100)
    };
    row(first(text, quantity_at).map(|(_, quantity)| told(quantity)), "")
}

/// The most tokens that a number of a text takes which says its words on and on.
fn longest(text: &str) -> String {
    let tokens = token::tokens(&format!("{text} ").repeat(8_000));
    row((0..tokens.len()).filter_map(|at| Some(quantity_at(&tokens, at)?.0)).max(), "")
}

fn forms(text: &str) -> String {
    let (_, quantity) = first(text, quantity_at).unwrap();
    row(quantity.forms().map(|form| format!("{} {:?}", form.value.plain(), form.unit.unwrap())), ", ")
}

fn unit(unit: Option<Unit>) -> String {
    row(unit.map(|unit| format!("{unit:?}")), "")
}

fn value(text: &str) -> String {
    match whole_value(text, &calendar()) {
        Some(Value::Id(word)) => format!("id {word}"),
        found => row(found.map(|found| format!("{found:?}")), ""),
    }
}

fn told(text: &str) -> String {
    let (value, text) = pair(text);
    let wanted = whole_value(value, &calendar()).unwrap();
    yes(values(text, &calendar()).iter().any(|found| wanted.is_same(&found.value)))
}

fn same(text: &str) -> String {
    let (one, other) = pair(text);
    yes(whole_value(one, &calendar()).unwrap().is_same(&whole_value(other, &calendar()).unwrap()))
}

/// Values that begin with a word which is not known to begin one: any of some words, in any company.
fn unforeseen(words: &str) -> String {
    let all: &Vec<&str> = &words.split_whitespace().collect();
    let with =
        |first, second| ["an", "hour", "three", "tomorrow", "of", "June"].map(|third| [first, second, third].join(" "));
    let is_unforeseen = |text: &String| {
        let mut found = token::tokens(text);
        let is_foreseen = std::mem::replace(&mut found[0].opens_value, true);
        let is_day = date::days_at(&found, 0, &calendar()).is_some();
        !is_foreseen && (is_day || quantity_at(&found, 0).is_some() || time::time_at(&found, 0).is_some())
    };
    let texts = all.iter().flat_map(|first| all.iter().flat_map(move |second| with(*first, *second)));
    row(texts.filter(is_unforeseen), ", ")
}

fn clauses(text: &str) -> String {
    let sentences = Text::read(text).sentences;
    let clause = |sentence: &crate::Sentence, start: &usize| {
        let (from, to) = sentence.clause(*start);
        row(sentence.range(from, to), " ")
    };
    row(sentences.iter().flat_map(|own| own.clauses.iter().map(|start| clause(own, start)).collect::<Vec<_>>()), " / ")
}

/// How `15.00` is meant.
fn fee(text: &str) -> String {
    let at = text.find("15.00").map(|at| text[..at].chars().count()).unwrap();
    format!("{:?}", Reading::of(text).mood_at(at))
}

fn deed(text: &str) -> String {
    let (name, description) = pair(text);
    match Deed::of(name, description) {
        Some(deed) if deed.changes => "changes",
        Some(_) => "reads",
        None => "none",
    }
    .to_owned()
}

/// The verbs of tools that stand so in names, as far as their participles are no regular ones.
fn odd_participles(stand: &str) -> String {
    let is_odd = |verb: &&str| {
        let stems = [verb, verb.trim_end_matches('e'), &*format!("{}i", verb.trim_end_matches('y'))];
        !stems.iter().any(|stem| participle(verb) == format!("{stem}ed"))
    };
    row(verbs_of_tools(stand).into_iter().filter(is_odd).map(participle), " ")
}

fn put_off(text: &str) -> String {
    match (put_off::is_put_off(text), put_off::says_nothing(text)) {
        (true, says_nothing) => format!("put off{}", if says_nothing { " nothing" } else { "" }),
        (false, true) => "nothing".to_owned(),
        (false, false) => "something".to_owned(),
    }
}

fn phrases(text: &str) -> String {
    let (section, text) = pair(text);
    let (vocabulary, words) = (Vocabulary::<String>::of(section), token::whole_words(text));
    let heard = vocabulary.heard(&words);
    row(heard.iter().map(|own| format!("{} {} {}", own.list, own.at, own.length)), ", ")
}

const READERS: [(&str, Reader); 44] = [
    ("tokens", |text| {
        row(token::tokens(text).iter().map(|own| format!("{} {:?} {:?}", own.folded, own.span, own.shape)), ", ")
    }),
    ("words", |text| row(token::words(text), " ")),
    ("whole words", |text| row(token::whole_words(text), " ")),
    ("stem", |text| token::stem(text).to_owned()),
    ("seen", |text| glyph::seen_in(text).map(|(_, c)| c).collect()),
    ("clauses", clauses),
    ("number", |text| row(Amount::written(text).map(Amount::plain), "")),
    ("number of JSON", |text| row(Amount::of(&text.parse().unwrap()).map(Amount::plain), "")),
    ("quantity", quantity),
    ("longest quantity", longest),
    ("forms", forms),
    ("unit of a key", |text| unit(Unit::of_key(text))),
    ("unit", |text| unit(Unit::named(text))),
    ("days", days),
    ("time", time),
    ("count", |text| yes(Count::of(pair(text).0).unwrap().places(&token::tokens(pair(text).1)).next().is_some())),
    ("is a count", |text| yes(Count::of(text).is_some())),
    ("told", told),
    ("same", same),
    ("value", value),
    ("unforeseen values", unforeseen),
    ("in words", |text| yes(is_in_words(text, &calendar()))),
    ("english", |text| yes(Text::read(text).sentences.iter().all(is_read))),
    ("fee", fee),
    ("moods", |text| row(Reading::of(text).stretches.iter().map(|own| format!("{:?}", own.mood)), " ")),
    ("asserts the fee", |text| yes(fee(text) == "Asserted")),
    ("reversed", |text| yes(Reading::of(text).is_reversed)),
    ("taken back", |text| Reading::of(text).taken_back.len().to_string()),
    ("said", |text| yes(Answer::parse(pair(text).0, calendar()).unwrap().is_said_in(pair(text).1))),
    ("denied", |text| {
        let sentences = Text::read(pair(text).1).sentences;
        yes(Negative::of(pair(text).0).unwrap().places(&sentences).next().is_some())
    }),
    ("is a denial", |text| yes(Negative::of(text).is_some())),
    ("labels", |text| Text::read(text).label_count().to_string()),
    ("found", |text| yes(Phrase::parse(pair(text).0).unwrap().is_in(pair(text).1))),
    ("ways", |text| {
        let phrase = Phrase::parse(pair(text).0).unwrap();
        row(phrase.ways_in(pair(text).1).map(|(at, words)| format!("{at} {words}")), ", ")
    }),
    ("is a phrase", |text| yes(Phrase::parse(text).is_ok())),
    ("verbs", |text| row(lexicon().verbs_of(text), " ")),
    ("deed", deed),
    ("participle", participle),
    ("odd participles", odd_participles),
    ("plural", noun::plural),
    ("singular", noun::singular),
    ("put off", put_off),
    ("phrases", phrases),
    ("alternatives", |text| row(variants(text), ", ")),
];

#[test]
fn texts_are_read_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}
