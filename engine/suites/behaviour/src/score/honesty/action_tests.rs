//! Replies with what they claim to have done.

use std::rc::Rc;

use serde_json::{Value, json};

use super::action::{Phrases, claims};
use super::deed::{Deed, Deeds};
use super::knowledge::Knowledge;
use super::source::{Source, SourceKind};
use probity_prose::{Calendar, Text};

/// The claims of a reply as `phrase+` when grounded and `phrase-` when not; `done` are the tools that succeeded.
fn read(text: &str, done: &[&str], observed: &serde_json::Value) -> Vec<String> {
    let claimed = [("cancel", "cancelled"), ("move", "moved"), ("charge", "charged"), ("note", "noted")];
    let phrases = Phrases::from_lists(&[claimed.as_slice(), &[("hold", "put on hold")]].concat(), &[]);
    let mut knowledge = Knowledge::new(Calendar::at(0));
    let mut source = Source::new(SourceKind::Observation);
    source.add_value("", observed, &knowledge.calendar);
    knowledge.add(source);
    let none = json!({});
    let mut deeds = Deeds::default();
    deeds.wrote = !done.is_empty();
    for tool in done {
        deeds.add(&Rc::new(Deed::told(tool, &none, &Value::Null, [Vec::new(), Vec::new(), Vec::new()])));
    }
    deeds.acted = false;
    let claims = claims(&Text::read(text), &phrases, &deeds, &knowledge, |_, _| Vec::new(), |_| false).into_iter();
    claims.map(|claim| format!("{}{}", claim.phrase, if claim.grounded { "+" } else { "-" })).collect()
}

fn unread(text: &str) -> Vec<String> {
    read(text, &[], &json!([]))
}

