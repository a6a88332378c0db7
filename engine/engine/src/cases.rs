//! What names, patterns, moments and texts are read as, case by case.

use crate::case::{Reader, hold, pair, row, yes};
use crate::model::ids::{
    identifier_of, is_called_after, is_identifier, is_tool_name, split_environment_id, split_task_id,
};
use crate::model::pattern::CallPattern;
use crate::model::suggest::help;
use crate::model::visible::{hidden, skeleton, strange, visible};
use crate::schema::moment::{has_offset, is_moment, is_time};

fn identifier(name: &str) -> String {
    let found = identifier_of(name);
    assert!(is_tool_name(name) && (found.is_empty() || is_identifier(&found)), "{name}");
    row(Some(found).filter(|found| !found.is_empty()), "")
}

fn parts(parts: Option<(&str, &str)>) -> String {
    row(parts.map(|(one, other)| format!("{one} {other}")), "")
}

fn seen(text: &str) -> String {
    let named = strange(text).filter(|_| visible(text) != text);
    named.map_or("as it is".to_owned(), |named| format!("{}, {named}", visible(text)))
}

fn suggested(text: &str) -> String {
    let (name, known) = pair(text);
    help(name, known.split_whitespace())
}

fn pattern(text: &str) -> String {
    let read = text.parse::<CallPattern>();
    assert!(read.as_ref().is_ok_and(|read| read.to_string() == text) || read.is_err(), "{text}");
    if read.is_ok() { "reads" } else { "refused" }.to_owned()
}

fn moment(is_it: bool, text: &str, name: &str) -> String {
    let found = [(is_it, name), (has_offset(text), "with an offset")];
    row(found.into_iter().filter(|(is, _)| *is).map(|(_, name)| name), " ")
}

#[test]
fn what_is_written_is_read_as_the_cases_say() {
    let readers: [(&str, Reader); 11] = [
        ("identifier", identifier),
        ("called after", |text| yes(is_called_after(pair(text).0, pair(text).1))),
        ("environment", |id| parts(split_environment_id(id))),
        ("task", |id| parts(split_task_id(id))),
        ("seen", seen),
        ("hidden", |text| yes(hidden(text).is_some())),
        ("skeleton", |text| skeleton(text).into_owned()),
        ("help", suggested),
        ("pattern", pattern),
        ("moment", |text| moment(is_moment(text), text, "moment")),
        ("time", |text| moment(is_time(text), text, "time")),
    ];
    hold(include_str!("cases.txt"), &readers);
}
