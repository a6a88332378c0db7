//! What the contract user says to replies, as whole sentences of tasks of the suite.

use std::sync::LazyLock;

use super::*;
use crate::suite::Suite;
use std::path::Path;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(Path::new("../../..")));

/// What the user of a task says to replies, one after another.
fn said(task: &str, variant: Variant, replies: &[&str]) -> Vec<String> {
    let loaded = SUITE.tasks.values().find(|loaded| loaded.task.id().ends_with(task)).unwrap();
    let mut user = ContractUser::new(&loaded.task, variant).unwrap();
    let replies = std::iter::once(None).chain(replies.iter().map(|reply| Some(*reply)));
    replies.filter_map(|reply| user.next(reply)).map(|utterance| utterance.text).collect()
}

#[test]
fn a_yes_waits_until_a_slip_is_set_right() {
    let replies = [
        "Moving on 12 May costs 15.00, and 209 is 94.00 a night. Is 12 May right, and shall I move you?",
        "It is 12 June. Shall I move you and charge the fee of 15.00?",
    ];
    let said = said("/late_move", Variant::Ideal, &replies);
    assert!(said[1].contains("12 June") && !said[1].contains("charge the fee"), "{said:?}");
    assert!(said[2].starts_with("Yes, please go ahead, move me"), "{said:?}");
}

/// What the user of a task says last, to this reply after its first turn.
fn answer(task: &str, variant: Variant, reply: &str) -> String {
    said(task, variant, &[reply]).split_off(1).pop().unwrap_or_default()
}

#[test]
fn a_sibling_of_what_was_ordered_is_not_agreed_to() {
    for (task, reply, own) in [
        ("/booked_twice", "Shall I cancel the three-night booking?", "two nights"),
        ("/mislaid_card", "Shall I freeze the debit card?", "credit"),
        ("/mislaid_card", "Shall I freeze all of your cards?", "credit"),
        ("/while_marit_is_away", "Shall I approve the leave of 23 March and that of 6 July?", "declined for 6 July"),
        ("/two_brothers", "Shall I add Callum in place of Danny?", "Danny"),
        ("/twin_cancels", "Shall I cancel the appointment of your sister tomorrow?", "mine"),
        ("/twin_cancels", "Shall I cancel Kaya's appointment?", "Elif"),
        ("/mislaid_card", "I have frozen your debit card.", "credit"),
        ("/one_more_night", "I have extended it to Tuesday the 23rd.", "one more night"),
        (
            "/while_marit_is_away",
            "I have approved the week of 6 July and declined that of 23 March.",
            "declined for 6 July",
        ),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        assert!(said.contains(own) && !said.starts_with("Yes"), "{reply} {said}");
    }
}

#[test]
fn what_was_ordered_is_agreed_to_beside_a_sibling_that_stays() {
    for (task, reply) in [
        ("/booked_twice", "Shall I cancel the two-night booking and keep the three-night one?"),
        ("/mislaid_card", "Shall I freeze the credit card and leave the debit card as it is?"),
        ("/while_marit_is_away", "Shall I approve the leave of 23 March and decline that of 6 July?"),
        ("/two_brothers", "Shall I add Danny for Sunday?"),
        ("/twin_cancels", "Shall I cancel your appointment with Dr Lindqvist tomorrow?"),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        assert!(said.starts_with("Yes") || said.contains("asked for"), "{reply} {said}");
    }
    for (task, reply) in [
        ("/booked_twice", "The two-night booking is cancelled, and the three-night one stays."),
        ("/booked_twice", "I have cancelled the shorter one. On the three-night booking I noted the bicycles."),
        ("/mislaid_card", "I have frozen your credit card. Your debit card still works."),
        ("/while_marit_is_away", "The week of 23 March is approved, and 6 and 7 July are declined."),
    ] {
        assert_eq!(answer(task, Variant::Ideal, reply), "", "{reply}");
    }
}

#[test]
fn a_choice_is_told_once_and_a_deed_is_chosen_as_a_deed() {
    let card = |reply| answer("/mislaid_card", Variant::Ideal, reply);
    assert_eq!(card("Is it the credit card or the debit card?").matches("redit").count(), 1);
    let deed = card("Shall I freeze the credit card, or cancel it for good?");
    assert!(deed.to_lowercase().contains("freeze it"), "{deed}");
    assert!(card("Is your name Bob?").contains("Noor Selwani"));
    assert!(!card("Is your name Noor Selwani?").starts_with("No,"));
}

