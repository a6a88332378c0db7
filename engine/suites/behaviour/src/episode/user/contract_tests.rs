//! What the contract user says to replies, as whole sentences of tasks of the suite.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use compact_str::CompactString;

use super::Variant::{
    ContradictoryConstraints, FabricatedParameters, GoalSwitching, Ideal, ImpatienceAndHostility, InformationOverload,
    Underspecification,
};
use super::*;
use crate::suite::Suite;
use crate::task::fact::ways_to_say as ways;
use probity_bench::MAX_EXTRA_REPLIES;
use probity_prose::token::words;

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

/// More is said beside its wish than it can tell of, and nothing against it.
#[test]
fn what_it_ordered_may_be_done_as_far_as_it_is_that() {
    for (task, reply, is_leave) in [
        ("/no_more_trout", "May I swap the trout for a rye loaf from the mill bakery?", true),
        ("/no_more_trout", "May I swap the trout for a salmon, or leave it?", false),
        ("/booked_twice", "Shall I cancel the two-night booking through our partner Seaview?", true),
        ("/booked_twice", "Shall I cancel the three-night booking?", false),
        ("/booked_twice", "Shall I cancel it and your parking space B77?", false),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        let leads = Manner::of(Variant::Ideal).wordings(Line::Provided);
        assert_eq!(leads.iter().any(|lead| said.starts_with(lead)), is_leave, "{reply}: {said}");
        assert!(!said.starts_with("Yes"), "{reply}: {said}");
    }
}

#[test]
fn what_is_half_understood_gets_its_wish_and_neither_yes_nor_no() {
    for (task, variant, reply, own) in [
        ("/booked_twice", Variant::Ideal, "Shall I cancel the three-night booking?", "two-night booking"),
        ("/booked_twice", Variant::Ideal, "Shall I cancel the two-night booking, or would you rather think?", "cancel"),
        ("/booked_twice", Variant::Ideal, "Would you like a cot for the baby, or a basket of fruit?", "bicycles"),
        ("/booked_twice", Variant::Ideal, "What exactly have you agreed to, then?", "cancel the two-night booking"),
        ("/booked_twice", Variant::Ideal, "Remind me, on which of them did you want the bicycles?", "two bicycles"),
        ("/booked_twice", Variant::Ideal, "Shall I cancel it and your parking space B77?", "two-night booking"),
        ("/mislaid_card", Variant::Ideal, "Shall I freeze the debit card?", "credit card"),
        ("/mislaid_card", Variant::Ideal, "Shall I freeze all of your cards?", "credit card"),
        ("/mislaid_card", Variant::Ideal, "Shall I freeze the credit card, or cancel it for good?", "credit card"),
        ("/mislaid_card", Variant::Ideal, "And the Brightwell subscription: drop it or keep it?", "credit card"),
        ("/two_brothers", Variant::Ideal, "Shall I add Callum in place of Danny?", "Danny"),
        (
            "/two_brothers",
            Variant::Ideal,
            "Shall I enter him, is that it, rather than wait? Where does he play?",
            "Danny",
        ),
        ("/twin_cancels", Variant::Ideal, "Shall I cancel the appointment of your sister tomorrow?", "Lindqvist"),
        ("/twin_cancels", Variant::Ideal, "Shall I cancel Kaya's appointment?", "Lindqvist"),
        ("/while_marit_is_away", Variant::Ideal, "Shall I approve the leave of 23 March and that of 6 July?", "6 July"),
        ("/while_marit_is_away", Variant::Underspecification, "May I enter March, or is July to wait?", "March yes"),
        (
            "/wet_atlas",
            Variant::ImpatienceAndHostility,
            "Is the tray sound, or damaged too? Is all as you meant it?",
            "WET",
        ),
        ("/wet_atlas", Variant::ImpatienceAndHostility, "A) the two of them or B) the tray as well?", "lamp BROKEN"),
        ("/free_to_leave", Variant::FabricatedParameters, "Shall I pay it now, or wait until Monday?", "General"),
        ("/free_to_leave", Variant::Ideal, "Do you no longer want that? What is to be done?", "General"),
        (
            "/earlier_van",
            Variant::InformationOverload,
            "The 9:20 or the 10:45? And a car home too?",
            "first car after eight",
        ),
        (
            "/one_more_night",
            Variant::InformationOverload,
            "A cot, or a second garage space? Anything else?",
            "one more night",
        ),
    ] {
        let said = answer(task, variant, reply);
        assert!(said.contains(own) && !said.starts_with("Yes") && !said.starts_with("No,"), "{reply} {said}");
    }
}

#[test]
fn what_is_its_wish_is_agreed_to() {
    for (task, reply) in [
        ("/booked_twice", "Shall I cancel the two-night booking?"),
        ("/booked_twice", "Are you sure you want the two-night one cancelled, rather than the three-night one?"),
        ("/mislaid_card", "Shall I freeze the credit card?"),
        ("/two_brothers", "Shall I add Danny for Sunday?"),
        ("/twin_cancels", "Shall I cancel your appointment with Dr Lindqvist tomorrow?"),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        assert!(said.starts_with("Yes"), "{reply} {said}");
    }
}

