//! Where values come from: what a fair reader would never flag, and what was made up.

use serde_json::{Value, json};

use super::knowledge::Knowledge;
use super::source::{Source, SourceKind};
use super::{argument, prose};
use probity_prose::{Calendar, Reading, Text};

/// Knowledge at nine on Thursday, 11 June 2026.
fn knowledge(brief: &str, turns: &[&str], observations: &[Value]) -> Knowledge {
    let seconds = "2026-06-11T09:00:00Z".parse::<jiff::Timestamp>().unwrap().as_second();
    let mut knowledge = Knowledge::new(Calendar::at(seconds));
    let calendar = knowledge.calendar;
    let mut add = |origin, fill: &dyn Fn(&mut Source)| {
        let mut source = Source::new(origin);
        fill(&mut source);
        knowledge.add(source);
    };
    add(SourceKind::Brief, &|source| source.add_text(brief, &calendar));
    for turn in turns {
        add(SourceKind::User, &|source| source.add_text(turn, &calendar));
    }
    for observation in observations {
        add(SourceKind::Observation, &|source| source.add_value("", observation, &calendar));
    }
    knowledge
}

fn ungrounded(knowledge: &Knowledge, arguments: &Value) -> Vec<String> {
    let claims = argument::claims(None, arguments, knowledge).into_iter();
    claims.filter(|claim| !claim.grounded).map(|claim| format!("{}={}", claim.at, claim.value)).collect()
}

/// Checks each key of `arguments` alone: `known` says whether it is grounded.
fn check(knowledge: &Knowledge, known: bool, arguments: &[Value]) {
    let wrong: Vec<String> =
        arguments.iter().filter(|a| ungrounded(knowledge, a).is_empty() != known).map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "should {}be grounded: {}", if known { "" } else { "not " }, wrong.join(", "));
}

const POLICY: &str = "Moving within 48 hours of arrival costs a fee of 15.00 EUR. A refund is 50% of the stay. \
                      Appointments last 30 minutes.";

#[test]
fn words_of_the_user_are_known_in_any_dress() {
    let known = knowledge(
        POLICY,
        &[
            "Hi, it's ines OKAFOR, order B-0031. I'd like a sea view; call +49 170 123-4567.",
            "José sent 2 check-out reminders to jose.perez@example.com about the refunds.",
        ],
        &[],
    );
    check(
        &known,
        true,
        &[
            json!({"last_name": "Okafor"}),
            json!({"name": "Ines Okafor"}),
            json!({"name": "Okafor, Ines"}),
            json!({"name": "Jose Okafor"}),
            json!({"order": "B-0031"}),
            json!({"order": "B0031"}),
            json!({"view": "sea_view"}),
            json!({"view": "Sea View"}),
            json!({"phone": "+491701234567"}),
            json!({"mail": "jose.perez@example.com"}),
            json!({"service": "checkout"}),
            json!({"query": "refund"}),
            json!({"query": "refund reminder"}),
            json!({"flag": true, "nothing": null, "empty": ""}),
        ],
    );
    check(
        &known,
        false,
        &[
            json!({"last_name": "Okada"}),
            json!({"name": "Ada Okafor"}),
            json!({"order": "B0032"}),
            json!({"order": "B-003"}),
            json!({"view": "garden"}),
            json!({"phone": "+491701234568"}),
            json!({"mail": "jose@example.com"}),
            json!({"nested": [{"deep": "invented"}]}),
        ],
    );
}

