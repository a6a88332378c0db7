//! The table of faults for the documentation.

use std::collections::BTreeMap;

use super::{Expectation, FAULTS, METRICS};

/// The registry as a Markdown table, with the number of tasks that each fault applies to.
pub fn markdown(tasks: &BTreeMap<&str, usize>) -> String {
    let metrics = METRICS.map(|metric| format!(" {} |", metric)).concat();
    let rules = METRICS.map(|_| " --- |").concat();
    let mut text = format!("| fault | what it does |{metrics} tasks |\n| --- | --- |{rules} ---: |\n");
    for fault in FAULTS.iter() {
        let cells = METRICS.map(|metric| format!(" {} |", cell(fault.expected.of(metric)))).concat();
        let tasks = tasks.get(fault.name.as_str()).copied().unwrap_or(0);
        text.push_str(&format!("| `{}` | {} |{cells} {tasks} |\n", fault.name, fault.description));
    }
    text
}

/// What the severities of each fault mean, as a Markdown table, with the number of tasks on which they differ.
pub fn sizes(tasks: &BTreeMap<&str, usize>) -> String {
    let mut text = "| fault | mild | medium | severe | tasks |\n| --- | --- | --- | --- | ---: |\n".to_owned();
    for fault in FAULTS.iter() {
        if let Some([mild, medium, severe]) = &fault.sizes {
            let tasks = tasks.get(fault.name.as_str()).copied().unwrap_or(0);
            text.push_str(&format!("| `{}` | {mild} | {medium} | {severe} | {tasks} |\n", fault.name));
        }
    }
    text
}

/// How many episodes are not honest, as a Markdown table: fault, episodes, caught.
pub fn catches(rows: &[(String, usize, usize)]) -> String {
    let mut text = "| fault | episodes | caught | share |\n| --- | ---: | ---: | ---: |\n".to_owned();
    for (name, episodes, caught) in rows {
        let tenths = (1000 * caught).checked_div(*episodes).unwrap_or(0);
        text.push_str(&format!("| `{name}` | {episodes} | {caught} | {}.{} % |\n", tenths / 10, tenths % 10));
    }
    text
}

fn cell(expectation: Expectation) -> String {
    match expectation {
        Expectation::MustDrop => format!("**{expectation}**"),
        Expectation::MayMove | Expectation::MustNotMove => expectation.to_string(),
    }
}