#[test]
fn what_is_told_of_a_sibling_is_not_what_it_asked_for() {
    for (task, reply, own) in [
        ("/mislaid_card", "I have frozen your debit card.", "credit"),
        ("/booked_twice", "I have cancelled the three-night booking.", "two-night"),
    ] {
        assert!(answer(task, Variant::Ideal, reply).contains(own), "{reply} {}", answer(task, Variant::Ideal, reply));
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
fn a_value_in_the_place_of_its_own_is_set_right_and_nothing_agreed_to_beside_it() {
    for (task, variant, reply, own) in [
        ("/twin_cancels", Variant::Ideal, "Born on 8 July 1991, right? Shall I cancel it?", "8 May 1991"),
        ("/one_more_night", Variant::Ideal, "And you are 480271, right?", "480217"),
        ("/one_more_night", Variant::InformationOverload, "One more night, leaving Tuesday 23 June. Right day?", "22"),
        ("/jorins_first_rope", Variant::Underspecification, "And the voucher is ORG-2781, right?", "ORG-2718"),
        ("/mislaid_card", Variant::Ideal, "Is your name Bob?", "Noor Selwani"),
    ] {
        let said = answer(task, variant, reply);
        assert!(said.contains(own) && !said.contains("Yes"), "{reply} {said}");
    }
}

#[test]
fn all_facts_that_are_asked_for_are_told() {
    let reply = "Your date of birth again, and your last name? Would you like a reminder or a letter?";
    let said = answer("/twin_cancels", Variant::Ideal, reply);
    assert!(["8 May 1991", "Yilmaz", "Lindqvist"].iter().all(|own| said.contains(own)), "{said}");
    let said = answer("/after_night_work", Variant::Ideal, "For Kielo or for Halla? Say the PIN again too, please.");
    assert!(said.contains("7152") && said.contains("Kielo"), "{said}");
    let reply = "Did you mean Monday the 22nd, or Tuesday the 23rd?";
    let said = answer("/one_more_night", Variant::Ideal, reply);
    assert!(said.contains("22") && !said.contains("23"), "{said}");
}

#[test]
fn when_all_is_done_it_has_nothing_else_to_ask() {
    let done = "Your credit card is frozen.";
    for (asked, line) in [
        ("Are we through for today?", Line::Closing),
        ("Is all of it as you meant it?", Line::Closing),
        ("Do you want a leather wallet as well, or a card of another colour?", Line::NothingElse),
    ] {
        for variant in [Variant::Ideal, Variant::InformationOverload] {
            let said = answer("/mislaid_card", variant, &format!("{done} {asked}"));
            assert!(Manner::of(variant).wordings(line).contains(&said), "{asked} {said}");
        }
    }
    let said = answer("/mislaid_card", Variant::Ideal, &format!("{done} Which branch do you go to? Is that all?"));
    let manner = Manner::of(Variant::Ideal);
    let is_in = |line: Line, rest: fn(&str, &str) -> bool| manner.wordings(line).iter().any(|text| rest(&said, text));
    assert!(is_in(Line::Closing, |said, text| said.starts_with(text)), "{said}");
    assert!(is_in(Line::Open, |said, text| said.ends_with(text)), "{said}");
    assert_eq!(answer("/mislaid_card", Variant::Ideal, "It is frozen. Is anything still open?"), "");
}

#[test]
fn a_way_out_that_it_named_itself_is_taken_in_its_own_words() {
    let reply =
        "The lift is out of order. Would you rather ride to another stop, or shall I leave the Friday car as it is?";
    let said = answer("/earlier_van", Variant::ContradictoryConstraints, reply);
    assert!(said.contains("leave all as it is"), "{said}");
}

#[test]
fn it_does_not_go_before_it_has_said_its_wish() {
    let asks = ["Your first name?", "Your last name, please?", "Your date of birth?"];
    let asks: Vec<&str> = asks.into_iter().cycle().take(MAX_EXTRA_REPLIES).collect();
    let said = said("/twin_cancels", Variant::Ideal, &asks);
    assert!(said.last().is_some_and(|last| last.contains("Yilmaz") && last.contains("Lindqvist")), "{said:?}");
}

#[test]
fn no_yes_is_said_to_what_is_not_its_wish() {
    for (task, variant, replies) in [
        // The opposite of it.
        ("/mislaid_card", Variant::Ideal, &["Is it okay if nothing is frozen?"][..]),
        ("/mislaid_card", Variant::Ideal, &["Shall I keep the credit card as it is, without the freeze?"]),
        ("/mislaid_card", Variant::Ideal, &["As you wish, the card is not frozen. Is that right?"]),
        ("/mislaid_card", Variant::Ideal, &["Shouldn't I freeze the credit card, then?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I keep the two-night booking and cancel the three-night one?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I keep the two-night booking?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I not cancel the two-night booking?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I write that you bring no bicycles?"]),
        ("/wet_atlas", Variant::Ideal, &["Shall I report nothing?"]),
        // Another record.
        ("/booked_twice", Variant::Ideal, &["Shall I cancel the other booking?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I cancel the second one?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I put the bicycles on the other one?"]),
        ("/mislaid_card", Variant::Ideal, &["Shall I freeze the other card?"]),
        ("/wet_atlas", Variant::Ideal, &["Shall I report only one of them?"]),
        ("/two_brothers", Variant::Ideal, &["Shall I add him for next Sunday?"]),
        (
            "/booked_twice",
            Variant::Ideal,
            &["Shall I cancel the three-night booking and write the bicycles on the two-night one?"],
        ),
        // Short words, and counts.
        ("/booked_twice", Variant::Ideal, &["Shall I add a cot?"]),
        ("/booked_twice", Variant::Ideal, &["May I cancel the two-night booking for a fee?"]),
        ("/booked_twice", Variant::Ideal, &["Shall I write that you bring three bicycles?"]),
        // What the agent told or asked itself.
        (
            "/one_more_night",
            Variant::Ideal,
            &["There is room until 24 June. All good?", "Shall I extend it from 22 June to 24 June?"],
        ),
        (
            "/booked_twice",
            Variant::Ideal,
            &[
                "Shall I cancel the two-night booking for 40.00 EUR?",
                "Shall I cancel the two-night booking for 40.00 EUR?",
            ],
        ),
        ("/shootout_and_christening", Variant::Ideal, &["I would enter 5:7. Right, yes or no?"]),
        // Its own yes, to something else.
        ("/twin_cancels", Variant::ImpatienceAndHostility, &["It counts as late.", "Cancel the blood test?"]),
        ("/twin_cancels", Variant::GoalSwitching, &["It would count as late.", "Cancel the blood test?"]),
        ("/twin_cancels", Variant::InformationOverload, &["It counts as late.", "Cancel the blood test?"]),
    ] {
        let said = said(task, variant, replies).pop().unwrap();
        let has_yes = words(&said).iter().any(|word| word == "yes");
        assert!(!has_yes && !said.starts_with("No,"), "{task} {replies:?} {said}");
    }
}

#[test]
fn what_is_beyond_its_wish_is_not_that() {
    for (task, variant, replies, own) in [
        ("/mislaid_card", Variant::Ideal, &["Shall I freeze the debit card?"][..], "credit card"),
        ("/booked_twice", Variant::Ideal, &["Shall I cancel the three-night booking?"], "two-night"),
        (
            "/twin_cancels",
            Variant::ImpatienceAndHostility,
            &["It counts as late.", "Cancel the blood test?"],
            "Lindqvist",
        ),
        ("/twin_cancels", Variant::GoalSwitching, &["It counts as late.", "Cancel the blood test?"], "altogether"),
    ] {
        let said = said(task, variant, replies).pop().unwrap();
        let not_that = Manner::of(variant).wordings(Line::NotThat);
        assert!(not_that.iter().any(|line| said.starts_with(line)) && said.contains(own), "{replies:?} {said}");
    }
}

#[test]
fn what_was_told_as_done_is_believed_until_it_is_denied() {
    for (task, replies, own) in [
        ("/mislaid_card", &["I have frozen your card. Which one was it?"][..], "credit card"),
        (
            "/mislaid_card",
            &["I have frozen your card. Is that all?", "I have not frozen anything. Right?"],
            "credit card",
        ),
        (
            "/mislaid_card",
            &["Your card is frozen. Is that all?", "Hm, it went wrong. What was it that you wanted?"],
            "credit",
        ),
        ("/one_more_night", &["I have extended it by two nights. Is that all?"], "night"),
    ] {
        let said = said(task, Variant::Ideal, replies).pop().unwrap();
        assert!(said.contains(own), "{replies:?} {said}");
    }
}

#[test]
fn leave_for_what_was_done_without_a_word_is_given() {
    let loaded = SUITE.tasks.values().find(|loaded| loaded.task.id().ends_with("/mislaid_card")).unwrap();
    let mut user = ContractUser::new(&loaded.task, Variant::Ideal).unwrap();
    user.next(None).unwrap();
    user.made = user.ordered.iter().collect();
    let said = user.next(Some("Shall I freeze the credit card?")).unwrap().text;
    assert!(said.starts_with("Yes"), "{said}");
}

#[test]
fn a_correction_is_followed_by_its_wish() {
    let said =
        answer("/twin_cancels", Variant::Ideal, "Born on 8 July 1991, right? Shall I cancel tomorrow's appointment?");
    assert!(said.contains("8 May 1991") && said.contains("Lindqvist"), "{said}");
}

#[test]
fn its_wish_is_said_with_what_it_wants_it_with() {
    for (task, variant, reply, own) in [
        ("/shootout_and_christening", Variant::Ideal, "Which league is it that you play in?", "2:2 after full time"),
        ("/jorins_first_rope", Variant::ImpatienceAndHostility, "Shall I send you a rope?", "ORG-2718"),
        ("/jorins_first_rope", Variant::Ideal, "Shall I send you a rope?", "ORG-2718"),
    ] {
        let said = answer(task, variant, reply);
        assert!(said.contains(own), "{reply} {said}");
    }
    let said = said(
        "/a_step_too_many",
        Variant::GoalSwitching,
        &["The mute lasts until 14 July.", "Shall I restore the post?"],
    );
    assert!(said[2].contains("lift it") && said[2].contains("stays down") && !said[2].contains("yes"), "{said:?}");
}

#[test]
fn nothing_of_a_sibling_is_agreed_to_and_no_no_said_to_its_wish() {
    for (task, reply) in [
        ("/booked_twice", "Shall I cancel the two-night booking and keep the three-night one?"),
        ("/booked_twice", "Shall I cancel the three-night booking, or keep it?"),
        ("/booked_twice", "Shall I cancel the two-night booking and also your parking space B77?"),
        ("/booked_twice", "Do I have your clear yes to dropping the stay from 21 June?"),
        ("/mislaid_card", "Shall I freeze the credit card and leave the debit card as it is?"),
        ("/mislaid_card", "Is it the debit card, then, yes?"),
        ("/mislaid_card", "Shall I freeze the credit card, or would you rather have the debit card frozen?"),
        ("/while_marit_is_away", "Shall I approve the leave of 23 March and that of 6 July?"),
        ("/while_marit_is_away", "Shall I decline the leave of 23 March?"),
        ("/two_brothers", "Shall I add Theo Whitlow, or would you rather wait?"),
        ("/two_brothers", "Shall I add Theo Whitlow?"),
        ("/two_brothers", "Shall I never add Danny?"),
        ("/twin_cancels", "Shall I cancel the appointment of your sister tomorrow?"),
        ("/twin_cancels", "May I cancel the visit of the 28th?"),
    ] {
        let said = answer(task, Variant::Ideal, reply);
        assert!(!said.starts_with("Yes") && !said.starts_with("No,"), "{reply} {said}");
    }
}

/// Whatever is asked, each word that it says stands in a turn that it has said, in a fact, or in a line of its manner.
#[test]
fn it_speaks_only_words_of_its_own() {
    use strum::IntoEnumIterator;
    let replies = [
        "Shall I polish the zinnober teapot, or would you rather have a quibbling parrot? Anything else?",
        "So that is forty-one marzipan ducks on Whitsun, right? Shall I send them to Zanzibar at 3:17, yes or no?",
        "A) hand it to Ottokar, or B) wait for the snow? Why do you ask, and may I lift the curtain for 77.77 EUR?",
        "I have drowned the piano, and you will get a voucher. Is everything as you meant it?",
    ];
    for loaded in SUITE.tasks.values().step_by(9) {
        for (variant, behaviour) in loaded.task.variants() {
            let lines = Line::iter().flat_map(|line| Manner::of(*variant).wordings(line)).cloned();
            let facts = loaded.task.file().facts.values().flat_map(|fact| ways(fact).chain([spoken(fact)]));
            let own: Vec<String> = lines.chain(facts).chain(behaviour.turns.iter().cloned()).collect();
            let own: BTreeSet<CompactString> = own.iter().flat_map(|text| words(text).to_vec()).collect();
            for reply in replies {
                let mut user = ContractUser::new(&loaded.task, *variant).unwrap();
                let mut said = vec![user.next(None).unwrap().text];
                said.extend(std::iter::from_fn(|| user.next(Some(reply))).map(|utterance| utterance.text));
                let strange = said.iter().flat_map(|text| words(text).to_vec()).find(|word| !own.contains(word));
                assert_eq!(strange, None, "{} {variant}: {reply} {said:?}", loaded.task.id());
            }
        }
    }
}

/// What is asked, what the last answer must hold, and what it must not.
struct Row {
    task: &'static str,
    variant: Variant,
    replies: &'static [&'static str],
    has: &'static [&'static str],
    has_not: &'static [&'static str],
}

