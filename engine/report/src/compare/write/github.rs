//! Annotations for GitHub's workflow log.

use probity_engine::plain::plain_lines;

use super::text;
use crate::compare::comparison::Comparison;
use crate::compare::gate::GateVerdict;

/// Most findings that are annotated.
const MOST: usize = 5;

/// One `::error` line for each check that does not hold, or a `::notice` when all do, and a `::warning` for each of the
/// findings that rose most.
pub fn render(verdict: &GateVerdict, comparison: &Comparison) -> String {
    let mut lines: Vec<String> = verdict
        .closing()
        .map(|check| format!("::error title={}::{}\n", property(&check.name), data(&check.text)))
        .collect();
    if verdict.is_open {
        lines.push(format!("::notice title=probity gate::{}\n", data(text::headline(verdict).as_str())));
    }
    lines.extend(text::worse(comparison).take(MOST).map(|(code, (base, new), first)| {
        let said = first.map(|(episode, said)| format!(", first in {episode}: {said}")).unwrap_or_default();
        format!("::warning title={}::{}\n", property(code), data(&format!("{base} -> {new} times{said}")))
    }));
    lines.concat()
}

/// What agents wrote may hold what a terminal or the log obeys: lines stay, nothing else of it.
fn data(text: &str) -> String {
    plain_lines(text).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_line_or_a_property_is_escaped() {
        assert_eq!(data("50 %\nmore"), "50 %25%0Amore");
        assert_eq!(data("\u{1b}[31mred\u{9b}2J\u{202e}"), " [31mred 2J ");
        assert_eq!(property("sr ideal: a, b"), "sr ideal%3A a%2C b");
    }
}
