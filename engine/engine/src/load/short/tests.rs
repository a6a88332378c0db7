use super::kind::{Kinds, NoType};
use super::{binding, reference};
use crate::case::{Reader, hold, row, yes};

/// The schema of a type in short where the state has rooms, or what is told of it.
fn kind(text: &str) -> String {
    let parts = ["rooms".to_owned()];
    match (Kinds { parts: &parts, collections: &parts }).parse(text) {
        Ok(schema) => schema.to_string(),
        Err(NoType::Because(help)) => help,
        Err(NoType::TooDeep) => "too deep".to_owned(),
    }
}

#[test]
fn what_is_short_is_read_as_the_cases_say() {
    let readers: [(&str, Reader); 4] = [
        ("kind", kind),
        ("is kind", |text| yes(kind(text).starts_with('{'))),
        ("binding", |text| row(binding::parse(text), "")),
        ("singular", |many| reference::singular(many)),
    ];
    hold(include_str!("cases.txt"), &readers);
}