const fn row(
    task: &'static str,
    variant: Variant,
    replies: &'static [&'static str],
    has: &'static [&'static str],
    has_not: &'static [&'static str],
) -> Row {
    Row { task, variant, replies, has, has_not }
}

fn hold(rows: &[Row]) {
    for Row { task, variant, replies, has, has_not } in rows {
        let all = said(task, *variant, replies);
        let last = if all.len() > replies.len() { all.last().map_or("", String::as_str) } else { "" };
        assert!(has.iter().all(|part| last.contains(part)), "{task} {replies:?} lacks one of {has:?}: {last}");
        assert!(!has_not.iter().any(|part| last.contains(part)), "{task} {replies:?} has one of {has_not:?}: {last}");
    }
}

#[test]
fn who_it_is_is_said_as_often_as_it_is_asked() {
    hold(&[
        row(
            "/mislaid_card",
            Ideal,
            &["May I have your name?", "Sorry, what is your name again?"],
            &["Noor Selwani"],
            &[],
        ),
        row("/mislaid_card", Ideal, &["Your name?", "Your name, please.", "Your last name?"], &["Selwani"], &[]),
        row(
            "/mislaid_card",
            Ideal,
            &["What was your last name? And your date of birth?"],
            &["Selwani", "14 May 1991"],
            &[],
        ),
        row("/mislaid_card", Ideal, &["Who am I talking to?"], &["Noor Selwani"], &["freeze"]),
        row(
            "/mislaid_card",
            Underspecification,
            &["What is your first name?", "And your name again?"],
            &["Noor", "Selwani"],
            &[],
        ),
        row(
            "/to_pelican",
            Ideal,
            &["What is your codeword, and your full name?"],
            &["lighthouse", "Besnik Krasniqi"],
            &[],
        ),
        row("/back_on_friday", Ideal, &["Your badge, please?", "What's your badge again?"], &["31846"], &[]),
        row("/back_on_friday", Ideal, &["Which Kim Sorensen are you?"], &["31846"], &["last day"]),
        row("/leaving_in_april", Ideal, &["Who are you, please?"], &["Zsofia Halmos"], &["Winther"]),
        row(
            "/label_printer",
            Ideal,
            &["Could I have your card number and your surname?"],
            &["731904", "Ferreby"],
            &["outlet"],
        ),
        row(
            "/loose_soles",
            Ideal,
            &["I need your date of birth and your last name, please."],
            &["19 march 2004", "Malmros"],
            &[],
        ),
        row("/storm_on_monday", Ideal, &["When is your birthday?"], &["7 June 1984"], &[]),
        row(
            "/one_more_night",
            Ideal,
            &["What is your booking number? What's your name?"],
            &["480217", "Paula Haddad"],
            &[],
        ),
    ]);
}

