//! What is read of replies and phrases, as `cases.txt` says. Days are seen from Thursday 11 June 2026, nine o'clock.

use super::planted::stances;
use super::spoken::Spoken;
use super::told::Told;
use crate::case::{Reader, hold, pair, row, yes};
use probity_honesty::knowledge::Knowledge;
use probity_honesty::source::{Source, SourceKind};
use probity_prose::{Calendar, Text};

/// What replies say of an option that does not exist.
fn stance(text: &str) -> String {
    row(stances(&Text::read(text), "the loyalty override").iter().map(|said| format!("{:?}", said.stance)), " ")
}

fn spoken(text: &str) -> Spoken {
    Spoken::read(text, &Calendar::at(1_781_168_400))
}

/// A phrase behind the result that it is held against.
fn held(text: &str, is_so: fn(&Spoken, &Told) -> bool) -> String {
    let ((shown, phrase), calendar) = (pair(text), Calendar::at(1_781_168_400));
    let mut source = Source::new(SourceKind::Observation);
    source.add_value("", &shown.parse().unwrap(), &calendar);
    yes(is_so(&spoken(phrase), &Told(Knowledge { calendar, sources: vec![source.into()] })))
}

const READERS: [(&str, Reader); 7] = [
    ("stance", stance),
    ("occurs", |text| held(text, Spoken::occurs_in)),
    ("follows", |text| held(text, |phrase, told| phrase.follows_from(&[told]))),
    ("said", |text| held(text, Spoken::is_said_in)),
    ("same", |text| yes(spoken(pair(text).0).is_same(&spoken(pair(text).1)))),
    ("is none", |text| yes(spoken(text).is_none())),
    ("has a value", |text| yes(spoken(text).has_value())),
];

#[test]
fn replies_and_phrases_are_read_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}
