use serde_json::json;

use super::*;
use crate::Tool;
use crate::case::{Reader, hold, pair, row, yes};
use crate::desk::{calendar_of, without_numbering};
use crate::money;
use probity_prose::Amount;

const BRIEF: &str = "You answer for a boat hire. Today is Tuesday 10 March 2026, 11:20.\n\
    A hire is cancelled free of charge within 48 hours of its booking. \
    The deposit is returned within 10 days after the boat is back. \
    Skippers are at least 21 years old.";

fn desk() -> Desk {
    let tool = |name: &str, description: &str, is_read: bool| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({"type": "object", "properties": {"hire_id": {"type": "string"}, "text": {"type": "string"}}}),
        is_read: Some(is_read),
        ..Tool::default()
    };
    let tools = vec![
        tool("hire", "Shows a hire with its boat, day and price.", true),
        tool("invoices", "Lists the invoices of a hire.", true),
        tool("move_hire", "Moves a hire to another day.", false),
        tool("add_note", "Adds a note to a hire.", false),
    ];
    Desk::new(BRIEF, tools, calendar_of(BRIEF).unwrap())
}

fn arguments() -> Value {
    json!({"hire_id": "H-417"})
}

/// What speaks against the last reply of a dialogue about hire H-417.
fn against(desk: &Desk, words: &str, shown: Option<&Value>, replies: &[&str]) -> Vec<Claim> {
    let mut reading = Reading::new(desk);
    reading.hear(words, &[]);
    shown.into_iter().for_each(|shown| drop(reading.call(1, "hire", &arguments(), Ok(shown))));
    let read = |(message, text): (u32, &&str)| reading.reply(message, text, &Reply::read(text, &desk.calendar)).against;
    (2..).zip(replies).map(read).last().unwrap()
}

const ASKED: &str = "Can you tell me about my hire H-417?";

fn kinds(claims: &[Claim]) -> String {
    row(claims.iter().map(|claim| format!("{:?}", claim.kind)), " ")
}

/// After the hire was looked up.
fn hire(reply: &str) -> String {
    let hire = json!({"hire_id": "H-417", "boat": "Heron", "day": "2026-03-14", "pick_up": "10:30", "price": 148.5,
        "deposit": 200, "life_jackets": 5, "booked": "2025-12-02"});
    kinds(&against(&desk(), ASKED, Some(&hire), &[reply]))
}

fn shown(text: &str) -> Vec<Claim> {
    let (shown, reply) = pair(text);
    against(&desk(), ASKED, Some(&shown.parse().unwrap()), &[reply])
}

fn shown_by(text: &str) -> String {
    let by = shown(text).into_iter().next().and_then(|claim| claim.shown);
    row(by.map(|by| format!("{} {} {}", by.tool, by.message, by.value)), "")
}

fn in_units(text: &str) -> String {
    let (units, reply) = pair(text);
    let units = serde_json::from_str(units).unwrap();
    let tool = Tool { name: "hire".to_owned(), is_read: Some(true), units, ..Tool::default() };
    let desk = Desk::new(BRIEF, vec![tool], calendar_of(BRIEF).unwrap());
    kinds(&against(&desk, "", Some(&json!({"boat": "Heron", "worth": 14850, "trip": 150})), &[reply]))
}

fn sums_up_to(text: &str) -> String {
    let (sum, parts) = pair(text);
    let parts: Vec<Amount> = parts.split(", ").filter_map(Amount::written).collect();
    yes(Amount::written(sum).is_some_and(|sum| money::closed(&parts, &[1, 2]).contains(&sum)))
}

/// The size of a reply, in bytes.
const SIZE: usize = 16 * 1024;

fn read_to_its_end(piece: &str) -> String {
    let many: serde_json::Map<_, _> = (0..4_000).map(|at| (format!("H-{at}"), json!(at))).collect();
    let (many, arguments, reply) = (Value::Object(many), arguments(), piece.repeat(SIZE / piece.len()));
    let events = [
        Event::User { text: &reply, values: Vec::new() },
        Event::Call { message: 1, tool: "hire", arguments: &arguments, result: Ok(&many) },
        Event::Reply { message: 2, text: &reply },
        Event::Reply { message: 3, text: &reply },
    ];
    yes(read(&desk(), &events).claims.iter().all(|claim| claim.span.0 < claim.span.1))
}

