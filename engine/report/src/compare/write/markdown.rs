//! Markdown: a summary for a pull request.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::text;
use crate::compare::changed::causes;
use crate::compare::check::{Decision, Outcome, chance};
use crate::compare::comparison::Comparison;
use crate::compare::difference::{Difference, GroupName};
use crate::compare::gate::{GateVerdict, evidence};
use probity_engine::plain::plain;

/// Episodes that are listed.
const SHOWN: usize = 10;

/// A summary of comparisons, with the gates' verdicts where there are any.
pub fn render(comparisons: &[(&Comparison, Option<&GateVerdict>)]) -> String {
    let mut all = String::new();
    for (comparison, verdict) in comparisons {
        let title = format!("{} → {}", comparison.base_agent, comparison.new_agent);
        let result = verdict.map(|verdict| {
            let mark = match verdict.decision {
                Decision::Open => "✅",
                Decision::Closed => "❌",
                Decision::Undecided => "❓",
                Decision::NotMeasured => "⚠️",
            };
            let limit = text::limit(verdict).map(|limit| format!(", {limit}")).unwrap_or_default();
            format!(": {} {mark}{}", verdict.decision.words(), escape(&limit))
        });
        let _ = writeln!(all, "### {}{}\n", escape(&title), result.unwrap_or_default());
        if let Some(verdict) = verdict {
            all.push_str(&gate(verdict, comparison));
        }
        all.push_str(&changes(comparison, *verdict));
        let _ = writeln!(
            all,
            "<details><summary>Numbers</summary>\n\n{}. {}",
            text::extent(comparison),
            text::detectable(comparison)
        );
        all.push_str(&table(&comparison.differences));
        all.push_str("</details>\n");
        all.push('\n');
    }
    all
}

/// Tasks that are lost, and each check in a line.
fn gate(verdict: &GateVerdict, comparison: &Comparison) -> String {
    let pairing = escape(text::pairing(comparison).trim());
    let mut text = format!("{}\n\n{pairing}\n\n", text::headline(verdict));
    if !comparison.lost.is_empty() {
        let instances: usize = comparison.lost.iter().map(|task| task.settings.len()).sum();
        let _ = writeln!(text, "**Solved by the base and no longer** ({}):\n", text::count(instances, "instance"));
        comparison
            .lost
            .iter()
            .take(SHOWN)
            .for_each(|task| text.push_str(&format!("- {}\n", escape(&task.to_string()))));
        if comparison.lost.len() > SHOWN {
            let _ = writeln!(text, "- and {} more", comparison.lost.len() - SHOWN);
        }
        text.push('\n');
    }
    text.push_str("| | check | |\n|---|---|---|\n");
    for check in &verdict.checks {
        let sign = match check.outcome {
            Outcome::Pass => "✅",
            Outcome::Fail => "❌",
            Outcome::Undecided => "❓",
            Outcome::NotMeasured => "⚠️",
            Outcome::NotScored => "–",
        };
        let _ = writeln!(text, "| {sign} | {} | {} |", escape(&check.name), escape(&check.text));
    }
    text.push('\n');
    for (code, (base, new), first) in text::worse(comparison) {
        let said = first.map(|(_, said)| format!(": {}", quoted(said))).unwrap_or_default();
        let _ = writeln!(text, "- `{code}` {base} → {new} times{said}");
    }
    text.push('\n');
    text
}

/// What changed in the first episodes, those behind a check that does not hold before the others.
fn changes(comparison: &Comparison, verdict: Option<&GateVerdict>) -> String {
    if comparison.episodes.is_empty() {
        return "No episode changed.\n\n".to_owned();
    }
    let behind = verdict.into_iter().flat_map(GateVerdict::closing).flat_map(|check| evidence(check, comparison));
    let mut seen = BTreeSet::new();
    let all = behind.chain(&comparison.episodes).filter(|episode| seen.insert(&episode.episode));
    let episodes = text::count(comparison.episodes.len(), "changed episode");
    let mut text = format!("<details open><summary>{episodes}</summary>\n\n");
    for episode in all.take(SHOWN) {
        let _ = writeln!(text, "- **{}**", escape(&episode.episode));
        causes(episode).iter().for_each(|cause| text.push_str(&format!("  - {}\n", quoted(cause))));
    }
    if comparison.episodes.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", comparison.episodes.len() - SHOWN);
    }
    text + "\n</details>\n\n"
}

fn table(differences: &[Difference]) -> String {
    let shown = |difference: &&Difference| {
        difference.n > 0
            && (difference.group == GroupName::All || difference.change.is_some_and(|change| change != 0.0))
    };
    let mut text = String::from(
        "| metric | episodes | base | new | change | 95 % interval | p | n |\n|---|---|---|---|---|---|---|---|\n",
    );
    for difference in differences.iter().filter(shown) {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        let change = difference.change.map_or_else(|| "–".to_owned(), |change| format!("{change:+.3}"));
        let interval = difference.interval.map(|(low, high)| format!("{low:+.3} to {high:+.3}")).unwrap_or_default();
        let (metric, group) = (difference.metric, escape(&difference.group.to_string()));
        let (base, new) = (number(difference.base), number(difference.new));
        let p = difference.p.map(|p| chance(p).trim_start_matches("= ").to_owned()).unwrap_or_default();
        let n = difference.n;
        let _ =
            writeln!(text, "| {metric} | {group} | {base} | {new} | {change} | {interval} | {} | {n} |", escape(&p));
    }
    text + "\n"
}

/// Words of agents and users, as code: there nobody is called, nothing is linked and no formula is set.
fn quoted(words: &str) -> String {
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    format!("{fence} {} {fence}", plain(words).trim())
}

/// Names as they are, whatever Markdown or HTML would make of them.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in plain(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_agents_call_nobody_and_end_no_code() {
        assert_eq!(quoted("ask @octocat at https://x.y for $1$"), "` ask @octocat at https://x.y for $1$ `");
        assert_eq!(quoted("a ``b`` `c`\n# d"), "``` a ``b`` `c` # d ```");
        assert_eq!(escape("a_b <i>|"), "a\\_b &lt;i&gt;\\|");
    }
}