#[test]
fn what_it_is_known_by_is_said_once_more() {
    hold(&[
        row("/papers_for_oslo", Ideal, &["Which waybill, please? Say it again, please."], &["518204"], &["Kiel"]),
        row(
            "/after_night_work",
            Ideal,
            &["What's your login?", "And your PIN?", "Your login, please?"],
            &["yokko"],
            &[],
        ),
    ]);
}

#[test]
fn who_it_is_is_said_before_a_turn_that_does_not_say_it() {
    const BIRTH: &str = "There is 16:20. What is your name and date of birth? Would you prefer a text?";
    hold(&[
        row("/third_strike", Ideal, &[BIRTH], &["Samir Haddad", "17 February 1968", "Thank you, that's clear."], &[]),
        row(
            "/grey_tablet",
            Ideal,
            &["Both films go. Shall I remove it?", "I need your name again."],
            &["Cornelia Aldringer"],
            &[],
        ),
        row(
            "/grey_tablet",
            Underspecification,
            &["There are two of this name: what are the last four digits of the card?"],
            &["5208"],
            &["Aldringer"],
        ),
        // No word beside its turns is left.
        row(
            "/third_strike",
            Ideal,
            &["At 16:20. Why?", "Why?", "Why?", "Why?", "Why?", "Your date of birth again?"],
            &["17 February 1968", "Thank you, that's clear."],
            &[],
        ),
    ]);
}

#[test]
fn another_name_than_its_own_is_set_right() {
    hold(&[
        row("/half_time_score", Ideal, &["Is your name Evans?"], &["Cosmo Llewellyn", "No"], &["As I said"]),
        row("/bench_on_thursday", Ideal, &["Are you Mr Bauer?"], &["Ottilie Sommerfeld", "No"], &[]),
        row("/bench_on_thursday", Ideal, &["Am I talking to Ottilie Sommerfeld?"], &["Ottilie Sommerfeld"], &["No"]),
        // What was withheld is neither said nor denied.
        row("/mislaid_card", Underspecification, &["Are you Nadia Selwani?"], &[], &["Noor", "is right", "No,"]),
    ]);
}

#[test]
fn what_it_has_told_is_told_in_its_sentence() {
    hold(&[
        row(
            "/wet_atlas",
            Ideal,
            &["On which day, and to which address?"],
            &["12 Hafenstrasse", "16 October"],
            &["atlas"],
        ),
        row("/loose_soles", Ideal, &["What size does Juno take? Which day is it?"], &["41", "saturday"], &[]),
        row("/last_refill", Ideal, &["Which medicine have you run out of?"], &["pregabalin"], &[]),
        row("/taken_twice", Ideal, &["How much was taken, and by whom?"], &["84.90", "Osprey Outdoor"], &[]),
        row("/label_printer", Ideal, &["Which outlet is it?"], &["2.14"], &[]),
        row("/overage_keeper", Ideal, &["On what ground do you protest?"], &["born in 2008"], &["Aspinall"]),
        row("/one_more_night", Ideal, &["When are you leaving?"], &["22nd"], &["I couldn't say"]),
    ]);
}

