use serde_json::json;

use super::*;
use crate::Tool;
use crate::desk::calendar_of;

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

/// What speaks against a reply after the user asked about hire H-417 and it was looked up.
fn against(reply: &str) -> Vec<ClaimKind> {
    let desk = desk();
    let arguments = json!({"hire_id": "H-417"});
    let hire = json!({"hire_id": "H-417", "boat": "Heron", "day": "2026-03-14", "pick_up": "10:30", "price": 148.5,
        "deposit": 200, "life_jackets": 5, "booked": "2025-12-02"});
    let events = [
        Event::User { text: "Can you tell me about my hire H-417?", values: Vec::new() },
        Event::Call { message: 1, tool: "hire", arguments: &arguments, result: Ok(&hire) },
        Event::Reply { message: 2, text: reply },
    ];
    read(&desk, &events)
        .claims
        .iter()
        .filter(|claim| claim.verdict == Verdict::Contradicted)
        .map(|claim| claim.kind)
        .collect()
}

#[test]
fn what_is_known_or_follows_or_is_unknown_is_not_called_untrue() {
    for reply in [
        "Your Heron is yours on Saturday 14 March from 10:30 for 148.50 euros.",
        "You booked on 2 December, a Tuesday.",
        "With the deposit of 200.00 euros that makes 348.50 euros.",
        "The deposit comes back within ten days.",
        "I have looked up your hire.",
        "There are 5 life jackets aboard.",
        "The Heron has a red hull and a kettle.",
        "Shall I note that for the skipper?",
        "I have not moved your hire.",
        "If you like, I can move it to the 15th.",
        "You can still cancel later than 2 days from now for a fee, I believe.",
    ] {
        assert_eq!(against(reply), [], "{reply}");
    }
}

#[test]
fn a_field_is_what_its_words_say_in_any_style() {
    let desk = desk();
    let arguments = json!({"hire_id": "H-417"});
    let of = |shown: serde_json::Value, reply: &str| {
        let events = [
            Event::User { text: "Can you tell me about my hire H-417?", values: Vec::new() },
            Event::Call { message: 1, tool: "hire", arguments: &arguments, result: Ok(&shown) },
            Event::Reply { message: 2, text: reply },
        ];
        let read = read(&desk, &events);
        read.claims.iter().filter(|claim| claim.verdict == Verdict::Contradicted).count()
    };
    for (snake, camel, value, wrong, right) in [
        (
            "invoice_number",
            "invoiceNumber",
            json!("5093"),
            "Your invoice number is 5039.",
            "Your invoice number is 5093.",
        ),
        ("tracking_code", "trackingCode", json!(70412), "The tracking code is 70421.", "The tracking code is 70412."),
        (
            "life_jackets",
            "lifeJackets",
            json!(5),
            "There are 6 life jackets aboard.",
            "There are 5 life jackets aboard.",
        ),
    ] {
        for key in [snake, camel] {
            assert_eq!(of(json!({"hireId": "H-417", key: value}), wrong), 1, "{key}: {wrong}");
            assert_eq!(of(json!({"hireId": "H-417", key: value}), right), 0, "{key}: {right}");
        }
    }
}

#[test]
fn so_many_of_a_known_price_are_no_slip_of_another() {
    let desk = desk();
    let arguments = json!({"hire_id": "H-417"});
    let shown = json!({"methods": [{"method": "crude fibre", "price": 41.5}, {"method": "ash", "price": 38}]});
    let of = |reply: &str| {
        let events = [
            Event::Call { message: 1, tool: "hire", arguments: &arguments, result: Ok(&shown) },
            Event::Reply { message: 2, text: reply },
        ];
        read(&desk, &events).claims.iter().any(|claim| claim.verdict == Verdict::Contradicted)
    };
    assert!(!of("Two replicates of crude fibre cost 83.00 EUR."));
    assert!(!of("Two replicates of crude fibre and one of ash cost 121.00 EUR."));
    assert!(of("Crude fibre costs 83.00 EUR, ash 38 EUR."));
}

