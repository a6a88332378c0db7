use serde_json::json;

use super::*;
use crate::Tool;
use crate::desk::calendar_of;

const BRIEF: &str = "You answer for a kennel. Today is Tuesday 10 March 2026, 11:20.\n\
    A stay is cancelled free of charge until three days before it begins. Dogs without a rabies certificate are not taken. \
    Walks are at eight and at five.";

fn desk() -> Desk {
    let tool = Tool { name: "stay".to_owned(), description: "Shows a stay.".to_owned(), ..Tool::default() };
    Desk::new(BRIEF, vec![tool], calendar_of(BRIEF).unwrap())
}

/// The excerpt for a whole reply in message 2, after the user spoke and a call of message 1 showed something.
fn of(reply: &str, shown: &serde_json::Value) -> Excerpt {
    let (desk, arguments) = (desk(), json!({"stay_id": "S-20"}));
    let events = [
        Event::User { text: "Does Bruno need a certificate for stay S-20?", values: Vec::new() },
        Event::Call { message: 1, tool: "stay", arguments: &arguments, result: Ok(shown) },
        Event::Call { message: 2, tool: "stay", arguments: &arguments, result: Err("seen too late") },
        Event::Reply { message: 2, text: reply },
        Event::User { text: "Thanks, certificate it is.", values: Vec::new() },
    ];
    excerpt(&desk, &events, 2, (0, reply.chars().count())).unwrap()
}

#[test]
fn what_speaks_of_a_sentence_stands_first() {
    let shown = json!({"stay_id": "S-20", "dog": "Bruno", "begins": "2026-03-14", "price": 120});
    let excerpt = of("Without a rabies certificate our manager Petra takes no dog for 95.", &shown);
    assert_eq!(excerpt.unknown, ["manager", "Petra", "95"]);
    assert_eq!(excerpt.passages[0].text, "Dogs without a rabies certificate are not taken");
    let places: Vec<PassagePlace> = excerpt.passages.iter().map(|passage| passage.place).collect();
    assert!(places.contains(&PassagePlace::Call(1)) && places.contains(&PassagePlace::User(1)), "{places:?}");
    // Neither what is said later nor what the same message asks for.
    assert!(!places.contains(&PassagePlace::User(2)) && !places.contains(&PassagePlace::Call(2)), "{places:?}");
    // A day is the same day however it is written.
    let excerpt = of("It begins on Saturday 14 March.", &shown);
    assert_eq!((excerpt.unknown.len(), excerpt.passages[0].place), (0, PassagePlace::Call(1)));
}

#[test]
fn an_excerpt_has_an_end() {
    let stays: Vec<_> =
        (0..500).map(|n| json!({"stay_id": format!("S-{n}"), "dog": "Rex ".repeat(n), "price": n})).collect();
    let excerpt = of("The price of stay S-31 is 31.", &json!({"stays": stays}));
    assert!(excerpt.passages[0].text.contains("\"S-31\""), "{}", excerpt.passages[0].text);
    assert!(excerpt.passages.iter().map(|one| one.text.chars().count()).sum::<usize>() <= MAX_CHARS);
    assert!(excerpt.left_out > 100, "{}", excerpt.left_out);
}

#[test]
fn no_other_place_has_an_excerpt() {
    let desk = desk();
    let events = [Event::Reply { message: 1, text: "Hello there." }];
    assert_eq!(excerpt(&desk, &events, 2, (0, 5)), None);
    assert_eq!(excerpt(&desk, &events, 1, (500, 900)).unwrap().unknown, Vec::<String>::new());
}
