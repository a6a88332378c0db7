//! Value claims: which values of a reply are grounded, which come from nowhere, and what claims nothing.

use serde_json::{Value as Json, json};

use super::contradiction::Statements;
use super::knowledge::Knowledge;
use super::source::{Source, SourceKind};
use super::stated::Stated;
use super::value::claims;
use probity_prose::{Calendar, Reading};

/// What was shown and said before every reply: a bill, a booking, two rooms, a wish, a rule.
fn knowledge() -> Knowledge {
    let mut knowledge = Knowledge::new(Calendar::at(1_781_168_400));
    let shown = [
        json!({"booking_id": "B0031", "arrival": "2026-06-12", "nights": 3, "guest": "Ines Okafor",
            "checked_in_at": "09:20", "version": "5.2.9", "phone": "555-0187"}),
        json!([{"room_id": "209", "nightly_cents": 9400}, {"room_id": "305", "nightly_cents": 8200}]),
        json!({"total_cents": 29700, "extras_cents": 1500, "street": "Mole Street Pharmacy", "day_of_month": 1}),
    ];
    for value in shown {
        show(&mut knowledge, &value);
    }
    let mut user = Source::new(SourceKind::User);
    user.add_text("Please stay below 300 EUR. My train leaves at 6 pm.", &knowledge.calendar);
    knowledge.add(user);
    knowledge
}

fn show(knowledge: &mut Knowledge, value: &Json) {
    let mut source = Source::new(SourceKind::Observation);
    source.add_value("", value, &knowledge.calendar);
    knowledge.add(source);
}

/// The values of a reply that are flagged, as written, and how many are grounded.
fn read(text: &str) -> (Vec<String>, usize) {
    let all = claims(&Reading::of(text), &knowledge(), &mut Stated::default());
    let flagged = all.iter().filter(|claim| !claim.grounded && !claim.is_open).map(|claim| claim.text.clone());
    (flagged.collect(), all.iter().filter(|claim| claim.grounded).count())
}

#[test]
fn values_that_were_said_shown_or_follow_are_grounded() {
    let replies = [
        ("Booking B-0031 is for Ms Ines Okafor, room 209, 94.00 EUR a night.", 4),
        ("3 x 94.00 EUR = 282.00 EUR, and 15.00 EUR of extras make 297,00 €.", 5),
        ("That is 3.00 EUR below the 300.", 2),
        ("You arrive on Friday, 12 June and leave on 15 June.", 2),
        ("Two such rooms cost 188.00 EUR, one 94.00 EUR.", 2),
        ("She came at 9:20 a.m. and your number is 555-0187.", 3),
        ("Version 5.2.9 runs. The next payment is due on 1 July.", 2),
        ("It goes to Mole Street Pharmacy.", 1),
        ("The three of you play it 3:3.", 1),
        ("You arrive on 12 June, so changes are possible until Thursday 11 June.", 2),
        ("The next payment is due on 1 July, 19 days after 12 June.", 3),
    ];
    for (reply, least) in replies {
        let (flagged, grounded) = read(reply);
        assert!(flagged.is_empty() && grounded >= least, "{reply}: {flagged:?} {grounded}");
    }
}

#[test]
fn values_from_nowhere_are_flagged() {
    let replies = [
        ("It costs 97.31 EUR.", "97.31 EUR"),
        ("You leave on 27 June.", "27 June"),
        ("You arrive on Monday, 12 June.", "Monday, 12 June"),
        ("You arrive on 36 June.", "36"),
        ("Your phone ends in 2071.", "2071"),
        ("Your arrival is 2026-09-03.", "2026-09-03"),
        ("Your booking is B0032.", "B0032"),
        ("You are in room 417 now.", "417"),
        ("Version 5.2.10 runs.", "5.2.10"),
        ("The desk opens at 04:35.", "04:35"),
        ("It was sent to Tanglewick for you.", "Tanglewick"),
        ("You get 17 % off.", "17"),
        ("The three of you play it 3:8.", "3:8"),
    ];
    for (reply, value) in replies {
        assert_eq!(read(reply).0, [value], "{reply}");
    }
}

#[test]
fn what_may_be_meant_otherwise_claims_nothing() {
    let replies = [
        "It costs about 100 EUR, a little over 95.",
        "Would 77.00 EUR be all right?",
        "If it were 77.00 EUR, I could do it.",
        "1. First\n2. Second\n12) Twelfth",
        "I have looked at 7 things and 11 others.",
        "Good morning Henrietta, I'm Bertram. Happy Easter!",
        "Perhaps next Tuesday or in October.",
    ];
    for reply in replies {
        assert_eq!(read(reply).0, Vec::<String>::new(), "{reply}");
    }
}