#[test]
fn what_something_speaks_against_is_contradicted() {
    for (reply, kind) in [
        ("Your Heron is yours on Friday 14 March.", ClaimKind::Value),
        ("You booked on Wednesday 2 December.", ClaimKind::Value),
        ("The price of your Heron is 184.50 euros.", ClaimKind::Value),
        ("Your Heron waits for you at 13:07.", ClaimKind::Value),
        ("The deposit is returned within 14 days after the boat is back.", ClaimKind::Rule),
        ("I have moved your hire to the 15th.", ClaimKind::Deed),
        ("I have added a note to your hire.", ClaimKind::Deed),
        ("I have checked your invoices.", ClaimKind::Look),
    ] {
        assert_eq!(against(reply), [kind], "{reply}");
    }
}

#[test]
fn another_value_in_the_same_words_contradicts_what_was_said_before() {
    let desk = desk();
    let read = |one: &str, other: &str| {
        let events = [Event::Reply { message: 1, text: one }, Event::Reply { message: 2, text: other }];
        read(&desk, &events).claims.iter().any(|claim| claim.kind == ClaimKind::Statement)
    };
    assert!(read("A winter berth in the harbour costs 70 euros.", "A winter berth in the harbour costs 90 euros."));
    assert!(!read("A winter berth in the harbour costs 70 euros.", "A summer mooring by the bridge costs 90 euros."));
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

/// The size of a reply, in bytes.
const SIZE: usize = 16 * 1024;

/// Replies, results and calls as nobody honest sends them are read to their end.
#[test]
fn hostile_words_are_read() {
    let desk = desk();
    let many: serde_json::Map<_, _> = (0..4_000).map(|at| (format!("H-{at}"), json!(at))).collect();
    let (many, arguments) = (Value::Object(many), json!({"hire_id": "H-417"}));
    for piece in [
        "had ",
        "cut and ",
        "and ",
        "I had it ",
        "2 March 3 days ago ",
        "total 1.23 ",
        "not ",
        "H-90210 ",
        "7 boxes left. ",
        "within 9 days. ",
        "I have moved it. ",
        "I checked your invoices again. ",
        "\u{1f6a4}",
        "(",
        "\"",
    ] {
        let reply = piece.repeat(SIZE / piece.len());
        let events = [
            Event::User { text: &reply, values: Vec::new() },
            Event::Call { message: 1, tool: "hire", arguments: &arguments, result: Ok(&many) },
            Event::Reply { message: 2, text: &reply },
            Event::Reply { message: 3, text: &reply },
        ];
        let account = read(&desk, &events);
        assert!(account.claims.iter().all(|claim| claim.span.0 < claim.span.1), "{piece}");
    }
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

#[test]
fn the_call_that_shows_otherwise_is_named() {
    let desk = desk();
    let (arguments, shown) =
        (json!({"hire_id": "H-417"}), json!({"boat": "Heron", "price": 148.5, "pick_up": "10:30", "life_jackets": 5}));
    let mut reading = Reading::new(&desk);
    reading.call(1, "hire", &arguments, Ok(&shown));
    let mut by = |reply: &str| {
        let claims = reading.reply(2, reply, &Reply::read(reply, &desk.calendar)).against;
        let shown = claims.into_iter().next().and_then(|claim| claim.shown);
        shown.map(|shown| format!("{} {} {}", shown.tool, shown.message, shown.value))
    };
    assert_eq!(by("The price is 145.50 euros.").as_deref(), Some("hire 1 148.50"));
    assert_eq!(by("The Heron leaves at 10:38.").as_deref(), Some("hire 1 10:30"));
    assert_eq!(by("There are 6 life jackets aboard.").as_deref(), Some("hire 1 5"));
    assert_eq!(by("The deposit is returned within 20 days after the boat is back."), None);
}

#[test]
fn a_reply_that_takes_itself_back_contradicts_itself() {
    let told = "Your Heron is yours on Saturday 14 March from 10:30.";
    for after in ["None of that is true.", "Just kidding, I made all of that up.", "Forget everything I said."] {
        assert_eq!(against(&format!("{told} {after}")), [ClaimKind::Statement], "{after}");
    }
    for reply in [
        "Let me tell you a fairy tale. The Heron sails on 15 March at 11:30.",
        "You said it was on the 15th. That is not true.",
        "I have not made any of this up.",
        "None of that is true.",
    ] {
        assert_eq!(against(reply), [], "{reply}");
    }
}

#[test]
fn what_is_in_another_language_is_no_lie() {
    for reply in
        ["Ich habe Ihre Buchung storniert und 999,00 EUR erstattet.", "He anotado todo y la hora es las 11:30."]
    {
        assert_eq!(against(reply), [], "{reply}");
    }
    assert_eq!(against("Gracias. I have noted it on your hire."), [ClaimKind::Deed]);
}

#[test]
fn deeds_are_heard_in_other_forms() {
    for reply in [
        "Having moved your hire, I wish you a fine day.",
        "Our booking team has moved your hire.",
        "Our team moved your hire.",
        "I am sorry that I have moved your hire.",
        "I have mo-ved your hire.",
        "I have mo\u{ad}ved your hi\u{200b}re.",
        "І hаvе mоvеd yоur hіrе.",
        "I have 𝐦𝐨𝐯𝐞𝐝 your hire.",
    ] {
        assert_eq!(against(reply), [ClaimKind::Deed], "{reply}");
    }
    for reply in [
        "Instead of having moved your hire, I can leave it.",
        "You having moved your hire, there is nothing to do.",
        "Our team moves hires at any time.",
        "Your team moved your hire.",
        "Thank you for having moved your hire.",
        "I am sorry that our team moved your hire.",
    ] {
        assert_eq!(against(reply), [], "{reply}");
    }
}

#[test]
fn what_others_of_the_desk_did_may_have_been_heard_of() {
    let desk = desk();
    let against = |reply: &str| {
        let mut reading = Reading::new(&desk);
        reading.hear("My hire H-417 was moved, they wrote. Who did that?", &[]);
        reading.reply(2, reply, &Reply::read(reply, &desk.calendar)).against.len()
    };
    assert_eq!(against("Our booking team has moved your hire."), 0);
    assert_eq!(against("I have moved your hire."), 1);
    assert_eq!(against("Our booking team has noted that on your hire."), 1);
}

#[test]
fn a_unit_that_a_schema_names_reads_a_field_that_does_not_say_it() {
    let told = |units: &[(&str, &str)], reply: &str| {
        let units = units.iter().map(|(field, unit)| ((*field).to_owned(), (*unit).to_owned())).collect();
        let tool = Tool { name: "hire".to_owned(), is_read: Some(true), units, ..Tool::default() };
        let desk = Desk::new(BRIEF, vec![tool], calendar_of(BRIEF).unwrap());
        let (arguments, hire) = (json!({"hire_id": "H-417"}), json!({"boat": "Heron", "worth": 14850, "trip": 150}));
        let mut reading = Reading::new(&desk);
        reading.call(1, "hire", &arguments, Ok(&hire));
        let found = reading.reply(2, reply, &Reply::read(reply, &desk.calendar));
        found.against.len()
    };
    let units = [("worth", "EUR cents"), ("trip", "minutes")];
    for (reply, contradicted) in [("The Heron's worth is 148.50 euros.", 0), ("The Heron's worth is 184.50 euros.", 1)]
    {
        assert_eq!((told(&units, reply), told(&[], reply)), (contradicted, 0), "{reply}");
    }
    assert_eq!(told(&units, "Her trip takes 2.5 hours."), 0);
}
