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

fn cell(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::MustDrop => "**must drop**",
        Expectation::MayMove => "may move",
        Expectation::MustNotMove => "must not move",
    }
}