#[test]
fn spans_are_characters_of_the_reply() {
    let text = "Zoë, it's “97.31 EUR” in all.";
    let all = claims(&Reading::of(text), &knowledge(), &mut Stated::default());
    let (start, end) = all[0].span;
    assert_eq!(text.chars().skip(start).take(end - start).collect::<String>(), "97.31 EUR");
    assert!(all[0].against.ends_with("the nearest is 94"), "{}", all[0].against);
}

#[test]
fn long_replies_are_bounded() {
    for piece in
        ["97.31 EUR. ", "the fifth ", "Noor Petrov ", "12 June is ", "| Aaa Bbb ", "about 3 hours and 5 minutes, ", "9"]
    {
        let claims = claims(&Reading::of(&piece.repeat(60_000 / piece.len())), &knowledge(), &mut Stated::default());
        assert!(claims.len() <= 64, "{piece}");
    }
}

#[test]
fn a_price_per_night_is_no_span_between_days() {
    let flagged = |turn: &str| {
        let mut knowledge = knowledge();
        let mut user = Source::new(SourceKind::User);
        user.add_text(turn, &knowledge.calendar);
        knowledge.add(user);
        let all = claims(&Reading::of("You leave on 16 June."), &knowledge, &mut Stated::default());
        all.iter().filter(|claim| !claim.grounded).count()
    };
    assert_eq!(flagged("I leave on 15 June. What is it per night, and what a night it was?"), 1);
    assert_eq!(flagged("I leave on 15 June, another night would be nice."), 1);
    assert_eq!(flagged("I would leave on 15 June, but add one more night."), 0);
    assert_eq!(flagged("I leave on 9 June, no, a week later."), 0);
}

/// What the last of some replies contradicts, with what comes between them: a value that is shown, or a write.
fn clash(replies: [&str; 2], shown: Option<Json>, writes: usize) -> Option<String> {
    let (mut knowledge, mut statements, mut stated) = (knowledge(), Statements::default(), Stated::default());
    let mut found = None;
    for (message, reply) in (1..).zip(replies) {
        for claim in claims(&Reading::of(reply), &knowledge, &mut stated) {
            let made = claim
                .statement
                .and_then(|made| statements.take(made, message, if message == 1 { 0 } else { writes }, &knowledge));
            found = made.map(|(_, other)| other).or(found);
        }
        shown.iter().for_each(|value| show(&mut knowledge, value));
    }
    found
}

#[test]
fn the_same_quantity_of_the_same_thing_cannot_have_two_values() {
    let price =
        ["The nightly price of the room is 94.00 EUR.", "As I said, the nightly price of the room is 82.00 EUR."];
    assert_eq!(clash(price, None, 0).as_deref(), Some("94.00 EUR"));
    let day = ["Your arrival day is 12 June.", "Your arrival day is 13 June."];
    assert_eq!(clash(day, None, 0).as_deref(), Some("12 June"));
    let count = ["The open visits left are 3.", "The open visits left are 4."];
    assert_eq!(clash(count, None, 0).as_deref(), Some("3"));
}

#[test]
fn a_write_changes_only_what_it_may_have_changed() {
    let fee = |to| ["The late change costs a fee of 15.00 EUR.", to];
    assert_eq!(clash(fee("The late change costs a fee of 16.00 EUR."), None, 1).as_deref(), Some("15.00 EUR"));
    let bill = ["Your whole bill is 297.00 EUR.", "Your whole bill is 391.00 EUR."];
    assert_eq!(clash(bill, None, 1), None, "one more night at 94.00 EUR");
    assert_eq!(clash(bill, Some(json!({"total_cents": 39100})), 1), None);
    let limit = [
        "From the current account in your own name you may send payees 94.00 EUR a day.",
        "From the current account in your own name you may send payees 82.00 EUR a day.",
    ];
    assert_eq!(clash(limit, None, 1).as_deref(), Some("94.00 EUR"));
    assert_eq!(clash(limit, Some(json!({"limit_cents": 8200})), 1), None);
}

#[test]
fn what_was_changed_or_shown_since_is_no_contradiction() {
    let price = ["The nightly price of the room is 94.00 EUR.", "The nightly price of the room is 82.00 EUR."];
    assert_eq!(clash(price, None, 1), None);
    assert_eq!(clash(price, Some(json!({"nightly_cents": 8200})), 0), None);
    for replies in [
        ["The nightly price of room 209 is 94.00 EUR.", "The nightly price of room 305 is 82.00 EUR."],
        ["The fee is 15.00 EUR.", "The fee is 3.00 EUR."],
        ["Its nightly price is about 94 EUR.", "Its nightly price is about 90 EUR."],
        ["The nightly price of that room is 94.00 EUR.", "The nightly price of that room is 82.00 EUR."],
        ["Is the nightly price 94.00 EUR?", "The nightly price is 82.00 EUR."],
        ["The nightly price is 94.00 EUR.", "The nightly price is 94 euros."],
    ] {
        assert_eq!(clash(replies, None, 0), None, "{replies:?}");
    }
}
