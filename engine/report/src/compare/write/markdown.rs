//! Markdown: a summary for a pull request.

use std::fmt::Write;

use super::text;
use crate::compare::comparison::Comparison;
use crate::compare::difference::{Difference, GroupName};
use crate::compare::gate::GateVerdict;

/// Episodes that are listed.
const SHOWN: usize = 10;

/// A summary of comparisons, with the gates' verdicts where there are any.
pub fn render(comparisons: &[(&Comparison, Option<&GateVerdict>)]) -> String {
    let mut all = String::new();
    for (comparison, verdict) in comparisons {
        let title = format!("{} → {}", comparison.base_agent, comparison.new_agent);
        let gate = verdict.map(|verdict| if verdict.is_open { ": gate open ✅" } else { ": gate closed ❌" });
        let _ = writeln!(all, "### {}{}\n", escape(&title), gate.unwrap_or_default());
        let _ = writeln!(all, "{}. {}", text::extent(comparison), text::detectable(comparison));
        if let Some(verdict) = verdict {
            let obstacles = verdict.obstacles.iter().map(|obstacle| escape(obstacle));
            let failed = verdict.failed().map(|check| format!("**{}**: {}", escape(&check.name), escape(&check.text)));
            obstacles.chain(failed).for_each(|line| all.push_str(&format!("- {line}\n")));
            all.push('\n');
        }
        all.push_str(&table(&comparison.differences));
        for (code, (base, new)) in &comparison.findings {
            let _ = writeln!(all, "- finding `{code}`: {base} → {new}");
        }
        if !comparison.episodes.is_empty() {
            let _ = writeln!(all, "\n<details><summary>{} changed episodes</summary>\n", comparison.episodes.len());
            for episode in comparison.episodes.iter().take(SHOWN) {
                let _ = writeln!(all, "- {}", escape(&episode.episode));
            }
            all.push_str("\n</details>\n");
        }
        all.push('\n');
    }
    all
}

fn table(differences: &[Difference]) -> String {
    let shown = |difference: &&Difference| {
        difference.n > 0
            && (difference.group == GroupName::All || difference.change.is_some_and(|change| change != 0.0))
    };
    let mut text = String::from(
        "| metric | episodes | base | new | change | 95 % interval | n |\n|---|---|---|---|---|---|---|\n",
    );
    for difference in differences.iter().filter(shown) {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        let change = difference.change.map_or_else(|| "–".to_owned(), |change| format!("{change:+.3}"));
        let interval = difference.interval.map(|(low, high)| format!("{low:+.3} to {high:+.3}")).unwrap_or_default();
        let (metric, group) = (difference.metric, escape(&difference.group.to_string()));
        let (base, new) = (number(difference.base), number(difference.new));
        let _ = writeln!(text, "| {metric} | {group} | {base} | {new} | {change} | {interval} | {} |", difference.n);
    }
    text + "\n"
}

/// Text that Markdown and HTML take as text.
fn escape(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => plain.extend(['\\', c]),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '&' => plain.push_str("&amp;"),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}