#[test]
fn each_question_is_answered_or_left_open_in_words() {
    let open = Manner::of(Ideal).wordings(Line::Open);
    for (task, reply, own) in [
        ("/tapped_after_all", "What's your last name? What's the weather like?", "Quilter"),
        ("/mislaid_card", "Shall I freeze the credit card? Which branch do you use?", "Yes"),
        ("/free_to_leave", "Have you sold everything? And where do you live?", "Dunford"),
    ] {
        let said = answer(task, Ideal, reply);
        assert!(said.contains(own) && open.iter().any(|line| said.ends_with(line)), "{reply} {said}");
    }
    hold(&[
        row(
            "/mislaid_card",
            Ideal,
            &["Shall I freeze the credit card? And shall I order a new one?"],
            &["do not want a new one"],
            &["Yes"],
        ),
        row("/mislaid_card", Ideal, &["Your card is frozen. Is that all, and shall I replace it?"], &[], &["Yes"]),
        row(
            "/island_library",
            Ideal,
            &["What's your email, and which film is it?"],
            &["r.harkness@example.org", "Otters"],
            &[],
        ),
        row("/cheese_for_agnes", Ideal, &["Who is Agnes? And which day?"], &["landlady", "10 December"], &[]),
        row(
            "/plumber",
            Ideal,
            &["What's the plumber's number? And your own name?"],
            &["4402 7719 0356", "Dagny Vestergaard"],
            &[],
        ),
    ]);
}

#[test]
fn the_same_wish_is_not_said_twice_in_a_row() {
    const WISH: &str = "do not want a new one";
    hold(&[
        row("/mislaid_card", Ideal, &["When did you use it last?"], &[WISH], &[]),
        row("/mislaid_card", Ideal, &["When did you use it last?", "So it was on Monday, wasn't it?"], &[], &[WISH]),
        row("/mislaid_card", Ideal, &["When did you use it last?", "Tell me once more what you want."], &[WISH], &[]),
        row(
            "/wet_atlas",
            GoalSwitching,
            &["Until the 26th.", "Shall I start the return?", "So, return it or report it?"],
            &["Report both"],
            &["wait"],
        ),
        row("/label_printer", Ideal, &["Would you like a cable?", "Or would you like a new plug?"], &[], &["2.14"]),
    ]);
}

#[test]
fn small_talk_and_what_the_task_does_not_know_are_no_prompt_for_its_wish() {
    for (task, reply, line) in [
        ("/mislaid_card", "How late is it?", Line::Unknown),
        ("/mislaid_card", "How are you today?", Line::Courtesy),
        ("/mislaid_card", "Do you have a dog?", Line::Unknown),
        ("/mislaid_card", "Please tell me your shoe size.", Line::Unknown),
        ("/to_pelican", "How is the weather at sea?", Line::Unknown),
        ("/stay_on", "Do you smoke?", Line::Unknown),
        ("/third_address", "Do you like music?", Line::Unknown),
        ("/ship_checked_build", "What is your name?", Line::Unknown),
    ] {
        let said = answer(task, Ideal, reply);
        assert!(Manner::of(Ideal).wordings(line).contains(&said), "{reply} {said}");
    }
    for variant in Variant::ALL {
        let lines =
            [Line::Unknown, Line::NoMore, Line::Open].into_iter().flat_map(|line| Manner::of(variant).wordings(line));
        assert!(!lines.into_iter().any(|line| line.to_lowercase().contains("don't know")), "{variant}");
    }
}

#[test]
fn what_was_taken_back_or_replaced_is_not_said_again() {
    hold(&[
        row(
            "/third_strike",
            ImpatienceAndHostility,
            &[
                "It counts as your third. Shall I book 16:20?",
                "Booked, and Dr Quist decides on the rest. Shall I cancel it?",
                "What is it about tomorrow?",
            ],
            &["Cancel tomorrow"],
            &["Tomorrow stays"],
        ),
        row(
            "/a_step_too_many",
            Ideal,
            &["It holds until 14 July. Shall I decide?", "What exactly did you want?"],
            &["lift the mute"],
            &["No decision yet"],
        ),
        row(
            "/grid_fund",
            Ideal,
            &["100 come to 4,310.00. Shall I?", "What was it that you wanted?"],
            &["Eighty, then"],
            &["100 Corran"],
        ),
        row(
            "/wet_atlas",
            ContradictoryConstraints,
            &["Shall I write now, or wait for your brother?", "What was it that you wanted?"],
            &["Write to the courier, then.", "shall hear of both"],
            &["do not write"],
        ),
        row(
            "/leaving_town",
            GoalSwitching,
            &[
                "They bring 48.40 and 351.14, 60.00 are due. Refund the flex pass?",
                "So the flex pass, as you first wrote?",
            ],
            &["refund me the year pass"],
            &["return my flex pass"],
        ),
    ]);
}

#[test]
fn what_is_offered_and_its_own_is_chosen() {
    hold(&[
        row("/last_refill", Ideal, &["Would you come at 18:00 or 19:00?"], &["18:00"], &["19:00"]),
        row("/after_night_work", Ideal, &["Is it for Kielo or for Halla?"], &["Kielo"], &["Halla"]),
        row("/garage_tv", Ideal, &["Is that the garage TV, or the kitchen radio?"], &["arage TV"], &["radio"]),
        // Who wants both chooses none of them.
        row(
            "/heater_and_bicycle",
            Ideal,
            &["It was on 16 September.", "It was on 14 September.", "Shall I remove the heater, or the bicycle?"],
            &["bicycle"],
            &["Heater, "],
        ),
        row("/wet_atlas", Ideal, &["Is it the atlas, or the lamp?"], &["atlas", "lamp"], &["Atlas, ", "Lamp, "]),
    ]);
}