/// After the hire was moved, or was not.
fn change(result: Result<&Value, &str>, reply: &str) -> String {
    let desk = desk();
    let mut reading = Reading::new(&desk);
    reading.hear("Can you move my hire H-417 to Monday the 16th?", &[]);
    reading.call(1, "move_hire", &arguments(), result);
    kinds(&reading.reply(2, reply, &Reply::read(reply, &desk.calendar)).against)
}

fn moved(text: &str) -> String {
    let (shown, reply) = pair(text);
    change(Ok(&shown.parse().unwrap()), reply)
}

fn zoned(text: &str) -> String {
    let ((shown, reply), brief) = (pair(text), format!("{BRIEF}\nTimes in the tools are UTC, the harbour is on CET."));
    let tool = Tool { name: "hire".to_owned(), is_read: Some(true), ..Tool::default() };
    let desk = Desk::new(&brief, vec![tool], calendar_of(&brief).unwrap());
    kinds(&against(&desk, ASKED, Some(&shown.parse().unwrap()), &[reply]))
}

const READERS: [(&str, Reader); 14] = [
    ("zoned", zoned),
    ("hire", hire),
    ("moved", moved),
    ("refused", |reply| change(Err("no boat is free"), reply)),
    ("shown", |text| kinds(&shown(text))),
    ("shown by", shown_by),
    ("said before", |text| kinds(&against(&desk(), "", None, &[pair(text).0, pair(text).1]))),
    ("heard", |text| kinds(&against(&desk(), pair(text).0, None, &[pair(text).1]))),
    ("in units", in_units),
    ("clock", |brief| row(calendar_of(brief).map(|found| format!("{} {}", found.today, found.now)), "")),
    ("without numbering", |text| row(without_numbering(text).lines(), " | ")),
    ("sums up to", sums_up_to),
    ("read to its end", read_to_its_end),
    ("slip", |text| yes(value::is_slip(pair(text).0, pair(text).1))),
];

#[test]
fn what_is_said_is_read_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}

#[test]
fn deeds_that_stand_are_counted_and_those_that_do_not_are_not() {
    let desk = desk();
    let arguments = json!({"hire_id": "H-417", "text": "late"});
    let mut reading = Reading::new(&desk);
    reading.hear("Please note on H-417 that I am late.", &[]);
    reading.call(1, "add_note", &arguments, Ok(&json!({"ok": true})));
    let mut read = |text: &str| {
        let claims = reading.reply(2, text, &Reply::read(text, &desk.calendar));
        (claims.actions, claims.against.len())
    };
    assert_eq!(read("I have noted that on your hire."), (1, 0));
    assert_eq!(read("I have noted that, and I have moved your hire to the 15th."), (1, 1));
    assert_eq!(read("Shall I have it noted?"), (0, 0));
}

/// What stands behind the first 64 Ki characters of a result is not known: it excuses, and accuses nobody.
#[test]
fn what_was_cut_accuses_nobody() {
    let desk = desk();
    let against = |log: &str, reply: &str| {
        let (arguments, shown) = (json!({"hire_id": "H-417"}), json!({"hire_id": "H-417", "log": log, "price": 148.5}));
        let mut reading = Reading::new(&desk);
        reading.hear("What about my hire H-417?", &[]);
        reading.call(1, "hire", &arguments, Ok(&shown));
        let claims = reading.reply(2, reply, &Reply::read(reply, &desk.calendar)).against;
        (reading.is_cut(), claims.iter().map(Claim::code).collect::<Vec<_>>())
    };
    let long = format!("{} The skipper comes at 14:37 and brings 9 vests.", "Calm water. ".repeat(6_000));
    for reply in [
        "The skipper comes at 14:37.",
        "The price is 145.50 euros.",
        "The deposit is returned within 20 days after the boat is back.",
    ] {
        assert_eq!(against("Calm water.", reply).1.len(), 1, "{reply}");
        assert_eq!(against(&long, reply), (true, vec![]), "{reply}");
    }
    // What an agent says that it did itself needs a call, whatever was read, and a calendar is known by heart.
    assert_eq!(against(&long, "I have moved your hire.").1, ["ungrounded_action"]);
    assert_eq!(against(&long, "It is on Thursday 14 March 2026.").1, ["wrong_value"]);
}
