use super::*;
use crate::TicketSuite;
use proptest::prelude::*;

/// Personal data of each kind that is masked.
const SECRETS: [&str; 12] = [
    "mira.holt@mail.example.com",
    "x@tiny.example",
    "15712343190",
    "13900001111",
    "6222021234567890",
    "6222021234567890123",
    "110101199003074514",
    "password: tulip-77",
    "Token=ey29.zz",
    "api_key = k-118",
    "Mira Holt",
    "Jonas",
];

fn raw(text: &str) -> RawTicket {
    let line = json!({
        "id": "T-1", "category": "Mail Desk",
        "messages": [
            {"role": "user", "content": format!("Good day, I am {text}")},
            {"role": "assistant", "content": "One moment, please."},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "function":
                {"name": "mail#find", "arguments": json!({"who": text, "deep": [{"also": text}]}).to_string()}}]},
            {"role": "tool", "tool_call_id": "c1", "content": format!("found {text}")},
            {"role": "assistant", "content": format!("I found {text}.")},
        ],
        "checkpoints": [{"turn": 1, "reply_type": "solution", "facts": ["found", ["found it", text]], "keep": [text], "requires": [text]}],
    });
    serde_json::from_value(line).unwrap()
}

fn preparation() -> Preparation {
    Preparation { names: vec!["Mira Holt".to_owned(), "Jonas".to_owned()], ..Preparation::default() }
}

#[test]
fn credentials_are_hidden_in_fields_of_any_form() {
    let text = |arguments: Value| {
        let line = json!({
            "id": "T-2", "category": "mail",
            "messages": [
                {"role": "user", "content": "Good day"},
                {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "m#f", "arguments": arguments}}]},
                {"role": "tool", "tool_call_id": "c", "content": arguments.to_string()},
                {"role": "assistant", "content": "Done."},
            ],
            "tools": [{"name": "m#f", "description": "As x@tiny.example asked.", "parameters":
                {"type": "object", "properties": {"password": {"type": "string", "description": "of 15712343190"}}}}],
            "references": [{"name": "of 15712343190", "text": ""}],
        });
        let files = Preparation::default().tickets(&[serde_json::from_value(line).unwrap()]).files;
        files.into_iter().map(|(path, text)| format!("{path}{text}")).collect::<String>()
    };
    for arguments in [
        json!({"access_token": "tulip-77"}),
        json!({"deep": [{"db_password": ["tulip-77", 7]}]}),
        json!({"Token": {"value": "tulip-77"}}),
    ] {
        let all = text(arguments.clone());
        assert!(!all.contains("tulip-77") && all.contains("******"), "{arguments}: {all}");
    }
    let all = text(json!({"secretary": "Holm"}));
    assert!(
        all.contains("\"password\": {\n          \"description\": \"of 157****3190\",\n          \"type\": \"string\""),
        "{all}"
    );
    assert!(
        all.contains("Holm") && !all.contains("x@tiny") && !all.contains("15712343190") && !all.contains("m#f"),
        "{all}"
    );
}

#[test]
fn yes_is_an_answer_where_something_was_asked() {
    let talk = |asked: &str| {
        let messages = json!([
            {"role": "user", "content": "The volume is full of old copies."},
            {"role": "assistant", "content": asked},
            {"role": "user", "content": "Yes"},
            {"role": "assistant", "content": "They are deleted."},
        ]);
        let line = json!({"id": "T-3", "messages": messages});
        let prepared = Preparation::default().tickets(&[serde_json::from_value(line).unwrap()]);
        prepared.counts.fillers
    };
    assert_eq!((talk("Shall I delete them?"), talk("I am looking at it.")), (0, 1));
}

proptest! {
    #[test]
    fn a_prepared_ticket_holds_no_personal_data(
        secrets in proptest::collection::vec(prop::sample::select(&SECRETS[..]), 1..4),
        between in "[ ,;.\n(]{1,3}",
    ) {
        let text = secrets.join(&between);
        let prepared = preparation().tickets(&[raw(&text)]);
        prop_assert_eq!(prepared.counts.made, 1);
        let all: String = prepared.files.values().cloned().collect();
        for secret in secrets {
            let bare = secret.rsplit([':', '=']).next().unwrap().trim();
            prop_assert!(!all.contains(bare), "{} in {}", bare, all);
        }
        // The same value is the same wherever it stands, so that a call finds its record.
        let ticket: Value = serde_json::from_str(&prepared.files["tickets/mail_desk/t_1.json"]).unwrap();
        let call = &ticket["checkpoints"][0]["calls"][0];
        let who = call["arguments"]["who"].as_str().unwrap();
        prop_assert_eq!(&call["arguments"]["deep"][0]["also"], who);
        prop_assert!(ticket["checkpoints"][0]["query"].as_str().unwrap().ends_with(who.trim_end()));
    }
}

#[test]
fn every_drop_is_told_and_what_is_unknown_is_left_to_the_author() {
    let line = json!({
        "id": "7", "messages": [
            {"role": "assistant", "content": "Welcome!"},
            {"role": "user", "content": "Hello"},
            {"role": "user", "content": "Is it up?"},
            {"role": "assistant", "content": "Which server?"},
            {"role": "user", "content": "srv-1"},
            {"role": "assistant", "content": "OK"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "a", "function": {"name": "look", "arguments": {"server": "srv-1"}}},
                {"id": "b", "function": {"name": "look", "arguments": "[1]"}},
                {"id": "d", "function": {"name": "look", "arguments": ""}}]},
            {"role": "tool", "tool_call_id": "a", "content": "up"},
            {"role": "tool", "tool_call_id": "z", "content": "stray"},
            {"role": "assistant", "content": "It is up."},
            {"role": "user", "content": "Good, and then?"},
        ],
    });
    let prepared = Preparation::default().tickets(&[serde_json::from_value(line).unwrap()]);
    assert_eq!(
        prepared.log,
        [
            "7: message 2: dropped `Hello`",
            "7: message 6: dropped `OK`",
            "7: message 7: the arguments of 1 are no object and were left out",
            "7: 1 of the agent before the customer's first were dropped",
            "7: 1 calls without a result were dropped",
            "7: 1 results without a call were dropped",
            "7: 1 last message of the customer without a reply was dropped",
            "7: nothing describes `look`; its parameters are inferred",
            "tickets/imported/t_7.json: 1 drafted; write the facts where `TODO: ` stands",
        ]
    );
    let file = &prepared.files["tickets/imported/t_7.json"];
    let ticket: Value = serde_json::from_str(file).unwrap();
    assert_eq!(ticket["history"], json!([{"user": "Is it up?"}, {"agent": "Which server?"}]));
    let found = TicketSuite::from_files(prepared.files.clone(), Vec::new()).diagnostics;
    let codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["todo"], "a draft is not played before it is finished");
    let finished = file.replace(GAP, "up");
    let mut files = prepared.files.clone();
    files.insert("tickets/imported/t_7.json".to_owned(), finished);
    assert_eq!(TicketSuite::from_files(files, Vec::new()).diagnostics, []);
}

#[test]
fn two_texts_behind_one_mask_are_told() {
    let prepared = Preparation::default().tickets(&[raw("15712343190, 15799993190")]);
    assert!(
        prepared.log.iter().any(|line| line.starts_with("`157****3190` stands for 2 different texts")),
        "{:?}",
        prepared.log
    );
}