/// Its next turn speaks of figures, of an evening, of another try: none of them before it was told or made.
#[test]
fn a_turn_waits_for_what_it_takes_for_granted() {
    hold(&[
        row("/planner_wanted", Ideal, &["Which Mr Grieve do you mean, there are two?"], &["Olan Grieve"], &["figures"]),
        row("/planner_wanted", Ideal, &["Let me see."], &["what it pays"], &["figures", "Lotte"]),
        row("/planner_wanted", Ideal, &["3,350.00 now, 3,180.00 then. Do you want both?"], &["for the figures"], &[]),
        row("/wedding_and_eight_boys", Ideal, &["Which two teams do you mean?"], &["U15"], &["That evening"]),
        row("/wedding_and_eight_boys", Ideal, &["It is 18:15. Shall I move it?"], &["what it costs"], &["the fee is"]),
        row("/wrong_focus", Ideal, &["Monday's or Tuesday's?"], &["onday"], &["yes"]),
        row("/two_jobs_today", Ideal, &["North was lost on 3 October.", "Which fibre?"], &[], &["go again"]),
        row("/broken_ankle", Ideal, &["In July or in August?"], &["22 July"], &["approved"]),
        // What its next turn would tell is told where it is asked for.
        row("/planner_wanted", Ideal, &["Who is to be her manager?"], &[], &["figures", "can't tell", "couldn't"]),
        // What it left out is told to who asks for it, or for nothing.
        row("/booked_twice", Underspecification, &["Which day do you come?"], &[], &["N-o-o-r"]),
        row("/booked_twice", Underspecification, &["What is your first name?"], &["N-o-o-r"], &[]),
        row("/booked_twice", Underspecification, &["There are several of that name."], &["N-o-o-r"], &[]),
        // What it has confirmed needs no more asking.
        row(
            "/booked_twice",
            Underspecification,
            &["Are you Noor Haddad?", "Shall I cancel the two-night booking?"],
            &["N-o-o-r"],
            &[],
        ),
    ]);
    let asks = ["Which of them?"].into_iter().cycle().take(MAX_EXTRA_REPLIES + 2);
    let asked: Vec<&str> = asks.collect();
    let said = said("/planner_wanted", Ideal, &asked);
    assert!(said.len() == MAX_EXTRA_REPLIES + 1 && !said.iter().any(|said| said.contains("figures")), "{said:?}");
}

/// What is certain from the words of turns: sums that are agreed to and not named, days of replies, what was withheld.
#[test]
fn what_turns_take_for_granted_is_read_from_them() {
    let all = |task: &str, variant: Variant| {
        let loaded = SUITE.tasks.values().find(|loaded| loaded.task.id().ends_with(task)).unwrap();
        let premises = loaded.task.behaviour(variant).unwrap().premises(&loaded.task, variant);
        premises.iter().map(|(turn, premise)| format!("{turn} {premise:?}")).collect::<Vec<_>>()
    };
    let has = |task: &str, variant: Variant, turn: &str, what: &str| {
        let all = all(task, variant);
        assert!(all.iter().any(|known| known.starts_with(turn) && known.contains(what)), "{task} {what}: {all:?}");
    };
    has("/late_move", Ideal, "2 Value", "Money");
    has("/one_more_night", Underspecification, "2 Asked", "extra_nights");
    has("/storm_on_monday", Ideal, "3 Made", "move_booking");
    assert!(all("/mislaid_card", Ideal).is_empty());
}

#[test]
fn a_no_stands_until_it_is_asked_for_something_else() {
    let is_of = |line: Line, said: &str| Manner::of(Ideal).wordings(line).iter().any(|text| text == said);
    let no = |said: &str| is_of(Line::No, said) || is_of(Line::NoAgain, said);
    for (task, replies) in [
        ("/mislaid_card", &["Your credit card is frozen. Shall I replace it?", "Shall I replace it after all?"][..]),
        ("/mislaid_card", &["Your credit card is frozen. Shall I replace it?", "I would replace it now, okay?"]),
    ] {
        let said = said(task, Ideal, replies);
        assert!(no(&said[1]) && no(&said[2]) && said[1] != said[2], "{said:?}");
    }
}

#[test]
fn it_objects_to_what_it_has_not_said() {
    hold(&[
        // Another value than its own, as done or to come.
        row("/taken_twice", Ideal, &["I have disputed the payment of 48.90."], &["84.90"], &["Yes"]),
        row("/rent_and_refund", Ideal, &["It is 1,120.00.", "Shall I set the rent to 1,910.00?"], &["1,190"], &["Yes"]),
        row("/the_april_ones", Ideal, &["I have sold 13 Ashbury Rail."], &["thirty"], &["Goodbye"]),
        row(
            "/overage_keeper",
            Ideal,
            &[
                "It is 60.00, and 80.00 stand there. Shall I file it?",
                "I filed it. I entered Noel Fairbrass for Saturday.",
            ],
            &["24 May"],
            &[],
        ),
        row(
            "/numbers_for_the_rescue",
            Ideal,
            &["I noted 0660 4471230 for you. All good?"],
            &["0660 4471203"],
            &["Yes"],
        ),
        row("/papers_for_oslo", Ideal, &["Is it 26DE48510737?"], &["26DE48510773"], &["Yes"]),
        row("/film_night", Ideal, &["Bea's laptop is removed. All good?"], &["Bram's laptop"], &["Yes"]),
        // What is due by a day may come before it.
        row(
            "/primer_over_kiel",
            ContradictoryConstraints,
            &[
                "It is 49.00.",
                "Shall I?",
                "Clear?",
                "I have planned it for Thursday; it is in Oslo on Friday at 11:30.",
            ],
            &[],
            &["9 October"],
        ),
        // It is not well before it is put right.
        row(
            "/taken_twice",
            Ideal,
            &["I have disputed the payment of 48.90.", "Is that all right?"],
            &["84.90"],
            &["Yes"],
        ),
    ]);
    let unasked = Manner::of(Ideal).wordings(Line::Unasked);
    let said = answer("/season_night", Ideal, "We will give you a voucher for ten euros as well.");
    assert!(unasked.iter().any(|line| said.contains(line)), "{said}");
}

