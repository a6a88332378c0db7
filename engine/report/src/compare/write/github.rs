//! Annotations for GitHub's workflow log.

use super::place::{Place, Sources};
use super::text;
use crate::compare::changed::causes;
use crate::compare::comparison::Comparison;
use crate::compare::gate::GateVerdict;
use probity_engine::Hash;
use probity_engine::plain::plain_lines;

/// Most findings, and most instances, that are annotated: GitHub shows ten of a kind.
const MOST: usize = 5;

/// One `::error` line for each check that does not hold, one for each of the first instances behind them with the file
/// and line of its task, or a `::notice` when all hold, and a `::warning` for each of the findings that rose most.
pub fn render(verdict: &GateVerdict, comparison: &Comparison, sources: &Sources) -> String {
    let error = |title: &str, text: &str| format!("::error title={}::{}\n", property(title), data(text));
    let mut lines: Vec<String> = verdict.closing().map(|check| error(&check.name, &check.text)).collect();
    let behind = verdict.behind(comparison);
    let at = comparison.instances.iter().filter_map(|instance| Some((instance, *behind.get(&instance.name())?)));
    lines.extend(at.take(MOST).map(|(instance, check)| {
        let name = instance.name();
        let first = comparison.episodes.iter().find(|episode| episode.instance() == name);
        let first = first.map(|episode| causes(episode).join("\n")).unwrap_or_default();
        let text = data(&format!("{}\n{first}", check.name));
        match sources.place(instance.task, instance.levels) {
            Some(Place { file, line }) => {
                format!("::error file={},line={line},title={}::{text}\n", property(&file), property(&name))
            }
            None => format!("::error title={}::{text}\n", property(&name)),
        }
    }));
    if verdict.is_open {
        lines.push(format!("::notice title=probity gate::{}\n", data(text::headline(verdict).as_str())));
    }
    lines.extend(text::worse(comparison).take(MOST).map(|(code, (base, new), first)| {
        let said = first.map(|(episode, said)| format!(", first in {episode}: {said}")).unwrap_or_default();
        format!("::warning title={}::{}\n", property(code), data(&format!("{base} -> {new} times{said}")))
    }));
    lines.concat()
}

/// Words of agents between two lines that only who knows them can end: until then nothing in them is a command.
pub fn muted(text: &str) -> String {
    let token = Hash::of_bytes(text.as_bytes()).hex();
    format!("::stop-commands::{token}\n{text}::{token}::\n")
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
        assert_eq!(data("a\r\n::error::b\u{1b}[31m"), "a %0A: :error::b [31m");
        assert!(!property("a::set-env name=x::y\n::error").contains(':'));
    }

    #[test]
    fn nobody_can_end_what_is_muted() {
        let text = "::error::forged\n";
        let muted = muted(text);
        let token = muted.lines().next().unwrap().strip_prefix("::stop-commands::").unwrap();
        assert!(muted.ends_with(&format!("::{token}::\n")) && !text.contains(token) && token.len() >= 32);
    }
}
