//! What a user reads in replies, as `reading_cases.txt` says. Days are seen from Thursday 11 June 2026.

use jiff::civil::Date;
use serde_json::json;

use super::confirmation::{
    adds, asks_for_anything, asks_for_leave, asks_somebody, asks_what_matters, is_closing, is_for_yes, leaves_alone,
    names_another, offers_help, offers_things, points_back, shared_of, shares,
};
use super::hearing::{misheard, recall};
use super::objection::{is_slip, slip_of_month, slip_of_name, slip_of_owner};
use super::told::{is_of_another, is_of_the_past};
use super::utterance::Values;
use crate::case::{Reader, hold, pair, row, yes};
use crate::model::task_file::Fact;
use crate::task::question::{FactPhrases, Question, questions};
use crate::task::{OracleCall, WrittenState};

const NOW: i64 = 1_781_168_400;

fn fact(value: &str, cue: &str) -> Fact {
    serde_json::from_value(json!({"value": value, "cues": [cue]})).unwrap()
}

/// Of the first question of a text.
fn first(text: &str, is_so: fn(&Question) -> bool) -> String {
    yes(is_so(&questions(text).remove(0)))
}

/// *account number = 440277190356 | Is 4402 7719 0356 right?*
fn recalled(text: &str) -> String {
    let (known, reply) = pair(text);
    let (cue, value) = known.split_once(" = ").unwrap();
    let fact = fact(value, cue);
    let voice = FactPhrases::of("fact", &fact);
    let found = questions(reply).iter().find_map(|question| recall(question, &voice, &fact, false, NOW));
    row(found.map(|found| format!("{found:?}")), "")
}

fn corrected(text: &str) -> String {
    let said = ["There is a penalty fare of 24 September. I arrive on 12 June for three nights.".to_owned()];
    row(questions(text).iter().find_map(|question| misheard(question, &said, NOW)), "")
}

fn asks_medicine(text: &str) -> String {
    let voice = FactPhrases::of("medicine", &fact("tramadol", "which medicine"));
    yes(questions(text).iter().any(|question| voice.is_asked_in(question)))
}

fn of_another_fact(deed: &str) -> String {
    let facts = ["2026-07-06", "350.00 EUR", "room 209", "2026-07-10"].map(|value| fact(value, ""));
    yes(is_of_another(deed, &facts[3], &facts.each_ref(), &[], NOW))
}

fn of_another_argument(text: &str) -> String {
    let (fee, deed) = pair(text);
    let arguments = serde_json::from_value(json!({"amount": 350, "fee": fee.parse::<f64>().unwrap()})).unwrap();
    let (after, equivalents) = (Vec::new(), Vec::new());
    let call = OracleCall { tool: "pay".to_owned(), arguments, segment: 1, after, equivalents };
    let sum = fact("350.00 EUR", "");
    yes(is_of_another(deed, &sum, &[&sum], &[call], NOW))
}

fn missing(text: &str) -> String {
    let (text, other) = pair(text);
    row(Values::read(text, NOW).missing_from(&Values::read(other, NOW)), "")
}

fn another_id(text: &str) -> String {
    let (agreed, question) = pair(text);
    yes(names_another(question, &serde_json::from_value(json!(agreed)).unwrap()))
}

/// A reply, the user's value, and a day that it knows.
fn slipped(text: &str) -> String {
    let (told, (value, known)) = (pair(text).0, pair(pair(text).1));
    yes(is_slip(&Values::read(told, NOW), &fact(value, ""), |day| day.to_string() == known, NOW))
}

fn month_slipped(text: &str) -> String {
    let (told, said) = pair(text);
    let is_known = |day: Date| day.to_string() == "2026-09-17";
    row(slip_of_month(&Values::read(told, NOW), &[said.to_owned()], is_known, NOW), "")
}

fn name_slipped(reply: &str) -> String {
    let state = json!({"a": [{"name": "Ashdale Income Fund"}, {"name": "Ashdale Income Growth Fund"}],
        "b": {"name": "Merle Income Fund"}, "c": "Ashdale Bond"});
    let said = ["Forty of the Ashdale Income Fund, please.".to_owned()];
    row(slip_of_name(reply, &said, &WrittenState::of(&state).names), "")
}

fn owner_slipped(reply: &str) -> String {
    let said = ["Stop Milo's tablet, please.".to_owned(), "And tell Ada.".to_owned()];
    row(slip_of_owner(reply, reply, &said), "")
}

const READERS: [(&str, Reader); 27] = [
    ("questions", |text| row(questions(text).iter().map(|question| question.text), " / ")),
    ("how many questions", |text| questions(text).len().to_string()),
    ("asks for the medicine", asks_medicine),
    ("for a yes", |text| yes(is_for_yes(text))),
    ("for leave", |text| yes(asks_for_leave(text))),
    ("for anything", |text| yes(asks_for_anything(text))),
    ("help", |text| yes(offers_help(text))),
    ("closing", |text| yes(questions(text).iter().any(is_closing))),
    ("things", |text| first(text, offers_things)),
    ("what matters", |text| first(text, asks_what_matters)),
    ("somebody", |text| first(text, asks_somebody)),
    ("points back", |text| yes(points_back(text))),
    ("leaves alone", |text| yes(leaves_alone(text))),
    ("adds", |text| yes(adds(text))),
    ("shares", |text| yes(shares(pair(text).0, pair(text).1))),
    ("shared", |text| row(<[usize; 2]>::from(shared_of(pair(text).0, pair(text).1)), " of ")),
    ("another id", another_id),
    ("recalled", recalled),
    ("corrected", corrected),
    ("of another fact", of_another_fact),
    ("of another argument", of_another_argument),
    ("of the past", |text| yes(is_of_the_past(text, NOW))),
    ("missing", missing),
    ("slipped", slipped),
    ("month slipped", month_slipped),
    ("name slipped", name_slipped),
    ("owner slipped", owner_slipped),
];

#[test]
fn replies_are_read_as_the_cases_say() {
    hold(include_str!("reading_cases.txt"), &READERS);
}