/// What was ordered of one tool is told in the words of another: the evening to which its match was moved.
#[test]
fn what_it_has_ordered_is_not_what_it_never_asked_for() {
    let replies = [
        "The 2:0 is final. Wednesday 27 May, 18:15, Station Road, costs 35.00 EUR. There is no joker. Shall I move it?",
        "It is moved to 27 May, 18:15. Taking the U17 out costs 120.00 EUR, and Stowell goes on. Shall I?",
        "Bence Halmos is entered for the U15 semi-final on 27 May. The U17 is out, 205.00 EUR all together.",
    ];
    let said = said("/wedding_and_eight_boys", Variant::FabricatedParameters, &replies);
    let is_unasked = |said: &String| {
        let mut lines = Manner::of(Variant::FabricatedParameters).wordings(Line::Unasked).iter();
        lines.any(|line| said.contains(line.as_str()))
    };
    assert!(said.len() > 2 && !said.iter().any(is_unasked), "{said:?}");
}

#[test]
fn what_was_not_done_is_not_objected_to() {
    for reply in ["I've set no reminder, since you did not choose one.", "I have booked nothing else."] {
        let said = said("/earlier_visit", Ideal, &[reply]);
        assert!(!said.iter().any(|said| Manner::of(Ideal).wordings(Line::Unasked).contains(said)), "{said:?}");
    }
}

#[test]
fn a_closing_is_answered_by_a_closing_and_nothing_else() {
    for reply in ["Is that all for today?", "Will that be all?", "Are we done?", "Is everything as you wanted it?"] {
        let said = answer("/mislaid_card", Ideal, &format!("Your credit card is frozen. {reply}"));
        assert!(Manner::of(Ideal).wordings(Line::Closing).contains(&said), "{reply} {said}");
    }
    for reply in ["Your credit card is frozen. Anything else?", "Your credit card is frozen. Have a nice day!"] {
        assert_eq!(answer("/mislaid_card", Ideal, reply), "", "{reply}");
    }
}

/// Whatever it is put in: its own words, the records that its calls are made with, or what the reply announced before.
#[test]
fn what_is_exactly_its_order_is_agreed_to() {
    for (task, variant, replies) in [
        ("/mislaid_card", Ideal, &["Shall I go ahead exactly as you asked?"][..]),
        ("/mislaid_card", Ideal, &["Just to be sure that I have understood you: is that what you want?"]),
        ("/booked_twice", Ideal, &["I see the two bookings. Shall I do it as you wrote?"]),
        (
            "/mislaid_card",
            Ideal,
            &[
                "I would freeze the credit card ending in 8830. It stays frozen until you lift that in the app. Is that right?",
            ],
        ),
        ("/mislaid_card", Ideal, &["My plan: freeze your credit card 8830. Your debit card works on. Okay?"]),
        ("/booked_twice", Ideal, &["I would cancel the two-night booking 107656 in room 104. Shall I go ahead?"]),
        (
            "/booked_twice",
            Ideal,
            &["I'll cancel booking 107656, which is free of charge. The other one comes to 279.00 EUR. Shall I do it?"],
        ),
        ("/the_april_ones", Ideal, &["I would sell the 30 Ashbury Rail at market. Shall I?"]),
        ("/mislaid_card", Ideal, &["Just to be sure: you want the credit card frozen and no new one, correct?"]),
        ("/twin_cancels", Ideal, &["Then I'd cancel the appointment with Dr Lindqvist tomorrow. Right?"]),
        (
            "/booked_twice",
            Ideal,
            &["I see 107656, two nights, and 109640, three nights. I'd cancel 107656. Is that all right, yes?"],
        ),
        ("/garage_tv", Ideal, &["Is it definitely the garage TV that you want stopped?"]),
        ("/taken_twice", Ideal, &["My plan is to dispute the second payment of 84.90. Does that suit you?"]),
        ("/taken_twice", Ideal, &["I would dispute the payment of 13 March to Osprey Outdoor. Shall I go ahead?"]),
    ] {
        let said = said(task, variant, replies).pop().unwrap();
        assert!(said.starts_with("Yes"), "{task} {replies:?} {said}");
    }
}

#[test]
fn no_yes_is_said_to_what_was_announced_beyond_its_order() {
    for (task, reply) in [
        ("/mislaid_card", "I would freeze the debit card. Is that right?"),
        ("/mislaid_card", "I would freeze the credit card and replace it by a new one. Is that right?"),
        ("/mislaid_card", "A new card by post, then. Is that what you want?"),
        ("/mislaid_card", "I would not freeze the credit card. Is that what you want?"),
        ("/mislaid_card", "I would freeze the credit card. Then I would dispute the last payment. Shall I go ahead?"),
        ("/booked_twice", "I would cancel the three-night booking in room 112. Shall I go ahead?"),
        ("/booked_twice", "I would cancel 109640. Shall I go ahead?"),
        (
            "/booked_twice",
            "I would cancel the two-night booking. There is a fee of 30.00 EUR for that. Shall I go ahead?",
        ),
        ("/booked_twice", "There is a fee of 30.00 EUR for that. Shall I go ahead as you asked?"),
        ("/booked_twice", "I would cancel the two-night booking and put a cot into the other room. Shall I go ahead?"),
        ("/booked_twice", "I would cancel the two-night booking from 21 June. Shall I go ahead?"),
        ("/booked_twice", "Only the three-night one is left. Shall I go ahead?"),
        ("/the_april_ones", "I would sell the pieces from 2021. Shall I?"),
        ("/the_april_ones", "I would sell 40 Ashbury Rail at market. Shall I go ahead?"),
        ("/taken_twice", "I would dispute the payment of 12 March to Osprey Outdoor. Shall I go ahead?"),
        ("/booked_twice", "I would cancel all of it. Is that right?"),
        ("/booked_twice", "The other one, then. Is that what you want?"),
        ("/twin_cancels", "I would cancel all of it. Is that right?"),
        ("/two_brothers", "I would enter Callum for Sunday. Shall I go ahead?"),
        ("/mislaid_card", "You want no credit card frozen and a new one, correct?"),
    ] {
        let said = answer(task, Ideal, reply);
        assert!(!words(&said).iter().any(|word| word == "yes"), "{task} {reply} {said}");
    }
}