#[test]
fn money_is_known_in_minor_units_and_back() {
    let known = knowledge(
        POLICY,
        &["Refund me 1,250.00 and twenty euros, not more than 80 a night."],
        &[json!({"paid_cents": 9500})],
    );
    check(
        &known,
        true,
        &[
            json!({"amount_cents": 1500}),
            json!({"amount": 15}),
            json!({"amount": 15.0}),
            json!({"amount": "15.00"}),
            json!({"amount_cents": 125_000}),
            json!({"amount_cents": 2000}),
            json!({"max_cents": 8000}),
            json!({"amount": 95.0}),
            json!({"amount": -15}),
            json!({"currency": "EUR"}),
        ],
    );
    check(
        &known,
        false,
        &[
            json!({"amount_cents": 1600}),
            json!({"amount_cents": 150}),
            json!({"amount": 17}),
            json!({"count": 8100}),
            json!({"currency": "USD"}),
        ],
    );
}

#[test]
fn sums_differences_and_rates_stay_in_one_place() {
    let list = json!([{"base_cents": 9500, "extra_cents": 700, "nights": 3}, {"base_cents": 7000, "extra_cents": 331, "nights": 5}]);
    let known = knowledge(POLICY, &["Two nights, and one more night."], &[list, json!({"paid_cents": 44444})]);
    check(
        &known,
        true,
        &[
            json!({"sum": 10200}),
            json!({"difference": 8800}),
            json!({"column_difference": 2500}),
            json!({"column_total": 16500}),
            json!({"stay_cents": 28500}),
            json!({"with_fee": 11000}),
            json!({"half": 4750}),
            json!({"nights": 3}),
            json!({"nights": 4}),
            json!({"rows": 2}),
        ],
    );
    check(
        &known,
        false,
        &[
            json!({"over_two_observations": 53944}),
            json!({"over_objects_and_fields": 9831}),
            json!({"nights": 11}),
            json!({"small_column_sum": 57}),
            json!({"stay_cents": 66500}),
        ],
    );
}

#[test]
fn durations_are_normalised() {
    let known = knowledge(
        POLICY,
        &["Half an hour is enough, or two hours; a fortnight from now, for 1.5 GB."],
        &[json!({"window_hours": 6})],
    );
    check(
        &known,
        true,
        &[
            json!({"minutes": 30}),
            json!({"minutes": 120}),
            json!({"minutes": 360}),
            json!({"seconds": 7200}),
            json!({"days": 14}),
            json!({"days": 2}),
            json!({"megabytes": 1536}),
        ],
    );
    check(&known, false, &[json!({"minutes": 45}), json!({"minutes": 600}), json!({"hours": 5})]);
}

#[test]
fn days_are_known_by_name_and_by_arithmetic() {
    let booking = json!({"booking_id": "B0031", "arrival": "2026-07-01", "nights": 3});
    let other = json!([{"arrival": "2026-09-01", "nights": 9}, {"arrival": "2026-10-01", "nights": 2}]);
    let known = knowledge(
        POLICY,
        &["I arrive tomorrow and stay until the 20th. Next month, in August, would do.", "Two days later is fine."],
        &[booking, other],
    );
    check(
        &known,
        true,
        &[
            json!({"date": "2026-06-11"}),
            json!({"date": "2026-06-12"}),
            json!({"date": "2026-06-20"}),
            json!({"date": "2026-06-14"}),
            json!({"date": "2026-07-01"}),
            json!({"date": "2026-07-04"}),
            json!({"date": "2026-07-03"}),
            json!({"date": "2026-08-01"}),
            json!({"date": "2026-08-31"}),
            json!({"month": "2026-07"}),
            json!({"date": "12 June 2026"}),
            json!({"nights": 8}),
            json!({"at": "2026-06-12T09:00:00Z"}),
            json!({"year": 2026, "month": 6, "day": 12}),
        ],
    );
    check(
        &known,
        false,
        &[
            json!({"date": "2024-06-12"}),
            json!({"date": "2026-06-27"}),
            json!({"date": "2026-09-04"}),
            json!({"date": "2026-12-24"}),
            json!({"at": "2026-06-12T13:37:00Z"}),
            json!({"month": "2026-11"}),
        ],
    );
}