/// Whether the user of a task answers a reply after its first turn with one of the wordings of a kind, and nothing else.
fn is_line(task: &str, variant: Variant, reply: &str, line: Line) -> bool {
    let said = answer(task, variant, reply);
    assert!(!said.is_empty(), "{reply}");
    Manner::of(variant).wordings(line).contains(&said)
}

#[test]
fn what_is_proposed_is_taken_beside_what_is_set_aside() {
    for (task, reply, own) in [
        ("/booked_twice", "Do I have your clear yes to dropping the stay from 20 June, too?", "yes"),
        ("/booked_twice", "Shall I cancel the two-night booking, or would you rather think about it?", "cancel"),
        ("/booked_twice", "Are you sure you want the two-night one cancelled, rather than the three-night one?", "yes"),
        (
            "/mislaid_card",
            "Shall I freeze the credit card, or would you rather have the debit card frozen?",
            "freeze it",
        ),
        (
            "/two_brothers",
            "Danny Renshaw may play on Sunday. Shall I enter him, or would you rather I left him off?",
            "enter him",
        ),
        (
            "/twin_cancels",
            "The visit of the 15th is at short notice. May I cancel it, instead of moving it to the 28th?",
            "yes",
        ),
    ] {
        let said = answer(task, Variant::Ideal, reply).to_lowercase();
        assert!(said.starts_with(own) && !said.contains("not"), "{reply} {said}");
    }
}

#[test]
fn what_nobody_asked_for_is_not_taken_of_two_things() {
    for (task, reply) in [
        ("/booked_twice", "Would you like a cot for the baby, or a basket of fruit?"),
        ("/mislaid_card", "And do you want a leather wallet as well, or a card of another colour?"),
    ] {
        assert!(is_line(task, Variant::Ideal, reply, Line::Neither), "{reply}");
    }
    for (task, reply, other) in [
        ("/booked_twice", "Shall I cancel the three-night booking, or keep it?", "cancel it"),
        ("/mislaid_card", "And the Brightwell subscription: drop it or keep it?", "drop it"),
        ("/two_brothers", "Shall I add Theo Whitlow, or would you rather wait?", "add"),
    ] {
        let said = answer(task, Variant::Ideal, reply).to_lowercase();
        assert!(!said.contains(other) && !said.starts_with("yes"), "{reply} {said}");
    }
}

#[test]
fn a_closing_question_is_closed() {
    for (task, reply) in [
        ("/booked_twice", "The two-night booking is cancelled. Is all of it as you meant it?"),
        ("/booked_twice", "The two-night booking is cancelled. Will that be all, or shall I read it out to you?"),
        ("/mislaid_card", "Your credit card is frozen. Are we through for today?"),
    ] {
        for variant in [Variant::Ideal, Variant::InformationOverload] {
            assert!(is_line(task, variant, reply, Line::Closing), "{reply} {}", answer(task, variant, reply));
        }
    }
    assert_eq!(answer("/mislaid_card", Variant::Ideal, "It is frozen. Is anything still open?"), "");
    assert!(answer("/mislaid_card", Variant::Ideal, "Are we through, or shall I freeze it?").starts_with("Freeze it"));
}

#[test]
fn what_it_said_is_said_again() {
    for (task, reply, own) in [
        ("/booked_twice", "What exactly have you agreed to, then?", "cancel the two-night booking"),
        ("/booked_twice", "Remind me, on which of them did you want the bicycles?", "two bicycles"),
        ("/twin_cancels", "Say your date of birth once more, please.", "8 May 1991"),
        (
            "/twin_cancels",
            "What was your date of birth again, and would you like a reminder or a letter?",
            "8 May 1991",
        ),
        ("/booked_twice", "Shall I cancel the two-night booking and also your parking space B77?", "two-night booking"),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        assert!(said.contains(own), "{reply} {said}");
    }
}

#[test]
fn of_days_and_times_the_one_that_it_said_is_taken_or_the_first() {
    assert!(is_line("/one_more_night", Variant::Ideal, "A taxi at 9:20, or rather the 10:45?", Line::First));
    let said = answer("/one_more_night", Variant::Ideal, "Did you mean Monday the 22nd, or Tuesday the 23rd?");
    assert!(said.contains("22") && !said.contains("23"), "{said}");
    let other = "Is it the stay from 20 June, or the one from 7 August?";
    assert!(!is_line("/booked_twice", Variant::Ideal, other, Line::First));
}

#[test]
fn a_way_out_that_it_named_itself_is_taken() {
    let reply =
        "The lift is out of order. Would you rather ride to another stop, or shall I leave the Friday car as it is?";
    let said = answer("/earlier_van", Variant::ContradictoryConstraints, reply).to_lowercase();
    assert!(said.contains("leave that as it is"), "{said}");
}