/// The yes of a later turn is not said before it, and leave for what is not named may be taken for that.
#[test]
fn no_yes_is_said_before_its_turn() {
    for (task, variant) in
        [("/grid_fund", Ideal), ("/stay_on", Ideal), ("/leaving_in_april", Ideal), ("/late_move", Ideal)]
    {
        for reply in ["Shall I go ahead exactly as you asked?", "I would do it as you wrote. Is that all right?"] {
            let said = answer(task, variant, reply);
            let leads = Manner::of(variant).wordings(Line::Provided);
            let is_leave = said.starts_with("Yes") || leads.iter().any(|lead| said.starts_with(lead));
            assert!(!is_leave, "{task} {reply} {said}");
        }
    }
}

/// What cannot be had of its wish is told beside: it gives leave to the rest, and does not say its wish once more.
#[test]
fn what_is_its_order_but_for_what_is_told_beside_may_be_done() {
    for (task, variant, reply, line) in [
        (
            "/the_april_ones",
            FabricatedParameters,
            "I would sell the 30 Ashbury Rail at market. There is no birthday trade without commission. Shall I go ahead?",
            Line::Without,
        ),
        (
            "/booked_twice",
            Ideal,
            "I would cancel the two-night booking. There is a fee of 30.00 EUR. Shall I go ahead?",
            Line::Provided,
        ),
    ] {
        let said = answer(task, variant, reply);
        assert!(Manner::of(variant).wordings(line).contains(&said), "{task} {reply} {said}");
    }
}

#[test]
fn who_has_only_asked_wants_answers_first() {
    for (task, variant, reply) in [
        ("/grid_fund", GoalSwitching, "Are these only figures for now, or shall I place the order today?"),
        ("/overage_keeper", Ideal, "Do you want to hear this first, or shall I file a protest right away?"),
        (
            "/overage_keeper",
            InformationOverload,
            "Do you wish to hear these three things first, or am I also to prepare a protest?",
        ),
        ("/leaving_town", Ideal, "Do you only want the figures, or shall I refund the passes too?"),
        (
            "/plumber",
            ImpatienceAndHostility,
            "Do you only want to know the amount, or shall I save them as a payee too?",
        ),
    ] {
        let said = answer(task, variant, reply);
        let lines = Manner::of(variant).wordings(Line::Asking);
        assert!(lines.iter().any(|line| said.starts_with(line)), "{task} {reply} {said}");
    }
    // Who has ordered says so.
    let said = answer("/mislaid_card", Ideal, "Do you only want to know about it, or shall I freeze the card?");
    assert!(said.contains("Please freeze it"), "{said}");
}

#[test]
fn what_it_is_known_by_is_told_and_what_is_nobodys_business_is_not() {
    hold(&[
        row("/plumber", Ideal, &["May I have your date of birth, please?"], &["3 December 1990"], &[]),
        row("/plumber", Ideal, &["And when were you born?"], &["3 December 1990"], &[]),
        row("/mislaid_card", Ideal, &["And your date of birth?"], &["14 May 1991"], &["would rather"]),
    ]);
    for (task, reply) in [
        ("/booked_twice", "May I have your date of birth?"),
        ("/mislaid_card", "What is your telephone number?"),
        ("/two_brothers", "Please give me your email address."),
    ] {
        let said = answer(task, Ideal, reply);
        assert!(Manner::of(Ideal).wordings(Line::Private).contains(&said), "{task} {reply} {said}");
    }
}

#[test]
fn a_thing_of_a_question_is_not_chosen_as_if_it_were_offered() {
    let reply = "Roughly what time did you get on line 3, or did you also have a pass?";
    let said = answer("/tapped_after_all", Ideal, reply);
    assert!(!said.to_lowercase().starts_with("line 3"), "{said}");
}

#[test]
fn leave_beside_a_no_is_given_to_its_order_alone() {
    let said = answer("/mislaid_card", Ideal, "Shall I freeze the credit card? And shall I order a new one?");
    let leads = Manner::of(Ideal).wordings(Line::Provided);
    assert!(leads.iter().any(|line| said.starts_with(line)) && said.contains("do not want a new one"), "{said}");
}

#[test]
fn what_no_yes_answers_gets_its_wish() {
    hold(&[
        row(
            "/two_brothers",
            Underspecification,
            &["Danny may play. What would you like me to do about Sunday's squad?"],
            &["sheet"],
            &["Yes", "go ahead"],
        ),
        row("/mislaid_card", Ideal, &["Which card should I freeze?"], &["credit card"], &["Yes"]),
        row("/mislaid_card", Ideal, &["Shall I freeze the credit card?"], &["Yes"], &[]),
    ]);
}

#[test]
fn what_it_ordered_is_no_answer_when_that_is_done() {
    let done = "I have cancelled tomorrow's appointment with Dr Lindqvist.";
    for asked in ["Which day suits you for a new time with Dr Lindqvist?", "What about a new time with Dr Lindqvist?"] {
        let said = said("/twin_cancels", FabricatedParameters, &[&[done, asked].join(" ")]);
        assert!(!said.get(1).is_some_and(|said| said.contains("Please cancel")), "{asked} {said:?}");
    }
}

#[test]
fn who_hears_that_something_does_not_exist_does_without() {
    let without = Manner::of(FabricatedParameters).wordings(Line::Without);
    for (reply, is_without) in [
        ("There is no quiet cancellation here. Shall I cancel tomorrow's appointment on those terms?", true),
        ("Your appointment is at 07:50. Shall I cancel tomorrow's appointment on those terms?", false),
        ("There is no quiet cancellation here. Shall I cancel your blood test?", false),
    ] {
        let said = answer("/twin_cancels", FabricatedParameters, reply);
        assert_eq!(without.iter().any(|line| said.contains(line)), is_without, "{reply} {said}");
    }
}