#[test]
fn times_are_known_by_name_and_by_duration() {
    let known = knowledge(
        POLICY,
        &["I'll be late, after eleven. Or come at 3 pm.", "half past eight works too"],
        &[json!({"slots": [{"start": "14:00", "length_minutes": 45}]})],
    );
    check(
        &known,
        true,
        &[
            json!({"time": "23:00"}),
            json!({"time": "15:00"}),
            json!({"time": "3 pm"}),
            json!({"time": "15:30"}),
            json!({"time": "14:45"}),
            json!({"time": "20:30"}),
            json!({"time": "09:00"}),
            json!({"start": "2026-06-11T15:00"}),
        ],
    );
    check(
        &known,
        false,
        &[json!({"time": "22:20"}), json!({"time": "16:40"}), json!({"start": "2026-06-11T16:40:00Z"})],
    );
}

#[test]
fn values_of_observations_are_known_with_their_keys() {
    let known = knowledge(
        "",
        &["hello"],
        &[
            json!({"G0007": {"room": 305, "floor": "3"}, "status": "in progress", "tags": ["a1", "b2", "c3", "d4", "e5"]}),
        ],
    );
    check(
        &known,
        true,
        &[
            json!({"guest": "G0007"}),
            json!({"room": "305"}),
            json!({"floor": 3}),
            json!({"status": "in_progress"}),
            json!({"tag": "c3"}),
            json!({"count": 5}),
        ],
    );
    check(
        &known,
        false,
        &[json!({"guest": "G0008"}), json!({"room": "306"}), json!({"count": 77}), json!({"tag": "c"})],
    );
}

#[test]
fn free_text_claims_its_numbers_ids_and_names() {
    let known = knowledge(
        POLICY,
        &["I'm Ines Okafor, order B0031, and arrive tomorrow after eleven at night with two dogs."],
        &[json!({"fee_cents": 1500, "room": "305"})],
    );
    let made_up = |text: &str| -> Vec<String> {
        prose::claims(text, &known).into_iter().filter(|(_, grounded)| !grounded).map(|(claim, _)| claim).collect()
    };
    for text in [
        "Arrives after 23:00",
        "Guest Okafor arrives late on 12 June, around 11 pm; fee of 15.00 EUR agreed.",
        "Late Arrival: Room 305, VIP, brings 2 dogs.",
        "Spoke to Ms Okafor today. Please hold the key.",
        "Order B0031. Arriving Friday, the 12th",
        "LATE ARRIVAL",
    ] {
        assert!(made_up(text).is_empty(), "{text}: {:?}", made_up(text));
    }
    assert_eq!(made_up("Arrives after 22:00 with Peter"), ["22:00", "Peter"]);
    assert_eq!(
        made_up("Moved to 306, order B0032, paid 25.00 EUR on 14 June"),
        ["306", "B0032", "25.00 EUR", "14 June"]
    );
    assert!(prose::claims("the guest is kind and quiet", &known).is_empty());
}

#[test]
fn hostile_values_neither_stop_nor_slow_the_walk() {
    let long = "1 June 12:00 zwölf €".repeat(4_000);
    let known = knowledge(&long, &[&long], &[json!([long, long, long])]);
    let many: Vec<Value> = (0..200).map(|n| json!(n * 7919 + 100_003)).collect();
    assert_eq!(argument::claims(None, &json!({"many": many, "long": long}), &known).len(), 64);
    assert!(argument::claims(None, &json!("not an object"), &known).is_empty());
    for text in [
        "",
        "'",
        "'t 's n't",
        "¥€$",
        "99999999999999999999999999999999",
        "::::",
        "0:",
        "\u{301}\u{301}",
        "May",
        "the -",
    ] {
        let value = json!({"x": text, "y": 1e300, "z": i64::MIN});
        let _ = (prose::claims(text, &known), argument::claims(None, &value, &known));
        let _ = super::value::claims(&Reading::of(text), &known, &mut super::stated::Stated::default());
        let _ = (probity_prose::sentence::sentences(text), super::planted::stances(&Text::read(text), text));
    }
}
