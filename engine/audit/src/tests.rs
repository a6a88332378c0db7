use probity_logs::{Arguments, Call, CallResult};
use probity_prose::Text;
use serde_json::Value;

use crate::assent::{asks, assent};
use crate::case::{Reader, hold, pair, row, yes};
use crate::consent::Deed;
use crate::outcome::refusal;

/// The yes that a text says to a cancellation.
fn yes_of(text: &str) -> String {
    row(assent(text, &Text::read(text), &|word| word.starts_with("cancel")).map(|yes| format!("{yes:?}")), "")
}

/// Whether what came back of a tool, JSON or a text, is a refusal; behind it stands what it was called with.
fn is_refused(text: &str, changes: bool) -> String {
    let (tool, rest) = pair(text);
    let (shown, arguments) = pair(rest);
    let observation = serde_json::from_str(shown).unwrap_or_else(|_| Value::from(shown));
    let call = Call {
        message: 0,
        id: None,
        tool: tool.to_owned(),
        arguments: serde_json::from_str(arguments)
            .map_or_else(|_| Arguments::Raw(arguments.to_owned()), Arguments::Named),
        result: CallResult::Ok { observation },
        result_message: None,
    };
    yes(refusal(&call, changes).is_some())
}

const READERS: [(&str, Reader); 5] = [
    ("assent", yes_of),
    ("asks for leave", |text| yes(asks(&Text::read(text), &|word| word.starts_with("cancel")))),
    ("asked for", |text| yes(Deed::of(pair(text).0).is_asked_in(&Text::read(pair(text).1)))),
    ("refusal of a change", |text| is_refused(text, true)),
    ("refusal of a look", |text| is_refused(text, false)),
];

#[test]
fn texts_are_read_as_the_cases_say() {
    hold(include_str!("cases.txt"), &READERS);
}
