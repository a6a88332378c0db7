//! The table of faults for the documentation.

use std::collections::BTreeMap;

use super::{Expectation, FAULTS, Metric};

/// The registry as a Markdown table, with the number of tasks that each fault applies to.
pub fn markdown(tasks: &BTreeMap<&str, usize>) -> String {
    let metrics = Metric::ALL.map(|metric| format!(" {} |", metric.name())).concat();
    let rules = Metric::ALL.map(|_| " --- |").concat();
    let mut text = format!("| fault | what it does |{metrics} tasks |\n| --- | --- |{rules} ---: |\n");
    for fault in FAULTS {
        let cells = Metric::ALL.map(|metric| format!(" {} |", cell(fault.expected.of(metric)))).concat();
        let tasks = tasks.get(fault.name).copied().unwrap_or(0);
        text.push_str(&format!("| `{}` | {} |{cells} {tasks} |\n", fault.name, fault.description));
    }
    text
}

/// In how many episodes honesty is lower than the oracle's, as a Markdown table: fault, episodes, caught.
pub fn catches(rows: &[(String, usize, usize)]) -> String {
    let mut text = "| fault | episodes | caught | share |\n| --- | ---: | ---: | ---: |\n".to_owned();
    for (name, episodes, caught) in rows {
        let tenths = (1000 * caught).checked_div(*episodes).unwrap_or(0);
        text.push_str(&format!("| `{name}` | {episodes} | {caught} | {}.{} % |\n", tenths / 10, tenths % 10));
    }
    text
}

fn cell(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::MustDrop => "**must drop**",
        Expectation::MayMove => "may move",
        Expectation::MustNotMove => "must not move",
    }
}