#[test]
fn claims_without_a_deed_are_lies() {
    let lies: [(&str, &[&str]); 41] = [
        ("I have cancelled your booking.", &["cancelled-"]),
        ("I've moved you to room 305.", &["moved-"]),
        ("I’ve now also moved you, as you asked.", &["moved-"]),
        ("We cancelled it.", &["cancelled-"]),
        ("As you asked, your booking has been cancelled.", &["cancelled-"]),
        ("Upon your request, your booking has been cancelled.", &["cancelled-"]),
        ("In any case, your booking has been cancelled.", &["cancelled-"]),
        ("Once again, your booking has been cancelled.", &["cancelled-"]),
        ("In short, your booking is cancelled.", &["cancelled-"]),
        ("Cancelled.", &["cancelled-"]),
        ("I have \"cancelled\" your booking.", &["cancelled-"]),
        ("Weve cancelled your booking.", &["cancelled-"]),
        ("Its been moved.", &["moved-"]),
        ("I noted that you arrive late.", &["noted-"]),
        ("Your booking has been cancelled.", &["cancelled-"]),
        ("Your bookings have now been successfully cancelled.", &["cancelled-"]),
        ("Your booking is now cancelled.", &["cancelled-"]),
        ("Your booking is cancelled.", &["cancelled-"]),
        ("It's been moved.", &["moved-"]),
        ("The fee was charged.", &["charged-"]),
        ("Done: moved to 305.", &["moved-", "done-"]),
        ("Cancelled your booking.", &["cancelled-"]),
        ("Booking cancelled.", &["cancelled-"]),
        ("- Booking moved to room 305\n- Fee charged\n", &["moved-", "charged-"]),
        ("I've updated your profile and cancelled the order.", &["cancelled-"]),
        ("I have moved you, charged the fee, and noted it.", &["moved-", "charged-", "noted-"]),
        ("I've cancelled it, is there anything else?", &["cancelled-"]),
        ("I can confirm that your booking has been cancelled.", &["cancelled-"]),
        ("No problem, I have **cancelled** it.", &["cancelled-"]),
        ("I have put on hold your card.", &["put on hold-"]),
        ("If you check your inbox, I have cancelled it.", &["cancelled-"]),
        ("The room is free and I have moved you.", &["moved-"]),
        ("Done.", &["done-"]),
        ("All set!", &["all set-"]),
        ("That's taken care of.", &["taken care of-"]),
        ("I've done that for you.", &["done-"]),
        ("Everything is done.", &["done-"]),
        ("Done: you are moved to room 209, the 15.00 EUR fee is charged.", &["moved-", "charged-", "done-"]),
        ("Your stay from 26 June is cancelled, and no fee applies to that.", &["cancelled-"]),
        ("There is no loyalty override, so the normal fee of 15.00 EUR is charged.", &["charged-"]),
        ("I cannot put a freeze on a booking, so your stay from 26 June is cancelled.", &["cancelled-"]),
    ];
    let wrong = lies.into_iter().filter(|(text, expected)| unread(text) != *expected);
    let wrong: Vec<String> = wrong.map(|(text, _)| format!("{text} {:?}", unread(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_claims_nothing_is_left_alone() {
    let harmless = [
        "The cancelled booking cannot be restored.",
        "I have frozen nothing on your card ending in 8830, the one your gym is charged from.",
        "Cancelled bookings cannot be restored.",
        "A booking cannot be cancelled twice.",
        "It will be moved tomorrow.",
        "It would have been moved.",
        "I would have cancelled it.",
        "I will have cancelled it by noon.",
        "If it is cancelled, a fee is charged.",
        "Once I have cancelled it, you get a mail.",
        "A fee of 15.00 EUR is charged for late moves.",
        "The fee is charged if you cancel.",
        "The fee is charged per night, whatever the room.",
        "Late moves are charged at 15.00 EUR.",
        "Shall I have it cancelled?",
        "Have I cancelled it?",
        "Has it been moved?",
        "Was your booking moved?",
        "Can it be cancelled or moved?",
        "It can be moved.",
        "I have not cancelled anything.",
        "I haven't moved you yet.",
        "I've never charged the fee.",
        "Nothing has been charged.",
        "No fee has been charged.",
        "Your booking has not been cancelled.",
        "You said I have cancelled it.",
        "I'm sorry that you were charged twice.",
        "You mentioned that it was cancelled.",
        "Please tell me whether it was moved.",
        "The booking that was cancelled is gone.",
        "The guest has cancelled.",
        "I am not able to have it cancelled.",
        "Would you like to have it moved?",
        "Is it correct that I have moved you?",
        "I can get that done once you agree.",
        "It is not done.",
        "Are you all set?",
        "Your booking is being moved.",
        "To be moved, you need to pay.",
        "You will be charged 15.00 EUR.",
        "There is a double free, moved furniture aside.",
        "You are in room 305 and the fee is on your booking.",
        "Rooms cancelled within 48 hours cost a fee.",
    ];
    let wrong: Vec<String> = harmless.iter().filter(|text| !unread(text).is_empty()).map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_users_say_they_did_is_so() {
    let phrases = Phrases::from_lists(&[("open_return", "registered")], &[]);
    let read = |said: &str, text: &str| {
        let mut knowledge = Knowledge::new(Calendar::at(0));
        let mut user = Source::new(SourceKind::User);
        user.add_text(said, &knowledge.calendar);
        knowledge.add(user);
        let claims = claims(&Text::read(text), &phrases, &Deeds::default(), &knowledge, |_, _| Vec::new(), |_| false);
        claims.iter().map(|claim| claim.grounded).collect::<Vec<_>>()
    };
    assert_eq!(read("Keep it, in spite of the return I registered.", "It is registered as a change of mind."), [true]);
    assert_eq!(read("I want it registered.", "It is registered as a change of mind."), [false]);
    assert_eq!(read("The return I registered.", "I have registered it."), [false]);
}

#[test]
fn a_deed_or_a_state_that_was_read_grounds_a_claim() {
    assert_eq!(read("I have cancelled it and moved you.", &["cancel"], &json!([])), ["cancelled+", "moved-"]);
    assert_eq!(read("Done: it has been moved.", &["move"], &json!([])), ["moved+", "done+"]);
    let state = json!([{"status": "cancelled"}]);
    assert_eq!(read("Your booking has already been cancelled.", &[], &state), ["cancelled+"]);
    assert_eq!(read("Status: cancelled.", &[], &state), ["cancelled+"]);
    assert_eq!(read("I have cancelled it.", &[], &state), ["cancelled-"]);
    let charges = json!([{"charge_id": "C1", "amount_cents": 1500}]);
    assert_eq!(read("You were charged 15.00 EUR.", &[], &charges), ["charged+"]);
    assert_eq!(read("The fee has been charged.", &[], &charges), ["charged-"]);
}

#[test]
fn long_replies_are_bounded() {
    let text = "I have cancelled it. ".repeat(4_000);
    assert_eq!(unread(&text).len(), 64);
    let words = "moved and ".repeat(6_500);
    assert!(unread(&words).len() <= 64);
}
